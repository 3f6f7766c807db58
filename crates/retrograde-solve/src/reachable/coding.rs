//! Codes of positions: 64 bits from which a position can be reconstructed, so solvers store numbers instead
//! of positions or their hashes.
//!
//! The code is the index of a dense numbering ([`ByIndex`]) or a faster code of the game itself ([`ByPack`]).
//! With symmetries ([`Orbits`], [`ByImages`]) all images of a position share the code of their canonical
//! form.
//!
//! Solvers store a code as a *key*, whose bits are spread by an invertible function. Sorted keys are as
//! evenly distributed as hashes, so their places are easy to guess, and they can be converted back to codes.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Game, Index, Packed, Symmetries};

use crate::retrograde::Capabilities;
use crate::retrograde::capabilities::EachImageIndex;

/// A way to encode positions of a game in 64 bits.
pub trait Coding<G: Game>: Copy + Send + Sync {
    /// Returns the code of a position, which all its images may share; `None` if it has no code.
    fn code(self, game: &G, position: &G::Position) -> Option<u64>;

    /// Returns the canonical position with a code; `None` if there is no such position.
    fn position(self, game: &G, code: u64) -> Option<G::Position>;

    /// Visits all positions that share the code of `position`, itself included, each once. By default it is
    /// the only one.
    #[inline]
    fn each_image<F>(self, _game: &G, position: &G::Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(&G::Position) -> ControlFlow<()>,
    {
        visit(position)
    }
}

/// Uses the index of a dense numbering as the code.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByIndex;

impl<G: Dense> Coding<G> for ByIndex {
    #[inline]
    fn code(self, game: &G, position: &G::Position) -> Option<u64> {
        game.index(position).map(|Index(index)| index)
    }

    #[inline]
    fn position(self, game: &G, code: u64) -> Option<G::Position> {
        game.position(Index(code))
    }
}

/// Uses the code of the game itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct ByPack;

impl<G: Packed> Coding<G> for ByPack {
    #[inline]
    fn code(self, game: &G, position: &G::Position) -> Option<u64> {
        Some(game.pack(position))
    }

    #[inline]
    fn position(self, game: &G, code: u64) -> Option<G::Position> {
        Some(game.unpack(code))
    }
}

/// Uses the least code of the images of a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Orbits<C>(pub C);

impl<G: Symmetries, C: Coding<G>> Coding<G> for Orbits<C> {
    #[inline]
    fn code(self, game: &G, position: &G::Position) -> Option<u64> {
        let mut least = self.0.code(game, position)?;
        for symmetry in 1..game.symmetry_count() {
            least = least.min(self.0.code(game, &game.image(symmetry, position))?);
        }
        Some(least)
    }

    #[inline]
    fn position(self, game: &G, code: u64) -> Option<G::Position> {
        self.0.position(game, code)
    }

    /// All threads call this for every position, so it does not allocate unless there are more symmetries than
    /// a square has.
    #[inline]
    fn each_image<F>(self, game: &G, position: &G::Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(&G::Position) -> ControlFlow<()>,
    {
        visit(position)?;
        let (mut seen, mut more) = ([const { None::<G::Position> }; 7], Vec::new());
        for symmetry in 1..game.symmetry_count() {
            let image = game.image(symmetry, position);
            let mut earlier = seen.iter().map_while(Option::as_ref).chain(&more);
            if image == *position || earlier.any(|seen| *seen == image) {
                continue;
            }
            visit(&image)?;
            match seen.iter_mut().find(|seen| seen.is_none()) {
                Some(free) => *free = Some(image),
                None => more.push(image),
            }
        }
        ControlFlow::Continue(())
    }
}

impl<C> Orbits<C> {
    /// Returns this coding if all images of the positions reachable from `start` are reachable: if it has no
    /// other image.
    pub fn of_all<G: Symmetries>(game: &G, start: &G::Position, coding: C) -> Option<Orbits<C>> {
        let own = |symmetry| game.image(symmetry, start) == *start;
        (1..game.symmetry_count()).all(own).then_some(Orbits(coding))
    }
}

/// Uses the least index of the images of a position, in a game whose symmetries are known as a
/// [capability](Capabilities::symmetries).
pub struct ByImages<G: Game>(EachImageIndex<G>);

impl<G: Game> Clone for ByImages<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for ByImages<G> {}

impl<G: Dense> ByImages<G> {
    /// Returns this coding if all images of the positions reachable from `start` are reachable. Returns
    /// `None` if the game has no symmetries, or if `start` has other images or comes before the game proper,
    /// where a position may lack the images of its successors.
    pub fn of_all(game: &G, start: &G::Position, able: Capabilities<G>) -> Option<ByImages<G>> {
        let by_images = ByImages(able.images?);
        (game.turn_is_counted(start) && by_images.images(game, start).len() == 1).then_some(by_images)
    }

