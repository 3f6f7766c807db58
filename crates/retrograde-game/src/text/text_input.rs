//! Normalises text from any editor or system: no byte-order mark, and `\n` as the line end.

use std::borrow::Cow;
use std::io::{Error, ErrorKind};

const MARK: char = '\u{feff}';

/// The text without a byte-order mark, with `\n` for `\r\n` and `\r`.
pub fn clean_text(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches(MARK);
    match text.contains('\r') {
        true => text.replace("\r\n", "\n").replace('\r', "\n").into(),
        false => text.into(),
    }
}

/// Decodes a file or a stream and normalises it with [`clean_text`].
///
/// # Errors
/// If it is not UTF-8. The message mentions UTF-16, which some editors write.
pub fn decode_text(bytes: Vec<u8>) -> Result<String, Error> {
    let refused = |reason| Err(Error::new(ErrorKind::InvalidData, reason));
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) || bytes.contains(&0) {
        return refused("it is not text (UTF-8), but UTF-16 or binary");
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(match clean_text(&text) {
            Cow::Borrowed(clean) if clean.len() == text.len() => text,
            clean => clean.into_owned(),
        }),
        Err(_) => refused("it is not text (UTF-8)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_and_line_ends_are_normalised() {
        let decoded = |bytes: &[u8]| decode_text(bytes.to_vec()).map_err(|error| error.to_string());
        for text in ["\u{feff}a\r\nb\n", "a\rb\r", "a\nb\n", "\u{feff}a\rb\r\n"] {
            assert_eq!(decoded(text.as_bytes()).unwrap(), "a\nb\n", "{text:?}");
        }
        assert_eq!(decoded(b"").unwrap(), "");
        let wide = |text: &str, big: bool| -> Vec<u8> {
            text.encode_utf16()
                .flat_map(|unit| if big { unit.to_be_bytes() } else { unit.to_le_bytes() })
                .collect()
        };
        for bytes in
            [wide("\u{feff}a1", true), wide("\u{feff}a1", false), wide("a1", true), wide("a1", false)]
        {
            assert!(decoded(&bytes).unwrap_err().contains("UTF-16"), "{bytes:?}");
        }
        assert_eq!(decoded(b"a\nb\xff").unwrap_err(), "it is not text (UTF-8)");
    }
}
