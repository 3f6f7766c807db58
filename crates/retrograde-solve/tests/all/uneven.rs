//! Push Fight with different pieces on the two sides, which has no special solver: solving backwards compared
//! with the sweep, position by position.

use retrograde_game::{Dense, Game, Index, Stored, Value};
use retrograde_solve::retrograde::Retrograde;
use retrograde_solve::testing::job;
use retrograde_solve::{NoCheckpoint, Silent, sweep};
use retrograde_testkit::push_fight_on;

/// A hole, some rails, no symmetry.
const HOLED: &str = "+-+-+ +\n O . x|\n+ + + +\n|. # X\n+ + + +\n . . Y\n+-+ + +\n";
/// No rail, all symmetries of a rectangle, and one side without pawns.
const OPEN: &str = "+ + + + +\n O O . .\n+ + + + +\n . x x Y\n+ + + + +\n";
/// Only symmetric under a half turn, and without a previous push.
const TURNED: &str = "+-+ + +\n O . X\n+ + + +\n|o . .|\n+ + + +\n . . X\n+ + +-+\n";
/// One line: a lone pusher against a row.
const LINE: &str = "+-+-+-+-+-+-+-+\n O . o . Y x X|\n+-+-+-+-+-+-+-+\n";
/// Pieces are placed first.
const PLACED: &str =
    "pushers = 1-2\npawns = 1-0\n+ + + +\n . . .\n+ +-+ +\n . # .\n+ +-+ +\n . . .\n+-+-+-+\n";

#[test]
fn solving_backwards_agrees_with_the_sweep() {
    let mut counts = [0_u32; 3];
    for (drawing, moves) in [
        (HOLED, ["0", "1", "2", "unlimited"].as_slice()),
        (OPEN, &["0", "2"]),
        (TURNED, &["1", "2"]),
        (LINE, &["0", "1", "2"]),
        (PLACED, &["1", "2"]),
    ] {
        for moves in moves {
            let game = push_fight_on(&format!("pushfight:x.board,moves={moves}"), drawing);
            let swept = sweep::solve(&game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
            let shown = |index: u64| game.position_text(&game.position(Index(index)).unwrap());
            for (way, found) in [
                ("forwards", Retrograde::new(&game)),
                ("rechecking", Retrograde::new(&game).predecessors()),
                ("by orbits", Retrograde::new(&game).predecessors().symmetries()),
            ] {
                let found = found.shard(997).solve(&mut job(2, &Silent, &mut NoCheckpoint)).unwrap();
                assert_eq!(swept.len(), found.len());
                for index in 0..found.len() as u64 {
                    let (expected, found) = (swept.stored(Index(index)), found.stored(Index(index)));
                    assert_eq!(expected, found, "{}, {way}: {}", game.name(), shown(index));
                }
            }
            for index in 0..swept.len() as u64 {
                let Stored::Known(known) = swept.stored(Index(index)) else { continue };
                counts[match known.value().unwrap() {
                    Value::Win(_) => 0,
                    Value::Loss(_) => 1,
                    Value::Draw => 2,
                }] += 1;
            }
        }
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}
