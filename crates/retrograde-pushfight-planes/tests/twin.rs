//! Compares every position with the plain retrograde solver, on boards with and without rails, holes
//! and symmetries.

use std::path::Path;
use std::sync::Arc;

use retrograde_game::{Dense, Game, GameSpec, Index, Knowledge, Outcome, Score, Stored, Turns};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{Retention, Solution, SolveConfig, solve_into};
use retrograde_solve::{Job, NoCheckpoint, Scores, Silent, retrograde::Retrograde};
use retrograde_table::{MemoryStorage, Storage};
use retrograde_testkit::some_of;

fn game(name: &str, drawing: &'static str) -> PushFight {
    PushFight::from_spec(GameSpec::parse(name).unwrap(), &|_| Ok(drawing.to_owned())).unwrap()
}

/// A hole, rails on some sides, no symmetry.
const BENT: &str = "+-+-+ +\n . . .|\n+ + + +\n|. # .\n+ + + +\n . . .\n+-+ + +";
/// The only symmetry is a half turn.
const TURNED: &str = "+-+ + +\n . . .\n+ + + +\n|. . .|\n+ + + +\n . . .\n+ + +-+";
/// All eight symmetries, and no rails.
const SQUARE: &str = "+ + + +\n . . .\n+ + + +\n . . .\n+ + + +\n . . .\n+ + + +";
/// Thirteen squares, so that five pawns have 792 arrangements.
const WIDE: &str = "+-+ + + + + + +\n . . . . . . .\n+ + + + + + + +\n . . . # . . .\n+ + + + + + + +";
const LONG: &str = "+-+-+-+-+-+\n . . . . .\n+-+-+-+-+-+\n";

/// Solves a board in memory, up to each of these horizons, and compares the value of every position. Returns the
/// numbers of wins, losses, draws and positions that the horizon leaves unknown.
fn compare<const N: usize>(game: &PushFight, horizons: [Option<u16>; N]) -> [[u64; 4]; N] {
    let mut unkept = NoCheckpoint;
    let (memory, progress) = (1 << 32, &Silent);
    let mut job = Job { threads: 2, memory, horizon: None, progress, checkpoint: &mut unkept };
    let plain = Retrograde::new(game).predecessors().symmetries().solve(&mut job).unwrap();
    horizons.map(|horizon| compare_with(game, &plain, horizon))
}

fn compare_with(game: &PushFight, plain: &Scores, horizon: Option<u16>) -> [u64; 4] {
    let (directory, horizon) = (Path::new("board"), horizon.map(Turns));
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let config = SolveConfig { horizon, storage: storage.clone(), ..SolveConfig::default() };
    solve_into(game, directory, &config, Retention::default()).unwrap();
    let solution = Solution::open_in(game, directory, &storage).unwrap().unwrap();
    let count = game.index_count() as u64 - game.prelude();
    let scores = solution.scores(game, directory, &config, 0..count).unwrap();
    assert_eq!(plain.len() as u64, scores.len() as u64 + game.prelude());
    let mut counts = [0; 4];
    for index in 0..plain.len() as u64 {
        let expected = plain.stored(Index(index));
        let found = match scores.get(index as usize) {
            Some(score) => score.stored(),
            None => {
                let position = game.position(Index(index)).unwrap();
                solution.value(game, &position).unwrap().map_or(Stored::Nothing, Stored::Known)
            }
        };
        let Stored::Known(Knowledge::Exact(value)) = expected else {
            // The scores of indices without a position do not matter.
            assert_eq!(expected, Stored::Nothing);
            continue;
        };
        let turns = value.turns().map_or(u16::MAX, |turns| turns.0);
        let reached = horizon.map_or(u16::MAX, |horizon| horizon.0.max(1));
        let known = matches!(found, Stored::Known(Knowledge::Exact(_)));
        if !known {
            // A search of its turns does not find the value either.
            let position = game.position(Index(index)).unwrap();
            let searched = solution.value(game, &position).unwrap();
            assert!(!matches!(searched, Some(Knowledge::Exact(_))), "{index}: {searched:?}");
        }
        // A solve up to a horizon may also find values one turn beyond it.
        let right = match known {
            true => found == expected && turns <= reached.saturating_add(1),
            false => turns > reached,
        };
        if !right {
            let position = game.position(Index(index)).unwrap();
            panic!("{}: {} is {expected:?}, found {found:?}", game.name(), game.position_text(&position));
        }
        counts[match value.outcome() {
            _ if !known => 3,
            Outcome::Win => 0,
            Outcome::Loss => 1,
            Outcome::Draw => 2,
        }] += 1;
    }
    counts
}

#[test]
fn small_boards_agree_with_the_plain_solver() {
    let boards = [
        (BENT, [(1, 0), (1, 1), (2, 0), (2, 1)].as_slice()),
        (TURNED, &[(1, 1), (2, 1), (1, 2)]),
        (SQUARE, &[(1, 1), (2, 1), (1, 2), (3, 1)]),
        (LONG, &[(1, 1), (2, 0), (1, 0)]),
    ];
    let pieces = boards.iter().flat_map(|(board, pieces)| pieces.iter().map(|pieces| (*board, *pieces)));
    let all_moves = ["0", "1", "2", "3", "unlimited"];
    let cases = all_moves.iter().flat_map(|moves| pieces.clone().map(move |case| (moves, case)));
    let mut all = [0; 4];
    for (moves, (drawing, (pushers, pawns))) in some_of(3, cases) {
        // Everything may be placed anywhere, so that small boards have a placement phase.
        let name = format!("pushfight:x.board,pushers={pushers},pawns={pawns},moves={moves}");
        let Ok(game) = PushFight::from_spec(GameSpec::parse(&name).unwrap(), &|_| Ok(drawing.to_owned()))
        else {
            continue;
        };
        let counts = compare(&game, [None])[0];
        all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
    }
    assert!(all[0] > 3000 && all[1] > 300 && all[2] > 300 && all[3] == 0, "{all:?}");
}

#[test]
fn variants_of_mini_agree_with_the_plain_solver() {
    for (pieces, moves) in
        [("pushers=2,pawns=1", "2"), ("pushers=1,pawns=2", "1"), ("pushers=3,pawns=0", "2")]
    {
        compare(&game(&format!("pushfight:mini,{pieces},moves={moves}"), ""), [None]);
    }
}

#[test]
fn rows_of_many_words_agree_with_the_plain_solver() {
    let [counts] = compare(&game("pushfight:x.board,pushers=1,pawns=5", WIDE), [None]);
    assert!(counts[0] > 1000 && counts[1] > 100, "{counts:?}");
}

#[test]
fn a_horizon_leaves_the_rest_unknown() {
    let game = game("pushfight:mini,pushers=2,pawns=1", "");
    for counts in compare(&game, [0, 1, 2, 3].map(Some)) {
        assert!(counts[3] > 0);
    }
}
