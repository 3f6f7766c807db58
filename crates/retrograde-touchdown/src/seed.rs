//! The 24-bit numbering of seed 004 for the board of 4 × 4 squares.
//!
//! Bits 0 to 15 say which squares are occupied, bit `row × 4 + column` with row 0 at the top; bits 16 to 23
//! say which of the occupied squares, in ascending order, hold the mover's pawns. Most numbers belong to no
//! position; the seed's table of statistics counts them, and so does this module.

use crate::board::{Position, squares};
use crate::rules::TouchDown;

/// The number of 24-bit numbers.
pub const NUMBERS: u32 = 1 << 24;

/// What a number stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeedIndex {
    /// Not an arrangement of at most four pawns a side.
    Invalid,
    /// An arrangement that cannot occur: the mover has reached the top row already, or the opponent, who has
    /// just moved, has no pawn.
    Illegal,
    /// A legal position.
    Legal(Position),
}

/// Whether a number meets the seed's requirements: at most four pawns `X`, at most four pawns `O`, and no
/// `X` on an empty square.
fn requirements(number: u32) -> [bool; 3] {
    let (occupied, own) = (number & 0xFFFF, (number >> 16) & 0xFF);
    let (all, mine) = (occupied.count_ones(), own.count_ones());
    // More pawns `X` than occupied squares meet the second requirement but never the third.
    [mine <= 4, all <= 4 + mine, u64::from(own) < 1_u64 << all]
}

/// Says what a number stands for; numbers of more than 24 bits are invalid.
pub fn classify(number: u32) -> SeedIndex {
    if number >= NUMBERS || requirements(number).contains(&false) {
        return SeedIndex::Invalid;
    }
    let (occupied, own_bits) = (u64::from(number & 0xFFFF), number >> 16);
    let own = squares(occupied)
        .enumerate()
        .filter(|(rank, _)| own_bits >> rank & 1 == 1)
        .fold(0, |mask, (_, square)| mask | square.bit());
    let place = TouchDown::new(4, 4).ok().and_then(|game| game.place(own, occupied & !own));
    place.map_or(SeedIndex::Illegal, SeedIndex::Legal)
}

/// The number of a position on the board of 4 × 4 squares.
pub fn number(position: &Position) -> u32 {
    let occupied = position.own | position.other;
    let own = squares(occupied)
        .enumerate()
        .filter(|(_, square)| position.own & square.bit() != 0)
        .fold(0_u32, |bits, (rank, _)| bits | 1 << rank);
    own << 16 | occupied as u32 & 0xFFFF
}

/// How many numbers are left after the first requirement, after the first two, and after all three.
pub fn reductions() -> [u32; 3] {
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
