//! Files do not depend on windows and threads, and every read is announced.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_game::{Dense, Index};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::Silent;
use retrograde_table::{DiskStorage, Source, Storage};

use crate::files::depth::kind::DepthFileKind;
use crate::files::depth::write::{DepthFileInput, unfinished, write_one};
use crate::files::log::Log;
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::run::Retention;
use crate::solution::Solution;
use crate::testing::{bytes, config, game, write_solution};

/// Boards whose symmetries leave squares, pairs of squares or nothing as they are.
const GAMES: [&str; 6] = [
    "pushfight:mini,pushers=2,pawns=1",
    "pushfight:mini,pushers=1,pawns=2,moves=1",
    "pushfight:mini,pushers=1,pawns=1,moves=unlimited",
    "pushfight:x.board,pushers=2,pawns=1,moves=3",
    "pushfight:skew.board,pushers=2,pawns=1",
    "pushfight:x.board,pushers=1,pawns=3",
];

fn solved(game: &PushFight) -> retrograde_testkit::TempDir {
    let directory = retrograde_testkit::tempdir().unwrap();
    write_solution(game, directory.path(), Retention { logs: true, wins: true });
    directory
}

#[test]
fn windows_and_threads_do_not_change_a_file() {
    for name in GAMES {
        let game = game(name);
        let directory = solved(&game);
        let path = directory.path();
        let info = Solution::open(&game, path).unwrap().unwrap().info().clone();
        let layout = Layout::new(&game, Scope::PlausibleAndStarts).unwrap();
        let log = Log::new(&game, path, &config(&Silent).storage);
        for kind in [DepthFileKind::Losses, DepthFileKind::Wins] {
            let right = bytes(path, kind);
            for (window, threads) in [(u64::MAX, 2), (1, 1), (3000, 3)] {
                let config = crate::SolveConfig { threads, ..config(&Silent) };
                let input = DepthFileInput {
                    layout: &layout,
                    log: &log,
                    directory: path,
                    info: &info,
                    config: &config,
                };
                write_one(&input, kind, window).unwrap();
                assert!(fs::read(unfinished(path, kind)).unwrap() == right, "{name}, {kind:?}, {window}");
            }
        }
    }
}

/// The ranges of all files that were prepared (true) or read (false), in order.
type Asked = Arc<Mutex<Vec<(bool, Range<u64>)>>>;

/// The disk, with a record of prepared and read ranges.
#[derive(Clone, Debug, Default)]
struct Noting(Asked);

struct NotingSource(Box<dyn Source>, Asked);

impl Source for NotingSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        self.1.lock().push((false, offset..offset + buffer.len() as u64));
        self.0.read_at(buffer, offset)
    }
    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }
    fn prepare(&self, ranges: &[Range<u64>]) -> io::Result<()> {
        self.1.lock().extend(ranges.iter().map(|range| (true, range.clone())));
        Ok(())
    }
}

impl Storage for Noting {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        let source = DiskStorage.open(path)?;
        if !path.ends_with("losses.rgp") {
            return Ok(source);
        }
        Ok(Box::new(NotingSource(source, self.0.clone())))
    }
    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        DiskStorage.names(path)
    }
}

#[test]
fn every_read_is_announced() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let directory = solved(&game);
    let mut some = 0;
    for first in (0..game.index_count() as u64 - 50).step_by(4999) {
        let storage = Noting::default();
        let files: Arc<dyn Storage> = Arc::new(storage.clone());
        let solution = Solution::open_in(&game, directory.path(), &files).unwrap().unwrap();
        let asked: Vec<Position> =
            (first..first + 50).filter_map(|index| game.position(Index(index))).collect();
        storage.0.lock().clear();
        solution.prepare(&game, &asked).unwrap();
        for position in &asked {
            solution.get(&game, position).unwrap();
        }
        let noted = std::mem::take(&mut *storage.0.lock());
        let (prepared, read): (Vec<_>, Vec<_>) = noted.into_iter().partition(|(ahead, _)| *ahead);
        some += read.len();
        let covers = |range: &Range<u64>| {
            prepared.iter().any(|(_, ahead)| ahead.start <= range.start && range.end <= ahead.end)
        };
        assert!(read.iter().all(|(_, range)| range.is_empty() || covers(range)));
        // Once more nothing is read.
        for position in &asked {
            solution.get(&game, position).unwrap();
        }
        assert!(storage.0.lock().is_empty());
    }
    assert!(some > 0);
}
