//! Lets every file system call fail once, for each way to solve and to query, as SQLite tests its files.
//!
//! For n = 0, 1, 2, … the n-th call fails, until there is no n-th call. After each fault, either an error
//! names the file, or the command succeeds in spite of it. The remaining files contain right values, or
//! there is no table. And the same command, repeated without a fault, leaves the same bytes as an
//! undisturbed one.
//!
//! The loops use small boards, and a share of the calls that changes from run to run. With
//! `RETROGRADE_TESTS=full`, they try every kind of fault at every call, also of larger boards.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::path::Path;
use std::sync::Arc;

use retrograde_cluster::{Hosts, JoinOptions, Key};
use retrograde_explore::{AnyGame, Error, Loader, OpenGame, Resources, SearchLimits, SolveOptions};
use retrograde_game::Seat;
use retrograde_pushfight_planes::{Retention, SolveConfig, solve_into};
use retrograde_solve::Silent;
use retrograde_table::testing::{Fault, FaultyStorage};
use retrograde_table::{DiskStorage, Storage, directory_name};
use retrograde_testkit::{TempDir, all_cases, files, push_fight, some_of, tempdir, write_files};

fn game(name: &str) -> Arc<AnyGame> {
    retrograde_games::registry().find(name, &Loader::none()).unwrap()
}

fn options(storage: &Arc<dyn Storage>) -> SolveOptions {
    SolveOptions { threads: 2, memory: Some(1 << 30), storage: storage.clone(), ..SolveOptions::default() }
}

/// A command, and the files that it finds.
struct Scenario<'a> {
    name: &'a str,
    game: &'a str,
    /// Creates the files that exist beforehand.
    prepare: &'a dyn Fn(&Path),
    run: &'a Run<'a>,
}

/// Runs the command with the given file system.
type Run<'a> = dyn Fn(&Path, &Arc<dyn Storage>) -> Result<(), String> + 'a;

/// Everything in the directory of a game except times.
fn content(tables: &Path, name: &str) -> BTreeMap<String, Vec<u8>> {
    let mut content = BTreeMap::new();
    let directory = tables.join(directory_name(name));
    if directory.is_dir() {
        content = files(&directory);
    }
    let differs = ["lock", "run.json", "times.json", "cluster.log"];
    content.retain(|name, _| !differs.contains(&name.rsplit('/').next().unwrap()));
    if content.contains_key("reachable.rgo") {
        let game = game(name);
        let mut rows = String::new();
        let explore = game.explore(tables).unwrap();
        explore
            .rows(&mut |row| {
                rows.push_str(&format!("{} {:?}\n", row.index, row.knowledge));
                Ok(true)
            })
            .unwrap();
        content.insert("reachable.rgo".to_owned(), rows.into_bytes());
    }
    content
}

/// The statistics of the table, after verifying its values; `None` if there is no table.
fn proved(tables: &Path, name: &str) -> Result<Option<serde_json::Value>, Error> {
    let game = game(name);
    let explore = game.explore(tables)?;
    if !explore.has_table() {
        return Ok(None);
    }
    // Everything is read, but even small boards have too many values to derive each of them after every
    // fault.
    let sample = if all_cases() { None } else { Some(200) };
    let verification = explore.verify(sample, &Resources::new(1, None, &Silent))?;
    assert!(verification.error_count.0 == 0, "a wrong value: {verification:?}");
    let mut statistics = serde_json::to_value(explore.statistics()?).unwrap();
    without_times(&mut statistics);
    Ok(Some(statistics))
}

/// Removes fields that differ from one solve to the next: the duration, and notes about files.
fn without_times(value: &mut serde_json::Value) {
    match value {
        serde_json::Value::Object(fields) => {
            fields.retain(|name, _| !["seconds", "notes", "blocks", "bytes"].contains(&name.as_str()));
            fields.values_mut().for_each(without_times);
        }
        serde_json::Value::Array(values) => values.iter_mut().for_each(without_times),
        _ => {}
    }
}

/// A copy of the files that a scenario starts with.
fn copied(prepared: &Path) -> TempDir {
    let copy = tempdir().unwrap();
    write_files(copy.path(), &files(prepared));
    copy
}

