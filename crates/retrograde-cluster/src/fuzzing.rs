//! Entry points for `fuzz/`: everything that other processes and earlier runs pass to a process, as bytes,
//! without a network. Requires the feature `fuzzing`; not a stable interface.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use retrograde_solve::together::parse_untrusted;
use retrograde_table::{DiskStorage, seal_json};

use crate::checkpoint::ClusterCheckpoint;
use crate::checkpoint::manifest::{Manifest, ShardFile, VERSION};
use crate::checkpoint::shard::{ShardReader, ShardWriter, shard_name};
use crate::error::ClusterError;
use crate::join::{Key, call, introduced, listen};
use crate::liveness::fault_in;
use crate::transport::read_tally;

/// A connection that delivers these bytes, whatever is sent.
struct Received<'a>(&'a [u8]);

impl Read for Received<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Received<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Passes untrusted bytes to both sides of a handshake; neither may accept them.
pub fn handshake(bytes: &[u8]) {
    let key = Key::of(b"a key that no stranger knows");
    assert!(listen(&mut Received(bytes), &key, |_| panic!("a stranger was believed")).is_err());
    assert!(call(&mut Received(bytes), &key, b"0 rounds 1\ngame").is_err());
    // A peer with the key may also send anything.
    let _ = introduced(bytes);
}

/// A peer sends these bytes on the connection of the heartbeat, in two pieces.
pub fn heartbeat(bytes: &[u8]) {
    thread_local! {
        static LINK: TcpStream = {
            let socket = TcpListener::bind("127.0.0.1:0").expect("a local port");
            TcpStream::connect(socket.local_addr().expect("its address")).expect("a connection")
        };
    }
    let (at, rest) = bytes.split_first().map_or((0, bytes), |(&at, rest)| (usize::from(at), rest));
    let (first, second) = rest.split_at(at.min(rest.len()));
    LINK.with(|link| fault_in(link, &[first, second]).expect("a copy of the connection"));
}

/// The contents of the packets of a round.
pub fn packet(bytes: &[u8]) {
    let _ = read_tally(bytes);
    parse_untrusted(bytes);
}

/// Reads a checkpoint in a directory: its manifest, and a shard for each entry of the manifest.
///
/// With `seal`, `shard` contains only pieces, and the file is made valid first.
pub fn checkpoint(directory: &Path, manifest: &[u8], shard: &[u8], seal: bool) {
    let checkpoint = ClusterCheckpoint::new(directory, IDENTITY);
    let Ok(mut manifest) = checkpoint.understood(manifest) else { return };
    for process in 0..manifest.shards.len().min(3) {
        let mut bytes = shard.to_vec();
        if seal {
            (bytes, manifest.shards[process].seal) = sealed(&manifest, process, shard);
        }
        let name = shard_name(4, process);
        manifest.shards[process].file.clone_from(&name);
        manifest.shards[process].bytes = bytes.len() as u64;
        std::fs::write(checkpoint.directory.join(&name), &bytes).expect("a shard for the test");
        let read = read(&checkpoint.directory, &manifest, process);
        assert!(read.is_ok() || !seal, "a sealed shard is readable");
    }
}

/// Reads a whole shard, as a resumed solve does.
fn read(directory: &Path, found: &Manifest, process: usize) -> Result<(), ClusterError> {
    let mut reader = ShardReader::open(&DiskStorage, directory, found, process)?;
    while let Some(piece) = reader.piece()? {
        parse_untrusted(&piece);
    }
    Ok(())
}

/// Writes a shard of pieces, each preceded by its length in one byte. Returns it with its seal.
fn sealed(manifest: &Manifest, process: usize, mut pieces: &[u8]) -> (Vec<u8>, String) {
    let mut bytes = Vec::new();
    let mut writer = ShardWriter::begin(&mut bytes, manifest, process).expect("bytes in memory");
    while let Some((&length, rest)) = pieces.split_first() {
        let (piece, rest) = rest.split_at(rest.len().min(usize::from(length)));
        if !piece.is_empty() {
            writer.piece(piece).expect("bytes in memory");
        }
        pieces = rest;
    }
    let (_, seal) = writer.end().expect("bytes in memory");
    (bytes, seal.to_hex().to_string())
}

/// The identity of all checkpoints here.
const IDENTITY: &str = "a game, rules 1, numbering 1, a solver";

/// The seed inputs: a manifest of two processes, and the pieces of a shard: a run of scores, a waiting key
/// and a solved key.
pub fn checkpoint_seed() -> (Vec<u8>, Vec<u8>) {
    let shards =
        (0..2).map(|process| ShardFile { file: shard_name(4, process), bytes: 0, seal: String::new() });
    let manifest = Manifest {
        format: VERSION,
        identity: IDENTITY.to_owned(),
        stage: 7,
        sequence: 4,
        score_bytes: 2,
        count: 100,
        shards: shards.collect(),
    };
    let pieces: [&[u8]; 3] = [
        &[90, 2, 1, 0, 2, 0, 5, 1, 9, 9],
        &[3, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8],
        &[1, 0, 0, 0, 0, 0, 0, 0, 2, 9, 9, 9, 9, 9, 9, 9, 9, 44, 1],
    ];
    let shard = pieces.iter().flat_map(|piece| [&[piece.len() as u8], *piece].concat()).collect();
    (seal_json(&manifest).expect("a manifest is text").into_bytes(), shard)
}
