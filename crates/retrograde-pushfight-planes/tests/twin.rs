//! Compares every position with the plain retrograde solver, on boards with and without rails, holes
//! and symmetries.

use retrograde_game::{Dense, Game, GameSpec, Index, Turns};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{memory_needed, solve};
use retrograde_solve::{Job, NoCheckpoint, Silent, SolveError, retrograde::Retrograde};

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

fn compare(game: &PushFight, horizon: Option<u16>) -> [u64; 4] {
    let (mut first, mut second) = (NoCheckpoint, NoCheckpoint);
    let job = |checkpoint| Job {
        threads: 2,
        memory: 1 << 32,
        horizon: horizon.map(Turns),
        progress: &Silent,
        checkpoint,
    };
    let plain = Retrograde::new(game).predecessors().symmetries().solve(&mut job(&mut first)).unwrap();
    let planes = solve(game, &mut job(&mut second)).unwrap();
    assert_eq!(plain.len(), planes.len());
    let mut counts = [0; 4];
    for index in 0..plain.len() as u64 {
        let (expected, found) = (plain.stored(Index(index)), planes.stored(Index(index)));
        if expected != found {
            let position = game.position(Index(index)).unwrap();
            panic!("{}: {} is {expected:?}, found {found:?}", game.name(), game.position_text(&position));
        }
        use retrograde_game::{Knowledge, Outcome, Stored};
        if let Stored::Known(known) = expected {
            counts[match known.outcome() {
                Some(Outcome::Win) => 0,
                Some(Outcome::Loss) => 1,
                Some(Outcome::Draw) => 2,
                None => {
                    assert_eq!(known, Knowledge::Unknown);
                    3
                }
            }] += 1;
        }
    }
    counts
}

#[test]
fn small_boards_agree_with_the_plain_solver() {
    let mut all = [0; 4];
    for moves in ["0", "1", "2", "3", "unlimited"] {
        for (drawing, pieces) in [
            (BENT, [(1, 0), (1, 1), (2, 0), (2, 1)].as_slice()),
            (TURNED, &[(1, 1), (2, 1), (1, 2)]),
            (SQUARE, &[(1, 1), (2, 1), (1, 2), (3, 1)]),
            (LONG, &[(1, 1), (2, 0), (1, 0)]),
        ] {
            for (pushers, pawns) in pieces {
                // Everything may be placed anywhere, so that small boards have a placement phase.
                let name = format!("pushfight:x.board,pushers={pushers},pawns={pawns},moves={moves}");
                let Ok(game) =
                    PushFight::from_spec(GameSpec::parse(&name).unwrap(), &|_| Ok(drawing.to_owned()))
                else {
                    continue;
                };
                let counts = compare(&game, None);
                all.iter_mut().zip(counts).for_each(|(all, count)| *all += count);
            }
        }
    }
    assert!(all[0] > 10_000 && all[1] > 1000 && all[2] > 1000 && all[3] == 0, "{all:?}");
}

#[test]
fn variants_of_mini_agree_with_the_plain_solver() {
    for (pieces, moves) in
        [("pushers=2,pawns=1", "2"), ("pushers=1,pawns=2", "1"), ("pushers=3,pawns=0", "2")]
    {
        compare(&game(&format!("pushfight:mini,{pieces},moves={moves}"), ""), None);
    }
}

#[test]
fn rows_of_many_words_agree_with_the_plain_solver() {
    let counts = compare(&game("pushfight:x.board,pushers=1,pawns=5", WIDE), None);
    assert!(counts[0] > 1000 && counts[1] > 100, "{counts:?}");
}

#[test]
fn a_horizon_leaves_the_rest_unknown() {
    for horizon in [0, 1, 2, 3] {
        let counts = compare(&game("pushfight:mini,pushers=2,pawns=1", ""), Some(horizon));
        assert!(counts[3] > 0);
    }
}

#[test]
fn too_little_memory_is_an_error_before_it_is_allocated() {
    let game = game("pushfight", "");
    let mut unkept = NoCheckpoint;
    let mut job =
        Job { threads: 1, memory: 1 << 30, horizon: None, progress: &Silent, checkpoint: &mut unkept };
    let need = memory_needed(&game).unwrap();
    assert!(need > 1 << 36);
    assert!(matches!(solve(&game, &mut job), Err(SolveError::Memory { limit, .. }) if limit == 1 << 30));
}
