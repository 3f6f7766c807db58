//! The codes of all squares, `.` 0, `o` 1, `O` 2, `x` 3, `X` 4, `Y` 5, as three sets of squares,
//! one for each binary digit. Numberings rank codes, and this form converts quickly from and to
//! positions.

use retrograde_game::{Square, Squares};

use crate::Position;

/// The squares whose code has the binary digit 1, 2 or 4.
#[derive(Clone, Copy)]
pub(crate) struct Codes([Squares; 3]);

impl Codes {
    #[inline]
    pub(crate) fn of(position: &Position) -> Codes {
        Codes([
            position.own_pawns | position.other_pawns | position.anchor,
            position.own_pushers | position.other_pawns,
            position.other_pushers,
        ])
    }

    /// The code of a square.
    #[inline]
    pub(crate) fn at(&self, square: Square) -> u8 {
        let digit = |digit: usize| u8::from(self.0[digit].contains(square));
        digit(0) | digit(1) << 1 | digit(2) << 2
    }

    /// Creates codes from the sets of squares by binary digits.
    #[inline]
    pub(crate) fn from_digits([one, two, four, _]: [u64; 4]) -> Codes {
        Codes([one, two, four].map(Squares))
    }

    /// Inserts a square with a code; later squares move up.
    #[inline]
    pub(crate) fn insert(&mut self, square: Square, code: u8) {
        for (digit, set) in self.0.iter_mut().enumerate() {
            let below = set.0 & ((1 << square.0) - 1);
            *set = Squares(below | (set.0 ^ below) << 1 | u64::from(code >> digit & 1) << square.0);
        }
    }

    /// Removes consecutive squares; later squares move down.
    #[inline]
    pub(crate) fn remove(&mut self, start: Square, length: u8) {
        for set in &mut self.0 {
            *set = without_run(*set, start, length);
        }
    }

    /// The codes after a half turn of a board of `count` squares.
    #[inline]
    pub(crate) fn rotated(self, count: usize) -> Codes {
        Codes(self.0.map(|set| set.rotated(count as u32)))
    }

    /// The squares that are not empty.
    #[inline]
    pub(crate) fn occupied(self) -> Squares {
        self.0[0] | self.0[1] | self.0[2]
    }

    #[inline]
    pub(crate) fn position(self) -> Position {
        let [one, two, four] = self.0;
        Position {
            own_pawns: one & !two & !four,
            own_pushers: two & !one,
            other_pawns: one & two,
            other_pushers: four,
            anchor: four & one,
        }
    }
}

/// A set without consecutive squares; later squares move down.
#[inline]
pub(crate) fn without_run(set: Squares, start: Square, length: u8) -> Squares {
    let below = (1 << start.0) - 1;
    Squares(set.0 & below | set.0 >> length & !below)
}
