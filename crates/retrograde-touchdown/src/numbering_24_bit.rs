//! The 24-bit numbering of touchdown_db for the 4 × 4 board.
//!
//! Bits 0 to 15 are the occupied squares, bit `row × 4 + column` with row 0 at the top. Bits 16 to
//! 23 show which of the occupied squares, in ascending order, have the mover's pawns. Most numbers
//! belong to no position; touchdown_db's table of statistics counts them, and so does this module.

use retrograde_game::Squares;

use crate::board::Position;
use crate::rules::TouchDown;

/// The number of 24-bit numbers.
pub const NUMBERS: u32 = 1 << 24;

/// The meaning of a number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Meaning {
    /// Not an arrangement with at most four pawns per side.
    Invalid,
    /// An arrangement that cannot occur: the mover has already reached the top row, or the
    /// opponent, who has just moved, has no pawn.
    Illegal,
    /// A legal position.
    Legal(Position),
}

/// Whether a number meets each of the three requirements: at most four pawns `X`, at most four
/// pawns `O`, and no `X` on an empty square.
fn requirements(number: u32) -> [bool; 3] {
    let (occupied, own) = (number & 0xFFFF, (number >> 16) & 0xFF);
    let (all, mine) = (occupied.count_ones(), own.count_ones());
    // Numbers with more pawns `X` than occupied squares meet the second requirement but never the third.
    [mine <= 4, all <= 4 + mine, u64::from(own) < 1_u64 << all]
}

/// The meaning of a number; numbers of more than 24 bits are invalid.
pub fn classify(number: u32) -> Meaning {
    if number >= NUMBERS || requirements(number).contains(&false) {
        return Meaning::Invalid;
    }
    let (occupied, own_bits) = (Squares(u64::from(number & 0xFFFF)), number >> 16);
    let own = occupied.into_iter().enumerate().filter(|(rank, _)| own_bits >> rank & 1 == 1);
    let own = own.map(|(_, square)| square).collect();
    let place = TouchDown::new(4, 4).ok().and_then(|game| game.place(own, occupied & !own));
    place.map_or(Meaning::Illegal, Meaning::Legal)
}

/// The number of a position on the 4 × 4 board.
pub fn number(position: &Position) -> u32 {
    let occupied = position.own | position.other;
    let own = occupied.into_iter().enumerate().filter(|&(_, square)| position.own.contains(square));
    let own_bits = own.fold(0_u32, |bits, (rank, _)| bits | 1 << rank);
    own_bits << 16 | occupied.0 as u32 & 0xFFFF
}

/// How many numbers remain after the first requirement, the first two, and all three.
pub fn counts_by_requirement() -> [u32; 3] {
    let mut left = [0; 3];
    for number in 0..NUMBERS {
        for (count, met) in left.iter_mut().zip(requirements(number)) {
            if !met {
                break;
            }
            *count += 1;
        }
    }
    left
}
