//! The values of a solved game, from any source: a dense table of all indices, a sparse table of
//! the reachable positions, or an archive, the files of a specific solver. All queries use this
//! trait.
//!
//! Queries ask for the capabilities of a store, not for its type. Most methods have a default; a new kind of
//! store starts with the others.

use std::ops::Range;
use std::path::Path;

use retrograde_game::{Index, Knowledge, Outcome, Stored, Turns, Value};
use retrograde_solve::{Progress, SolveError};
use retrograde_table::{Counts, StartValue, TableError};

use crate::bounds::Watch;
use crate::store::codes::CodeSource;
use crate::{Error, Findings, Phase, Resources};

/// Callback for each row, puzzle or match; return `false` to stop.
pub type Visit<'a, T> = dyn FnMut(T) -> Result<bool, Error> + 'a;

/// A callback for the index of a position and its value; returns whether to continue.
pub(crate) type VisitValue<'a> = dyn FnMut(Index, Knowledge) -> Result<bool, Error> + 'a;

/// The number of values to read between two checks of the clock. A value of an archive may cost a
/// thousand times as much as one of a table.
const CHECK_EVERY: u32 = 1 << 4;

/// Values that are computed in advance.
pub type BulkValues = Box<dyn Fn(Index) -> Knowledge + Send + Sync>;

/// The way to find positions with a value in a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidates {
    /// The store named all positions that may have it.
    Named,
    /// The value is frequent and the store far too large to read: try random positions.
    Frequent,
    /// The store names no positions: try random ones or read everything.
    Unnamed,
}

/// The kinds of files that values come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreKind {
    /// A table of all numbered positions.
    AllPositions,
    /// A table of the positions that can be reached from the start.
    Reachable,
    /// The files of the game's own solver.
    Archive,
    /// Published files.
    Published,
}

/// The facts about an open store.
#[derive(Clone, Copy, Debug)]
pub struct StoreFacts<'a> {
    /// The file or directory, for messages.
    pub path: &'a Path,
    /// The statistics. For files without any, all positions count as unknown until [`ValueStore::count`] has run.
    pub counts: &'a Counts,
    /// The positions that the statistics count, if not all, in a few words: "plausible positions".
    pub counted_positions: Option<&'a str>,
    /// Notes for the user about additional small files that were ignored or not checked, and why.
    pub notes: &'a [String],
    /// The seconds that solving took, if the store knows. For tables, `run.json` has them.
    pub seconds: Option<f64>,
    /// The horizon of the solve, if it had one.
    pub horizon: Option<Turns>,
    /// The number of places in the game proper.
    pub place_count: u64,
    /// The number of places for positions of the prelude, which follow the places of the game proper.
    pub prelude_count: u64,
    /// The kind of its files.
    pub kind: StoreKind,
    /// Whether every numbered position has a stored value. Then a missing value means damage, and
    /// the statistics count all positions of the game.
    pub has_all_positions: bool,
    /// Whether it knows turns to the end.
    pub has_turns: bool,
    /// Whether [`ValueStore::get`] distinguishes wins and draws, at least for the positions in the
    /// statistics.
    pub has_wins: bool,
    /// Whether [`ValueStore::value`] looks at turns. Values that it leaves open then stay unknown.
    pub looks_at_turns: bool,
    /// Whether [`ValueStore::prepare`] does anything. If not, callers can skip collecting indices.
    pub needs_prepare: bool,
}

impl<'a> StoreFacts<'a> {
    /// The facts about a store that has values with turns at this many places, and nothing unusual.
    pub fn new(path: &'a Path, counts: &'a Counts, place_count: u64) -> StoreFacts<'a> {
        StoreFacts {
            path,
            counts,
            counted_positions: None,
            notes: &[],
            seconds: None,
            horizon: None,
            place_count,
            prelude_count: 0,
            kind: StoreKind::AllPositions,
            has_all_positions: false,
            has_turns: true,
            has_wins: true,
            looks_at_turns: false,
            needs_prepare: false,
        }
    }

    /// Whether every numbered position has a value, stored or derived from its turns.
    pub(crate) fn has_every_value(&self) -> bool {
        self.has_all_positions || self.looks_at_turns
    }
}

/// The values of a solved game.
///
/// Values are stored at *places*, numbered from 0. In a store of all positions the place is the
/// index.
pub trait ValueStore: Send + Sync {
    /// The facts about the store. They cost nothing to ask for.
    fn facts(&self) -> StoreFacts<'_>;

    /// A text that identifies the values, such as a checksum.
    fn stamp(&self) -> String;

    /// The value of the start, if it is known.
    fn start(&self) -> Option<StartValue>;

    /// The value of a position without looking at its turns. [`Stored::Nothing`] means that only
    /// they determine it.
    ///
    /// # Errors
    /// If a file cannot be read or is damaged.
    fn get(&self, index: Index) -> Result<Stored, TableError>;

    /// Announces the next indices to be read. Remote files then fetch everything that these need
    /// together. Files with parts that are still loading return an error, but then request all the
    /// parts.
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn prepare(&self, _indices: &[Index]) -> Result<(), TableError> {
        Ok(())
    }

    /// The maximum memory in bytes: directories, and cached decoded parts of the files.
    fn memory(&self) -> u64;

    /// Limits the cache of decoded parts to `bytes`, for programs that open many games.
    fn limit_cache(&mut self, bytes: u64);

