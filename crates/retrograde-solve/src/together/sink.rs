//! The sinks that receive the scores at process 0, in the order of indices, so that no process needs the
//! memory for all of them.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;

use crate::job::Scores;

/// The reason why a sink takes no more scores.
pub type SinkError = Box<dyn Error + Send + Sync>;

/// The totals of all scores, known before the first of them comes: a table's kind depends on them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreTotals {
    /// All indices, those of the positions before the game among them.
    pub indices: u64,
    /// Bytes of a score, 1 or 2.
    pub score_bytes: usize,
    /// The positions of the game proper, by score of two bytes.
    pub counts: BTreeMap<u16, u64>,
    /// Whether some position before the game is undecided.
    pub undecided_before: bool,
}

/// The taker of the scores of all indices at process 0. In other processes it is never called.
pub trait ScoreSink {
    /// Announces, once, the scores that will come.
    ///
    /// # Errors
    /// If it cannot be taken. Then all processes end, and the others are told why.
    fn begin(&mut self, totals: &ScoreTotals) -> Result<(), SinkError>;

    /// The next scores. No process looks for more than the window after this one before it returns.
    ///
    /// # Errors
    /// As for [`ScoreSink::begin`].
    fn take(&mut self, scores: &Scores) -> Result<(), SinkError>;
}

/// A sink that keeps all scores in memory, for games that are small beside it.
#[derive(Default, Debug)]
pub struct CollectedScores(Option<Scores>);

impl CollectedScores {
    /// The scores, where a solve has come to its end; `None` in all processes but the first.
    pub fn scores(self) -> Option<Scores> {
        self.0
    }
}

impl ScoreSink for CollectedScores {
    fn begin(&mut self, totals: &ScoreTotals) -> Result<(), SinkError> {
        self.0 =
            Some(if totals.score_bytes == 1 { Scores::Narrow(Vec::new()) } else { Scores::Wide(Vec::new()) });
        Ok(())
    }

    fn take(&mut self, scores: &Scores) -> Result<(), SinkError> {
        match (&mut self.0, scores) {
            (Some(Scores::Narrow(all)), Scores::Narrow(scores)) => all.extend_from_slice(scores),
            (Some(Scores::Wide(all)), Scores::Wide(scores)) => all.extend_from_slice(scores),
            _ => return Err("scores of another size than was said".into()),
        }
        Ok(())
    }
}

/// The totals of all positions that occur, known before the first of them comes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OccurringTotals {
    /// Positions by score of two bytes.
    pub counts: BTreeMap<u16, u64>,
    /// The scores of the numbers that were wanted, in their order; `None` where none occurs.
    pub wanted: Vec<Option<u16>>,
}

/// The taker of positions that occur at process 0. In other processes it is never called.
pub trait OccurringSink {
    /// Numbers whose scores it wants to know before all others.
    fn wanted(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Takes all positions: numbers and scores, in the order of the numbers. No process looks for more
    /// than the window after the one that is being read. An error of the iterator ends it.
    ///
    /// # Errors
    /// If they cannot be taken. Then all processes end, and the others are told why.
    fn take(
        &mut self,
        totals: &OccurringTotals,
        positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    ) -> Result<(), SinkError>;
}

/// A sink that keeps all positions in memory, for games that are small beside it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CollectedOccurring {
    /// Positions by score; `None` until all are there.
    pub counts: Option<BTreeMap<u16, u64>>,
    /// Numbers and scores, in the order of the numbers.
    pub positions: Vec<(u64, u16)>,
}

impl OccurringSink for CollectedOccurring {
    fn take(
        &mut self,
        totals: &OccurringTotals,
        positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    ) -> Result<(), SinkError> {
        self.positions = positions.collect::<Result<_, _>>()?;
        self.counts = Some(totals.counts.clone());
        Ok(())
    }
}
