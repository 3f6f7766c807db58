//! Scores on their way into a table, piece by piece: whether one machine has all of them in its memory, or several
//! send them as they are wanted, the same code makes the same bytes of them.

use std::cell::RefCell;
use std::collections::BTreeMap;

use retrograde_game::{Game, Index, Score, Show, Stored};
use retrograde_solve::clock::Instant;
use retrograde_table::{Cell, Counts, GameLock, Kind, TableError, TableWriter};

use crate::game::entry::Entry;
use crate::{Error, SolveOptions, Statistics};

/// Scores that are given to the writer at a time.
const PIECE: usize = 1 << 22;

/// What is known of all scores before the first of them is written: on it depends what kind of table they make.
pub(crate) struct Known {
    /// The cell that holds any of them.
    pub cell: Cell,
    /// All indices.
    pub indices: u64,
    /// The positions of the game proper.
    pub counts: Counts,
    /// Whether some position before the game is undecided.
    pub undecided_before: bool,
}

/// A table that scores are written into.
pub(crate) struct Writing<'a, G: Game + Show + 'static> {
    entry: &'a Entry<G>,
    writer: TableWriter,
    kind: Kind,
    counts: Counts,
    taken: u64,
    /// What is known at the indices that the value of the start is derived from.
    start: BTreeMap<u64, Stored>,
}

impl<'a, G: Game + Show + 'static> Writing<'a, G> {
    pub(crate) fn begin(
        entry: &'a Entry<G>,
        lock: &GameLock,
        known: Known,
        options: &SolveOptions,
    ) -> Result<Writing<'a, G>, Error> {
        let Known { cell, indices, mut counts, undecided_before } = known;
        let full = !options.outcome_only || counts.unknown.0 > 0 || undecided_before;
        // Every index is a position of the game, so there is no prelude, and each is won or lost.
        let bits = !full && counts.positions.0 == u128::from(indices) && counts.draws.0 == 0;
        let (kind, cell) = match (full, bits) {
            (true, _) => (Kind::Full, cell),
            (false, true) => (Kind::Outcomes, Cell::Bit),
            (false, false) => (Kind::Outcomes, Cell::TwoBits),
        };
        for (outcome, count) in entry.left_out() {
            counts.add_over(outcome, count);
        }
        let asked = RefCell::new(BTreeMap::new());
        entry.start_value(&|index| {
            asked.borrow_mut().insert(index.0, Stored::Nothing);
            Stored::Nothing
        });
        let writer = entry.writer(lock, entry.manifest(kind, cell, options)?, options)?;
        Ok(Writing { entry, writer, kind, counts, taken: 0, start: asked.into_inner() })
    }

    /// Adds the next scores, in the order of indices.
    pub(crate) fn add<S: Codes>(&mut self, scores: &[S]) -> Result<(), Error> {
        let end = self.taken + scores.len() as u64;
        for (index, stored) in self.start.range_mut(self.taken..end) {
            *stored = scores[(index - self.taken) as usize].stored();
        }
        S::write(&mut self.writer, scores)?;
        self.taken = end;
        Ok(())
    }

    /// Makes it a table, when all scores are there.
    pub(crate) fn end(self, began: Instant) -> Result<Statistics, Error> {
        let known = |index: Index| self.start.get(&index.0).copied().unwrap_or(Stored::Nothing);
        let start = self.entry.start_value(&known);
        self.entry.finish(self.writer, self.counts, start, self.kind, began)
    }
}

impl<G: Game + Show + 'static> Entry<G> {
    pub(crate) fn write_scores<S: Codes>(
        &self,
        lock: &GameLock,
        scores: &[S],
        options: &SolveOptions,
        began: Instant,
    ) -> Result<Statistics, Error> {
        let prelude = self.dense.map_or(0, |dense| dense.prelude(&self.game));
        let proper = scores.len().saturating_sub(usize::try_from(prelude).unwrap_or(usize::MAX));
        let known = Known {
            cell: S::CELL,
            indices: scores.len() as u64,
            counts: Counts::of_scores(&scores[..proper]),
            undecided_before: scores[proper..].contains(&S::UNKNOWN),
        };
        let mut writing = Writing::begin(self, lock, known, options)?;
        for piece in scores.chunks(PIECE) {
            writing.add(piece)?;
        }
        writing.end(began)
    }
}

/// Scores of one size or the other, for the writer.
pub(crate) trait Codes: Score + Into<u16> {
    const CELL: Cell;
    fn write(writer: &mut TableWriter, scores: &[Self]) -> Result<(), TableError>;
}

impl Codes for u8 {
    const CELL: Cell = Cell::Byte;
    fn write(writer: &mut TableWriter, scores: &[u8]) -> Result<(), TableError> {
        writer.write_scores(scores)
    }
}

impl Codes for u16 {
    const CELL: Cell = Cell::TwoBytes;
    fn write(writer: &mut TableWriter, scores: &[u16]) -> Result<(), TableError> {
        writer.write_wide(scores)
    }
}
