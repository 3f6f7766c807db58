//! Occurring positions in hash tables: for positions without codes, and for games that can repeat.
//!
//! [`solve_graded`] is for games that cannot repeat: positions are gathered grade by grade, highest
//! first, so that a grade is complete when its turn comes, and solved grade by grade the other way.
//! [`solve`] is for any game: it numbers what it finds and works backwards along the turns it has seen.

use std::collections::BTreeMap;
use std::hash::{BuildHasher, Hash};
use std::ops::ControlFlow;

use parking_lot::Mutex;
use retrograde_game::{Game, Graded, Score, Turns, Value};

use crate::hash::FoldHasher;
use crate::job::{Job, SolveError};
use crate::threads::Pool;

type Table<K, V> = std::collections::HashMap<K, V, FoldHasher>;

/// The values of the unfinished positions that occur.
pub struct HashedValues<G: Game> {
    /// Positions by grade, sorted by their hash within a grade so that they can be looked up.
    layers: BTreeMap<u64, HashedLayer<G::Position>>,
    grade: fn(&G, &G::Position) -> u64,
}

/// Positions of a grade with their scores, in the order of their hashes.
struct HashedLayer<P> {
    hashes: Vec<u64>,
    positions: Vec<P>,
    scores: Vec<u16>,
}

/// The hash by which positions are divided and ordered. Sets use the lowest and the highest bits of a
/// hash for themselves, so here those from the middle are the highest.
fn hash<P: Hash>(position: &P) -> u64 {
    FoldHasher::default().hash_one(position).rotate_left(32)
}

impl<P: Eq + Hash> HashedLayer<P> {
    fn place(&self, position: &P) -> Option<usize> {
        let hash = hash(position);
        // Hashes are spread evenly, so the place can be guessed well; the rest is a short walk.
        let count = self.hashes.len();
        let guess = ((u128::from(hash) * count as u128) >> 64) as usize;
        let (mut low, mut high, mut step) = (guess, guess, 8);
        while low > 0 && self.hashes[low - 1] >= hash {
            low = low.saturating_sub(step);
            step *= 2;
        }
        step = 8;
        while high < count && self.hashes[high] < hash {
            high = (high + step).min(count);
            step *= 2;
        }
        let mut at = low + self.hashes[low..high].partition_point(|&other| other < hash);
        while self.hashes.get(at) == Some(&hash) {
            if self.positions[at] == *position {
                return Some(at);
            }
            at += 1;
        }
        None
    }
}

impl<G: Game> HashedValues<G> {
    /// The number of unfinished positions that occur.
    pub fn len(&self) -> u64 {
        self.layers.values().map(|layer| layer.positions.len() as u64).sum()
    }

    /// Whether the game is over at the start.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The value of a position for the side to move; `None` if it does not occur.
    pub fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        if let Some(outcome) = game.result(position) {
            return Some(Value::over(outcome));
        }
        let layer = self.layers.get(&(self.grade)(game, position))?;
        layer.scores[layer.place(position)?].value()
    }

    /// All unfinished positions with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&G::Position, Value)> {
        self.layers.values().flat_map(|layer| {
            let values = layer.positions.iter().zip(&layer.scores);
            values.filter_map(|(position, score)| Some((position, score.value()?)))
        })
    }
}

/// Bytes that a position takes in the end, and twice while a grade is gathered.
fn bytes_a_position<P>() -> u64 {
    size_of::<P>() as u64 + 8 + 2
}

/// Bytes that [`solve`] takes for a position, its turns not counted.
pub(crate) fn bytes_with_turns<G: Game>() -> u64 {
    2 * (bytes_a_position::<G::Position>() + 60)
}

fn room<P>(job: &Job<'_>, positions: u64) -> Result<(), SolveError> {
    let need = positions.saturating_mul(2 * bytes_a_position::<P>());
    if need > job.memory { Err(SolveError::Memory { need, limit: job.memory }) } else { Ok(()) }
}

