//! Solving a game and writing its table: whatever the method, the same checks before, the same work file
//! while, the same statistics after.

use std::path::Path;

use retrograde_game::{Game, Index, Knowledge, Outcome, Score, Show, Stored, Value};
use retrograde_solve::clock::Instant;
use retrograde_solve::fill::Bits;
use retrograde_solve::{Job, Progress, Scores, SolveError};
use retrograde_table::{
    ByTurns, Cell, Counts, Disk, GameLock, Kind, Manifest, Start, TableError, TableWriter, WorkFile,
    WorkIdentity, WriteOptions,
};

use crate::game::entry::Entry;
use crate::machine::{bytes_text, free_disk};
use crate::store::sparse::{self as occurring, About};
use crate::game::open::{Held, Opened};
use crate::query::resolve::{before, fold};
use crate::game::solvers::{Solved, Solver, Way};
use crate::store::values::{HORIZON, StoredValues};
use crate::{AllPositions, Count, Error, KeepJob, Keeper, Method, Plan, SolveOptions, Statistics, Verdict};

/// Statistics from the counts that a table carries.
pub(crate) fn statistics_of(game: &str, values: &StoredValues) -> Statistics {
    let statistics = statistics(game, values.counts(), values.start(), values.seconds());
    match values {
        StoredValues::Kept(kept) => {
            let all = |counts: Counts| AllPositions {
                positions: Count(counts.positions.0),
                wins: Count(counts.wins.0),
                losses: Count(counts.losses.0),
                draws: Count(counts.draws.0),
                unknown: undecided(&counts),
                by_turns: by_turns(&counts),
            };
            Statistics {
                counted: Some(kept.counted().to_owned()),
                phases: kept.phases(),
                all_positions: kept.all().map(all),
                ..statistics
            }
        }
        _ => statistics,
    }
}

fn by_turns(counts: &Counts) -> crate::ByTurns {
    let turns = |by: &std::collections::BTreeMap<u16, retrograde_table::Count>| {
        by.iter().map(|(&turns, count)| (turns, Count(count.0))).collect()
    };
    crate::ByTurns { win: turns(&counts.by_turns.win), loss: turns(&counts.by_turns.loss) }
}

/// How many positions are not decided, if any.
fn undecided(counts: &Counts) -> Option<Count> {
    let undecided = counts.unknown.0 + counts.not_lost.0;
    (undecided > 0).then_some(Count(undecided))
}

fn statistics(game: &str, counts: &Counts, start: Option<Start>, seconds: f64) -> Statistics {
    Statistics {
        game: game.to_owned(),
        positions: Count(counts.positions.0),
        wins: Count(counts.wins.0),
        losses: Count(counts.losses.0),
        draws: Count(counts.draws.0),
        unknown: undecided(counts),
        start: Verdict {
            outcome: start.and_then(|start| start.outcome).map_or("unknown", Outcome::word),
            turns: start.and_then(|start| start.turns).map(|turns| turns.0),
        },
        by_turns: by_turns(counts),
        seconds,
        counted: None,
        phases: Vec::new(),
        all_positions: None,
    }
}

