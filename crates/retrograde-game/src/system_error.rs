//! Errors of the operating system in plain words: all messages about files and addresses take
//! theirs from here, so that nobody reads "(os error 2)".

use std::io::{Error, ErrorKind};

/// The reason why the system refused something, as the end of a sentence: "there is no such file".
/// An error that was given words of its own keeps them.
pub fn system_reason(error: &Error) -> String {
    if error.get_ref().is_some() {
        return error.to_string();
    }
    let words = match error.kind() {
        ErrorKind::NotFound => "there is no such file",
        ErrorKind::PermissionDenied => "no permission",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "a part of its path is no folder",
        ErrorKind::AlreadyExists => "it is there already",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "the disk has no more room for you (its quota)",
        ErrorKind::ReadOnlyFilesystem => "this disk can only be read",
        ErrorKind::FileTooLarge => "it would be larger than the system allows (see `ulimit -f`)",
        ErrorKind::BrokenPipe => "nobody reads it any more",
        ErrorKind::InvalidData => "it is not text (UTF-8)",
        ErrorKind::UnexpectedEof => "it ends too early",
        ErrorKind::OutOfMemory => "there is not enough memory",
        ErrorKind::TimedOut => "it took too long",
        ErrorKind::AddrInUse => "another program uses this address",
        ErrorKind::AddrNotAvailable => "this machine has no such address",
        ErrorKind::ConnectionRefused => "nothing listens there",
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => "the other side ended the connection",
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => "no way leads there",
        _ => return without_number(&error.to_string()),
    };
    words.to_owned()
}

/// The system's own words, without the number of the error and with a small first letter.
fn without_number(text: &str) -> String {
    let words = text.split(" (os error ").next().unwrap_or(text);
    let mut letters = words.chars();
    match letters.next() {
        Some(first) => first.to_lowercase().chain(letters).collect(),
        None => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_plain() {
        assert_eq!(system_reason(&ErrorKind::NotFound.into()), "there is no such file");
        let own = Error::new(ErrorKind::NotFound, "no table");
        assert_eq!(system_reason(&own), "no table");
        // Whatever the system reports has no number.
        for number in 1..=133 {
            let text = system_reason(&Error::from_raw_os_error(number));
            assert!(!text.is_empty() && !text.contains("os error"), "{number}: {text}");
            assert!(!text.starts_with(char::is_uppercase), "{number}: {text}");
        }
    }
}
