//! The move-wasting gadget, with all turns of both sides: White must use both moves there, and then
//! Black has exactly one push.

use std::collections::HashSet;

use retrograde_generalised::reductions::{Cell, Position, Side};

/// The gadget with Black to move: White has pushed elsewhere, so the black king does not have the anchor.
fn unanchored(position: &Position) -> Position {
    let mut position = position.clone();
    if let Some(king) = position.find(|square| square == Cell::BlackAnchored) {
        position.set(king, Cell::BlackKing);
    }
    position
}

/// The only arrangement of White that does not lose immediately, and the only one that Black can
/// make from it.
fn forced(position: &Position) -> (Position, Position) {
    let safe: Vec<Position> = position
        .after_moves(Side::White, 2)
        .into_iter()
        .map(|moved| unanchored(&moved))
        .filter(|moved| moved.turns(Side::Black).iter().all(|(_, ejected)| ejected.is_none()))
        .collect();
    let [safe] = &safe[..] else { panic!("{} safe arrangements", safe.len()) };
    let replies: HashSet<Position> = safe.turns(Side::Black).into_iter().map(|(after, _)| after).collect();
    let replies: Vec<Position> = replies.into_iter().collect();
    let [reply] = &replies[..] else { panic!("{} replies", replies.len()) };
    (safe.clone(), reply.clone())
}

/// Section 4.1: the four positions of figure 4.3 follow one another, and the first follows the fourth.
#[test]
fn everything_is_forced() {
    let text = include_str!("../../../gadgets/waste.board");
    let start = Position::parse(text.split_once('\n').unwrap().1).unwrap();
    // Both moves are needed: with fewer, White loses, too.

    let fewer = start.after_moves(Side::White, 1);
    assert!(fewer.len() > 3);
    for moved in fewer {
        assert!(unanchored(&moved).turns(Side::Black).iter().any(|(_, ejected)| ejected.is_some()));
    }
    let (one, two) = forced(&start);
    let (three, four) = forced(&two);
    assert_eq!(four, start);
    let king = |position: &Position| position.find(Cell::is_king).unwrap().column;
    assert_eq!([&start, &one, &two, &three].map(king), [4, 4, 3, 3]);
}
