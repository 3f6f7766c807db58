//! The files of a solved game in its directory, as queries use them. One of them has the bytes of
//! the input, the others are valid.

use std::cell::{LazyCell, RefCell};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use retrograde_explore::export::{PublishJob, PublishedPart};
use retrograde_explore::{
    AnyGame, Bounds, Error, FindQuery, Loader, OpenGame, PuzzleKind, PuzzleQuery, PuzzleTurns, Resources,
    SolveOptions,
};
use retrograde_game::{Outcome, Seat};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{Retention, SolveConfig, fuzzing, solve_into};
use retrograde_solve::Silent;
use retrograde_solve::clock::Instant;
use retrograde_table::{MemoryStorage, Storage, directory_name};
use retrograde_testkit::{TempDir, files, push_fight, tempdir, write_files};

use crate::seal;
use crate::tables::packed;
use crate::texts::limits;

/// A small board of Push Fight that the fast solver can solve.
const BOARD: &str = "pushfight:twocolumn,pushers=1,pawns=1";
/// A game in which only the reachable positions are solved.
const SPARSE: &str = "touchdown:4x3";

/// Files by their names in the directory of a game.
type Files = BTreeMap<String, Vec<u8>>;

/// The files of a directory, except locks.
fn read_files(directory: &Path) -> Files {
    files(directory).into_iter().filter(|(name, _)| !name.ends_with("lock")).collect()
}

fn found(name: &str) -> Arc<AnyGame> {
    retrograde_games::registry().find(name, &Loader::none()).expect("a game")
}

/// The files of the board from the fast solver, including logs.
fn archive() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let folder = tempdir().expect("a folder");
        let retention = Retention { logs: true, wins: true };
        solve_into(&push_fight(BOARD), folder.path(), &SolveConfig::default(), retention)
            .expect("a solution");
        read_files(folder.path())
    })
}

/// A directory of a game, whose other files stay the same from one input to the next.
struct Place {
    _folder: TempDir,
    tables: PathBuf,
    directory: PathBuf,
    game: Arc<AnyGame>,
}

impl Place {
    fn new(name: &str, files: &Files) -> Place {
        let folder = tempdir().expect("a folder");
        let tables = folder.path().to_owned();
        let directory = tables.join(directory_name(name));
        std::fs::create_dir_all(&directory).expect("a folder");
        write_files(&directory, files);
        Place { _folder: folder, tables, directory, game: found(name) }
    }

    fn put(&self, file: &str, bytes: &[u8]) {
        std::fs::write(self.directory.join(file), bytes).expect("a file for the test");
    }

    /// Opens what is there and runs all queries.
    fn ask(&self) {
        if let Ok(game) = self.game.explore(&self.tables) {
            let until = Instant::now() + Duration::from_secs(2);
            let bounds = Bounds {
                until,
                ended: None,
                looks: u64::MAX,
                turns: 100_000,
                memory: 256 << 20,
                threads: false,
            };
            let _ = bounds.within(|| -> Result<(), Error> {
                ask(&game);
                Ok(())
            });
        }
    }
}

/// Runs every kind of query on an opened table; results may be errors.
fn ask(game: &OpenGame) {
    let _ = game.statistics();
    let _ = game.count(1, &Silent);
    let start = game.start();
    let _ = game.probe(&start, Seat::First, &limits());
    let mut positions = vec![start];
    for outcome in [Outcome::Loss, Outcome::Win, Outcome::Draw] {
        for (turns, random) in [(None, None), (Some(4), None), (None, Some(1))] {
            let wanted = FindQuery { outcome, turns, random, limit: 2 };
            let mut left = 2;
            let _ = game.find(&wanted, &mut |found| {
                positions.push(found.position);
                left -= 1;
                Ok(left > 0)
            });
        }
    }
    for position in positions.iter().take(6) {
        let _ = game.probe(position, Seat::First, &limits());
        let _ = game.line(position, Seat::First, 20, &limits());
        let _ = game.index(position, None);
    }
    for index in [0, 1, 100, 500] {
        let _ = game.position(&format!("{index}"), None).and_then(|at| game.value(&at.position, &limits()));
    }
    let mut rows = 0;
    let _ = game.rows(&mut |_| {
        rows += 1;
        Ok(rows < 5000)
    });
    let wanted = PuzzleQuery { kind: PuzzleKind::Win, turns: PuzzleTurns::All, random: Some(7), limit: 2 };
    let _ = game.puzzles(&wanted, &mut |_| Ok(true));
    let room = Resources::new(1, Some(1 << 28), &Silent);
    let _ = game.verify(Some(20), &room);
}

/// Runs on the bytes as they are, and on the sealed bytes.
fn both(bytes: &[u8], seal: impl FnOnce(&mut Vec<u8>) -> Option<()>, run: impl Fn(&[u8])) {
    run(bytes);
    let mut right = bytes.to_vec();
    if seal(&mut right).is_some() && right != bytes {
        run(&right);
    }
}

