//! Motions of pieces in a turn: moves around others, a row that is pushed, a piece that falls, and
//! the anchor.

use retrograde_game::{Edge, Game, GridSquare, Motion, Picture, Seat, Show, conformance};
use retrograde_pushfight::PushFight;
use retrograde_testkit::push_fight as game;

/// A motion as text: `d1 c1 b1 a2`, `c3 falls right`, `b2 appears`, `anchor d4 c2`.
fn words(picture: &Picture, motion: &Motion) -> String {
    let name = |place: &GridSquare| picture.name(*place);
    match motion {
        Motion::Slide { from, via, to } => {
            let squares: Vec<String> = [from].into_iter().chain(via).chain([to]).map(name).collect();
            squares.join(" ")
        }
        Motion::Leave { from, toward: Some(side) } => format!("{} falls {side:?}", name(from)),
        Motion::Leave { from, toward: None } => format!("{} is taken off", name(from)),
        Motion::Appear { to, piece } => format!("{} {}", piece.letter, name(to)),
        Motion::Anchor { from, to } => {
            let from = from.as_ref().map_or("nowhere".to_owned(), name);
            format!("anchor {from} {}", name(to))
        }
    }
}

fn motions(game: &PushFight, position: &str, turn: &str) -> Vec<String> {
    let position = game.parse_position(position).unwrap();
    let turn = game.parse_turn(&position, turn).unwrap();
    let picture = game.picture(&position, Seat::First);
    let step = |step: &Vec<Motion>| {
        let words: Vec<String> = step.iter().map(|motion| words(&picture, motion)).collect();
        words.join(", ")
    };
    game.motions(&position, &turn, Seat::First).iter().map(step).collect()
}

#[test]
fn pieces_go_around_others_and_a_row_is_pushed_together() {
    let game = game("pushfight");
    assert_eq!(
        motions(&game, ".OX.....oxY....Oox.....OX.", "d1-a2,d3-c3,c2-d2"),
        ["d1 c1 b1 b2 a2", "d3 c3", "c2 d2, d2 e2, e2 f2, anchor f3 d2"]
    );
}

#[test]
fn the_last_piece_of_a_row_falls() {
    let game = game("pushfight:mini,pushers=1,pawns=1");
    let position = "........Ox.Y.o";
    assert_eq!(motions(&game, position, "e2-f2"), ["e2 f2, f2 falls Right, anchor c1 f2"]);
    let first = game.parse_position(position).unwrap();
    let turn = game.parse_turn(&first, "e2-f2").unwrap();
    let after = game.picture(&game.play(&first, &turn), Seat::Second);
    assert_eq!(after.off_board.iter().map(|piece| piece.letter).collect::<Vec<_>>(), ['x']);
    assert!(matches!(
        game.motions(&first, &turn, Seat::Second)[0][1],
        Motion::Leave { toward: Some(Edge::Right), .. }
    ));
}

#[test]
fn pieces_that_are_placed_appear() {
    let game = game("pushfight:mini,pushers=1,pawns=1");
    let text = game.position_text(&game.start());
    let (turn, _) = game.turns(&game.start()).remove(0);
    let turn = game.turn_text(&game.start(), &turn);
    let seen = motions(&game, &text, &turn);
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert!(seen[0].contains("O ") && seen[0].contains("o "), "{seen:?}");
}

#[test]
fn motions_lead_through_whole_games() {
    for name in ["pushfight:mini,pushers=1,pawns=1", "pushfight:mini", "pushfight,moves=0"] {
        let game = game(name);
        conformance::check_show(&game, &conformance::playouts(&game, 3, 12, 4));
    }
}
