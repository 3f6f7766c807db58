//! The handshake of a connection: both sides prove that they know the key, and describe the solve.
//!
//! ```text
//! caller → listener   magic, 8 bytes; a random challenge, 32
//! listener → caller   a random challenge, 32
//! caller → listener   length, 2 bytes; what it says; a proof, 32
//! listener → caller   length, 2 bytes; what it says; a proof, 32
//! ```
//!
//! A proof is the keyed BLAKE3 hash of the role, both challenges and the messages, so it is invalid on any
//! other connection and cannot be reflected. A caller without the key only learns that a process listens. The
//! traffic after the handshake is neither authenticated nor encrypted: if others can change packets in the
//! network, use a tunnel (docs/cluster.md).

use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

use retrograde_game::system_reason;

use crate::error::ClusterError;

const MAGIC: &[u8; 8] = b"RGCLUS\r\n";
/// Longer messages are rejected.
const MAX_MESSAGE: usize = 8192;
/// Shorter keys are too easy to guess.
const MIN_KEY: usize = 16;
/// The number of bytes to read from the key file: one more than a key may have.
const MAX_KEY_FILE: u64 = 1 << 20;

/// The shared secret of a cluster.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

impl Key {
    /// Reads a key from a file: at least 16 bytes of any kind. White space at the ends is ignored.
    ///
    /// # Errors
    /// If the file cannot be read, or has fewer than 16 or more than 65,536 bytes.
    pub fn read(file: &Path) -> Result<Key, ClusterError> {
        let mut bytes = Vec::new();
        let opened = File::open(file).and_then(|file| file.take(MAX_KEY_FILE).read_to_end(&mut bytes));
        let wrong = |reason: String| ClusterError::unusable(file.display(), reason);
        opened.map_err(|error| wrong(format!("cannot read the key: {}", system_reason(&error))))?;
        let bytes = bytes.trim_ascii();
        match bytes.len() {
            len if len < MIN_KEY => {
                Err(wrong(format!("a key must have at least {MIN_KEY} bytes, not {len}")))
            }
            len if len > 1 << 16 => Err(wrong(format!("{len} bytes are too many for a key"))),
            _ => Ok(Key::of(bytes)),
        }
    }

    /// Derives the key from bytes.
    pub fn of(bytes: &[u8]) -> Key {
        Key(blake3::derive_key("retrograde-cluster 2026-11 key of a cluster", bytes))
    }

    /// The default key of a cluster on a single machine. It is not secret.
    pub fn none() -> Key {
        Key::of(b"")
    }

    /// Random text for the file of a new key.
    ///
    /// # Errors
    /// If the system has no randomness.
    pub fn random_text() -> io::Result<String> {
        Ok(blake3::Hash::from_bytes(challenge()?).to_hex().to_string())
    }

    fn proof(&self, role: &[u8], parts: &[&[u8]]) -> blake3::Hash {
        let mut hasher = blake3::Hasher::new_keyed(&self.0);
        for part in [role].iter().chain(parts) {
            hasher.update(&(part.len() as u64).to_le_bytes());
            hasher.update(part);
        }
        hasher.finalize()
    }
}

fn challenge() -> io::Result<[u8; 32]> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes)
}

fn send(link: &mut impl Write, message: &[u8], proof: blake3::Hash) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(message.len() + 34);
    bytes.extend_from_slice(&(message.len() as u16).to_le_bytes());
    bytes.extend_from_slice(message);
    bytes.extend_from_slice(proof.as_bytes());
    link.write_all(&bytes)
}

