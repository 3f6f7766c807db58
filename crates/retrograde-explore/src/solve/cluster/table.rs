//! A table solved by several processes: each holds a share of the scores or of the reachable
//! positions, and process 0 writes them as they arrive.

use std::time::Instant;

use retrograde_cluster::{ClusterCheckpoint, Session};
use retrograde_game::Turns;
use retrograde_solve::Scores;
use retrograde_solve::together::{
    CollectedReachable, CollectedScores, ReachableSink, ScoreSink, ScoreTotals, SharedJob, SinkError,
};
use retrograde_table::{CellWidth, GameLock};

use super::reachable::ReachableOutput;
use super::session::{SharedTask, explained_cluster_error};
use crate::game::any_game::AnyGame;
use crate::game::solvers::Together;
use crate::solve::write::{ScoreSummary, ScoreWriter, summed};
use crate::{Error, SolveOptions, Statistics};

pub(super) fn solve_into_table(
    entry: &AnyGame,
    session: &mut Session,
    (together, checkpoint): (&Together, &mut ClusterCheckpoint),
    (lock, began): (Option<&GameLock>, Instant),
    SharedTask { options, progress, .. }: SharedTask<'_>,
) -> Result<Option<Statistics>, Error> {
    let memory = crate::machine::allowed_memory(options.memory);
    let mut job = SharedJob::new(memory, progress);
    job.horizon = options.phases.map(Turns);
    job.checkpoint = Some(checkpoint);
    match together {
        Together::Scores(solve) => {
            let mut table = lock.map(|lock| NewTable { entry, lock, options, writing: None });
            // Only the process that writes the table collects scores.
            let mut nothing = CollectedScores::default();
            let sink: &mut dyn ScoreSink = match &mut table {
                Some(table) => table,
                None => &mut nothing,
            };
            solve(session, &mut job, sink).map_err(|error| explained_cluster_error(entry, error.into()))?;
            table.and_then(|table| table.writing).map(|writing| writing.end(began)).transpose()
        }
        Together::Reachable(solve) => {
            let mut table = lock.map(|lock| ReachableOutput { entry, lock, options, began, written: None });
            let mut nothing = CollectedReachable::default();
            let sink: &mut dyn ReachableSink = match &mut table {
                Some(table) => table,
                None => &mut nothing,
            };
            solve(session, &mut job, sink).map_err(|error| explained_cluster_error(entry, error.into()))?;
            Ok(table.and_then(|table| table.written))
        }
    }
}

/// The table of process 0, which receives the scores of all processes.
struct NewTable<'a> {
    entry: &'a AnyGame,
    lock: &'a GameLock,
    options: &'a SolveOptions,
    writing: Option<ScoreWriter<'a>>,
}

impl ScoreSink for NewTable<'_> {
    fn begin(&mut self, totals: &ScoreTotals) -> Result<(), SinkError> {
        let known = ScoreSummary {
            cell: if totals.score_bytes == 1 { CellWidth::Byte } else { CellWidth::TwoBytes },
            indices: totals.indices,
            counts: summed(&totals.counts).0,
            undecided_before: totals.undecided_before,
        };
        self.writing = Some(ScoreWriter::begin(self.entry, self.lock, known, self.options)?);
        Ok(())
    }

    fn take(&mut self, scores: &Scores) -> Result<(), SinkError> {
        let writing = self.writing.as_mut().ok_or("scores were sent before their description")?;
        match scores {
            Scores::Narrow(scores) => writing.add(scores)?,
            Scores::Wide(scores) => writing.add(scores)?,
        }
        Ok(())
    }
}
