//! The abilities of the terminal: colours, lines that are drawn again, and characters beyond ASCII; and
//! lines on standard error.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

use anstream::{AutoStream, ColorChoice};
use parking_lot::Mutex;
use retrograde_game::printable;

/// Whether standard output shows colours, by the terminal and the usual variables (`NO_COLOR`,
/// `CLICOLOR`, `CLICOLOR_FORCE`, `TERM`).
pub(crate) fn shows_colors() -> bool {
    AutoStream::choice(&std::io::stdout()) != ColorChoice::Never
}

/// Whether a line on standard error can be drawn again, as progress bars are.
pub(crate) fn redraws() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether the locale has ASCII alone.
pub(crate) fn is_ascii() -> bool {
    static ASCII: OnceLock<bool> = OnceLock::new();
    *ASCII.get_or_init(|| !is_utf8(|name| std::env::var(name).ok()))
}

/// Whether the locale that variables name has UTF-8. It is assumed if they name none.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let named = |name: &&str| variable(name).filter(|locale| !locale.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(named);
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// A text as the terminal can show it: in ASCII where the locale has nothing else. Letters of names and
/// files stay.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if is_ascii() && !text.is_ascii() { in_ascii(text).into() } else { text.into() }
}

/// Writes a line of text to standard error. If that is closed, there is nothing left to do.
pub(crate) fn say(text: impl AsRef<str>) {
    let _ = writeln!(std::io::stderr(), "{}", shown(&printable(text.as_ref())));
}

/// Writes a note for the user to standard error, unless it was written before.
pub(crate) fn say_note(note: &str) {
    static SAID: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SAID.lock().insert(note.to_owned()) {
        say(format!("note: {note}"));
    }
}

/// A text with its signs and lines in ASCII. Boards keep their columns.
fn in_ascii(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '─' | '╴' | '╶' | '–' | '—' | '−' | '‐' | '‑' => out.push('-'),
            '│' | '╵' | '╷' => out.push('|'),
            '━' | '╸' | '╺' | '╼' | '╾' => out.push('='),
            '┃' | '╹' | '╻' | '╽' | '╿' | '█' | '▉' | '▊' | '▋' | '▌' | '▐' | '■' => {
                out.push('#')
            }
            '\u{2500}'..='\u{257f}' => out.push('+'),
            '·' | '▏' | '▎' | '▍' => out.push('.'),
            '“' | '”' | '„' => out.push('"'),
            '‘' | '’' | '′' => out.push('\''),
            '×' => out.push('x'),
            '•' => out.push('*'),
            '…' => out.push_str("..."),
            '→' => out.push_str("->"),
            '←' => out.push_str("<-"),
            '½' => out.push_str("1/2"),
            '≤' => out.push_str("<="),
            '≥' => out.push_str(">="),
            '±' => out.push_str("+-"),
            '∞' => out.push_str("infinity"),
            '\u{a0}' | '\u{202f}' => out.push(' '),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_variable_that_is_set_names_the_locale() {
        for (set, utf8) in [
            (&[][..], true),
            (&[("LANG", "C.UTF-8")], true),
            (&[("LANG", "de_DE.utf8"), ("LC_ALL", "")], true),
            (&[("LANG", "en_US.UTF-8"), ("LC_ALL", "C")], false),
            (&[("LANG", "en_US.UTF-8"), ("LC_CTYPE", "POSIX")], false),
            (&[("LC_CTYPE", "C"), ("LC_ALL", "en_US.UTF-8")], true),
            (&[("LANG", "de_DE.ISO-8859-1")], false),
            (&[("LANG", "C")], false),
        ] {
            let variable = |name: &str| {
                let found = set.iter().find(|(set, _)| *set == name);
                found.map(|(_, value): &(&str, &str)| (*value).to_owned())
            };
            assert_eq!(is_utf8(variable), utf8, "{set:?}");
        }
    }

    #[test]
    fn lines_and_signs_have_a_form_in_ascii() {
        assert_eq!(in_ascii("┌───┬━━┓ “5 × 4” … a → b"), "+---+==+ \"5 x 4\" ... a -> b");
        assert_eq!(in_ascii("│ O ┃▐█▌ ·"), "| O #### .");
        assert_eq!(in_ascii("Zoë"), "Zoë");
        let all: String = ('\u{2500}'..='\u{257f}').collect();
        let ascii = in_ascii(&all);
        assert!(ascii.is_ascii() && ascii.len() == all.chars().count());
    }
}
