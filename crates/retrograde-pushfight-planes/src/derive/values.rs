//! What follows for positions from the values of those that pushes lead to: every value again, or for the first time.
//!
//! A turn leads to a plausible position. When those are known, nothing has to be found in the order of phases: first
//! everything that has a way to a loss, quickest first, is won. Of the rest what has a way to a draw is drawn, and leaves at
//! once; all that is left is lost, in one turn more than the longest of the wins that it leads to. So losses, which cost
//! most when one solves, are looked for only where there are some.
//!
//! Where only what ends within some turns is known, what is undecided takes the place of the draws: what has a way to it
//! stays undecided. What follows beyond those turns (wins in one more, or losses) is found too.

use retrograde_solve::{SolveError, in_order};

use crate::config::Means;
use crate::files::log::{DRAWS, Log, STUCK};
use crate::files::log_planes::read_sound;
use crate::files::solution_info::About;
use crate::layout::numbering::Shape;
use crate::layout::sparse::Cells;
use crate::layout::sparse::empty_plane;
use crate::layout::sparse::{Plane, subtract};
use crate::phase::count::PhaseCount;
use crate::phase::engine::Engine;
use crate::phase::kinds::{Newest, Phase};
use crate::solve::steps::{begun, leave_no_push};

/// The logged values of a board: all of them, or those within a horizon.
pub(crate) struct Values<'a, const W: usize> {
    /// With the shape of the logs.
    pub engine: Engine<W>,
    pub log: &'a Log,
    pub means: &'a Means<'a>,
    /// What they are.
    pub about: &'a About,
}

