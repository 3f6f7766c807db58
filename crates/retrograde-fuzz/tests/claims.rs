//! Files whose lengths, counts and offsets claim far more than there is. Their checksums are
//! correct, and they are mostly holes, so they take only a few kilobytes on disk. Readers must not
//! trust them: the test watches the memory of the process.

mod counting;

use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex};

use counting::{HELD, PEAK};
use retrograde_explore::{AnyGame, Loader, Resources, SearchLimits, SolveOptions};
use retrograde_fuzz::seal;
use retrograde_game::{Game, Index, Seat};
use retrograde_pushfight_planes::{Retention, SolveConfig, fuzzing, solve_into};
use retrograde_solve::{Checkpoint, Silent};
use retrograde_table::site::SiteIndex;
use retrograde_table::{
    ByteFile, CellWidth, CheckpointPace, Counts, DiskStorage, Expectations, FrameFormat, GameLock, Manifest,
    ReadOptions, Source, Storage, Table, TableKind, TableWriter, WorkFile, WorkIdentity, directory_name,
    seal_json,
};
use retrograde_testkit::{push_fight, some_of};

/// The most bytes that a reader may allocate for a file of a few kilobytes. Opening a board of Push
/// Fight takes some mebibytes for its numbering.
const MAX_BYTES: usize = 110 << 20;

/// Runs a reader and fails if it takes too much memory.
fn watched<T>(what: &str, run: impl FnOnce() -> T) -> T {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    let result = run();
    let took = PEAK.load(Ordering::Relaxed).saturating_sub(before);
    println!("{what}: {took} bytes");
    assert!(took < MAX_BYTES, "{what}: it took {took} bytes");
    result
}

/// A board that the fast solver can solve, and that has draws.
const BOARD: &str = "pushfight:twocolumn,pushers=1,pawns=1";

fn game(name: &str) -> Arc<AnyGame> {
    retrograde_games::registry().find(name, &Loader::none()).unwrap()
}

/// Writes parts of a file, each at its place, with holes between them.
fn write_parts(path: &Path, parts: &[(u64, &[u8])]) {
    let mut file = File::create(path).unwrap();
    for (at, bytes) in parts {
        file.seek(SeekFrom::Start(*at)).unwrap();
        file.write_all(bytes).unwrap();
    }
}

fn number(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap())
}

/// Splits a framed file into head, blocks and directory. Also returns the number of blocks.
fn frame(bytes: &[u8]) -> (&[u8], &[u8], &[u8], u64) {
    let head = 20 + u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let foot = bytes.len() - 32;
    let directory = number(bytes, foot) as usize;
    (&bytes[..head], &bytes[head..directory], &bytes[directory..foot], number(bytes, foot + 8))
}

/// Writes a framed file whose directory comes after a hole of several gigabytes.
fn write_far(path: &Path, format: FrameFormat, (head, blocks): (&[u8], &[u8]), directory: &[u8], count: u64) {
    let far = 5 << 30;
    let foot = format.foot(head, far, count, directory);
    let end = far + directory.len() as u64;
    write_parts(path, &[(0, head), (head.len() as u64, blocks), (far, directory), (end, &foot)]);
}

/// Runs all queries that read all files of a game.
fn ask(tables: &Path, name: &str) -> String {
    let game = game(name);
    let open = match game.explore(tables) {
        Ok(open) => open,
        Err(error) => return error.to_string(),
    };
    let probed = open.probe(&open.start(), Seat::First, &SearchLimits::default()).map(drop);
    let verified = open.verify(Some(0), &Resources::new(1, Some(1 << 28), &Silent));
    let statistics = open.statistics().map(|statistics| statistics.notes);
    format!("{probed:?} {verified:?} {statistics:?}")
}