/// Lets one call after the other of a scenario fail, until there are no more; in short runs, one of every `share`.
/// Returns the number of faults.
fn every_call(scenario: &Scenario<'_>, fault: fn(u64) -> Fault, share: usize) -> u64 {
    let Scenario { name, game, prepare, run } = scenario;
    let disk: Arc<dyn Storage> = Arc::new(DiskStorage);
    let prepared = tempdir().unwrap();
    prepare(prepared.path());
    let undisturbed = copied(prepared.path());
    let before = proved(undisturbed.path(), game).unwrap();
    run(undisturbed.path(), &disk).unwrap();
    let right = content(undisturbed.path(), game);
    let solved = proved(undisturbed.path(), game).unwrap();
    assert!(!right.is_empty() && solved.is_some(), "{name}: no files were written");
    let mut faults = 0;
    for number in some_of(share, 0..) {
        let tables = copied(prepared.path());
        let storage = FaultyStorage::new(fault(number));
        let ended = run(tables.path(), &(Arc::new(storage.clone()) as Arc<dyn Storage>));
        let Some(fired) = storage.fired() else {
            assert!(ended.is_ok() && content(tables.path(), game) == right, "{name}: {ended:?}");
            assert!(faults > 0 || storage.calls() < share as u64, "{name}: no faults");
            return faults;
        };
        let what = format!("{name}, {:?}, {fired}: {ended:?}", fault(number));
        faults += 1;
        if let Err(error) = &ended {
            assert!(error.contains(&*tables.path().to_string_lossy()), "no file is named: {what}");
        }
        match proved(tables.path(), game) {
            Ok(None) => assert!(ended.is_err() && before.is_none(), "the table is lost: {what}"),
            Ok(left) => {
                let expected = left == solved || ended.is_err() && left == before;
                assert!(expected, "a wrong table is left: {what}");
            }
            Err(error) => panic!("the remaining files cannot be opened: {what}: {error}"),
        }
        run(tables.path(), &disk).unwrap_or_else(|error| panic!("solving again fails: {what}: {error}"));
        let again = content(tables.path(), game);
        for file in again.keys().chain(right.keys()) {
            assert!(again.get(file) == right.get(file), "{file} differs afterwards: {what}");
        }
    }
    faults
}

/// Tries every kind of fault at every call. In short runs, the rarer kinds are tried more rarely.
fn all_faults(scenario: &Scenario<'_>) {
    let once = every_call(scenario, Fault::Once, 3);
    let forever = every_call(scenario, Fault::Forever, 15);
    let full = every_call(scenario, Fault::Full, 15);
    let disk = tempdir().unwrap();
    (scenario.prepare)(disk.path());
    let short = FaultyStorage::new(Fault::Short(97));
    (scenario.run)(disk.path(), &(Arc::new(short.clone()) as Arc<dyn Storage>)).unwrap();
    assert!(proved(disk.path(), scenario.game).unwrap().is_some());
    println!(
        "{}: {once} calls failed once, {forever} for ever, {full} were full; {} short",
        scenario.name,
        short.calls()
    );
}

fn nothing(_: &Path) {}

/// Solves a game by the method chosen for it.
fn solve(
    name: &str,
    with: fn(&mut SolveOptions),
    tables: &Path,
    storage: &Arc<dyn Storage>,
) -> Result<(), String> {
    let mut options = options(storage);
    with(&mut options);
    game(name).solve(tables, &options, &Silent).map(|_| ()).map_err(|error| error.to_string())
}

fn table_of(name: &str, with: fn(&mut SolveOptions)) {
    let run = |tables: &Path, storage: &Arc<dyn Storage>| solve(name, with, tables, storage);
    all_faults(&Scenario { name, game: name, prepare: &nothing, run: &run });
    // Over an existing table: the old table stays, or the new one has the same values.
    let disk: Arc<dyn Storage> = Arc::new(DiskStorage);
    let prepare = |tables: &Path| run(tables, &disk).unwrap();
    let run = |tables: &Path, storage: &Arc<dyn Storage>| {
        let mut options = options(storage);
        with(&mut options);
        options.again = true;
        game(name).solve(tables, &options, &Silent).map(|_| ()).map_err(|error| error.to_string())
    };
    let replaced = format!("{name}, again");
    let scenario = Scenario { name: &replaced, game: name, prepare: &prepare, run: &run };
    let faults = every_call_over_a_table(&scenario);
    println!("{replaced}: {faults} calls failed");
}

