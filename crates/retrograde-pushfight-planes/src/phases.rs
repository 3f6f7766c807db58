//! Solving a board whose values fit into memory, a byte each.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use retrograde_game::{Dense, Score, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::{Job, Scores, SolveError, solve_prelude};

use crate::cells::Cells;
use crate::engine::{Engine, Found, Level, Phase, Plane};
use crate::shape::{Scope, Shape, squares};

/// Bytes of memory that [`solve`] takes; `None` if the board is too large for it.
pub fn memory_needed(game: &PushFight) -> Option<u128> {
    let shape = Shape::new(game, Scope::All)?;
    // Rows that are not empty were a tenth on boards that were tried; twice that is kept for what is undecided, what
    // is new, and the room of threads.
    let rows = shape.supers.len() as u128 * (shape.cells.len() * shape.lanes) as u128;
    Some(game.index_count() as u128 + rows * (8 * shape.words as u128) / 4 + (64 << 20))
}

/// Solves all positions of a board, with their turns. With `job.horizon` only what ends within so many turns is
/// decided. A checkpoint has the scores; what is undecided is made again from them.
///
/// # Errors
/// If it does not fit the memory, is stopped, or a game takes more than 125 turns.
pub fn solve(game: &PushFight, job: &mut Job<'_>) -> Result<Scores, SolveError> {
    let count = game.index_count();
    let need = memory_needed(game).unwrap_or(u128::MAX);
    if need > u128::from(job.memory) {
        return Err(SolveError::Memory { need: need.try_into().unwrap_or(u64::MAX), limit: job.memory });
    }
    let Some(shape) = Shape::new(game, Scope::All) else { return Err(SolveError::TooLarge { count }) };
    let scores = match shape.words {
        1 => run::<1>(game, shape, job)?,
        2 => run::<2>(game, shape, job)?,
        4 => run::<4>(game, shape, job)?,
        _ => run::<8>(game, shape, job)?,
    };
    solve_prelude(game, scores, job)
}

fn score(value: Value) -> Result<u8, SolveError> {
    u8::from_value(value).ok_or(SolveError::TooDeep)
}

/// Superblocks as they come in.
struct Collected<const W: usize> {
    cells: Mutex<Plane<W>>,
    count: AtomicU64,
}

impl<const W: usize> Collected<W> {
    fn new(shape: &Shape) -> Collected<W> {
        Collected {
            cells: Mutex::new(shape.supers.iter().map(|_| Cells::empty()).collect()),
            count: AtomicU64::new(0),
        }
    }

    fn add(&self, superblock: usize, found: Found<W>) {
        self.count.fetch_add(found.count, Ordering::Relaxed);
        self.cells.lock().unwrap_or_else(std::sync::PoisonError::into_inner)[superblock] = found.cells;
    }

    fn into_parts(self) -> (Plane<W>, u64) {
        (self.cells.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner), self.count.into_inner())
    }
}

