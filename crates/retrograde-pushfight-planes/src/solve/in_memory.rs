//! Solving a board whose values fit into memory, a byte each.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use retrograde_game::{Dense, Score, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::{Job, Progress, Scores, SolveError, solve_prelude};

use crate::kernel::simd::Level;
use crate::layout::location::positions;
use crate::layout::numbering::{Scope, Shape, with_words};
use crate::layout::sets::squares;
use crate::layout::sparse::Cells;
use crate::layout::sparse::Plane;
use crate::parallel::shared;
use crate::phase::count::PhaseCount;
use crate::phase::engine::Engine;
use crate::phase::kinds::{Found, Phase, phase_name};

/// Of all positions that have an index those in which no piece is left to be placed.
fn shape(game: &PushFight) -> Option<Shape> {
    Shape::new(game, if game.numbered_starts() > 0 { Scope::Whole } else { Scope::All })
}

/// Bytes of memory that [`solve`] takes; `None` if the board is too large for it.
pub fn memory_needed(game: &PushFight) -> Option<u128> {
    let shape = shape(game)?;
    // As if every row were there once. Of what is undecided and of what is new together it was a third of that on
    // the boards that were tried.
    let rows = shape.supers.len() as u128 * (shape.cells.len() * shape.lanes) as u128;
    Some(game.index_count() + rows * (8 * shape.words as u128) + (64 << 20))
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
    let Some(shape) = shape(game) else { return Err(SolveError::TooLarge { count }) };
    let scores = with_words!(shape, W => run::<W>(game, shape, job)?);
    // With a horizon all of the prelude is looked at: what leads to decided positions is decided, though it ends a turn later.
    let known = if job.horizon.is_none() { game.numbered_starts() } else { 0 };
    solve_prelude(game, scores, known, job)
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
    engine.phase("won in 1 turn", Phase::Begin, &[], job.progress, |superblock, found| {
        begun.add(superblock, found);
    })?;
    let (left, _) = begun.into_parts();
    engine.set(left);
    let mut newest: Plane<W>;
    if turns == 0 {
        let stuck =
            find(&engine, game, "lost in 0 turns", Phase::Stuck, job, &scores, Value::Loss(Turns(0)))?;
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
            let only =
                |superblock| only(game, &engine.shape, superblock, &engine.left[superblock], &scores, kept);
            (0..engine.left.len()).map(only).collect()
        };
        newest = if turns.is_multiple_of(2) { Vec::new() } else { keep(&engine, loss) };
        let left = keep(&engine, undecided);
        engine.set(left);
    }
    while horizon.is_none_or(|horizon| turns <= horizon) {
        let in_turns = if turns.is_multiple_of(2) { Value::Loss } else { Value::Win };
        let (name, phase) = (phase_name(turns), engine.phase_of(turns, &newest));
        let (found, count) = find(&engine, game, &name, phase, job, &scores, in_turns(Turns(turns)))?;
        if count == 0 {
            break;
        }
        engine.apply(&found);
        newest = found;
        turns += 1;
        if job.checkpoint.due() {
            write_left(&engine, game, job.threads, &scores, undecided);
            // Collected in place: an atomic byte is a byte.
            let bytes: Vec<u8> = std::mem::take(&mut scores).into_iter().map(AtomicU8::into_inner).collect();
            job.checkpoint.save(turns.into(), &[&bytes])?;
            scores = bytes.into_iter().map(AtomicU8::new).collect();
        }
    }
    write_left(&engine, game, job.threads, &scores, undecided);
    Ok(scores.into_iter().map(AtomicU8::into_inner).collect())
}

