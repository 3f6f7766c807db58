//! Occurring positions of a game that can repeat, shared by several processes: the part that one of
//! them holds.
//!
//! Every position has an owner. First owners gather keys ([`GatheredShare`]). Then they decide them
//! turn by turn ([`OpenShare`]): in phase t, what the phase before has decided is told to the owners of
//! its predecessors, and whoever has a turn to a loss wins; whose last turn is refuted, loses. Whoever
//! shares the work out carries the messages.

use std::io;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use rayon::prelude::*;
use retrograde_game::{Score, Turns, Value};

use super::layer::{BYTES_A_KEY, Layer, ScoreList};
use super::repeating_batches::{FirstLook, RepeatingBatches};
use super::settle::other_turns;
use super::share::{GradeState, SavedPiece, Share};
use super::tasks::in_tasks;
use super::waiting::{DividedKeys, Waiting};
use crate::job::SolveError;
use crate::memory;

/// Keys that are looked up together.
const TOGETHER: usize = 1 << 7;
/// Positions that a thread goes through at a time.
const PART: usize = 1 << 12;
/// Bytes of a position that is solved: the key, the score, and the turns that are not refuted.
const BYTES: u64 = BYTES_A_KEY + 2 + 4;
/// Bytes of a position when solving begins, with what it tells by itself.
const BYTES_AT_FIRST: u64 = BYTES + size_of::<FirstLook>() as u64;

/// The keys that are known to occur.
pub struct GatheredShare {
    all: Waiting,
    /// Those of them whose successors are not known yet.
    new: Vec<u64>,
}

impl Default for GatheredShare {
    fn default() -> GatheredShare {
        GatheredShare { all: Waiting::new(), new: Vec::new() }
    }
}

impl GatheredShare {
    /// Adds keys; those that were not here before are new.
    pub fn add(&mut self, pool: &crate::Pool, found: &[DividedKeys]) {
        self.new.extend(self.all.add_new(pool, found).into_iter().flatten());
    }

    /// Adds keys that are not new.
    pub fn add_known(&mut self, pool: &crate::Pool, keys: &[u64]) {
        self.all.add(pool, &[DividedKeys::new(keys)]);
    }

    /// The keys whose successors are not known yet; whoever takes them finds out.
    pub fn take_new(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.new)
    }

    /// The number of keys.
    pub fn len(&self) -> u64 {
        self.all.len() as u64
    }

    /// Bytes of memory that it takes now, or when solving begins, if that is more.
    pub fn bytes(&self) -> u64 {
        (self.all.bytes() + self.new.len() as u64 * 8).max(self.len() * BYTES_AT_FIRST)
    }

    /// Visits all keys in pieces of up to so many; the successors of `left` are not known yet either.
    ///
    /// # Errors
    /// The first of `visit`.
    pub fn each_piece(
        &self,
        left: &[u64],
        most: usize,
        visit: &mut dyn FnMut(SavedPiece) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut waiting = [left, &self.new].concat();
        waiting.sort_unstable();
        let known: Vec<u64> = self.all.keys().filter(|key| waiting.binary_search(key).is_err()).collect();
        for (state, keys) in [(GradeState::Waiting, waiting), (GradeState::Gathered, known)] {
            for keys in keys.chunks(most) {
                visit(SavedPiece { state, grade: 0, keys: keys.to_vec(), scores: Vec::new() })?;
            }
        }
        Ok(())
    }
}

/// Scores that a phase tells, and what it decides.
#[derive(Clone, Debug)]
pub struct Phase {
    /// The losses that are told, if any are.
    pub lost: Option<u16>,
    /// The wins that are told.
    pub won: RangeInclusive<u16>,
    /// The score of a position with a turn to one of these losses.
    pub win: u16,
    /// The score of a position whose last turn is refuted.
    pub loss: u16,
}

impl Phase {
    /// The phase that decides what ends in exactly so many turns, at least one.
    ///
    /// # Errors
    /// [`SolveError::TooDeep`].
    pub fn new(turns: u16) -> Result<Phase, SolveError> {
        let score = |value| u16::from_value(value).ok_or(SolveError::TooDeep);
        let (here, last) = (Turns(turns), Turns(turns.saturating_sub(1)));
        let won = score(Value::Win(last))?;
        Ok(Phase {
            lost: Some(score(Value::Loss(last))?),
            won: won..=won,
            win: score(Value::Win(here))?,
            loss: score(Value::Loss(here))?,
        })
    }

