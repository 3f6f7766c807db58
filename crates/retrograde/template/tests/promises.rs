//! Tests that the game keeps the promises of its traits, and that the fast and the plain solver
//! agree.

use my_game::{MyGame, registry};
use retrograde_game::{Dense, Game, Index, Knowledge, Outcome, Stored, conformance};
use retrograde_solve::{Job, NoCheckpoint, Silent, graded, sweep};

#[test]
fn promises_are_kept() {
    for (columns, rows) in [(1, 1), (4, 2), (3, 3), (4, 4)] {
        let game = MyGame::new(columns, rows).unwrap();
        let mut positions = conformance::numbered(&game, 2000, 1);
        positions.extend(conformance::playouts(&game, 50, 50, 1));
        conformance::check_game(&game, &positions);
        conformance::check_dense(&game, &positions);
        conformance::check_graded(&game, &positions);
        conformance::check_show(&game, &positions);
        if columns * rows <= 9 {
            conformance::check_counts(&game);
            conformance::check_layered(&game);
        }
    }
    retrograde::conformance::check_registry(&registry());
}

#[test]
fn solvers_agree() {
    let game = MyGame::new(3, 3).unwrap();
    let mut unkept = NoCheckpoint;
    let mut job =
        Job { threads: 2, memory: 1 << 26, horizon: None, progress: &Silent, checkpoint: &mut unkept };
    let plain = sweep::solve(&game, &mut job).unwrap();
    let fast = graded::solve(&game, &mut job).unwrap();
    for index in (0..game.index_count() as u64).map(Index) {
        assert_eq!(fast.stored(index), plain.stored(index), "{:?}", game.position(index));
    }
    let start = fast.stored(game.index(&game.start()).unwrap());
    let Stored::Known(Knowledge::Exact(value)) = start else { panic!("{start:?}") };
    assert_eq!(value.outcome(), Outcome::Draw);
}
