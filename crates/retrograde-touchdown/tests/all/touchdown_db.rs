//! The figures and examples of touchdown_db, recomputed.

use retrograde_game::{Dense, Flow, Game, Index, Layered, Outcome, Seat, Show, Successor};
use retrograde_touchdown::TouchDown;
use retrograde_touchdown::numbering_24_bit::{self, Meaning};

/// Whether the side to move wins, for every index, computed in one pass over the layers.
fn solve(game: &TouchDown) -> Vec<bool> {
    let mut wins = vec![false; usize::try_from(game.index_count()).unwrap()];
    for layer in 0..game.layer_count() {
        for range in game.layer(layer) {
            for index in (range.start.0..range.end.0).rev() {
                let won = game.each_successor_at(Index(index), |next| {
                    let lost = match next {
                        Successor::Terminal(outcome) => outcome == Outcome::Loss,
                        Successor::At(next) => !wins[next.0 as usize],
                        Successor::Again(_) => unreachable!("players alternate"),
                    };
                    if lost { Flow::Break(()) } else { Flow::Continue(()) }
                });
                wins[index as usize] = won.is_break();
            }
        }
    }
    wins
}

/// A reference implementation: the definition of a won position, by recursion.
fn wins(game: &TouchDown, position: &<TouchDown as Game>::Position) -> bool {
    game.turns(position).iter().any(|(_, next)| !wins(game, next))
}

#[test]
fn the_four_by_four_board_has_the_published_wins_and_losses() {
    let game = TouchDown::new(4, 4).unwrap();
    let table = solve(&game);
    let won = table.iter().filter(|&&win| win).count() as u128;
    let unnumbered: u128 = game.unnumbered().iter().map(|(_, count)| count).sum();
    assert_eq!(game.unnumbered().iter().filter(|(outcome, _)| *outcome != Outcome::Loss).count(), 0);
    assert_eq!((won, game.index_count() - won + unnumbered), (220_104, 535_487));
    let value = |text: &str| table[game.index(&game.parse_position(text).unwrap()).unwrap().0 as usize];
    assert!(value("OOOO/..../..../XXXX"));
    assert!(value("...O/..O./..../.XX."));
    assert!(!value("...O/..O./..X./.X.."));
}

#[test]
fn the_published_winning_moves_are_found() {
    let game = TouchDown::new(4, 4).unwrap();
    let winning = |text: &str| -> Vec<(String, bool)> {
        let position = game.parse_position(text).unwrap();
        let turns = game.turns(&position);
        turns.iter().map(|(turn, next)| (game.turn_text(&position, turn), !wins(&game, next))).collect()
    };
    // The README mentions one winning move, but another one wins as well: c1c2 blocks the pawn on
    // c3, and the reply d4d3 loses to c2d3.
    let mut first = winning("...O/..O./..../.XX.");
    first.sort();
    assert_eq!(first, [("b1b2".to_owned(), true), ("c1c2".to_owned(), true)]);
    assert_eq!(winning("...O/..O./..X./.X.."), [("b1b2".to_owned(), false)]);
}

#[test]
fn one_pass_agrees_with_recursion() {
    for (columns, rows) in [(1, 5), (2, 3), (3, 3), (2, 4), (3, 4), (4, 3), (4, 2)] {
        let game = TouchDown::new(columns, rows).unwrap();
        for (index, &win) in solve(&game).iter().enumerate().step_by(3) {
            let position = game.position(Index(index as u64)).unwrap();
            assert_eq!(win, wins(&game, &position), "{}", game.position_text(&position));
        }
    }
}

#[test]
fn numbers_mean_what_the_readme_says() {
    let game = TouchDown::new(4, 4).unwrap();
    let (mut invalid, mut illegal, mut legal) = (0, 0, 0);
    for number in 0..numbering_24_bit::NUMBERS {
        match numbering_24_bit::classify(number) {
            Meaning::Invalid => invalid += 1,
            Meaning::Illegal => illegal += 1,
            Meaning::Legal(position) => {
                legal += 1;
                assert_eq!(numbering_24_bit::number(&position), number);
            }
        }
    }
    assert_eq!((invalid, illegal, legal), (14_509_963, 1_511_662, 755_591));
    assert_eq!(legal, game.position_count());
    assert_eq!(numbering_24_bit::classify(numbering_24_bit::NUMBERS), Meaning::Invalid);
}

#[test]
fn the_requirements_reduce_the_numbers_as_the_readme_says() {
    assert_eq!(numbering_24_bit::counts_by_requirement(), [10_682_368, 4_693_459, 2_267_253]);
}

#[test]
fn the_example_and_its_swap_have_their_numbers() {
    let game = TouchDown::new(4, 4).unwrap();
    let position = game.parse_position("..O./.OX./O..X/X...").unwrap();
    assert_eq!(numbering_24_bit::number(&position), 0x34_1964);
    assert_eq!(numbering_24_bit::classify(0x34_1964), Meaning::Legal(position));
    // The README prints 0x344698, which has one wrong digit: its own board has row 4 `.X..`, bits 0010.
    let swapped = game.parse_position("...O/O..X/.OX./.X..").unwrap();
    assert_eq!(numbering_24_bit::number(&swapped), 0x34_2698);
    assert_eq!(game.board_text(&swapped, Seat::Second), game.position_text(&position));
}
