//! Solves a board whose values fit into memory, a byte each.

use std::sync::atomic::{AtomicU8, Ordering};

use retrograde_game::{Dense, Score, Turns, Value};
use retrograde_pushfight::PushFight;
use retrograde_solve::{Job, Scores, SolveError, solve_prelude};

use crate::kernel::simd::SimdLevel;
use crate::layout::location::positions;
use crate::layout::numbering::{Layout, with_words};
use crate::layout::scope::Scope;
use crate::layout::sets::bits_of;
use crate::layout::sparse::{Plane, SparseCells};
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::parallel::for_each_parallel;
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, is_loss, phase_name, value_in};
use crate::solve::driver::{PhaseResult, PhaseStore, run_phases};
use crate::solve::steps::{collect_phase, find_undecided};

/// The layout of all positions with an index in which all pieces are placed.
fn layout(game: &PushFight) -> Option<Layout> {
    Layout::new(game, if game.numbered_starts() > 0 { Scope::AllAndStarts } else { Scope::All })
}

/// Bytes of memory that [`solve`] takes; `None` if the board is too large for it.
pub fn memory_needed(game: &PushFight) -> Option<u128> {
    let layout = layout(game)?;
    // The size of a plane that stores every row. The undecided positions and the newest results
    // together took a third of that on the boards that were measured.
    let rows = layout.superblocks.len() as u128 * (layout.cells.len() * layout.lanes) as u128;
    Some(game.index_count() + rows * (8 * layout.words as u128) + (64 << 20))
}

/// Solves all positions of a board, with their turns. With `job.horizon`, only positions that end
/// within that number of turns are decided. A checkpoint has the scores; the undecided positions
/// are derived from them.
///
/// # Errors
/// If it does not fit the memory, is stopped, or a game takes more than 125 turns.
pub fn solve(game: &PushFight, job: &mut Job<'_>) -> Result<Scores, SolveError> {
    let count = game.index_count();
    let need = memory_needed(game).unwrap_or(u128::MAX);
    if need > u128::from(job.memory) {
        return Err(SolveError::Memory { need: need.try_into().unwrap_or(u64::MAX), limit: job.memory });
    }
    let Some(layout) = layout(game) else { return Err(SolveError::TooLarge { count }) };
    let scores = with_words!(layout, W => {
        let engine = Engine::<W>::new(layout, SimdLevel::best(), job.threads);
        find_scores(game, engine, job)?
    });
    // With a horizon, the whole prelude is searched: a position that leads to decided ones is
    // decided, though it ends a turn later.
    let known = if job.horizon.is_none() { game.numbered_starts() } else { 0 };
    solve_prelude(game, scores, known, job)
}

fn score(value: Value) -> Result<u8, SolveError> {
    u8::from_value(value).ok_or(SolveError::TooDeep)
}

fn find_scores<const W: usize>(
    game: &PushFight,
    engine: Engine<W>,
    job: &mut Job<'_>,
) -> Result<Vec<u8>, SolveError> {
    let horizon = job.horizon;
    let undecided_score = if horizon.is_none() { u8::DRAW } else { u8::UNKNOWN };
    let scores = SharedScores { game, scores: Vec::new() };
    let mut store = ScoreStore { engine, job, scores, undecided_score, newest: Vec::new() };
    run_phases(&mut store, horizon, &mut |_| ())?;
    // Undecided positions are draws; with a horizon their values are unknown.
    store.write_undecided();
    Ok(store.scores.take())
}

/// All of a board in memory: the undecided positions, and the score of every position.
struct ScoreStore<'a, 'j, const W: usize> {
    engine: Engine<W>,
    job: &'a mut Job<'j>,
    scores: SharedScores<'a>,
    /// The score of positions that are undecided at the end.
    undecided_score: u8,
    /// The results of the phase before; empty if they are not known.
    newest: Plane<W>,
}

impl<const W: usize> PhaseStore for ScoreStore<'_, '_, W> {
    fn begin(&mut self) -> Result<Turns, SolveError> {
        let count = self.scores.game.index_count() as usize;
        let saved = self.job.checkpoint.load()?.filter(|saved| saved.bytes.len() == count);
        let (next, bytes) = match saved {
            Some(saved) => (Turns(saved.stage as u16), saved.bytes),
            None => {
                // Most positions are won in 1, so this score is written first.
                let nothing_won = self.job.horizon == Some(Turns(0));
                let first = if nothing_won { u8::UNKNOWN } else { score(value_in(Turns(1)))? };
                (Turns(0), vec![first; count])
            }
        };
        self.scores.set(bytes);
        find_undecided(&mut self.engine, self.job.progress)?;
        if next > Turns(0) {
            self.restore(next)?;
        }
        Ok(next)
    }

    fn find_lost_in_0(&mut self) -> Result<PhaseResult, SolveError> {
        let found = self.find_and_write("lost in 0 turns", Turns(0), Phase::NoPush)?;
        Ok(self.remove(found))
    }

    fn find_won_in_1(&mut self) -> Result<PhaseResult, SolveError> {
        let stuck = std::mem::take(&mut self.newest);
        if !stuck.iter().all(SparseCells::is_empty) && self.job.horizon != Some(Turns(0)) {
            let found = self.find_and_write("won in 1 turn", Turns(1), Phase::Wins(&stuck))?;
            self.engine.remove_decided(&found);
        }
        // Nobody needs the number of positions that win at once.
        Ok(PhaseResult { found_any: true, count: None })
    }