fn shades_and_reachable_positions() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let options = SolveOptions { threads: 1, ..SolveOptions::default() };
    game(BOARD).solve(folder.path(), &options, &Silent).unwrap();
    game(BOARD).find_shades(folder.path(), &options, &Silent).unwrap();
    let path = folder.path().join(directory_name(BOARD)).join("shades.rgs");
    let right = fs::read(&path).unwrap();
    let (head, blocks, directory, count) = frame(&right);
    let mut long = directory.to_vec();
    long[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    write_far(&path, FrameFormat { letter: b'S', version: 1 }, (head, blocks), &long, count);
    let answer = watched("shades with a long block", || ask(folder.path(), BOARD));
    assert!(answer.contains("shades.rgs"), "{answer}");

    let folder = retrograde_testkit::tempdir().unwrap();
    let name = "touchdown:4x3";
    let reachable = SolveOptions { reachable_only: true, ..options };
    game(name).solve(folder.path(), &reachable, &Silent).unwrap();
    let format = FrameFormat { letter: b'O', version: 1 };
    let path = folder.path().join(directory_name(name)).join("reachable.rgo");
    let right = fs::read(&path).unwrap();
    let (head, blocks, directory, count) = frame(&right);
    let mut long = directory.to_vec();
    long[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
    write_far(&path, format, (head, blocks), &long, count);
    let answer = watched("a table of reachable positions with a long block", || ask(folder.path(), name));
    assert!(answer.contains("reachable.rgo"), "{answer}");

    // The directory is a hole, of a game with more positions than any disk has bytes.
    let large = "touchdown:7x7";
    let indices = game(large).about().indices.unwrap().0;
    let mut about: serde_json::Value = serde_json::from_slice(&head[16..head.len() - 4]).unwrap();
    about["game"] = large.into();
    about["index_count"] = indices.to_string().into();
    about["positions"] = (1_u64 << 40).into();
    let head = format.head(&serde_json::to_vec(&about).unwrap()).unwrap();
    let count = (1_u64 << 40) / 4096;
    let (at, length) = (head.len() as u64, count * 24);
    let zeros = vec![0; 1 << 20];
    let mut sum = 0;
    for piece in 0..length.div_ceil(zeros.len() as u64) {
        let piece = (length - piece * zeros.len() as u64).min(zeros.len() as u64) as usize;
        sum = crc32c::crc32c_append(sum, &zeros[..piece]);
    }
    let mut foot = format.foot(&head, at, count, &[]);
    foot[16..20].copy_from_slice(&sum.to_le_bytes());
    let seal = crc32c::crc32c_append(crc32c::crc32c(&head[head.len() - 4..]), &foot[..20]);
    foot[20..24].copy_from_slice(&seal.to_le_bytes());
    let directory = folder.path().join(directory_name(large));
    fs::create_dir_all(&directory).unwrap();
    write_parts(&directory.join("reachable.rgo"), &[(0, &head), (at + length, &foot)]);
    let answer = watched("a directory that is a hole", || match game(large).explore(folder.path()) {
        Ok(_) => "it was opened".to_owned(),
        Err(error) => error.to_string(),
    });
    assert!(answer.contains("reachable.rgo"), "{answer}");
}

fn losses_and_logs() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let board = push_fight(BOARD);
    let directory = folder.path().join(directory_name(&board.name()));
    fs::create_dir_all(&directory).unwrap();
    let retention = Retention { logs: true, wins: true };
    solve_into(&board, &directory, &SolveConfig::default(), retention).unwrap();
    let log = fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().path());
    let is_log = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "rgl");
    let logs: Vec<PathBuf> = log.filter(is_log).collect();
    // Each ends in a hole of four gigabytes, which is read.
    for path in some_of(5, &logs) {
        let mut log = fs::read(path).unwrap();
        if log.len() < 72 {
            continue;
        }
        log.truncate(72);
        log[60..64].copy_from_slice(&u32::MAX.to_le_bytes());
        let seed = u32::from_le_bytes(log[44..48].try_into().unwrap());
        let sum = crc32c::crc32c_append(seed, &log[48..68]);
        log[68..72].copy_from_slice(&sum.to_le_bytes());
        write_parts(path, &[(0, &log)]);
        File::options().write(true).open(path).unwrap().set_len(72 + u64::from(u32::MAX)).unwrap();
    }
    assert!(logs.len() > 3);
    watched("logs with long records", || {
        let storage: Arc<dyn Storage> = Arc::new(DiskStorage);
        drop(fuzzing::read_logs(&board, &directory, &storage));
    });
    logs.iter().for_each(|path| fs::remove_file(path).unwrap());
    for name in ["losses.rgp", "wins.rgp"] {
        let path = directory.join(name);
        let right = fs::read(&path).unwrap();
        let (head, blocks, index, count) = frame(&right);
        let first = head.len();
        let page_at = number(index, 0) as usize;
        let length = u32::from_le_bytes(right[page_at..page_at + 4].try_into().unwrap());
        let hole = u64::from(u32::MAX - length);
        // The first block ends after a hole, and everything after it moves by the length of the hole.
        let (before, after) = blocks.split_at(length as usize);
        let mut after = after.to_vec();
        let page = page_at - first - length as usize;
        after[page..page + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let mut index = index.to_vec();
        for entry in index.chunks_mut(12) {
            let moved = number(entry, 0) + hole;
            entry[..8].copy_from_slice(&moved.to_le_bytes());
        }
        let page_bytes = page_bytes(&right, page_at, &index);
        index[8..12].copy_from_slice(&crc32c::crc32c(&after[page..page + page_bytes]).to_le_bytes());
        let letter = if name == "losses.rgp" { b'P' } else { b'V' };
        let at = right.len() as u64 - 32 - index.len() as u64 + hole;
        let foot = FrameFormat { letter, version: 2 }.foot(head, at, count, &index);
        let from = first as u64 + u64::from(length);
        write_parts(
            &path,
            &[
                (0, head),
                (first as u64, before),
                (from + hole, &after),
                (at, &index),
                (at + index.len() as u64, &foot),
            ],
        );
        let answer = watched(&format!("{name} with a long block"), || ask(folder.path(), BOARD));
        assert!(answer.contains(name), "{answer}");
        fs::write(&path, right).unwrap();
    }
}