/// Like [`every_call`], but with a table before and after. Its file may have either name.
fn every_call_over_a_table(scenario: &Scenario<'_>) -> u64 {
    let mut faults = 0;
    let prepared = tempdir().unwrap();
    (scenario.prepare)(prepared.path());
    let before = proved(prepared.path(), scenario.game).unwrap();
    assert!(before.is_some());
    for number in some_of(3, 0..) {
        let tables = copied(prepared.path());
        let storage = FaultyStorage::new(Fault::Once(number));
        let ended = (scenario.run)(tables.path(), &(Arc::new(storage.clone()) as Arc<dyn Storage>));
        let Some(fired) = storage.fired() else {
            assert!(ended.is_ok(), "{ended:?}");
            return faults;
        };
        faults += 1;
        let left = proved(tables.path(), scenario.game);
        assert!(
            left.as_ref().is_ok_and(|left| *left == before),
            "{}: {fired}: {ended:?}, {left:?}",
            scenario.name
        );
        (scenario.run)(tables.path(), &(Arc::new(DiskStorage) as Arc<dyn Storage>)).unwrap();
        assert_eq!(proved(tables.path(), scenario.game).unwrap(), before);
    }
    faults
}

#[test]
fn dense_tables() {
    table_of("touchdown:3x3", |_| ());
    table_of("tactics:3x3", |options| options.outcome_only = true);
    if all_cases() {
        table_of("touchdown:4x4", |_| ());
        table_of("tactics:4x4", |_| ());
    }
}

#[test]
fn sparse_tables() {
    table_of("touchdown:4x3", |options| options.reachable_only = true);
}

const BOARD: &str = "pushfight:mini,pushers=1,pawns=1";

/// Solves a board by phases, with a log.
fn solve_phases(
    name: &str,
    parts: usize,
    retention: Retention,
    tables: &Path,
    storage: &Arc<dyn Storage>,
) -> Result<(), String> {
    let directory = tables.join(directory_name(name));
    storage.create_directory(&directory).map_err(|error| format!("{}: {error}", directory.display()))?;
    let config = SolveConfig { storage: storage.clone(), parts, ..SolveConfig::default() };
    let solved = solve_into(&push_fight(name), &directory, &config, retention);
    solved.map(|_| ()).map_err(|error| error.to_string())
}

#[test]
fn planes_with_a_log() {
    let retention = Retention { logs: false, wins: true };
    let run = |tables: &Path, storage: &Arc<dyn Storage>| solve_phases(BOARD, 1, retention, tables, storage);
    all_faults(&Scenario { name: "planes with a log", game: BOARD, prepare: &nothing, run: &run });
}

#[test]
fn planes_in_parts() {
    // It takes a minute.
    if !all_cases() {
        return;
    }
    let run = |tables: &Path, storage: &Arc<dyn Storage>| {
        solve_phases(BOARD, 3, Retention::default(), tables, storage)
    };
    all_faults(&Scenario { name: "planes in parts", game: BOARD, prepare: &nothing, run: &run });
}

/// Wins are added to an existing solution without them.
#[test]
fn wins_that_are_added() {
    let disk: Arc<dyn Storage> = Arc::new(DiskStorage);
    let prepare = |tables: &Path| solve_phases(BOARD, 1, Retention::default(), tables, &disk).unwrap();
    let retention = Retention { logs: false, wins: true };
    let run = |tables: &Path, storage: &Arc<dyn Storage>| solve_phases(BOARD, 1, retention, tables, storage);
    all_faults(&Scenario { name: "wins that are added", game: BOARD, prepare: &prepare, run: &run });
}

/// The counts of implausible positions are a file next to the solution.
#[test]
fn statistics_of_all_positions() {
    let disk: Arc<dyn Storage> = Arc::new(DiskStorage);
    let prepare = |tables: &Path| solve_phases(BOARD, 1, Retention::default(), tables, &disk).unwrap();
    let run = |tables: &Path, storage: &Arc<dyn Storage>| {
        let explore = game(BOARD).explore_in(storage.clone(), tables).map_err(|error| error.to_string())?;
        explore.count_all(&options(storage), &Silent).map_err(|error| error.to_string())
    };
    all_faults(&Scenario { name: "stats", game: BOARD, prepare: &prepare, run: &run });
}

/// Every value, or an error that names a file.
fn read_all(game: &Arc<AnyGame>, tables: &Path, storage: &Arc<dyn Storage>, right: &[String]) -> Vec<String> {
    let mut errors = Vec::new();
    let opened: Result<OpenGame, Error> = game.explore_in(storage.clone(), tables);
    let explore = match opened {
        Ok(explore) => explore,
        Err(error) => return vec![error.to_string()],
    };
    assert!(explore.has_table(), "a table that cannot be read was taken for none");
    let limits = SearchLimits::default();
    for (number, right) in right.iter().enumerate() {
        let position = explore.position(&number.to_string(), None);
        match position.and_then(|at| explore.probe(&at.position, Seat::First, &limits)) {
            Ok(probe) => assert_eq!(&serde_json::to_string(&probe).unwrap(), right),
            Err(Error::Text(_)) => assert!(right.is_empty()),
            Err(error) => errors.push(error.to_string()),
        }
    }
    errors
}

