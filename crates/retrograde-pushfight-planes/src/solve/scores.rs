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
use crate::phase::count::PhaseCount;
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, is_loss, value_in};
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

pub(crate) fn score(value: Value) -> Result<u8, SolveError> {
    u8::from_value(value).ok_or(SolveError::TooDeep)
}

fn find_scores<const W: usize>(
    game: &PushFight,
    engine: Engine<W>,
    job: &mut Job<'_>,
) -> Result<Vec<u8>, SolveError> {
    let (progress, horizon) = (job.progress, job.horizon);
    let undecided = if horizon.is_none() { u8::DRAW } else { u8::UNKNOWN };
    let record = ScoreRecord { job, scores: SharedScores::new(game), undecided };
    // The values take the memory that could hold a push cache.
    let mut store = InMemoryStore::new(engine, record, progress, 0);
    run_phases(&mut store, horizon, &mut |_| ())?;
    // Undecided positions are draws; with a horizon their values are unknown.
    store.record.write(&store.engine.layout, &store.engine.undecided, undecided);
    Ok(store.record.scores.take())
}

/// Records the score of every position.
struct ScoreRecord<'a, 'j> {
    job: &'a mut Job<'j>,
    scores: SharedScores<'a>,
    /// The score of positions that are undecided at the end.
    undecided: u8,
}

impl<const W: usize> Record<W> for ScoreRecord<'_, '_> {
    fn resume(&mut self, engine: &mut Engine<W>) -> Result<(Turns, Plane<W>), SolveError> {
        let count = self.scores.game.index_count() as usize;
        let saved = self.job.checkpoint.load()?;
        let Some(saved) = saved.filter(|saved| saved.stage > 0 && saved.bytes.len() == count) else {
            // Most positions are won in 1, so this score is written first.
            let nothing_won = self.job.horizon == Some(Turns(0));
            let first = if nothing_won { u8::UNKNOWN } else { score(value_in(Turns(1)))? };
            self.scores.set(vec![first; count]);
            return Ok((Turns(0), Vec::new()));
        };
        self.scores.set(saved.bytes);
        let with_score = |score: u8| -> Plane<W> {
            let undecided = by_superblock(&engine.undecided);
            let cells =
                |(superblock, cells)| self.scores.cells_with(&engine.layout, superblock, cells, score);
            undecided.map(cells).collect()
        };
        let next = Turns(saved.stage as u16);
        let last = Turns(next.0 - 1);
        // Wins are only needed to save time.
        let newest = if is_loss(last) { with_score(score(value_in(last))?) } else { Vec::new() };
        let undecided = with_score(self.undecided);
        engine.set_undecided(undecided);
        Ok((next, newest))
    }

    fn run(
        &mut self,
        engine: &Engine<W>,
        turns: Turns,
        phase: Phase<'_, W>,
    ) -> Result<(Plane<W>, PhaseCount), SolveError> {
        let score = score(value_in(turns))?;
        let (found, count) = run_phase(engine, self.job.progress, turns, phase)?;
        self.write(&engine.layout, &found, score);
        Ok((found, count))
    }

    fn record_won_in_1(
        &mut self,
        layout: &Layout,
        no_push: &[SparseCells<W>],
        _counts: &[u64],
    ) -> Result<(), SolveError> {
        if self.job.horizon != Some(Turns(0)) {
            self.write(layout, no_push, score(value_in(Turns(1)))?);
        }
        Ok(())
    }

    fn save_if_due(&mut self, engine: &Engine<W>, next: Turns) -> Result<(), SolveError> {
        if self.job.checkpoint.due() {
            self.write(&engine.layout, &engine.undecided, self.undecided);
            let bytes = self.scores.take();
            self.job.checkpoint.save(next.0.into(), &[&bytes])?;
            self.scores.set(bytes);
        }
        Ok(())
    }
}

impl ScoreRecord<'_, '_> {
    /// Writes the score of the positions of a plane.
    fn write<const W: usize>(&self, layout: &Layout, plane: &[SparseCells<W>], score: u8) {
        let scores = &self.scores;
        for_each_parallel(self.job.threads, by_superblock(plane).collect(), |(superblock, cells)| {
            scores.write(layout, superblock, cells, score);
        });
    }
}

/// The score of every position, by index. Undecided positions have an arbitrary score until theirs
/// is written.
pub(crate) struct SharedScores<'a> {
    game: &'a PushFight,
    scores: Vec<AtomicU8>,
}

impl<'a> SharedScores<'a> {
    pub(crate) fn new(game: &'a PushFight) -> SharedScores<'a> {
        SharedScores { game, scores: Vec::new() }
    }

    pub(crate) fn set(&mut self, bytes: Vec<u8>) {
        self.scores = bytes.into_iter().map(AtomicU8::new).collect();
    }

    pub(crate) fn take(&mut self) -> Vec<u8> {
        // Collected in place: an atomic byte is a byte.
        std::mem::take(&mut self.scores).into_iter().map(AtomicU8::into_inner).collect()
    }

    /// Writes the score of positions and of their images.
    pub(crate) fn write<const W: usize>(
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
