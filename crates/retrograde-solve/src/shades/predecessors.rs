//! The drawn predecessors of a draw: from the game if it provides them, otherwise from lists that one forward
//! pass makes.

use std::sync::atomic::{AtomicU32, Ordering};

use retrograde_game::{Dense, Index};

use crate::job::SolveError;
use crate::memory;
use crate::retrograde::{Capabilities, EachPredecessorIndex};

/// Provides draws of the game proper that have a turn to a position.
pub(super) enum Predecessors<'a, G: Dense> {
    Game(&'a G, EachPredecessorIndex<G>),
    Lists(Lists),
}

impl<'a, G: Dense> Predecessors<'a, G> {
    /// The predecessors of the game itself, if it has any.
    pub fn of_game(game: &'a G, able: Capabilities<G>) -> Option<Predecessors<'a, G>> {
        Some(Predecessors::Game(game, able.before?))
    }

    /// Visits them, each at least once.
    pub fn each(&self, index: u64, visit: &mut dyn FnMut(u64)) {
        match self {
            Predecessors::Game(game, before) => before(game, Index(index), &mut |before| visit(before.0)),
            Predecessors::Lists(lists) => lists.each(index, visit),
        }
    }
}

/// Lists of predecessors for all indices, one after the other.
pub(super) struct Lists {
    /// The start of the list of each index, plus the end of the last one.
    begins: Vec<u64>,
    from: Vec<AtomicU32>,
}

/// The lengths of lists, counted before the lists are made.
pub(super) struct Lengths(Vec<AtomicU32>);

impl Lengths {
    /// Starts with empty lists for `indices` indices.
    pub fn new(indices: usize) -> Result<Lengths, SolveError> {
        if u32::try_from(indices).is_err() {
            return Err(SolveError::TooLarge { count: indices as u128 });
        }
        let mut lengths = Vec::new();
        memory::reserve(&mut lengths, indices)?;
        lengths.extend((0..indices).map(|_| AtomicU32::new(0)));
        Ok(Lengths(lengths))
    }

    /// Counts a predecessor of an index.
    pub fn add(&self, index: u64) {
        self.0[index as usize].fetch_add(1, Ordering::Relaxed);
    }

    /// Allocates lists of these lengths, within `memory` bytes including `held`.
    pub fn into_lists(self, held: u64, limit: u64) -> Result<EmptyLists, SolveError> {
        let total: u64 = self.0.iter().map(|length| u64::from(length.load(Ordering::Relaxed))).sum();
        let need = held + 12 * self.0.len() as u64 + 4 * total;
        if need > limit {
            return Err(SolveError::Memory { need, limit });
        }
        let (mut begins, mut from) = (Vec::new(), Vec::new());
        memory::reserve(&mut begins, self.0.len() + 1)?;
        memory::reserve(&mut from, total as usize)?;
        let mut sum = 0;
        for length in &self.0 {
            begins.push(sum);
            sum += u64::from(length.load(Ordering::Relaxed));
        }
        begins.push(sum);
        from.extend((0..total).map(|_| AtomicU32::new(0)));
        Ok(EmptyLists { lists: Lists { begins, from }, room: self.0 })
    }
}

/// Lists while they are filled, each from its end.
pub(super) struct EmptyLists {
    lists: Lists,
    /// The number of free places in each list.
    room: Vec<AtomicU32>,
}

impl EmptyLists {
    /// Adds a predecessor to the list of an index, which has room for it.
    pub fn put(&self, index: u64, from: u64) {
        let place = self.room[index as usize].fetch_sub(1, Ordering::Relaxed) - 1;
        let at = self.lists.begins[index as usize] + u64::from(place);
        self.lists.from[at as usize].store(from as u32, Ordering::Relaxed);
    }

    pub fn into_lists(self) -> Lists {
        self.lists
    }
}

impl Lists {
    fn each(&self, index: u64, visit: &mut dyn FnMut(u64)) {
        let [begin, end] = [index as usize, index as usize + 1].map(|at| self.begins[at] as usize);
        for from in &self.from[begin..end] {
            visit(from.load(Ordering::Relaxed).into());
        }
    }
}
