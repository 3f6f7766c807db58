//! Tests of faults: damaged, foreign, wrong and oversized tables, stopped solves, and malformed texts. Each
//! gives a clear error, never a wrong value.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::{Graph, LIMITS, Strip, evaluate, options};
use retrograde_explore::{
    AnyGame, Entry, Error, Family, Loader, Method, Registry, Resources, SolveOptions, SolveResult,
};
use retrograde_game::{Score, Seat, Turns, Value};
use retrograde_solve::{Progress, Silent};
use retrograde_table::{CellWidth, Counts, Manifest, TableKind, TableWriter};
use retrograde_testkit::tempdir;

fn strip(cells: u32) -> Arc<AnyGame> {
    Strip::fill(Entry::new(Strip(cells), "A strip.").layered()).graded_reachable().build()
}

fn files(directory: &Path) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Writes a table of a strip with these scores, right or wrong.
fn write(tables: &Path, cells: u32, scores: &[u8]) {
    let manifest =
        Manifest::new(format!("strip:{cells}"), 1, 1, TableKind::Full, CellWidth::Byte, scores.len() as u64);
    let mut writer = TableWriter::create(tables, manifest).unwrap();
    writer.write_scores(scores).unwrap();
    writer.set_counts(Counts::of_scores(scores));
    writer.finish().unwrap();
}

fn scores(cells: u32) -> Vec<u8> {
    let values = evaluate(&Strip(cells), 0..1 << cells);
    (0..1_u64 << cells).map(|position| u8::from_value(values[&position]).unwrap()).collect()
}

#[test]
fn a_full_check_detects_any_wrong_value() {
    let right = scores(6);
    let entry = strip(6);
    let wrong = [Value::Loss(Turns(0)), Value::Draw, Value::Win(Turns(1)), Value::Loss(Turns(2))];
    let wrong = wrong.map(|value| u8::from_value(value).unwrap()).into_iter().chain([u8::NONE, u8::UNKNOWN]);
    for code in wrong {
        for at in (0..right.len()).step_by(7) {
            let tables = tempdir().unwrap();
            let mut scores = right.clone();
            scores[at] = code;
            write(tables.path(), 6, &scores);
            let verification = entry
                .explore(tables.path())
                .unwrap()
                .verify(None, &Resources::new(2, None, &Silent))
                .unwrap();
            assert_eq!(verification.errors.is_empty(), scores == right, "{code} at {at}: {verification:?}");
            assert_eq!(verification.proved, scores == right);
            assert_eq!(verification.error_count.0, verification.errors.len() as u128);
        }
    }
}

#[test]
fn two_consistent_wrong_values_are_detected() {
    // Wins and losses are swapped everywhere: every turn is consistent, but the ends are not.
    let scores: Vec<u8> = scores(6).into_iter().map(|score| u8::MAX - score).collect();
    let tables = tempdir().unwrap();
    write(tables.path(), 6, &scores);
    let verification =
        strip(6).explore(tables.path()).unwrap().verify(None, &Resources::new(1, None, &Silent)).unwrap();
    assert!(verification.error_count.0 > 0 && !verification.proved);
}

