//! Plain messages for errors of the operating system. All messages about files and addresses use
//! them, so that users never see "(os error 2)".

use std::io::{Error, ErrorKind};

/// The reason why the system refused something, as the end of a sentence: "there is no such file".
/// An error with a custom message keeps it.
pub fn system_reason(error: &Error) -> String {
    if error.get_ref().is_some() {
        return error.to_string();
    }
    let words = match error.kind() {
        ErrorKind::NotFound => "there is no such file",
        ErrorKind::PermissionDenied => "no permission",
        ErrorKind::IsADirectory => "it is a folder",
        ErrorKind::NotADirectory => "part of its path is not a folder",
        ErrorKind::AlreadyExists => "it already exists",
        ErrorKind::StorageFull => "the disk is full",
        ErrorKind::QuotaExceeded => "your disk quota is used up",
        ErrorKind::ReadOnlyFilesystem => "this disk is read-only",
        ErrorKind::FileTooLarge => "it would be larger than the system allows (see `ulimit -f`)",
        ErrorKind::BrokenPipe => "its reader has closed it",
        ErrorKind::InvalidData => "it is not text (UTF-8)",
        ErrorKind::UnexpectedEof => "it ends too early",
        ErrorKind::OutOfMemory => "there is not enough memory",
        ErrorKind::TimedOut => "it took too long",
        ErrorKind::AddrInUse => "another program uses this address",
        ErrorKind::AddrNotAvailable => "this machine has no such address",
        ErrorKind::ConnectionRefused => "nothing listens there",
        ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted => "the other side closed the connection",
        ErrorKind::HostUnreachable | ErrorKind::NetworkUnreachable => "no route leads there",
        _ => return without_number(&error.to_string()),
    };
    words.to_owned()
}

/// The system's own message in lower case, without the number of the error.
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
    fn messages_are_plain_text() {
        assert_eq!(system_reason(&ErrorKind::NotFound.into()), "there is no such file");
        let own = Error::new(ErrorKind::NotFound, "no table");
        assert_eq!(system_reason(&own), "no table");
        // System messages never contain the number.
        for number in 1..=133 {
            let text = system_reason(&Error::from_raw_os_error(number));
            assert!(!text.is_empty() && !text.contains("os error"), "{number}: {text}");
            assert!(!text.starts_with(char::is_uppercase), "{number}: {text}");
        }
    }
}
