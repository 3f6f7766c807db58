//! Everything that arrives over the network of a cluster or is in its checkpoints.

use std::cell::LazyCell;
use std::path::Path;

use retrograde_cluster::{Hosts, fuzzing};
use retrograde_testkit::{TempDir, tempdir};

use crate::seal;

/// A host file or a pattern of hosts. Its hosts can be formatted and parsed again.
pub fn hosts(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let found = [Hosts::parse(text, Path::new("my.hosts")), Hosts::of_pattern(text)];
    found.into_iter().flatten().for_each(|hosts| assert_reparses(&hosts));
}

fn assert_reparses(hosts: &Hosts) {
    let lines: Vec<&str> = (0..hosts.count()).map(|process| hosts.address(process)).collect();
    assert_eq!(&Hosts::parse(&lines.join("\n"), Path::new("my.hosts")).expect("its own lines"), hosts);
    let _ = hosts.all_loopback();
}

pub fn hosts_seeds() -> Vec<Vec<u8>> {
    vec![
        b"# two nodes\nnode-1:7000\n\n  [fd00::2]:7001 # the other\n".to_vec(),
        b"127.0.0.1:1\nlocalhost:2".to_vec(),
        b"node-{0..3}:7341".to_vec(),
    ]
}

/// The bytes of an untrusted peer, on either side of a handshake.
pub fn handshake_seeds() -> Vec<Vec<u8>> {
    let mut caller = b"RGCLUS\r\n".to_vec();
    caller.extend([7; 32]);
    caller.extend([20, 0]);
    caller.extend(b"1 rounds 2\ntactics:4x4");
    caller.extend([9; 32]);
    vec![caller, b"1 beat 2\ntactics:4x4\nrules 1".to_vec()]
}

/// The bytes of a process on the heartbeat connection.
pub fn heartbeat_seeds() -> Vec<Vec<u8>> {
    vec![b"\x03....b".to_vec(), b"\x02.!\x05disk!".to_vec()]
}

/// The content of a packet in a round.
pub fn packet_seeds() -> Vec<Vec<u8>> {
    // Places; numbers of a round; codes of two grades; a position with a score of one byte, and of two.
    let codes = vec![5, 2, 9, 0x81, 1, 3, 1, 0];
    vec![vec![0, 1, 0x85, 1, 3], vec![1; 32], codes, vec![1, 7, 126, 1, 2], vec![2, 7, 0x2c, 1]]
}

/// A checkpoint: the length of its manifest in two bytes, the manifest, and a shard.
pub fn shard(bytes: &[u8]) {
    thread_local! {
        static FOLDER: LazyCell<TempDir> = const { LazyCell::new(|| tempdir().expect("a folder")) };
    }
    let Some((length, rest)) = bytes.split_at_checked(2) else { return };
    let length = usize::from(u16::from_le_bytes([length[0], length[1]]));
    let (manifest, shard) = rest.split_at(length.min(rest.len()));
    FOLDER.with(|folder| {
        let game = folder.path();
        std::fs::create_dir_all(game.join("cluster")).expect("a folder for the test");
        fuzzing::checkpoint(game, manifest, shard, false);
        let mut manifest = manifest.to_vec();
        let _ = seal::json(&mut manifest);
        fuzzing::checkpoint(game, &manifest, shard, true);
    });
}

pub fn shard_seeds() -> Vec<Vec<u8>> {
    let (manifest, shard) = fuzzing::checkpoint_seed();
    vec![[&(manifest.len() as u16).to_le_bytes()[..], &manifest, &shard].concat()]
}