    /// Returns the function that visits the indices of images.
    pub(super) fn each_image_index(self) -> EachImageIndex<G> {
        self.0
    }

    /// Returns the indices of the images of a position, its own first, each once.
    fn images(self, game: &G, position: &G::Position) -> Vec<u64> {
        let mut images: Vec<u64> = game.index(position).map(|Index(index)| index).into_iter().collect();
        (self.0)(game, position, &mut |image| {
            if !images.contains(&image) {
                images.push(image);
            }
            ControlFlow::Continue(())
        });
        images
    }
}

impl<G: Dense> Coding<G> for ByImages<G> {
    #[inline]
    fn code(self, game: &G, position: &G::Position) -> Option<u64> {
        let Index(mut least) = game.index(position)?;
        (self.0)(game, position, &mut |image| {
            least = least.min(image);
            ControlFlow::Continue(())
        });
        Some(least)
    }

    #[inline]
    fn position(self, game: &G, code: u64) -> Option<G::Position> {
        game.position(Index(code))
    }

    fn each_image<F>(self, game: &G, position: &G::Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(&G::Position) -> ControlFlow<()>,
    {
        let images = self.images(game, position);
        images.into_iter().filter_map(|image| game.position(Index(image))).try_for_each(|image| visit(&image))
    }
}

/// An odd multiplier that mixes well: 2⁶⁴ divided by the golden ratio.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
/// Another one (from the hash function wyhash).
const SECOND: u64 = 0xa076_1d64_78bd_642f;

/// The multiplicative inverse by Newton's method: each step doubles the number of correct bits.
const fn inverse(odd: u64) -> u64 {
    let mut inverse = odd;
    let mut step = 0;
    while step < 6 {
        inverse = inverse.wrapping_mul(2_u64.wrapping_sub(odd.wrapping_mul(inverse)));
        step += 1;
    }
    inverse
}

const FIRST_INVERSE: u64 = inverse(FIRST);
const SECOND_INVERSE: u64 = inverse(SECOND);

/// Converts a code to a key.
#[inline]
pub fn key_of(code: u64) -> u64 {
    let mixed = code.wrapping_mul(FIRST);
    (mixed ^ mixed >> 32).wrapping_mul(SECOND)
}

/// Converts a key to a code.
#[inline]
pub fn code_of(key: u64) -> u64 {
    let mixed = key.wrapping_mul(SECOND_INVERSE);
    (mixed ^ mixed >> 32).wrapping_mul(FIRST_INVERSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_codes_and_spread_evenly() {
        for code in (0..64).map(|bit| 1 << bit).chain(0..10_000).chain([u64::MAX, u64::MAX - 1]) {
            assert_eq!(code_of(key_of(code)), code);
            assert_eq!(key_of(code_of(code)), code);
        }
        // Codes that differ only at one end are evenly spread over 256 parts.
        for shift in [0, 20, 44] {
            let mut parts = [0_u32; 256];
            (0..1_u64 << 16).for_each(|code| parts[(key_of(code << shift) >> 56) as usize] += 1);
            assert!(parts.iter().all(|part| (128..512).contains(part)), "{shift}: {parts:?}");
        }
    }
}
