//! The numbering of the positions after a push, created on first use: its tables take megabytes,
//! and playing a game does not need them. Copies of a game share them.

use std::sync::{Arc, OnceLock};

use retrograde_index::Multiset;

/// The numbering of the positions after a push.
#[derive(Clone, Debug)]
pub(crate) struct Ranks {
    /// For each player who may be to move, the first index of these positions and their codes. If both sides
    /// have the same pieces, there is only one entry.
    movers: Vec<(u64, [u32; 6])>,
    tables: Arc<OnceLock<Option<Vec<Multiset>>>>,
}

impl Ranks {
    /// Creates a numbering; `None` if it needs more than 64 bits.
    pub fn new(movers: Vec<(u64, [u32; 6])>) -> Option<Ranks> {
        let fits = movers.iter().all(|(_, codes)| Multiset::memory(codes).is_ok());
        fits.then(|| Ranks { movers, tables: Arc::default() })
    }

    /// The bytes of memory that the tables take once they are built.
    pub fn memory(&self) -> u64 {
        self.movers.iter().filter_map(|(_, codes)| Multiset::memory(codes).ok()).sum()
    }

    #[inline]
    fn tables(&self) -> Option<&[Multiset]> {
        let make = || self.movers.iter().map(|(_, codes)| Multiset::new(codes).ok()).collect();
        self.tables.get_or_init(make).as_deref()
    }

    /// The numbering if both sides have the same pieces; otherwise of the positions in which the
    /// player who begins is to move.
    #[inline]
    pub fn first(&self) -> Option<&Multiset> {
        self.tables()?.first()
    }

    /// The numbering of the positions in which a side is to move, and their first index.
    #[inline]
    pub fn of(&self, mover: usize) -> Option<(u64, &Multiset)> {
        Some((self.movers.get(mover)?.0, self.tables()?.get(mover)?))
    }

    /// The numbering that contains an index, and its first index.
    #[inline]
    pub fn at(&self, index: u64) -> Option<(u64, &Multiset)> {
        self.of(self.movers.iter().rposition(|&(first, _)| first <= index)?)
    }
}
