//! The move-wasting gadgets alone, with all turns of both sides.

use std::collections::HashSet;

use retrograde_generalised::reductions::qbf::move_wasting;
use retrograde_generalised::reductions::{Cell, Direction, Place, Position, Side};

/// The gadget with Black to move: White has pushed elsewhere, so no black king has the anchor.
fn unanchored(position: &Position) -> Position {
    let mut position = position.clone();
    if let Some(king) = position.find(|square| square == Cell::BlackAnchored) {
        position.set(king, Cell::BlackKing);
    }
    position
}

/// Black's turns, each once; `None` if Black can eject a white pawn.
fn harmless_turns(position: &Position, moves: usize) -> Option<HashSet<Position>> {
    let turns = unanchored(position).turns(Side::Black, moves);
    turns.into_iter().map(|(after, ejected)| ejected.is_none().then_some(after)).collect()
}

/// The only arrangement of White that does not lose immediately, after exactly `moves` moves, with Black's turns.
fn forced(position: &Position, moves: usize) -> (Position, HashSet<Position>) {
    let fewer = position.after_moves(Side::White, moves - 1);
    assert!(fewer.iter().all(|moved| harmless_turns(moved, moves).is_none()), "{position}");
    let mut safe: Vec<_> = position
        .after_moves(Side::White, moves)
        .into_iter()
        .filter_map(|moved| harmless_turns(&moved, moves).map(|turns| (moved, turns)))
        .collect();
    assert_eq!(safe.len(), 1, "{position}");
    safe.remove(0)
}

/// Section 4.1: the four positions of figure 4.3 follow one another, and the first follows the fourth.
#[test]
fn everything_is_forced_in_the_gadget_of_the_paper() {
    let text = include_str!("../../../gadgets/waste.board");
    let start = Position::parse(text.split_once('\n').unwrap().1).unwrap();
    let mut position = start.clone();
    let king = |position: &Position| position.find(Cell::is_king).unwrap().column;
    for column in [4, 3] {
        let (safe, turns) = forced(&position, 2);
        assert_eq!([&position, &safe].map(king), [column, column]);
        assert_eq!(turns.len(), 1);
        position = turns.into_iter().next().unwrap();
    }
    assert_eq!(position, start);
}

/// The gadget for a number of moves next to white pawns, two columns of the rest of a board.
fn beside_pawns(moves: usize) -> Position {
    let gadget = move_wasting(moves);
    let mut position = Position::filled(2, gadget.columns() + 2, Cell::WhitePawn);
    for place in gadget.places() {
        position.set(Place::new(place.row, place.column + 2), gadget.at(place));
    }
    position.rail_everywhere();
    for place in gadget.places().filter(|&place| place.row == 0 && gadget.at(place) != Cell::Void) {
        position.open(Place::new(place.row, place.column + 2), Direction::North);
    }
    position
}

/// The left columns of the units.
fn units(position: &Position) -> Vec<usize> {
    let above = |column| position.at(Place::new(0, column)) != Cell::Void;
    (3..position.columns() - 1).filter(|&column| !above(column - 1) && above(column)).collect()
}

/// The picture on the page about reductions shows the gadget for three moves.
#[test]
fn the_file_is_the_gadget_for_three_moves() {
    let text = include_str!("../../../gadgets/train.board");
    assert_eq!(text.split_once('\n').unwrap().1, move_wasting(3).to_string());
}

/// White must use every move, and then a locomotive can bring about the position at the other end
/// of the corridor.
#[test]
fn the_train_takes_every_move() {
    for moves in 1..=4 {
        let start = beside_pawns(moves);
        let units = units(&start);
        assert_eq!(units.len(), moves);
        let mut position = start.clone();
        for (locomotive, direction) in [(position.columns() - 1, Direction::West), (2, Direction::East)] {
            let (safe, turns) = forced(&position, moves);
            let mut pushed = unanchored(&safe);
            assert_eq!(pushed.push(Place::new(1, locomotive), direction), Some(None));
            assert!(turns.contains(&pushed));
            position = pushed;
        }
        assert_eq!(position, start);
    }
}

/// The answer of White from the proof: at most one move in each unit.
fn answer(position: &Position) -> (Position, usize) {
    let mut answer = position.clone();
    let mut moves = 0;
    for left in units(position) {
        let at = |row, column| position.at(Place::new(row, column));
        let Some(column) = [left, left + 1].into_iter().find(|&column| at(0, column) == Cell::WhitePawn)
        else {
            continue;
        };
        let other = left + left + 1 - column;
        let to = match at(1, column) {
            Cell::Empty => Place::new(1, column),
            Cell::BlackKing | Cell::BlackAnchored if at(1, other) == Cell::Empty => Place::new(1, other),
            Cell::BlackKing | Cell::BlackAnchored => Place::new(0, other),
            _ => continue,
        };
        let from = Place::new(0, column);
        assert!(position.destinations(from).contains(&to), "{position}");
        answer.set(from, Cell::Empty);
        answer.set(to, Cell::WhitePawn);
        moves += 1;
    }
    (answer, moves)
}

/// Against all play of Black, White has enough moves to prevent an ejection in Black's next turn. Returns the number of
/// positions with White to move.
fn assert_never_wins(moves: usize) -> usize {
    let mut all = vec![beside_pawns(moves)];
    let mut seen: HashSet<Position> = all.iter().cloned().collect();
    let mut next = 0;
    while let Some(position) = all.get(next) {
        next += 1;
        let (answer, used) = answer(position);
        assert!(used <= moves);
        let turns = harmless_turns(&answer, moves);
        for after in turns.unwrap_or_else(|| panic!("{position}{answer}")) {
            if seen.insert(after.clone()) {
                all.push(after);
            }
        }
    }
    all.len()
}

#[test]
fn the_train_never_wins() {
    assert_eq!([1, 2, 3].map(assert_never_wins), [20, 276, 4124]);
}

#[test]
#[ignore = "takes a quarter of a minute"]
fn the_train_never_wins_with_four_moves() {
    assert_eq!(assert_never_wins(4), 63_016);
}
