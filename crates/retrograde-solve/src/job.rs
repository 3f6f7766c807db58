//! The input and output of solvers: their limits, progress, checkpoints and scores.
//!
//! Solvers do not access files. They pass bytes to a [`Checkpoint`], which returns them in the next run.

use retrograde_game::{Game, Index, Outcome, Score, Stored, Turns};

use crate::spill::Spill;
use crate::widths::{narrowed, widened};

/// Receives the progress of a solver and may stop it.
pub trait Progress: Sync {
    /// Starts a stage of `total` units of work, 0 if the number is unknown.
    fn stage(&self, name: &str, total: u64);
    /// Reports that `units` more units of the stage are done. Called from any thread, at most a few thousand
    /// times per second.
    fn advance(&self, units: u64);
    /// Reports something about files that a user should know: leftovers of an earlier run, damage, a repair.
    fn note(&self, _text: &str) {}
    /// Returns whether to stop as soon as possible. The solver then returns [`SolveError::Stopped`].
    fn stopped(&self) -> bool {
        false
    }
}

/// Reports nothing.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

impl Progress for Silent {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _units: u64) {}
}

/// The state that an earlier run saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedState {
    /// The progress of the solver, in its own unit.
    pub stage: u64,
    /// The bytes that were passed to [`Checkpoint::save`].
    pub bytes: Vec<u8>,
}

/// Stores the state from which an interrupted solve can resume.
///
/// Implementations save atomically and detect damage: [`Checkpoint::load`] returns exactly the state that was
/// saved. A checkpoint belongs to one game, rules version, solver and kind of result, so the solver may rely
/// on the bytes being its own.
pub trait Checkpoint {
    /// Returns the last saved state, if any.
    ///
    /// # Errors
    /// If it cannot be read.
    fn load(&mut self) -> std::io::Result<Option<SavedState>>;

    /// Returns whether to save now. Implementations pace themselves by the time that saving has taken so far.
    fn due(&self) -> bool;

    /// Replaces the saved state. The parts are concatenated in `SavedState::bytes`.
    ///
    /// # Errors
    /// If it cannot be written. The previous state is then kept.
    fn save(&mut self, stage: u64, parts: &[&[u8]]) -> std::io::Result<()>;

    /// Returns whether an earlier run of the same solve has left files that [`Checkpoint::spill`] returns.
    fn has_spilled(&self) -> bool {
        false
    }

    /// Returns the files for what does not fit into memory, including files of an earlier run of the same solve;
    /// `None` where there can be none. With `compressed`, what is written is compressed.
    ///
    /// # Errors
    /// If they cannot be read, or no directory can be made for them.
    fn spill(&self, _compressed: bool) -> std::io::Result<Option<Box<dyn Spill>>> {
        Ok(None)
    }
}

/// Saves nothing.
#[derive(Clone, Copy, Debug)]
pub struct NoCheckpoint;

impl Checkpoint for NoCheckpoint {
    fn load(&mut self) -> std::io::Result<Option<SavedState>> {
        Ok(None)
    }
    fn due(&self) -> bool {
        false
    }
    fn save(&mut self, _stage: u64, _parts: &[&[u8]]) -> std::io::Result<()> {
        Ok(())
    }
}

/// The limits and callbacks of a solve.
pub struct Job<'a> {
    /// The number of threads, at least 1.
    pub threads: usize,
    /// The memory limit in bytes. A solver returns [`SolveError::Memory`] before it allocates more.
    pub memory: u64,
    /// If set, only positions that end within this number of turns are decided; the others stay unknown.
    pub horizon: Option<Turns>,
    /// Receives the progress.
    pub progress: &'a dyn Progress,
    /// Stores the state from which an interrupted solve can resume.
    pub checkpoint: &'a mut dyn Checkpoint,
}

impl Job<'_> {
    /// Returns `count` if that many entries of `bits` bits each fit into the memory allowed.
    ///
    /// # Errors
    /// [`SolveError::TooLarge`] or [`SolveError::Memory`] if they do not.
    pub fn room(&self, count: u128, bits: u128) -> Result<usize, SolveError> {
        let need = count.saturating_mul(bits).div_ceil(8);
        match usize::try_from(count) {
            Err(_) => Err(SolveError::TooLarge { count }),
            Ok(_) if need > u128::from(self.memory) => {
                let need = u64::try_from(need).unwrap_or(u64::MAX);
                Err(SolveError::Memory { need, limit: self.memory })
            }
            Ok(count) => Ok(count),
        }
    }

    /// Returns a pool of the job's threads.
    ///
    /// # Errors
    /// An I/O error if the threads cannot be started.
    pub fn pool(&self) -> Result<crate::Pool, SolveError> {
        Ok(crate::threads::pool(self.threads)?)
    }
}

/// The scores of all indices of a dense numbering, in one byte each if no game is too long for that.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Scores {
    /// No game takes more than 125 turns.
    Narrow(Vec<u8>),
    /// Some games take more.
    Wide(Vec<u16>),
}

impl Scores {
    /// Stores two-byte scores in one byte each if they fit.
    pub(crate) fn packed(scores: Vec<u16>) -> Scores {
        match scores.iter().map(|&score| narrowed(score)).collect() {
            Some(narrow) => Scores::Narrow(narrow),
            None => Scores::Wide(scores),
        }
    }

    /// Concatenates lists.
    pub(crate) fn joined(lists: Vec<Scores>) -> Scores {
        let len = lists.iter().map(Scores::len).sum();
        if lists.iter().all(|list| matches!(list, Scores::Narrow(_))) {
            let mut all = Vec::with_capacity(len);
            for list in lists {
                if let Scores::Narrow(scores) = list {
                    all.extend(scores);
                }
            }
            return Scores::Narrow(all);
        }
        let mut all = Vec::with_capacity(len);
        for list in lists {
            all.extend((0..list.len()).map(|at| list.wide(at)));
        }
        Scores::Wide(all)
    }

