//! Damages every kind of file that solving writes in every way that a disk can: bytes flip, files are
//! truncated or grow. Then every command gives the same answers as before, or names the damaged file. It
//! never gives another value.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use retrograde_explore::export::{PublishJob, PublishedPart};
use retrograde_explore::{
    AnyGame, Error, Loader, Resources, SearchLimits, SolveOptions, SolveResult, Statistics,
};
use retrograde_games::registry;
use retrograde_solve::Silent;
use retrograde_solve::testing::{StopsAfter, StopsAtUnit};
use retrograde_table::directory_name;
use retrograde_testkit::{files, some_of, write_files};
use serde_json::Value as Json;

/// Too little memory for a table of a small board of Push Fight, so it is solved phase by phase.
const LITTLE: u64 = 20 << 20;
const BOARD: &str = "pushfight:mini,pushers=1,pawns=1";
const HALVES: &str = "pushfight:twocolumn,pushers=1,pawns=1";

fn subject(name: &str) -> Arc<AnyGame> {
    registry().find(name, &Loader::none()).unwrap()
}

fn options() -> SolveOptions {
    SolveOptions { threads: 1, memory: Some(1 << 28), ..SolveOptions::default() }
}

/// The same as [`options`], but with the solver for large boards.
fn large() -> SolveOptions {
    SolveOptions { memory: Some(LITTLE), ..options() }
}

type Files = BTreeMap<String, Vec<u8>>;

/// The name of a file in its folder.
fn name_of(name: &str) -> &str {
    name.rsplit('/').next().unwrap()
}

/// Restores the files of a directory.
fn restore(directory: &Path, right: &Files) {
    let there = files(directory).into_keys();
    there
        .filter(|name| !right.contains_key(name))
        .for_each(|name| fs::remove_file(directory.join(name)).unwrap());
    write_files(directory, right);
}

/// The damaged forms of a file. In a short file every byte flips; in a long one the bytes at both ends,
/// where heads and directories are, and many in between.
fn damaged_forms(right: &[u8], between: usize) -> Vec<(String, Vec<u8>)> {
    let length = right.len();
    let step = (length / between).max(1);
    let mut forms = Vec::new();
    for at in (0..length).filter(|&at| at % step == 0 || at < 64 || at + 64 > length) {
        let mut flip = |what: String, byte: u8| {
            let mut bytes = right.to_vec();
            bytes[at] = byte;
            forms.push((what, bytes));
        };
        flip(format!("bit 0 of byte {at}"), right[at] ^ 1);
        flip(format!("all bits of byte {at}"), !right[at]);
        // Another digit gives another valid number.
        if right[at].is_ascii_digit() {
            flip(format!("digit {at}"), b'0' + (right[at] - b'0' + 1) % 10);
        }
    }
    for cut in [0, 1, length / 3, length / 2, length.saturating_sub(9), length.saturating_sub(1)] {
        forms.push((format!("cut to {cut}"), right[..cut.min(length)].to_vec()));
    }
    for more in [&b"\n"[..], b"\0\0\0\0", &right[..length.min(100)]] {
        forms.push((format!("{} bytes more", more.len()), [right, more].concat()));
    }
    forms
}

/// The answers about a game: its statistics, and the values of positions.
fn answers(subject: &Arc<AnyGame>, tables: &Path) -> Result<(Statistics, Vec<String>), Error> {
    let game = subject.explore(tables)?;
    game.count(1, &Silent)?;
    let statistics = game.statistics()?;
    let limits = SearchLimits::default();
    let mut values = Vec::new();
    let count = u64::try_from(subject.about().positions.0).unwrap();
    for index in (0..count).step_by((count / 40).max(1) as usize) {
        // Some indices have no position.
        let Ok(position) = game.position(&index.to_string(), None) else { continue };
        let (verdict, _) = game.value(&position.position, &limits)?;
        values.push(format!("{} {verdict:?}", position.position));
    }
    let (start, _) = game.value(&game.start(), &limits)?;
    values.push(format!("{start:?}"));
    Ok((statistics, values))
}

/// The statistics. If a damaged file was ignored and a note names it, fills in the right times and counts of
/// all positions.
fn completed(statistics: &Statistics, file: &str, right: &Json) -> Json {
    let mut json = serde_json::to_value(statistics).unwrap();
    let fields = json.as_object_mut().unwrap();
    let notes = fields.remove("notes").map_or_else(String::new, |notes| notes.to_string());
    if !notes.contains(file) {
        return json;
    }
    if fields.get("all_positions").is_none()
        && let Some(all) = right.get("all_positions")
    {
        fields.insert("all_positions".to_owned(), all.clone());
    }
    if fields["seconds"].is_null() {
        fields.insert("seconds".to_owned(), right["seconds"].clone());
        let phases = fields.get_mut("phases").and_then(Json::as_array_mut).into_iter().flatten();
        for (phase, right) in phases.zip(right["phases"].as_array().into_iter().flatten()) {
            assert!(phase["seconds"].is_null());
            phase["seconds"] = right["seconds"].clone();
        }
    }
    json
}

