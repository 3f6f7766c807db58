//! Reads lines from an untrusted stream. Their length is bounded, so an endless line takes no memory.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::mpsc::SyncSender;

use retrograde_game::decode_text;

/// The maximum length of a line of standard input in bytes; a game of ten thousand turns fits.
pub const MAX_INPUT_LENGTH: usize = 1 << 20;

/// An event in a session.
pub(crate) enum Event {
    /// A line of input, or why it cannot be read.
    Line(Result<String, String>),
    /// The end of the input, or why nothing more can be read.
    End(io::Result<()>),
    /// Another thread could not write its output.
    WriteError(io::Error),
}

/// Reads lines on a separate thread until the input ends. The thread ends with the input, the receiver or the
/// program, since a read cannot be cancelled.
///
/// # Errors
/// If the system cannot start a thread.
pub(crate) fn read_on_thread(input: impl Read + Send + 'static, events: SyncSender<Event>) -> io::Result<()> {
    let read = move || {
        let mut input = BufReader::new(input);
        loop {
            let event = match next_line(&mut input, MAX_INPUT_LENGTH) {
                Ok(Some(line)) => Event::Line(line),
                Ok(None) => Event::End(Ok(())),
                Err(error) => Event::End(Err(error)),
            };
            let over = matches!(event, Event::End(_));
            if events.send(event).is_err() || over {
                return;
            }
        }
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
}

/// Reads the next line of at most `max_length` bytes, without its line end (`\n`, `\r\n` or `\r`). Returns
/// `Ok(None)` at the end of the stream. The inner error is for lines that are too long or not UTF-8; the next
/// call continues after them.
///
/// # Errors
/// If the stream cannot be read.
pub fn next_line(input: &mut impl BufRead, max_length: usize) -> io::Result<Option<Result<String, String>>> {
    let mut line = Vec::new();
    let mut length = 0_usize;
    loop {
        let part = match input.fill_buf() {
            Ok(part) => part,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if part.is_empty() && length == 0 {
            return Ok(None);
        }
        let end = part.iter().position(|byte| b"\n\r".contains(byte));
        let taken = end.unwrap_or(part.len());
        length = length.saturating_add(taken);
        if length <= max_length {
            line.extend_from_slice(&part[..taken]);
        }
        let over = end.is_some() || part.is_empty();
        // Includes the line end, so that an empty line differs from the end of the stream.
        let used = taken + usize::from(end.is_some());
        let returned = end.is_some_and(|end| part[end] == b'\r');
        input.consume(used);
        if returned && input.fill_buf().is_ok_and(|part| part.first() == Some(&b'\n')) {
            input.consume(1);
        }
        if over {
            break;
        }
    }
    if length > max_length {
        return Ok(Some(Err(format!("a line of {length} bytes is too long (the limit is {max_length})"))));
    }
    Ok(Some(decode_text(line).map_err(|error| format!("the line cannot be read: {error}"))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_length_of_lines_is_limited() {
        let text = [&b"one\n\r\n"[..], &[b'x'; 30], b"\ntwo\r\n\xff\nlast"].concat();
        // Buffers that are shorter than lines.
        let mut input = BufReader::with_capacity(4, &text[..]);
        let mut read = || next_line(&mut input, 10).unwrap();
        assert_eq!(read(), Some(Ok("one".to_owned())));
        assert_eq!(read(), Some(Ok(String::new())));
        assert!(read().unwrap().unwrap_err().contains("30 bytes"));
        assert_eq!(read(), Some(Ok("two".to_owned())));
        assert!(read().unwrap().unwrap_err().contains("UTF-8"));
        assert_eq!(read(), Some(Ok("last".to_owned())));
        assert_eq!(read(), None);
    }

    #[test]
    fn line_ends_of_any_system_are_accepted() {
        for size in [1, 3, 64] {
            let mut input = BufReader::with_capacity(size, "\u{feff}a\r\nb\rc\n\r\rd".as_bytes());
            let mut lines = Vec::new();
            while let Some(line) = next_line(&mut input, 10).unwrap() {
                lines.push(line.unwrap());
            }
            assert_eq!(lines, ["a", "b", "c", "", "", "d"], "{size}");
        }
        let wide: Vec<u8> = "\u{feff}a1\n".encode_utf16().flat_map(u16::to_le_bytes).collect();
        let mut input = BufReader::new(&wide[..]);
        assert!(next_line(&mut input, 10).unwrap().unwrap().unwrap_err().contains("UTF-16"));
    }
}