/// Does a phase; gives back what it finds.
pub(crate) type Find<'a, const W: usize> =
    dyn FnMut(&Engine<W>, u16, Phase<'_, W>) -> Result<Plane<W>, SolveError> + 'a;

/// How many positions of each superblock are won in one turn, and drawn or undecided.
pub(crate) struct Rest {
    pub won: Vec<u64>,
    pub open: Vec<u64>,
}

/// The longest loss and the longest win.
fn longest(about: &About) -> [u16; 2] {
    [0, 1].map(|rest| {
        let there = |phase: &&PhaseCount| phase.turns % 2 == rest && phase.count + phase.starts > 0;
        about.phases.iter().filter(there).map(|phase| phase.turns).max().unwrap_or(0)
    })
}

/// Whether a solution says what ends in so many turns.
pub(crate) fn is_said(about: &About, turns: u16) -> bool {
    // What is won in one turn is found first of all.
    turns >= STUCK || about.horizon.is_none_or(|horizon| turns <= horizon.max(1))
}

/// Decides everything within an engine's scope. Phases are done by `find`, in this order: [`Phase::Stuck`]; the wins by
/// turns ([`STUCK`] stands for those in one turn that leave the opponent without a push); as phase [`DRAWS`] all that is lost;
/// the losses by turns.
///
/// # Errors
/// What `find` says; if a log cannot be read.
pub(crate) fn derive<const W: usize>(
    target: &mut Engine<W>,
    values: &mut Values<'_, W>,
    find: &mut Find<'_, W>,
) -> Result<Rest, SolveError> {
    crate::kernel::huge_pages::give_back();
    let mut won = begun(target, values.means.progress)?;
    let stuck = find(target, 0, Phase::Stuck)?;
    target.apply(&stuck);
    let lost = values.plane(&target.shape, 0)?;
    if !lost.iter().all(Cells::is_empty) {
        let wins = find(target, STUCK, Phase::Wins(&lost))?;
        target.apply(&wins);
        won.iter_mut().zip(&wins).for_each(|(won, wins)| *won += wins.count());
    }
    let [longest_loss, longest_win] = longest(values.about);
    // Of what is found beyond a horizon nothing is said, so it counts as undecided.
    let mut beyond = vec![0; target.shape.supers.len()];
    let mut count = |turns: u16, found: &Plane<W>| {
        if !is_said(values.about, turns) {
            beyond.iter_mut().zip(found).for_each(|(beyond, cells)| *beyond += cells.count());
        }
    };
    for turns in (3..=longest_loss + 1).step_by(2) {
        let lost = values.plane(&target.shape, turns - 1)?;
        let wins = find(target, turns, Phase::Wins(&lost))?;
        count(turns, &wins);
        target.apply(&wins);
    }
    let mut open: Vec<u64> = {
        let draws = values.draws(&target.shape)?;
        let lost = find(target, DRAWS, Phase::Losses(&draws, Newest::Most))?;
        let open = target.left.iter().zip(&lost).map(|(left, lost)| left.count() - lost.count()).collect();
        target.set(lost);
        open
    };
    let mut wins = values.wins(&target.shape)?;
    for turns in (2..=longest_loss.max(longest_win + 1)).step_by(2) {
        // What is lost in so many turns has a way to a win that takes one less. Of the wins in one turn none are kept.
        let newest = if turns == 2 { Vec::new() } else { values.plane(&target.shape, turns - 1)? };
        subtract(&mut wins, &newest, values.means.threads);
        let lost = find(target, turns, Phase::Losses(&wins, target.newest(&newest)))?;
        count(turns, &lost);
        target.apply(&lost);
    }
    open.iter_mut().zip(&beyond).for_each(|(open, beyond)| *open += beyond);
    Ok(Rest { won, open })
}

/// A plane of one shape as one of another that has other superblocks.
fn numbered<const W: usize>(from: &Shape, to: &Shape, mut plane: Plane<W>) -> Plane<W> {
    let number =
        |place: &crate::layout::numbering::Super| from.super_of(place.pushers as usize, place.anchor.into());
    let mut taken = |at: usize| std::mem::replace(&mut plane[at], Cells::empty());
    to.supers.iter().map(|place| number(place).map_or_else(Cells::empty, &mut taken)).collect()
}

impl<const W: usize> Values<'_, W> {
    fn read(&self, turns: u16) -> Result<Plane<W>, SolveError> {
        let mut found = self.log.open(turns)?;
        Ok(read_sound(&self.engine.shape, &mut found, self.means.threads, |_, cells| cells)?)
    }

    /// What is decided in so many turns, with the superblocks of another shape.
    fn plane(&self, shape: &Shape, turns: u16) -> Result<Plane<W>, SolveError> {
        Ok(numbered(&self.engine.shape, shape, self.read(turns)?))
    }

    /// What takes more than one turn, or is drawn.
    fn begin(&mut self) -> Result<(), SolveError> {
        let stuck = self.read(0)?;
        begun(&mut self.engine, self.means.progress)?;
        self.engine.apply(&stuck);
        leave_no_push(&mut self.engine, &stuck, self.means.progress)?;
        Ok(())
    }

    /// What is drawn or undecided, with the superblocks of another shape.
    fn draws(&mut self, shape: &Shape) -> Result<Plane<W>, SolveError> {
        let progress = self.means.progress;
        self.begin()?;
        let nothing = empty_plane(self.engine.shape.supers.len());
        let mut left = std::mem::replace(&mut self.engine.left, nothing);
        let [longest_loss, longest_win] = longest(self.about);
        let turns = 2..=longest_loss.max(longest_win);
        progress.stage("what is left", turns.len() as u64);
        for turns in turns {
            if progress.stopped() {
                return Err(SolveError::Stopped);
            }
            subtract(&mut left, &self.read(turns)?, self.means.threads);
            progress.advance(1);
        }
        Ok(numbered(&self.engine.shape, shape, left))
    }

    /// What is won in more than one turn, with the superblocks of another shape.
    fn wins(&self, shape: &Shape) -> Result<Plane<W>, SolveError> {
        let progress = self.means.progress;
        let known = &self.engine.shape;
        let logs: Vec<_> = (3..=longest(self.about)[1])
            .step_by(2)
            .map(|turns| self.log.open(turns))
            .collect::<Result<_, _>>()?;
        progress.stage("wins", known.supers.len() as u64);
        let all = |superblock: usize| -> std::io::Result<Cells<W>> {
            let cells = known.cells.len();
            let planes = logs.iter().map(|log| log.read_sound(superblock, cells));
            let planes: Vec<Cells<W>> = planes.collect::<Result<_, _>>()?;
            Ok(Cells::union(cells, &planes))
        };
        let mut plane = Vec::with_capacity(known.supers.len());
        let count = known.supers.len();
        let whole = in_order(count, self.means.threads, progress, &all, &mut |cells| {
            plane.push(cells);
            Ok::<_, std::io::Error>(())
        })?;
        if whole { Ok(numbered(known, shape, plane)) } else { Err(SolveError::Stopped) }
    }
}