    /// All that the phases before this one have told of refuted turns: whoever has counted turns anew
    /// needs it again.
    ///
    /// # Errors
    /// [`SolveError::TooDeep`].
    pub fn told_before(turns: u16) -> Result<Phase, SolveError> {
        let last = Phase::new(turns.saturating_sub(1).max(1))?;
        let won = if turns < 2 { RangeInclusive::new(1, 0) } else { *last.won.start()..=u16::MAX };
        Ok(Phase { lost: None, won, ..last })
    }

    /// Whether it tells predecessors of a position with this score that they win.
    #[inline]
    pub(super) fn tells_loss(&self, score: u16) -> bool {
        self.lost == Some(score)
    }

    /// Whether it tells them that a turn is refuted.
    #[inline]
    pub(super) fn tells_win(&self, score: u16) -> bool {
        self.won.contains(&score)
    }
}

/// The positions that one of several processes owns, while they are solved.
pub struct OpenShare {
    main: Layer,
    scores: Vec<AtomicU16>,
    /// By position: different successors that are not refuted.
    left: Vec<AtomicU32>,
    /// Keys before the game proper, sorted, and their scores.
    before: (Vec<u64>, Vec<u16>),
}

impl OpenShare {
    /// All that was gathered, with what positions tell by themselves.
    ///
    /// # Errors
    /// If the game breaks a promise.
    pub fn of_gathered(
        gathered: GatheredShare,
        game: &dyn RepeatingBatches,
        pool: &crate::Pool,
    ) -> Result<OpenShare, SolveError> {
        let keys = gathered.all.into_sorted(pool);
        let scores = vec![u16::UNKNOWN; keys.len()];
        OpenShare::begin((keys, scores), game, pool)
    }

    /// Keys and scores that were saved; [`Phase::told_before`] makes the state whole.
    ///
    /// # Errors
    /// If the game breaks a promise, or a key comes twice.
    pub fn of_saved(
        mut saved: Vec<(u64, u16)>,
        game: &dyn RepeatingBatches,
        pool: &crate::Pool,
    ) -> Result<OpenShare, SolveError> {
        pool.install(|| saved.par_sort_unstable());
        if !saved.is_sorted_by(|(a, _), (b, _)| a < b) {
            return Err(other_turns());
        }
        OpenShare::begin(saved.into_iter().unzip(), game, pool)
    }

    fn begin(
        (mut keys, mut scores): (Vec<u64>, Vec<u16>),
        game: &dyn RepeatingBatches,
        pool: &crate::Pool,
    ) -> Result<OpenShare, SolveError> {
        let looks = in_tasks(pool, &keys, &|_, keys| game.first_look(keys))?;
        let (mut left, mut before) = (Vec::new(), Vec::new());
        memory::reserve(&mut left, keys.len())?;
        // Those of the game proper move up to the places of those before it.
        for (from, look) in looks.into_iter().flatten().enumerate() {
            let to = left.len();
            (keys[to], scores[to]) = (keys[from], scores[from]);
            left.push(AtomicU32::new(match look {
                FirstLook::Before => {
                    before.push(keys[from]);
                    continue;
                }
                FirstLook::Decided(score) => {
                    scores[to] = score;
                    0
                }
                FirstLook::Open(left) => left,
            }));
        }
        keys.truncate(left.len());
        scores.truncate(left.len());
        let unknown = vec![u16::UNKNOWN; before.len()];
        Ok(OpenShare {
            main: Layer::new(0, keys),
            scores: scores.into_iter().map(AtomicU16::new).collect(),
            left,
            before: (before, unknown),
        })
    }

