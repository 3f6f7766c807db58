//! Tests that archives of small boards answer like tables of all positions. Values in memory, found by
//! another solver, serve as such a table.

use std::sync::Arc;

use retrograde_explore::export::{self, Format, Selection};
use retrograde_explore::{
    AnyGame, FindQuery, ListPage, Loader, OpenGame, PuzzleKind, SearchLimits, SolveOptions, StoreKind,
};
use retrograde_game::{Knowledge, Outcome, Seat, Value};
use retrograde_solve::Silent;

/// No memory for the solvers that make tables.
const LITTLE: u64 = 60_000_000;

fn game(name: &str) -> Arc<AnyGame> {
    retrograde_games::registry().find(name, &Loader::none()).unwrap()
}

fn limits() -> SearchLimits {
    SearchLimits { nodes: 0, time: std::time::Duration::ZERO, depth: None }
}

/// The game with its archive, and with its values in memory.
fn both(name: &str, tables: &std::path::Path) -> [OpenGame; 2] {
    let options = SolveOptions { threads: 2, memory: Some(LITTLE), ..SolveOptions::default() };
    game(name).solve(tables, &options, &Silent).unwrap();
    let archive = game(name).explore(tables).unwrap();
    assert_eq!(archive.kind(), Some(StoreKind::Archive));
    let options = SolveOptions { memory: Some(1 << 30), ..options };
    [archive, game(name).solve_in_memory(&options, &Silent).unwrap()]
}

fn rows(game: &OpenGame) -> Vec<(u64, Knowledge)> {
    let mut rows = Vec::new();
    let all = game.rows(&mut |row| {
        rows.push((row.index, row.knowledge));
        Ok(true)
    });
    all.unwrap();
    assert_eq!(rows.len() as u64, game.row_count().unwrap());
    rows
}

/// The answers to queries that look for positions, as texts.
fn found(game: &OpenGame) -> Vec<String> {
    let mut found = Vec::new();
    for outcome in Outcome::ALL {
        for turns in [None, Some(2), Some(3), Some(7)]
            .into_iter()
            .filter(|turns| turns.is_none() || outcome != Outcome::Draw)
        {
            // With turns, the choice of random positions depends on how many of them the statistics count.
            for random in [None, Some(5)].into_iter().filter(|random| random.is_none() || turns.is_none()) {
                let query = FindQuery { outcome, turns, random, limit: 20 };
                game.find(&query, &mut |one| {
                    found.push(format!("{query:?} {one:?}"));
                    Ok(true)
                })
                .unwrap();
            }
        }
    }
    // With unlimited moves there are no press puzzles here, and searching for them takes long.
    let presses = (!game.name().contains("unlimited")).then_some(PuzzleKind::Press);
    for kind in [PuzzleKind::Win, PuzzleKind::Save].into_iter().chain(presses) {
        for random in [None, Some(3)] {
            let mut left = 10;
            let all = game.puzzles(kind, None, random, &mut |puzzle| {
                found.push(format!("{puzzle:?}"));
                left -= 1;
                Ok(left > 0)
            });
            all.unwrap();
        }
    }
    found.push(format!("{:?}", game.random_indices(50, 2).unwrap()));
    found
}

#[test]
fn archives_of_small_boards_answer_as_tables_do() {
    for name in [
        "pushfight:mini,pushers=1,pawns=1,moves=unlimited",
        "pushfight:mini,pushers=1,pawns=2,moves=1",
        "pushfight:mini,pushers=1,pawns=2",
    ] {
        let tables = retrograde_testkit::tempdir().unwrap();
        let [archive, memory] = both(name, tables.path());
        assert_eq!(found(&archive), found(&memory), "{name}");
        let (rows_of_archive, rows_in_memory) = (rows(&archive), rows(&memory));
        assert!(rows_of_archive == rows_in_memory, "{name}");
        // Now all values are known.
        assert_eq!(found(&archive), found(&memory), "{name}");
        let csv = |game: &OpenGame, file: &str, selection| {
            let path = tables.path().join(file);
            export::write(game, &path, Some(Format::Csv), selection, &mut |_| true).unwrap();
            std::fs::read(path).unwrap()
        };
        let sample = Selection { limit: None, sample: Some((300, 4)) };
        let lines = csv(&archive, "archive", sample);
        assert_eq!(lines.iter().filter(|&&byte| byte == b'\n').count(), 301);
        assert_eq!(lines, csv(&memory, "memory", sample));
        for (index, _) in rows_of_archive.iter().step_by(rows_of_archive.len() / 8) {
            let at = archive.position(&index.to_string(), None).unwrap().position;
            let [one, other] = [&archive, &memory].map(|game| {
                let probe = game.probe(&at, Seat::First, &limits()).unwrap();
                let pressure = game.pressure(&at, Seat::First, ListPage::ALL, &limits()).unwrap();
                (probe.position.verdict, format!("{:?} {pressure:?}", probe.turns_available))
            });
            assert_eq!(one, other, "{name}, {at}");
        }
    }
}

#[test]
fn shades_are_found_for_archives() {
    let name = "pushfight:mini,pushers=1,pawns=2";
    let tables = retrograde_testkit::tempdir().unwrap();
    let [archive, memory] = both(name, tables.path());
    let draws = rows(&memory).iter().filter(|row| row.1 == Knowledge::Exact(Value::Draw)).count();
    drop(archive);
    let options = SolveOptions { threads: 2, memory: Some(1 << 30), ..SolveOptions::default() };
    let shades = game(name).find_shades(tables.path(), &options, &Silent).unwrap();
    assert_eq!(shades.draws.0, draws as u128);
    // The shades now exist, and a position's answer has its shade.
    let archive = game(name).explore(tables.path()).unwrap();
    let drawn = FindQuery { outcome: Outcome::Draw, turns: None, random: Some(1), limit: 5 };
    archive
        .find(&drawn, &mut |found| {
            let probe = archive.probe(&found.position, Seat::First, &limits())?;
            assert!(probe.position.shade.is_some(), "{found:?}");
            Ok(true)
        })
        .unwrap();
}
