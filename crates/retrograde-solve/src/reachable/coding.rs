//! Codes of positions: 64 bits from which a position can be made again, so that a solver holds
//! numbers and neither positions nor their hashes.
//!
//! A game has codes by its dense numbering ([`ByIndex`]), or quicker ones of its own ([`ByPack`]).
//! With symmetries ([`Orbits`], [`ByImages`]) all images of a position have one code, so that one of them stands
//! for all.
//!
//! Solvers keep a code as a *key*: its bits are spread by a function that has an inverse. Sorted
//! keys are then as evenly distributed as hashes are, which makes places in them easy to guess, and
//! they still are codes.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Game, Index, Packed, Symmetries};

use crate::retrograde::Capabilities;
use crate::retrograde::capabilities::EachImageIndex;

/// A way to write positions of a game as numbers of 64 bits.
pub trait Coding<G: Game>: Copy + Send + Sync {
    /// The code of a position, which all positions that it stands for share; `None` if the game
    /// gives it none.
    fn code(self, game: &G, position: &G::Position) -> Option<u64>;

    /// The position that a code stands for; `None` if there is none.
    fn position(self, game: &G, code: u64) -> Option<G::Position>;

    /// Visits the positions that share the code of this one, itself among them, each once. Here
    /// none does but itself.
    #[inline]
    fn each_image<F>(self, _game: &G, position: &G::Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(&G::Position) -> ControlFlow<()>,
    {
        visit(position)
    }

    /// Whether several positions may share a code.
    fn is_shared(self, _game: &G) -> bool {
        false
    }

    /// The number of positions that share the code of this one.
    fn image_count(self, game: &G, position: &G::Position) -> u64 {
        let mut count = 0;
        let _ = self.each_image(game, position, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }
}

/// The index of a dense numbering is the code.
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

/// The game packs its positions itself.
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

/// The least code of the images of a position is the code of all of them.
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

    #[inline]
    fn each_image<F>(self, game: &G, position: &G::Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(&G::Position) -> ControlFlow<()>,
    {
        visit(position)?;
        each_other_image(game, position, visit)
    }

    fn is_shared(self, game: &G) -> bool {
        game.symmetry_count() > 1
    }

    #[inline]
    fn image_count(self, game: &G, position: &G::Position) -> u64 {
        let mut count = 1;
        let _ = each_other_image(game, position, |_| {
            count += 1;
            ControlFlow::Continue(())
        });
        count
    }
}

/// The least index of the images of a position is the code of all of them, in a game whose symmetries
/// are known as a [capability](Capabilities::symmetries).
pub struct ByImages<G: Game>(EachImageIndex<G>);

impl<G: Game> Clone for ByImages<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for ByImages<G> {}

impl<G: Dense> ByImages<G> {
    /// Where all images of what occurs from a position occur: `None` if the game has no symmetries,
    /// or the position has another image than itself or comes before the game proper, where a position
    /// need not have the images of its successors.
    pub fn of_all(game: &G, start: &G::Position, able: Capabilities<G>) -> Option<ByImages<G>> {
        let by_images = ByImages(able.images?);
        (game.turn_is_counted(start) && by_images.images(game, start).len() == 1).then_some(by_images)
    }

    /// The function that visits the indices of images.
    pub(super) fn each_image_index(self) -> EachImageIndex<G> {
        self.0
    }

    /// The indices of the images of a position, its own the first, each once.
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

    fn is_shared(self, _game: &G) -> bool {
        true
    }

    fn image_count(self, game: &G, position: &G::Position) -> u64 {
        self.images(game, position).len() as u64
    }
}

/// Visits the images of a position that are not itself, each once. It is called for every position
/// by all threads, so it asks for no memory unless there are more symmetries than a square has.
#[inline]
fn each_other_image<G, F>(game: &G, position: &G::Position, mut visit: F) -> ControlFlow<()>
where
    G: Symmetries,
    F: FnMut(&G::Position) -> ControlFlow<()>,
{
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

/// An odd number of good spread: 2⁶⁴ over the golden ratio.
const FIRST: u64 = 0x9e37_79b9_7f4a_7c15;
/// Another (from the hash function wyhash).
const SECOND: u64 = 0xa076_1d64_78bd_642f;

/// The number with which the product is 1, by Newton's method: each step doubles the right bits.
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

/// The key of a code.
#[inline]
pub fn key_of(code: u64) -> u64 {
    let mixed = code.wrapping_mul(FIRST);
    (mixed ^ mixed >> 32).wrapping_mul(SECOND)
}

/// The code of a key.
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
        // Codes that differ at one end only, or at the other, fall into all of 256 parts alike.
        for shift in [0, 20, 44] {
            let mut parts = [0_u32; 256];
            (0..1_u64 << 16).for_each(|code| parts[(key_of(code << shift) >> 56) as usize] += 1);
            assert!(parts.iter().all(|part| (128..512).contains(part)), "{shift}: {parts:?}");
        }
    }
}
