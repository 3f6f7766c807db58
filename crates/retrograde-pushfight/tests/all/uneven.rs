//! Sides with different pieces: promises, numbering, which side has lost a piece, and parsing.

use std::collections::HashSet;

use retrograde_game::{Dense, Game, Index, Random, conformance};
use retrograde_pushfight::{PieceCounts, PushFight};
use retrograde_testkit::{drawing, push_fight};

use crate::common::{built_in, check, check_counts, from_file};

fn game(text: &str) -> PushFight {
    from_file("pushfight:x.board", text).unwrap()
}

/// A hole, some rails, no symmetry: one pusher against two pushers and a pawn.
const HOLED: &str = "+-+-+ +\n O . x|\n+ + + +\n|. # X\n+ + + +\n . . Y\n+-+ + +\n";
/// No rails: one side has no pawns, the other has three.
const OPEN: &str = "+ + + + +\n O O . .\n+ + + + +\n x x x Y\n+ + + + +\n";
/// With `P`, the side with two pushers is not to move.
const SWAPPED: &str = "+-+-+-+\n P O .\n+ + + +\n . X x\n+-+-+-+\n";
/// A board before the first push.
const FRESH: &str = "moves = 1\n+ + + +\n O . X\n+ + + +\n . x x\n+ + + +\n";

#[test]
fn keeps_its_promises() {
    for text in [HOLED, OPEN, SWAPPED, FRESH] {
        for moves in ["0", "1", "2", "unlimited"] {
            let game = from_file(&format!("pushfight:x.board,moves={moves}"), text).unwrap();
            assert!(game.has_numbering() && game.equal_pieces().is_none(), "{text}");
            check(&game, 60);
        }
    }
    conformance::check_counts(&game(HOLED));
    for name in [
        "pushfight:mini,pushers=1-2,pawns=1-0",
        "pushfight:mini,pushers=2-1,pawns=0-1",
        "pushfight:twocolumn,pushers=3-1,pawns=0-3",
    ] {
        let game = push_fight(name);
        assert_eq!(game.name(), name);
        assert!(game.prelude() > 0 && game.minimized().is_none(), "{name}");
        check(&game, 40);
        // Placements, beginning with the empty board.
        let start = game.index(&game.start()).unwrap();
        assert_eq!(u128::from(start.0) + 1, game.index_count());
    }
}

/// A random drawn board with an anchor and a pusher on each side.
fn random_board(random: &mut Random) -> String {
    loop {
        let (rows, columns) = (1 + random.below(3), 2 + random.below(3));
        let mut anchored = false;
        let mut letter = |_| match *random.choose(&['.', '.', '.', '#', 'O', 'o', 'X', 'x']).unwrap() {
            'X' if !std::mem::replace(&mut anchored, true) => 'Y',
            letter => letter,
        };
        let rows: Vec<String> = (0..rows).map(|_| (0..columns).map(&mut letter).collect()).collect();
        let text = drawing(&rows, || random.below(3) == 0);
        if from_file("pushfight:r.board", &text).is_ok() {
            return text;
        }
    }
}

#[test]
fn random_boards_keep_the_promises() {
    let mut random = Random::new(11);
    let mut uneven = 0;
    for _ in 0..150 {
        let text = random_board(&mut random);
        let game = game(&text);
        uneven += u32::from(game.equal_pieces().is_none());
        check(&game, 12);
        // The numbering is a bijection, and counts agree with lists.
        let count = u64::try_from(game.position_count()).unwrap();
        let all: Vec<_> = (0..count.min(3000)).map(|index| game.position(Index(index)).unwrap()).collect();
        let texts: HashSet<String> = all.iter().map(|position| game.position_text(position)).collect();
        assert_eq!(texts.len(), all.len(), "{text}");
        if count <= 3000 {
            check_counts(&game);
        }
    }
    assert!(uneven > 80, "{uneven}");
}

