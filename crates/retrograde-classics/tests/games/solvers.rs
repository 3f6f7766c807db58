//! Solvers compared with the sweep, number by number.

use retrograde_game::{Dense, Index, Knowledge, Layered, Predecessors, Staged, Stored, Symmetries, Value};
use retrograde_solve::retrograde::Retrograde;
use retrograde_solve::testing::{all_stored, job};
use retrograde_solve::{NoCheckpoint, Scores, Silent, graded, sweep};

/// The values from the sweep.
pub(crate) fn swept<G: Dense>(game: &G) -> Vec<Stored> {
    all_stored(&sweep::solve(game, &mut job(1, &Silent, &mut NoCheckpoint)).unwrap())
}

/// Solves a game that cannot repeat, in one pass.
pub(crate) fn in_one_pass<G: Layered>(game: &G) -> Scores {
    graded::solve(game, &mut job(2, &Silent, &mut NoCheckpoint)).unwrap()
}

/// Solves a game by retrograde analysis, with its predecessors.
pub(crate) fn backwards<G: Predecessors>(game: &G) -> Scores {
    Retrograde::new(game).predecessors().solve(&mut job(2, &Silent, &mut NoCheckpoint)).unwrap()
}

/// Solves a game by retrograde analysis, with all its capabilities.
pub(crate) fn retrograde<G: Predecessors + Symmetries>(game: &G) -> Scores {
    let solver = Retrograde::new(game).predecessors().symmetries();
    solver.solve(&mut job(2, &Silent, &mut NoCheckpoint)).unwrap()
}

/// Solves a game without predecessors by retrograde analysis, using its symmetries.
pub(crate) fn with_symmetries<G: Dense + Symmetries>(game: &G) -> Scores {
    Retrograde::new(game).symmetries().solve(&mut job(2, &Silent, &mut NoCheckpoint)).unwrap()
}

/// Solves a game by retrograde analysis, stage by stage.
pub(crate) fn in_stages<G: Predecessors + Staged>(game: &G) -> Scores {
    let solver = Retrograde::new(game).predecessors().staged();
    solver.solve(&mut job(2, &Silent, &mut NoCheckpoint)).unwrap()
}

/// Checks that every mode of the solver for games that can repeat agrees with the sweep.
pub(crate) fn check_retrograde<G: Predecessors + Symmetries>(game: &G) {
    check_backwards(game);
    assert!(all_stored(&retrograde(game)) == swept(game), "{}: with symmetries", game.name());
}

/// The same for a game without symmetries.
pub(crate) fn check_backwards<G: Predecessors>(game: &G) {
    let expected = swept(game);
    let plain = Retrograde::new(game).solve(&mut job(1, &Silent, &mut NoCheckpoint)).unwrap();
    assert!(all_stored(&plain) == expected, "{}: without predecessors", game.name());
    assert!(all_stored(&backwards(game)) == expected, "{}: with predecessors", game.name());
}

/// Checks that solving stage by stage agrees with the sweep.
pub(crate) fn check_stages<G: Predecessors + Staged>(game: &G) {
    let expected = swept(game);
    assert!(all_stored(&in_stages(game)) == expected, "{}: stage by stage", game.name());
}

/// Checks that the solver for games that cannot repeat agrees with the sweep.
pub(crate) fn check_layered<G: Layered>(game: &G) {
    assert!(all_stored(&in_one_pass(game)) == swept(game), "{}", game.name());
}

/// The value of a position.
pub(crate) fn value<G: Dense>(game: &G, scores: &Scores, position: &G::Position) -> Value {
    if let Some(outcome) = game.result(position) {
        return Value::over(outcome);
    }
    value_at(scores, game.index(position).unwrap())
}

/// The value at an index.
pub(crate) fn value_at(scores: &Scores, index: Index) -> Value {
    match scores.stored(index) {
        Stored::Known(Knowledge::Exact(value)) => value,
        other => panic!("{index}: {other:?}"),
    }
}
