//! The example with passes: promises, and what a pass does.

#[expect(dead_code, reason = "it is a program")]
#[path = "../../examples/passes.rs"]
mod example;

use example::Passes;
use retrograde_game::conformance::*;
use retrograde_game::{Game, GameSpec};

fn passes(name: &str) -> Passes {
    Passes::from_spec(GameSpec::parse(name).unwrap()).unwrap()
}

#[test]
fn every_board_keeps_its_promises() {
    for name in ["passes:3x3", "passes:1x2", "passes:4x3"] {
        let game = passes(name);
        assert_eq!(game.name(), name);
        for positions in [playouts(&game, 20, 40, 1), numbered(&game, 500, 2)] {
            check_game(&game, &positions);
            check_dense(&game, &positions);
        }
        check_show(&game, &playouts(&game, 20, 40, 3));
        check_counts(&game);
    }
}

#[test]
fn a_pass_leaves_the_board_to_the_other_player() {
    let game = passes("passes:3x3");
    let after = |position: &str| {
        let position = game.parse_position(position).unwrap();
        let text =
            |(turn, next)| format!("{} {}", game.turn_text(&position, &turn), game.position_text(&next));
        game.turns(&position).into_iter().map(text).collect::<Vec<_>>()
    };
    // The other player sees the board turned.
    assert_eq!(after(".O./.../X.."), ["pass ..O/.../.X.", "a1a2 .../..O/.X."]);
    // A blocked player has to pass. After the end there is no pass.
    assert_eq!(after("O../X../..."), ["pass .../..O/..X"]);
    assert!(after(".../..X/.O.").is_empty());
}
