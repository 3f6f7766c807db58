//! Implements [`Game`] for TouchDown: combines the rules and the notation, and adds grades, codes
//! and the symmetry of the board.

use retrograde_game::{
    Flow, Game, Graded, Layout, Outcome, Packed, Piece, PieceShape, Squares, StepKind, Symmetries, Symmetry,
    TextError,
};

use crate::board::{Position, Turn};
use crate::count;
use crate::rules::TouchDown;

impl Game for TouchDown {
    type Position = Position;
    type Turn = Turn;

    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        format!("touchdown:{}x{}", self.board.columns, self.board.rows)
    }

    fn position_count(&self) -> u128 {
        count::legal(self.board.columns, self.board.rows)
    }

    fn start(&self) -> Position {
        Position { own: self.board.bottom, other: self.board.top }
    }

    fn result(&self, position: &Position) -> Option<Outcome> {
        self.over(*position).then_some(Outcome::Loss)
    }

    fn turns(&self, position: &Position) -> Vec<(Turn, Position)> {
        let mut turns = Vec::new();
        if !self.over(*position) {
            let _ = self.each_turn(*position, |turn, next| {
                turns.push((turn, next));
                Flow::Continue(())
            });
        }
        turns
    }

    fn play(&self, position: &Position, turn: &Turn) -> Position {
        let Turn { from, to } = *turn;
        self.board.swap(position.own.without(from).with(to), position.other.without(to))
    }

    fn each_successor(&self, position: &Position, mut visit: impl FnMut(Position) -> Flow) -> Flow {
        if self.over(*position) {
            return Flow::Continue(());
        }
        self.each_turn(*position, |_, next| visit(next))
    }

    fn wins_now(&self, position: &Position) -> bool {
        let targets = self.board.targets(*position);
        let captures = targets.to_left | targets.to_right;
        !self.over(*position)
            && ((targets.steps | captures).intersects(self.board.top)
                || (!captures.is_empty() && position.other.0.is_power_of_two()))
    }

    /// The first player's pawns are `X` and move up.
    fn layout(&self) -> Option<Layout<'_, Position, Turn>> {
        let layout =
            Layout::new(self.board.grid, Piece::sides(PieceShape::Pawn)).other_view(Symmetry::HalfTurn);
        Some(
            layout
                .begins_with(self.board.columns)
                .unless(|position: &Position| self.fault(position.own, position.other)),
        )
    }

    /// The same as by the layout, but fast: exports write millions.
    fn position_text(&self, position: &Position) -> String {
        self.board.grid.text(['X', 'O'], [position.own, position.other])
    }

    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, TextError> {
        self.read_turn(position, text)
    }

    fn step_kind(&self, _position: &Position, _ends: bool) -> StepKind {
        StepKind::Move
    }
}

impl Graded for TouchDown {
    /// The number of rows that all pawns together still have to go. A step lowers it by one, a
    /// capture also by the rows of the captured pawn.
    fn grade(&self, position: &Position) -> u64 {
        // The bits of the row numbers, each for all pawns at once.
        let last = u64::from(self.board.rows - 1);
        let rows = self.board.row_bits.iter().enumerate().map(|(bit, &squares)| {
            let (own, other) = (position.own & squares, position.other & squares);
            (i64::from(own.len()) - i64::from(other.len())) << bit
        });
        (last * u64::from(position.other.len())).wrapping_add_signed(rows.sum())
    }
}

impl Packed for TouchDown {
    fn is_packed(&self) -> bool {
        self.board.columns * self.board.rows <= SQUARES
    }

    /// Empty, own or the opponent's: one base-3 digit per square.
    #[inline]
    fn pack(&self, position: &Position) -> u64 {
        let (own, other) = (position.own.0.to_le_bytes(), position.other.0.to_le_bytes());
        (0..BYTES).rev().fold(0, |code, byte| {
            let digits =
                u64::from(DIGITS[usize::from(own[byte])]) + 2 * u64::from(DIGITS[usize::from(other[byte])]);
            code * u64::from(BASE) + digits
        })
    }

    #[inline]
    fn unpack(&self, mut code: u64) -> Position {
        let (mut own, mut other) = (0, 0);
        for byte in 0..BYTES {
            let sides = SIDES[(code % u64::from(BASE)) as usize];
            own |= u64::from(sides as u8) << (8 * byte);
            other |= u64::from(sides >> 8) << (8 * byte);
            code /= u64::from(BASE);
        }
        Position { own: Squares(own), other: Squares(other) }
    }
}

/// The number of squares that fit into 64 bits in base 3.
const SQUARES: u32 = 40;
/// The size of a set of this number of squares, in bytes.
const BYTES: usize = SQUARES as usize / 8;
/// The number of states of eight squares.
const BASE: u16 = 3_u16.pow(8);

/// The bits of a byte as digits in base 3.
static DIGITS: [u16; 256] = {
    let mut digits = [0; 256];
    let mut byte = 1;
    while byte < 256 {
        digits[byte] = digits[byte / 2] * 3 + byte as u16 % 2;
        byte += 1;
    }
    digits
};

/// For each state of eight squares, the own squares (the lower byte) and the opponent's.
static SIDES: [u16; BASE as usize] = {
    let mut sides = [0; BASE as usize];
    let mut state = 1;
    while state < BASE as usize {
        sides[state] = (sides[state / 3] << 1 & 0xfefe) | [0, 1, 0x100][state % 3];
        state += 1;
    }
    sides
};

impl Symmetries for TouchDown {
    /// The identity and the reflection that exchanges left and right.
    fn symmetry_count(&self) -> usize {
        2
    }

    fn image(&self, symmetry: usize, position: &Position) -> Position {
        match symmetry {
            0 => *position,
            _ => Position {
                own: self.board.grid.mirror(position.own),
                other: self.board.grid.mirror(position.other),
            },
        }
    }
}
