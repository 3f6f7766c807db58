//! Compares implausible positions with the plain solver.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use retrograde_game::{Dense, Index, Outcome, Value};
use retrograde_solve::Silent;
use retrograde_testkit::{all_cases, some_of};

use super::*;
use crate::files::log_planes::read_plane;
use crate::layout::location::positions;
use crate::layout::numbering::Layout;
use crate::layout::superblocks::by_superblock;
use crate::run::{Retention, solve_into};
use crate::testing::{Fuse, config, config_within, exact_value, game, plain_scores, write_solution};

const GAMES: [&str; 10] = [
    "pushfight:mini,pushers=2,pawns=1",
    "pushfight:mini,pushers=1,pawns=2,moves=1",
    "pushfight:x.board,pushers=2,pawns=2,moves=0",
    "pushfight:mini,pushers=2,pawns=0,moves=unlimited",
    "pushfight:x.board,pushers=3,pawns=1",
    "pushfight:x.board,pushers=3,pawns=1,moves=0",
    "pushfight:x.board,pushers=2,pawns=1,moves=3",
    "pushfight:x.board,pushers=1,pawns=3",
    "pushfight:wide.board,pushers=1,pawns=1",
    "pushfight:twocolumn,pushers=1,pawns=1,moves=3",
];

/// The plain solver's values of implausible positions: indices by turns, even ones lost, odd ones
/// won, draws last.
fn plain(game: &PushFight) -> BTreeMap<u16, Vec<u64>> {
    let scores = plain_scores(game);
    let mut all = BTreeMap::<u16, Vec<u64>>::new();
    for index in 0..game.index_count() as u64 {
        let Some(position) = game.position(Index(index)) else { continue };
        if position.anchor.is_empty() || game.is_plausible(&position) {
            continue;
        }
        let value = exact_value(&scores, Index(index));
        let turns =
            if value.outcome() == Outcome::Draw { PhaseId::Draws.number() } else { value.turns().unwrap().0 };
        assert!(matches!(value, Value::Draw) || (turns % 2 == 0) == (value.outcome() == Outcome::Loss));
        all.entry(turns).or_default().push(index);
    }
    all
}

/// The positions that a log has of a phase, with all their images.
fn logged(game: &PushFight, layout: &Layout, log: &Log, turns: u16) -> Vec<u64> {
    let plane = read_plane(layout, &log.open(PhaseId::from_number(turns)).unwrap(), 1).unwrap();
    let mut list = Vec::new();
    for (superblock, cells) in by_superblock(&plane) {
        positions(layout, superblock, cells, |position| {
            for symmetry in 0..retrograde_game::Symmetries::symmetry_count(game) {
                let image = retrograde_game::Symmetries::image(game, symmetry, &position);
                list.push(game.index(&image).unwrap().0);
            }
        });
    }
    list.sort_unstable();
    list.dedup();
    list
}

fn solved(game: &PushFight, directory: &Path, work: bool, wins: bool) -> Solution {
    write_solution(game, directory, Retention { logs: work, wins });
    Solution::open(game, directory).unwrap().unwrap()
}

fn counts(implausible: &ImplausiblePositions) -> BTreeMap<u16, u64> {
    let phases = implausible.phases.iter().chain([&implausible.draws]);
    phases.filter(|phase| phase.all > 0).map(|phase| (phase.turns, phase.all)).collect()
}

#[test]
fn counts_agree_with_the_plain_solver() {
    let mut draws = 0;
    for name in some_of(3, GAMES) {
        let game = game(name);
        let expected = plain(&game);
        let directory = retrograde_testkit::tempdir().unwrap();
        let solution = solved(&game, directory.path(), true, false);
        let log = Log::new(&game, directory.path(), &config(&Silent).storage);
        let own = log.sibling(OTHERS);
        let implausible = count(&solution, &game, [&log, &own], &config(&Silent)).unwrap();
        let sizes = expected.iter().map(|(&turns, list)| (turns, list.len() as u64));
        assert_eq!(counts(&implausible), sizes.collect(), "{name}");
        draws += implausible.draws.all;
        let layout = Layout::new(&game, Scope::Implausible).unwrap();
        let (stuck, none) = (logged(&game, &layout, &own, 0), Vec::new());
        assert_eq!(&stuck, expected.get(&0).unwrap_or(&none), "{name}");
        for phase in implausible.phases.iter().filter(|phase| phase.turns > 1) {
            let found = logged(&game, &layout, &own, phase.turns);
            assert_eq!(&found, expected.get(&phase.turns).unwrap_or(&none), "{name}, {} turns", phase.turns);
        }
    }
    assert!(draws > 0 || !all_cases());
}