#[test]
fn damaged_files_give_errors_that_name_them() {
    for reachable_only in [false, true] {
        let options = SolveOptions { reachable_only, ..options() };
        let entry = strip(12);
        let clean = tempdir().unwrap();
        entry.solve(clean.path(), &options, &Silent).unwrap();
        let directory = files(clean.path()).remove(0);
        // The time in `run.json` is not a value: if it is damaged, there is a note.
        let has_values =
            |file: &PathBuf| !file.ends_with("run.json") && fs::metadata(file).unwrap().len() > 0;
        let names: Vec<PathBuf> = files(&directory).into_iter().filter(has_values).collect();
        assert_eq!(names.len(), if reachable_only { 1 } else { 2 }, "{names:?}");
        for file in &names {
            let whole = fs::read(file).unwrap();
            let mut changes: Vec<Vec<u8>> =
                (0..whole.len()).step_by(97).map(|cut| whole[..cut].to_vec()).collect();
            for at in (0..whole.len()).step_by(61) {
                let mut bytes = whole.clone();
                bytes[at] ^= 0x10;
                changes.push(bytes);
            }
            for bytes in changes {
                fs::write(file, bytes).unwrap();
                let noticed = match entry.explore(clean.path()) {
                    Err(error) => error.to_string().contains(&*directory.to_string_lossy()),
                    Ok(explore) => {
                        let verification = explore.verify(None, &Resources::new(1, None, &Silent)).unwrap();
                        verification.error_count.0 > 0 && !verification.proved
                    }
                };
                assert!(noticed, "{} {reachable_only}", file.display());
            }
            fs::write(file, whole).unwrap();
        }
        assert!(
            entry
                .explore(clean.path())
                .unwrap()
                .verify(None, &Resources::new(1, None, &Silent))
                .unwrap()
                .proved
        );
    }
}

#[test]
fn a_damaged_table_is_solved_again() {
    let tables = tempdir().unwrap();
    let entry = strip(8);
    let statistics = entry.solve(tables.path(), &options(), &Silent).unwrap();
    for file in files(&files(tables.path())[0]) {
        fs::write(file, b"gone").unwrap();
    }
    assert!(entry.explore(tables.path()).is_err());
    let again = SolveOptions { again: true, ..options() };
    let solved = entry.solve(tables.path(), &again, &Silent).unwrap();
    assert_eq!((solved.wins, solved.start), (statistics.wins, statistics.start));
    assert!(
        entry.explore(tables.path()).unwrap().verify(None, &Resources::new(2, None, &Silent)).unwrap().proved
    );
}

/// A solve leaves only what it was asked for: a table of all positions would be opened before one of reachable
/// positions, even if it is damaged or knows less.
#[test]
fn a_solve_replaces_a_table_of_another_kind() {
    let tables = tempdir().unwrap();
    let entry = strip(10);
    let all = options();
    let reachable = SolveOptions { reachable_only: true, ..options() };
    let kinds = || {
        let names = files(&files(tables.path())[0]);
        ["manifest.json", "reachable.rgo"].map(|name| names.iter().any(|file| file.ends_with(name)))
    };
    let value = || {
        let explore = entry.explore(tables.path()).unwrap();
        explore.statistics().unwrap().start.turns
    };
    let outcomes = SolveOptions { outcome_only: true, ..options() };
    entry.solve(tables.path(), &outcomes, &Silent).unwrap();
    assert_eq!((kinds(), value()), ([true, false], None));
    let solved = entry.solve(tables.path(), &reachable, &Silent).unwrap();
    assert_eq!(solved.result, Some(SolveResult::Solved));
    assert!(kinds() == [false, true] && value() == solved.start.turns && solved.start.turns.is_some());
    // A table of reachable positions does not have all positions.
    let solved = entry.solve(tables.path(), &all, &Silent).unwrap();
    assert_eq!((solved.result, kinds()), (Some(SolveResult::Solved), [true, false]));
    // But all positions include the reachable ones.
    let solved = entry.solve(tables.path(), &reachable, &Silent).unwrap();
    assert_eq!((solved.result, kinds()), (Some(SolveResult::AlreadySolved), [true, false]));
}

/// Stops at the `n`th check.
struct StopAt(AtomicU64);

impl Progress for StopAt {
    fn stage(&self, _: &str, _: u64) {}
    fn advance(&self, _: u64) {}
    fn stopped(&self) -> bool {
        self.0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(1)))
            .unwrap()
            == 0
    }
}

