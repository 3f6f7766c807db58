//! Boards for the tests.

use std::collections::HashSet;

use retrograde_game::{Dense, Flow, Game, GameSpec, Index, Outcome, Symmetries, conformance};
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

/// Checks the counts of positions and of plausible ones against lists. Returns the number of plausible orbits.
pub fn check_counts(game: &PushFight) -> usize {
    let all = u64::try_from(game.position_count()).unwrap();
    let positions: Vec<_> = (0..all).map(|index| game.position(Index(index)).unwrap()).collect();
    let smallest = |position: &_| {
        (0..game.symmetry_count()).map(|by| game.index(&game.image(by, position)).unwrap()).min()
    };
    let orbits: HashSet<_> = positions.iter().map(smallest).collect();
    let plausible: Vec<_> = positions.iter().filter(|position| game.is_plausible(position)).collect();
    let plausible_orbits: HashSet<_> = plausible.iter().map(|&position| smallest(position)).collect();
    assert_eq!(game.position_orbits(), Some(orbits.len() as u128), "{}", game.name());
    assert_eq!(game.plausible_count(), Some(plausible.len() as u128), "{}", game.name());
    assert_eq!(game.plausible_orbits(), Some(plausible_orbits.len() as u128), "{}", game.name());
    plausible_orbits.len()
}
