//! Tests of the example game: it passes the conformance kit, and all solvers agree with the theory.
//! `retrograde-classics` tests the page that shows its code.

use std::process::ExitCode;
use std::time::Duration;

use retrograde_game::{Dense, Game, Index, Knowledge, Outcome, Stored, Value, conformance};
use retrograde_solve::proof::{self, Limits};
use retrograde_solve::{Job, NoCheckpoint, Silent, retrograde::Retrograde, sweep};

use super::{Chomp, registry};

const CODE: &str = include_str!("../own_game.rs");

#[test]
fn the_example_keeps_its_promises() {
    let positions = conformance::numbered(&Chomp, 1000, 1);
    assert_eq!(positions.len(), 35);
    conformance::check_game(&Chomp, &positions);
    conformance::check_dense(&Chomp, &positions);
    conformance::check_counts(&Chomp);
    conformance::check_show(&Chomp, &positions);
    assert!(CODE.lines().count() < 100, "the example must stay small");
}

#[test]
fn its_names_are_found() {
    retrograde::conformance::check_registry(&registry());
}

/// Two games with the same name are an error, before any command runs.
#[test]
fn two_games_with_the_same_name_are_rejected() {
    let twice =
        registry().with(retrograde::Family::new("Chomp", "another", |spec, _| Err(spec.error("never made"))));
    assert_eq!(retrograde::run(twice, ["chomp", "games"]), ExitCode::FAILURE);
}

#[test]
fn solvers_and_theory_agree() {
    let mut unkept = NoCheckpoint;
    let mut job =
        Job { threads: 2, memory: 1 << 20, horizon: None, progress: &Silent, checkpoint: &mut unkept };
    let plain = sweep::solve(&Chomp, &mut job).unwrap();
    let fast = Retrograde::new(&Chomp).solve(&mut job).unwrap();
    let mut losses = 0;
    for index in 0..125 {
        let Some(bar) = Chomp.position(Index(index)) else { continue };
        assert_eq!(fast.stored(Index(index)), plain.stored(Index(index)), "{bar:?}");
        let Stored::Known(Knowledge::Exact(value)) = fast.stored(Index(index)) else {
            panic!("{bar:?} is not decided");
        };
        let limits = Limits {
            nodes: 100_000,
            time: Duration::from_secs(60),
            depth: None,
            memory: 1 << 22,
            stopped: &|| false,
        };
        assert_eq!(proof::search(&Chomp, &bar, &limits).knowledge, Knowledge::Exact(value), "{bar:?}");
        // A bar of two rows is lost exactly if the upper row is one square shorter. The first
        // player wins on any bar with more than one square.
        if bar[0] == 0 && bar[2] > 0 {
            assert_eq!(value.outcome() == Outcome::Loss, bar[1] + 1 == bar[2], "{bar:?}");
        }
        losses += u32::from(matches!(value, Value::Loss(_)));
    }
    assert_eq!(losses, 7);
    let start = fast.stored(Chomp.index(&Chomp.start()).unwrap());
    assert!(matches!(start, Stored::Known(Knowledge::Exact(Value::Win(_)))), "{start:?}");
}

#[test]
fn all_commands_work_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let run = |arguments: &str| {
        let tables = ["--tables".into(), folder.path().as_os_str().to_owned()];
        let words = std::iter::once("chomp").chain(arguments.split(' ')).map(std::ffi::OsString::from);
        retrograde::run(registry(), words.chain(tables))
    };
    for arguments in [
        "games",
        "rules chomp",
        "plan chomp",
        "solve",
        "probe chomp",
        "line chomp --boards",
        "stats chomp",
        "verify chomp --full",
        "puzzles chomp",
        "find chomp --outcome loss",
        "perft chomp --depth 3",
        "index chomp 344",
        "position chomp 124",
    ] {
        assert_eq!(run(arguments), ExitCode::SUCCESS, "{arguments}");
    }
    let out = |name: &str| folder.path().join(name).display().to_string();
    for (words, name, files) in [
        ("--format csv", "rows.any", &["rows.any"][..]),
        ("--format npy", "set.any", &["set.index.npy", "set.outcome.npy", "set.turns.npy"]),
    ] {
        assert_eq!(run(&format!("export chomp {words} --out {}", out(name))), ExitCode::SUCCESS, "{words}");
        for file in files {
            assert!(folder.path().join(file).exists(), "{file}");
        }
    }
    for (words, file) in
        [("--format html", "a.html"), ("--format parquet", "a.any"), ("--format phase0", "a.bin")]
    {
        assert_eq!(run(&format!("export chomp {words} --out {}", out(file))), ExitCode::FAILURE, "{words}");
    }
    for arguments in ["probe chomp 443", "probe chomp 34x", "solve tactics", "solve chomp:3x3"] {
        assert_eq!(run(arguments), ExitCode::FAILURE, "{arguments}");
    }
}
