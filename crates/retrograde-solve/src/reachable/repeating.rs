//! Reachable positions of games that can repeat. First all of them are gathered as keys in sets. Then the
//! places of the sorted keys are their numbers, and the solver of dense numberings works backwards.
//!
//! A position takes its key, a share of the directory, and a score: about ten bytes, in addition to what
//! solving backwards takes for open positions.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::ControlFlow;

use parking_lot::Mutex;
use retrograde_game::{Dense, Game, Predecessors};

use super::coding::{Coding, key_of};
use super::layer::{BYTES_A_KEY, Layer};
use super::numbering::ReachableGame;
use super::repeating_share::GatheredShare;
use super::settle::{ScoreCounts, circle};
use super::successors::{Successor, each_next, key_of_position, position_of};
use super::tasks::{TASK, in_tasks};
use super::values::ReachableValues;
use crate::hash::FoldHasher;
use crate::job::{Job, Scores, SolveError};
use crate::retrograde::{Capabilities, Retrograde};
use crate::together::gather_alone;

/// The number of positions whose successors are in memory at a time; some games have hundreds each.
const BATCH: usize = TASK << 2;

/// Solves the positions reachable from `start` in a game that can repeat, by predecessors, ignoring
/// unreachable ones. Loops are draws. Ignores `job.horizon`.
///
/// # Errors
/// If the positions do not fit into memory, a game takes too long, it is stopped, or the game breaks a
/// promise: reachable positions must have a code, and no turn may lead back to before the game.
pub fn solve_repeating_by_predecessors<G: Predecessors, C: Coding<G>>(
    game: &G,
    start: &G::Position,
    coding: C,
    job: &mut Job<'_>,
) -> Result<ReachableValues<G, C>, SolveError> {
    let (gathering, _) = Gathering::gather(game, start, coding, job, u64::MAX)?;
    let reachable = gathering.into_reachable(game, coding, &job.pool()?)?;
    backwards(game, reachable, coding, Capabilities::default().predecessors(), job)
}

/// The gathered keys.
pub(super) struct Gathering {
    pub keys: GatheredShare,
    /// The keys before the game proper whose successors are known.
    before: Vec<u64>,
}

impl Gathering {
    /// Gathers the positions reachable from a start, until there are more than `most` keys. Returns whether
    /// all were found.
    pub fn gather<G: Game, C: Coding<G>>(
        game: &G,
        start: &G::Position,
        coding: C,
        job: &Job<'_>,
        most: u64,
    ) -> Result<(Gathering, bool), SolveError> {
        let before = Mutex::new(Vec::new());
        let find = |keys: &[u64]| {
            let mut found = Vec::new();
            for &key in keys {
                let position = position_of(game, coding, key)?;
                if !game.turn_is_counted(&position) {
                    before.lock().push(key);
                }
                each_next(game, coding, &position, (|_: &G::Position| 0, 1), |next| {
                    if let Successor::At { key, .. } = next {
                        found.push(key);
                    }
                })?;
            }
            Ok(vec![(0, found)])
        };
        let first = match game.result(start) {
            Some(_) => None,
            None => Some(key_of_position(game, coding, start)?),
        };
        let (keys, whole) = gather_alone(&find, first, (job, BATCH), most)?;
        Ok((Gathering { keys, before: before.into_inner() }, whole))
    }

    /// Numbers all positions.
    pub fn into_reachable<'a, G: Game, C: Coding<G>>(
        self,
        game: &'a G,
        coding: C,
        pool: &crate::Pool,
    ) -> Result<ReachableGame<'a, G, C>, SolveError> {
        let (mut main, mut before) = (self.keys.all.into_sorted(pool), self.before);
        if !before.is_empty() {
            let apart: HashSet<u64, FoldHasher> = before.iter().copied().collect();
            main.retain(|key| !apart.contains(key));
            before = successors_first(game, coding, before)?;
        }
        Ok(ReachableGame::new(game, coding, main, before))
    }
}

