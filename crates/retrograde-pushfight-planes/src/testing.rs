//! Test helpers: small games, settings, a fuse that stops a run, the plain solver.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use parking_lot::Mutex;
use retrograde_game::{Dense, Game, Index, Knowledge, Stored, Symmetries, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::retrograde::Retrograde;
use retrograde_solve::{Job, NoCheckpoint, Progress, Scores, Silent};

use crate::config::SolveConfig;
use crate::files::depth::kind::DepthFileKind;
use crate::layout::location::positions;
use crate::layout::numbering::Layout;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::by_superblock;
use crate::run::{Retention, solve_into};

/// A game by name. There are three board files: one of 13 squares, on which a pusher leaves 792
/// arrangements for five pawns, one of 14 squares whose only symmetry is a half turn, and one of 12
/// squares for any other name.
pub(crate) fn game(name: &str) -> PushFight {
    let board = match name {
        name if name.contains("wide.board") => {
            "+-+ + + + + + +\n . . . . . . .\n+ + + + + + + +\n . . . # . . .\n+ + + + + + + +\n"
        }
        name if name.contains("skew.board") => {
            "+ +-+-+-+\n # . . .\n+ + + + +\n . . . .\n+ + + + +\n . . . .\n+ + + + +\n . . . #\n+-+-+-+ +\n"
        }
        _ => "+-+-+-+-+\n . . . .\n+ + + + +\n . . . .\n+ + + + +\n . . . .\n+ + + + +\n",
    };
    retrograde_testkit::push_fight_on(name, board)
}

/// Two threads, no horizon, the whole board at once.
pub(crate) fn config(progress: &dyn Progress) -> SolveConfig<'_> {
    SolveConfig { progress, ..SolveConfig::default() }
}

/// The same with a horizon.
pub(crate) fn config_within(progress: &dyn Progress, horizon: Option<u16>) -> SolveConfig<'_> {
    SolveConfig { horizon: horizon.map(Turns), ..config(progress) }
}

/// The scores that the plain retrograde solver finds. Many tests use the same games, so each is solved
/// once.
pub(crate) fn plain_scores(game: &PushFight) -> Arc<Scores> {
    type Solved = Mutex<BTreeMap<String, Arc<OnceLock<Arc<Scores>>>>>;
    static SOLVED: Solved = Mutex::new(BTreeMap::new());
    let scores = SOLVED.lock().entry(game.name()).or_default().clone();
    let solve = || {
        let mut nothing = NoCheckpoint;
        let (memory, horizon, progress) = (u64::MAX, None, &Silent);
        let mut job = Job { threads: 2, memory, horizon, progress, checkpoint: &mut nothing };
        Arc::new(Retrograde::new(game).predecessors().solve(&mut job).unwrap())
    };
    scores.get_or_init(solve).clone()
}

/// Writes the solution of a board into a directory, like `solve_into`. Many tests use the same boards,
/// so each is solved once.
pub(crate) fn write_solution(game: &PushFight, directory: &Path, retention: Retention) {
    type Files = BTreeMap<String, Vec<u8>>;
    static SOLVED: Mutex<BTreeMap<String, Arc<OnceLock<Files>>>> = Mutex::new(BTreeMap::new());
    let solved = SOLVED.lock().entry(game.name()).or_default().clone();
    let files = solved.get_or_init(|| {
        let directory = retrograde_testkit::tempdir().unwrap();
        solve_into(game, directory.path(), &config(&Silent), Retention { logs: true, wins: true }).unwrap();
        retrograde_testkit::files(directory.path())
    });
    let kept = |name: &str| {
        (retention.logs || !name.ends_with(".rgl")) && (retention.wins || name != DepthFileKind::Wins.file())
    };
    let mut files = files.clone();
    files.retain(|name, _| kept(name));
    retrograde_testkit::write_files(directory, &files);
}

/// The value of an index with a position.
pub(crate) fn exact_value(scores: &Scores, index: Index) -> Value {
    match scores.stored(index) {
        Stored::Known(Knowledge::Exact(value)) => value,
        other => panic!("{index}: {other:?}"),
    }
}

/// The indices of a plane's positions, ascending.
pub(crate) fn indices(game: &PushFight, layout: &Layout, plane: &[SparseCells]) -> Vec<u64> {
    let mut indices = Vec::new();
    for (superblock, cells) in by_superblock(plane) {
        positions(layout, superblock, cells, |position| indices.push(game.index(&position).unwrap().0));
    }
    indices.sort_unstable();
    indices
}

/// The next of a sequence of pseudo-random words.
pub(crate) fn random(seed: &mut u64) -> u64 {
    *seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
    let mixed = (*seed ^ *seed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    mixed ^ mixed >> 29
}

/// The bytes of a solution's file.
pub(crate) fn bytes(directory: &Path, kind: DepthFileKind) -> Vec<u8> {
    std::fs::read(directory.join(kind.file())).unwrap()
}

/// Stops after a number of units, and collects the notes.
pub(crate) struct Fuse {
    left: AtomicU64,
    pub notes: Mutex<Vec<String>>,
}

impl Fuse {
    pub(crate) fn new(units: u64) -> Fuse {
        Fuse { left: AtomicU64::new(units), notes: Mutex::default() }
    }
}

impl Progress for Fuse {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, units: u64) {
        let burnt = |left: u64| Some(left.saturating_sub(units));
        let _ = self.left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, burnt);
    }
    fn note(&self, text: &str) {
        self.notes.lock().push(text.to_owned());
    }
    fn stopped(&self) -> bool {
        self.left.load(Ordering::Relaxed) == 0
    }
}

/// The number of images of a position in a file, itself included.
pub(crate) fn images(game: &PushFight, position: &Position) -> u64 {
    let images = (0..game.symmetry_count()).map(|symmetry| game.image(symmetry, position));
    images.collect::<std::collections::HashSet<_>>().len() as u64
}
