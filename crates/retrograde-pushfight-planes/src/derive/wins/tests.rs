//! Compares solutions with the plain solver; adds wins later, and mixes them with another solve.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use retrograde_game::{Dense, Game, Index, Knowledge, Value};
use retrograde_pushfight::Position;
use retrograde_solve::{Scores, Silent};
use retrograde_testkit::{files, some_of, write_files};

use super::*;
use crate::phase::kinds::{is_loss, value_in};
use crate::run::{Retention, remove_solution, solve_into};
use crate::solution::Solution;
use crate::testing::{self, bytes, config_within, exact_value, game, plain_scores, write_solution};

const WINS: Retention = Retention { logs: false, wins: true };
const LOGS: Retention = Retention { logs: true, wins: false };
const ALL: Retention = Retention { logs: true, wins: true };

fn solve(game: &PushFight, directory: &Path, retention: Retention) -> SolutionInfo {
    solve_into(game, directory, &config_within(&Silent, None), retention).unwrap()
}

fn open(game: &PushFight, directory: &Path) -> Solution {
    Solution::open(game, directory).unwrap().unwrap()
}

fn file(directory: &Path) -> PathBuf {
    directory.join(DepthFileKind::Wins.file())
}

/// The positions of a file, up to symmetry, have the outcome and turns of the plain solver. Returns their
/// numbers by turns, images included.
fn counts_of_file(game: &PushFight, scores: &Scores, file: &DepthFile) -> BTreeMap<u16, u64> {
    let mut counts = BTreeMap::new();
    let visit = |position: Position, turns: u16| {
        let index = game.index(&position).unwrap();
        assert_eq!(exact_value(scores, index), value_in(Turns(turns)), "{} {index}", game.name());
        assert!(!game.wins_now(&position), "{} {index}", game.name());
        *counts.entry(turns).or_insert(0) += testing::images(game, &position);
        Ok::<_, TableError>(true)
    };
    file.for_each(visit).unwrap();
    counts
}

#[test]
fn a_solution_agrees_with_the_plain_solver() {
    let mut stuck = 0;
    for (name, with_wins) in [
        ("pushfight:mini,pushers=2,pawns=1", false),
        ("pushfight:mini,pushers=2,pawns=1", true),
        ("pushfight:mini,pushers=1,pawns=2,moves=1", false),
        ("pushfight:mini,pushers=1,pawns=2,moves=1", true),
        ("pushfight:x.board,pushers=2,pawns=2,moves=0", true),
        ("pushfight:mini,pushers=1,pawns=1,moves=unlimited", true),
        ("pushfight:x.board,pushers=1,pawns=3", false),
        ("pushfight:x.board,pushers=1,pawns=3", true),
        ("pushfight:x.board,pushers=2,pawns=2,moves=1", true),
        ("pushfight:skew.board,pushers=2,pawns=1", true),
        ("pushfight:wide.board,pushers=1,pawns=1", true),
        ("pushfight:mini,pushers=2,pawns=0", true),
    ] {
        let game = game(name);
        let scores = plain_scores(&game);
        let directory = retrograde_testkit::tempdir().unwrap();
        write_solution(&game, directory.path(), Retention { logs: false, wins: with_wins });
        let solution = open(&game, directory.path());
        let info = solution.info();
        assert!(solution.check(&Silent).unwrap().1.is_empty());
        let base = game.index_count() as u64 - game.prelude();
        for index in some_of(3, 0..game.index_count() as u64).map(Index) {
            let Some(position) = game.position(index) else { continue };
            let value = exact_value(&scores, index);
            let exact = Some(Knowledge::Exact(value));
            // Some of these values take a search.
            assert_eq!(solution.value(&game, &position).unwrap(), exact, "{name} {index}");
            let known = match value {
                _ if index.0 >= base => exact,
                _ if !game.is_plausible(&position) => None,
                Value::Loss(_) => exact,
                _ => {
                    if with_wins {
                        exact
                    } else {
                        Some(Knowledge::NotLost)
                    }
                }
            };
            assert_eq!(solution.get(&game, &position).unwrap(), known, "{name} {index}");
        }
        // The files have exactly the expected positions, one image of each.
        let expected = |lost: bool| -> BTreeMap<u16, u64> {
            let phases = info.phases.iter().filter(|phase| is_loss(Turns(phase.turns)) == lost);
            let phases = phases.filter(|phase| phase.turns != 1 && !phase.is_empty());
            phases.map(|phase| (phase.turns, phase.all + phase.starts)).collect()
        };
        assert_eq!(counts_of_file(&game, &scores, solution.losses()), expected(true), "{name}");
        if let Some(wins) = solution.wins() {
            let mut counts = counts_of_file(&game, &scores, wins);
            stuck += counts.remove(&1).unwrap_or(0);
            assert_eq!(counts, expected(false), "{name}");
        }
        let all = info.phases.iter().chain(&info.draws).map(|phase| u128::from(phase.all)).sum();
        assert_eq!(game.plausible_count(), Some(all), "{name}");
        let empty = exact_value(&scores, game.index(&game.start()).unwrap());
        let start = info.start.unwrap();
        assert_eq!((start.outcome, start.turns), (Some(empty.outcome()), empty.turns()), "{name}");
    }
    assert!(stuck > 100, "{stuck} wins leave the opponent without a push");
}

