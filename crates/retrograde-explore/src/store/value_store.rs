//! The values of a solved game, wherever they are: in a dense table of all indices, in a sparse
//! table of the positions that occur, or in an archive, which is a solver's own files. Every
//! question asks here.
//!
//! A store says what it has; the questions do not ask what it is. Most of what it can say has a
//! default, so a new kind of store begins with the methods that have none.

use std::ops::Range;
use std::path::Path;

use retrograde_game::{Index, Knowledge, Outcome, Stored, Turns, Value};
use retrograde_solve::{Progress, SolveError};
use retrograde_table::{Counts, StartValue, TableError};

use crate::bounds::Watch;
use crate::store::codes::CodeSource;
use crate::{Error, Findings, Phase, Resources};

/// Hears of a position by its index; says whether to go on.
pub type VisitIndex<'a> = dyn FnMut(Index) -> Result<bool, Error> + 'a;

/// Hears of a position by its index, and what is known of it; says whether to go on.
pub type VisitValue<'a> = dyn FnMut(Index, Knowledge) -> Result<bool, Error> + 'a;

/// Values that are read one by one between two looks at the clock: of an archive, each may cost a
/// thousand times as much as a table's.
const OFTEN: u32 = 1 << 4;

/// Values that were found before anyone asks for them.
pub trait BulkValues: Send + Sync {
    /// The value of a position.
    fn value(&self, index: Index) -> Knowledge;
}

/// The way to find positions with a value in a store.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Candidates {
    /// The store has named all that may have it.
    Named,
    /// The value is frequent, and the store far too large to be read: look at any positions.
    Frequent,
    /// The store names none: look, or read all of it.
    Unnamed,
}

/// The kinds of files that values come from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StoreKind {
    /// A table of all numbered positions.
    AllPositions,
    /// A table of the positions that occur from the start.
    Occurring,
    /// The files of a solver of the game's own.
    Archive,
    /// Files that others have published.
    Published,
}

impl StoreKind {
    /// Whether every numbered position has a value, stored or derived.
    pub(crate) fn has_every_value(self) -> bool {
        matches!(self, StoreKind::AllPositions | StoreKind::Archive)
    }
}

/// The result of reading all files once.
#[derive(Default, Debug)]
pub struct FileCheck {
    /// Blocks that were read.
    pub blocks: u64,
    /// The damage.
    pub faults: Vec<TableError>,
}

/// The values of a solved game.
///
/// Values stand at *places*, numbered from 0. In a store of all positions the place is the index.
pub trait ValueStore: Send + Sync {
    /// The file or directory, for messages.
    fn path(&self) -> &Path;

    /// A text that differs where the values do, such as a checksum.
    fn stamp(&self) -> String;

    /// The statistics. Files that came without any have all positions as unknown ones, until
    /// [`ValueStore::count`] has counted them.
    fn counts(&self) -> &Counts;

    /// The value of the start, where it is known.
    fn start(&self) -> Option<StartValue>;

    /// After how many turns solving was ended, if it was.
    fn horizon(&self) -> Option<Turns>;

    /// The number of places in the game proper.
    fn place_count(&self) -> u64;

    /// The value of a position without a look at its turns. [`Stored::Nothing`]: only they tell.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    fn get(&self, index: Index) -> Result<Stored, TableError>;

    /// Whether [`ValueStore::prepare`] does anything, so that nobody collects indices in vain.
    fn wants_notice(&self) -> bool {
        false
    }

    /// Hears which indices will be asked for next. Files that are far away then fetch all that these
    /// need together; files of which parts are still on the way fail, but know of all parts that are
    /// wanted.
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn prepare(&self, _indices: &[Index]) -> Result<(), TableError> {
        Ok(())
    }

    /// The bytes of memory that it may come to take: directories, and decoded parts of the files that
    /// it keeps.
    fn memory(&self) -> u64;

    /// Keeps at most so many bytes of decoded parts, for programs that have many games open.
    fn limit_cache(&mut self, bytes: u64);

    /// Reads everything once.
    ///
    /// # Errors
    /// The errors of the system. Damage is no error here.
    fn check(&self, progress: &dyn Progress) -> Result<FileCheck, TableError>;

    /// Seconds that solving took, if the store knows. For tables, `run.json` has them.
    fn seconds(&self) -> Option<f64> {
        None
    }

    /// Notes for the user about small files beside the values: which were left aside or are
    /// unchecked, and why.
    fn notes(&self) -> &[String] {
        &[]
    }

    /// The number of places behind the game proper, of positions before it.
    fn prelude_count(&self) -> u64 {
        0
    }

    /// Whether every numbered position has a stored value. Then one without is damage, and the statistics
    /// count all positions of the game.
    fn has_all_positions(&self) -> bool {
        false
    }

    /// The kind of files that it reads.
    fn kind(&self) -> StoreKind {
        StoreKind::AllPositions
    }

    /// Whether it knows turns to the end.
    fn has_turns(&self) -> bool {
        true
    }

    /// Whether [`ValueStore::get`] tells wins and draws from each other, at least of what the
    /// statistics count.
    fn has_wins(&self) -> bool {
        true
    }

    /// Whether [`ValueStore::value`] looks at turns. What it leaves open then stays open.
    fn looks_at_turns(&self) -> bool {
        false
    }