/// Damages each file of a solved game in turn and sends all queries; the files in `wanted` must exist.
/// Returns the number of damaged forms and how many of them were errors.
fn damage_all(name: &str, tables: &Path, wanted: &[&str]) -> (usize, usize) {
    let subject = subject(name);
    let right = files(tables);
    let (statistics, values) = answers(&subject, tables).unwrap();
    assert!(statistics.notes.is_empty(), "{:?}", statistics.notes);
    let expected = serde_json::to_value(&statistics).unwrap();
    let present: Vec<&str> = right.keys().map(|name| name_of(name)).collect();
    for file in wanted {
        assert!(present.contains(file), "{file} is not there: {present:?}");
    }
    let (mut forms, mut errors) = (0, 0);
    for (name_below, bytes) in &right {
        let file = name_of(name_below);
        // Lock files are never read, and published files have no checksums.
        if file == "lock" || file == "minimized.bin" {
            continue;
        }
        assert!(wanted.contains(&file), "{file} is not known to this test");
        for (what, damaged) in some_of(3, damaged_forms(bytes, 200)) {
            fs::write(tables.join(name_below), &damaged).unwrap();
            forms += 1;
            match answers(&subject, tables) {
                Err(error) => {
                    errors += 1;
                    assert!(error.to_string().contains(file), "{name}, {file}, {what}: {error}");
                }
                Ok((found, found_values)) => {
                    assert_eq!(found_values, values, "{name}, {file}, {what}");
                    assert_eq!(completed(&found, file, &expected), expected, "{name}, {file}, {what}");
                }
            }
        }
        restore(tables, &right);
    }
    (forms, errors)
}

#[test]
fn a_damaged_table_never_gives_a_wrong_answer() {
    let folder = retrograde_testkit::tempdir().unwrap();
    let mut all = (0, 0);
    let outcomes = SolveOptions { outcome_only: true, ..options() };
    let reachable = SolveOptions { reachable_only: true, ..options() };
    for (number, (name, options, wanted)) in [
        ("touchdown:3x3", options(), &["manifest.json", "values.rgt", "run.json"][..]),
        ("tactics:3x3", outcomes, &["manifest.json", "values.rgt", "run.json"]),
        ("touchdown:3x3", reachable, &["reachable.rgo", "run.json"]),
        ("touchdown:4x3", options(), &["manifest.json", "values.rgt", "run.json"]),
    ]
    .into_iter()
    .enumerate()
    {
        let tables = folder.path().join(number.to_string());
        subject(name).solve(&tables, &options, &Silent).unwrap();
        let (forms, errors) = damage_all(name, &tables, wanted);
        all = (all.0 + forms, all.1 + errors);
    }
    println!("{} damaged forms, of which {} were errors", all.0, all.1);
    assert!(all.0 > 1000 && all.1 > 300, "{all:?}");
}

#[test]
fn a_damaged_solution_never_gives_a_wrong_answer() {
    let tables = retrograde_testkit::tempdir().unwrap();
    let subject = subject(BOARD);
    subject.solve(tables.path(), &SolveOptions { with_wins: true, ..large() }, &Silent).unwrap();
    subject.explore(tables.path()).unwrap().count_all(&options(), &Silent).unwrap();
    let wanted = ["losses.rgp", "wins.rgp", "times.json", "others.json", "manifest.json", "values.rgt"];
    let (forms, errors) = damage_all(BOARD, tables.path(), &wanted);
    println!("{forms} damaged forms, of which {errors} were errors");
    assert!(forms > 1000 && errors > 300, "{forms} {errors}");
}