/// Runs in the directory of a target, which is made once per thread.
fn in_place(target: &'static str, make: impl FnOnce() -> Place, run: impl FnOnce(&Place)) {
    thread_local! {
        static PLACES: RefCell<BTreeMap<&'static str, Rc<Place>>> = const { RefCell::new(BTreeMap::new()) };
    }
    let place = PLACES.with_borrow_mut(|all| all.entry(target).or_insert_with(|| Rc::new(make())).clone());
    run(&place);
}

/// Runs all queries while one file has the bytes of the input, as they are and sealed.
fn as_file(
    file: &'static str,
    make: impl FnOnce() -> Place,
    bytes: &[u8],
    seal: impl FnOnce(&mut Vec<u8>) -> Option<()>,
) {
    in_place(file, make, |place| {
        both(bytes, seal, |bytes| {
            place.put(file, bytes);
            place.ask();
        });
    });
}

/// The table of reachable positions.
pub fn sparse_table(bytes: &[u8]) {
    let make = || Place::new(SPARSE, &Files::new());
    as_file("reachable.rgo", make, bytes, |bytes| seal::frame(bytes, Some(24)));
}

pub fn sparse_table_seeds() -> Vec<Vec<u8>> {
    let folder = tempdir().expect("a folder");
    let options = SolveOptions { threads: 1, reachable_only: true, ..SolveOptions::default() };
    found(SPARSE).solve(folder.path(), &options, &Silent).expect("solved");
    let path = folder.path().join(directory_name(SPARSE)).join("reachable.rgo");
    let right = std::fs::read(path).expect("a file");
    // Scores of zero bytes, in a file with correct checksums.
    let mut none = replaced(&right, b"\"score_bytes\":1", b"\"score_bytes\":0");
    seal::frame(&mut none, Some(24)).expect("a file of that form");
    vec![right, none]
}

/// A table with the shades of its draws.
fn shaded() -> &'static Files {
    static FILES: OnceLock<Files> = OnceLock::new();
    FILES.get_or_init(|| {
        let (folder, game) = (tempdir().expect("a folder"), found(BOARD));
        let options = SolveOptions { threads: 1, memory: Some(1 << 28), ..SolveOptions::default() };
        game.solve(folder.path(), &options, &Silent).expect("solved");
        game.find_shades(folder.path(), &options, &Silent).expect("shades");
        read_files(&folder.path().join(directory_name(BOARD)))
    })
}

/// The shades of draws of a table.
pub fn shades(bytes: &[u8]) {
    as_file("shades.rgs", || Place::new(BOARD, shaded()), bytes, |bytes| seal::frame(bytes, Some(16)));
}

pub fn shades_seeds() -> Vec<Vec<u8>> {
    let right = shaded()["shades.rgs"].clone();
    // Codes of zero bytes, in a file with correct checksums.
    let mut none = replaced(&right, b"\"code_bytes\":1", b"\"code_bytes\":0");
    seal::frame(&mut none, Some(16)).expect("a file of that form");
    vec![right, none]
}

/// The bytes with one word replaced by another of the same length.
fn replaced(bytes: &[u8], word: &[u8], by: &[u8]) -> Vec<u8> {
    let at = bytes.windows(word.len()).position(|window| window == word).expect("the word is there");
    let mut bytes = bytes.to_vec();
    bytes[at..at + by.len()].copy_from_slice(by);
    bytes
}

/// The files of the board without logs, with or without wins.
fn solution(wins: bool) -> Files {
    let kept = archive().iter().filter(|(name, _)| !name.ends_with(".rgl") && (wins || *name != "wins.rgp"));
    kept.map(|(name, bytes)| (name.clone(), bytes.clone())).collect()
}

fn seed(files: &[&str]) -> Vec<Vec<u8>> {
    files.iter().filter_map(|&file| archive().get(file).cloned()).collect()
}

/// The losses of a solution.
pub fn losses(bytes: &[u8]) {
    as_file("losses.rgp", || Place::new(BOARD, &solution(false)), bytes, |bytes| seal::depth(bytes));
}

pub fn losses_seeds() -> Vec<Vec<u8>> {
    let mut seeds = seed(&["losses.rgp"]);
    seeds.extend(seeds.first().and_then(|losses| beyond(losses)));
    seeds
}

/// A depth file whose first block has positions with sets of squares that the board does not have:
/// the first column, with the numbers of skipped sets, consists of the highest bytes.
fn beyond(right: &[u8]) -> Option<Vec<u8>> {
    let described = u32::from_le_bytes(right.get(12..16)?.try_into().ok()?) as usize;
    // Blocks before the first one with positions are not empty, so it follows the head.
    let first = 16 + described + 4;
    let (length, stored) = (usize::from(*right.get(first)?), usize::from(*right.get(first + 1)?));
    if length != stored || length == 0 || length > 127 {
        return None;
    }
    let mut bytes = right.to_vec();
    bytes.get_mut(first + 2..first + 2 + length)?.fill(0x7f);
    seal::depth(&mut bytes)?;
    Some(bytes)
}