    fn find(&mut self, turns: Turns) -> Result<PhaseResult, SolveError> {
        let phase = self.engine.phase_for(turns, &self.newest);
        let found = self.find_and_write(&phase_name(turns), turns, phase)?;
        Ok(self.remove(found))
    }

    fn save_if_due(&mut self, next: Turns) -> Result<(), SolveError> {
        if self.job.checkpoint.due() {
            self.write_undecided();
            let bytes = self.scores.take();
            self.job.checkpoint.save(next.0.into(), &[&bytes])?;
            self.scores.set(bytes);
        }
        Ok(())
    }
}

impl<const W: usize> ScoreStore<'_, '_, W> {
    /// Runs a phase and writes the scores of its results.
    fn find_and_write(&self, name: &str, turns: Turns, phase: Phase<'_, W>) -> Result<Plane<W>, SolveError> {
        let score = score(value_in(turns))?;
        let (layout, scores) = (&self.engine.layout, &self.scores);
        let write =
            |superblock: SuperblockId, cells: &SparseCells<W>| scores.write(layout, superblock, cells, score);
        Ok(collect_phase(&self.engine, name, phase, self.job.progress, write)?.0)
    }

    /// Removes the results of a phase from the undecided positions.
    fn remove(&mut self, found: Plane<W>) -> PhaseResult {
        self.engine.remove_decided(&found);
        let found_any = !found.iter().all(SparseCells::is_empty);
        self.newest = found;
        PhaseResult { found_any, count: None }
    }

    /// Restores the undecided positions of a checkpoint before a phase, and the results of the last
    /// phase.
    fn restore(&mut self, next: Turns) -> Result<(), SolveError> {
        let (layout, scores) = (&self.engine.layout, &self.scores);
        let with_score = |score: u8| -> Plane<W> {
            let undecided = by_superblock(&self.engine.undecided);
            undecided.map(|(superblock, cells)| scores.cells_with(layout, superblock, cells, score)).collect()
        };
        let last = Turns(next.0 - 1);
        // Wins are only needed to save time.
        let newest = if is_loss(last) { with_score(score(value_in(last))?) } else { Vec::new() };
        let undecided = with_score(self.undecided_score);
        self.newest = newest;
        self.engine.set_undecided(undecided);
        Ok(())
    }

    /// Writes the score of all undecided positions.
    fn write_undecided(&self) {
        let (layout, scores, score) = (&self.engine.layout, &self.scores, self.undecided_score);
        let undecided = by_superblock(&self.engine.undecided).collect();
        for_each_parallel(self.job.threads, undecided, |(superblock, cells)| {
            scores.write(layout, superblock, cells, score);
        });
    }
}

/// The score of every position, by index. Undecided positions have an arbitrary score until theirs
/// is written.
struct SharedScores<'a> {
    game: &'a PushFight,
    scores: Vec<AtomicU8>,
}

impl SharedScores<'_> {
    fn set(&mut self, bytes: Vec<u8>) {
        self.scores = bytes.into_iter().map(AtomicU8::new).collect();
    }

    fn take(&mut self) -> Vec<u8> {
        // Collected in place: an atomic byte is a byte.
        std::mem::take(&mut self.scores).into_iter().map(AtomicU8::into_inner).collect()
    }

    /// Writes the score of positions and of their images.
    fn write<const W: usize>(
        &self,
        layout: &Layout,
        superblock: SuperblockId,
        cells: &SparseCells<W>,
        score: u8,
    ) {
        positions(layout, superblock, cells, |position| {
            // Before the first push it matters whose half is whose.
            let images = if position.anchor.is_empty() { 1 } else { layout.symmetries.count() };
            for symmetry in 0..images {
                let image = position.map(|set| layout.symmetries.set_image(symmetry, set));
                if let Some(index) = self.game.index(&image) {
                    self.scores[index.0 as usize].store(score, Ordering::Relaxed);
                }
            }
        });
    }

    /// The positions that have a score.
    fn cells_with<const W: usize>(
        &self,
        layout: &Layout,
        superblock: SuperblockId,
        cells: &SparseCells<W>,
        score: u8,
    ) -> SparseCells<W> {
        // Positions come in the order of rows and bits.
        let mut keep = Vec::new();
        positions(layout, superblock, cells, |position| {
            let index = self.game.index(&position);
            let found = index.map(|index| self.scores[index.0 as usize].load(Ordering::Relaxed));
            keep.push(found == Some(score));
        });
        let mut keep = keep.into_iter();
        let mut list = Vec::new();
        cells.for_each_row(|cell, lane, row| {
            let mut bits = [0; W];
            for (word, &row) in row.iter().enumerate() {
                for bit in bits_of(row) {
                    bits[word] |= u64::from(keep.next() == Some(true)) << bit;
                }
            }
            if bits != [0; W] {
                list.push((cell as u32, lane, bits));
            }
        });
        SparseCells::new(layout.cells.len(), &list)
    }
}

#[cfg(test)]
mod tests;
