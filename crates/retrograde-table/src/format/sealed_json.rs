//! Sealed JSON: the format of all small files, from manifests to the times of a solve.
//!
//! The text is an object with one field per line. The last line is the BLAKE3 hash of all bytes
//! before it, so edits and disk errors are noticed. The files are readable, and any tool can check
//! them: `head -n -2 FILE | b3sum`.
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
use crate::storage::{Storage, read_file, replace_file};

/// The longest sealed file, except manifests.
const MAX_BYTES: u64 = 4 << 20;

/// The most objects in a sealed file. Each takes some hundred bytes of memory, however short it is.
const MAX_OBJECTS: usize = 100_000;

/// The field `format` of an object: `None` if the text is not an object, `Some(None)` if the object
/// has no such number. Skips everything else.
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

/// Formats an object with its checksum.
///
/// # Errors
/// If the value cannot be represented in JSON.
pub fn seal_json(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string_pretty(value)?;
    let covered = format!("{},\n", json.strip_suffix("\n}").unwrap_or(&json));
    let checksum = blake3::hash(covered.as_bytes());
    Ok(format!("{covered}{}", checksum_line(checksum)))
}

/// Formats an object as one line for a log. Its last field is the checksum of everything before that field.
///
/// # Errors
/// If the value cannot be represented in JSON.
pub fn seal_json_line(value: &impl Serialize) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(value)?;
    let covered = json.strip_suffix('}').unwrap_or(&json);
    Ok(format!("{covered},\"checksum\":\"{}\"}}\n", blake3::hash(covered.as_bytes())))
}

/// The object in a sealed text, without its checksum.
///
/// # Errors
/// If the text is truncated or was changed.
pub fn unseal_json(bytes: &[u8]) -> Result<Vec<u8>, &'static str> {
    let length = checksum_line(blake3::hash(b"")).len();
    let (covered, line) =
        bytes.split_at_checked(bytes.len().wrapping_sub(length)).ok_or("it is truncated")?;
    if line != checksum_line(blake3::hash(covered)).as_bytes() {
        return Err("it was truncated or changed after it was written");
    }
    if covered.iter().filter(|&&byte| byte == b'{').count() > MAX_OBJECTS {
        return Err("it has too many objects");
    }
    let body = covered.strip_suffix(b",\n").unwrap_or(covered);
    Ok([body, b"}"].concat())
}

/// Writes a sealed file atomically.
///
/// # Errors
/// An error of the system.
pub fn write_sealed(storage: &dyn Storage, path: &Path, value: &impl Serialize) -> Result<(), TableError> {
    let text = seal_json(value).map_err(|error| TableError::io("write", path, error.into()))?;
    replace_file(storage, path, |out| out.write_all(text.as_bytes()))
}

/// Reads a sealed file; `None` if it does not exist.
///
/// # Errors
/// If it is damaged or cannot be read.
pub fn read_sealed<T: DeserializeOwned>(storage: &dyn Storage, path: &Path) -> Result<Option<T>, TableError> {
    let damaged = |reason: &str| TableError::damaged(path, FilePart::Whole, reason);
    let Some(bytes) = read_file(storage, path, MAX_BYTES)? else { return Ok(None) };
    let body = unseal_json(&bytes).map_err(damaged)?;
    serde_json::from_slice(&body).map(Some).map_err(|error| damaged(&error.to_string()))
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use serde::Deserialize;

    use super::*;
    use crate::MemoryStorage;
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

    /// Reads a file with these bytes from memory, which is faster than a disk.
    fn read(path: &Path, bytes: &[u8]) -> Result<Option<Numbers>, TableError> {
        read_sealed(&MemoryStorage::new().with(path, bytes), path)
    }

    #[test]
    fn flips_truncations_and_additions_are_detected() {
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
    fn a_line_ends_with_the_hash_of_the_text_before_it() {
        let line = seal_json_line(&numbers()).unwrap();
        let (covered, sum) = line.trim_end().rsplit_once(",\"checksum\":\"").unwrap();
        assert_eq!(sum.strip_suffix("\"}").unwrap(), blake3::hash(covered.as_bytes()).to_hex().as_str());
        assert_eq!(serde_json::from_str::<Numbers>(&format!("{covered}}}")).unwrap(), numbers());
    }

    #[test]
    fn a_file_without_a_checksum_is_damaged_and_a_missing_file_is_not() {
        let (_folder, path, _) = written();
        let plain = serde_json::to_vec(&numbers()).unwrap();
        assert!(read(&path, &plain).is_err());
        assert!(read(&path, b"").is_err());
        std::fs::remove_file(&path).unwrap();
        assert_eq!(read_sealed::<Numbers>(&DiskStorage, &path).unwrap(), None);
    }
}
