//! Finds shades level by level, along predecessors. Every turn between draws is visited once in each
//! direction, however many levels there are.
//!
//! Each draw counts the turns that still hold: the distinct drawn successors that no level has taken. If a
//! position turns out to press, the counts of the draws before it are decremented. A draw whose count reaches
//! 0 is pressed; one that still has a count of 1 when the level ends may be a task of the next level. No
//! level has to examine all positions again.
//!
//! A numbering may give images the same index, and two turns that lead there are two turns. So before a
//! position counts as a task, its turns are counted one by one, as players count them.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use retrograde_game::{Dense, Index, Outcome, Successor};

use super::predecessors::{Lists, Predecessors};
use super::shade::{FIRST, NO_DRAW, QUIET, Scale, Shades};
use crate::job::{Job, Progress, SolveError, require_alternation};
use crate::memory;
use crate::prelude::each_prelude_index;
use crate::retrograde::Capabilities;
use crate::retrograde::distinct::Distinct;
use crate::retrograde::places::PlaceSet;
use crate::threads::Pool;

/// The number of indices that a thread takes at a time.
const PIECE: u64 = 1 << 14;
/// The number of positions of a phase that a thread takes at a time.
const SHARE: usize = 1 << 10;
/// The bits per index: two bytes for its code, four for its count, and two bits.
const BITS: u128 = 8 * 6 + 2;

/// The drawn positions of a game, added one by one.
pub struct Draws {
    set: PlaceSet,
    indices: u64,
}

impl Draws {
    /// Creates an empty set of `indices` indices.
    ///
    /// # Errors
    /// If there is no memory for one bit per index.
    pub fn new(indices: u64) -> Result<Draws, SolveError> {
        let places = usize::try_from(indices).map_err(|_| SolveError::TooLarge { count: indices.into() })?;
        Ok(Draws { set: PlaceSet::new(places)?, indices })
    }

    /// Adds a drawn position.
    ///
    /// # Panics
    /// If there is no such index.
    pub fn insert(&self, index: Index) {
        assert!(index.0 < self.indices, "index {index} of {}", self.indices);
        self.set.insert(index.0);
    }

    /// Whether the position at an index is drawn.
    pub fn contains(&self, index: Index) -> bool {
        index.0 < self.indices && self.set.contains(index.0)
    }
}

/// Finds the shades of draws, using the predecessors of the game if it has any.
///
/// # Errors
/// If it does not fit into memory, is stopped, or two-byte codes do not suffice.
pub fn solve<G: Dense>(
    game: &G,
    able: Capabilities<G>,
    draws: &Draws,
    job: &Job<'_>,
) -> Result<Shades, SolveError> {
    require_alternation(game, "the search for shades")?;
    let count = job.room(game.index_count(), BITS)?;
    let main = (count as u64).saturating_sub(game.prelude());
    let (mut codes, mut left) = (Vec::new(), Vec::new());
    memory::reserve(&mut codes, count)?;
    let code = |index: u64| if draws.contains(Index(index)) { QUIET } else { NO_DRAW };
    codes.extend((0..count as u64).map(|index| AtomicU16::new(code(index))));
    memory::reserve(&mut left, main as usize)?;
    left.extend((0..main).map(|_| AtomicU32::new(0)));
    let board = Board { game, codes, left, main, pool: job.pool()?, progress: job.progress };

    job.progress.stage("counting the turns that hold", main);
    if let Some(before) = able.before {
        let tasks = board.count_turns(None)?;
        return board.levels(&Predecessors::Game(game, before), tasks);
    }
    let mut lists = Lists::new(main as usize)?;
    let tasks = board.count_turns(Some(&lists))?;
    let held = u64::try_from((count as u128 * BITS).div_ceil(8)).unwrap_or(u64::MAX);
    lists.make(held, job.memory)?;
    job.progress.stage("listing the turns that hold", main);
    board.each_holding_turn(&|index, to| lists.put(to, index))?;
    board.levels(&Predecessors::Lists(lists), tasks)
}