fn run<const W: usize>(game: &PushFight, shape: Shape, job: &mut Job<'_>) -> Result<Vec<u8>, SolveError> {
    let count = game.index_count() as usize;
    let horizon = job.horizon;
    let undecided = if horizon.is_none() { u8::DRAW } else { u8::UNKNOWN };
    let mut engine = Engine::<W>::new(shape, Level::best(), job.threads);
    let saved = job.checkpoint.load()?.filter(|saved| saved.bytes.len() == count);
    let (mut turns, bytes) = match saved {
        Some(saved) => (saved.stage as u16, saved.bytes),
        None => {
            // Most positions are won in 1, so that is what is written first.
            let first = if horizon == Some(0) { u8::UNKNOWN } else { score(Value::Win(Turns(1)))? };
            (0, vec![first; count])
        }
    };
    let mut scores: Vec<AtomicU8> = bytes.into_iter().map(AtomicU8::new).collect();

    let begun = Collected::new(&engine.shape);
    engine.phase("won in 1 turn", Phase::Begin, job.progress, |superblock, found| {
        begun.add(superblock, found);
    })?;
    let (left, _) = begun.into_parts();
    engine.set(left);
    let mut newest: Plane<W>;
    if turns == 0 {
        for superblock in 0..engine.left.len() {
            write(game, &engine.shape, superblock, &engine.left[superblock], &scores, undecided);
        }
        let stuck = find(&engine, game, "lost in 0 turns", Phase::Stuck, job, &scores, Value::Loss(Turns(0)))?;
        engine.apply(&stuck.0);
        if stuck.1 > 0 && horizon != Some(0) {
            let value = Value::Win(Turns(1));
            let wins = find(&engine, game, "won in 1 turn", Phase::Wins(&stuck.0), job, &scores, value)?;
            engine.apply(&wins.0);
        }
        newest = Vec::new();
        turns = 2;
    } else {
        // What was undecided at the checkpoint, and what the last phase found.
        let loss = score(Value::Loss(Turns(turns - 1)))?;
        let keep = |engine: &Engine<W>, kept: u8| -> Plane<W> {
            let only = |superblock| only(game, &engine.shape, superblock, &engine.left[superblock], &scores, kept);
            (0..engine.left.len()).map(only).collect()
        };
        newest = if turns.is_multiple_of(2) { Vec::new() } else { keep(&engine, loss) };
        let left = keep(&engine, undecided);
        engine.set(left);
    }
    while horizon.is_none_or(|horizon| turns <= horizon) {
        let losses = turns.is_multiple_of(2);
        let (name, phase, value) = if losses {
            (format!("lost in {turns} turns"), Phase::Losses(&engine.left), Value::Loss(Turns(turns)))
        } else {
            (format!("won in {turns} turns"), Phase::Wins(&newest), Value::Win(Turns(turns)))
        };
        let (found, count) = find(&engine, game, &name, phase, job, &scores, value)?;
        if count == 0 {
            break;
        }
        engine.apply(&found);
        newest = found;
        turns += 1;
        if job.checkpoint.due() {
            // Collected in place: an atomic byte is a byte.
            let bytes: Vec<u8> = std::mem::take(&mut scores).into_iter().map(AtomicU8::into_inner).collect();
            job.checkpoint.save(turns.into(), &[&bytes])?;
            scores = bytes.into_iter().map(AtomicU8::new).collect();
        }
    }
    Ok(scores.into_iter().map(AtomicU8::into_inner).collect())
}

/// Does a phase and writes what it finds.
fn find<const W: usize>(
    engine: &Engine<W>,
    game: &PushFight,
    name: &str,
    phase: Phase<'_, W>,
    job: &Job<'_>,
    scores: &[AtomicU8],
    value: Value,
) -> Result<(Plane<W>, u64), SolveError> {
    let score = score(value)?;
    let collected = Collected::new(&engine.shape);
    engine.phase(name, phase, job.progress, |superblock, found| {
        write(game, &engine.shape, superblock, &found.cells, scores, score);
        collected.add(superblock, found);
    })?;
    Ok(collected.into_parts())
}

/// Visits the positions of a superblock's cells.
fn positions<const W: usize>(shape: &Shape, superblock: usize, cells: &Cells<W>, mut visit: impl FnMut(Position)) {
    let place = shape.supers[superblock];
    let number = place.pushers as usize;
    let other_pushers = shape.pusher_sets[number];
    cells.each(|cell, lane, row| {
        let own_pushers = crate::shape::expand(shape.cells[cell], shape.all & !other_pushers);
        let other_pawns = shape.pawn_sets[shape.global(number, lane)];
        for (word, &bits) in row.iter().enumerate() {
            for bit in squares(bits) {
                visit(Position {
                    own_pushers,
                    own_pawns: shape.pawn_sets[shape.global(number, 64 * word + bit)],
                    other_pushers,
                    other_pawns,
                    anchor: 1 << place.anchor,
                });
            }
        }
    });
}