#[test]
fn wins_are_added_from_the_logs_of_a_solve() {
    let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
    let (at_once, later) = (retrograde_testkit::tempdir().unwrap(), retrograde_testkit::tempdir().unwrap());
    solve(&game, at_once.path(), WINS);
    let without = retrograde_testkit::tempdir().unwrap();
    let info = solve(&game, without.path(), LOGS);
    assert!(open(&game, without.path()).wins().is_none());
    assert!(bytes(at_once.path(), DepthFileKind::Losses) == bytes(without.path(), DepthFileKind::Losses));
    let losses = fs::read(without.path().join(DepthFileKind::Losses.file())).unwrap();
    // The wins are the same whether a log is damaged or not; without damage, nothing is solved
    // again.
    for damaged in [false, true] {
        write_files(later.path(), &files(without.path()));
        let _ = fs::remove_file(file(later.path()));
        if damaged {
            let log = later.path().join("phase-003-0.rgl");
            let mut bytes = fs::read(&log).unwrap();
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            fs::write(&log, bytes).unwrap();
        }
        let added = solve(&game, later.path(), WINS);
        assert_eq!(added, info);
        assert!(open(&game, later.path()).wins().is_some());
        assert!(bytes(at_once.path(), DepthFileKind::Wins) == bytes(later.path(), DepthFileKind::Wins));
        assert!(fs::read(later.path().join(DepthFileKind::Losses.file())).unwrap() == losses);
        assert!(files(later.path()).keys().all(|name| !name.ends_with(".rgl")));
    }
    // Existing wins are not made again; without wins and logs, they come from the losses.
    assert_eq!(solve(&game, later.path(), WINS), info);
    fs::remove_file(file(later.path())).unwrap();
    assert_eq!(solve(&game, later.path(), WINS), info);
    assert!(bytes(at_once.path(), DepthFileKind::Wins) == bytes(later.path(), DepthFileKind::Wins));
    remove_solution(&game, at_once.path(), &config_within(&Silent, None).storage).unwrap();
    assert!(Solution::open(&game, at_once.path()).unwrap().is_none());
    assert!(!file(at_once.path()).exists());
}

#[test]
fn wins_of_another_solve_are_rejected() {
    let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    let refused = |reason: &str| match Solution::open(&game, directory.path()) {
        Ok(_) => panic!("{reason}"),
        Err(error) => assert!(error.to_string().contains(reason), "{error}"),
    };
    let few = solve_into(&game, directory.path(), &config_within(&Silent, Some(3)), ALL).unwrap();
    assert_eq!(few.horizon, Some(3));
    let solution = open(&game, directory.path());
    let mut by_turns = [0; 4];
    let visit = |_: Position, turns: u16| {
        by_turns[usize::from(turns)] += 1;
        Ok::<_, TableError>(true)
    };
    solution.wins().unwrap().for_each(visit).unwrap();
    assert!(by_turns[3] > 0 && by_turns[0] + by_turns[2] == 0);
    // Undecided positions are not drawn.
    let base = game.index_count() as u64 - game.prelude();
    let mut open_ended = 0;
    for index in (0..base).map(Index) {
        let Some(position) = game.position(index).filter(|position| game.is_plausible(position)) else {
            continue;
        };
        match solution.get(&game, &position).unwrap() {
            Some(Knowledge::NotLost) => open_ended += 1,
            Some(Knowledge::Exact(Value::Win(turns) | Value::Loss(turns))) => assert!(turns.0 <= 3),
            known => panic!("{known:?}"),
        }
    }
    assert!(open_ended > 0);
    let wins = fs::read(file(directory.path())).unwrap();
    // A solve without wins removes the old file of wins; put back, it belongs to another solve.
    solve(&game, directory.path(), LOGS);
    assert!(open(&game, directory.path()).wins().is_none());
    fs::write(file(directory.path()), &wins).unwrap();
    refused("another solve (within 3 turns)");
    // The logs still exist, so the wins can be made again.
    solve(&game, directory.path(), WINS);
    assert!(open(&game, directory.path()).wins().is_some());
    // One file is not taken for the other.
    let losses = directory.path().join(DepthFileKind::Losses.file());
    let right = fs::read(&losses).unwrap();
    fs::write(file(directory.path()), &right).unwrap();
    refused("does not begin like a file of wins");
    fs::write(&losses, &wins).unwrap();
    refused("does not begin like a file of losses");
}
