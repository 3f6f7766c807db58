//! Lines of an untrusted stream. Their length is bounded, so an endless line takes no memory.

use std::io::{self, BufRead, BufReader, ErrorKind, Read};
use std::sync::mpsc::SyncSender;

/// The longest line of standard input, in bytes; a game of ten thousand turns fits.
pub const LONGEST_INPUT: usize = 1 << 20;

/// A message from an input.
pub(crate) enum Input {
    /// A line, or why it cannot be read.
    Line(Result<String, String>),
    /// The end, or why nothing more can be read.
    End(io::Result<()>),
}

/// Reads lines on a thread of its own, up to the end of the input. The thread ends with the input, with
/// the receiver, or with the program: a read cannot be called off.
///
/// # Errors
/// If the system starts no thread.
pub(crate) fn read_beside<E: From<Input> + Send + 'static>(
    input: impl Read + Send + 'static,
    events: SyncSender<E>,
) -> io::Result<()> {
    let read = move || {
        let mut input = BufReader::new(input);
        loop {
            let heard = match next_line(&mut input, LONGEST_INPUT) {
                Ok(Some(line)) => Input::Line(line),
                Ok(None) => Input::End(Ok(())),
                Err(error) => Input::End(Err(error)),
            };
            let over = matches!(heard, Input::End(_));
            if events.send(heard.into()).is_err() || over {
                return;
            }
        }
    };
    std::thread::Builder::new().name("input".to_owned()).spawn(read).map(drop)
}

/// Reads the next line of at most `longest` bytes, without its line end. Returns `Ok(None)` at the end
/// of the stream. The inner error says why a line is not readable: too long, or not UTF-8; the next call
/// continues after it.
///
/// # Errors
/// If the stream cannot be read.
pub fn next_line(input: &mut impl BufRead, longest: usize) -> io::Result<Option<Result<String, String>>> {
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
        let end = part.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(part.len());
        length = length.saturating_add(taken);
        if length <= longest {
            line.extend_from_slice(&part[..taken]);
        }
        let over = end.is_some() || part.is_empty();
        // The end of the line counts, so that an empty line is no end of the stream.
        let used = taken + usize::from(end.is_some());
        input.consume(used);
        if over {
            break;
        }
    }
    if length > longest {
        return Ok(Some(Err(format!("a line of {length} bytes is longer than any can be ({longest})"))));
    }
    let text = String::from_utf8(line).map_err(|_| "the line is no UTF-8 text".to_owned());
    Ok(Some(text.map(|text| text.trim_end_matches('\r').to_owned())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_have_a_longest_length() {
        let text = [&b"one\n\r\n"[..], &[b'x'; 30], b"\ntwo\r\n\xff\nlast"].concat();
        // Parts that are shorter than lines.
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
}
