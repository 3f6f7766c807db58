//! Compares the small model of the rules with the game's own: both have the same turns on small
//! boards of any shape.

use std::collections::BTreeSet;

use proptest::prelude::*;
use retrograde_game::{Flow, Game, GameSpec};
use retrograde_generalised::reductions::{Cell, Direction, Position, Side};
use retrograde_pushfight::PushFight;

/// A king and two pawns per side; Black's king has the anchor.
const PIECES: [Cell; 6] = [
    Cell::WhiteKing,
    Cell::WhitePawn,
    Cell::WhitePawn,
    Cell::BlackAnchored,
    Cell::BlackPawn,
    Cell::BlackPawn,
];

/// Boards of up to 4 × 4 squares, some of them missing, with rails on some edges and pieces anywhere.
fn positions() -> impl Strategy<Value = Position> {
    let cells = prop::collection::vec(0..6_u8, 16).prop_map(|cells| -> Vec<bool> {
        // One in six squares is missing.
        cells.into_iter().map(|cell| cell > 0).collect()
    });
    let order = Just((0..16).collect::<Vec<usize>>()).prop_shuffle();
    (cells, order, any::<u64>()).prop_filter_map("too few squares", |(cells, order, opened)| {
        let mut position = Position::filled(4, 4, Cell::Void);
        let places: Vec<_> = position.places().collect();
        let squares: Vec<_> = order.into_iter().filter(|&at| cells[at]).map(|at| places[at]).collect();
        for (index, &place) in squares.iter().enumerate() {
            position.set(place, PIECES.get(index).copied().unwrap_or(Cell::Empty));
        }
        position.rail_everywhere();
        for (index, place) in places.into_iter().enumerate() {
            for direction in Direction::ALL {
                if position.neighbour(place, direction).is_none()
                    && opened >> (4 * index + direction as usize) & 1 == 1
                {
                    position.open(place, direction);
                }
            }
        }
        (squares.len() > PIECES.len()).then_some(position)
    })
}

/// The letters of the squares in the game's notation, seen by one side.
fn letters(position: &Position, side: Side) -> String {
    let seen = |square: Cell| match (side, square) {
        (Side::White, square) => square.letter(),
        (Side::Black, Cell::WhitePawn) => 'x',
        (Side::Black, Cell::WhiteKing) => 'X',
        (Side::Black, Cell::WhiteAnchored) => 'Y',
        (Side::Black, Cell::BlackPawn) => 'o',
        (Side::Black, Cell::BlackKing) => 'O',
        (Side::Black, square) => square.letter(),
    };
    position
        .places()
        .map(|place| position.at(place))
        .filter(|&square| square != Cell::Void)
        .map(seen)
        .collect()
}

/// The board without its pieces, in the format of the game's loader.
fn board(position: &Position) -> String {
    let mut board = position.clone();
    for place in position.places().filter(|&place| position.at(place).is_piece()) {
        board.set(place, Cell::Empty);
    }
    board.to_string()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn turns_agree_with_the_game(position in positions()) {
        let spec = GameSpec::parse("pushfight:x.board,pushers=1,pawns=2").unwrap();
        let drawing = board(&position);
        let game = PushFight::from_spec(spec, &|_| Ok(drawing.clone()));
        let game = game.unwrap();
        let start = game.parse_position(&letters(&position, Side::White)).unwrap();
        let mut expected = BTreeSet::new();
        let _ = game.each_successor(&start, |next| {
            expected.insert(game.position_text(&next));
            Flow::Continue(())
        });
        let found: BTreeSet<String> =
            position.turns(Side::White, 2).into_iter().map(|(after, _)| letters(&after, Side::Black)).collect();
        prop_assert_eq!(found, expected);
    }
}
