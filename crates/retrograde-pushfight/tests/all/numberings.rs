//! The minimized numbering and the counts of plausible positions, compared with the checked
//! examples and with lists.

use std::sync::LazyLock;

use proptest::prelude::*;
use retrograde_game::{Dense, Game, Index, Symmetries};
use retrograde_pushfight::{MinimizedNumbering, OwnPawnNumbers, Position, PushFight};
use retrograde_testkit::{push_fight as game, push_fight_on};

use crate::common::{HOLED, check_counts};

fn turned(game: &PushFight, position: &Position) -> Position {
    game.image(1, position)
}

#[test]
fn the_standard_board_has_the_published_counts() {
    let game = game("pushfight");
    assert_eq!(game.plausible_count(), Some(172_416_263_040));
    assert_eq!(game.plausible_orbits(), Some(86_208_131_520));
    assert_eq!(game.position_orbits(), Some(401_567_166_000 / 2));
    assert_eq!(game.minimized().unwrap().count(), 86_208_131_520);
}

#[test]
fn checked_examples_have_their_minimized_numbers() {
    let game = game("pushfight");
    let minimized = game.minimized().unwrap();
    let mut examples: Vec<(String, String)> = include_str!("data/push-fight-positions.tsv")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.starts_with("position"))
        .map(|line| line.split('\t').collect::<Vec<_>>())
        .map(|fields| (fields[0].to_owned(), fields[3].to_owned()))
        .collect();
    assert_eq!(examples.len(), 180);
    for (position, number) in [
        (".OX.....oxY....Oox.....OX.", "+69810189839"),
        (".OX.....oxX.....Oox...OY..", "-8401495373"),
        ("Ox..xO...X.Y...oO.X...o...", "+85628664413"),
    ] {
        examples.push((position.to_owned(), number.to_owned()));
    }
    for (text, expected) in examples {
        let position = game.parse_position(&text).unwrap();
        let found = minimized.number(&game, &position);
        let written = found.map(|(number, turned)| format!("{}{number}", if turned { '-' } else { '+' }));
        assert_eq!(written.unwrap_or("NA".to_owned()), expected, "{text}");
        if let Some((number, was_turned)) = found {
            let canonical = minimized.position(&game, number).unwrap();
            let image = if was_turned { turned(&game, &canonical) } else { canonical };
            assert_eq!(image, position);
        }
    }
    let first = minimized.position(&game, 0).unwrap();
    assert_eq!(game.index(&first), Some(Index(243_411_482_160)));
    assert_eq!(minimized.position(&game, minimized.count()), None);
}

/// The number of a position, found as those of positions that differ only in the mover's pawns.
fn number_with_others(game: &PushFight, minimized: &MinimizedNumbering, position: &Position) -> Option<u64> {
    let mut numbers = OwnPawnNumbers::default();
    minimized.prepare_own_pawns(game, position, &mut numbers);
    numbers.number(position.own_pawns)
}

/// A board whose one symmetry is the half turn, with a hole and a square with only two neighbours.
const TURNED: &str = "+-+ + +\n . . .\n+ + + +\n|. # .|\n+ + + +\n . . .\n+ + +-+";

#[test]
fn counts_agree_with_lists() {
    let mut numbered = 0;
    let mut together = [0; 2];
    for game in [
        game("pushfight:mini,pushers=1,pawns=1"),
        game("pushfight:mini,pushers=2,pawns=1"),
        game("pushfight:twocolumn,pushers=1,pawns=1"),
        game("pushfight:standard,pushers=1,pawns=0"),
        push_fight_on("pushfight:t.board,pushers=1,pawns=1", TURNED),
        push_fight_on("pushfight:t.board,pushers=2,pawns=0", TURNED),
        push_fight_on("pushfight:b.board,pushers=2,pawns=1", HOLED),
        push_fight_on(
            "pushfight:s.board,pushers=1,pawns=1",
            "+ + + +\n . . .\n+ + + +\n . . .\n+ + + +\n . . .\n+ + + +",
        ),
    ] {
        let orbits = check_counts(&game) as u64;
        let Some(minimized) = &game.minimized() else {
            continue;
        };
        numbered += 1;
        assert_eq!(minimized.count(), orbits, "{}", game.name());
        for number in 0..minimized.count() {
            let position = minimized.position(&game, number).unwrap();
            assert!(game.is_plausible(&position));
            assert_eq!(minimized.number(&game, &position), Some((number, false)), "{}", game.name());
            assert_eq!(minimized.number(&game, &turned(&game, &position)), Some((number, true)));
            for image in [position, turned(&game, &position)] {
                let found = number_with_others(&game, minimized, &image);
                assert!(found.is_none_or(|found| found == number), "{}", game.name());
                together[usize::from(found.is_some())] += 1;
            }
        }
    }
    assert!(numbered >= 3, "{numbered}");
    assert!(together[0] > 100 && together[1] > together[0], "{together:?}");
}

#[test]
fn boards_with_other_symmetries_have_no_minimized_numbering() {
    for name in ["mini", "full"] {
        assert!(game(&format!("pushfight:{name}")).minimized().is_none(), "{name}");
    }
    assert!(push_fight_on("pushfight:b.board,pushers=1,pawns=1", HOLED).minimized().is_none());
    for name in ["twocolumn", "onecolumn", "2k3p"] {
        let game = game(&format!("pushfight:{name}"));
        let minimized = game.minimized().unwrap();
        assert_eq!(Some(u128::from(minimized.count())), game.plausible_orbits(), "{name}");
    }
}

proptest! {
    #[test]
    fn numbers_of_the_standard_board_are_reversible(number in 0_u64..86_208_131_520, index in 0_u64..401_567_166_000) {
        static MADE: LazyLock<(PushFight, MinimizedNumbering)> = LazyLock::new(|| {
            let game = game("pushfight");
            let minimized = game.minimized().unwrap();
            (game, minimized)
        });
        let (game, minimized) = &*MADE;
        let position = minimized.position(game, number).unwrap();
        prop_assert_eq!(minimized.number(game, &position), Some((number, false)));
        prop_assert!(number_with_others(game, minimized, &position).is_none_or(|found| found == number));
        prop_assert!(number_with_others(game, minimized, &turned(game, &position)).is_none_or(|found| found == number));
        let any = game.position(Index(index)).unwrap();
        prop_assert_eq!(game.index(&any), Some(Index(index)));
        prop_assert_eq!(minimized.number(game, &any).is_some(), game.is_plausible(&any));
    }
}
