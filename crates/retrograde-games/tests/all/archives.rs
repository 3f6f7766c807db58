//! Tests that archives of small boards, on disk and in memory, answer like tables of all positions. The
//! generic solver makes such a table.

use std::sync::Arc;

use retrograde_explore::export::{Format, Selection};
use retrograde_explore::{
    AnyGame, Entry, FindQuery, ListPage, Loader, OpenGame, PuzzleKind, PuzzleQuery, PuzzleTurns,
    SearchLimits, SolveOptions, StoreKind,
};
use retrograde_game::{Knowledge, Outcome, Seat, Value};
use retrograde_solve::Silent;
use retrograde_testkit::{push_fight, some_of};

fn game(name: &str) -> Arc<AnyGame> {
    retrograde_games::registry().find(name, &Loader::none()).unwrap()
}

fn limits() -> SearchLimits {
    SearchLimits { nodes: 0, time: std::time::Duration::ZERO, depth: None }
}

/// The game with its archive, with an archive in memory, and with a table.
fn all_three(name: &str, tables: &std::path::Path) -> [OpenGame; 3] {
    let options = SolveOptions { threads: 2, memory: Some(1 << 30), ..SolveOptions::default() };
    game(name).solve(tables, &options, &Silent).unwrap();
    let archive = game(name).explore(tables).unwrap();
    let in_memory = game(name).solve_in_memory(&options, &Silent).unwrap();
    for open in [&archive, &in_memory] {
        assert_eq!(open.facts().map(|facts| facts.kind), Some(StoreKind::Archive));
    }
    let plain = Entry::new(push_fight(name), "").predecessors().symmetries().build();
    let table = plain.solve_in_memory(&options, &Silent).unwrap();
    assert_eq!(table.facts().map(|facts| facts.kind), Some(StoreKind::AllPositions));
    [archive, in_memory, table]
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
            let wanted = PuzzleQuery { kind, turns: PuzzleTurns::All, random, limit: 10 };
            let all = game.puzzles(&wanted, &mut |puzzle| {
                found.push(format!("{puzzle:?}"));
                Ok(true)
            });
            all.unwrap();
        }
    }
    found.push(format!("{:?}", game.random_indices(50, 2).unwrap()));
    found
}

#[test]
fn archives_of_small_boards_answer_as_tables_do() {
    let names = [
        "pushfight:mini,pushers=1,pawns=1,moves=unlimited",
        "pushfight:mini,pushers=1,pawns=2,moves=1",
        "pushfight:mini,pushers=1,pawns=2",
    ];
    for name in some_of(3, names) {
        let tables = retrograde_testkit::tempdir().unwrap();
        let all = all_three(name, tables.path());
        let [archive, in_memory, table] = &all;
        let expected = found(table);
        assert_eq!(found(archive), expected, "{name}");
        assert_eq!(found(in_memory), expected, "{name}");
        let expected_rows = rows(table);
        assert!(rows(archive) == expected_rows, "{name}");
        assert!(rows(in_memory) == expected_rows, "{name}");
        // Now all values are known.
        assert_eq!(found(archive), expected, "{name}");
        let csv = |game: &OpenGame| {
            let path = tables.path().join("sample");
            let sample = Selection { limit: None, sample: Some((300, 4)) };
            game.export(&path, Some(Format::Csv), sample, &mut |_| true).unwrap();
            std::fs::read(path).unwrap()
        };
        let lines = csv(table);
        assert_eq!(lines.iter().filter(|&&byte| byte == b'\n').count(), 301);
        assert_eq!(csv(archive), lines);
        assert_eq!(csv(in_memory), lines);
        for (index, _) in expected_rows.iter().step_by(expected_rows.len() / 8) {
            let at = archive.position(&index.to_string(), None).unwrap().position;
            let [one, other, third] = all.each_ref().map(|game| {
                let probe = game.probe(&at, Seat::First, &limits()).unwrap();
                let pressure = game.pressure(&at, Seat::First, ListPage::ALL, &limits()).unwrap();
                (probe.position.verdict, format!("{:?} {pressure:?}", probe.turns_available))
            });
            assert_eq!((&one, &other), (&third, &third), "{name}, {at}");
        }
    }
}

#[test]
fn an_archive_in_memory_has_the_statistics_of_one_on_disk() {
    for horizon in [None, Some(2)] {
        let name = "pushfight:mini,pushers=1,pawns=2";
        let tables = retrograde_testkit::tempdir().unwrap();
        // In memory, wins are always kept.
        let options =
            SolveOptions { threads: 2, phases: horizon, with_wins: true, ..SolveOptions::default() };
        game(name).solve(tables.path(), &options, &Silent).unwrap();
        let on_disk = game(name).explore(tables.path()).unwrap();
        let in_memory = game(name).solve_in_memory(&options, &Silent).unwrap();
        let statistics = [&on_disk, &in_memory].map(|open| {
            open.count_all(&options, &Silent).unwrap();
            let mut statistics = serde_json::to_value(open.statistics().unwrap()).unwrap();
            statistics["seconds"] = serde_json::Value::Null;
            for phase in statistics["phases"].as_array_mut().unwrap() {
                phase["seconds"] = serde_json::Value::Null;
            }
            statistics
        });
        assert_eq!(statistics[0], statistics[1], "{horizon:?}");
        assert_eq!(on_disk.stamp(), in_memory.stamp(), "{horizon:?}");
    }
}

/// The solver counts positions whose anchor is canonical. Some have the same orbit if a symmetry leaves
/// the anchor in place.
#[test]
fn phases_count_up_to_symmetry_only_where_no_symmetry_keeps_a_square() {
    let options = SolveOptions { threads: 2, with_wins: true, ..SolveOptions::default() };
    let [mini, halves] = ["mini", "twocolumn"].map(|board| {
        let game = game(&format!("pushfight:{board},pushers=1,pawns=1"));
        let phases = game.solve_in_memory(&options, &Silent).unwrap().statistics().unwrap().phases;
        phases
            .iter()
            .map(|phase| (phase.positions.0, phase.up_to_symmetry.map(|orbits| orbits.0)))
            .collect::<Vec<_>>()
    });
    assert!(mini.len() > 2 && mini.iter().all(|(_, orbits)| orbits.is_none()), "{mini:?}");
    // A half turn is the only symmetry of the other board.
    let half = |&(all, orbits): &(u128, Option<u128>)| orbits == Some(all / 2);
    assert!(halves.len() > 2 && halves.iter().all(half), "{halves:?}");
}

#[test]
fn shades_are_found_for_archives() {
    let name = "pushfight:mini,pushers=1,pawns=2";
    let tables = retrograde_testkit::tempdir().unwrap();
    let [archive, _, table] = all_three(name, tables.path());
    let draws = rows(&table).iter().filter(|row| row.1 == Knowledge::Exact(Value::Draw)).count();
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
