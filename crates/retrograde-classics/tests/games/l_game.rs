//! The L game: promises, the known numbers of positions, and its value.

use retrograde_classics::LGame;
use retrograde_game::conformance::*;
use retrograde_game::{Dense, Game, Index, Outcome};

use crate::solvers;

/// There are 2,296 arrangements up to symmetry, in 15 of which the side to move has lost (Wikipedia,
/// "L game"). No arrangement is symmetric, so there are eight times as many.
#[test]
fn it_has_the_published_counts() {
    let game = LGame::default();
    let positions = numbered(&game, 20_000, 1);
    assert_eq!((positions.len(), game.position_count()), (8 * 2_296, 18_368));
    let lost = positions.iter().filter(|position| game.turns(position).is_empty());
    assert_eq!(lost.count(), 8 * 15);
}

#[test]
fn it_keeps_its_promises() {
    let game = LGame::default();
    let positions = [playouts(&game, 10, 20, 1), numbered(&game, 100, 2)].concat();
    check_game(&game, &positions);
    check_dense(&game, &positions);
    check_symmetries(&game, &positions);
    check_show(&game, &playouts(&game, 3, 10, 3));
    check_planes_are_read(&game, &positions[..10]);
    check_counts(&game);
}

/// It is a draw (Wikipedia, "L game"), and all solvers agree.
#[test]
fn it_is_a_draw() {
    let game = LGame::default();
    let scores = solvers::with_symmetries(&game);
    assert!(retrograde_solve::testing::all_stored(&scores) == solvers::swept(&game));
    assert_eq!(solvers::value(&game, &scores, &game.start()).outcome(), Outcome::Draw);
    let outcomes = (0..18_368).filter_map(|index| game.position(Index(index)));
    let outcomes = outcomes.map(|position| solvers::value(&game, &scores, &position).outcome());
    let mut counts = [0; 3];
    outcomes.for_each(|outcome| counts[outcome as usize] += 1);
    counts.sort_unstable();
    assert_eq!(counts, [232, 8_048, 10_088], "lost, won, drawn");
}

#[test]
fn turns_are_written_as_squares() {
    let game = LGame::default();
    let start = game.start();
    assert_eq!(game.position_text(&start), "nXX./.OX./.OX./.OOn");
    let turn = game.parse_turn(&start, "b4c4d3d4").unwrap();
    assert_eq!(game.position_text(&game.play(&start, &turn)), "nOOO/.X.O/.X../.XXn");
    let turn = game.parse_turn(&start, "b4c4d3d4d1a1").unwrap();
    assert_eq!(game.position_text(&game.play(&start, &turn)), "nOOO/.X.O/.X../nXX.");
    let error = game.parse_position("nXX./.OX./.OX./.OO.").unwrap_err().to_string();
    assert!(error.contains("two Ls and two neutral pieces"), "{error}");
}