    /// Reads everything once, and returns the number of blocks and the damage. Only other errors end it.
    fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError>;

    /// The value of a position, looking up to two turns ahead if necessary. [`Stored::Nothing`]
    /// means that the caller has to search.
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn value(&self, index: Index) -> Result<Stored, TableError> {
        self.get(index)
    }

    /// Whether a position is lost, without looking at its turns.
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn is_lost(&self, index: Index) -> Result<bool, TableError> {
        Ok(matches!(self.get(index)?, Stored::Known(knowledge) if knowledge.outcome() == Some(Outcome::Loss)))
    }

    /// The value of a position without an index, by its text.
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn value_of_text(&self, _position: &str) -> Result<Stored, TableError> {
        Ok(Stored::Nothing)
    }

    /// The location in the files of the data for a position. Positions with nearby locations read
    /// nearly the same parts.
    fn location(&self, index: Index) -> u64 {
        index.0
    }

    /// The index at a place, with its value.
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn at(&self, place: u64) -> Result<(Index, Stored), TableError> {
        Ok((Index(place), self.get(Index(place))?))
    }

    /// Visits the positions of the game proper by index, starting at a place, until `visit` returns
    /// false.
    ///
    /// # Errors
    /// As [`ValueStore::get`]; the errors of `visit`.
    fn scan(&self, from: u64, visit: &mut VisitValue<'_>) -> Result<(), Error> {
        let mut watch = Watch::default();
        self.read_ahead();
        for place in from..self.facts().place_count {
            watch.tick(CHECK_EVERY)?;
            if let (index, Stored::Known(knowledge)) = self.at(place)?
                && !visit(index, knowledge)?
            {
                break;
            }
        }
        Ok(())
    }

    /// The number of positions that [`ValueStore::scan`] visits, if the statistics omit some of
    /// them.
    fn scanned_positions(&self) -> Option<u64> {
        None
    }

    /// Like [`ValueStore::scan`], but may skip positions that are known to have another value.
    ///
    /// # Errors
    /// As [`ValueStore::scan`].
    fn scan_for(&self, _value: Value, visit: &mut VisitValue<'_>) -> Result<(), Error> {
        self.scan(0, visit)
    }

    /// Visits candidates for a value, up to symmetry: every position with the value has an image
    /// among them.
    ///
    /// # Errors
    /// As [`ValueStore::scan`].
    fn candidates(
        &self,
        _outcome: Outcome,
        _turns: Option<Turns>,
        _visit: &mut Visit<'_, Index>,
    ) -> Result<Candidates, Error> {
        Ok(Candidates::Unnamed)
    }

    /// The phases of the solve, if they were logged.
    fn phases(&self) -> Vec<Phase> {
        Vec::new()
    }

    /// The counts of all positions, if the statistics omit some and [`ValueStore::count_all`] has
    /// counted those.
    fn all_counts(&self) -> Option<Counts> {
        None
    }

    /// Computes the statistics of files that came without any, by reading all of them. They are
    /// available when the files are opened again.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or is damaged.
    fn count(&self, _threads: usize, _progress: &dyn Progress) -> Result<(), Error> {
        Ok(())
    }

    /// Counts the positions that the statistics omit, unless that has already been done.
    ///
    /// # Errors
    /// If it is stopped, does not fit into memory, or a file cannot be read or written.
    fn count_all(&self, _resources: &Resources<'_>) -> Result<(), SolveError> {
        Ok(())
    }

    /// Counts the stored values again, without finished positions that have no index. Returns
    /// `None` if the files contain nothing more reliable than [`StoreFacts::counts`].
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn recount(&self, _threads: usize) -> Result<Option<Counts>, TableError> {
        Ok(None)
    }

    /// Prepares for reading all places with [`ValueStore::at`], if it is faster to compute their values
    /// together. A failure only makes reading slower.
    fn read_ahead(&self) {}

    /// Computes the values of all positions with indices in a range together. Returns `None` if
    /// reading them one by one is faster, or if they do not fit into memory.
    fn bulk_values(
        &self,
        _indices: Range<u64>,
        _resources: &Resources<'_>,
    ) -> Option<Result<BulkValues, SolveError>> {
        None
    }

    /// Passes the bytes of a published format with one byte per index to a callback, for a range of
    /// indices, in order and in large pieces. Returns `None` if this is not faster than one index
    /// at a time.
    fn published_bytes(
        &self,
        _form: &str,
        _numbers: Range<u64>,
        _resources: &Resources<'_>,
        _write: &mut dyn FnMut(&[u8]) -> Result<(), SolveError>,
    ) -> Option<Result<(), SolveError>> {
        None
    }

    /// Recomputes all contents of the files. Returns `None` if there is no better way than by
    /// codes or position by position, or if it does not fit into memory.
    fn prove(&self, _resources: &Resources<'_>) -> Option<Result<Findings, SolveError>> {
        None
    }

    /// The codes of all values, to recompute values much faster than position by position.
    /// `sample` is the number of places that will be checked, if not all. Only the tables of this
    /// crate have codes.
    ///
    /// # Errors
    /// As [`ValueStore::get`], or if they do not fit into memory.
    fn codes(
        &self,
        _sample: Option<u64>,
        _resources: &Resources<'_>,
    ) -> Result<Option<CodeSource<'_>>, Error> {
        Ok(None)
    }
}
