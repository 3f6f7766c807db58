//! The doors that `fuzz/` knocks at: everything that other processes and old runs hand to a
//! process, as bytes, without a network. Only with the feature `fuzzing`; no promise is made about
//! what is here.

use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;

use retrograde_game::Index;
use retrograde_table::{DiskStorage, seal_json};

use crate::checkpoint::ClusterCheckpoint;
use crate::checkpoint::header::header;
use crate::checkpoint::manifest::{Manifest, ShardFile, VERSION};
use crate::checkpoint::occurring_shard::{OccurringShardReader, piece_bytes, read_piece};
use crate::checkpoint::pieces::{PieceWriter, ReadPiece, sum};
use crate::checkpoint::shard::{ShardReader, shard_name};
use crate::error::ClusterError;
use crate::join::{Key, call, introduced, listen};
use crate::liveness::heard;
use crate::partition::Partition;
use crate::solve::{keys_by_grade, take_positions};
use crate::transport::{Packet, PacketKind, Places, Tally};

/// A connection on which these bytes come, whatever is said.
struct Heard<'a>(&'a [u8]);

impl Read for Heard<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Heard<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Both sides of a handshake hear the bytes of a stranger; neither may believe them.
pub fn handshake(bytes: &[u8]) {
    let key = Key::of(b"a key that no stranger knows");
    assert!(listen(&mut Heard(bytes), &key, |_| panic!("a stranger was believed")).is_err());
    assert!(call(&mut Heard(bytes), &key, b"0 rounds 1\ngame").is_err());
    // Somebody with the key may say anything too.
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
    LINK.with(|link| heard(link, &[first, second]).expect("a copy of the connection"));
}

/// The contents of the packets of a round.
pub fn packet(bytes: &[u8]) {
    let end = 1 << 20;
    let packet = Packet { to: 0, from: 1, round: 0, kind: PacketKind::Won, tag: 0, bytes: bytes.to_vec() };
    let (mut places, mut last) = (Places::default(), 0);
    let read = packet.places(end, |place| {
        assert!(last <= place && place < end);
        last = place;
        places.push(place);
    });
    if read.is_ok() {
        let again = Packet { bytes: places.bytes, ..packet };
        let mut count = 0;
        assert!(again.places(end, |_| count += 1).is_ok() && count == places.count);
    }
    let _ = Tally::from_bytes(bytes);
    occurring_packet(bytes);
}

/// The contents of the packets of a solve of occurring positions.
fn occurring_packet(bytes: &[u8]) {
    let packet = Packet { to: 0, from: 1, round: 0, kind: PacketKind::Found, tag: 0, bytes: bytes.to_vec() };
    if let Ok(groups) = keys_by_grade(&packet, 100) {
        assert!(groups.iter().all(|(grade, _)| *grade < 100));
        assert!(groups.iter().map(|(_, keys)| keys.len()).sum::<usize>() <= bytes.len());
    }
    let mut positions = Vec::new();
    let _ = take_positions(&packet, &mut positions);
    assert!(positions.is_sorted_by_key(|(number, _)| *number));
    if let Some(piece) = read_piece(bytes) {
        assert_eq!(piece_bytes(&piece), bytes);
    }
}

/// The checkpoint of a solve that a directory holds: its manifest, and one shard that is there for
/// every one that the manifest names.
///
/// With `seal`, header and checksums of the shard are made right first, as a stranger could.
pub fn checkpoint(directory: &Path, manifest: &[u8], shard: &[u8], seal: bool) {
    let checkpoint = ClusterCheckpoint::new(directory, IDENTITY);
    let Ok(mut manifest) = checkpoint.understood(manifest) else { return };
    // A solve refuses a manifest of another number of indices than its game has.
    if manifest.count > 1 << 20 {
        return;
    }
    let old = Partition::with_bits(manifest.count, &manifest.threads, manifest.block_bits);
    let owned: u64 = (0..manifest.threads.len()).map(|process| old.owned(process as u32)).sum();
    assert_eq!(owned, manifest.count, "each index has one owner");
    for process in 0..manifest.shards.len().min(3) {
        let name = shard_name(4, process);
        let mut bytes = shard.to_vec();
        if seal {
            manifest.shards[process].seal = sealed(&manifest, &old, process as u32, &mut bytes);
        }
        manifest.shards[process].file.clone_from(&name);
        std::fs::write(checkpoint.directory.join(&name), &bytes).expect("a shard for the test");
        let _ = read(&checkpoint.directory, &manifest, &old, process);
        if seal {
            let mut bytes = shard.to_vec();
            manifest.shards[process].seal = sealed_occurring(&manifest, process as u32, &mut bytes);
            std::fs::write(checkpoint.directory.join(&name), &bytes).expect("a shard for the test");
        }
        let _ = read_occurring(&checkpoint.directory, &manifest, process);
    }
}

/// Reads a shard to its end, as a solve that goes on from it does.
fn read(directory: &Path, found: &Manifest, old: &Partition, process: usize) -> Result<(), ClusterError> {
    let mut reader = ShardReader::open(&DiskStorage, directory, found, old, process)?;
    while let Some(piece) = reader.piece()? {
        assert!(
            piece.scores.len() % usize::from(found.score_bytes) == 0
                && old.index(process as u32, piece.from) < Index(u64::MAX)
        );
    }
    Ok(())
}

