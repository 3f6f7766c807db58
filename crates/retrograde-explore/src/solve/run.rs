//! Solving a game and writing its table: whatever the method, the same checks before, the same work file
//! while, the same statistics after.

use std::path::Path;

use retrograde_game::{Game, Show};
use retrograde_solve::clock::Instant;
use retrograde_solve::{Job, Progress, Scores};
use retrograde_table::{GameLock, Kind, TableError, WorkFile, WorkIdentity};

use crate::game::entry::Entry;
use crate::game::open::{Held, Opened};
use crate::game::solvers::{Solved, Solver, Way};
use crate::machine::{bytes_text, free_disk};
use crate::query::statistics::statistics_of;
use crate::solve::plan::{no_use_for_wins, plan_with_solver};
use crate::solve::write::{write_bits, write_scores, write_sparse};
use crate::store::values::StoredValues;
use crate::{Error, KeepJob, Keeper, Method, Plan, SolveOptions, Statistics};

pub(crate) fn solve<G: Game + Show + 'static>(
    entry: &Entry<G>,
    tables: &Path,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Statistics, Error> {
    let began = Instant::now();
    let name = entry.game.name();
    let (plan, way) = plan_with_solver(entry, options);
    if !options.again
        && let Some(statistics) = solved_already(entry, tables, options, way)?
    {
        return Ok(statistics);
    }
    let way = match solver_of_wins(entry, tables, options, way)? {
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
        && let Some(statistics) = solved_already(entry, tables, options, Some(way))?
    {
        return Ok(statistics);
    }
    let solve = match (&way.solve, &entry.keeper) {
        (Solver::Values(solve), _) => solve,
        (Solver::Kept, Some(keeper)) => {
            return solve_into_archive(entry, tables, &lock, &**keeper, options, progress);
        }
        (Solver::Kept, None) => return Err(Error::TooLarge(format!("{name}: it has no such solver"))),
    };
    let mut work = WorkFile::new(&lock, &work_identity(entry, way, options));
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
    let solved = solve(&entry.game, &mut job).map_err(|error| entry.explained(error))?;
    let statistics = match solved {
        Solved::Scores(Scores::Narrow(scores)) => write_scores(entry, &lock, &scores, options, began)?,
        Solved::Scores(Scores::Wide(scores)) => write_scores(entry, &lock, &scores, options, began)?,
        Solved::Bits(bits) => write_bits(entry, &lock, &bits, options, began)?,
        Solved::Occurring(positions) => write_sparse(entry, &lock, positions, began)?,
    };
    work.remove()?;
    Ok(statistics)
}

/// Solves the game into files of its own.
fn solve_into_archive<G: Game + Show + 'static>(
    entry: &Entry<G>,
    tables: &Path,
    lock: &GameLock,
    keeper: &dyn Keeper<G>,
    options: &SolveOptions,
    progress: &dyn Progress,
) -> Result<Statistics, Error> {
    let job = KeepJob::new(lock.directory(), options, progress);
    keeper.solve(&entry.game, &job).map_err(|error| entry.explained(error))?;
    let opened = Opened::open(Held::Borrowed(entry), tables)?;
    Ok(statistics_of(&opened.name, opened.stored()?))
}

/// The way that adds wins to a solution that is there without them, whatever way would be chosen now; `None` if all
/// has to be solved. A way that keeps every value is refused: there nothing is to be added.
fn solver_of_wins<'a, G: Game + Show + 'static>(
    entry: &'a Entry<G>,
    tables: &Path,
    options: &SolveOptions,
    way: Option<&Way<G>>,
) -> Result<Option<&'a Way<G>>, Error> {
    if !options.with_wins {
        return Ok(None);
    }
    let keeps = |way: &&Way<G>| matches!(way.solve, Solver::Kept);
    if !options.again
        && let Ok(Opened { values: Some(StoredValues::Kept(kept)), .. }) =
            Opened::open_own(Held::Borrowed(entry), tables)
        && far_enough(kept.horizon(), options.phases)
    {
        return Ok(entry.ways.iter().find(keeps));
    }
    match way.filter(|way| !keeps(way)) {
        Some(_) => Err(Error::Unsupported(no_use_for_wins(entry))),
        None => Ok(None),
    }
}

/// The statistics of the table that is there, if it knows what was asked for. One that is damaged or of
/// another version is to be solved again.
pub(crate) fn solved_already<G: Game + Show + 'static>(
    entry: &Entry<G>,
    tables: &Path,
    options: &SolveOptions,
    way: Option<&Way<G>>,
) -> Result<Option<Statistics>, Error> {
    let opened = match Opened::open_own(Held::Borrowed(entry), tables) {
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

pub(crate) fn work_identity<G: Game + Show + 'static>(
    entry: &Entry<G>,
    way: &Way<G>,
    options: &SolveOptions,
) -> WorkIdentity {
    let horizon = options.phases.map_or_else(String::new, |phases| format!(", {phases} phases"));
    WorkIdentity {
        rules_version: G::RULES_VERSION,
        index_version: entry.dense.map_or(0, |dense| dense.index_version()),
        solver: format!("{:?} {}{horizon}", way.method, way.version),
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
