//! Positions and boards as people write them: rows with coordinates, drawings and board files, and
//! the errors in them.

use proptest::prelude::*;
use retrograde_game::{Game, Seat, Show};
use retrograde_testkit::push_fight as game;

use crate::common::from_file;

const LINE: &str = ".OX.....oxY....Oox.....OX.";

const STANDARD: &str = "+ + +-+-+-+-+-+ +
 # # . O X . . #
+ + + + + + + + +
 . . . o x Y . .
+ + + + + + + + +
 . . O o x . . .
+ + + + + + + + +
 # . . O X . # #
+ +-+-+-+-+-+ + +
";

#[test]
fn positions_are_read_in_every_form() {
    let game = game("pushfight");
    let position = game.parse_position(LINE).unwrap();
    let with_coordinates = "
  abcdefgh
4   .OX..  4
3 ...oxY.. 3
2 ..Oox... 2
1  ..OX.   1
  abcdefgh
";
    let rows = "   .OX..\n ...oxY..\n ..Oox...\n  ..OX.";
    let one_line = STANDARD.trim_end().replace('\n', "/");
    for text in [with_coordinates, rows, STANDARD, &one_line] {
        assert_eq!(game.parse_position(text).unwrap(), position, "{text}");
    }
    let labels_on_one_side = "4 .OX..\n3 ...oxY..\n2 ..Oox...\n1 ..OX.\n  abcdefgh";
    assert_eq!(game.parse_position(labels_on_one_side).unwrap(), position);
    for (text, reason) in [
        ("4 .OX..\n3 ...oxY.\n2 ..Oox...\n1 ..OX.", "8 squares in row 3"),
        ("4 .OX...\n3 ...oxY..\n2 ..Oox...\n1 ..OX.", "5 squares in row 4"),
        (".OX..\n...oxY..\n..Oox...", "1 more row"),
        (".OX..\n...oxY..\n..Oox...\n..OX.\n.", "the end after 4 rows"),
        (".OX..\n...ozY..\n..Oox...\n..OX.", "found 'z'"),
        ("+ +\n .\n+ +", "another board"),
        ("+ + +\n . ?\n+ + +", "line 2, column 4"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
}

#[test]
fn a_board_file_is_a_game() {
    let same = from_file("pushfight:dir/my.board", STANDARD).unwrap();
    assert_eq!(same.position_text(&same.start()), LINE, "the game starts with the drawn pieces");
    assert_eq!(same.position_count(), game("pushfight").position_count());
    assert!(same.name().starts_with("pushfight:my-"), "{}", same.name());
    let empty = STANDARD.replace(|c: char| c.is_ascii_alphabetic(), ".");
    assert_eq!(game("pushfight").board_drawing(), empty);

    let small = "name = odd\nmoves = 1\npushers = 1\npawns=1\n\nfirst = a1, a2\nsecond = c1,c2\n\
                 +-+-+-+\n . . .\n+ + + +\n . . .\n+-+-+-+\n";
    let small = from_file("pushfight:x.board", small).unwrap();
    assert!(small.name().starts_with("pushfight:odd-") && !small.name().contains(','), "{}", small.name());
    assert_eq!(small.turns(&small.start()).len(), 2);
    assert!(small.parse_turn(&small.start(), "O:a1 o:a2").is_ok());
    assert!(small.parse_turn(&small.start(), "O:a1 o:b2").is_err());
    // Different files are different games.
    let other = from_file("pushfight:x.board,pushers=1,pawns=1", "+ + +\n . .\n+ + +\n . .\n+ + +").unwrap();
    assert_ne!(small.name(), other.name());
}

#[test]
fn a_large_drawn_board_plays_without_a_placement_phase() {
    let row = |text: &str| format!(" {text}\n");
    let corners = format!("+{}\n", " +".repeat(8));
    let mut text = corners.clone();
    for line in [
        "O O O O . . . .",
        "o o . . . . . .",
        ". . . . . . . .",
        ". . x O . . . .",
        ". . X x X X X Y",
        ". . . . . . . .",
        ". . . . . . . .",
        ". . . . . . . .",
    ] {
        text += &row(line);
        text += &corners;
    }
    let game = from_file("pushfight:big.board", &text).unwrap();
    let start = game.start();
    assert_eq!(start.own_pushers.len(), 5);
    assert!(!game.has_numbering() || game.position_count() > 0);
    assert!(!game.turns(&start).is_empty());
    assert!(game.parse_position(&".".repeat(64)).is_err(), "no pieces can be placed");
}

#[test]
fn only_the_player_who_begins_has_placed_alone_and_on_its_half() {
    let game = game("pushfight:mini");
    let placed = game.parse_position("XX..xx........").unwrap();
    assert_eq!(game.placing_half(&placed), Some(1));
    for text in ["..Xx...X.x....", "..XX....xx....", "XX..x..x......"] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains("must place all pieces on its half"), "{text}: {error}");
    }
    // With an anchor, the side to move has lost its only piece.
    let game = self::game("pushfight:mini,pushers=1,pawns=0");
    assert_eq!(
        game.result(&game.parse_position("...Y..........").unwrap()),
        Some(retrograde_game::Outcome::Loss)
    );
}

