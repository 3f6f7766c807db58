//! Where the scores go in the end: to whoever takes them at process 0, window by window in the
//! order of indices, so that nobody needs the memory for all of them.

use retrograde_solve::Scores;
use retrograde_table::Counts;

use crate::error::SinkError;

/// The totals of all scores, known before the first of them comes: a table's kind depends on them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreTotals {
    /// All indices, those of the positions before the game among them.
    pub indices: u64,
    /// Bytes of a score, 1 or 2.
    pub score_bytes: usize,
    /// The positions of the game proper, by value.
    pub counts: Counts,
    /// Whether some position before the game is undecided.
    pub undecided_before: bool,
}

/// The taker of the scores at process 0. In other processes it is never called.
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
