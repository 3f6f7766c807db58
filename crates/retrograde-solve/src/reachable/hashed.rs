//! Reachable positions in a hash table with all turns, for positions without codes in any game.

use std::collections::BTreeMap;
use std::ops::ControlFlow;

use retrograde_game::{Game, Outcome, Turns, Value};

use crate::hash::FoldHasher;
use crate::job::{Job, SolveError};

type Table<K, V> = std::collections::HashMap<K, V, FoldHasher>;

/// The values of the unfinished reachable positions.
pub struct HashedValues<G: Game> {
    numbers: Table<G::Position, u32>,
    /// By the number of the position.
    values: Vec<Value>,
}

impl<G: Game> HashedValues<G> {
    /// The number of unfinished reachable positions.
    pub fn len(&self) -> u64 {
        self.values.len() as u64
    }

    /// Whether the game is over at the start.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a position for the side to move; `None` if it is not reachable.
    pub fn value(&self, game: &G, position: &G::Position) -> Option<Value> {
        match game.result(position) {
            Some(outcome) => Some(Value::over(outcome)),
            None => self.numbers.get(position).map(|&number| self.values[number as usize]),
        }
    }

    /// All unfinished positions with their values.
    pub fn iter(&self) -> impl Iterator<Item = (&G::Position, Value)> {
        self.numbers.iter().map(|(position, &number)| (position, self.values[number as usize]))
    }
}

/// The bytes that [`solve`] takes per position, without its turns.
pub(crate) fn bytes_with_turns<G: Game>() -> u64 {
    2 * (size_of::<G::Position>() as u64 + 70)
}

/// Solves the positions reachable from `start` in any game. Loops are draws. All turns are kept in memory,
/// so this is for up to about ten million positions. Ignores `job.horizon` and `job.checkpoint`.
///
/// # Errors
/// If the positions do not fit into memory, a game takes too long, or it is stopped.
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
    // Turns are pairs (from, to). The values of finished successors go straight into `best`.
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
            // One position may have more successors than fit into memory.
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
    Ok(HashedValues { numbers, values })
}

/// Finds values turn by turn, along reversed turns, counting the turns that are not refuted.
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
    // By turns: positions that may be decided then. A turn to a draw by the rules is never refuted.
    let mut due: BTreeMap<u16, Vec<(u32, Value)>> = BTreeMap::new();
    let turns_of = |value: Value| value.turns().map(|Turns(turns)| turns);
    for (number, ended) in ended.iter().enumerate() {
        if let Some(value) = *ended
            && let Some(turns) = turns_of(value)
            && (value.outcome() == Outcome::Win || next[number].is_empty())
        {
            due.entry(turns).or_default().push((number as u32, value));
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
                if here.outcome() == Outcome::Win {
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
