//! Files of both versions are compared position by position, turned, interrupted and asked ahead.

use std::fs;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use retrograde_game::{Dense, Index};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::{Silent, SolveError};
use retrograde_table::{DiskStorage, Source, Storage};
use retrograde_testkit::{Fault, FaultyStorage};

use crate::config::SolveConfig;
use crate::files::depth::convert::{convert, convert_within};
use crate::files::depth::file::{DepthFile, DepthFileKind, Lookup};
use crate::run::{Retention, solve_into};
use crate::solution::open::Solution;
use crate::testing::{Fuse, bytes, config, game, write_version_1};

const KINDS: [DepthFileKind; 2] = [DepthFileKind::Losses, DepthFileKind::Wins];
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
    solve_into(game, directory.path(), &config(&Silent), Retention { logs: false, wins: true }).unwrap();
    directory
}

fn positions(game: &PushFight) -> impl Iterator<Item = Position> {
    (0..game.index_count() as u64).filter_map(|index| game.position(Index(index)))
}

fn file(kind: DepthFileKind, game: &PushFight, directory: &Path) -> DepthFile {
    DepthFile::open(kind, game, directory, &DiskStorage).unwrap().unwrap()
}

fn lookups(game: &PushFight, directory: &Path) -> Vec<[Lookup; 2]> {
    let files = KINDS.map(|kind| file(kind, game, directory));
    let all = positions(game).filter(|position| !position.own_pushers.is_empty());
    all.map(|position| files.each_ref().map(|file| file.lookup(game, &position).unwrap())).collect()
}

#[test]
fn version_1_has_the_same_positions_and_becomes_the_same_bytes() {
    for name in GAMES {
        let game = game(name);
        let directory = solved(&game);
        let (right, new) =
            (lookups(&game, directory.path()), KINDS.map(|kind| bytes(directory.path(), kind)));
        let found = right.iter().filter(|lookups| matches!(lookups[0], Lookup::Found(_))).count();
        assert!(found > 0 && right.iter().any(|lookups| lookups[0] == Lookup::Outside), "{name}");
        write_version_1(&game, directory.path());
        assert!(KINDS.iter().all(|&kind| file(kind, &game, directory.path()).is_by_opponent()));
        assert!(lookups(&game, directory.path()) == right, "{name}");
        // However small the windows and however many the threads, the file is the same.
        for (window, threads) in [(u64::MAX, 2), (1, 1), (3000, 3)] {
            write_version_1(&game, directory.path());
            let config = crate::SolveConfig { threads, ..config(&Silent) };
            let turned = convert_within(&game, directory.path(), &config, window).unwrap();
            assert_eq!(turned, Some(vec!["losses.rgp", "wins.rgp"]));
            assert!(KINDS.map(|kind| bytes(directory.path(), kind)) == new, "{name}, {window}");
        }
        assert!(lookups(&game, directory.path()) == right, "{name}");
        assert_eq!(convert(&game, directory.path(), &config(&Silent)).unwrap(), Some(Vec::new()));
    }
}

#[test]
fn a_solution_that_is_being_turned_is_whole_all_the_time() {
    let game = game("pushfight:x.board,pushers=2,pawns=1,moves=3");
    let directory = solved(&game);
    let path = directory.path();
    let right = lookups(&game, path);
    write_version_1(&game, path);
    let solution = Solution::open(&game, path).unwrap().unwrap();
    solution.count_implausible(&game, path, &config(&Silent)).unwrap();
    let counts = solution.implausible().unwrap().phases.clone();
    drop(solution);
    let mut mixed = 0;
    for units in (1..).step_by(40) {
        let result = convert(&game, path, &config(&Fuse::new(units)));
        assert!(lookups(&game, path) == right, "{units}");
        let by_opponent = KINDS.map(|kind| file(kind, &game, path).is_by_opponent());
        mixed += u32::from(by_opponent == [false, true]);
        let solution = Solution::open(&game, path).unwrap().unwrap();
        assert!(solution.implausible().is_some_and(|found| found.phases == counts), "{units}");
        assert!(
            fs::read_dir(path)
                .unwrap()
                .all(|entry| { !entry.unwrap().file_name().to_string_lossy().ends_with(".tmp") })
        );
        match result {
            Ok(_) => break,
            Err(SolveError::Stopped) => {}
            Err(error) => panic!("{error}"),
        }
    }
    assert!(mixed > 0);
    assert!(KINDS.iter().all(|&kind| !file(kind, &game, path).is_by_opponent()));
    assert!(convert(&game, &path.join("nowhere"), &config(&Silent)).unwrap().is_none());
}

