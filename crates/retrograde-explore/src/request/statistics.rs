//! `stats`: the statistics of a game, including counts that are only made on request.

use retrograde_game::Outcome;
use retrograde_solve::Progress;
use retrograde_table::{Counts, StartValue};

use crate::query::lookup::stored_or_rules;
use crate::query::shades;
use crate::{
    AllPositions, Count, Error, OpenGame, Question, Resources, Route, SolveOptions, Statistics, StoreKind,
    ValueStore, Verdict,
};

pub(super) const ROUTE: Route = Route {
    path: "stats",
    name: "stats",
    topic: "games",
    summary: "Statistics of a game: `stats --json`. Needs a table",
    description: "",
    params: &[],
    body: None,
    answer: ("The statistics, for the side to move", "Statistics"),
    refusals: &[(404, "There is no such game, or no table")],
    // Notes name files of this machine, which clients should not see.
    read: |_, _| Ok(Question::new(0, |game, _| Ok(Statistics { notes: Vec::new(), ..game.statistics()? }))),
};

/// Describes the positions that a table counts, unless it counts all individually.
pub(crate) fn counted_positions(reachable_only: bool, up_to_symmetry: bool) -> Option<String> {
    let text = match (reachable_only, up_to_symmetry) {
        (false, false) => return None,
        (true, false) => "reachable positions",
        (false, true) => "positions up to symmetry",
        (true, true) => "reachable positions up to symmetry",
    };
    Some(text.to_owned())
}

/// Statistics from the counts of a store.
pub(crate) fn statistics_of(open: &OpenGame, values: &dyn ValueStore) -> Statistics {
    let all = |counts: Counts| AllPositions {
        positions: counts.positions,
        wins: counts.wins,
        losses: counts.losses,
        draws: counts.draws,
        unknown: undecided(&counts),
        by_turns: counts.by_turns,
    };
    let mut notes = values.facts().notes.to_vec();
    let seconds = match values.facts().seconds {
        None => open.recorded_seconds(&values.stamp(), &mut notes),
        known => known,
    };
    // Files may omit the start, for example if the game is over before the first turn.
    let start = values.start().filter(|start| start.outcome.is_some()).or_else(|| {
        let known = stored_or_rules(open, &open.entry.game.start()).ok()?;
        Some(StartValue { outcome: known.outcome(), turns: known.turns() })
    });
    let counted =
        || counted_positions(values.facts().kind == StoreKind::Reachable, open.entry.up_to_symmetry());
    Statistics {
        horizon: values.facts().horizon.map(|turns| turns.0),
        counted: values.facts().counted_positions.map(str::to_owned).or_else(counted),
        phases: values.phases(),
        all_positions: values.all_counts().map(all),
        notes,
        ..statistics(open.name(), values.facts().counts, start, seconds)
    }
}

impl OpenGame {
    /// The statistics of the table.
    ///
    /// # Errors
    /// [`Error::NoTable`].
    pub fn statistics(&self) -> Result<Statistics, Error> {
        let mut all = statistics_of(self, self.stored()?);
        all.notes.extend(self.shade_note.clone());
        all.shades = self.shades.as_ref().map(|_| shades::statistics(self)).transpose()?;
        Ok(all)
    }

    /// Computes missing statistics, as for published files, by reading the whole table. Until then
    /// every position counts as unknown. Does nothing if there are statistics.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or is damaged.
    pub fn count(&self, threads: usize, progress: &dyn Progress) -> Result<(), Error> {
        self.values.as_ref().map_or(Ok(()), |values| values.count(threads, progress))
    }

    /// Counts the positions that the statistics omit, if any, and stores the result. This may take
    /// as long as solving. Uses the options for threads and memory.
    ///
    /// # Errors
    /// If it is stopped, does not fit into memory, or a file cannot be read or written.
    pub fn count_all(&self, options: &SolveOptions, progress: &dyn Progress) -> Result<(), Error> {
        let Some(values) = &self.values else { return Ok(()) };
        if values.facts().kind == StoreKind::Reachable {
            return Err(Error::Unsupported(format!(
                "the table of {} has only reachable positions; a solve without `--reachable` counts all",
                self.name()
            )));
        }
        let resources = Resources::new(options.threads, options.memory, progress);
        values.count_all(&resources).map_err(|error| self.entry.explained(error))
    }
}

/// The number of undecided positions, if there are any.
fn undecided(counts: &Counts) -> Option<Count> {
    let undecided = counts.unknown.0 + counts.not_lost.0;
    (undecided > 0).then_some(Count(undecided))
}

/// Statistics of a table that was just written or already existed.
pub(crate) fn statistics(
    game: &str,
    counts: &Counts,
    start: Option<StartValue>,
    seconds: Option<f64>,
) -> Statistics {
    Statistics {
        game: game.to_owned(),
        positions: counts.positions,
        wins: counts.wins,
        losses: counts.losses,
        draws: counts.draws,
        unknown: undecided(counts),
        horizon: None,
        start: Verdict {
            outcome: start.and_then(|start| start.outcome).map_or("unknown", Outcome::word),
            turns: start.and_then(|start| start.turns).map(|turns| turns.0),
        },
        by_turns: counts.by_turns.clone(),
        seconds,
        counted: None,
        phases: Vec::new(),
        all_positions: None,
        shades: None,
        result: None,
        notes: Vec::new(),
    }
}