impl<G: Game + Show + 'static> Entry<G> {
    pub(crate) fn solve_into(
        &self,
        tables: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<Statistics, Error> {
        let began = Instant::now();
        let name = self.game.name();
        let (plan, way) = self.planned(options);
        if !options.again
            && let Some(statistics) = self.solved_already(tables, options, way)?
        {
            return Ok(statistics);
        }
        let way = match self.way_to_wins(tables, options, way)? {
            Some(way) => way,
            None => {
                let Some(way) = way else { return Err(Error::TooLarge(format!("{name}: {}", plan.advice))) };
                room_on_disk(tables, &plan)?;
                way
            }
        };

        let lock = GameLock::acquire(tables, &name)?;
        // Whoever held the lock before may have solved it in the meantime.
        if !options.again
            && let Some(statistics) = self.solved_already(tables, options, Some(way))?
        {
            return Ok(statistics);
        }
        let solve = match (&way.solve, &self.keeper) {
            (Solver::Values(solve), _) => solve,
            (Solver::Kept, Some(keeper)) => {
                return self.solve_kept(tables, &lock, &**keeper, options, progress);
            }
            (Solver::Kept, None) => return Err(Error::TooLarge(format!("{name}: it has no such solver"))),
        };
        let mut work = WorkFile::new(&lock, &self.work_identity(way, options));
        if options.again {
            work.remove()?;
        }
        let limit = crate::machine::allowed_memory(options.memory);
        let mut job = Job {
            threads: options.threads.max(1),
            memory: limit,
            horizon: options.phases,
            progress,
            checkpoint: &mut work,
        };
        let solved = solve(&self.game, &mut job).map_err(|error| self.explained(error))?;
        let statistics = match solved {
            Solved::Scores(Scores::Narrow(scores)) => self.write_scores(&lock, &scores, options, began)?,
            Solved::Scores(Scores::Wide(scores)) => self.write_scores(&lock, &scores, options, began)?,
            Solved::Bits(bits) => self.write_bits(&lock, &bits, options, began)?,
            Solved::Occurring(positions) => self.write_occurring(&lock, positions, began)?,
        };
        work.remove()?;
        Ok(statistics)
    }

    /// Solves the game into files of its own.
    fn solve_kept(
        &self,
        tables: &Path,
        lock: &GameLock,
        keeper: &dyn Keeper<G>,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<Statistics, Error> {
        let job = KeepJob::new(lock.directory(), options, progress);
        keeper.solve(&self.game, &job).map_err(|error| self.explained(error))?;
        let opened = Opened::open(Held::Borrowed(self), tables)?;
        Ok(statistics_of(&opened.name, opened.stored()?))
    }

    /// The way that adds wins to a solution that is there without them, whatever way would be chosen now; `None` if all
    /// has to be solved. A way that keeps every value is refused: there nothing is to be added.
    fn way_to_wins(
        &self,
        tables: &Path,
        options: &SolveOptions,
        way: Option<&Way<G>>,
    ) -> Result<Option<&Way<G>>, Error> {
        if !options.with_wins {
            return Ok(None);
        }
        let keeps = |way: &&Way<G>| matches!(way.solve, Solver::Kept);
        if !options.again
            && let Ok(Opened { values: Some(StoredValues::Kept(kept)), .. }) =
                Opened::open_own(Held::Borrowed(self), tables)
            && far_enough(kept.horizon(), options.phases)
        {
            return Ok(self.ways.iter().find(keeps));
        }
        match way.filter(|way| !keeps(way)) {
            Some(_) => Err(Error::Unsupported(self.no_use_for_wins())),
            None => Ok(None),
        }
    }

    /// Why wins cannot be asked for.
    pub(crate) fn no_use_for_wins(&self) -> String {
        format!(
            "--with-wins is for solvers that keep losses only, and {} is solved into a table that has wins anyway",
            self.game.name()
        )
    }

    /// The statistics of the table that is there, if it knows what was asked for. One that is damaged or of
    /// another version is to be solved again.
    pub(crate) fn solved_already(
        &self,
        tables: &Path,
        options: &SolveOptions,
        way: Option<&Way<G>>,
    ) -> Result<Option<Statistics>, Error> {
        let opened = match Opened::open_own(Held::Borrowed(self), tables) {
            Ok(opened) => opened,
            Err(Error::Table(
                TableError::WrongVersion { .. } | TableError::Damaged { .. } | TableError::Truncated { .. },
            )) => return Ok(None),
            Err(error) => return Err(error),
        };
        let Some(values) = &opened.values else { return Ok(None) };
        let far_enough = far_enough(values.horizon(), options.phases);
        let with_turns = way.is_some_and(|way| way.knows_turns) && !options.outcome_only;
        let knows_enough = values.kind() != Kind::Outcomes || !with_turns;
        let right_kind = !options.occurring_only || matches!(values, StoredValues::Occurring(_));
        let lacks_wins = matches!(values, StoredValues::Kept(kept) if !kept.tells_wins());
        if !(far_enough && knows_enough && right_kind) || options.with_wins && lacks_wins {
            return Ok(None);
        }
        Ok(Some(statistics_of(&opened.name, values)))
    }

    pub(crate) fn work_identity(&self, way: &Way<G>, options: &SolveOptions) -> WorkIdentity {
        let horizon = options.phases.map_or_else(String::new, |phases| format!(", {phases} phases"));
        WorkIdentity {
            rules_version: G::RULES_VERSION,
            index_version: self.dense.map_or(0, |dense| dense.index_version()),
            solver: format!("{:?} {}{horizon}", way.method, way.version),
        }
    }

    /// A solver's error with the name of the game and numbers that people can read.
    pub(crate) fn explained(&self, error: SolveError) -> Error {
        match error {
            SolveError::Stopped => Error::Stopped,
            SolveError::Memory { need, limit } => Error::TooLarge(format!(
                "{}: this needs {} of memory or more, and {} may be used",
                self.game.name(),
                bytes_text(need.into()),
                bytes_text(limit.into())
            )),
            SolveError::TooLarge { count } => {
                Error::TooLarge(format!("{}: {count} indices are too many for a table", self.game.name()))
            }
            error => error.into(),
        }
    }

    pub(crate) fn manifest(&self, kind: Kind, cell: Cell, options: &SolveOptions) -> Result<Manifest, Error> {
        let no_numbering = || Error::Unsupported(format!("{} has no numbering", self.game.name()));
        let dense = self.dense.ok_or_else(no_numbering)?;
        let count = u64::try_from(dense.index_count(&self.game)).map_err(|_| no_numbering())?;
        let (rules, index) = (G::RULES_VERSION, dense.index_version());
        let mut manifest = Manifest::new(self.game.name(), rules, index, kind, cell, count);
        manifest.prelude = dense.prelude(&self.game);
        manifest.extra = self.extra.clone();
        if let Some(phases) = options.phases {
            manifest.extra.insert(HORIZON.to_owned(), phases.into());
        }
        Ok(manifest)
    }

    fn write_bits(
        &self,
        lock: &GameLock,
        bits: &Bits,
        options: &SolveOptions,
        began: Instant,
    ) -> Result<Statistics, Error> {
        let manifest = self.manifest(Kind::Outcomes, Cell::Bit, options)?;
        let count = manifest.index_count;
        let mut counts = Counts::default();
        let mut rest = count;
        for words in bits.pieces() {
            let here = rest.min(words.len() as u64 * 64);
            counts.merge(&Counts::of_bits(words, here));
            rest -= here;
        }
        for (outcome, count) in self.left_out() {
            counts.add_over(outcome, count);
        }
        let start = self.start_value(&|index| {
            let known = || Stored::Known(Knowledge::Outcome(bits.outcome(index)));
            if index.0 < count { known() } else { Stored::Nothing }
        });
        let mut writer = self.writer(lock, manifest, options)?;
        for piece in bits.pieces() {
            writer.write_bits(piece)?;
        }
        self.finish(writer, counts, start, Kind::Outcomes, began)
    }

    pub(crate) fn writer(
        &self,
        lock: &GameLock,
        manifest: Manifest,
        options: &SolveOptions,
    ) -> Result<TableWriter, Error> {
        let storage = std::sync::Arc::new(Disk);
        Ok(TableWriter::create_with(
            lock,
            manifest,
            WriteOptions { threads: options.threads.max(1), storage },
        )?)
    }

    pub(crate) fn finish(
        &self,
        mut writer: TableWriter,
        mut counts: Counts,
        start: Knowledge,
        kind: Kind,
        began: Instant,
    ) -> Result<Statistics, Error> {
        let mut start = start_of(start);
        if kind == Kind::Outcomes {
            counts.by_turns = ByTurns::default();
            start.turns = None;
        }
        writer.set_counts(counts);
        writer.set_start(start);
        writer.set_seconds(began.elapsed().as_secs_f64());
        let manifest = writer.finish()?;
        Ok(statistics(&manifest.game, &manifest.counts, manifest.start, manifest.seconds))
    }

    fn write_occurring(
        &self,
        lock: &GameLock,
        positions: Vec<(u64, u16)>,
        began: Instant,
    ) -> Result<Statistics, Error> {
        let Some(expected) = self.expectations() else {
            return Err(Error::Unsupported(format!("{} has no numbering", self.game.name())));
        };
        let mut counts = Counts::default();
        let mut by_code = vec![0_u64; 1 << 16];
        positions.iter().for_each(|&(_, score)| by_code[usize::from(score)] += 1);
        let narrow = (0..=u16::MAX).all(|s| by_code[usize::from(s)] == 0 || occurring::narrowed(s).is_some());
        for (score, count) in (0..=u16::MAX).zip(by_code) {
            counts.add(score.stored(), count.into());
        }
        let start = self.start_value(&|index| {
            let place = positions.binary_search_by_key(&index.0, |&(index, _)| index);
            place.map_or(Stored::Nothing, |place| positions[place].1.stored())
        });
        let about = About {
            game: self.game.name(),
            rules_version: expected.rules_version,
            index_version: expected.index_version,
            index_count: retrograde_table::Count(expected.index_count),
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            positions: positions.len() as u64,
            score_bytes: if narrow { 1 } else { 2 },
            counts,
            start: Some(start_of(start)),
            seconds: began.elapsed().as_secs_f64(),
            extra: self.extra.clone(),
        };
        occurring::write(lock, &about, positions.into_iter())?;
        Ok(statistics(&about.game, &about.counts, about.start, about.seconds))
    }

    /// The value of the start while the table is being written.
    pub(crate) fn start_value(&self, look: &dyn Fn(Index) -> Stored) -> Knowledge {
        self.value_after(&self.game.start(), look, 2)
    }

    fn value_after(&self, position: &G::Position, look: &dyn Fn(Index) -> Stored, depth: u32) -> Knowledge {
        if let Some(outcome) = self.game.result(position) {
            return Knowledge::Exact(Value::over(outcome));
        }
        if let Some(index) = self.index(position) {
            return match look(index) {
                Stored::Known(knowledge) => knowledge,
                Stored::Nothing => Knowledge::Unknown,
            };
        }
        let turns = self.game.turns(position);
        if turns.is_empty() {
            return Knowledge::Exact(Value::over(self.game.stuck()));
        }
        if depth == 0 {
            return Knowledge::Unknown;
        }
        let counts = self.game.counts(position);
        let turns = turns.iter().map(|(_, next)| before(self.value_after(next, look, depth - 1), counts));
        fold(turns, counts, false)
    }
}

/// Whether what was ended after so many turns, if it was, knows what is asked for.
fn far_enough(reached: Option<u16>, asked: Option<u16>) -> bool {
    match (reached, asked) {
        (None, _) => true,
        (Some(_), None) => false,
        (Some(reached), Some(asked)) => reached >= asked,
    }
}

fn start_of(knowledge: Knowledge) -> Start {
    Start { outcome: knowledge.outcome(), turns: knowledge.turns() }
}

/// Refuses to begin what the disk has no room for.
fn room_on_disk(tables: &Path, plan: &Plan) -> Result<(), Error> {
    let need = plan.disk.0 + plan.work.0;
    match free_disk(tables) {
        Some(free) if need > free.into() && plan.method != Method::Reachable => {
            Err(Error::TooLarge(format!(
                "{} needs some {} on the disk of {}, where {} are free",
                plan.game,
                bytes_text(need),
                tables.display(),
                bytes_text(free.into())
            )))
        }
        _ => Ok(()),
    }
}
