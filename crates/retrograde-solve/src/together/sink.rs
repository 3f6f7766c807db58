//! Sinks that receive the scores at process 0, in the order of indices. No process needs memory for all
//! of them.

use std::collections::BTreeMap;
use std::error::Error;
use std::io;

use crate::job::Scores;

/// The error of a sink that takes no more scores.
pub type SinkError = Box<dyn Error + Send + Sync>;

/// The totals of all scores, known before the first score arrives: the kind of table depends on them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ScoreTotals {
    /// The number of all indices, including positions before the game.
    pub indices: u64,
    /// The bytes per score, 1 or 2.
    pub score_bytes: usize,
    /// The number of positions of the game proper, by two-byte score.
    pub counts: BTreeMap<u16, u64>,
    /// Whether a position before the game is undecided.
    pub undecided_before: bool,
}

/// Receives the scores of all indices at process 0. Never called in other processes.
pub trait ScoreSink {
    /// Announces the totals, once, before the first scores.
    ///
    /// # Errors
    /// Returns an error if the sink cannot take the scores. All processes then end and report it.
    fn begin(&mut self, totals: &ScoreTotals) -> Result<(), SinkError>;

    /// Takes the next scores. Until it returns, the other processes are at most one window ahead.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`ScoreSink::begin`].
    fn take(&mut self, scores: &Scores) -> Result<(), SinkError>;
}

/// A sink that keeps all scores in memory, for small games.
#[derive(Default, Debug)]
pub struct CollectedScores(Option<Scores>);

impl CollectedScores {
    /// Returns the scores of a finished solve; `None` in all processes but the first.
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

/// The totals of all reachable positions, known before the first of them arrives.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ReachableTotals {
    /// The number of positions by two-byte score.
    pub counts: BTreeMap<u16, u64>,
    /// The scores of the wanted numbers, in their order; `None` for numbers that do not occur.
    pub wanted: Vec<Option<u16>>,
}

/// Receives the reachable positions at process 0. Never called in other processes.
pub trait ReachableSink {
    /// Returns the numbers whose scores the sink needs in the totals.
    fn wanted(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Takes all positions: numbers and scores, in the order of the numbers. The other processes are at
    /// most one window ahead of the iterator. The iterator ends after an error.
    ///
    /// # Errors
    /// Returns an error if the sink cannot take the positions. All processes then end and report it.
    fn take(
        &mut self,
        totals: &ReachableTotals,
        positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    ) -> Result<(), SinkError>;
}

/// A sink that keeps all positions in memory, for small games.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct CollectedReachable {
    /// The number of positions by score; `None` until all positions have arrived.
    pub counts: Option<BTreeMap<u16, u64>>,
    /// Numbers and scores, in the order of the numbers.
    pub positions: Vec<(u64, u16)>,
}

impl ReachableSink for CollectedReachable {
    fn take(
        &mut self,
        totals: &ReachableTotals,
        positions: &mut dyn Iterator<Item = io::Result<(u64, u16)>>,
    ) -> Result<(), SinkError> {
        self.positions = positions.collect::<Result<_, _>>()?;
        self.counts = Some(totals.counts.clone());
        Ok(())
    }
}
