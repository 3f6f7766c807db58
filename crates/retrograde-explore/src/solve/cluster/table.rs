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
use crate::game::solvers::Together;
use crate::solve::write::{Output, ScoreSummary, ScoreWriter, summed};
use crate::{AnyGame, Error, Statistics};

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
    let output = lock.map(|lock| Output { entry, lock, options, began });
    match together {
        Together::Scores(solve) => {
            let mut table = output.map(|output| NewTable { output, writing: None });
            // Only the process that writes the table collects scores.
            let mut nothing = CollectedScores::default();
            let sink: &mut dyn ScoreSink = match &mut table {
                Some(table) => table,
                None => &mut nothing,
            };
            solve(session, &mut job, sink).map_err(|error| explained_cluster_error(entry, error.into()))?;
            table.and_then(|table| table.writing).map(ScoreWriter::end).transpose()
        }
        Together::Reachable(solve) => {
            let mut table = output.map(|output| ReachableOutput { output, written: None });
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
    output: Output<'a>,
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
        self.writing = Some(ScoreWriter::begin(self.output, known)?);
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
