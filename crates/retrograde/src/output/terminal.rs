//! Features of the terminal (colours, redrawn lines, characters beyond ASCII), and messages on
//! standard error.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::io::{IsTerminal, Write};
use std::sync::OnceLock;

use anstream::{AutoStream, ColorChoice};
use parking_lot::Mutex;
use retrograde_game::printable;

/// Whether standard output shows colours, according to the terminal and the variables `NO_COLOR`,
/// `CLICOLOR`, `CLICOLOR_FORCE` and `TERM`.
pub(crate) fn shows_colors() -> bool {
    AutoStream::choice(&std::io::stdout()) != ColorChoice::Never
}

/// Whether standard error can redraw a line, as progress bars do.
pub(crate) fn redraws() -> bool {
    std::io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Whether the locale only has ASCII.
pub(crate) fn is_ascii() -> bool {
    static ASCII: OnceLock<bool> = OnceLock::new();
    *ASCII.get_or_init(|| !is_utf8(|name| std::env::var(name).ok()))
}

/// Whether the locale in the environment uses UTF-8. Without a locale, UTF-8 is assumed.
fn is_utf8(variable: impl Fn(&str) -> Option<String>) -> bool {
    let named = |name: &&str| variable(name).filter(|locale| !locale.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(named);
    locale.is_none_or(|locale| {
        let locale = locale.to_ascii_lowercase();
        locale.contains("utf-8") || locale.contains("utf8")
    })
}

/// Converts text for the terminal: symbols become ASCII if the locale has nothing else. Letters in
/// names are kept.
pub(crate) fn shown(text: &str) -> Cow<'_, str> {
    if is_ascii() && !text.is_ascii() { in_ascii(text).into() } else { text.into() }
}

/// Writes a line to standard error. If that fails, there is nothing left to do.
pub(crate) fn say(text: impl AsRef<str>) {
    let _ = writeln!(std::io::stderr(), "{}", shown(&printable(text.as_ref())));
}

/// Writes a note to standard error, once.
pub(crate) fn say_note(note: &str) {
    static SHOWN_NOTES: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if SHOWN_NOTES.lock().insert(note.to_owned()) {
        say(format!("note: {note}"));
    }
}

/// Replaces symbols and box drawing by ASCII. Boards keep their columns.
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
