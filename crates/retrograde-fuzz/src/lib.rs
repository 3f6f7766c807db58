//! All untrusted input of Retrograde, as functions of bytes: names, positions, boards, files of
//! every format, requests, and network traffic of a cluster.
//!
//! A *target* accepts any bytes and must return: no panic, no endless loop, no more memory than the
//! format allows. If a text can be formatted again, the result must be the same. `fuzz/` runs the
//! targets with libFuzzer. The test of this crate runs them on the committed corpus, so inputs that
//! once did harm stay fixed.
//!
//! Files have checksums, which a fuzzer would hardly get past. So targets for files run twice: on
//! the bytes as they are, and with corrected checksums ([`seal`]), as an attacker would provide.

#![forbid(unsafe_code)]

use std::path::Path;

use retrograde_cluster::fuzzing;

mod cluster;
mod requests;
pub mod seal;
mod solved;
mod tables;
mod texts;

pub use tables::packed as xz_of;

/// A kind of input.
#[derive(Clone, Copy)]
pub struct Target {
    /// The name, also of its corpus and its program.
    pub name: &'static str,
    /// Runs the target on any bytes.
    pub run: fn(&[u8]),
    /// Valid inputs to start from, produced by our own programs.
    pub seeds: fn() -> Vec<Vec<u8>>,
}

/// All targets.
pub const TARGETS: &[Target] = &[
    Target { name: "game_name", run: texts::game_name, seeds: texts::game_name_seeds },
    Target { name: "position", run: texts::position, seeds: texts::position_seeds },
    Target { name: "board_file", run: texts::board_file, seeds: texts::board_file_seeds },
    Target { name: "mate", run: texts::mate, seeds: texts::mate_seeds },
    Target { name: "reduction_board", run: texts::reduction_board, seeds: texts::reduction_board_seeds },
    Target { name: "qdimacs", run: texts::qdimacs, seeds: texts::qdimacs_seeds },
    Target { name: "steiner", run: texts::steiner, seeds: texts::steiner_seeds },
    Target { name: "hosts", run: cluster::hosts, seeds: cluster::hosts_seeds },
    Target { name: "handshake", run: fuzzing::handshake, seeds: cluster::handshake_seeds },
    Target { name: "heartbeat", run: fuzzing::heartbeat, seeds: cluster::heartbeat_seeds },
    Target { name: "packet", run: fuzzing::packet, seeds: cluster::packet_seeds },
    Target { name: "shard", run: cluster::shard, seeds: cluster::shard_seeds },
    Target { name: "table", run: tables::table, seeds: tables::table_seeds },
    Target { name: "work_file", run: tables::work_file, seeds: tables::work_file_seeds },
    Target { name: "xz", run: tables::xz, seeds: tables::xz_seeds },
    Target { name: "sparse_table", run: solved::sparse_table, seeds: solved::sparse_table_seeds },
    Target { name: "shades", run: solved::shades, seeds: solved::shades_seeds },
    Target { name: "losses", run: solved::losses, seeds: solved::losses_seeds },
    Target { name: "wins", run: solved::wins, seeds: solved::wins_seeds },
    Target { name: "sidecars", run: solved::sidecars, seeds: solved::sidecars_seeds },
    Target { name: "placements", run: solved::placements, seeds: solved::placements_seeds },
    Target { name: "phase_log", run: solved::phase_log, seeds: solved::phase_log_seeds },
    Target { name: "published", run: solved::published, seeds: solved::published_seeds },
    Target { name: "http", run: requests::http, seeds: requests::http_seeds },
    Target { name: "offline", run: requests::offline, seeds: requests::offline_seeds },
];

/// The target with a name.
pub fn target(name: &str) -> Option<&'static Target> {
    TARGETS.iter().find(|target| target.name == name)
}

/// Runs a target on bytes.
///
/// # Panics
/// If there is no such target, or the target finds a fault.
pub fn run(name: &str, bytes: &[u8]) {
    let target = target(name).unwrap_or_else(|| panic!("there is no target {name}"));
    (target.run)(bytes);
}

/// Writes the seeds of a target below a folder.
///
/// # Errors
/// An error of the system.
pub fn write_seeds(target: &Target, corpus: &Path) -> std::io::Result<()> {
    let folder = corpus.join(target.name);
    std::fs::create_dir_all(&folder)?;
    for (number, seed) in (target.seeds)().iter().enumerate() {
        std::fs::write(folder.join(format!("seed-{number}")), seed)?;
    }
    Ok(())
}

/// Does the same for a libFuzzer program if the variable `RETROGRADE_SEEDS` names a folder.
///
/// # Panics
/// If there is no such target, or the seeds cannot be written.
pub fn write_seeds_if_asked(name: &str) {
    if let Some(corpus) = std::env::var_os("RETROGRADE_SEEDS") {
        let target = target(name).unwrap_or_else(|| panic!("there is no target {name}"));
        write_seeds(target, Path::new(&corpus)).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