fn receive(link: &mut impl Read) -> io::Result<(Vec<u8>, blake3::Hash)> {
    let mut length = [0; 2];
    link.read_exact(&mut length)?;
    let length = usize::from(u16::from_le_bytes(length));
    if length > MAX_MESSAGE {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut message = vec![0; length];
    link.read_exact(&mut message)?;
    let mut proof = [0; 32];
    link.read_exact(&mut proof)?;
    Ok((message, blake3::Hash::from_bytes(proof)))
}

/// The proof of the other side is wrong or malformed.
fn stranger() -> io::Error {
    io::ErrorKind::PermissionDenied.into()
}

/// The calling side: sends `mine` and returns the message of the listener.
///
/// # Errors
/// `PermissionDenied` if the listener does not know the key, or an I/O error.
pub(crate) fn call(link: &mut (impl Read + Write), key: &Key, mine: &[u8]) -> io::Result<Vec<u8>> {
    debug_assert!(mine.len() <= MAX_MESSAGE);
    let own = challenge()?;
    link.write_all(&[&MAGIC[..], &own].concat())?;
    let mut other = [0; 32];
    link.read_exact(&mut other)?;
    send(link, mine, key.proof(b"caller", &[&own, &other, mine]))?;
    let (message, proof) = receive(link)?;
    if proof != key.proof(b"listener", &[&own, &other, mine, &message]) {
        return Err(stranger());
    }
    Ok(message)
}

/// The called side: `answer` receives the message of the caller and returns the reply.
///
/// # Errors
/// `PermissionDenied` if the caller does not know the key, or an I/O error.
pub(crate) fn listen(
    link: &mut (impl Read + Write),
    key: &Key,
    answer: impl FnOnce(&[u8]) -> Vec<u8>,
) -> io::Result<()> {
    let mut hello = [0; 40];
    link.read_exact(&mut hello)?;
    let (magic, other) = hello.split_at(MAGIC.len());
    if magic != MAGIC {
        return Err(stranger());
    }
    let own = challenge()?;
    link.write_all(&own)?;
    let (message, proof) = receive(link)?;
    if proof != key.proof(b"caller", &[other, &own, &message]) {
        return Err(stranger());
    }
    let mine = answer(&message);
    debug_assert!(mine.len() <= MAX_MESSAGE);
    send(link, &mine, key.proof(b"listener", &[other, &own, &message, &mine]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::{TcpListener, TcpStream};

    fn meet(caller: &Key, listener: &Key) -> (io::Result<Vec<u8>>, io::Result<()>) {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = socket.local_addr().unwrap();
        std::thread::scope(|scope| {
            let listening = scope.spawn(move || {
                let (mut link, _) = socket.accept().unwrap();
                listen(&mut link, listener, |message| [message, b" too"].concat())
            });
            let called = call(&mut TcpStream::connect(address).unwrap(), caller, b"me");
            (called, listening.join().unwrap())
        })
    }

    #[test]
    fn only_processes_with_the_key_connect() {
        let (one, two) = (Key::of(b"one"), Key::of(b"two"));
        let (called, listened) = meet(&one, &one);
        assert_eq!(called.unwrap(), b"me too");
        listened.unwrap();
        let (called, listened) = meet(&one, &two);
        assert_eq!(listened.unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert!(called.is_err());
    }

    #[test]
    fn proofs_cannot_be_reflected_or_replayed() {
        let key = Key::of(b"key");
        let parts: [&[u8]; 3] = [b"challenge", b"other", b"me"];
        assert_ne!(key.proof(b"caller", &parts), key.proof(b"listener", &parts));
        assert_ne!(key.proof(b"caller", &parts), key.proof(b"caller", &[b"challenge", b"othe", b"rme"]));
        assert_ne!(key.proof(b"caller", &parts), key.proof(b"caller", &[b"again", b"other", b"me"]));
    }

    #[test]
    fn keys_are_read_from_files() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let file = folder.path().join("key");
        let read = |text: &str| {
            std::fs::write(&file, text).unwrap();
            Key::read(&file).map(|key| key.0).map_err(|error| error.to_string())
        };
        assert!(read("short").unwrap_err().contains("at least 16 bytes, not 5"));
        assert_eq!(read("0123456789abcdef\n").unwrap(), read("0123456789abcdef").unwrap());
        assert_ne!(read(&Key::random_text().unwrap()).unwrap(), read(&Key::random_text().unwrap()).unwrap());
    }
}