/// The size of the first page, found by its checksum.
fn page_bytes(right: &[u8], at: usize, index: &[u8]) -> usize {
    let sum = u32::from_le_bytes(index[8..12].try_into().unwrap());
    let is_page = |bytes: &usize| crc32c::crc32c(&right[at..at + bytes]) == sum;
    (8..=right.len() - at).step_by(8).find(is_page).unwrap()
}

/// A storage that records announced ranges.
#[derive(Clone, Debug, Default)]
struct Noticing(Arc<Mutex<Vec<Range<u64>>>>);

struct Noticed(Box<dyn Source>, Noticing);

impl Source for Noticed {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> std::io::Result<usize> {
        self.0.read_at(buffer, offset)
    }
    fn length(&self) -> std::io::Result<u64> {
        self.0.length()
    }
    fn needs_prepare(&self) -> bool {
        true
    }
    fn prepare(&self, ranges: &[Range<u64>]) -> std::io::Result<()> {
        self.1.0.lock().unwrap().extend_from_slice(ranges);
        Ok(())
    }
}

impl Storage for Noticing {
    fn open(&self, path: &Path) -> std::io::Result<Box<dyn Source>> {
        Ok(Box::new(Noticed(DiskStorage.open(path)?, self.clone())))
    }
    fn names(&self, path: &Path) -> std::io::Result<Vec<String>> {
        DiskStorage.names(path)
    }
}

fn tables() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let manifest =
        Manifest { block_bytes: 512, ..Manifest::new("nim:3", 1, 1, TableKind::Full, CellWidth::Byte, 4000) };
    let mut writer = TableWriter::create(folder.path(), manifest).unwrap();
    let scores: Vec<u8> = (0..4000_u32).map(|index| (index * index / 7 % 90) as u8 * 2).collect();
    writer.write_scores(&scores).unwrap();
    writer.set_counts(Counts::of_scores(&scores));
    let mut manifest = writer.finish().unwrap();
    let directory = folder.path().join(directory_name("nim:3"));
    let mut values = fs::read(directory.join("values.rgt")).unwrap();
    let header: [u8; 60] = values[..60].try_into().unwrap();
    // The first entry of the only page.
    let page = values.len() - 40 - (12 + 8 * 8);
    values[page + 8..page + 12].copy_from_slice(&u32::MAX.to_le_bytes());
    manifest.values.seal = seal::values(&mut values, &header, 8).unwrap();
    manifest.values.blake3 = blake3::hash(&values).to_string();
    fs::write(directory.join("values.rgt"), &values).unwrap();
    fs::write(directory.join("manifest.json"), seal_json(&manifest).unwrap()).unwrap();
    let storage = Noticing::default();
    let options = ReadOptions { storage: Arc::new(storage.clone()), ..ReadOptions::default() };
    let expected = Expectations { rules_version: 1, index_version: 1, index_count: 4000 };
    let table = Table::open_with(folder.path(), "nim:3", expected, &options).unwrap();
    let answer =
        watched("a table with a long block", || table.prepare(&[Index(0), Index(3000)]).unwrap_err());
    assert!(answer.to_string().contains("block 0"), "{answer}");
    assert!(table.get(Index(0)).is_err());
    let announced: u64 = storage.0.lock().unwrap().iter().map(|range| range.end - range.start).sum();
    assert!(announced < 4096, "{announced} bytes were announced");
}