/// The bytes of both files.
fn both(directory: &Path) -> [Vec<u8>; 2] {
    KINDS.map(|kind| bytes(directory, kind))
}

/// Every call of the file system fails while files are turned: each file is the old or the new one,
/// errors name a file, and once more without a fault leaves what an undisturbed run leaves.
#[test]
fn files_are_turned_whole_or_not_at_all_whatever_call_fails() {
    let game = game("pushfight:mini,pushers=1,pawns=1");
    let directory = solved(&game);
    let new = both(directory.path());
    write_version_1(&game, directory.path());
    let old = both(directory.path());
    for fault in [Fault::Once as fn(u64) -> Fault, Fault::Forever, Fault::Full] {
        let mut faults = 0;
        for number in 0.. {
            let tried = retrograde_testkit::tempdir().unwrap();
            for entry in fs::read_dir(directory.path()).unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_file() {
                    fs::copy(entry.path(), tried.path().join(entry.file_name())).unwrap();
                }
            }
            let storage = FaultyStorage::new(fault(number));
            let with_faults = SolveConfig { storage: Arc::new(storage.clone()), ..config(&Silent) };
            let turned = convert(&game, tried.path(), &with_faults);
            let Some(fired) = storage.fired() else {
                assert!(turned.is_ok() && both(tried.path()) == new);
                break;
            };
            faults += 1;
            if let Err(error) = &turned {
                let error = error.to_string();
                assert!(
                    error.contains(".rgp") || error.contains(&*tried.path().to_string_lossy()),
                    "{fired}: {error}"
                );
            }
            let left = both(tried.path());
            for (file, (old, new)) in left.iter().zip(old.iter().zip(&new)) {
                assert!(file == old || file == new, "{fired}: half a file is left");
            }
            assert!(turned.is_err() || left == new, "{fired}: it was not turned, and no error says so");
            convert(&game, tried.path(), &config(&Silent)).unwrap();
            assert!(both(tried.path()) == new, "{fired}: it does not recover");
        }
        println!("turning files, {:?}: {faults} faults", fault(0));
        assert!(faults > 20, "only {faults} faults");
    }
    let short = SolveConfig { storage: Arc::new(FaultyStorage::new(Fault::Short(97))), ..config(&Silent) };
    convert(&game, directory.path(), &short).unwrap();
    assert!(both(directory.path()) == new);
}

#[test]
fn damage_is_found_while_a_file_is_turned_and_the_old_one_stays() {
    let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
    let directory = solved(&game);
    write_version_1(&game, directory.path());
    let path = directory.path().join("losses.rgp");
    let mut damaged = fs::read(&path).unwrap();
    let middle = damaged.len() / 3;
    damaged[middle] ^= 1;
    fs::write(&path, &damaged).unwrap();
    let error = convert(&game, directory.path(), &config(&Silent)).unwrap_err().to_string();
    assert!(error.contains("losses.rgp"), "{error}");
    assert!(fs::read(&path).unwrap() == damaged);
    assert!(!directory.path().join("losses.rgp.tmp").exists());
}

/// The ranges of all files that were prepared (true) or read (false), in order.
type Asked = Arc<Mutex<Vec<(bool, Range<u64>)>>>;

/// The disk, with notes of what is asked for.
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
fn all_that_is_read_was_asked_for_ahead() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let directory = solved(&game);
    for version in [2, 1] {
        if version == 1 {
            write_version_1(&game, directory.path());
        }
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
            assert!(read.iter().all(|(_, range)| range.is_empty() || covers(range)), "version {version}");
            // Once more nothing is read.
            for position in &asked {
                solution.get(&game, position).unwrap();
            }
            assert!(storage.0.lock().is_empty());
        }
        assert!(some > 0);
    }
}
