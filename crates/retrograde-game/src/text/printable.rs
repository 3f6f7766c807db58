//! Makes untrusted text safe to print to a terminal or a log: names of files, games, players, hosts.

use std::borrow::Cow;

/// Whether a terminal or a pager interprets a character instead of showing it. This includes control
/// characters, because they begin escape sequences, and invisible characters that change the order or the
/// lines of a text.
fn is_interpreted(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2066}'..='\u{2069}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Whether a character must be escaped before it is printed.
fn is_unprintable(character: char) -> bool {
    is_interpreted(character) && !matches!(character, '\n' | '\t')
}

fn escaped<'a>(text: &'a str, escape: impl Fn(char, &mut String)) -> Cow<'a, str> {
    // Most texts are plain, and checking bytes is much faster.
    let plain = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    if text.bytes().all(plain) || !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        if is_unprintable(character) { escape(character, &mut out) } else { out.push(character) }
    }
    Cow::Owned(out)
}

/// Escapes characters that a terminal interprets: control characters and bidirectional controls.
/// Keeps line ends and tabs.
///
/// ```
/// assert_eq!(retrograde_game::printable("a\x1b[31mb\u{202e}c\n"), "a\\u{1b}[31mb\\u{202e}c\n");
/// ```
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped(text, |character, out| out.extend(character.escape_debug()))
}

/// Does the same for JSON with JSON escapes, so that the meaning does not change.
///
/// ```
/// assert_eq!(retrograde_game::printable_json("\"\u{9b}31m\""), "\"\\u009b31m\"");
/// ```
pub fn printable_json(json: &str) -> Cow<'_, str> {
    escaped(json, |character, out| {
        for unit in character.encode_utf16(&mut [0; 2]) {
            out.push_str(&format!("\\u{unit:04x}"));
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpreted_characters_are_escaped_and_others_stay() {
        let every: String = (0..=char::MAX as u32).filter_map(char::from_u32).collect();
        assert!(printable(&every).chars().all(|c| !is_interpreted(c) || c == '\n' || c == '\t'));
        assert_eq!(printable("Änne “贏了” 👩‍👩‍👧\n\tשלום"), "Änne “贏了” 👩‍👩‍👧\n\tשלום");
        assert!(matches!(printable("plain"), Cow::Borrowed(_)));
        assert_eq!(printable("\r\u{7f}\u{85}"), "\\r\\u{7f}\\u{85}");
        assert_eq!(printable_json("\u{e0001}"), "\\udb40\\udc01");
    }
}