#[test]
fn damaged_counts_of_published_files_never_give_a_wrong_answer() {
    let (ours, theirs) = (retrograde_testkit::tempdir().unwrap(), retrograde_testkit::tempdir().unwrap());
    let subject = subject(HALVES);
    subject.solve(ours.path(), &options(), &Silent).unwrap();
    let directory = theirs.path().join(directory_name(HALVES));
    fs::create_dir_all(&directory).unwrap();
    let out = directory.join("minimized.bin");
    let game = subject.explore(ours.path()).unwrap();
    let job = PublishJob { form: "minimized", part: PublishedPart::default(), out: Some(&out) };
    game.publish(&job, &Resources::new(1, None, &Silent)).unwrap();
    subject.explore(theirs.path()).unwrap().count(1, &Silent).unwrap();
    let path = directory.join("published-counts.json");
    let sealed = fs::read(&path).unwrap();
    let (right, _) = answers(&subject, theirs.path()).unwrap();
    // Each time the files are counted again, which takes a while.
    let mut forms = 0;
    for (what, damaged) in some_of(3, damaged_forms(&sealed, 200).into_iter().step_by(13)) {
        fs::write(&path, damaged).unwrap();
        let (found, _) = answers(&subject, theirs.path()).unwrap();
        assert_eq!(steady(&found), steady(&right), "{what}");
        forms += 1;
    }
    assert!(forms > 6, "{forms}");
    fs::write(&path, sealed).unwrap();
}

/// The statistics, without fields that differ from run to run.
fn steady(statistics: &Statistics) -> Json {
    let mut json = serde_json::to_value(statistics).unwrap();
    let fields = json.as_object_mut().unwrap();
    ["notes", "result", "seconds", "phases"].iter().for_each(|field| drop(fields.remove(*field)));
    json
}

#[test]
fn damaged_logs_are_named_and_computed_again() {
    let (whole, tables) = (retrograde_testkit::tempdir().unwrap(), retrograde_testkit::tempdir().unwrap());
    let subject = subject(BOARD);
    let expected = steady(&subject.solve(whole.path(), &large(), &Silent).unwrap());
    // Stops later each time, until there are many logs.
    let mut units = 0;
    let (mut forms, mut named, mut logs) = (0, 0, 0);
    loop {
        units += 20;
        match subject.solve(tables.path(), &large(), &StopsAtUnit::new(units)) {
            Err(Error::Stopped) => {}
            other => break drop(other.unwrap()),
        }
        let right = files(tables.path());
        let is_log = |name: &str| name_of(name).starts_with("phase-");
        logs = logs.max(right.keys().filter(|name| is_log(name)).count());
        for (name, bytes) in right.iter().filter(|(name, _)| is_log(name)) {
            for (what, damaged) in damaged_forms(bytes, 4).into_iter().step_by(37) {
                fs::write(tables.path().join(name), &damaged).unwrap();
                let solved = subject.solve(tables.path(), &large(), &Silent).unwrap();
                assert_eq!(steady(&solved), expected, "{what} of {name}");
                forms += 1;
                named += usize::from(solved.notes.iter().any(|note| note.contains(name_of(name))));
                restore(tables.path(), &right);
            }
        }
    }
    println!("{forms} damaged forms of up to {logs} logs, {named} of them named");
    // A truncated log is what an interrupted run leaves, so it does not count as damage.
    assert!(logs > 2 && forms > 20 && named * 2 > forms, "{logs} {forms} {named}");
}

#[test]
fn a_damaged_table_is_named_and_solved_again() {
    let little = SolveOptions { with_wins: true, ..large() };
    let reachable = SolveOptions { reachable_only: true, ..options() };
    for (name, options) in [("touchdown:3x3", options()), ("touchdown:3x3", reachable), (BOARD, little)] {
        let tables = retrograde_testkit::tempdir().unwrap();
        let subject = subject(name);
        let first = subject.solve(tables.path(), &options, &Silent).unwrap();
        assert_eq!(first.result, Some(SolveResult::Solved));
        let right = files(tables.path());
        for file in right.keys().filter(|name| name.contains(".rg")) {
            // In the middle, which no command reads when it opens the file, and near the end.
            for at in [right[file].len() / 2, right[file].len() - 12] {
                let mut damaged = right[file].clone();
                damaged[at] ^= 4;
                fs::write(tables.path().join(file), damaged).unwrap();
                // With and without wins, and with other memory limits.
                let ask = if at % 2 == 0 {
                    options.clone()
                } else {
                    SolveOptions { memory: None, ..self::options() }
                };
                let ask = if name == BOARD { ask } else { options.clone() };
                let solved = subject.solve(tables.path(), &ask, &Silent).unwrap();
                assert_eq!(solved.result, Some(SolveResult::Repaired), "{file}");
                let name = name_of(file);
                assert!(solved.notes.iter().any(|note| note.contains(name)), "{file}: {:?}", solved.notes);
                assert_eq!(steady(&solved), steady(&first));
                let now = files(tables.path());
                // The file of reachable positions contains the solving time.
                assert!(now[file] == right[file] || name == "reachable.rgo", "{file} has its bytes again");
                assert!(now.keys().eq(right.keys()), "{:?}", now.keys());
                let again = subject.solve(tables.path(), &ask, &Silent).unwrap();
                assert_eq!((again.result, &again.notes[..]), (Some(SolveResult::AlreadySolved), &[][..]));
            }
        }
    }
}

