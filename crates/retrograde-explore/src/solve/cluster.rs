//! Solving on several processes: which solver does it, what it takes of each process, and the way of a solve from
//! finding the others to the table, which is written, as the scores come, by the very code that writes the one of a
//! single machine.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use retrograde_cluster::{ClusterError, Gathered, Job, Join, Seat, Session, Shards, Sink, SinkError, Totals};
use retrograde_game::{Game, Index, Show};
use retrograde_solve::{Progress, Scores, SolveError};
use retrograde_table::{Cell, GameLock, directory_name};
use serde::Serialize;

use crate::game::entry::Entry;
use crate::game::solvers::costs::{Costs, GRADED};
use crate::game::solvers::{SolverSpec, Together};
use crate::solve::cluster_archive::{plan_archive_together, shared_archive_solver, solve_archive_together};
use crate::solve::plan::no_use_for_wins;
use crate::solve::run::{solved_already, work_identity};
use crate::solve::write::{ScoreSummary, ScoreWriter};
use crate::{Count, Error, Method, SolveOptions, Statistics};

/// Bytes that a process takes besides what grows with the game: batches on their way, and the engine's buffers.
const FIXED: u64 = 256 << 20;
/// One line of JSON for each process and solve.
const LOG: &str = "cluster.log";
/// What of a table is left when it is packed.
const PACKED: f64 = 0.3;
/// Positions whose turns are counted for an estimate.
const SAMPLES: u64 = 2000;

/// What solving on several processes takes of each.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClusterPlan {
    /// The canonical name.
    pub game: String,
    /// How it is solved.
    pub method: Method,
    /// Processes.
    pub processes: u32,
    /// Indices that a process owns.
    pub indices: Count,
    /// Bytes of memory of a process.
    pub memory: Count,
    /// Bytes of disk of a process, for two checkpoints.
    pub disk: Count,
    /// Bytes of disk that process 0 takes besides, for the table.
    pub disk_first: Count,
    /// Bytes that a process sends, and as many that it receives.
    pub network: Count,
    /// Seconds, when a process has as many threads as were asked for.
    pub seconds: f64,
}

/// The way to solve it together with others.
fn shared_solver<'a, G: Game + Show + 'static>(
    entry: &'a Entry<G>,
    options: &SolveOptions,
) -> Result<(&'a SolverSpec<G>, Together<G>, Costs), Error> {
    let known = entry
        .solvers
        .iter()
        .filter(|spec| !options.occurring_only && (spec.knows_turns || options.phases.is_none()));
    // The plain solvers are known by name; those that are quicker on one machine say the same values.
    let solvers = known.filter_map(|spec| spec.together.map(|(together, costs)| (spec, together, costs)));
    let order = |method| match method {
        Method::Graded => 0,
        Method::Retrograde if options.phases.is_some() => 0,
        Method::Fill | Method::FillOutcomes => 1,
        _ => 2,
    };
    solvers.min_by_key(|(spec, ..)| order(spec.method)).ok_or_else(|| {
        Error::Unsupported(format!(
            "{}: no solver of this game does that on several processes",
            entry.game.name()
        ))
    })
}

pub(crate) fn plan_together<G: Game + Show + 'static>(
    entry: &Entry<G>,
    options: &SolveOptions,
    processes: u32,
) -> Result<ClusterPlan, Error> {
    if let Some(plan) = plan_archive_together(entry, options, processes) {
        return Ok(plan);
    }
    let (spec, _, costs) = shared_solver(entry, options)?;
    let all = entry.index_counts().map_or(0, |(_, all)| all);
    let processes = processes.max(1);
    let own = all.div_ceil(processes.into());
    let turns = average_turns(entry, all);
    let away = f64::from(processes - 1) / f64::from(processes);
    let threads = options.threads.max(1) as f64;
    let memory = own * u128::from(costs.memory) + u128::from(FIXED);
    Ok(ClusterPlan {
        game: entry.game.name(),
        // One cannot be told from the other on several processes.
        method: if spec.together.is_some_and(|(_, costs)| costs == GRADED) {
            Method::Graded
        } else {
            spec.method
        },
        processes,
        indices: Count(own),
        memory: Count(memory),
        disk: Count(own * u128::from(costs.saved) * 2),
        disk_first: Count((all as f64 * PACKED) as u128),
        network: Count((own as f64 * turns * away * costs.message + own as f64) as u128),
        seconds: own as f64 * turns.max(1.0) / (costs.rate * threads),
    })
}

