//! Boards for the tests.

use retrograde_game::{Dense, Flow, Game, GameSpec, Outcome, conformance};
use retrograde_pushfight::PushFight;

/// The game of a name with a built-in board.
pub fn built_in(name: &str) -> Result<PushFight, String> {
    PushFight::from_spec(GameSpec::parse(name).unwrap(), &|_| Err("no files".to_owned()))
        .map_err(|error| error.to_string())
}

/// The game of a name with a board file of this text.
pub fn from_file(name: &str, text: &str) -> Result<PushFight, String> {
    PushFight::from_spec(GameSpec::parse(name).unwrap(), &|_| Ok(text.to_owned()))
        .map_err(|error| error.to_string())
}

/// A ring of eight squares around a hole, with rails at three places.
pub const HOLED: &str = "+-+-+ +\n . . .|\n+ + + +\n|. # .\n+ + + +\n . . .\n+-+ + +";

/// Checks all promises, and that the side that lacks a piece has lost, judging by the letters of
/// the position.
pub fn check(game: &PushFight, most: u64) {
    let positions = conformance::numbered(game, most, 5);
    let played = conformance::playouts(game, 3, 8, 2);
    for positions in [&positions, &played] {
        conformance::check_game(game, positions);
        conformance::check_dense(game, positions);
        conformance::check_show(game, positions);
        conformance::check_planes_are_read(game, &positions[..positions.len().min(20)]);
    }
    let begun: Vec<_> = positions.iter().filter(|position| !position.anchor.is_empty()).copied().collect();
    conformance::check_symmetries(game, &begun);
    conformance::check_predecessors(game, &begun, 3);
    let letters = |text: &str| text.chars().filter(|&letter| letter != '.').count();
    let [first, second] = game.sides();
    let whole = (first.pushers + first.pawns + second.pushers + second.pawns) as usize;
    for position in begun {
        assert_eq!(letters(&game.position_text(&position)), whole);
        let _ = game.each_successor(&position, |next| {
            let lost = letters(&game.position_text(&next)) < whole;
            assert_eq!(game.result(&next), lost.then_some(Outcome::Loss));
            assert_eq!(game.index(&next).is_none(), lost);
            Flow::Continue(())
        });
    }
}
