//! The code of every square, `.` 0, `o` 1, `O` 2, `x` 3, `X` 4, `Y` 5, as three sets of squares: one a binary digit.
//! Between sets of pieces and the numberings.

use crate::Position;

/// The squares whose code has the binary digit 1, 2, 4.
#[derive(Clone, Copy)]
pub(crate) struct Codes([u64; 3]);

impl Codes {
    #[inline]
    pub(crate) fn of(position: &Position) -> Codes {
        let other = position.other_pushers;
        Codes([
            position.own_pawns | position.other_pawns | position.anchor,
            position.own_pushers | position.other_pawns,
            other,
        ])
    }

    /// The code of a square.
    #[inline]
    pub(crate) fn at(&self, square: u8) -> u8 {
        let digit = |digit: usize| (self.0[digit] >> square & 1) as u8;
        digit(0) | digit(1) << 1 | digit(2) << 2
    }

    /// From the sets of squares by binary digits.
    #[inline]
    pub(crate) fn from_digits([one, two, four, _]: [u64; 4]) -> Codes {
        Codes([one, two, four])
    }

    /// Puts a square with a code between the others; from there on they move up.
    #[inline]
    pub(crate) fn insert(&mut self, square: u8, code: u8) {
        for (digit, set) in self.0.iter_mut().enumerate() {
            let below = *set & ((1 << square) - 1);
            *set = below | (*set ^ below) << 1 | u64::from(code >> digit & 1) << square;
        }
    }

    /// Takes some squares in a row out; those after them move down.
    #[inline]
    pub(crate) fn remove(&mut self, start: u8, length: u8) {
        for set in &mut self.0 {
            let below = (1 << start) - 1;
            *set = *set & below | *set >> length & !below;
        }
    }

    /// On a board of `count` squares turned by 180°.
    #[inline]
    pub(crate) fn turned(self, count: usize) -> Codes {
        Codes(self.0.map(|set| set.reverse_bits() >> (64 - count)))
    }

    /// The squares that are not empty.
    #[inline]
    pub(crate) fn occupied(self) -> u64 {
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