fn work_files() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let lock = GameLock::acquire(folder.path(), "nim:3").unwrap();
    let identity = WorkIdentity { rules_version: 1, index_version: 1, solver: "a solver".to_owned() };
    let mut work = WorkFile::new(&lock, &identity, CheckpointPace::default(), Arc::new(DiskStorage));
    work.save(1, &[b"state"]).unwrap();
    let saved = fs::read(work.path()).unwrap();
    let head = 16 + u32::from_le_bytes(saved[12..16].try_into().unwrap()) as usize;
    for (length, file) in [((1_u32 << 31) - 1, 1_u64 << 40), (1 << 24, 1 << 40), (u32::MAX, 6 << 30)] {
        let mut bytes = saved[..head + 8].to_vec();
        bytes[head + 4..].copy_from_slice(&length.to_le_bytes());
        write_parts(work.path(), &[(0, &bytes)]);
        File::options().write(true).open(work.path()).unwrap().set_len(file).unwrap();
        let loaded = watched("a work file that is a hole", || work.load().unwrap());
        assert!(loaded.is_none() && work.warning().is_some());
    }
}

fn foreign_files() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let path = folder.path().join("values.bin.xz");
    let right = retrograde_fuzz::xz_of(&[7; 3000]);
    // An index of a quarter of a gigabyte that is one hole.
    let index = 1_u64 << 28;
    let mut foot = [0; 12];
    foot[4..8].copy_from_slice(&(index as u32 / 4 - 1).to_le_bytes());
    foot[8..10].copy_from_slice(&right[6..8]);
    foot[10..].copy_from_slice(b"YZ");
    let sum = crc32fast::hash(&foot[4..10]);
    foot[..4].copy_from_slice(&sum.to_le_bytes());
    write_parts(&path, &[(0, &right[..12]), (12 + index, &foot)]);
    let opened = watched("an index that is a hole", || ByteFile::open(&DiskStorage, &path, 3000));
    assert!(opened.is_err());
    // A dictionary of 1.5 GB for blocks of a kilobyte.
    let mut large = right.clone();
    let size = (usize::from(large[12]) + 1) * 4;
    let filter = 12 + large[12..12 + size].windows(2).position(|pair| pair == [0x21, 1]).unwrap();
    large[filter + 2] = 37;
    let sum = crc32fast::hash(&large[12..12 + size - 4]);
    large[12 + size - 4..12 + size].copy_from_slice(&sum.to_le_bytes());
    fs::write(&path, &large).unwrap();
    let file = ByteFile::open(&DiskStorage, &path, 3000).unwrap().unwrap();
    assert!(watched("a large dictionary", || file.at(0)).is_err());
}

fn sites() {
    let digest = "0".repeat(64);
    let site = |file: serde_json::Value, summary: serde_json::Value| {
        let text = seal_json(&serde_json::json!({
            "format": 1, "program": "0.1.0", "module": "a.wasm",
            "games": [{
                "game": "nim:3", "board": null, "folder": "tables/nim", "files": [file], "puzzles": null,
                "summary": summary,
            }],
        }))
        .unwrap();
        watched("the index of a site", || SiteIndex::read(text.as_bytes(), Path::new("site.json")))
    };
    let whole = serde_json::json!({"name": "values.rgt", "bytes": 9000, "piece": null, "digest": digest});
    site(whole.clone(), serde_json::Value::Null).unwrap();
    for piece in [1, 100, 4095] {
        let mut crumbs = whole.clone();
        crumbs["piece"] = piece.into();
        let answer = site(crumbs, serde_json::Value::Null).unwrap_err();
        assert!(answer.to_string().contains("pieces of"), "{answer}");
    }
    let objects = vec![serde_json::json!({}); 200_000];
    let answer = site(whole, objects.into()).unwrap_err();
    assert!(answer.to_string().contains("objects"), "{answer}");
}

#[test]
fn claims_in_files_are_never_trusted() {
    tables();
    work_files();
    foreign_files();
    sites();
    shades_and_reachable_positions();
    losses_and_logs();
}