#[test]
fn leftovers_of_a_dead_writer_are_removed_and_named() {
    let tables = retrograde_testkit::tempdir().unwrap();
    let subject = subject(BOARD);
    let kept = SolveOptions { keep_work: true, ..large() };
    subject.solve(tables.path(), &kept, &Silent).unwrap();
    let directory = tables.path().join(directory_name(BOARD));
    let logs = files(tables.path()).into_keys().filter(|name| name_of(name).starts_with("phase-")).count();
    assert!(logs > 3);
    // A solve that keeps logs does not remove them. Any other solve removes logs that a killed run has left.
    let again = subject.solve(tables.path(), &kept, &Silent).unwrap();
    assert!(again.notes.is_empty(), "{:?}", again.notes);
    let unfinished = [
        "losses.rgp.tmp",
        "wins.rgp.tmp",
        "times.json.tmp",
        "others.json.tmp",
        "published-counts.json.tmp",
        "reachable.rgo.tmp",
        "values.rgt.tmp",
        "values-2.rgt.tmp",
        "manifest.json.tmp",
        "work.rgw.tmp",
        "placements/values.rgt.tmp",
        "verify/phase-002-0.rgl",
        "cluster/1-0.shard",
    ];
    for name in unfinished {
        let path = directory.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, b"the beginning of something").unwrap();
    }
    // Foreign files stay.
    fs::write(directory.join("notes.tmp"), b"mine").unwrap();
    let solved = subject.solve(tables.path(), &large(), &Silent).unwrap();
    assert_eq!(solved.result, Some(SolveResult::AlreadySolved));
    let left = files(tables.path());
    let left: Vec<&str> = left.keys().map(|name| name_of(name)).collect();
    let expected = ["lock", "losses.rgp", "notes.tmp", "lock", "manifest.json", "values.rgt", "times.json"];
    assert_eq!(left, expected);
    assert!(!directory.join("verify").exists() && !directory.join("cluster").exists());
    for name in unfinished {
        let name = name.split('/').next().unwrap();
        assert!(solved.notes.iter().any(|note| note.contains(name)), "{name}: {:?}", solved.notes);
    }
    let named =
        solved.notes.iter().filter(|note| note.contains("phase-0") || note.contains("phase-6")).count();
    assert_eq!(named, logs, "{:?}", solved.notes);

    // An interrupted count can resume, so a note reports it. A finished one is removed.
    let counting = directory.join("others");
    let begin = || {
        fs::create_dir(&counting).unwrap();
        fs::write(counting.join("others-000-0.rgl"), b"the beginning of something").unwrap();
    };
    begin();
    let solved = subject.solve(tables.path(), &large(), &Silent).unwrap();
    assert!(
        solved.notes.len() == 1 && solved.notes[0].contains("stats --all-positions"),
        "{:?}",
        solved.notes
    );
    subject.explore(tables.path()).unwrap().count_all(&options(), &Silent).unwrap();
    assert!(!counting.exists());
    begin();
    let solved = subject.solve(tables.path(), &large(), &Silent).unwrap();
    assert!(solved.notes.len() == 1 && solved.notes[0].contains("removed"), "{:?}", solved.notes);
    assert!(!counting.exists());
}

/// Work of a solve with other options stays, and only own work counts as saved.
#[test]
fn a_solve_removes_only_its_own_work() {
    let tables = retrograde_testkit::tempdir().unwrap();
    let game = subject("touchdown:4x3");
    let all = options();
    let reachable = SolveOptions { reachable_only: true, ..options() };
    let saved = |options: &SolveOptions| game.has_saved_work(tables.path(), options, None);
    assert!(!saved(&all));
    // The first interruptions come before there is anything to save.
    let mut asked = 0;
    while !saved(&all) {
        asked += 1;
        let stopped = game.solve(tables.path(), &all, &StopsAfter::new(asked));
        assert!(matches!(stopped, Err(Error::Stopped)), "nothing was saved before the end");
    }
    assert!(!saved(&reachable));
    game.solve(tables.path(), &reachable, &Silent).unwrap();
    assert!(saved(&all));
    game.solve(tables.path(), &all, &Silent).unwrap();
    assert!(!saved(&all));
}
