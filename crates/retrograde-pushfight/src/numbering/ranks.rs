//! The numbering of the positions after a push, made when it is first asked for: its tables take
//! megabytes, and who only plays a game needs none. Copies of a game share them.

use std::sync::{Arc, OnceLock};

use retrograde_index::Multiset;

/// The numbering of the positions after a push.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    /// The codes where the player who begins is to move, or, where both sides have the same pieces,
    /// of all positions.
    codes: [u32; 6],
    /// The codes where the other player is to move, and the index at which these positions begin;
    /// only if the sides have different pieces.
    other_codes: Option<(u64, [u32; 6])>,
    made: Arc<OnceLock<Option<Made>>>,
}

#[derive(Debug)]
struct Made {
    ranks: Multiset,
    other_ranks: Option<(u64, Multiset)>,
}

impl Ranks {
    /// A numbering with the arguments that the fields have; `None` past 64 bits.
    pub fn new(codes: [u32; 6], other_codes: Option<(u64, [u32; 6])>) -> Option<Ranks> {
        let ranks = Ranks { codes, other_codes, made: Arc::default() };
        let fits = ranks.all_codes().all(|codes| Multiset::memory(&codes).is_ok());
        fits.then_some(ranks)
    }

    fn all_codes(&self) -> impl Iterator<Item = [u32; 6]> {
        std::iter::once(self.codes).chain(self.other_codes.map(|(_, codes)| codes))
    }

    /// The bytes of memory that it takes once it is made.
    pub fn memory(&self) -> u64 {
        self.all_codes().filter_map(|codes| Multiset::memory(&codes).ok()).sum()
    }

    #[inline]
    fn made(&self) -> Option<&Made> {
        let make = || {
            let other_ranks = match self.other_codes {
                Some((first, codes)) => Some((first, Multiset::new(&codes).ok()?)),
                None => None,
            };
            Some(Made { ranks: Multiset::new(&self.codes).ok()?, other_ranks })
        };
        self.made.get_or_init(make).as_ref()
    }

    /// The numbering where both sides have the same pieces, or the player who begins is to move.
    #[inline]
    pub fn first(&self) -> Option<&Multiset> {
        self.made().map(|made| &made.ranks)
    }

    /// The numbering of the positions in which a side is to move, and the index at which they
    /// begin.
    #[inline]
    pub fn of(&self, mover: usize) -> Option<(u64, &Multiset)> {
        let made = self.made()?;
        match mover {
            0 => Some((0, &made.ranks)),
            _ => made.other_ranks.as_ref().map(|(first, ranks)| (*first, ranks)),
        }
    }

    /// The numbering to which an index belongs, and the index at which it begins.
    #[inline]
    pub fn at(&self, index: u64) -> Option<(u64, &Multiset)> {
        let made = self.made()?;
        match &made.other_ranks {
            Some((first, ranks)) if index >= *first => Some((*first, ranks)),
            _ => Some((0, &made.ranks)),
        }
    }
}