/// Turns of a position to positions that are not over, on the average of some.
fn average_turns<G: Game + Show + 'static>(entry: &Entry<G>, all: u128) -> f64 {
    let (Some(dense), Ok(all)) = (entry.dense, u64::try_from(all)) else { return 1.0 };
    let samples = SAMPLES.min(all);
    let mut turns = 0_u64;
    for sample in 0..samples {
        let index = (u128::from(all) * u128::from(2 * sample + 1) / u128::from(2 * samples)) as u64;
        let _ = dense.each_next(&entry.game, Index(index), &mut |_| {
            turns += 1;
            std::ops::ControlFlow::Continue(())
        });
    }
    turns as f64 / samples.max(1) as f64
}

pub(crate) fn solve_together<G: Game + Show + 'static>(
    entry: &Entry<G>,
    tables: &Path,
    options: &SolveOptions,
    join: &Join,
    progress: &dyn Progress,
) -> Result<Option<Statistics>, Error> {
    let kept = shared_archive_solver(entry, options, join.hosts.count() as u32);
    let (spec, together, kind) = match kept {
        Some(spec) => (spec, None, "phases"),
        None => {
            let (spec, together, costs) = shared_solver(entry, options)?;
            if options.with_wins {
                return Err(Error::Unsupported(no_use_for_wins(entry)));
            }
            (spec, Some(together), if costs == GRADED { "graded" } else { "retrograde" })
        }
    };
    let identity = work_identity(entry, spec, options);
    let horizon = options.phases.map_or_else(String::new, |phases| format!(", {phases} phases"));
    let about = format!(
        "{}\nrules {}, numbering {}\n{kind} {}{horizon}{}\n{}",
        entry.game.name(),
        identity.rules_version,
        identity.index_version,
        spec.version,
        if options.again { ", again" } else { "" },
        serde_json::Value::from(entry.extra.clone())
    );
    let mut session = Seat::join(join, &about)?.sit()?;
    let solved = match together {
        Some(together) => {
            solve_into_table(entry, &mut session, tables, options, (spec, together), (join, &about), progress)
        }
        None => solve_archive_together(entry, &mut session, tables, options, spec, join, progress),
    };
    match solved {
        Ok(statistics) => {
            let ended = session.finish();
            if statistics.is_none() {
                ended?;
            }
            Ok(statistics)
        }
        Err(error) => {
            session.fail(&error.to_string());
            Err(error)
        }
    }
}

fn solve_into_table<G: Game + Show + 'static>(
    entry: &Entry<G>,
    session: &mut Session,
    tables: &Path,
    options: &SolveOptions,
    (spec, together): (&SolverSpec<G>, Together<G>),
    (join, about): (&Join, &str),
    progress: &dyn Progress,
) -> Result<Option<Statistics>, Error> {
    let began = Instant::now();
    let first = session.process() == 0;
    let GameDirectory { lock, directory } = match begin(entry, session, tables, options, spec)? {
        Beginning::Solved(there) => return Ok(there.map(|there| *there)),
        Beginning::Unsolved(place) => place,
    };
    // What is gone on from does not depend on having been asked to begin anew.
    let mut shards = Shards::new(&directory, about.replace(", again", "").replace('\n', "; "));
    if options.again && first {
        shards.remove()?;
    }
    session.first_says(true)?;
    let memory = crate::machine::allowed_memory(options.memory);
    let mut job = Job::new(memory, progress);
    job.horizon = options.phases;
    job.shards = Some(&mut shards);
    let mut table = lock.as_ref().map(|lock| NewTable { entry: entry, lock, options, writing: None });
    // Where no table is written nothing is gathered either.
    let mut nothing = Gathered::default();
    let sink: &mut dyn Sink = match &mut table {
        Some(table) => table,
        None => &mut nothing,
    };
    together(&entry.game, session, &mut job, sink).map_err(|error| explained_of_all(entry, error))?;
    let written = match table.and_then(|table| table.writing) {
        Some(writing) => Some(writing.end(began)?),
        None => None,
    };
    let all = session.first_says(true);
    // The table is there; who fails now has done its part.
    if !first {
        all?;
    }
    log(entry, session, &directory, join, began);
    // When the table is written nobody needs what was saved.
    shards.remove()?;
    Ok(written)
}

