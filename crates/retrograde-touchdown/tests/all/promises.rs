//! Checks every promise of every trait on small and odd boards, for whole numberings.

use retrograde_game::conformance::{
    check_counts, check_dense, check_game, check_graded, check_graded_images, check_guide, check_layered,
    check_packed, check_planes_are_read, check_predecessors, check_refusals, check_show, check_symmetries,
    numbered, playouts,
};
use retrograde_game::{Dense, Game, GameSpec, Index, Layered, Outcome, Seat, Show};
use retrograde_touchdown::TouchDown;

fn check(columns: u32, rows: u32) {
    let game = TouchDown::new(columns, rows).unwrap();
    assert!(game.has_numbering(), "{}", game.name());
    for positions in [playouts(&game, 300, 100, 1), numbered(&game, 3000, 2)] {
        check_game(&game, &positions);
        check_dense(&game, &positions);
        check_graded(&game, &positions);
        check_graded_images(&game, &positions);
        check_packed(&game, &positions);
        check_symmetries(&game, &positions);
        check_predecessors(&game, &positions, 3);
    }
    let positions = playouts(&game, 300, 100, 3);
    check_show(&game, &positions);
    check_planes_are_read(&game, &positions[..positions.len().min(100)]);
    check_guide(&game);
    let some: Vec<_> = positions.into_iter().step_by(11).take(20).collect();
    check_refusals(&game, &some);
    if game.index_count() <= 1 << 20 {
        check_counts(&game);
        check_layered(&game);
    }
}

#[test]
fn every_board_has_a_guide() {
    for (columns, rows, sentences, examples) in
        [(4, 4, 5, 3), (6, 3, 5, 3), (3, 2, 5, 2), (1, 5, 4, 1), (1, 2, 4, 0)]
    {
        let guide = TouchDown::new(columns, rows).unwrap().guide();
        assert_eq!(
            (guide.sentences.len(), guide.examples.len()),
            (sentences, examples),
            "{columns} x {rows}"
        );
    }
    let game = TouchDown::new(5, 4).unwrap();
    let guide = game.guide();
    assert!(
        guide.sentences[0].contains("five columns and four rows; Red moves first, with five pawns"),
        "{guide:?}"
    );
    // The last example is a win.
    let last = guide.examples.last().unwrap();
    let position = game.parse_position(&last.position).unwrap();
    let next = game.play(&position, &game.parse_turn(&position, &last.turn).unwrap());
    assert_eq!(game.result(&next), Some(Outcome::Loss));
}

#[test]
fn tiny_boards_keep_their_promises() {
    for columns in 1..=4 {
        for rows in 2..=4 {
            check(columns, rows);
        }
    }
}

#[test]
fn odd_boards_keep_their_promises() {
    for (columns, rows) in [(1, 32), (3, 5), (5, 2), (2, 9), (5, 3), (8, 2), (5, 4)] {
        check(columns, rows);
    }
}

#[test]
fn the_longest_board_keeps_its_promises() {
    let game = TouchDown::new(1, 64).unwrap();
    let positions = numbered(&game, 3000, 2);
    check_game(&game, &positions);
    check_dense(&game, &positions);
    check_graded(&game, &positions);
    check_show(&game, &positions[..100]);
    check_counts(&game);
}

#[test]
fn large_boards_play_without_a_numbering() {
    for (columns, rows) in [(8, 8), (32, 2), (9, 7), (16, 4)] {
        let game = TouchDown::new(columns, rows).unwrap();
        assert!(!game.has_numbering(), "{}", game.name());
        assert!(game.index_count() > 0 && game.index_count() < game.position_count());
        let positions = playouts(&game, 30, 500, 1);
        check_game(&game, &positions);
        check_graded(&game, &positions);
        check_symmetries(&game, &positions);
        check_show(&game, &positions);
        assert!(positions.iter().all(|position| game.index(position).is_none()));
        assert_eq!((game.position(Index(0)), game.layer_count()), (None, 0));
    }
}