/// Puts the right header and the right checksums into a shard, as far as it goes; returns the seal.
fn sealed(manifest: &Manifest, old: &Partition, process: u32, shard: &mut Vec<u8>) -> String {
    let places = old.owned(process);
    let head = header(manifest, process, places);
    let body = shard.split_off(head.len().min(shard.len()));
    shard.clone_from(&head);
    let place = usize::from(manifest.score_bytes) + usize::from(manifest.counter_bytes);
    let (mut last, mut at) = (blake3::hash(&head), 0);
    let mut left = places;
    while left > 0 {
        let piece = left.min(crate::checkpoint::shard::PIECE);
        let Some(bytes) = body.get(at..at + piece as usize * place) else { break };
        last = sum(&last, bytes);
        shard.extend_from_slice(bytes);
        shard.extend_from_slice(last.as_bytes());
        at += bytes.len() + 32;
        left -= piece;
    }
    last.to_hex().to_string()
}

/// Reads a shard of what occurs to its end.
fn read_occurring(directory: &Path, found: &Manifest, process: usize) -> Result<(), ClusterError> {
    let mut reader = OccurringShardReader::open(&DiskStorage, directory, found, process)?;
    while let Some(piece) = reader.piece()? {
        assert!(!piece.keys.is_empty());
    }
    Ok(())
}

/// Puts the right header and the right checksums into a shard of what occurs, as far as its pieces
/// can be told apart; returns the seal.
fn sealed_occurring(manifest: &Manifest, process: u32, shard: &mut Vec<u8>) -> String {
    let length = header(manifest, process, 0).len();
    let mut left = shard.get(length..).unwrap_or_default();
    let (mut pieces, mut keys) = (Vec::new(), 0);
    while let Some(head) = left.first_chunk::<16>() {
        let count = u64::from(u32::from_le_bytes([head[8], head[9], head[10], head[11]]));
        let each = if head[12] == 2 { 10 } else { 8 };
        let Some(piece) = usize::try_from(16 + count * each).ok().and_then(|length| left.get(..length))
        else {
            break;
        };
        pieces.push(piece.to_vec());
        keys += count;
        left = left.get(piece.len() + 32..).unwrap_or_default();
    }
    let mut bytes = Vec::new();
    let head = header(manifest, process, keys);
    let mut writer = PieceWriter::begin(&mut bytes, &head).expect("bytes in memory");
    pieces.iter().for_each(|piece| writer.piece(piece).expect("bytes in memory"));
    let seal = writer.seal.to_hex().to_string();
    *shard = bytes;
    seal
}

/// A manifest and a shard of what occurs, to begin with.
pub fn occurring_checkpoint_seed() -> (Vec<u8>, Vec<u8>) {
    use retrograde_solve::reachable::{GradeState, SavedPiece};
    let mut manifest = Manifest {
        format: VERSION,
        identity: IDENTITY.to_owned(),
        stage: 0,
        sequence: 4,
        score_bytes: 2,
        counter_bytes: 0,
        count: 3,
        block_bits: 0,
        threads: vec![1],
        shards: vec![ShardFile { file: shard_name(4, 0), bytes: 0, seal: String::new() }],
    };
    let pieces = [
        SavedPiece { state: GradeState::Waiting, grade: 3, keys: vec![1, 2], scores: Vec::new() },
        SavedPiece { state: GradeState::Solved, grade: 1, keys: vec![9], scores: vec![300] },
    ];
    let mut shard = Vec::new();
    let head = header(&manifest, 0, 3);
    let mut writer = PieceWriter::begin(&mut shard, &head).expect("bytes in memory");
    pieces.iter().for_each(|piece| writer.piece(&piece_bytes(piece)).expect("bytes in memory"));
    manifest.shards[0].seal = writer.seal.to_hex().to_string();
    manifest.shards[0].bytes = writer.bytes;
    (seal_json(&manifest).expect("a manifest is text").into_bytes(), shard)
}

/// The identity in all checkpoints here.
const IDENTITY: &str = "a game, rules 1, numbering 1, a solver";

/// A manifest and a shard as two processes with a hundred places write them, to begin with.
pub fn checkpoint_seed() -> (Vec<u8>, Vec<u8>) {
    let old = Partition::with_bits(100, &[1, 2], 3);
    let shards =
        (0..2).map(|process| ShardFile { file: shard_name(4, process), bytes: 0, seal: String::new() });
    let mut manifest = Manifest {
        format: VERSION,
        identity: IDENTITY.to_owned(),
        stage: 7,
        sequence: 4,
        score_bytes: 1,
        counter_bytes: 2,
        count: old.count(),
        block_bits: old.bits(),
        threads: vec![1, 2],
        shards: shards.collect(),
    };
    let length = header(&manifest, 0, 0).len() + 3 * 100 + 32;
    let mut shard: Vec<u8> = (0..length).map(|at| at as u8).collect();
    manifest.shards[0].seal = sealed(&manifest, &old, 0, &mut shard);
    manifest.shards[0].bytes = shard.len() as u64;
    (seal_json(&manifest).expect("a manifest is text").into_bytes(), shard)
}