#[test]
fn boards_have_the_letters_of_the_first_player() {
    let game = game("pushfight:mini,pushers=1,pawns=1");
    for board in ["....Oo........", "....Oo.X.x....", "....oP.X.x....", ".............."] {
        let position = game.parse_board(board, Seat::Second).unwrap();
        assert_eq!(game.board_text(&position, Seat::Second), board);
    }
    let error = game.parse_board("....XO........", Seat::Second).unwrap_err().to_string();
    assert!(error.contains("found 1 O, 0 o, 1 X or Y, and 0 x"), "{error}");
    // In the text of a position, the letters are those of the side to move.
    assert!(game.parse_position("....Oo........").is_err());
}

#[test]
fn invalid_board_files_are_rejected_with_the_place() {
    let edge = "+ ".repeat(66);
    let wide = format!("{}\n{}\n{}", edge.trim_end(), " .".repeat(65), edge.trim_end());
    for (text, reason) in [
        ("", "2H + 1 lines"),
        (wide.as_str(), "up to 64 squares; this one has 65"),
        ("+ +\n .\n", "2H + 1 lines"),
        ("moves\n+ +\n .\n+ +", "line 1, column 1: expected `key = value`"),
        ("moves = 1\nmoves = 2\n+ +\n .\n+ +", "line 2, column 1: `moves` appears twice"),
        ("colour = red\n+ +\n .\n+ +", "expected one of name"),
        ("pushers = many\n+ +\n .\n+ +", "whole number"),
        ("moves = many\n+ + +\n . .\n+ + +", "unlimited"),
        ("first = z9\n+ +\n .\n+ +", "no square `z9`"),
        ("first = a1\nsecond = a1\n+ +\n .\n+ +", "share a square"),
        ("first = b1\n+ + +\n . .\n+ + +", "share a square"),
        ("second = a1\n+ + +\n . .\n+ + +", "share a square"),
        ("\n+ + +\n .|.\n+ + +", "line 3, column 3: there is a rail"),
        ("+ + +\n # #\n+ + +", "has no square"),
        ("pushers = 0\n+ + +\n . .\n+ + +", "needs a pusher"),
        ("pushers = 4000000000\n+ + +\n . .\n+ + +", "too many for"),
        ("+ + + +\n O X .\n+ + + +\n Y P .\n+ + + +", "column 4: this is a second anchor"),
        ("pushers=2\n+ + + +\n O O .\n+ + + +\n Y . .\n+ + + +", "found 2 O"),
        ("+ + + +\n . . .\n+ + + +", "too many for"),
    ] {
        let error = from_file("pushfight:x.board", text).err();
        assert!(error.as_ref().is_some_and(|error| error.contains(reason)), "{text}: {error:?}");
    }
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(text in "[-+|.#oOxXYP \n=/a-c0-9]{0,120}") {
        let game = game("pushfight:mini");
        let _ = game.parse_position(&text);
        let _ = game.parse_turn(&game.start(), &text);
        let _ = from_file("pushfight:x.board", &text);
        let _ = from_file("pushfight:x.board", &format!("+ + + +\n{text}\n+ + + +"));
    }
}
