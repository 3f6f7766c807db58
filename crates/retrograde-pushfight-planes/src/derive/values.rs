//! Derives the values of all positions in a scope from the known values of plausible positions.
//!
//! Every turn leads to a plausible position. Once the values of these are known, the phases can run in
//! any order. First, every position with a turn to a loss is won; the quickest losses come first. Of
//! the rest, every position with a turn to a draw is drawn. All that remain are lost, one turn after
//! the slowest win that they lead to. So the search for losses, the expensive part of a solve, only
//! visits positions that are lost.
//!
//! Within a horizon, undecided positions take the place of draws: a position with a turn to one of
//! them stays undecided. Results beyond the horizon (wins in one turn more, or losses) are found as
//! well.

use retrograde_game::Turns;
use retrograde_pushfight::PushFight;
use retrograde_solve::SolveError;

use crate::config::SolveConfig;
use crate::files::log::Log;
use crate::files::log_planes::{make_plane, read_plane};
use crate::files::solution_info::SolutionInfo;
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::layout::sparse::{Plane, SparseCells, empty_plane, subtract_plane};
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::phase::count::{PhaseCount, count_phase};
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, PhaseId, is_loss};
use crate::solve::steps::find_undecided;

/// The logged values of a board: all of them, or those within a horizon.
pub(crate) struct KnownValues<'a> {
    /// An engine with the layout of the logs.
    engine: Engine,
    log: &'a Log,
    config: &'a SolveConfig<'a>,
    /// The description of the solution.
    info: &'a SolutionInfo,
}

/// Runs a phase and returns its results.
pub(crate) type PhaseRunner<'a> = dyn FnMut(&Engine, PhaseId, Phase<'_>) -> Result<Plane, SolveError> + 'a;

/// The longest loss and the longest win.
fn longest_loss_and_win(info: &SolutionInfo) -> [Turns; 2] {
    [true, false].map(|lost| {
        let present = info.phases.iter().filter(|phase| !phase.is_empty());
        let turns = present.filter_map(|phase| phase.id().turns());
        turns.filter(|&turns| is_loss(turns) == lost).max().unwrap_or_default()
    })
}

/// The turns of the phase before.
fn before(turns: Turns) -> Turns {
    Turns(turns.0 - 1)
}

/// Whether a phase is within the horizon of a solution.
pub(crate) fn covers(info: &SolutionInfo, phase: PhaseId) -> bool {
    match (phase, info.horizon) {
        // Wins in one turn are within every horizon.
        (PhaseId::Turns(turns), Some(horizon)) => turns <= Turns(horizon.max(1)),
        _ => true,
    }
}

/// Decides all positions within an engine's scope. `run` runs the phases, in this order:
/// [`Phase::NoPush`]; the wins by turns, with [`PhaseId::WonByNoPush`] for wins in one turn; all losses
/// together, as [`PhaseId::Draws`]; the losses by turns. Returns the counts of positions won in one turn, and
/// of drawn or undecided positions.
///
/// # Errors
/// The errors of `run`; also if a log cannot be read.
pub(crate) fn derive_values(
    target: &mut Engine,
    values: &mut KnownValues<'_>,
    run: &mut PhaseRunner<'_>,
) -> Result<[PhaseCount; 2], SolveError> {
    retrograde_solve::memory::return_freed_memory();
    let mut won = find_undecided(target, values.config.progress)?;
    let stuck = run(target, PhaseId::Turns(Turns(0)), Phase::NoPush)?;
    target.remove_decided(&stuck);
    let lost = values.plane(&target.layout, Turns(0))?;
    // Even without losses a file may list such wins, which a proof has to find.
    let wins = run(target, PhaseId::WonByNoPush, Phase::Wins(&lost))?;
    target.remove_decided(&wins);
    won.iter_mut().zip(&wins).for_each(|(won, wins)| *won += wins.count());
    let [longest_loss, longest_win] = longest_loss_and_win(values.info);
    // A solution has no results beyond its horizon, so they count as undecided.
    let mut beyond = vec![0; target.layout.superblocks.len()];
    let mut count = |turns: Turns, found: &Plane| {
        if !covers(values.info, PhaseId::Turns(turns)) {
            beyond.iter_mut().zip(found).for_each(|(beyond, cells)| *beyond += cells.count());
        }
    };
    for turns in (3..=longest_loss.0 + 1).step_by(2).map(Turns) {
        let lost = values.plane(&target.layout, before(turns))?;
        let wins = run(target, PhaseId::Turns(turns), Phase::Wins(&lost))?;
        count(turns, &wins);
        target.remove_decided(&wins);
    }
    let mut open: Vec<u64> = {
        let draws = values.draws(&target.layout)?;
        let lost = run(target, PhaseId::Draws, Phase::Losses(&draws, None))?;
        let open = target
            .undecided
            .iter()
            .zip(&lost)
            .map(|(undecided, lost)| undecided.count() - lost.count())
            .collect();
        target.set_undecided(lost);
        open
    };
    let mut wins = values.wins(&target.layout)?;
    for turns in (2..=longest_loss.0.max(longest_win.0 + 1)).step_by(2).map(Turns) {
        // A position lost in t turns has a turn to a win in t − 1. Wins in one turn are not stored.
        let newest =
            if turns == Turns(2) { Vec::new() } else { values.plane(&target.layout, before(turns))? };
        subtract_plane(&mut wins, &newest, values.config.threads);
        let lost = run(target, PhaseId::Turns(turns), Phase::Losses(&wins, target.frontier(&newest)))?;
        count(turns, &lost);
        target.remove_decided(&lost);
    }
    open.iter_mut().zip(&beyond).for_each(|(open, beyond)| *open += beyond);
    let counts = |id: PhaseId, counts: Vec<u64>| count_phase(&target.layout, id, by_superblock(counts));
    Ok([counts(PhaseId::Turns(Turns(1)), won), counts(PhaseId::Draws, open)])
}

