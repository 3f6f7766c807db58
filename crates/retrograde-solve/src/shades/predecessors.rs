//! The drawn predecessors of a draw: from the game if it provides them, otherwise from lists that one forward
//! pass makes.

use std::sync::atomic::{AtomicU32, Ordering};

use retrograde_game::{Dense, Index};

use crate::job::SolveError;
use crate::memory;
use crate::retrograde::EachPredecessorIndex;

/// Provides draws of the game proper that have a turn to a position.
pub(super) enum Predecessors<'a, G: Dense> {
    Game(&'a G, EachPredecessorIndex<G>),
    Lists(Lists),
}

impl<G: Dense> Predecessors<'_, G> {
    /// Visits them, each at least once.
    pub fn each(&self, index: u64, visit: &mut dyn FnMut(u64)) {
        match self {
            Predecessors::Game(game, before) => before(game, Index(index), &mut |before| visit(before.0)),
            Predecessors::Lists(lists) => lists.each(index, visit),
        }
    }
}

/// Lists of predecessors for all indices, one after the other. Their lengths are counted before they are made.
pub(super) struct Lists {
    /// The number of free places in each list. Lists are filled from their ends.
    room: Vec<AtomicU32>,
    /// The start of the list of each index, plus the end of the last one.
    begins: Vec<u64>,
    from: Vec<AtomicU32>,
}

impl Lists {
    /// Starts with empty lists for `indices` indices.
    pub fn new(indices: usize) -> Result<Lists, SolveError> {
        if u32::try_from(indices).is_err() {
            return Err(SolveError::TooLarge { count: indices as u128 });
        }
        let mut room = Vec::new();
        memory::reserve(&mut room, indices)?;
        room.extend((0..indices).map(|_| AtomicU32::new(0)));
        Ok(Lists { room, begins: Vec::new(), from: Vec::new() })
    }

    /// Counts a predecessor of an index.
    pub fn count(&self, index: u64) {
        self.room[index as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Allocates lists for all that were counted, within `limit` bytes of memory including `held`.
    pub fn make(&mut self, held: u64, limit: u64) -> Result<(), SolveError> {
        let lengths = || self.room.iter().map(|length| u64::from(length.load(Ordering::Relaxed)));
        let total: u64 = lengths().sum();
        let need = held + 12 * self.room.len() as u64 + 4 * total;
        if need > limit {
            return Err(SolveError::Memory { need, limit });
        }
        memory::reserve(&mut self.begins, self.room.len() + 1)?;
        memory::reserve(&mut self.from, total as usize)?;
        let mut begin = 0;
        self.begins.extend(lengths().map(|length| {
            begin += length;
            begin - length
        }));
        self.begins.push(total);
        self.from.extend((0..total).map(|_| AtomicU32::new(0)));
        Ok(())
    }

    /// Adds a predecessor to the list of an index, which has room for it.
    pub fn put(&self, index: u64, from: u64) {
        let place = self.room[index as usize].fetch_sub(1, Ordering::Relaxed) - 1;
        let at = self.begins[index as usize] + u64::from(place);
        self.from[at as usize].store(from as u32, Ordering::Relaxed);
    }

    fn each(&self, index: u64, visit: &mut dyn FnMut(u64)) {
        let [begin, end] = [index as usize, index as usize + 1].map(|at| self.begins[at] as usize);
        for from in &self.from[begin..end] {
            visit(from.load(Ordering::Relaxed).into());
        }
    }
}
