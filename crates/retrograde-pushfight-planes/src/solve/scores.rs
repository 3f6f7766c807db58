//! Solves a board in memory, with one byte per position. The page and Python use it to solve without
//! files.

use std::sync::atomic::{AtomicU8, Ordering};

use retrograde_game::{Dense, Score, Turns, Value};
use retrograde_pushfight::PushFight;
use retrograde_solve::{Job, Progress, Scores, SolveError, solve_prelude};

use crate::kernel::simd::SimdLevel;
use crate::layout::location::positions;
use crate::layout::numbering::{Layout, with_words};
use crate::layout::scope::Scope;
use crate::layout::sparse::{Plane, SparseCells};
use crate::layout::superblocks::by_superblock;
use crate::parallel::for_each_parallel;
use crate::phase::count::PhaseCount;
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, value_in};
use crate::solve::driver::run_phases;
use crate::solve::in_memory::{InMemoryStore, Record};
use crate::solve::steps::run_phase;

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
/// within that number of turns are decided. The checkpoint is not used.
///
/// # Errors
/// If it does not fit into memory, is stopped, or a game takes more than 125 turns.
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

pub(crate) fn score(value: Value) -> Result<u8, SolveError> {
    u8::from_value(value).ok_or(SolveError::TooDeep)
}

fn find_scores<const W: usize>(
    game: &PushFight,
    engine: Engine<W>,
    job: &Job<'_>,
) -> Result<Vec<u8>, SolveError> {
    let &Job { threads, horizon, progress, .. } = job;
    let wins_in_1 = if horizon == Some(Turns(0)) { u8::UNKNOWN } else { score(value_in(Turns(1)))? };
    // Most positions are won in 1, so they all begin with this score.
    let scores = SharedScores::new(game, game.index_count() as usize, wins_in_1);
    let record = ScoreRecord { scores, wins_in_1, threads, progress };
    // The scores take the memory that could hold a push cache.
    let mut store = InMemoryStore::new(engine, record, progress, 0);
    run_phases(&mut store, horizon, &mut |_| ())?;
    let InMemoryStore { engine, record: ScoreRecord { scores, .. }, .. } = store;
    let undecided = if horizon.is_none() { u8::DRAW } else { u8::UNKNOWN };
    scores.write(&engine.layout, &engine.undecided, undecided, threads);
    Ok(scores.into_bytes())
}

/// Records the score of every position.
struct ScoreRecord<'a> {
    scores: SharedScores<'a>,
    /// The score of positions that are won in 1 turn; unknown if that is beyond the horizon.
    wins_in_1: u8,
    threads: usize,
    progress: &'a dyn Progress,
}

impl<const W: usize> Record<W> for ScoreRecord<'_> {
    fn run(
        &mut self,
        engine: &Engine<W>,
        turns: Turns,
        phase: Phase<'_, W>,
    ) -> Result<(Plane<W>, PhaseCount), SolveError> {
        let score = score(value_in(turns))?;
        let (found, count) = run_phase(engine, self.progress, turns, phase)?;
        self.scores.write(&engine.layout, &found, score, self.threads);
        Ok((found, count))
    }

    fn record_won_in_1(
        &mut self,
        layout: &Layout,
        no_push: &[SparseCells<W>],
        _counts: &[u64],
    ) -> Result<(), SolveError> {
        self.scores.write(layout, no_push, self.wins_in_1, self.threads);
        Ok(())
    }

    fn record_draws(&mut self, _engine: &Engine<W>) -> Result<(), SolveError> {
        Ok(())
    }
}

/// The score of every position, by index, which several threads write.
pub(crate) struct SharedScores<'a> {
    game: &'a PushFight,
    scores: Vec<AtomicU8>,
}

impl<'a> SharedScores<'a> {
    /// The same score for the first `count` indices.
    pub(crate) fn new(game: &'a PushFight, count: usize, score: u8) -> SharedScores<'a> {
        // Collected in place: an atomic byte is a byte.
        SharedScores { game, scores: vec![score; count].into_iter().map(AtomicU8::new).collect() }
    }

    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.scores.into_iter().map(AtomicU8::into_inner).collect()
    }

    /// Writes the score of a plane's positions and of their images.
    pub(crate) fn write<const W: usize>(
        &self,
        layout: &Layout,
        plane: &[SparseCells<W>],
        score: u8,
        threads: usize,
    ) {
        for_each_parallel(threads, by_superblock(plane).collect(), |(superblock, cells)| {
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
        });
    }
}