    /// The number of keys.
    pub fn len(&self) -> u64 {
        (self.scores.len() + self.before.0.len()) as u64
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> u64 {
        self.len() * BYTES
    }

    /// The number of parts of the game proper, each for one thread.
    pub fn parts(&self) -> usize {
        self.scores.len().div_ceil(PART)
    }

    /// The positions of the game proper that are undecided.
    pub fn count_open(&self, pool: &crate::Pool) -> u64 {
        let open = |score: &&AtomicU16| score.load(Ordering::Relaxed) == u16::UNKNOWN;
        pool.install(|| self.scores.par_iter().with_min_len(PART).filter(open).count() as u64)
    }

    /// The keys of a part that a phase tells: those that are lost, and those that are won.
    pub fn told(&self, part: usize, phase: &Phase) -> (Vec<u64>, Vec<u64>) {
        let (mut lost, mut won) = (Vec::new(), Vec::new());
        let places = part * PART..self.scores.len().min((part + 1) * PART);
        for place in places {
            let score = self.scores[place].load(Ordering::Relaxed);
            if phase.tells_loss(score) {
                lost.push(self.main.keys[place]);
            } else if phase.tells_win(score) {
                won.push(self.main.keys[place]);
            }
        }
        (lost, won)
    }

    /// Hears that positions have a turn to a loss (`wins`), or that a turn of each of them is refuted.
    /// Those that do not occur are left out.
    pub fn hear(&self, wins: bool, keys: &[u64], phase: &Phase) {
        // What is decided ends in fewer turns, and a position that wins in this very phase has a turn
        // that is never refuted: so the order of messages makes no difference.
        let open = |place: usize| self.scores[place].load(Ordering::Relaxed) == u16::UNKNOWN;
        self.each_place(keys, |place| {
            if open(place) && (wins || self.left[place].fetch_sub(1, Ordering::Relaxed) == 1) {
                let score = if wins { phase.win } else { phase.loss };
                self.scores[place].store(score, Ordering::Relaxed);
            }
        });
    }

    #[inline]
    fn each_place(&self, keys: &[u64], mut visit: impl FnMut(usize)) {
        for keys in keys.chunks(TOGETHER) {
            keys.iter().for_each(|&key| self.main.prefetch_entry(key));
            keys.iter().for_each(|&key| self.main.prefetch_keys(key));
            keys.iter().filter_map(|&key| self.main.place(key)).for_each(&mut visit);
        }
    }

    /// Ends the phases: what is undecided is a draw.
    pub fn end(&self, pool: &crate::Pool) {
        pool.install(|| {
            self.scores.par_iter().with_min_len(PART).for_each(|score| {
                if score.load(Ordering::Relaxed) == u16::UNKNOWN {
                    score.store(u16::DRAW, Ordering::Relaxed);
                }
            });
        });
    }

    /// Adds the scores of keys to a list, in their order; `waits` for those before the game that have
    /// none yet. `None` if one of them is not here.
    pub fn scores(&self, keys: &[u64], waits: u16, scores: &mut Vec<u16>) -> Option<()> {
        for key in keys {
            scores.push(match self.main.place(*key) {
                Some(place) => self.scores[place].load(Ordering::Relaxed),
                None => match self.before.1[self.before.0.binary_search(key).ok()?] {
                    u16::UNKNOWN => waits,
                    score => score,
                },
            });
        }
        Some(())
    }

    /// The keys before the game that have no scores yet, sorted.
    pub fn waiting_before(&self) -> Vec<u64> {
        let (keys, scores) = &self.before;
        let each = keys.iter().zip(scores);
        each.filter(|&(_, &score)| score == u16::UNKNOWN).map(|(&key, _)| key).collect()
    }

    /// Takes the score of a key before the game.
    pub fn put_before(&mut self, key: u64, score: u16) {
        if let Ok(place) = self.before.0.binary_search(&key) {
            self.before.1[place] = score;
        }
    }

    /// Visits all keys in pieces of up to so many.
    ///
    /// # Errors
    /// The first of `visit`.
    pub fn each_piece(
        &self,
        most: usize,
        visit: &mut dyn FnMut(SavedPiece) -> io::Result<()>,
    ) -> io::Result<()> {
        let piece = |keys: &[u64], scores: Vec<u16>| SavedPiece {
            state: GradeState::Solved,
            grade: 0,
            keys: keys.to_vec(),
            scores,
        };
        for (keys, scores) in self.main.keys.chunks(most).zip(self.scores.chunks(most)) {
            visit(piece(keys, scores.iter().map(|score| score.load(Ordering::Relaxed)).collect()))?;
        }
        for keys in self.before.0.chunks(most) {
            visit(piece(keys, vec![u16::UNKNOWN; keys.len()]))?;
        }
        Ok(())
    }

    /// The positions with their scores.
    pub fn into_solved(self) -> Share {
        let mut share = Share::default();
        let scores = self.scores.into_iter().map(AtomicU16::into_inner).collect();
        share.put_solved(0, self.main.keys, ScoreList::packed(scores));
        share.put_solved(1, self.before.0, ScoreList::packed(self.before.1));
        share
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_are_as_long_as_scores() {
        let longest = u16::MAX_TURNS.0;
        assert!(Phase::new(longest).is_ok() && Phase::told_before(longest + 1).is_ok());
        assert!(matches!(Phase::new(longest + 1), Err(SolveError::TooDeep)));
    }

    #[test]
    fn what_was_told_before_is_what_earlier_phases_have_told() {
        let score = |turns| u16::from_value(Value::Win(Turns(turns))).unwrap();
        for turns in 1..6 {
            let again = Phase::told_before(turns).unwrap();
            let told =
                |won: u16| (1..turns).any(|turns| Phase::new(turns).unwrap().won.contains(&score(won)));
            assert!(again.lost.is_none());
            assert!((0..9).all(|won| again.won.contains(&score(won)) == told(won)), "before {turns}");
        }
    }
}