#[test]
fn positions_of_the_first_player_come_first() {
    let pieces = |pushers, pawns| PieceCounts { pushers, pawns };
    assert_eq!(game(HOLED).sides(), [pieces(1, 0), pieces(2, 1)]);
    assert_eq!(game(OPEN).sides(), [pieces(2, 0), pieces(1, 3)]);
    assert_eq!(game(SWAPPED).sides(), [pieces(1, 1), pieces(2, 0)]);
    assert_eq!(game(FRESH).sides(), [pieces(1, 0), pieces(1, 2)]);
    for text in [HOLED, OPEN, SWAPPED] {
        let game = game(text);
        let all = u64::try_from(game.position_count()).unwrap();
        let own = |index| {
            let position = game.position(Index(index)).unwrap();
            pieces(position.own_pushers.len(), position.own_pawns.len())
        };
        let first = (0..all).take_while(|&index| own(index) == game.sides()[0]).count() as u64;
        assert!(first > 0 && first < all);
        assert!((first..all).all(|index| own(index) == game.sides()[1]));
        assert!(game.index(&game.start()).unwrap().0 < first, "the player who begins is to move");
    }
    // 8 squares: the anchor and the other pusher, a pawn, an own pusher; or two own pushers, an own
    // pawn, the anchor.
    assert_eq!(game(HOLED).position_count(), 8 * 7 * 6 * 5 + 8 * 7 * (6 * 5 / 2));
    // A drawing shows which side has which pieces; a file without pieces specifies it.
    let words = "pushers = 2-1\npawns = 0 - 1\nfirst = a1, a2\nsecond = c1,c2\n\
                 +-+-+-+\n . . .\n+ + + +\n . . .\n+-+-+-+\n";
    let specified = game(words);
    assert_eq!(specified.sides(), [pieces(2, 0), pieces(1, 1)]);
    let turns = specified.turns(&specified.start());
    assert_eq!(turns.len(), 1);
    assert_eq!(specified.turn_text(&specified.start(), &turns[0].0), "O:a2,a1");
    assert_eq!(specified.turns(&turns[0].1).len(), 2);
    check(&specified, 60);
    assert_eq!(built_in("pushfight:mini,pushers=2-2").unwrap().name(), "pushfight:mini");
    assert_eq!(built_in("pushfight:mini,pawns=2-1").unwrap().name(), "pushfight:mini,pawns=2-1");
}

#[test]
fn positions_are_read_for_both_sides() {
    let game = game(HOLED);
    // The first player is to move; the other player is; then the latter lacks a pawn, then a
    // pusher; and the first player lacks the only pusher.
    for text in ["O.x.X..Y", "o.O.Y..O", "..O.Y..O", "..o.Y..O", "..x.X..Y"] {
        let position = game.parse_position(text).unwrap();
        assert_eq!(game.position_text(&position), text);
        let whole = text.chars().filter(|&letter| letter != '.').count() == 4;
        assert_eq!(game.result(&position).is_none(), whole, "{text}");
        assert_eq!(game.index(&position).is_some(), whole, "{text}");
    }
    let turned = game.parse_position("o.O.P..x");
    assert_eq!(turned.unwrap_err().to_string().matches("2 O or P").count(), 1);
    assert_eq!(game.parse_position("x.X.P..X").unwrap(), game.parse_position("o.O.Y..O").unwrap());
    for text in ["O.x.X...", "O.xXX..Y", "Oo..X..Y", "O...Y...", "O.x.X..X"] {
        let read = game.parse_position(text);
        if text == "O.x.X..X" {
            // Before the first push there is no anchor. This position is numbered, because both
            // sides have placed on their halves.
            let index = game.index(&read.unwrap()).unwrap();
            assert!(u128::from(index.0) >= game.position_count());
            continue;
        }
        let error = read.unwrap_err().to_string();
        let pieces = "one side has 1 pusher and no pawns, the other 2 pushers and 1 pawn; found";
        assert!(error.contains(pieces), "{text}: {error}");
    }
}

#[test]
fn impossible_games_are_rejected() {
    for (text, reason) in [
        ("pushers = 2-1-1\n+ +\n .\n+ +", "`pushers` must be a whole number, or two as in `3-2`"),
        ("pawns = -1\n+ +\n .\n+ +", "line 1, column 1: `pawns` must be a whole number"),
        ("pawns = 1-\n+ +\n .\n+ +", "whole number"),
        ("pushers = 2-0\n+ + +\n . .\n+ + +", "each side needs a pusher"),
        ("+ + +\n O x\n+ + +", "each side needs a pusher"),
        (
            "pushers = 4000000000-1\n+ + +\n . .\n+ + +",
            "one side has 4000000000 pushers and 2 pawns, the other 1 pusher and 2 pawns: too many for 2 squares",
        ),
        ("pushers = 1\n+ + + +\n O X X\n+ + + +", "each side has 1 pusher and no pawns; found 1 O, 0 o, 2 X"),
        (
            "pawns = 1-0\n+ + + +\n O X x\n+ + + +",
            "must have 1 pusher and 1 pawn, the other side 1 pusher and no pawns: the drawing has it the other way",
        ),
    ] {
        let error = from_file("pushfight:x.board", text).err();
        assert!(error.as_ref().is_some_and(|error| error.contains(reason)), "{text}: {error:?}");
    }
    for (name, reason) in [
        ("pushfight:mini,pushers=0-1", "`pushers` must be a whole number from 1 to 64, or two as in `3-2`"),
        ("pushfight:mini,pawns=1-x", "not `1-x`"),
        ("pushfight:mini,pawns=+1", "not `+1`"),
        (
            "pushfight:mini,pushers=10-1",
            "one side has 10 pushers and 2 pawns, the other 1 pusher and 2 pawns",
        ),
        ("pushfight:mini,pushers=9", "each side has 9 pushers and 2 pawns: too many for 14 squares"),
    ] {
        let error = built_in(name).err();
        assert!(error.as_ref().is_some_and(|error| error.contains(reason)), "{name}: {error:?}");
    }
}
