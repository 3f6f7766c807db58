//! Solves a board whose values fit into memory, a byte each. Also counts phases without keeping
//! values.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use parking_lot::Mutex;
use retrograde_game::{Dense, Score, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::{Job, Progress, Scores, SolveError, solve_prelude};

use crate::kernel::simd::SimdLevel;
use crate::layout::location::positions;
use crate::layout::numbering::{Layout, with_words};
use crate::layout::scope::Scope;
use crate::layout::sets::bits_of;
use crate::layout::sparse::Plane;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::parallel::for_each_parallel;
use crate::phase::count::PhaseCount;
use crate::phase::engine::Engine;
use crate::phase::kinds::{Phase, SuperblockResult, phase_name};

/// The layout of all positions with an index in which all pieces are placed.
fn layout(game: &PushFight) -> Option<Layout> {
    Layout::new(game, if game.numbered_starts() > 0 { Scope::AllAndStarts } else { Scope::All })
}

/// Bytes of memory that [`solve`] takes; `None` if the board is too large for it.
pub fn memory_needed(game: &PushFight) -> Option<u128> {
    let layout = layout(game)?;
    // As if every row were there once. Of what is undecided and of what is new together it was a third of that on
    // the boards that were tried.
    let rows = layout.superblocks.len() as u128 * (layout.cells.len() * layout.lanes) as u128;
    Some(game.index_count() + rows * (8 * layout.words as u128) + (64 << 20))
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
    let Some(layout) = layout(game) else { return Err(SolveError::TooLarge { count }) };
    let scores = with_words!(layout, W => run::<W>(game, layout, job)?);
    // With a horizon all of the prelude is looked at: what leads to decided positions is decided, though it ends a turn later.
    let known = if job.horizon.is_none() { game.numbered_starts() } else { 0 };
    solve_prelude(game, scores, known, job)
}

fn score(value: Value) -> Result<u8, SolveError> {
    u8::from_value(value).ok_or(SolveError::TooDeep)
}

/// Superblocks as they come in.
struct CollectedPlane<const W: usize> {
    cells: Mutex<Plane<W>>,
    count: AtomicU64,
}

impl<const W: usize> CollectedPlane<W> {
    fn new(layout: &Layout) -> CollectedPlane<W> {
        CollectedPlane {
            cells: Mutex::new(layout.superblocks.iter().map(|_| SparseCells::empty()).collect()),
            count: AtomicU64::new(0),
        }
    }

    fn add(&self, superblock: SuperblockId, found: SuperblockResult<W>) {
        self.count.fetch_add(found.count, Ordering::Relaxed);
        self.cells.lock()[superblock] = found.cells;
    }

    fn into_parts(self) -> (Plane<W>, u64) {
        (self.cells.into_inner(), self.count.into_inner())
    }
}

fn run<const W: usize>(game: &PushFight, layout: Layout, job: &mut Job<'_>) -> Result<Vec<u8>, SolveError> {
    let count = game.index_count() as usize;
    let horizon = job.horizon.map(|turns| turns.0);
    let undecided_score = if horizon.is_none() { u8::DRAW } else { u8::UNKNOWN };
    let mut engine = Engine::<W>::new(layout, SimdLevel::best(), job.threads);
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

    let initial = CollectedPlane::new(&engine.layout);
    engine.run_phase("won in 1 turn", Phase::Initial, &[], job.progress, |superblock, found| {
        initial.add(superblock, found);
    })?;
    let (undecided, _) = initial.into_parts();
    engine.set_undecided(undecided);
    let mut newest: Plane<W>;
    if turns == 0 {
        let stuck = find_and_write(
            &engine,
            game,
            "lost in 0 turns",
            Phase::NoPush,
            job,
            &scores,
            Value::Loss(Turns(0)),
        )?;
        engine.remove_decided(&stuck.0);
        if stuck.1 > 0 && horizon != Some(0) {
            let value = Value::Win(Turns(1));
            let wins =
                find_and_write(&engine, game, "won in 1 turn", Phase::Wins(&stuck.0), job, &scores, value)?;
            engine.remove_decided(&wins.0);
        }
        newest = Vec::new();
        turns = 2;
    } else {
        // What was undecided at the checkpoint, and what the last phase found.
        let loss = score(Value::Loss(Turns(turns - 1)))?;
        let with_score = |engine: &Engine<W>, kept: u8| -> Plane<W> {
            let of_superblock = |superblock| {
                cells_with_score(
                    game,
                    &engine.layout,
                    superblock,
                    &engine.undecided[superblock],
                    &scores,
                    kept,
                )
            };
            engine.layout.superblocks.ids().map(of_superblock).collect()
        };
        newest = if turns.is_multiple_of(2) { Vec::new() } else { with_score(&engine, loss) };
        let undecided = with_score(&engine, undecided_score);
        engine.set_undecided(undecided);
    }
    while horizon.is_none_or(|horizon| turns <= horizon) {
        let in_turns = if turns.is_multiple_of(2) { Value::Loss } else { Value::Win };
        let (name, phase) = (phase_name(turns), engine.phase_for(turns, &newest));
        let (found, count) =
            find_and_write(&engine, game, &name, phase, job, &scores, in_turns(Turns(turns)))?;
        if count == 0 {
            break;
        }
        engine.remove_decided(&found);
        newest = found;
        turns += 1;
        if job.checkpoint.due() {
            write_undecided(&engine, game, job.threads, &scores, undecided_score);
            // Collected in place: an atomic byte is a byte.
            let bytes: Vec<u8> = std::mem::take(&mut scores).into_iter().map(AtomicU8::into_inner).collect();
            job.checkpoint.save(turns.into(), &[&bytes])?;
            scores = bytes.into_iter().map(AtomicU8::new).collect();
        }
    }
    write_undecided(&engine, game, job.threads, &scores, undecided_score);
    Ok(scores.into_iter().map(AtomicU8::into_inner).collect())
}

/// Writes the score of what is undecided, which until then has any.
fn write_undecided<const W: usize>(
    engine: &Engine<W>,
    game: &PushFight,
    threads: usize,
    scores: &[AtomicU8],
    undecided: u8,
) {
    for_each_parallel(threads, by_superblock(&engine.undecided).collect(), |(superblock, cells)| {
        write_scores(game, &engine.layout, superblock, cells, scores, undecided);
    });
}

/// Does a phase and writes what it finds.
fn find_and_write<const W: usize>(
    engine: &Engine<W>,
    game: &PushFight,
    name: &str,
    phase: Phase<'_, W>,
    job: &Job<'_>,
    scores: &[AtomicU8],
    value: Value,
) -> Result<(Plane<W>, u64), SolveError> {
    let score = score(value)?;
    let collected = CollectedPlane::new(&engine.layout);
    engine.run_phase(name, phase, &[], job.progress, |superblock, found| {
        write_scores(game, &engine.layout, superblock, &found.cells, scores, score);
        collected.add(superblock, found);
    })?;
    Ok(collected.into_parts())
}

/// Writes the score of positions and of their images.
fn write_scores<const W: usize>(
    game: &PushFight,
    layout: &Layout,
    superblock: SuperblockId,
    cells: &SparseCells<W>,
    scores: &[AtomicU8],
    score: u8,
) {
    positions(layout, superblock, cells, |position| {
        // Before the first push it matters whose half is whose.
        let images = if position.anchor.is_empty() { 1 } else { layout.symmetries.count() };
        for symmetry in 0..images {
            let image = |set| layout.symmetries.set_image(symmetry, set);
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
fn cells_with_score<const W: usize>(
    game: &PushFight,
    layout: &Layout,
    superblock: SuperblockId,
    cells: &SparseCells<W>,
    scores: &[AtomicU8],
    score: u8,
) -> SparseCells<W> {
    let mut list = Vec::new();
    let mut at = 0;
    // Positions come in the order of rows and bits.
    let mut keep = Vec::new();
    positions(layout, superblock, cells, |position| {
        let index = game.index(&position).map(|index| scores[index.0 as usize].load(Ordering::Relaxed));
        keep.push(index == Some(score));
    });
    cells.for_each_row(|cell, lane, row| {
        let mut bits = [0; W];
        for (word, &row) in row.iter().enumerate() {
            for bit in bits_of(row) {
                bits[word] |= u64::from(keep[at]) << bit;
                at += 1;
            }
        }
        if bits != [0; W] {
            list.push((cell as u32, lane, bits));
        }
    });
    SparseCells::new(layout.cells.len(), &list)
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
    on_phase: impl FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let scope = if plausible { Scope::Plausible } else { Scope::All };
    let layout =
        Layout::new(game, scope).ok_or_else(|| SolveError::TooLarge { count: game.index_count() })?;
    let level = SimdLevel::best();
    with_words!(layout, W => count_phases_on(Engine::<W>::new(layout, level, threads), turns, progress, on_phase))
}

fn count_phases_on<const W: usize>(
    mut engine: Engine<W>,
    most: u16,
    progress: &dyn Progress,
    mut on_phase: impl FnMut(PhaseCount),
) -> Result<(), SolveError> {
    let total = |engine: &Engine<W>, turns: u16, counts: &[AtomicU64]| {
        let counts = by_superblock(counts.iter().map(|count| count.load(Ordering::Relaxed)));
        let count = crate::phase::count::count_phase(&engine.layout, turns, counts);
        PhaseCount { blocks: engine.blocks(), bytes: engine.bytes(), ..count }
    };
    let zeros = |engine: &Engine<W>| -> Vec<AtomicU64> {
        engine.layout.superblocks.iter().map(|_| AtomicU64::new(0)).collect()
    };
    let find = |engine: &Engine<W>, name: &str, phase: Phase<'_, W>| {
        let (collected, counts) = (CollectedPlane::new(&engine.layout), zeros(engine));
        engine.run_phase(name, phase, &[], progress, |superblock, found| {
            let count = if matches!(phase, Phase::Initial) { found.won } else { found.count };
            counts[superblock].store(count, Ordering::Relaxed);
            collected.add(superblock, found);
        })?;
        let (cells, count) = collected.into_parts();
        Ok::<_, SolveError>((cells, counts, count))
    };
    let (undecided, mut won, _) = find(&engine, "won in 1 turn", Phase::Initial)?;
    engine.set_undecided(undecided);
    let (stuck, lost, count) = find(&engine, "lost in 0 turns", Phase::NoPush)?;
    engine.remove_decided(&stuck);
    on_phase(total(&engine, 0, &lost));
    if count > 0 {
        // What wins by leaving the opponent without a push, on top of what ejects.
        let (wins, more, _) = find(&engine, "won in 1 turn", Phase::Wins(&stuck))?;
        engine.remove_decided(&wins);
        for (won, more) in won.iter_mut().zip(more) {
            *won.get_mut() += more.into_inner();
        }
    }
    on_phase(total(&engine, 1, &won));
    let mut newest = Vec::new();
    for turns in 2..=most {
        let (found, counts, count) = find(&engine, &phase_name(turns), engine.phase_for(turns, &newest))?;
        engine.remove_decided(&found);
        newest = found;
        on_phase(total(&engine, turns, &counts));
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
    use crate::phase::kinds::Frontier;
    use crate::testing::{game, indices};

    /// The positions that each phase finds, sorted; pushes may be kept in so many bytes.
    fn found<const W: usize>(
        game: &PushFight,
        scope: Scope,
        level: SimdLevel,
        choose_frontier: fn(&[SparseCells<W>]) -> Frontier<'_, W>,
        push_cache: Option<u64>,
    ) -> Vec<Vec<u64>> {
        let mut engine = Engine::<W>::new(Layout::new(game, scope).unwrap(), level, 2);
        engine.push_cache = push_cache.map(|_| crate::phase::push_cache::PushCache::new(&engine.layout));
        let find = |engine: &Engine<W>, phase: Phase<'_, W>| {
            let collected = CollectedPlane::new(&engine.layout);
            engine
                .run_phase("", phase, &[], &Silent, |superblock, found| collected.add(superblock, found))
                .unwrap();
            collected.into_parts().0
        };
        let undecided = find(&engine, Phase::Initial);
        let mut lists = vec![indices(game, &engine.layout, &undecided)];
        engine.set_undecided(undecided);
        let mut newest = find(&engine, Phase::NoPush);
        engine.remove_decided(&newest);
        for turns in 1..100 {
            lists.push(indices(game, &engine.layout, &newest));
            let wins = if turns > 2 { choose_frontier(&newest) } else { Frontier::Everything };
            if let (Some(kept), Some(most)) = (&mut engine.push_cache, push_cache) {
                kept.begin(turns + turns % 2, most);
            }
            let phase =
                if turns % 2 == 0 { Phase::Losses(&engine.undecided, wins) } else { Phase::Wins(&newest) };
            let next = find(&engine, phase);
            engine.remove_decided(&next);
            let over = turns > 1 && next.iter().all(SparseCells::is_empty);
            newest = next;
            if over {
                return lists;
            }
        }
        unreachable!("small boards are done before")
    }

    fn lists(game: &PushFight, scope: Scope, level: SimdLevel) -> Vec<Vec<u64>> {
        fn all_frontiers<const W: usize>(game: &PushFight, scope: Scope, level: SimdLevel) -> Vec<Vec<u64>> {
            let most = found::<W>(game, scope, level, |_| Frontier::Everything, None);
            assert!(found::<W>(game, scope, level, |wins| Frontier::ByBlock(wins), None) == most);
            assert!(found::<W>(game, scope, level, |wins| Frontier::ByPosition(wins), None) == most);
            // None, those of some sets of pushers, and all.
            for bytes in [0, 50_000, u64::MAX] {
                assert!(found::<W>(game, scope, level, |wins| Frontier::ByBlock(wins), Some(bytes)) == most);
            }
            most
        }
        with_words!(Layout::new(game, scope).unwrap(), W => all_frontiers::<W>(game, scope, level))
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
            widths.insert(Layout::new(&game, Scope::All).unwrap().words);
            let expected = lists(&game, Scope::All, SimdLevel::Portable);
            assert!(expected.iter().filter(|list| !list.is_empty()).count() > 2, "{name}");
            assert_eq!(lists(&game, Scope::All, SimdLevel::best()), expected, "{name}");
        }
        assert_eq!(widths.into_iter().collect::<Vec<_>>(), [2, 4, 8, 32]);
    }

    #[test]
    fn positions_that_no_push_leads_to_change_nothing_for_others() {
        for name in ["pushfight:mini,pushers=2,pawns=1", "pushfight:mini,pushers=2,pawns=2,moves=1"] {
            let game = game(name);
            let all = lists(&game, Scope::All, SimdLevel::best());
            let plausible = lists(&game, Scope::Plausible, SimdLevel::best());
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
            let lists = lists(&game, scope, SimdLevel::best());
            let mut counts = Vec::new();
            count_phases(&game, plausible, u16::MAX, 2, &Silent, |phase| counts.push(phase)).unwrap();
            assert_eq!(counts[0].count, lists[1].len() as u64);
            for (count, list) in counts[2..].iter().zip(&lists[3..]) {
                assert_eq!(count.count, list.len() as u64);
            }
            let solved: u64 = counts.iter().map(|count| count.all).sum();
            let present = if plausible {
                (0..game.index_count() as u64)
                    .filter_map(|index| game.position(retrograde_game::Index(index)))
                    .filter(|position| game.is_plausible(position))
                    .count() as u64
            } else {
                game.position_count() as u64
            };
            assert!(solved <= present && solved * 2 > present);
        }
    }
}