/// The draws with their codes and counts.
struct Board<'a, G: Dense> {
    game: &'a G,
    /// [`QUIET`] until a level takes the position.
    codes: Vec<AtomicU16>,
    /// By index of the game proper: the number of distinct drawn successors that no level has taken.
    left: Vec<AtomicU32>,
    /// The number of indices of the game proper.
    main: u64,
    pool: Pool,
    progress: &'a dyn Progress,
}

/// The positions that a phase takes, and the positions that it left with one holding turn.
type Taken = (Vec<u64>, Vec<u64>);

impl<G: Dense> Board<'_, G> {
    fn code(&self, index: u64) -> u16 {
        self.codes[index as usize].load(Ordering::Relaxed)
    }

    fn set(&self, index: u64, code: u16) {
        self.codes[index as usize].store(code, Ordering::Relaxed);
    }

    /// Takes a position unless a level has taken it. Returns whether it did.
    fn take(&self, index: u64, code: u16) -> bool {
        let cell = &self.codes[index as usize];
        cell.compare_exchange(QUIET, code, Ordering::Relaxed, Ordering::Relaxed).is_ok()
    }

    /// Visits the draws of the game proper piece by piece, with a state per piece that `start` creates.
    /// Returns the states.
    fn each_draw<T: Send>(
        &self,
        visit: &(dyn Fn(&mut T, u64, &G::Position) + Sync),
        start: &(dyn Fn() -> T + Sync),
    ) -> Result<Vec<T>, SolveError> {
        let pieces = usize::try_from(self.main.div_ceil(PIECE)).unwrap_or(usize::MAX);
        self.pool.results(pieces, &|number| {
            if self.progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let mut state = start();
            let first = number as u64 * PIECE;
            let range = Index(first)..Index(self.main.min(first + PIECE));
            let _ = self.game.walk_down(range.clone(), |index, position| {
                if self.code(index.0) != NO_DRAW {
                    visit(&mut state, index.0, &position);
                }
                ControlFlow::Continue(())
            });
            self.progress.advance(range.end.0 - range.start.0);
            Ok(state)
        })
    }

    /// Counts the drawn successors of each draw of the game proper, and if lists are needed, the predecessors
    /// of these. Returns the tasks.
    fn count_turns(&self, lists: Option<&Lists>) -> Result<Vec<u64>, SolveError> {
        let visit = |(tasks, distinct): &mut (Vec<u64>, Distinct), index: u64, position: &G::Position| {
            let (mut over, mut away) = (false, false);
            distinct.clear();
            self.each_next(position, &mut |next| match next {
                Destination::Away => away = true,
                Destination::Over => over = true,
                Destination::Drawn(to) => distinct.insert(to),
            });
            // A finished draw stays one, so counting it once for ever is enough.
            let left = distinct.len() as u32 + u32::from(over);
            self.left[index as usize].store(left, Ordering::Relaxed);
            if left == 1 && away && self.holding_turns(position) == 1 {
                tasks.push(index);
            }
            if let Some(lists) = lists {
                distinct.iter().for_each(|&to| lists.count(to));
            }
        };
        let found = self.each_draw(&visit, &Default::default)?;
        Ok(found.into_iter().flat_map(|(tasks, _)| tasks).collect())
    }

    /// Passes every draw of the game proper with each of its distinct drawn successors to `tell`.
    fn each_holding_turn(&self, tell: &(dyn Fn(u64, u64) + Sync)) -> Result<(), SolveError> {
        let visit = |distinct: &mut Distinct, index: u64, position: &G::Position| {
            distinct.clear();
            self.each_next(position, &mut |next| {
                if let Destination::Drawn(to) = next {
                    distinct.insert(to);
                }
            });
            distinct.iter().for_each(|&to| tell(index, to));
        };
        self.each_draw(&visit, &Distinct::default).map(drop)
    }

    /// Visits the successors of a position, each at least once.
    fn each_next(&self, position: &G::Position, visit: &mut dyn FnMut(Destination)) {
        let _ = self.game.each_numbered_successor(position, |next| {
            visit(match next {
                Successor::Terminal(Outcome::Draw) => Destination::Over,
                Successor::Terminal(_) => Destination::Away,
                Successor::At(Index(to)) | Successor::Again(Index(to)) => match self.code(to) {
                    NO_DRAW => Destination::Away,
                    _ => Destination::Drawn(to),
                },
            });
            ControlFlow::Continue(())
        });
    }

    /// Counts the turns of a position to draws that no level has taken or that are over, up to two.
    fn holding_turns(&self, position: &G::Position) -> u32 {
        let mut count = 0;
        let _ = self.game.each_turn(position, |_, next| {
            let holds = match self.game.result(&next) {
                Some(outcome) => outcome == Outcome::Draw,
                None => self.game.index(&next).is_some_and(|next| self.code(next.0) == QUIET),
            };
            count += u32::from(holds);
            if count > 1 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        count
    }

    /// Finds all levels. `tasks` are the tasks of the first level.
    fn levels(self, before: &Predecessors<'_, G>, mut tasks: Vec<u64>) -> Result<Shades, SolveError> {
        let (mut first, mut longest) = (FIRST, Vec::new());
        for level in 1.. {
            self.progress.stage(&format!("shades of draws, level {level}"), 0);
            let (phases, touched) = self.level(before, tasks, first)?;
            let codes = self.prelude(first, phases)?;
            let Some(last) = codes.checked_sub(1) else { break };
            longest.push(last);
            first = first.checked_add(codes).ok_or(SolveError::TooDeep)?;
            tasks = self.next_tasks(touched)?;
        }
        let scale = Scale::new(&longest).ok_or(SolveError::TooDeep)?;
        // Same layout, so this collects in place.
        let codes = self.codes.into_iter().map(AtomicU16::into_inner).collect();
        Ok(Shades { codes, scale })
    }

    /// Finds a level in the game proper. Returns the number of its codes, and the positions that had one
    /// holding turn left at some time.
    fn level(
        &self,
        before: &Predecessors<'_, G>,
        tasks: Vec<u64>,
        first: u16,
    ) -> Result<(u16, Vec<u64>), SolveError> {
        tasks.iter().for_each(|&task| self.set(task, first));
        let (mut newest, mut touched, mut turns) = (tasks, Vec::new(), 0_u16);
        while !newest.is_empty() {
            turns += 1;
            let code = first.checked_add(turns).ok_or(SolveError::TooDeep)?;
            let shares: Vec<&[u64]> = newest.chunks(SHARE).collect();
            let taken = self.pool.results(shares.len(), &|number| {
                if self.progress.stopped() {
                    return Err(SolveError::Stopped);
                }
                let share = shares[number];
                self.progress.advance(share.len() as u64);
                Ok(if turns % 2 == 1 {
                    (self.press(before, share, code), Vec::new())
                } else {
                    self.refute(before, share, code)
                })
            })?;
            let mut next = Vec::new();
            for (found, more) in taken {
                next.extend(found);
                touched.extend(more);
            }
            newest = next;
        }
        Ok((turns, touched))
    }

    /// The opponent is pressed in these positions, so a player with a turn to one of them presses.
    fn press(&self, before: &Predecessors<'_, G>, pressed: &[u64], code: u16) -> Vec<u64> {
        let mut found = Vec::new();
        for &index in pressed {
            before.each(index, &mut |from| {
                if self.take(from, code) {
                    found.push(from);
                }
            });
        }
        found
    }

    /// The opponent presses in these positions, so a player with turns only to such positions is pressed.
    fn refute(&self, before: &Predecessors<'_, G>, presses: &[u64], code: u16) -> Taken {
        let (mut found, mut touched, mut distinct) = (Vec::new(), Vec::new(), Distinct::default());
        for &index in presses {
            distinct.clear();
            before.each(index, &mut |from| {
                if self.code(from) == QUIET {
                    distinct.insert(from);
                }
            });
            for &from in distinct.iter() {
                match self.left[from as usize].fetch_sub(1, Ordering::Relaxed) {
                    1 if self.take(from, code) => found.push(from),
                    2 => touched.push(from),
                    _ => {}
                }
            }
        }
        (found, touched)
    }

    /// Finds the tasks of the next level among positions that had one holding turn left at some time.
    fn next_tasks(&self, mut touched: Vec<u64>) -> Result<Vec<u64>, SolveError> {
        touched.retain(|&index| {
            self.code(index) == QUIET && self.left[index as usize].load(Ordering::Relaxed) == 1
        });
        let shares: Vec<&[u64]> = touched.chunks(SHARE).collect();
        let tasks = self.pool.results(shares.len(), &|number| {
            if self.progress.stopped() {
                return Err(SolveError::Stopped);
            }
            let one = |index: &u64| {
                self.game.position(Index(*index)).is_some_and(|position| self.holding_turns(&position) == 1)
            };
            Ok(shares[number].iter().copied().filter(one).collect::<Vec<u64>>())
        })?;
        Ok(tasks.into_iter().flatten().collect())
    }

    /// Finds a level in the positions before the game proper, to which no turn leads back, by looking one
    /// turn ahead. Returns the number of codes of the level.
    fn prelude(&self, first: u16, phases: u16) -> Result<u16, SolveError> {
        let (indices, codes) = (self.main..self.codes.len() as u64, AtomicU16::new(phases));
        each_prelude_index(indices, (&self.pool, self.progress), &|index, known| {
            match self.look_ahead(index, known, first)? {
                LookAhead::Later => return Ok(false),
                LookAhead::Stays => {}
                LookAhead::Takes(turns) => {
                    self.set(index, first + turns);
                    codes.fetch_max(turns + 1, Ordering::Relaxed);
                }
            }
            Ok(true)
        })?;
        Ok(codes.into_inner())
    }

    /// The turns of a position before the game proper to the task of the level whose first code is `first`.
    /// All draws below `known` have been examined.
    fn look_ahead(&self, index: u64, known: u64, first: u16) -> Result<LookAhead, SolveError> {
        if self.code(index) != QUIET {
            return Ok(LookAhead::Stays);
        }
        let Some(position) = self.game.position(Index(index)) else { return Ok(LookAhead::Stays) };
        let (mut holding, mut all, mut stays) = (0_u32, 0_u32, false);
        let (mut pressed, mut presses): (Option<u16>, Option<u16>) = (None, None);
        let complete = self.game.each_turn(&position, |_, next| {
            all += 1;
            let code = match (self.game.result(&next), self.game.index(&next)) {
                (Some(Outcome::Draw), _) => QUIET,
                (None, Some(Index(next))) if next >= known && self.code(next) != NO_DRAW => {
                    return ControlFlow::Break(());
                }
                (None, Some(Index(next))) => self.code(next),
                _ => NO_DRAW,
            };
            match code.checked_sub(first) {
                Some(turns) if turns % 2 == 0 => {
                    pressed = Some(pressed.map_or(turns, |least| least.min(turns)))
                }
                Some(turns) => presses = presses.max(Some(turns)),
                None => stays |= code == QUIET,
            }
            holding += u32::from(code == QUIET || code >= first);
            ControlFlow::Continue(())
        });
        if complete.is_break() {
            return Ok(LookAhead::Later);
        }
        let turns = match (pressed, presses) {
            _ if holding == 1 && all > 1 => Some(0),
            (Some(least), _) => Some(least + 1),
            (None, Some(longest)) if !stays => Some(longest + 1),
            _ => None,
        };
        match turns {
            Some(turns) if first.checked_add(turns).is_none() => Err(SolveError::TooDeep),
            Some(turns) => Ok(LookAhead::Takes(turns)),
            None => Ok(LookAhead::Stays),
        }
    }
}

/// The kind of a successor.
enum Destination {
    /// Not a draw.
    Away,
    /// A finished draw.
    Over,
    /// A drawn position.
    Drawn(u64),
}

/// The result of examining a position before the game proper.
enum LookAhead {
    /// It leads to positions that must be examined first.
    Later,
    /// This level does not take it.
    Stays,
    /// The level takes it, with this number of turns to the task.
    Takes(u16),
}
