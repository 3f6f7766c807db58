//! Directory names: the canonical name of a game in a form that every file system accepts.
//!
//! People read directory names and type them in shells, and archives may carry them to a system
//! that ignores case. So:
//!
//! - lower-case letters, digits and `.` stay;
//! - `:` becomes `_`, `,` becomes `+`, `=` becomes `-`;
//! - every other byte, including path separators and capital letters, becomes `~` and two hexadecimal digits;
//! - so do a `.` at either end and the first letter of a name that Windows reserves for a device
//!   (`con`, `nul`, …);
//! - a name longer than 100 bytes is cut to at most 60, followed by `~~` and 32 digits of the
//!   BLAKE3 hash of the whole name.
//!
//! Different games have different directories: the encoding is reversible, and `~~` occurs only
//! before a hash.

/// The longest name that is not cut.
const MAX_LENGTH: usize = 100;
/// The length of the readable part of a long name.
const READABLE_LENGTH: usize = 60;

/// Names that Windows reserves for devices, with any extension.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

fn is_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default();
    let numbered = ["com", "lpt"].iter().any(|device| {
        stem.strip_prefix(device).is_some_and(|rest| rest.len() == 1 && rest.as_bytes()[0].is_ascii_digit())
    });
    numbered || DEVICES.contains(&stem)
}

/// The name of the directory for the table of a game: a single path component for any game name.
///
/// ```
/// use retrograde_table::directory_name;
///
/// assert_eq!(directory_name("tactics:5x4,line=3"), "tactics_5x4+line-3");
/// assert_eq!(directory_name("../Push Fight"), "~2e.~2f~50ush~20~46ight");
/// ```
pub fn directory_name(canonical_name: &str) -> String {
    let device = is_device(canonical_name);
    let last = canonical_name.len().saturating_sub(1);
    let mut pieces = Vec::with_capacity(canonical_name.len());
    for (at, byte) in canonical_name.bytes().enumerate() {
        let edge = at == 0 || at == last;
        pieces.push(match byte {
            b'a'..=b'z' if at == 0 && device => format!("~{byte:02x}"),
            b'.' if edge => format!("~{byte:02x}"),
            b'a'..=b'z' | b'0'..=b'9' | b'.' => char::from(byte).to_string(),
            b':' => "_".to_owned(),
            b',' => "+".to_owned(),
            b'=' => "-".to_owned(),
            other => format!("~{other:02x}"),
        });
    }
    let whole = pieces.concat();
    if !whole.is_empty() && whole.len() <= MAX_LENGTH {
        return whole;
    }
    let mut cut = String::new();
    for piece in pieces {
        if cut.len() + piece.len() > READABLE_LENGTH {
            break;
        }
        cut.push_str(&piece);
    }
    let hash = blake3::hash(canonical_name.as_bytes()).to_hex();
    format!("{cut}~~{}", &hash.as_str()[..32])
}

/// The canonical name of the game with this directory; `None` if the name was cut or is not a valid
/// directory name.
pub fn name_of_directory(directory: &str) -> Option<String> {
    let mut name = Vec::with_capacity(directory.len());
    let mut bytes = directory.bytes();
    while let Some(byte) = bytes.next() {
        name.push(match byte {
            b'_' => b':',
            b'+' => b',',
            b'-' => b'=',
            b'~' => {
                let digits = [bytes.next()?, bytes.next()?];
                u8::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?
            }
            other => other,
        });
    }
    String::from_utf8(name).ok().filter(|name| directory_name(name) == directory)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    #[test]
    fn known_names() {
        for (game, directory) in [
            ("tactics:4x4", "tactics_4x4"),
            ("pushfight:standard,moves=unlimited", "pushfight_standard+moves-unlimited"),
            ("a_b", "a~5fb"),
            ("a-b", "a~2db"),
            ("..", "~2e~2e"),
            (".", "~2e"),
            ("con", "~63on"),
            ("nul.x", "~6eul.x"),
            ("com1", "~63om1"),
            ("com10", "com10"),
            ("é", "~c3~a9"),
        ] {
            assert_eq!(directory_name(game), directory);
            assert_eq!(name_of_directory(directory).as_deref(), Some(game));
        }
        for other in ["", "a~", "a~5", "a~zz", "A", "a b", "a~61", "~ff", ".git", "con"] {
            assert_eq!(name_of_directory(other), None, "{other}");
        }
    }

    #[test]
    fn long_and_empty_names() {
        let long = "x".repeat(4000);
        let name = directory_name(&long);
        assert!(name.len() <= MAX_LENGTH && name.starts_with("xxx"), "{name}");
        assert_ne!(name, directory_name(&"x".repeat(4001)));
        assert_eq!(directory_name(&"x".repeat(MAX_LENGTH)), "x".repeat(MAX_LENGTH));
        assert!(directory_name(&"A".repeat(40)).len() <= MAX_LENGTH);
        assert!(directory_name("").starts_with("~~"));
        assert_eq!(name_of_directory(&name), None);
    }

    #[test]
    fn all_short_names_over_an_awkward_alphabet_differ_ignoring_case() {
        let alphabet: Vec<char> = "aA:_,+=-~.2e/\\ \0é".chars().collect();
        let mut names = vec![String::new()];
        let mut seen = HashMap::new();
        for _ in 0..4 {
            names = names
                .iter()
                .flat_map(|name| alphabet.iter().map(move |letter| format!("{name}{letter}")))
                .collect();
            for name in &names {
                let directory = directory_name(name).to_lowercase();
                if let Some(other) = seen.insert(directory, name.clone()) {
                    panic!("{name:?} and {other:?} share a directory");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn only_harmless_characters(name in "\\PC*") {
            let directory = directory_name(&name);
            prop_assert!(!directory.is_empty() && directory.len() <= MAX_LENGTH);
            prop_assert!(name_of_directory(&directory).is_none_or(|found| found == name));
            prop_assert!(!directory.starts_with('.') && !directory.ends_with('.'));
            prop_assert!(directory.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b".~_+-".contains(&b)));
        }
    }
}
