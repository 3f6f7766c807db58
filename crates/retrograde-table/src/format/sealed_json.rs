//! JSON that proves itself: the form of every small file that we write, from the manifest of a
//! table to the times of a solve.
//!
//! The text is an object, a field a line, whose last line is the BLAKE3 hash of all bytes before
//! that line. So no digit can change unnoticed, by hand or by a failing disk. People read such a
//! file without our help, and any tool can check it: `head -n -2 FILE | b3sum`.
//!
//! ```text
//! {
//!   "…": …,
//!   "checksum": "64 hexadecimal digits"
//! }
//! ```

use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::error::{FilePart, TableError};
use crate::storage::{Storage, read_whole, replace_file};

/// No such file is longer, manifests left aside.
const MAX_BYTES: u64 = 4 << 20;

/// No such file has more objects. Each takes some hundred bytes of memory, however short it is.
const MAX_OBJECTS: usize = 100_000;

/// The field `format` of an object: `None` if the text is no object, `Some(None)` if the object has no
/// such number. Everything else in it is skipped.
pub(crate) fn format_version(bytes: &[u8]) -> Option<Option<u64>> {
    #[derive(serde::Deserialize)]
    struct Versioned {
        format: Option<serde_json::Value>,
    }
    let versioned: Versioned = serde_json::from_slice(bytes).ok()?;
    Some(versioned.format.and_then(|format| format.as_u64()))
}

fn checksum_line(checksum: blake3::Hash) -> String {
    format!("  \"checksum\": \"{checksum}\"\n}}\n")
}

/// The text of an object, with its checksum.
///
/// # Errors
/// If the value is none that JSON has.
pub fn seal_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string_pretty(value)?;
    let covered = format!("{},\n", json.strip_suffix("\n}").unwrap_or(&json));
    let checksum = blake3::hash(covered.as_bytes());
    Ok(format!("{covered}{}", checksum_line(checksum)))
}

/// An object on a line of its own, for a log: its last field is the checksum of all before that
/// field.
///
/// # Errors
/// If the value is none that JSON has.
pub fn seal_json_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(value)?;
    let covered = json.strip_suffix('}').unwrap_or(&json);
    Ok(format!("{covered},\"checksum\":\"{}\"}}\n", blake3::hash(covered.as_bytes())))
}

/// The object in a text, without its checksum; the reason if that is wrong.
///
/// # Errors
/// If the text is cut off, or not as it was written.
pub fn unseal_json(bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
    let length = checksum_line(blake3::hash(b"")).len();
    let (covered, line) = bytes.split_at_checked(bytes.len().wrapping_sub(length)).ok_or("it is cut off")?;
    if line != checksum_line(blake3::hash(covered)).as_bytes() {
        return Err("it was cut off, or changed after it was written");
    }
    if covered.iter().filter(|&&byte| byte == b'{').count() > MAX_OBJECTS {
        return Err("it has more objects than any such file");
    }
    let body = covered.strip_suffix(b",\n").unwrap_or(covered);
    Ok([body, b"}"].concat())
}

/// Writes a file, whole or not at all.
///
/// # Errors
/// An error of the system.
pub fn write_sealed(storage: &dyn Storage, path: &Path, value: &impl Serialize) -> Result<(), TableError> {
    let text = seal_json(value).map_err(|error| TableError::io("write", path, error.into()))?;
    replace_file(storage, path, |out| out.write_all(text.as_bytes()))
}

/// Reads a file; `None` if it does not exist.
///
/// # Errors
/// If it is damaged, or cannot be read.
pub fn read_sealed<T: DeserializeOwned>(storage: &dyn Storage, path: &Path) -> Result<Option<T>, TableError> {
    let io = |error| TableError::io("read", path, error);
    let source = match storage.open(path) {
        Ok(source) => source,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(io(error)),
    };
    let damaged = |reason: &str| TableError::damaged(path, FilePart::Whole, reason);
    let bytes = read_whole(&*source, MAX_BYTES).map_err(io)?.ok_or_else(|| damaged("it is too long"))?;
    let body = unseal_json(&bytes).map_err(damaged)?;
    serde_json::from_slice(&body).map(Some).map_err(|error| damaged(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde::Deserialize;

    use super::*;
    use crate::storage::DiskStorage;

    #[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Numbers {
        name: String,
        numbers: Vec<u64>,
        more: Option<f64>,
    }

    fn numbers() -> Numbers {
        Numbers { name: "a \"checksum\": 7".to_owned(), numbers: vec![1, 234_567, 0], more: Some(1.5) }
    }

    fn written() -> (retrograde_testkit::TempDir, PathBuf, Vec<u8>) {
        let folder = retrograde_testkit::tempdir().unwrap();
        let path = folder.path().join("numbers.json");
        write_sealed(&DiskStorage, &path, &numbers()).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        (folder, path, bytes)
    }

    fn read(path: &Path, bytes: &[u8]) -> Result<Option<Numbers>, TableError> {
        std::fs::write(path, bytes).unwrap();
        read_sealed(&DiskStorage, path)
    }

    #[test]
    fn no_flip_cut_or_addition_passes() {
        let (_folder, path, right) = written();
        assert_eq!(read(&path, &right).unwrap(), Some(numbers()));
        let refused = |bytes: &[u8], what: &str| match read(&path, bytes) {
            Err(error) => assert!(error.to_string().contains("numbers.json"), "{error}"),
            Ok(read) => panic!("{what}: {read:?}"),
        };
        for at in 0..right.len() {
            for byte in 0..=u8::MAX {
                if byte != right[at] {
                    let mut bytes = right.clone();
                    bytes[at] = byte;
                    refused(&bytes, &format!("byte {at} is {byte}"));
                }
            }
            refused(&right[..at], &format!("{at} bytes"));
        }
        for more in [&b"\n"[..], b" ", b"\0", b"}", b"{}", &right] {
            refused(&[&right, more].concat(), "more bytes");
        }
        let mut exchanged = right.clone();
        exchanged.swap(30, 31);
        refused(&exchanged, "two bytes exchanged");
    }

    #[test]
    fn a_line_ends_with_the_hash_of_what_is_before_it() {
        let line = seal_json_line(&numbers()).unwrap();
        let (covered, sum) = line.trim_end().rsplit_once(",\"checksum\":\"").unwrap();
        assert_eq!(sum.strip_suffix("\"}").unwrap(), blake3::hash(covered.as_bytes()).to_hex().as_str());
        assert_eq!(serde_json::from_str::<Numbers>(&format!("{covered}}}")).unwrap(), numbers());
    }

    #[test]
    fn a_file_without_a_checksum_is_damaged_and_none_is_none() {
        let (_folder, path, _) = written();
        let plain = serde_json::to_vec(&numbers()).unwrap();
        assert!(read(&path, &plain).is_err());
        assert!(read(&path, b"").is_err());
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read_sealed::<Numbers>(&DiskStorage, &path).unwrap(), None);
    }
}
