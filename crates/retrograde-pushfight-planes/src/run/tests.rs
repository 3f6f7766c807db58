//! Solutions are compared with the plain solver, interrupted, damaged and cut short.

use std::fs;

use retrograde_game::{Dense, Index, Knowledge, Turns, Value};
use retrograde_solve::Silent;
use retrograde_table::{DiskStorage, TableError};

use super::*;
use crate::solution::open::Solution;
use crate::testing::{self, Fuse, config_within, exact_value, game, plain_scores};

/// Keeps the logs, and writes no wins.
fn logs() -> Retention {
    Retention { logs: true, wins: false }
}

#[test]
fn a_solution_says_what_the_plain_solver_finds() {
    for name in [
        "pushfight:mini,pushers=2,pawns=1",
        "pushfight:mini,pushers=1,pawns=2,moves=1",
        "pushfight:x.board,pushers=1,pawns=3",
    ] {
        let game = game(name);
        let scores = plain_scores(&game);
        let directory = tempfile::tempdir().unwrap();
        let info =
            solve_into(&game, directory.path(), &config_within(&Silent, None), Retention::default()).unwrap();
        let left: Vec<String> = DiskStorage.names(directory.path()).unwrap();
        assert!(left.iter().all(|name| !name.starts_with("phase-")), "{left:?}");
        let solution = Solution::open(&game, directory.path()).unwrap().unwrap();
        assert_eq!(solution.info(), &info);
        let base = game.index_count() as u64 - game.prelude();
        let (mut lost, mut plausible) = (0, 0);
        for index in 0..game.index_count() as u64 {
            let Some(position) = game.position(Index(index)) else { continue };
            let value = exact_value(&scores, Index(index));
            let expected = match value {
                value if index >= base => Some(Knowledge::Exact(value)),
                _ if !game.is_plausible(&position) => None,
                Value::Loss(_) => Some(Knowledge::Exact(value)),
                _ => Some(Knowledge::NotLost),
            };
            assert_eq!(solution.get(&game, &position).unwrap(), expected, "{name} {index}");
            let exact = Some(Knowledge::Exact(value));
            assert_eq!(solution.value(&game, &position).unwrap(), exact, "{name} {index}");
            lost += u64::from(matches!(expected, Some(Knowledge::Exact(_))) && index < base);
            plausible += u64::from(expected.is_some() && index < base);
        }
        let all = |lost: bool| {
            let count_phase = info.phases.iter().filter(|phase| !lost || phase.turns % 2 == 0);
            count_phase.map(|phase| phase.all).sum::<u64>()
        };
        assert_eq!(all(true), lost, "{name}");
        assert_eq!(all(false) + info.draws.as_ref().unwrap().all, plausible, "{name}");
        assert_eq!(u128::from(plausible), game.plausible_count().unwrap(), "{name}");
        let mut seen = 0;
        solution
            .losses()
            .for_each(|position, turns| {
                let index = game.index(&position).unwrap();
                assert_eq!(exact_value(&scores, index), Value::Loss(Turns(turns)));
                seen += 1;
                Ok::<_, TableError>(true)
            })
            .unwrap();
        let expected = info.phases.iter().filter(|phase| phase.turns % 2 == 0);
        assert_eq!(seen, expected.map(|phase| phase.count + phase.starts).sum::<u64>());
        let empty = exact_value(&scores, game.index(&game.start()).unwrap());
        let start = info.start.unwrap();
        assert_eq!((start.outcome, start.turns), (Some(empty.outcome()), empty.turns()), "{name}");
        assert!(solution.check(&Silent).unwrap().1.is_empty());
    }
}

#[test]
fn interrupted_anywhere_it_ends_with_the_same_bytes() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let (whole, parts) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let first = solve_into(&game, whole.path(), &config_within(&Silent, None), logs()).unwrap();
    let mut runs = 0;
    let second = loop {
        let fuse = Fuse::new(270 + 25 * runs);
        match solve_into(&game, parts.path(), &config_within(&fuse, None), logs()) {
            Ok(info) => break info,
            Err(SolveError::Stopped) => runs += 1,
            Err(error) => panic!("{error}"),
        }
        assert!(Solution::open(&game, parts.path()).unwrap().is_none());
    };
    assert!(runs > 3);
    let strip = |mut info: SolutionInfo| {
        info.seconds = 0.0;
        info.phases.iter_mut().for_each(|phase| {
            (phase.seconds, phase.blocks, phase.bytes) = (0.0, 0, 0);
        });
        info
    };
    assert_eq!(strip(first), strip(second));
    let bytes = |directory: &Path| {
        let bytes = fs::read(directory.join(DepthFileKind::Losses.file())).unwrap();
        let description = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
        // From the end of the description, which contains times, to the directory of blocks.
        let at = u64::from_le_bytes(bytes[bytes.len() - 32..][..8].try_into().unwrap());
        bytes[description + 20..at as usize].to_vec()
    };
    assert!(bytes(whole.path()) == bytes(parts.path()));

    // A damaged log is computed again on the way.
    let log = parts.path().join("phase-003-0.rgl");
    let mut damaged = fs::read(&log).unwrap();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 4;
    fs::write(&log, damaged).unwrap();
    solve_into(&game, parts.path(), &config_within(&Silent, None), Retention::default()).unwrap();
    assert!(bytes(whole.path()) == bytes(parts.path()));
}

#[test]
fn a_flipped_bit_or_a_cut_is_noticed() {
    let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
    let directory = tempfile::tempdir().unwrap();
    solve_into(&game, directory.path(), &config_within(&Silent, None), Retention::default()).unwrap();
    testing::assert_damage_is_noticed(&game, directory.path(), DepthFileKind::Losses);
}

#[test]
fn a_horizon_leaves_the_rest_undecided() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let directory = tempfile::tempdir().unwrap();
    let info = solve_into(&game, directory.path(), &config_within(&Silent, Some(3)), logs()).unwrap();
    assert_eq!(info.phases.len(), 4);
    assert_eq!((info.horizon, info.draws.is_none(), info.start), (Some(3), true, None));
    // The next run continues from it.
    let info =
        solve_into(&game, directory.path(), &config_within(&Silent, None), Retention::default()).unwrap();
    assert!(info.phases.len() > 4 && info.horizon.is_none() && info.start.is_some());
}