#[test]
fn counts_from_files_equal_counts_from_logs() {
    let game = game("pushfight:mini,pushers=2,pawns=1");
    let expected: BTreeMap<u16, u64> =
        plain(&game).iter().map(|(&turns, list)| (turns, list.len() as u64)).collect();
    for (work, wins) in [(true, false), (false, false), (false, true)] {
        let directory = retrograde_testkit::tempdir().unwrap();
        let solution = solved(&game, directory.path(), work, wins);
        assert!(solution.implausible().is_none());
        let before = fs::read_dir(directory.path()).unwrap().count();
        let implausible = solution.count_implausible(&game, directory.path(), &config(&Silent)).unwrap();
        assert_eq!(counts(implausible), expected);
        // Only the counts are added; a reopened solution knows them.
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), before + 1);
        let again = Solution::open(&game, directory.path()).unwrap().unwrap();
        assert_eq!(again.implausible(), Some(implausible));
        // Counts with the checksum of other losses are ignored.
        let path = directory.path().join(FILE);
        let text = fs::read_to_string(&path).unwrap();
        fs::write(&path, text.replacen(&implausible.losses.to_string(), "1", 1)).unwrap();
        assert!(Solution::open(&game, directory.path()).unwrap().unwrap().implausible().is_none());
    }
}

#[test]
fn longer_games_are_undecided_within_a_horizon() {
    for name in ["pushfight:mini,pushers=2,pawns=1", "pushfight:mini,pushers=1,pawns=2,moves=1"] {
        let game = game(name);
        let expected = plain(&game);
        let directory = retrograde_testkit::tempdir().unwrap();
        for horizon in some_of(2, 0..8) {
            let within = config_within(&Silent, Some(horizon));
            let retention = Retention { logs: horizon % 3 == 0, wins: horizon % 3 == 1 };
            solve_into(&game, directory.path(), &within, retention).unwrap();
            let solution = Solution::open(&game, directory.path()).unwrap().unwrap();
            // Work files of a count with another horizon are not used.
            if horizon % 2 == 1 {
                let stopped = solution.count_implausible(&game, directory.path(), &config(&Fuse::new(30)));
                assert!(matches!(stopped, Err(SolveError::Stopped)));
                assert!(directory.path().join(IMPLAUSIBLE).exists());
                continue;
            }
            let found =
                counts(solution.count_implausible(&game, directory.path(), &config(&Silent)).unwrap());
            let mut known = BTreeMap::new();
            for (&turns, list) in &expected {
                let turns = if turns <= horizon.max(1) { turns } else { PhaseId::Draws.number() };
                *known.entry(turns).or_default() += list.len() as u64;
            }
            assert_eq!(found, known, "{name}, {horizon}");
        }
    }
}

#[test]
fn an_interrupted_count_resumes() {
    let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
    let directory = retrograde_testkit::tempdir().unwrap();
    let solution = solved(&game, directory.path(), false, false);
    let mut runs = 0;
    let counted = loop {
        let fuse = Fuse::new(20 + 40 * runs);
        runs += 1;
        match solution.count_implausible(&game, directory.path(), &config(&fuse)) {
            Ok(implausible) => break counts(implausible),
            Err(SolveError::Stopped) => {
                // Some unfinished files are truncated.
                for entry in fs::read_dir(directory.path().join(IMPLAUSIBLE)).unwrap().take(runs as usize % 3)
                {
                    let path = entry.unwrap().path();
                    let length = fs::metadata(&path).unwrap().len();
                    fs::File::options().write(true).open(&path).unwrap().set_len(length * 2 / 3).unwrap();
                }
            }
            Err(error) => panic!("{error}"),
        }
    };
    assert!(runs > 3, "{runs} runs");
    let expected: BTreeMap<u16, u64> =
        plain(&game).iter().map(|(&turns, list)| (turns, list.len() as u64)).collect();
    assert_eq!(counted, expected);
}