/// The wins of a solution.
pub fn wins(bytes: &[u8]) {
    as_file("wins.rgp", || Place::new(BOARD, &solution(true)), bytes, |bytes| seal::depth(bytes));
}

pub fn wins_seeds() -> Vec<Vec<u8>> {
    seed(&["wins.rgp"])
}

/// The small files of a solution; each of them gets the same bytes.
pub fn sidecars(bytes: &[u8]) {
    in_place(
        "sidecars",
        || Place::new(BOARD, &solution(false)),
        |place| {
            both(bytes, seal::json, |bytes| {
                for file in ["times.json", "others.json", "published-counts.json", "run.json"] {
                    place.put(file, bytes);
                }
                place.ask();
            });
        },
    );
}

pub fn sidecars_seeds() -> Vec<Vec<u8>> {
    let mut seeds = seed(&["times.json"]);
    let place = Place::new(BOARD, &solution(false));
    let game = place.game.explore(&place.tables).expect("a solution");
    let options = SolveOptions { threads: 1, ..SolveOptions::default() };
    game.count_all(&options, &Silent).expect("counted");
    seeds.extend(std::fs::read(place.directory.join("others.json")));
    seeds
}

/// The table of placements in a solution: its manifest and, from the magic on, its values.
pub fn placements(bytes: &[u8]) {
    let at = bytes.windows(4).position(|window| window == b"\x89RGT").unwrap_or(bytes.len());
    in_place(
        "placements",
        || Place::new(BOARD, &solution(false)),
        |place| {
            place.put("placements/manifest.json", &bytes[..at]);
            place.put("placements/values.rgt", &bytes[at..]);
            place.ask();
        },
    );
}

pub fn placements_seeds() -> Vec<Vec<u8>> {
    vec![seed(&["placements/manifest.json", "placements/values.rgt"]).concat()]
}

/// The log of a phase, from which an interrupted solve resumes, and a record of it as sent by
/// another process.
pub fn phase_log(bytes: &[u8]) {
    thread_local! {
        static BOARDS: LazyCell<PushFight> = const { LazyCell::new(|| push_fight(BOARD)) };
    }
    let name = match bytes.get(12) {
        Some(phase) => format!("phase-{:03}-0.rgl", phase),
        None => "phase-000-0.rgl".to_owned(),
    };
    BOARDS.with(|board| {
        fuzzing::record(board, bytes);
        both(
            bytes,
            |bytes| seal::log(bytes),
            |bytes| {
                let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new().with(name.as_str(), bytes));
                let _ = fuzzing::read_logs(board, Path::new(""), &storage);
            },
        );
    });
}

pub fn phase_log_seeds() -> Vec<Vec<u8>> {
    let logs = archive().iter().filter(|(name, bytes)| name.starts_with("phase-") && bytes.len() < 3000);
    let mut seeds: Vec<Vec<u8>> = logs.map(|(_, bytes)| bytes.clone()).take(4).collect();
    // A record that claims to be as long as all memory.
    if let Some(mut claims) = seeds.iter().find(|log| log.len() > 76).cloned() {
        claims[60..64].copy_from_slice(&u32::MAX.to_le_bytes());
        let _ = seal::log(&mut claims);
        seeds.push(claims);
    }
    seeds
}

/// The files of the first complete solution; the first byte selects one.
pub fn published(bytes: &[u8]) {
    const NAMES: [&str; 4] = ["merged.bin", "minimized.bin", "minimized.bin.xz", "merged/0.bin"];
    let Some((&which, bytes)) = bytes.split_first() else { return };
    let name = NAMES[usize::from(which) % NAMES.len()];
    in_place(
        "published",
        || Place::new(BOARD, &Files::new()),
        |place| {
            std::fs::create_dir_all(place.directory.join("merged")).expect("a folder");
            let sealed = |bytes: &mut Vec<u8>| if name.ends_with("xz") { seal::xz(bytes) } else { None };
            both(bytes, sealed, |bytes| {
                place.put(name, bytes);
                place.ask();
            });
            std::fs::remove_file(place.directory.join(name)).expect("it is there");
        },
    );
}

pub fn published_seeds() -> Vec<Vec<u8>> {
    let place = Place::new(BOARD, &solution(true));
    let game = place.game.explore(&place.tables).expect("a solution");
    let out = place.directory.join("out.bin");
    let publish = |form: &str| {
        let job = PublishJob { form, part: PublishedPart::default(), out: Some(&out) };
        game.publish(&job, &Resources::new(1, None, &Silent)).expect("exported");
        std::fs::read(&out).expect("a file")
    };
    let (minimized, merged) = (publish("minimized"), publish("merged"));
    let packed = packed(&minimized);
    [(0, merged), (1, minimized), (2, packed)]
        .into_iter()
        .map(|(which, bytes)| [&[which][..], &bytes].concat())
        .collect()
}
