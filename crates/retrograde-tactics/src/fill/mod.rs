//! Solves games that fill a set of cells, many positions per instruction: [`solve`] finds turns, and
//! [`outcomes`] only who wins, with one bit per position.
//!
//! A position is a set of filled cells and also its own index. A turn is a line that is disjoint from it, and
//! leads to index | line. A line that contains none of the lowest cells therefore maps a run of consecutive
//! positions to another run, and taking the best successor is one operation on vectors. Scores, bits or
//! bytes, are ordered so that the best turn is the one with the smallest successor (`scores`). `plan`
//! describes how positions are laid out in words, tiles, blocks and units, `block` solves a block, and
//! `arena` shares the array of blocks among threads.

mod arena;
mod block;
mod game;
mod plan;
mod scores;
mod simd;
#[cfg(test)]
mod tests;
mod vector;

use rayon::prelude::*;
use retrograde_solve::{Job, OutcomeBits, SavedState, Scores, SolveError, memory};

use arena::{Arena, FilledArena};
use block::{Processor, Sources};
pub use game::FillGame;
use plan::{Plan, SIZES, Sizes};
use scores::{Bit, Byte, ScoreFormat};
use vector::Vector;

/// The number of words that a thread copies at a time: 128 KiB.
const COPIED: usize = 1 << 14;

/// Restores the blocks of an interrupted run, in the order in which [`run`] solves layers. Returns the number
/// of layers.
fn restore(plan: &Plan, arena: &Arena, saved: &SavedState) -> Option<u32> {
    let layers = u32::try_from(saved.stage).ok().filter(|layers| (1..=plan.layers()).contains(layers))?;
    let blocks: Vec<usize> = (0..layers).flat_map(|layer| plan.layer(layer)).flatten().collect();
    let size = plan.tiles * plan::TILE * size_of::<Vector>();
    if saved.bytes.len() != blocks.len() * size {
        return None;
    }
    for (block, bytes) in blocks.into_iter().zip(saved.bytes.chunks_exact(size)) {
        let mut claim = arena.claim(block)?;
        arena::read_bytes(&mut claim, bytes);
        claim.fill();
    }
    Some(layers)
}

/// Solves all blocks, layer by layer of units.
fn run<K: ScoreFormat>(
    game: &FillGame,
    job: &mut Job<'_>,
    processor: Processor,
    sizes: Sizes,
) -> Result<FilledArena, SolveError> {
    let plan = Plan::new::<K>(game, sizes);
    let (blocks, size) = (plan.blocks(), plan.tiles * plan::TILE);
    let bytes = (blocks * size * size_of::<Vector>()) as u64;
    let mut arena = Arena::new(blocks, size)?;
    let (pool, progress) = (job.pool()?, job.progress);
    // While a saved state is loaded, it is in memory in addition to the array.
    let saves = bytes <= job.memory / 2;
    let mut first = 0;
    if saves && let Some(saved) = job.checkpoint.load()? {
        match restore(&plan, &arena, &saved) {
            Some(layers) => first = layers,
            None => arena = Arena::new(blocks, size)?,
        }
    }
    let positions = game.positions();
    let positions_a_block = (positions / blocks as u64).max(1);
    progress.stage("solving, from the full board down", positions);
    for layer in 0..plan.layers() {
        let units = plan.layer(layer);
        if layer < first {
            progress.advance(units.iter().map(|unit| unit.len() as u64).sum::<u64>() * positions_a_block);
            continue;
        }
        pool.install(|| {
            units.into_par_iter().with_max_len(1).for_each(|unit| {
                for block in unit.rev() {
                    if progress.stopped() {
                        return;
                    }
                    let mut outer = Sources::default();
                    for line in plan.outer.iter().filter(|line| line.blocks & block == 0) {
                        match arena.filled(block | line.blocks) {
                            Some(run) => outer.add(line, run),
                            None => unreachable!("a block is solved before its successors"),
                        }
                    }
                    match arena.claim(block) {
                        Some(mut claim) => {
                            let full = block == blocks - 1;
                            block::solve_on::<K>(processor, &plan, &mut claim, &outer, full);
                            claim.fill();
                        }
                        None => unreachable!("a block is solved twice"),
                    }
                    progress.advance(positions_a_block);
                }
            });
        });
        // A stop may occur within the layer, whose blocks are then solved again.
        let stopped = progress.stopped();
        let done = if stopped { layer } else { layer + 1 };
        if saves && done > first && done < plan.layers() && (stopped || job.checkpoint.due()) {
            let blocks: Vec<usize> = (0..done).flat_map(|layer| plan.layer(layer)).flatten().collect();
            let parts: Vec<_> =
                blocks.iter().filter_map(|&block| arena.filled(block)).map(arena::bytes).collect();
            let parts: Vec<&[u8]> = parts.iter().map(|part| &part[..]).collect();
            job.checkpoint.save(u64::from(done), &parts)?;
        }
        if stopped {
            return Err(SolveError::Stopped);
        }
    }
    arena.into_filled().ok_or(SolveError::Stopped)
}

/// The best instruction set of this processor.
fn processor() -> Processor {
    Processor::all().last().copied().unwrap_or(Processor::Plain)
}

/// Solves a game with turns, in one byte per position. No game takes more than 63 turns. Ignores
/// `job.horizon`, since all turns are known after one pass.
///
/// It can resume if the memory limit is twice the size of the positions.
///
/// # Errors
/// If it does not fit into memory, is stopped, or the checkpoint fails.
pub fn solve(game: &FillGame, job: &mut Job<'_>) -> Result<Scores, SolveError> {
    // The blocks, and the array that they are copied into.
    let count = job.room(game.positions().into(), 16)?;
    let whole = run::<Byte>(game, job, processor(), SIZES)?;
    // Only checks whether the memory is available: zeroed memory is fast to allocate but cannot be refused.
    memory::reserve(&mut Vec::<u8>::new(), count)?;
    let mut scores = vec![0; count];
    job.pool()?.install(|| {
        let pieces = scores.par_chunks_mut(8 * COPIED).zip(whole.words().par_chunks(COPIED));
        pieces.for_each(|(scores, words)| {
            for (scores, word) in scores.chunks_mut(8).zip(words) {
                scores.copy_from_slice(&word.to_le_bytes()[..scores.len()]);
            }
        });
    });
    Ok(Scores::Narrow(scores))
}

/// Solves a game without turns, in one bit per position. Ignores `job.horizon`.
///
/// It can resume if the memory limit is twice the size of the positions.
///
/// # Errors
/// If it does not fit into memory, is stopped, or the checkpoint fails.
pub fn outcomes(game: &FillGame, job: &mut Job<'_>) -> Result<OutcomeBits, SolveError> {
    let positions = job.room(game.positions().into(), 1)? as u64;
    let whole = run::<Bit>(game, job, processor(), SIZES)?;
    // The arena pads a board of fewer than 64 positions to a whole word.
    Ok(if positions < 64 {
        OutcomeBits::new(vec![whole.words()[0] & ((1 << positions) - 1)], positions)
    } else {
        OutcomeBits::new(whole, positions)
    })
}