    /// The value of a position, if need be after a look at its turns and theirs.
    /// [`Stored::Nothing`]: the caller has to search them.
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn value(&self, index: Index) -> Result<Stored, TableError> {
        self.get(index)
    }

    /// Whether a position is lost, without a look at its turns.
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn is_lost(&self, index: Index) -> Result<bool, TableError> {
        Ok(matches!(self.get(index)?, Stored::Known(knowledge) if knowledge.outcome() == Some(Outcome::Loss)))
    }

    /// The value of a position that has no index, by its text.
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn value_of_text(&self, _position: &str) -> Result<Stored, TableError> {
        Ok(Stored::Nothing)
    }

    /// Where in its files what decides a position stands: of two positions with locations near to
    /// each other, nearly the same parts are read.
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

    /// Visits the positions of the game proper by index, from a place on, until `visit` says no
    /// more.
    ///
    /// # Errors
    /// As [`ValueStore::get`]; the errors of `visit`.
    fn scan(&self, from: u64, visit: &mut VisitValue<'_>) -> Result<(), Error> {
        let mut watch = Watch::default();
        let all = self.all_values();
        for place in from..self.place_count() {
            watch.tick(OFTEN)?;
            let (index, stored) = match all {
                Some(all) => (Index(place), Stored::Known(all.value(Index(place)))),
                None => self.at(place)?,
            };
            if let Stored::Known(knowledge) = stored
                && !visit(index, knowledge)?
            {
                break;
            }
        }
        Ok(())
    }

    /// The number of positions that [`ValueStore::scan`] visits, where the statistics leave out some of
    /// them.
    fn scanned_positions(&self) -> Option<u64> {
        None
    }

    /// Visits positions of the game proper by index as [`ValueStore::scan`] does, but may leave out
    /// those that are known to have another value than this.
    ///
    /// # Errors
    /// As [`ValueStore::scan`].
    fn scan_for(&self, _value: Value, visit: &mut VisitValue<'_>) -> Result<(), Error> {
        self.scan(0, visit)
    }

    /// Visits positions that may have a value, up to symmetry; every such position has an image
    /// among them.
    ///
    /// # Errors
    /// As [`ValueStore::scan`].
    fn candidates(
        &self,
        _outcome: Outcome,
        _turns: Option<Turns>,
        _visit: &mut VisitIndex<'_>,
    ) -> Result<Candidates, Error> {
        Ok(Candidates::Unnamed)
    }

    /// Names in a few words the positions that the statistics count, if not all: "plausible
    /// positions".
    fn counted_positions(&self) -> Option<&str> {
        None
    }

    /// The phases of a solver that logs them.
    fn phases(&self) -> Vec<Phase> {
        Vec::new()
    }

    /// The numbers of all positions, where the statistics leave some out and
    /// [`ValueStore::count_all`] has counted those.
    fn all_counts(&self) -> Option<Counts> {
        None
    }

    /// Counts what the statistics need, where files came without; this reads all of them. The
    /// counts are there when the files are opened again.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read, or is damaged.
    fn count(&self, _threads: usize, _progress: &dyn Progress) -> Result<(), Error> {
        Ok(())
    }

    /// Counts the positions that the statistics leave out, if they leave out any and that has not
    /// been done.
    ///
    /// # Errors
    /// If it is stopped, does not fit into memory, or a file cannot be read or written.
    fn count_all(&self, _resources: &Resources<'_>) -> Result<(), SolveError> {
        Ok(())
    }

    /// Counts again what is stored, without the finished positions that have no index. `None` if
    /// the files tell the statistics no better than [`ValueStore::counts`].
    ///
    /// # Errors
    /// As [`ValueStore::get`].
    fn recount(&self, _threads: usize) -> Result<Option<Counts>, TableError> {
        Ok(None)
    }

    /// The values of all places, where places are indices and it is quicker to find all values at once, on
    /// first use, than to read them one by one. `None` otherwise.
    fn all_values(&self) -> Option<&dyn BulkValues> {
        None
    }

    /// Finds the values of all positions with indices in a range together. `None` if it is quicker
    /// to ask for one after the other, or it does not fit into memory.
    fn bulk_values(
        &self,
        _indices: Range<u64>,
        _resources: &Resources<'_>,
    ) -> Option<Result<Box<dyn BulkValues>, SolveError>> {
        None
    }

    /// Passes on the bytes of a published form that has one for each number, for some numbers, in
    /// order and in large pieces. `None` if there is no quicker way than number by number.
    fn published_bytes(
        &self,
        _form: &str,
        _numbers: Range<u64>,
        _resources: &Resources<'_>,
        _write: &mut dyn FnMut(&[u8]) -> Result<(), SolveError>,
    ) -> Option<Result<(), SolveError>> {
        None
    }

    /// Derives everything again that the files say. `None` if there is no better way than by the
    /// codes or position by position, or it does not fit into memory.
    fn prove(&self, _resources: &Resources<'_>) -> Option<Result<Findings, SolveError>> {
        None
    }

    /// The codes of all values, from which values are derived again much faster than position by
    /// position; `sample`: the number of places that will be checked, if not all. `None` if there
    /// are none: only the tables of this crate have any.
    ///
    /// # Errors
    /// As [`ValueStore::get`], or if there is no memory for them.
    fn codes(
        &self,
        _sample: Option<u64>,
        _resources: &Resources<'_>,
    ) -> Result<Option<CodeSource<'_>>, Error> {
        Ok(None)
    }
}
