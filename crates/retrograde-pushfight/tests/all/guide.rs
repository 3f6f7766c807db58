//! The guide: sentences for every variant, turns that illustrate them, and reasons why touched
//! squares are not a step.

use retrograde_game::{Game, Seat, Show, conformance};
use retrograde_pushfight::PushFight;
use retrograde_testkit::{push_fight as game, push_fight_on};

use crate::common::HOLED;

/// A board that begins with its pieces and has no rails.
const DRAWN: &str = "+ + + + +\n . O x .\n+ + + + +\n . o X .\n+ + + + +";
/// A board that no piece can leave.
const CLOSED: &str = "+-+-+-+-+\n|. . . .|\n+ + + + +\n|. . . .|\n+-+-+-+-+";

fn games() -> Vec<PushFight> {
    let built_in = ["standard", "mini", "twocolumn", "onecolumn", "2k3p", "full"];
    let mut games: Vec<PushFight> =
        built_in.iter().map(|board| game(&format!("pushfight:{board}"))).collect();
    for keys in ["moves=0", "moves=1", "moves=unlimited", "pushers=1,pawns=0", "pushers=2-1,pawns=1-2"] {
        games.push(game(&format!("pushfight:mini,{keys}")));
    }
    games.push(push_fight_on("pushfight:h.board,pushers=1,pawns=1", HOLED));
    games.push(push_fight_on("pushfight:d.board", DRAWN));
    games.push(push_fight_on("pushfight:c.board,pushers=1,pawns=1", CLOSED));
    games
}

#[test]
fn every_board_shows_its_rules_with_legal_turns() {
    for game in games() {
        conformance::check_guide(&game);
        let guide = game.guide();
        assert!((5..=6).contains(&guide.sentences.len()), "{:?}", guide.sentences);
        let captions: Vec<&str> = guide.examples.iter().map(|example| example.caption.as_str()).collect();
        // The last one wins if pieces can leave the board.
        let wins = captions.iter().any(|caption| caption.contains("wins"));
        assert_eq!(wins, !game.name().starts_with("pushfight:c-"), "{}: {captions:?}", game.name());
        assert!(captions.len() >= 2 || !wins, "{}: {captions:?}", game.name());
        for example in &guide.examples {
            let position = game.parse_position(&example.position).unwrap();
            let turn = game.parse_turn(&position, &example.turn).unwrap();
            let over = game.result(&game.play(&position, &turn)).is_some();
            assert_eq!(over, example.caption.contains("wins"), "{}: {}", game.name(), example.turn);
        }
    }
    assert_eq!(game("pushfight").guide(), game("pushfight").guide(), "the guide is always the same");
    assert_eq!(game("pushfight").guide().examples.len(), 3);
}

#[test]
fn sentences_depend_on_the_variant() {
    let guide_text = |game: &PushFight| game.guide().sentences.join(" ");
    for (keys, sentence) in [
        (
            "",
            "Red and Blue have two pushers (square) and two pawns (round) each; Red places its pieces on the left half",
        ),
        ("", "A turn is up to two moves and then a mandatory push."),
        (
            "",
            "Nothing is pushed over a rail (a thick edge). To win, push an opponent's piece over an edge without",
        ),
        (",moves=0", "A turn is one push; passing is not allowed."),
        (",moves=1", "A turn is an optional move and then a mandatory push"),
        (",moves=3", "up to three moves"),
        (",moves=unlimited", "any number of moves"),
        (",pushers=1,pawns=0", "Red and Blue have one pusher (square) each;"),
        (
            ",pushers=2-1,pawns=1-2",
            "Red has two pushers (square) and one pawn (round), Blue has one pusher (square) and two",
        ),
    ] {
        let text = guide_text(&game(&format!("pushfight:mini{keys}")));
        assert!(text.contains(sentence), "{keys}: {text}");
    }
    assert!(!guide_text(&game("pushfight:mini,moves=0")).contains("A move takes"));
    assert!(!guide_text(&game("pushfight:mini,pawns=0")).contains("pawn"));
    let drawn = guide_text(&push_fight_on("pushfight:d.board", DRAWN));
    assert!(drawn.contains("they are already on the board") && !drawn.contains("rail"), "{drawn}");
    let closed = guide_text(&push_fight_on("pushfight:c.board,pushers=1,pawns=1", CLOSED));
    assert!(closed.contains("No piece can leave this board: a player who cannot push loses."), "{closed}");
}

#[test]
fn exactly_the_squares_that_are_not_a_step_are_rejected() {
    for game in games().into_iter().filter(|game| game.board().square_count() <= 14) {
        let mut positions = conformance::playouts(&game, 2, 6, 7);
        positions.extend(conformance::numbered(&game, 12, 3));
        positions.push(game.start());
        conformance::check_refusals(&game, &positions);
    }
}

#[test]
fn reasons_name_the_rule() {
    let game = game("pushfight:mini,pushers=1,pawns=1");
    let why = |position: &str, prefix: &[&str], squares: &[&str]| {
        let position = game.parse_position(position).unwrap();
        let prefix: Vec<String> = prefix.iter().map(|&step| step.to_owned()).collect();
        game.refusal(&position, Seat::Second, &prefix, squares)
    };
    for (position, squares, reason) in [
        ("xo........OY..", &["b1", "c1"][..], "The anchor holds this row."),
        ("Y....O....x..o", &["b2", "b1"], "A rail stops this row."),
        ("Y...oO....x...", &["b2", "a2"], "Your own piece would fall off the board."),
        ("Y...oO....x...", &["b1"], "This piece is Red's."),
        ("Y...oO....x...", &["a2", "b2"], "Pawns cannot push."),
        ("Y...oO....x...", &["b2", "b3", "c3"], "A step has two squares."),
        ("Y....O....x...", &["b2"], "The game is over."),
        ("..............", &["e2"], "Blue places its pieces on the left half of the board."),
        ("..............", &["a2", "a2"], "There is already a piece on that square."),
        ("..............", &["a2", "b2", "c2"], "All pieces are placed."),
    ] {
        assert_eq!(why(position, &[], squares).as_deref(), Some(reason), "{position} {squares:?}");
    }
    // The pawn is shut in, and so is the pusher after it has moved away from all other pieces.
    assert_eq!(
        why("....Ox...o.Y..", &["f2-e2", "e2-f2"], &["f2"]).as_deref(),
        Some("No moves are left, and pawns cannot push.")
    );
    assert_eq!(why("....Ox...o.Y..", &["f2-e2"], &["a2", "b2"]), None);
}
