//! The numbering of the positions after a push, created on first use: its tables take megabytes,
//! and playing a game does not need them. Copies of a game share them.

use std::sync::{Arc, OnceLock};

use retrograde_index::Multiset;

/// The numbering of the positions after a push.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    /// The codes of the positions in which the player who begins is to move; of all positions if
    /// both sides have the same pieces.
    codes: [u32; 6],
    /// The codes of the positions in which the other player is to move, and their first index; only
    /// if the sides have different pieces.
    other_codes: Option<(u64, [u32; 6])>,
    tables: Arc<OnceLock<Option<Tables>>>,
}

#[derive(Debug)]
struct Tables {
    ranks: Multiset,
    other_ranks: Option<(u64, Multiset)>,
}

impl Ranks {
    /// Creates a numbering with these fields; `None` if it needs more than 64 bits.
    pub fn new(codes: [u32; 6], other_codes: Option<(u64, [u32; 6])>) -> Option<Ranks> {
        let ranks = Ranks { codes, other_codes, tables: Arc::default() };
        let fits = ranks.all_codes().all(|codes| Multiset::memory(&codes).is_ok());
        fits.then_some(ranks)
    }

    fn all_codes(&self) -> impl Iterator<Item = [u32; 6]> {
        std::iter::once(self.codes).chain(self.other_codes.map(|(_, codes)| codes))
    }

    /// The bytes of memory that the tables take once they are built.
    pub fn memory(&self) -> u64 {
        self.all_codes().filter_map(|codes| Multiset::memory(&codes).ok()).sum()
    }

    #[inline]
    fn tables(&self) -> Option<&Tables> {
        let make = || {
            let other_ranks = match self.other_codes {
                Some((first, codes)) => Some((first, Multiset::new(&codes).ok()?)),
                None => None,
            };
            Some(Tables { ranks: Multiset::new(&self.codes).ok()?, other_ranks })
        };
        self.tables.get_or_init(make).as_ref()
    }

    /// The numbering if both sides have the same pieces; otherwise of the positions in which the
    /// player who begins is to move.
    #[inline]
    pub fn first(&self) -> Option<&Multiset> {
        self.tables().map(|tables| &tables.ranks)
    }

    /// The numbering of the positions in which a side is to move, and their first index.
    #[inline]
    pub fn of(&self, mover: usize) -> Option<(u64, &Multiset)> {
        let tables = self.tables()?;
        match mover {
            0 => Some((0, &tables.ranks)),
            _ => tables.other_ranks.as_ref().map(|(first, ranks)| (*first, ranks)),
        }
    }

    /// The numbering that contains an index, and its first index.
    #[inline]
    pub fn at(&self, index: u64) -> Option<(u64, &Multiset)> {
        let tables = self.tables()?;
        match &tables.other_ranks {
            Some((first, ranks)) if index >= *first => Some((*first, ranks)),
            _ => Some((0, &tables.ranks)),
        }
    }
}
