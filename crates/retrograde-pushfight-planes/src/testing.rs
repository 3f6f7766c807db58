//! What several modules' tests use.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_game::GameSpec;
use retrograde_pushfight::PushFight;
use retrograde_solve::Progress;
use retrograde_table::Disk;

use crate::config::SolveConfig;
use crate::files::depth_file::DepthFileKind;

/// A game by name. There are two files: a board of 13 squares, on which five pawns may stand in 792 ways beside a pusher,
/// and one of 12 squares under any other name.
pub(crate) fn game(name: &str) -> PushFight {
    let board = match name.contains("wide.board") {
        true => "+-+ + + + + + +\n . . . . . . .\n+ + + + + + + +\n . . . # . . .\n+ + + + + + + +\n",
        false => "+-+-+-+-+\n . . . .\n+ + + + +\n . . . .\n+ + + + +\n . . . .\n+ + + + +\n",
    };
    PushFight::from_spec(GameSpec::parse(name).unwrap(), &|_| Ok(board.to_owned())).unwrap()
}

/// Two threads, no horizon, the whole board at once.
pub(crate) fn config(progress: &dyn Progress) -> SolveConfig<'_> {
    SolveConfig { threads: 2, horizon: None, progress, storage: Arc::new(Disk), parts: 1, memory: u64::MAX }
}

/// The bytes of a solution's file.
pub(crate) fn bytes(directory: &Path, kind: DepthFileKind) -> Vec<u8> {
    std::fs::read(directory.join(kind.file())).unwrap()
}

/// Stops after so many units.
pub(crate) struct Fuse(AtomicU64);

impl Fuse {
    pub(crate) fn new(units: u64) -> Fuse {
        Fuse(AtomicU64::new(units))
    }
}

impl Progress for Fuse {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, units: u64) {
        let burnt = |left: u64| Some(left.saturating_sub(units));
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, burnt);
    }
    fn stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed) == 0
    }
}