/// Bits of a hash that tell the set a position goes into, so that threads fill the sets side by side.
const PART_BITS: u32 = 6;
const PARTS: usize = 1 << PART_BITS;
/// Positions that a thread looks at at a time.
const TASK: usize = 1 << 13;

/// Positions that wait for their grade's turn, each once.
type Waiting<P> = Vec<std::collections::HashSet<P, FoldHasher>>;

/// The part of a position. What a part holds comes before the next in the order of hashes.
fn part<P: Hash>(position: &P) -> usize {
    (hash(position) >> (64 - PART_BITS)) as usize
}

/// Positions in the order of their hashes.
fn layer<P: Eq + Hash + Send>(pool: &Pool, mut waiting: Waiting<P>) -> HashedLayer<P> {
    let sorted: Vec<Mutex<Vec<(u64, P)>>> = (0..waiting.len()).map(|_| Mutex::default()).collect();
    pool.each_of(&mut waiting, &|part, set| {
        let mut keyed: Vec<(u64, P)> =
            std::mem::take(set).into_iter().map(|position| (hash(&position), position)).collect();
        keyed.sort_unstable_by_key(|(hash, _)| *hash);
        *sorted[part].lock() = keyed;
    });
    let (hashes, positions) = sorted.into_iter().flat_map(Mutex::into_inner).unzip();
    HashedLayer { hashes, positions, scores: Vec::new() }
}

/// The unfinished successors of positions, by grade and part, as they come.
fn after<G: Graded>(game: &G, positions: &[G::Position]) -> BTreeMap<u64, Vec<Vec<G::Position>>> {
    let mut found: BTreeMap<u64, Vec<Vec<G::Position>>> = BTreeMap::new();
    for position in positions {
        let _ = game.each_successor(position, |next| {
            if game.result(&next).is_none() {
                let parts = found.entry(game.grade(&next)).or_insert_with(|| vec![Vec::new(); PARTS]);
                parts[part(&next)].push(next);
            }
            ControlFlow::Continue(())
        });
    }
    found
}

/// Solves what occurs from `start` in a game that cannot repeat. `job.horizon` and `job.checkpoint`
/// are not used.
///
/// # Errors
/// If more positions occur than fit the memory, or it is stopped.
pub fn solve_graded<G: Graded>(
    game: &G,
    start: &G::Position,
    job: &mut Job<'_>,
) -> Result<HashedValues<G>, SolveError> {
    let pool = job.pool()?;
    let mut waiting: BTreeMap<u64, Waiting<G::Position>> = BTreeMap::new();
    let mut layers: BTreeMap<u64, HashedLayer<G::Position>> = BTreeMap::new();
    let empty = || (0..PARTS).map(|_| std::collections::HashSet::default()).collect::<Waiting<G::Position>>();
    if game.result(start).is_none() {
        waiting.entry(game.grade(start)).or_insert_with(empty)[part(start)].insert(start.clone());
    }
    job.progress.stage("gathering positions", 0);
    let (mut held, mut pending) = (0_u64, 0_u64);
    while let Some((grade, positions)) = waiting.pop_last() {
        if job.progress.stopped() {
            return Err(SolveError::Stopped);
        }
        let layer = layer(&pool, positions);
        pending -= (layer.positions.len() as u64).min(pending);
        held += layer.positions.len() as u64;
        // Batches, so that what is found but not yet known to be new stays small.
        for batch in layer.positions.chunks(1 << 18) {
            let found = pool.all(batch.len().div_ceil(TASK), &|task| {
                after(game, &batch[task * TASK..batch.len().min((task + 1) * TASK)])
            });
            let mut by_grade: BTreeMap<u64, Vec<Vec<Vec<G::Position>>>> = BTreeMap::new();
            for (grade, parts) in found.into_iter().flatten() {
                by_grade.entry(grade).or_default().push(parts);
            }
            for (grade, mut found) in by_grade {
                let sets = waiting.entry(grade).or_insert_with(empty);
                let before: usize = sets.iter().map(|set| set.len()).sum();
                // By part, so that each set is filled by one thread.
                let parts: Vec<Mutex<Vec<Vec<G::Position>>>> = (0..PARTS)
                    .map(|part| found.iter_mut().map(|parts| std::mem::take(&mut parts[part])).collect())
                    .map(Mutex::new)
                    .collect();
                pool.each_of(sets, &|part, set| {
                    set.extend(std::mem::take(&mut *parts[part].lock()).into_iter().flatten());
                });
                pending += (sets.iter().map(|set| set.len()).sum::<usize>() - before) as u64;
            }
            room::<G::Position>(job, held / 2 + pending)?;
        }
        job.progress.advance(layer.positions.len() as u64);
        layers.insert(grade, layer);
    }
    job.progress.stage("solving, grade by grade", held);
    let mut reached = HashedValues {
        layers: BTreeMap::new(),
        grade: |game: &G, position: &G::Position| game.grade(position),
    };
    for (grade, mut layer) in layers {
        if job.progress.stopped() {
            return Err(SolveError::Stopped);
        }
        let positions = &layer.positions;
        let scores = pool.results(positions.len().div_ceil(TASK), &|task| {
            let positions = &positions[task * TASK..positions.len().min((task + 1) * TASK)];
            let scores =
                positions.iter().map(|position| u16::from_value(from_successors(game, position, &reached)));
            scores.collect::<Option<Vec<u16>>>().ok_or(SolveError::TooDeep)
        })?;
        layer.scores = scores.concat();
        job.progress.advance(layer.positions.len() as u64);
        reached.layers.insert(grade, layer);
    }
    Ok(reached)
}