    /// Keeps the first `len` scores.
    pub(crate) fn truncate(&mut self, len: usize) {
        match self {
            Scores::Narrow(scores) => scores.truncate(len),
            Scores::Wide(scores) => scores.truncate(len),
        }
    }

    /// Bytes of memory.
    pub(crate) fn bytes(&self) -> u64 {
        match self {
            Scores::Narrow(scores) => scores.len() as u64,
            Scores::Wide(scores) => scores.len() as u64 * 2,
        }
    }

    /// The number of indices.
    pub fn len(&self) -> usize {
        match self {
            Scores::Narrow(scores) => scores.len(),
            Scores::Wide(scores) => scores.len(),
        }
    }

    /// Returns whether there are no indices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The knowledge at an index.
    ///
    /// # Panics
    /// If the index is past the end.
    pub fn stored(&self, index: Index) -> Stored {
        match self {
            Scores::Narrow(scores) => scores[index.0 as usize].stored(),
            Scores::Wide(scores) => scores[index.0 as usize].stored(),
        }
    }

    /// The two-byte score at an index.
    #[inline]
    pub(crate) fn wide(&self, index: usize) -> u16 {
        match self {
            Scores::Narrow(scores) => widened(scores[index]),
            Scores::Wide(scores) => scores[index],
        }
    }
}

/// The outcomes of all indices of a dense numbering of a game without draws, one bit each: 1 if the side
/// to move wins, 0 if it loses.
pub struct OutcomeBits {
    words: Box<dyn AsRef<[u64]> + Send + Sync>,
    positions: u64,
}

impl OutcomeBits {
    /// Takes the bits of `positions` positions: position i is bit i mod 64 of word i / 64. Bits after the
    /// last position must be 0.
    ///
    /// # Panics
    /// If there are too few words.
    pub fn new(words: impl AsRef<[u64]> + Send + Sync + 'static, positions: u64) -> OutcomeBits {
        assert!(words.as_ref().len() as u64 >= positions.div_ceil(64));
        OutcomeBits { words: Box::new(words), positions }
    }

    /// Returns the bits in order, as whole words.
    pub fn words(&self) -> &[u64] {
        &(*self.words).as_ref()[..self.positions.div_ceil(64) as usize]
    }

    /// Returns the number of positions.
    pub fn len(&self) -> u64 {
        self.positions
    }

    /// Returns whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// Returns the outcome for the side to move at an index.
    ///
    /// # Panics
    /// If the index is past the end.
    pub fn outcome(&self, index: Index) -> Outcome {
        assert!(index.0 < self.positions, "index {index} is past the end");
        let word = self.words()[(index.0 / 64) as usize];
        if word >> (index.0 % 64) & 1 == 1 { Outcome::Win } else { Outcome::Loss }
    }
}

impl std::fmt::Debug for OutcomeBits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("OutcomeBits").field("positions", &self.positions).finish_non_exhaustive()
    }
}

/// Fails if a player of the game can move several times in a row, for a `solver` that cannot handle it.
///
/// # Errors
/// [`SolveError::NotAlternating`].
pub fn require_alternation<G: Game>(game: &G, solver: &'static str) -> Result<(), SolveError> {
    match game.seat(&game.start()) {
        None => Ok(()),
        Some(_) => Err(SolveError::NotAlternating(solver)),
    }
}

/// Why a solver did not finish.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// It was asked to stop. The checkpoint holds its state.
    #[error("stopped before the end")]
    Stopped,
    /// It needs more memory than the limit.
    #[error("this needs {need} bytes of memory, and {limit} are allowed")]
    Memory {
        /// Bytes needed.
        need: u64,
        /// Bytes allowed.
        limit: u64,
    },
    /// The system does not provide memory that the limit allows.
    #[error(
        "the system refused {bytes} bytes of memory; --memory SIZE allows less, and `ulimit -v` may be too low"
    )]
    NoMemory {
        /// Bytes asked for.
        bytes: u64,
    },
    /// The numbering is too large for one score per index.
    #[error("{count} positions are too many for a table")]
    TooLarge {
        /// Indices of the numbering.
        count: u128,
    },
    /// A game takes more turns than a score can express.
    #[error("with best play, this game lasts more turns than a score can hold")]
    TooDeep,
    /// A player of the game can move several times in a row, and the solver requires players who alternate.
    #[error("in this game a player can move several times in a row, which {0} cannot handle")]
    NotAlternating(&'static str),
    /// The game does not keep the promises of its traits.
    #[error("the game breaks a promise: {0}")]
    BrokenPromise(String),
    /// Another process sent an invalid message.
    #[error("process {from} sent {what}")]
    Protocol {
        /// The sender.
        from: usize,
        /// The invalid content.
        what: &'static str,
    },
    /// The exchange with other processes failed, or the sink that receives the scores.
    #[error(transparent)]
    Outside(Box<dyn std::error::Error + Send + Sync>),
    /// The checkpoint cannot be read or written, or threads cannot be started.
    #[error("the solver cannot continue: {0}")]
    Checkpoint(#[from] std::io::Error),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_both_kinds_are_joined() {
        let lists = || vec![Scores::packed(vec![1, 2]), Scores::packed(vec![]), Scores::packed(vec![3])];
        assert!(matches!(Scores::joined(lists()), Scores::Narrow(scores) if scores == [1, 2, 3]));
        let mut wide = lists();
        wide.push(Scores::packed(vec![300, 65_535]));
        assert!(matches!(Scores::joined(wide), Scores::Wide(scores) if scores == [1, 2, 3, 300, 65_535]));
    }
}
