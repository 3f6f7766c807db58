//! Drawings for the terminal, in characters: a board with its coordinates and rails, and a
//! histogram. Colours are ANSI escapes and come only when asked for; nothing is told by colour
//! alone.

mod board;
mod boxes;
mod histogram;

pub use board::board;
pub use histogram::histogram;

/// An ANSI escape, or nothing.
#[derive(Clone, Copy)]
struct Paint {
    on: bool,
}

const FIRST: &str = "1;38;5;209";
const SECOND: &str = "1;38;5;117";
const NOBODY: &str = "1";
const FAINT: &str = "2";
const BOLD: &str = "1";
const MARKED: &str = "48;5;58";
const WIN: &str = "38;5;75";
const LOSS: &str = "38;5;208";
const DRAW: &str = "38;5;246";

impl Paint {
    /// Appends a text in a colour; the parts of a colour are joined by `;`.
    fn put(self, out: &mut String, colors: &[&str], text: &str) {
        let colors: Vec<&str> = colors.iter().copied().filter(|color| !color.is_empty()).collect();
        if self.on && !colors.is_empty() && !text.is_empty() {
            out.push_str("\x1b[");
            out.push_str(&colors.join(";"));
            out.push('m');
            out.push_str(text);
            out.push_str("\x1b[0m");
        } else {
            out.push_str(text);
        }
    }
}