#[test]
fn every_index_of_the_four_by_four_board_is_reversible() {
    let game = TouchDown::new(4, 4).unwrap();
    let count = u64::try_from(game.index_count()).unwrap();
    for index in 0..count {
        let position = game.position(Index(index)).unwrap();
        assert_eq!(game.index(&position), Some(Index(index)));
        assert!(game.result(&position).is_none() && game.place(position.own(), position.other()).is_some());
    }
}

#[test]
fn sizes_are_rejected_with_a_reason() {
    for (columns, rows) in [(0, 4), (4, 1), (13, 5), (u32::MAX, u32::MAX)] {
        assert!(TouchDown::new(columns, rows).is_err());
    }
    for (text, reason) in [
        ("touchdown:4x1", "two rows"),
        ("touchdown:9x8", "from 1 to 64 squares"),
        ("touchdown:4", "columns x rows"),
        ("touchdown,fast", "no options"),
    ] {
        let error = TouchDown::from_spec(GameSpec::parse(text).unwrap()).unwrap_err().to_string();
        assert!(error.contains(reason), "{error}");
    }
    let name = |text| TouchDown::from_spec(GameSpec::parse(text).unwrap()).unwrap().name();
    assert_eq!([name("touchdown"), name("touchdown:1x64")], ["touchdown:4x4", "touchdown:1x64"]);
}

#[test]
fn texts_are_rejected_with_a_reason() {
    let game = TouchDown::new(4, 4).unwrap();
    for (text, reason) in [
        ("", "16 more squares"),
        ("OOOO/..../..../XXX", "1 more square"),
        ("OOOO/..../..../XXXX/", "expected the end"),
        ("OOOO/...../..../XXX", "`/` between two rows"),
        ("OOOO/...x/..../XXXX", "one of `X`, `O` or `.`"),
        ("OOO//..../..../XXXX", "one of `X`, `O` or `.`"),
        ("/OOOO/..../..../XXXX", "one of `X`, `O` or `.`"),
        ("OOOO/O.../..../XXXX", "5 pawns `O`"),
        ("OOOO/..../X.../XXXX", "5 pawns `X`"),
        ("OOOX/..../..../XXX.", "last row"),
        ("..../..../..../XXX.", "at least one pawn"),
    ] {
        let error = game.parse_position(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    // A board has the first player's letters and orientation, whoever is to move.
    for (board, seat, reason) in [
        ("..../.O../.X../.O..", Seat::First, ""),
        ("..../.O../.X../.O..", Seat::Second, "a pawn `O` on its last row has already won, so `O` cannot"),
        (".X../.O../.X../....", Seat::First, "a pawn `X` on its last row has already won, so `X` cannot"),
        (".X../.O../.X../....", Seat::Second, ""),
        ("..../.X../..../....", Seat::First, "`O` has just moved, so it needs at least one pawn"),
        ("..../.X../..../....", Seat::Second, ""),
        ("..../.O../..../....", Seat::Second, "`X` has just moved, so it needs at least one pawn"),
    ] {
        match game.parse_board(board, seat) {
            Ok(position) => assert_eq!((game.board_text(&position, seat), reason), (board.to_owned(), "")),
            Err(error) => assert!(!reason.is_empty() && error.to_string().contains(reason), "{error}"),
        }
    }
    assert_eq!(game.parse_position("OOOO........XXXX"), Ok(game.start()));
    let position = game.parse_position("...O/..OO/.X../XX..").unwrap();
    for (text, reason) in [
        ("", "a column from `a` to `d`"),
        ("e1e2", "a column"),
        ("a5a6", "a row from 1 to 4"),
        ("a01a2", "a row"),
        ("a1", "ends too early"),
        ("a1a2 ", "expected the end"),
        ("c1c2", "no pawn on c1"),
        ("b1b2", "occupied"),
        ("b2a3", "no opponent's pawn on a3"),
        ("a1a3", "one row forward"),
    ] {
        let error = game.parse_turn(&position, text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text}: {error}");
    }
    let lost = game.parse_position("..../..../..../XXXO").unwrap();
    assert!(game.parse_turn(&lost, "a1a2").unwrap_err().to_string().contains("over"));
}
