//! Nimbers: the values of positions of an impartial game in normal play, also in sums. The side to move loses
//! if the nimber is 0. The nimber of a sum is the exclusive or of the nimbers of its parts.

use std::collections::HashMap;
use std::ops::ControlFlow;

use retrograde_game::{Graded, Impartial};

use super::budget::{Budget, Ended, MAX_DEPTH};
use crate::hash::FoldHasher;
use crate::proof::Limits;

/// The size of the Nim heap that a position is equal to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Nimber(pub u32);

/// The nimbers of the parts found so far.
pub struct Nimbers<'a, G: Impartial + Graded> {
    game: &'a G,
    known: HashMap<G::Position, u32, FoldHasher>,
    budget: Budget<'a>,
    most: usize,
}

impl<'a, G: Impartial + Graded> Nimbers<'a, G> {
    /// Finds nimbers within limits.
    pub fn new(game: &'a G, limits: &'a Limits<'a>) -> Nimbers<'a, G> {
        // An entry, including the empty slots of a hash table.
        let bytes = 3 * (size_of::<G::Position>() + size_of::<u32>()) as u64;
        let most = usize::try_from(limits.memory / bytes.max(1)).unwrap_or(usize::MAX);
        Nimbers { game, known: HashMap::default(), budget: Budget::new(limits), most }
    }

    /// The nimber of a position.
    ///
    /// # Errors
    /// If a limit is reached.
    pub fn of(&mut self, position: &G::Position) -> Result<Nimber, Ended> {
        self.of_sum(position, 0).map(Nimber)
    }

    fn of_sum(&mut self, position: &G::Position, depth: u32) -> Result<u32, Ended> {
        let mut parts = Vec::new();
        self.game.each_part(position, |part| parts.push(part));
        parts.into_iter().try_fold(0, |sum, part| Ok(sum ^ self.of_part(part, depth)?))
    }

    fn of_part(&mut self, part: G::Position, depth: u32) -> Result<u32, Ended> {
        if let Some(&known) = self.known.get(&part) {
            return Ok(known);
        }
        if self.game.is_mirrored(&part) {
            return Ok(0);
        }
        self.budget.spend()?;
        if depth > MAX_DEPTH || self.known.len() >= self.most {
            return Err(Ended);
        }
        let (game, mut taken, mut ended) = (self.game, Vec::new(), None);
        let _ = game.each_successor(&part, |next| match self.of_sum(&next, depth + 1) {
            Ok(nimber) => {
                taken.push(nimber);
                ControlFlow::Continue(())
            }
            Err(reason) => {
                ended = Some(reason);
                ControlFlow::Break(())
            }
        });
        if let Some(reason) = ended {
            return Err(reason);
        }
        taken.sort_unstable();
        let nimber = taken.into_iter().fold(0, |least, nimber| least + u32::from(nimber == least));
        self.known.insert(part, nimber);
        Ok(nimber)
    }
}