/// Process 0 takes the game's directory for itself, and looks whether there is a table already; the others hear of it.
pub(crate) fn begin<G: Game + Show + 'static>(
    entry: &Entry<G>,
    session: &mut Session,
    tables: &Path,
    options: &SolveOptions,
    spec: &SolverSpec<G>,
) -> Result<Beginning, Error> {
    let name = entry.game.name();
    let first = session.process() == 0;
    let lock = if first { Some(GameLock::acquire(tables, &name)?) } else { None };
    let there = match first && !options.again {
        true => solved_already(entry, tables, options, Some(spec))?,
        false => None,
    };
    if session.first_says(there.is_some())? {
        return Ok(Beginning::Solved(there.map(Box::new)));
    }
    let directory = match &lock {
        Some(lock) => lock.directory().to_owned(),
        None => tables.join(directory_name(&name)),
    };
    Ok(Beginning::Unsolved(GameDirectory { lock, directory }))
}

/// What differs from run to run stands in a log beside the table: when, where, how long, how much was sent.
pub(crate) fn log<G: Game + Show + 'static>(
    entry: &Entry<G>,
    session: &Session,
    directory: &Path,
    join: &Join,
    began: Instant,
) {
    let (sent, received) = session.traffic();
    let since_1970 = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let line = serde_json::json!({
        "game": entry.game.name(),
        "unix_time": since_1970.map_or(0, |time| time.as_secs()),
        "process": session.process(),
        "address": join.hosts.address(session.process()),
        "threads": session.threads(),
        "seconds": began.elapsed().as_secs_f64(),
        "sent_bytes": sent,
        "received_bytes": received,
        "peak_memory_bytes": crate::machine::peak_memory(),
    });
    // The table does not depend on it.
    let file = std::fs::File::options().create(true).append(true).open(directory.join(LOG));
    let _ = file.and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
}

pub(crate) fn explained_of_all<G: Game + Show + 'static>(entry: &Entry<G>, error: ClusterError) -> Error {
    match error {
        ClusterError::Solve(SolveError::Stopped) => Error::Stopped,
        ClusterError::Solve(error) => entry.explained(error),
        ClusterError::Sink(error) => match error.downcast::<Error>() {
            Ok(error) => *error,
            Err(error) => ClusterError::Sink(error).into(),
        },
        error => error.into(),
    }
}

/// Where a solve on several processes begins.
pub(crate) enum Beginning {
    /// Process 0 has the statistics.
    Solved(Option<Box<Statistics>>),
    Unsolved(GameDirectory),
}

/// A game's directory, and at process 0 the lock on it.
pub(crate) struct GameDirectory {
    pub lock: Option<GameLock>,
    pub directory: PathBuf,
}

/// The table of process 0, to which all processes hand their scores.
struct NewTable<'a, G: Game + Show + 'static> {
    entry: &'a Entry<G>,
    lock: &'a GameLock,
    options: &'a SolveOptions,
    writing: Option<ScoreWriter<'a, G>>,
}

impl<G: Game + Show + 'static> Sink for NewTable<'_, G> {
    fn begin(&mut self, totals: &Totals) -> Result<(), SinkError> {
        let known = ScoreSummary {
            cell: if totals.score_bytes == 1 { Cell::Byte } else { Cell::TwoBytes },
            indices: totals.indices,
            counts: totals.counts.clone(),
            undecided_before: totals.undecided_before,
        };
        self.writing = Some(ScoreWriter::begin(self.entry, self.lock, known, self.options)?);
        Ok(())
    }

    fn take(&mut self, scores: &Scores) -> Result<(), SinkError> {
        let writing = self.writing.as_mut().ok_or("scores before it was said what they are")?;
        match scores {
            Scores::Narrow(scores) => writing.add(scores)?,
            Scores::Wide(scores) => writing.add(scores)?,
        }
        Ok(())
    }
}
