//! Games with a solver that keeps its values in files of its own, where a table of all indices would be too large:
//! what such a solver does, and what its files answer.

use std::ops::Range;
use std::path::Path;

use retrograde_game::{Index, Knowledge, Outcome, Stored, Turns};
use retrograde_solve::{Progress, SolveError};
use retrograde_table::{Counts, Start, TableError};
use serde::Serialize;

use crate::{Count, Error, Findings, Occurring, SolveOptions};

/// What a [`Keeper`] is given to solve a game.
pub struct KeepJob<'a> {
    /// The game's directory, which is there and locked.
    pub directory: &'a Path,
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Bytes of memory that it may take.
    pub memory: u64,
    /// If given, only positions that end within so many turns are decided.
    pub horizon: Option<u16>,
    /// Whether work files are left when everything is done.
    pub keep_work: bool,
    /// Whether to keep wins as well, so that values need no look at turns. If they alone are missing, only they are made.
    pub with_wins: bool,
    /// Whether to begin anew, whatever is there.
    pub again: bool,
    /// Whom it tells how far it is.
    pub progress: &'a dyn Progress,
}

impl<'a> KeepJob<'a> {
    pub(crate) fn new(
        directory: &'a Path,
        options: &SolveOptions,
        progress: &'a dyn Progress,
    ) -> KeepJob<'a> {
        KeepJob {
            directory,
            threads: options.threads.max(1),
            memory: crate::machine::allowed_memory(options.memory),
            horizon: options.phases,
            keep_work: options.keep_work,
            with_wins: options.with_wins,
            again: options.again,
            progress,
        }
    }
}

/// What a [`Keeper`] needs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Needs {
    /// Bytes of memory.
    pub memory: u128,
    /// Bytes of memory above which it gets no faster.
    pub enough: u128,
    /// Bytes of disk for the solution.
    pub disk: u128,
    /// Bytes of disk for the wins, if they are kept as well; 0 if that cannot be asked for.
    pub wins: u128,
    /// Bytes of disk for work files.
    pub work: u128,
    /// Seconds of one thread.
    pub seconds: f64,
}

/// Solves a game into files of its own.
pub trait Keeper<G>: Send + Sync {
    /// What solving would take with so many bytes of memory, or with the least that it can do with; `None` if it cannot
    /// be done.
    fn needs(&self, game: &G, memory: u64) -> Option<Needs>;

    /// Solves the game, going on where an earlier run ended.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or written.
    fn solve(&self, game: &G, job: &KeepJob<'_>) -> Result<(), SolveError>;

    /// What each of so many processes needs to solve it together, and bytes that each sends; `None` if it cannot be
    /// done.
    #[cfg(feature = "cluster")]
    fn needs_together(&self, _game: &G, _processes: u32) -> Option<(Needs, u128)> {
        None
    }

    /// Solves the game together with other processes, of which the first has a directory and writes; only where
    /// [`Keeper::needs_together`] says something.
    ///
    /// # Errors
    /// As [`Keeper::solve`], or if another process fails.
    #[cfg(feature = "cluster")]
    fn solve_together(
        &self,
        _game: &G,
        _job: &KeepJob<'_>,
        _session: &mut retrograde_cluster::Session,
    ) -> Result<(), retrograde_cluster::ClusterError> {
        Err(SolveError::TooLarge { count: u128::MAX }.into())
    }

    /// Counts the positions that occur, in so many bytes of memory and with so many threads; `None` if it knows no
    /// better way than to look at every turn of every position.
    fn occurring(
        &self,
        _game: &G,
        _memory: u64,
        _threads: usize,
        _progress: &dyn Progress,
    ) -> Option<Result<Occurring, SolveError>> {
        None
    }

    /// Opens what was solved; `None` if there is nothing.
    ///
    /// # Errors
    /// If a file is damaged, or of another game or version.
    fn open(&self, game: &G, directory: &Path) -> Result<Option<Box<dyn Kept>>, TableError>;
}

/// What something may take that reads all of a table.
pub struct Room<'a> {
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Whom it tells how far it is.
    pub progress: &'a dyn Progress,
}