#[test]
fn a_stopped_solve_leaves_no_table_and_resumes_later() {
    let tables = tempdir().unwrap();
    let entry = Entry::new(Graph::random(5, 400, false), "").predecessors().build();
    let mut stops = 0;
    for asked in 0.. {
        match entry.solve(tables.path(), &options(), &StopAt(AtomicU64::new(asked))) {
            Err(Error::Stopped) => stops += 1,
            Err(error) => panic!("{error}"),
            Ok(_) => break,
        }
        assert!(!entry.explore(tables.path()).unwrap().has_table());
    }
    assert!(stops > 0);
    let explore = entry.explore(tables.path()).unwrap();
    assert!(explore.verify(None, &Resources::new(2, None, &Silent)).unwrap().proved);
    let stopped = StopAt(AtomicU64::new(0));
    assert!(matches!(explore.verify(None, &Resources::new(2, None, &stopped)), Err(Error::Stopped)));
}

#[test]
fn oversized_solves_are_rejected_before_anything_is_allocated() {
    let tables = tempdir().unwrap();
    let small = SolveOptions { memory: Some(1000), ..options() };
    let entry = Strip::fill(Entry::new(Strip(34), "")).build();
    let plan = entry.plan(&small);
    assert!(!plan.fits && plan.memory.0 >= 1 << 31, "{plan:?}");
    let error = entry.solve(tables.path(), &small, &Silent).unwrap_err();
    assert!(matches!(&error, Error::TooLarge(text) if text.contains("No table fits")), "{error}");
    assert_eq!(files(tables.path()).len(), 0);

    let huge = Entry::new(Strip(62), "").layered().build();
    assert!(!huge.plan(&SolveOptions { memory: Some(u64::MAX), ..options() }).fits);
    // A game that is too large as a whole is solved from the start. Beyond the memory limit it is solved in
    // files, which stay when the solve is stopped.
    let reachable = Entry::new(Strip(40), "").layered().graded_reachable().build();
    let little = SolveOptions { memory: Some(1 << 20), ..options() };
    assert_eq!(reachable.plan(&little).method, Method::Reachable);
    let patient = StopAt(AtomicU64::new(100));
    assert!(matches!(reachable.solve(tables.path(), &little, &patient), Err(Error::Stopped)));
    let work = tables.path().join(retrograde_table::directory_name("strip:40")).join("work");
    assert!(std::fs::read_dir(&work).unwrap().count() > 10, "{work:?}");
    // The default limit is this machine's memory.
    assert!(strip(8).plan(&SolveOptions { memory: None, ..options() }).fits);
}

#[test]
fn unparsable_texts_are_rejected_with_a_reason() {
    let tables = tempdir().unwrap();
    let entry = strip(4);
    let explore = entry.explore(tables.path()).unwrap();
    for error in [
        explore.probe("XX", Seat::First, &LIMITS).unwrap_err(),
        explore.value("X?__", &LIMITS).unwrap_err(),
        explore.play("X___", "a").unwrap_err(),
        explore.position("16", None).unwrap_err(),
        explore.position("-1", None).unwrap_err(),
        explore.position("99999999999999999999999999999999999999999999", None).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Text(_)), "{error}");
    }
    let turns = ["a".to_owned(), "a".to_owned()];
    for error in [
        explore.annotate("____", Seat::First, &turns, &LIMITS).unwrap_err(),
        explore.scenes("____", Seat::First, &turns).unwrap_err(),
    ] {
        assert!(matches!(error, Error::Turn { number: 2, .. }), "{error}");
    }
    let error = explore.index("____", Some("24-bit")).unwrap_err().to_string();
    assert!(error.contains("no numbering called `24-bit`"), "{error}");
}

#[test]
fn a_registry_finds_games_by_name() {
    let registry = Registry::new().with(Family::new("strip", "Strips.", |mut spec, _| {
        let cells = spec.take_number("cells", 1..=40)?.unwrap_or(4);
        spec.finish(&["cells"])?;
        Ok(strip(cells))
    }));
    let found = registry.find("strip,cells=5", &Loader::none()).unwrap().about();
    assert_eq!((found.game.as_str(), found.positions.0, found.start.as_str()), ("strip:5", 32, "_____"));
    assert!(registry.find("strip,cells=50", &Loader::none()).is_err());
    let error = registry.find("stirp", &Loader::none()).err().unwrap().to_string();
    assert!(error.contains("did you mean `strip`"), "{error}");
}