/// Sorts positions before the game so that each follows its successors among them.
pub(super) fn successors_first<G: Game, C: Coding<G>>(
    game: &G,
    coding: C,
    mut keys: Vec<u64>,
) -> Result<Vec<u64>, SolveError> {
    // Sorted, so that the order does not depend on the number of threads.
    keys.sort_unstable();
    keys.dedup();
    /// Whether the search has not reached a position, is below it, or has left it.
    #[derive(Clone, Copy, PartialEq)]
    enum State {
        Ahead,
        OnTheWay,
        Done,
    }
    let mut states: HashMap<u64, State, FoldHasher> = keys.iter().map(|&key| (key, State::Ahead)).collect();
    let mut order = Vec::with_capacity(keys.len());
    for first in keys {
        let mut way = vec![first];
        while let Some(&key) = way.last() {
            match states.get(&key).copied().unwrap_or(State::Done) {
                State::Ahead => {
                    states.insert(key, State::OnTheWay);
                    let position = position_of(game, coding, key)?;
                    let mut loops = false;
                    let _ = game.each_successor(&position, |next| {
                        let next = coding.code(game, &next).map(key_of);
                        match next.and_then(|next| states.get(&next).map(|state| (next, *state))) {
                            Some((next, State::Ahead)) => way.push(next),
                            Some((_, State::OnTheWay)) => loops = true,
                            _ => {}
                        }
                        ControlFlow::Continue(())
                    });
                    if loops {
                        return Err(circle());
                    }
                }
                State::OnTheWay => {
                    states.insert(key, State::Done);
                    order.push(key);
                    way.pop();
                }
                State::Done => {
                    way.pop();
                }
            }
        }
    }
    Ok(order)
}

/// Solves the gathered positions.
pub(super) fn backwards<'a, G: Game, C: Coding<G>>(
    game: &G,
    reachable: ReachableGame<'a, G, C>,
    coding: C,
    able: Capabilities<ReachableGame<'a, G, C>>,
    job: &mut Job<'_>,
) -> Result<ReachableValues<G, C>, SolveError> {
    let held = (reachable.main.keys.len() + reachable.before.len()) as u64 * BYTES_A_KEY;
    let mut scores = solve_beside(held, &Retrograde::with(&reachable, able), job)?;
    let ReachableGame { mut main, before, .. } = reachable;
    let before_scores: Vec<u16> = (main.keys.len()..scores.len()).map(|at| scores.wide(at)).collect();
    scores.truncate(main.keys.len());
    main.scores = scores;
    let mut layers = Vec::new();
    if !main.keys.is_empty() {
        layers.push(main);
    }
    if !before.is_empty() {
        let mut pairs: Vec<(u64, u16)> = before.into_iter().zip(before_scores).collect();
        pairs.sort_unstable();
        let (keys, scores) = pairs.into_iter().unzip();
        let mut layer = Layer::new(1, keys);
        layer.scores = Scores::packed(scores);
        layers.push(layer);
    }
    let counts = counts(game, coding, &layers, &job.pool()?)?;
    Ok(ReachableValues::new(coding, layers, counts, |game: &G, position| {
        u64::from(!game.turn_is_counted(position))
    }))
}

/// Solves a game while `held` bytes of the memory are in use.
pub(super) fn solve_beside<G: Dense>(
    held: u64,
    solver: &Retrograde<'_, G>,
    job: &mut Job<'_>,
) -> Result<Scores, SolveError> {
    let mut inner = Job {
        threads: job.threads,
        memory: job.memory.saturating_sub(held),
        horizon: None,
        progress: job.progress,
        checkpoint: &mut *job.checkpoint,
    };
    solver.solve(&mut inner).map_err(|error| match error {
        SolveError::Memory { need, .. } => SolveError::Memory { need: need + held, limit: job.memory },
        error => error,
    })
}

/// Counts positions by score, including every symmetric image.
fn counts<G: Game, C: Coding<G>>(
    game: &G,
    coding: C,
    layers: &[Layer],
    pool: &crate::Pool,
) -> Result<BTreeMap<u16, u64>, SolveError> {
    let mut all = BTreeMap::new();
    for layer in layers {
        let count = |first: usize, keys: &[u64]| {
            let mut counts = ScoreCounts::none();
            for (at, &key) in (first..).zip(keys) {
                let images = match coding.is_shared(game) {
                    true => coding.image_count(game, &position_of(game, coding, key)?),
                    false => 1,
                };
                counts.add(layer.scores.wide(at), images);
            }
            Ok(counts)
        };
        for counts in in_tasks(pool, &layer.keys, &count)? {
            counts.add_to(&mut all);
        }
    }
    Ok(all)
}