impl<'a> Room<'a> {
    /// With so many threads, and so many bytes of memory or what is free.
    pub fn new(threads: usize, memory: Option<u64>, progress: &'a dyn Progress) -> Room<'a> {
        let memory = crate::machine::allowed_memory(memory);
        Room { threads: threads.max(1), memory, progress }
    }
}

/// A phase of a solver that decides positions by their turns to the end.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Phase {
    /// In how many turns the positions end; even ones are lost, odd ones won.
    pub turns: u16,
    /// Positions counted by the statistics.
    pub positions: Count,
    /// Those up to symmetry.
    pub up_to_symmetry: Count,
    /// Positions before the first push, which the others leave out.
    pub starts: Count,
    /// How long it took.
    pub seconds: f64,
}

/// Hears of a position by its index; says whether to go on.
pub type Seen<'a> = dyn FnMut(Index) -> Result<bool, Error> + 'a;

/// Values that were found before anyone asks for them.
pub trait Ahead: Send + Sync {
    /// What is known of a position.
    fn value(&self, index: Index) -> Knowledge;
}

/// A solution in files.
pub trait Kept: Send + Sync {
    /// What is known of a position without a look at its turns. [`Stored::Nothing`]: only they tell.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged.
    fn get(&self, index: Index) -> Result<Stored, TableError>;

    /// Whether that tells wins and draws from each other as well, at least of what the statistics count.
    fn tells_wins(&self) -> bool {
        false
    }

    /// What is known of a position, if need be after a look at its turns and theirs. [`Stored::Nothing`]: whoever asks
    /// has to look at them.
    ///
    /// # Errors
    /// As [`Kept::get`].
    fn value(&self, index: Index) -> Result<Stored, TableError>;

    /// Where in its files what decides a position stands: of two that have places near to each other, nearly the same
    /// parts are read.
    fn place(&self, index: Index) -> u64 {
        index.0
    }

    /// What is known of a position that has no index, by its text.
    ///
    /// # Errors
    /// As [`Kept::get`].
    fn unnumbered(&self, position: &str) -> Result<Stored, TableError>;

    /// What differs where the values do, such as a checksum.
    fn stamp(&self) -> String;

    /// The statistics. Files that came without any have all positions as unknown ones, until they are counted.
    fn counts(&self) -> &Counts;

    /// Counts what the statistics need, where files came without; this reads all of them. What was counted is there
    /// when they are opened again.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read, or is damaged.
    fn count(&self, _threads: usize, _progress: &dyn Progress) -> Result<(), Error> {
        Ok(())
    }

    /// What the statistics count, in a few words: "plausible positions".
    fn counted(&self) -> &str;

    /// The numbers of all positions, where the statistics leave some out and [`Kept::count_all`] has counted those.
    fn all(&self) -> Option<Counts> {
        None
    }

    /// Counts the positions that the statistics leave out, if they leave out any and that has not been done.
    ///
    /// # Errors
    /// If it is stopped, does not fit into memory, or a file cannot be read or written.
    fn count_all(&self, _room: &Room<'_>) -> Result<(), SolveError> {
        Ok(())
    }

    /// Derives everything again that the files say. `None` if there is no better way than position by position, or it
    /// does not fit into memory.
    fn prove(&self, _room: &Room<'_>) -> Option<Result<Findings, SolveError>> {
        None
    }

    /// Finds the values of all positions with indices in a range together. `None` if it is quicker to ask for one after the other,
    /// or it does not fit into memory.
    fn ahead(&self, _indices: Range<u64>, _room: &Room<'_>) -> Option<Result<Box<dyn Ahead>, SolveError>> {
        None
    }

    /// The value of the start, where it is known.
    fn start(&self) -> Option<Start>;

    /// How long solving took.
    fn seconds(&self) -> f64;

    /// After how many turns solving was ended, if it was.
    fn horizon(&self) -> Option<u16>;

    /// The indices of the game proper.
    fn indices(&self) -> u64;

    /// The phases.
    fn phases(&self) -> Vec<Phase>;

    /// Visits positions that may have a value, up to symmetry; every such position has an image among them. `false` if
    /// there is no better way than to look at all positions.
    ///
    /// # Errors
    /// If a file cannot be read, or is damaged; what `visit` says.
    fn candidates(&self, outcome: Outcome, turns: Option<Turns>, visit: &mut Seen<'_>)
    -> Result<bool, Error>;

    /// Reads everything once: the number of blocks, and what is wrong with some.
    ///
    /// # Errors
    /// What the system says.
    fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError>;
}