fn from_successors<G: Game>(game: &G, position: &G::Position, reached: &HashedValues<G>) -> Value {
    let counts = game.turn_is_counted(position);
    let mut best = None;
    let _ = game.each_successor(position, |next| {
        let value =
            reached.value(game, &next).map(|value| value.flipped_if(game.moves_again(position, &next)));
        best = best.max(value.map(|value| value.before(counts)));
        ControlFlow::Continue(())
    });
    best.unwrap_or_else(|| Value::over(game.outcome_without_turns()))
}

/// Solves what occurs from `start` in any game; loops are draws. Every turn is held in memory, so
/// this is for up to some ten million positions. `job.horizon` and `job.checkpoint` are not used.
///
/// # Errors
/// If more positions occur than fit the memory, a game takes too long, or it is stopped.
pub fn solve<G: Game>(
    game: &G,
    start: &G::Position,
    job: &mut Job<'_>,
) -> Result<HashedValues<G>, SolveError> {
    let mut numbers: Table<G::Position, u32> = Table::default();
    let mut positions = Vec::new();
    let mut meet = |position: G::Position, positions: &mut Vec<G::Position>| -> Option<u32> {
        let new = u32::try_from(positions.len()).ok()?;
        Some(*numbers.entry(position).or_insert_with_key(|position| {
            positions.push(position.clone());
            new
        }))
    };
    // Turns as pairs (from, to); values of finished successors go straight into `best`.
    let mut next: Vec<Vec<u32>> = Vec::new();
    let mut ended: Vec<Option<Value>> = Vec::new();
    let mut turns_held = 0_u64;
    if game.result(start).is_none() {
        let _ = meet(start.clone(), &mut positions);
    }
    job.progress.stage("gathering positions", 0);
    while next.len() < positions.len() {
        let position = positions[next.len()].clone();
        let counts = game.turn_is_counted(&position);
        let (mut to, mut best, mut any, mut full) = (Vec::new(), None, false, false);
        let _ = game.each_successor(&position, |after| {
            any = true;
            match game.result_after(&position, &after) {
                Some(outcome) => best = best.max(Some(Value::over(outcome).before(counts))),
                None => match meet(after, &mut positions) {
                    Some(number) => to.push(number),
                    None => full = true,
                },
            }
            // One position may have more successors than there is memory for.
            full |= positions.len() as u64 * bytes_with_turns::<G>() > job.memory;
            if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        to.sort_unstable();
        to.dedup();
        turns_held += to.len() as u64;
        let need = positions.len() as u64 * bytes_with_turns::<G>() + turns_held * 8;
        if full || need > job.memory {
            return Err(SolveError::Memory { need, limit: job.memory });
        }
        ended.push(if any { best } else { Some(Value::over(game.outcome_without_turns())) });
        next.push(to);
        if next.len().is_multiple_of(256) {
            job.progress.advance(256);
            if job.progress.stopped() {
                return Err(SolveError::Stopped);
            }
        }
    }
    let values = backwards(game, &positions, &next, &ended, job)?;
    let mut keyed: Vec<(u64, G::Position, u16)> = Vec::with_capacity(positions.len());
    for (position, value) in positions.into_iter().zip(values) {
        keyed.push((hash(&position), position, u16::from_value(value).ok_or(SolveError::TooDeep)?));
    }
    keyed.sort_unstable_by_key(|(hash, _, _)| *hash);
    let mut layer = HashedLayer { hashes: Vec::new(), positions: Vec::new(), scores: Vec::new() };
    for (hash, position, score) in keyed {
        layer.hashes.push(hash);
        layer.positions.push(position);
        layer.scores.push(score);
    }
    Ok(HashedValues { layers: BTreeMap::from([(0, layer)]), grade: |_, _| 0 })
}

/// Values by the number of turns, along reversed turns, with counters of turns that are not
/// refuted.
fn backwards<G: Game>(
    game: &G,
    positions: &[G::Position],
    next: &[Vec<u32>],
    ended: &[Option<Value>],
    job: &Job<'_>,
) -> Result<Vec<Value>, SolveError> {
    let mut before: Vec<Vec<u32>> = vec![Vec::new(); next.len()];
    for (from, to) in next.iter().enumerate() {
        for &to in to {
            before[to as usize].push(from as u32);
        }
    }
    let mut values: Vec<Option<Value>> = vec![None; next.len()];
    let mut open: Vec<u32> = next.iter().map(|to| to.len() as u32).collect();
    // By turns: positions that may be decided then. A draw by the rules leaves a turn open for
    // ever.
    let mut due: BTreeMap<u16, Vec<(u32, Value)>> = BTreeMap::new();
    let turns_of = |value: Value| value.turns().map(|Turns(turns)| turns);
    for (number, ended) in ended.iter().enumerate() {
        match ended {
            Some(value @ Value::Win(_)) => {
                due.entry(turns_of(*value).unwrap_or(0)).or_default().push((number as u32, *value))
            }
            Some(value @ Value::Loss(_)) if next[number].is_empty() => {
                due.entry(turns_of(*value).unwrap_or(0)).or_default().push((number as u32, *value));
            }
            _ => {}
        }
    }
    let mut longest: Vec<Option<Value>> = ended.to_vec();
    while let Some((_, decided)) = due.pop_first() {
        if job.progress.stopped() {
            return Err(SolveError::Stopped);
        }
        for (number, value) in decided {
            if values[number as usize].is_some() {
                continue;
            }
            values[number as usize] = Some(value);
            for &previous in &before[number as usize] {
                let place = previous as usize;
                let again = game.moves_again(&positions[place], &positions[number as usize]);
                let here = value.flipped_if(again).before(game.turn_is_counted(&positions[place]));
                open[place] -= 1;
                if here.outcome() == retrograde_game::Outcome::Win {
                    due.entry(turns_of(here).unwrap_or(0)).or_default().push((previous, here));
                } else {
                    longest[place] = longest[place].max(Some(here));
                    if open[place] == 0
                        && let Some(lost @ Value::Loss(Turns(turns))) = longest[place]
                    {
                        due.entry(turns).or_default().push((previous, lost));
                    }
                }
            }
        }
    }
    Ok(values.into_iter().map(|value| value.unwrap_or(Value::Draw)).collect())
}