/// Writes the score of positions and of their images.
fn write<const W: usize>(
    game: &PushFight,
    shape: &Shape,
    superblock: usize,
    cells: &Cells<W>,
    scores: &[AtomicU8],
    score: u8,
) {
    positions(shape, superblock, cells, |position| {
        for symmetry in 0..shape.symmetries.len() {
            let image = |set| shape.image(symmetry, set);
            let image = Position {
                own_pushers: image(position.own_pushers),
                own_pawns: image(position.own_pawns),
                other_pushers: image(position.other_pushers),
                other_pawns: image(position.other_pawns),
                anchor: image(position.anchor),
            };
            if let Some(index) = game.index(&image) {
                scores[index.0 as usize].store(score, Ordering::Relaxed);
            }
        }
    });
}

/// The positions that have a score.
fn only<const W: usize>(
    game: &PushFight,
    shape: &Shape,
    superblock: usize,
    cells: &Cells<W>,
    scores: &[AtomicU8],
    score: u8,
) -> Cells<W> {
    let mut list = Vec::new();
    let mut at = 0;
    // Positions come in the order of rows and bits.
    let mut keep = Vec::new();
    positions(shape, superblock, cells, |position| {
        let index = game.index(&position).map(|index| scores[index.0 as usize].load(Ordering::Relaxed));
        keep.push(index == Some(score));
    });
    cells.each(|cell, lane, row| {
        let mut bits = [0; W];
        for (word, &row) in row.iter().enumerate() {
            for bit in squares(row) {
                bits[word] |= u64::from(keep[at]) << bit;
                at += 1;
            }
        }
        if bits != [0; W] {
            list.push((cell as u32, lane as u16, bits));
        }
    });
    Cells::new(shape.cells.len(), &list)
}

/// What a phase found.
#[derive(Clone, Debug)]
pub struct PhaseCount {
    /// In how many turns the positions end; even ones are lost, odd ones won.
    pub turns: u16,
    /// Positions up to symmetry.
    pub count: u64,
    /// Bytes that hold what is undecided, and rows.
    pub bytes: usize,
    /// Blocks in which something is undecided.
    pub blocks: usize,
}

/// Counts what each phase finds, plausible positions only.
///
/// # Errors
/// If it is stopped, or the board is too large.
pub fn count(
    game: &PushFight,
    threads: usize,
    phases: u16,
    progress: &dyn retrograde_solve::Progress,
    mut each: impl FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let shape = Shape::new(game, Scope::Plausible)
        .ok_or_else(|| SolveError::TooLarge { count: game.index_count() })?;
    let mut engine = Engine::<4>::new(shape, Level::best(), threads);
    let begun = Collected::new(&engine.shape);
    let won = AtomicU64::new(0);
    engine.phase("won in 1 turn", Phase::Begin, progress, |superblock, found| {
        won.fetch_add(found.won, Ordering::Relaxed);
        begun.add(superblock, found);
    })?;
    let (left, _) = begun.into_parts();
    engine.set(left);
    each(PhaseCount { turns: 1, count: won.into_inner(), bytes: engine.bytes(), blocks: engine.blocks() });
    let stuck = Collected::new(&engine.shape);
    engine.phase("lost in 0 turns", Phase::Stuck, progress, |superblock, found| stuck.add(superblock, found))?;
    let (stuck, count) = stuck.into_parts();
    engine.apply(&stuck);
    each(PhaseCount { turns: 0, count, bytes: engine.bytes(), blocks: engine.blocks() });
    let mut newest = stuck;
    for turns in 2..phases {
        let collected = Collected::new(&engine.shape);
        let phase = if turns % 2 == 0 { Phase::Losses(&engine.left) } else { Phase::Wins(&newest) };
        engine.phase(&format!("turn {turns}"), phase, progress, |superblock, found| collected.add(superblock, found))?;
        let (found, count) = collected.into_parts();
        engine.apply(&found);
        newest = found;
        each(PhaseCount { turns, count, bytes: engine.bytes(), blocks: engine.blocks() });
        if count == 0 {
            break;
        }
    }
    Ok(())
}