#[test]
fn probes() {
    let disk: Arc<dyn Storage> = Arc::new(DiskStorage);
    type Solve = fn(&Path, &Arc<dyn Storage>) -> Result<(), String>;
    let tables: [(&str, Solve); 3] = [
        ("touchdown:3x3", |tables, disk| solve("touchdown:3x3", |_| (), tables, disk)),
        ("touchdown:4x3", |tables, disk| {
            solve("touchdown:4x3", |options| options.reachable_only = true, tables, disk)
        }),
        (BOARD, |tables, disk| solve_phases(BOARD, 1, Retention { logs: false, wins: true }, tables, disk)),
    ];
    for (name, solve) in tables {
        let folder = tempdir().unwrap();
        solve(folder.path(), &disk).unwrap();
        let game = game(name);
        let explore = game.explore(folder.path()).unwrap();
        let limits = SearchLimits::default();
        let count = if all_cases() { 2000 } else { 40 };
        let right: Vec<String> = (0..count)
            .map(|number: u32| {
                let position = explore.position(&number.to_string(), None);
                position.map_or_else(
                    |_| String::new(),
                    |at| {
                        let probe = explore.probe(&at.position, Seat::First, &limits).unwrap();
                        serde_json::to_string(&probe).unwrap()
                    },
                )
            })
            .collect();
        let mut faults = 0;
        for kind in [Fault::Once as fn(u64) -> Fault, Fault::Forever] {
            for number in some_of(3, 0..) {
                let storage = FaultyStorage::new(kind(number));
                let faulty: Arc<dyn Storage> = Arc::new(storage.clone());
                for error in read_all(&game, folder.path(), &faulty, &right) {
                    assert!(error.contains(&*folder.path().to_string_lossy()), "no file is named: {error}");
                }
                if storage.fired().is_none() {
                    break;
                }
                faults += 1;
            }
        }
        let short: Arc<dyn Storage> = Arc::new(FaultyStorage::new(Fault::Short(13)));
        assert!(read_all(&game, folder.path(), &short, &right).is_empty());
        assert!(faults > if all_cases() { 5 } else { 1 }, "{name}: only {faults} faults");
        println!("probes of {name}: {faults} reads failed");
    }
}

/// Two processes, which here are threads. If one fails, the other ends too.
fn solve_together(name: &str, tables: &Path, storage: &Arc<dyn Storage>) -> Result<(), String> {
    let sockets = [(); 2].map(|()| TcpListener::bind("127.0.0.1:0").unwrap());
    let lines = sockets.each_ref().map(|socket| socket.local_addr().unwrap().to_string());
    drop(sockets);
    let hosts = Hosts::parse(&lines.join("\n"), Path::new("hosts")).unwrap();
    let ended: Vec<Result<(), String>> = std::thread::scope(|scope| {
        let running: Vec<_> = (0..2)
            .map(|process| {
                let join = JoinOptions::new(hosts.clone(), process, Key::of(b"a key of a test"), 1);
                scope.spawn(move || {
                    let solved = game(name).solve_together(tables, &options(storage), &join, &Silent);
                    solved.map(|_| ()).map_err(|error| error.to_string())
                })
            })
            .collect();
        running.into_iter().map(|running| running.join().unwrap()).collect()
    });
    // The process with the fault names the file; the other one names the process.
    let here = tables.to_string_lossy();
    let errors = ended.into_iter().filter_map(Result::err);
    match errors.max_by_key(|error| error.contains(&*here)) {
        Some(error) => Err(error),
        None => Ok(()),
    }
}

#[test]
fn several_processes() {
    let name = "touchdown:3x3";
    let run = |tables: &Path, storage: &Arc<dyn Storage>| solve_together(name, tables, storage);
    let scenario = Scenario { name: "two processes", game: name, prepare: &nothing, run: &run };
    let once = every_call(&scenario, Fault::Once, 3);
    let full = every_call(&scenario, Fault::Full, 21);
    println!("two processes: {once} calls failed once, {full} were full");
    if all_cases() {
        every_call(&scenario, Fault::Forever, 1);
        let run = |tables: &Path, storage: &Arc<dyn Storage>| solve_together(BOARD, tables, storage);
        let scenario = Scenario { name: "two processes, planes", game: BOARD, prepare: &nothing, run: &run };
        every_call(&scenario, Fault::Once, 1);
    }
}