/// Converts a plane to another layout, which has other superblocks.
fn renumbered(from: &Layout, to: &Layout, mut plane: Plane) -> Plane {
    let number = |key: &crate::layout::superblocks::SuperblockKey| {
        from.superblock_of(key.pushers as usize, key.anchor)
    };
    let mut taken = |at: SuperblockId| std::mem::take(&mut plane[at]);
    to.superblocks.iter().map(|key| number(key).map(&mut taken).unwrap_or_default()).collect()
}

impl<'a> KnownValues<'a> {
    pub(crate) fn new(
        game: &PushFight,
        log: &'a Log,
        config: &'a SolveConfig<'a>,
        info: &'a SolutionInfo,
    ) -> Result<KnownValues<'a>, SolveError> {
        let engine = Engine::of_board(game, Scope::PlausibleAndStarts, config.threads)?;
        Ok(KnownValues { engine, log, config, info })
    }

    fn read(&self, phase: PhaseId) -> Result<Plane, SolveError> {
        read_plane(&self.engine.layout, &self.log.open(phase)?, self.config.threads)
    }

    /// The positions decided in this number of turns, with the superblocks of another layout.
    fn plane(&self, layout: &Layout, turns: Turns) -> Result<Plane, SolveError> {
        Ok(renumbered(&self.engine.layout, layout, self.read(turns.into())?))
    }

    /// The positions that are drawn or undecided, with the superblocks of another layout.
    fn draws(&mut self, layout: &Layout) -> Result<Plane, SolveError> {
        let progress = self.config.progress;
        find_undecided(&mut self.engine, progress)?;
        let nothing = empty_plane(self.engine.layout.superblocks.len());
        let mut undecided = std::mem::replace(&mut self.engine.undecided, nothing);
        let [longest_loss, longest_win] = longest_loss_and_win(self.info);
        let turns = 2..=longest_loss.max(longest_win).0;
        progress.stage("what is left", turns.len() as u64 + 2);
        let first = [Turns(0).into(), PhaseId::WonByNoPush];
        for phase in first.into_iter().chain(turns.map(|turns| Turns(turns).into())) {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            subtract_plane(&mut undecided, &self.read(phase)?, self.config.threads);
            progress.advance(1);
        }
        Ok(renumbered(&self.engine.layout, layout, undecided))
    }

    /// The positions won in more than one turn, with the superblocks of another layout.
    fn wins(&self, layout: &Layout) -> Result<Plane, SolveError> {
        let progress = self.config.progress;
        let known = &self.engine.layout;
        let logs: Vec<_> = (3..=longest_loss_and_win(self.info)[1].0)
            .step_by(2)
            .map(|turns| self.log.open(Turns(turns).into()))
            .collect::<Result<_, _>>()?;
        progress.stage("wins", known.superblocks.len() as u64);
        let shape = known.cell_shape();
        let plane = make_plane(known, self.config.threads, progress, &|superblock| {
            let planes = logs.iter().map(|log| log.read(superblock, shape));
            Ok(SparseCells::union(shape, &planes.collect::<Result<Vec<_>, _>>()?))
        })?;
        Ok(renumbered(known, layout, plane))
    }
}