/// Writes the score of what is undecided, which until then has any.
fn write_left<const W: usize>(
    engine: &Engine<W>,
    game: &PushFight,
    threads: usize,
    scores: &[AtomicU8],
    undecided: u8,
) {
    shared(threads, engine.left.iter().enumerate().collect(), |(superblock, cells)| {
        write(game, &engine.shape, superblock, cells, scores, undecided);
    });
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
    engine.phase(name, phase, &[], job.progress, |superblock, found| {
        write(game, &engine.shape, superblock, &found.cells, scores, score);
        collected.add(superblock, found);
    })?;
    Ok(collected.into_parts())
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
        // Before the first push it matters whose half is whose.
        let images = if position.anchor == 0 { 1 } else { shape.symmetries.len() };
        for symmetry in 0..images {
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

/// Counts what each phase finds, of all positions or only of plausible ones (those that can have come from a push),
/// until nothing is found or so many turns are done. Values are not kept.
///
/// # Errors
/// If it is stopped, or the board is too large.
pub fn count_phases(
    game: &PushFight,
    plausible: bool,
    turns: u16,
    threads: usize,
    progress: &dyn Progress,
    each: impl FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let scope = if plausible { Scope::Plausible } else { Scope::All };
    let shape = Shape::new(game, scope).ok_or_else(|| SolveError::TooLarge { count: game.index_count() })?;
    let level = Level::best();
    with_words!(shape, W => counting(Engine::<W>::new(shape, level, threads), turns, progress, each))
}

fn counting<const W: usize>(
    mut engine: Engine<W>,
    most: u16,
    progress: &dyn Progress,
    mut each: impl FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let total = |engine: &Engine<W>, turns: u16, counts: &[AtomicU64]| {
        let counts = counts.iter().map(|count| count.load(Ordering::Relaxed)).enumerate();
        let count = crate::phase::count::counted(&engine.shape, turns, counts);
        PhaseCount { blocks: engine.blocks(), bytes: engine.bytes(), ..count }
    };
    let zeros = |engine: &Engine<W>| -> Vec<AtomicU64> {
        engine.shape.supers.iter().map(|_| AtomicU64::new(0)).collect()
    };
    let find = |engine: &Engine<W>, name: &str, phase: Phase<'_, W>| {
        let (collected, counts) = (Collected::new(&engine.shape), zeros(engine));
        engine.phase(name, phase, &[], progress, |superblock, found| {
            let count = if matches!(phase, Phase::Begin) { found.won } else { found.count };
            counts[superblock].store(count, Ordering::Relaxed);
            collected.add(superblock, found);
        })?;
        let (cells, count) = collected.into_parts();
        Ok::<_, SolveError>((cells, counts, count))
    };
    let (left, mut won, _) = find(&engine, "won in 1 turn", Phase::Begin)?;
    engine.set(left);
    let (stuck, lost, count) = find(&engine, "lost in 0 turns", Phase::Stuck)?;
    engine.apply(&stuck);
    each(total(&engine, 0, &lost));
    if count > 0 {
        // What wins by leaving the opponent without a push, on top of what ejects.
        let (wins, more, _) = find(&engine, "won in 1 turn", Phase::Wins(&stuck))?;
        engine.apply(&wins);
        for (won, more) in won.iter_mut().zip(more) {
            *won.get_mut() += more.into_inner();
        }
    }
    each(total(&engine, 1, &won));
    let mut newest = Vec::new();
    for turns in 2..=most {
        let (found, counts, count) = find(&engine, &phase_name(turns), engine.phase_of(turns, &newest))?;
        engine.apply(&found);
        newest = found;
        each(total(&engine, turns, &counts));
        if count == 0 {
            break;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use retrograde_game::Game;
    use retrograde_solve::Silent;

    use super::*;
    use crate::phase::kinds::Newest;
    use crate::testing::game;

    /// The positions that each phase finds, sorted; pushes may be kept in so many bytes.
    fn found<const W: usize>(
        game: &PushFight,
        scope: Scope,
        level: Level,
        way: fn(&[Cells<W>]) -> Newest<'_, W>,
        ways: Option<u64>,
    ) -> Vec<Vec<u64>> {
        let mut engine = Engine::<W>::new(Shape::new(game, scope).unwrap(), level, 2);
        engine.ways = ways.map(|_| crate::phase::push_cache::Ways::new(&engine.shape));
        let list = |shape: &Shape, plane: &[Cells<W>]| {
            let mut list = Vec::new();
            for (superblock, cells) in plane.iter().enumerate() {
                positions(shape, superblock, cells, |position| list.push(game.index(&position).unwrap().0));
            }
            list.sort_unstable();
            list
        };
        let find = |engine: &Engine<W>, phase: Phase<'_, W>| {
            let collected = Collected::new(&engine.shape);
            engine
                .phase("", phase, &[], &Silent, |superblock, found| collected.add(superblock, found))
                .unwrap();
            collected.into_parts().0
        };
        let left = find(&engine, Phase::Begin);
        let mut lists = vec![list(&engine.shape, &left)];
        engine.set(left);
        let mut newest = find(&engine, Phase::Stuck);
        engine.apply(&newest);
        for turns in 1..100 {
            lists.push(list(&engine.shape, &newest));
            let wins = if turns > 2 { way(&newest) } else { Newest::Most };
            if let (Some(kept), Some(most)) = (&mut engine.ways, ways) {
                kept.begin(turns + turns % 2, most);
            }
            let phase = if turns % 2 == 0 { Phase::Losses(&engine.left, wins) } else { Phase::Wins(&newest) };
            let next = find(&engine, phase);
            engine.apply(&next);
            let over = turns > 1 && next.iter().all(Cells::is_empty);
            newest = next;
            if over {
                return lists;
            }
        }
        unreachable!("small boards are done before")
    }

    fn lists(game: &PushFight, scope: Scope, level: Level) -> Vec<Vec<u64>> {
        fn all_ways<const W: usize>(game: &PushFight, scope: Scope, level: Level) -> Vec<Vec<u64>> {
            let most = found::<W>(game, scope, level, |_| Newest::Most, None);
            assert!(found::<W>(game, scope, level, |wins| Newest::Many(wins), None) == most);
            assert!(found::<W>(game, scope, level, |wins| Newest::Few(wins), None) == most);
            // None, those of some sets of pushers, and all.
            for bytes in [0, 50_000, u64::MAX] {
                assert!(found::<W>(game, scope, level, |wins| Newest::Many(wins), Some(bytes)) == most);
            }
            most
        }
        with_words!(Shape::new(game, scope).unwrap(), W => all_ways::<W>(game, scope, level))
    }

    #[test]
    fn all_instructions_and_widths_of_rows_give_the_same() {
        let mut widths = std::collections::BTreeSet::new();
        for name in [
            "pushfight:mini,pushers=2,pawns=1",
            "pushfight:mini,pushers=1,pawns=2,moves=unlimited",
            "pushfight:x.board,pushers=1,pawns=3",
            "pushfight:x.board,pushers=1,pawns=4",
            "pushfight:wide.board,pushers=1,pawns=5,moves=1",
        ] {
            let game = game(name);
            widths.insert(Shape::new(&game, Scope::All).unwrap().words);
            let expected = lists(&game, Scope::All, Level::Portable);
            assert!(expected.iter().filter(|list| !list.is_empty()).count() > 2, "{name}");
            assert_eq!(lists(&game, Scope::All, Level::best()), expected, "{name}");
        }
        assert_eq!(widths.into_iter().collect::<Vec<_>>(), [2, 4, 8, 32]);
    }

    #[test]
    fn positions_that_no_push_leads_to_change_nothing_for_others() {
        for name in ["pushfight:mini,pushers=2,pawns=1", "pushfight:mini,pushers=2,pawns=2,moves=1"] {
            let game = game(name);
            let all = lists(&game, Scope::All, Level::best());
            let plausible = lists(&game, Scope::Plausible, Level::best());
            let possible = |index: &u64| {
                game.position(retrograde_game::Index(*index))
                    .is_some_and(|position| game.is_plausible(&position))
            };
            for (all, plausible) in all.into_iter().zip(&plausible) {
                let all: Vec<u64> = all.into_iter().filter(possible).collect();
                assert_eq!(&all, plausible, "{name}");
            }
            assert!(plausible.iter().filter(|list| !list.is_empty()).count() > 2);
        }
    }

    #[test]
    fn phases_are_counted_as_they_are_found() {
        let game = game("pushfight:mini,pushers=2,pawns=1");
        for (plausible, scope) in [(false, Scope::All), (true, Scope::Plausible)] {
            let lists = lists(&game, scope, Level::best());
            let mut counts = Vec::new();
            count_phases(&game, plausible, u16::MAX, 2, &Silent, |phase| counts.push(phase)).unwrap();
            assert_eq!(counts[0].count, lists[1].len() as u64);
            for (count, list) in counts[2..].iter().zip(&lists[3..]) {
                assert_eq!(count.count, list.len() as u64);
            }
            let solved: u64 = counts.iter().map(|count| count.all).sum();
            let there = if plausible {
                (0..game.index_count() as u64)
                    .filter_map(|index| game.position(retrograde_game::Index(index)))
                    .filter(|position| game.is_plausible(position))
                    .count() as u64
            } else {
                game.position_count() as u64
            };
            assert!(solved <= there && solved * 2 > there);
        }
    }
}
