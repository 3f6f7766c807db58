//! Turns step by step: each step promises what later steps and complete turns keep.

use retrograde_game::{Flow, Game, conformance};
use retrograde_testkit::push_fight as game;

#[test]
fn steps_lead_where_turns_do() {
    for name in [
        "pushfight:mini,pushers=1,pawns=1",
        "pushfight:mini,pushers=2,pawns=1,moves=1",
        "pushfight:mini,moves=0",
        "pushfight:mini,pushers=1,pawns=0,moves=3",
    ] {
        let game = game(name);
        conformance::check_steps(&game, &conformance::playouts(&game, 1, 8, 5));
    }
}

#[test]
fn wrong_steps_are_rejected_with_a_reason() {
    let game = game("pushfight");
    let position = game.parse_position(".OX.....oxY....Oox.....OX.").unwrap();
    for (prefix, reason) in [
        (&["d1-a2", "d3-c3", "c2-d2"][..], "at most 2 moves"),
        (&["d1"], "ends too early"),
        (&["d1-a2,d3-c3"], "expected the end of the step"),
        (&["z9-a1"], "a square of the board"),
        (&["a2-d2"], "the side to move has no piece"),
        (&["d1-e3"], "cannot move"),
    ] {
        let prefix: Vec<String> = prefix.iter().map(|&step| step.to_owned()).collect();
        let error = game.each_step(&position, &prefix, &mut |_| Flow::Break(())).unwrap_err();
        assert!(error.to_string().contains(reason), "{prefix:?}: {error}");
    }
    let prefix = ["O:a2,b3,c3 o:b2,c2".to_owned()];
    assert!(game.each_step(&game.start(), &prefix, &mut |_| Flow::Break(())).is_err());
}
