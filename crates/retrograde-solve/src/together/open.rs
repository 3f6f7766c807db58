//! The reachable positions of one process while they are decided turn by turn.

use std::sync::atomic::{AtomicU16, AtomicU32, Ordering};

use rayon::prelude::*;
use retrograde_game::Score;

use super::ask::{Asks, Next, Seen};
use super::back::OpenPositions;
use super::owners::Owners;
use super::send::{Sends, Word};
use super::team::Team;
use super::words::WAITS;
use crate::job::{Scores, SolveError};
use crate::memory;
use crate::phase::Phase;
use crate::reachable::{
    BYTES_A_KEY, FirstLook, GradeState, Layer, RepeatingBatches, Share, TOGETHER, code_of, key_of, run_tasks,
};

/// The number of positions that a thread scans at a time.
const PART: usize = 1 << 12;
/// The bytes per position while solving: the key, the score, and the count of unrefuted turns.
const BYTES: u64 = BYTES_A_KEY + 2 + 4;
/// The bytes per position when solving begins, including its first look.
pub(super) const BYTES_AT_FIRST: u64 = BYTES + size_of::<FirstLook>() as u64;

/// The positions and the scores found so far.
pub(super) struct OpenShare<'a> {
    game: &'a dyn RepeatingBatches,
    owners: &'a Owners,
    phase: Phase,
    main: Layer,
    scores: Vec<AtomicU16>,
    /// By position: the number of distinct successors that are not refuted.
    left: Vec<AtomicU32>,
    /// The sorted keys of positions before the game, and their scores.
    before: (Vec<u64>, Vec<u16>),
}

impl<'a> OpenShare<'a> {
    /// Takes sorted keys with their scores before phase `turns`, and takes a first look at each position.
    /// The caller must resend the words of earlier phases about refuted turns.
    pub fn new(
        (game, owners): (&'a dyn RepeatingBatches, &'a Owners),
        (mut keys, mut scores): (Vec<u64>, Vec<u16>),
        turns: u16,
        team: &Team<'_, '_>,
    ) -> Result<OpenShare<'a>, SolveError> {
        team.check_memory(keys.len() as u64 * BYTES_AT_FIRST)?;
        let looks = run_tasks(&team.pool, &keys, &|_, keys| game.first_look(keys))?;
        let (mut left, mut before) = (Vec::new(), Vec::new());
        memory::reserve(&mut left, keys.len())?;
        // Compacts the positions of the game proper; positions before the game move to `before`.
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
            game,
            owners,
            phase: Phase::passed_on_before(turns).ok_or(SolveError::TooDeep)?,
            main: Layer::new(0, keys),
            scores: scores.into_iter().map(AtomicU16::new).collect(),
            left,
            before: (before, unknown),
        })
    }

    /// Solves the positions before the game, of which there are few.
    pub fn solve_before(&mut self, team: &mut Team<'_, '_>) -> Result<(), SolveError> {
        team.job.progress.stage("solving positions before the game", 0);
        let known = std::mem::take(&mut self.before);
        let mut before = Before { open: self, known };
        let batch = team.batch_of_keys();
        team.ask_in_passes(&mut before, batch, |Before { known: (keys, scores), .. }| {
            let waiting = keys.iter().zip(scores).filter(|&(_, &score)| score == u16::UNKNOWN);
            waiting.map(|(&key, _)| key).collect()
        })?;
        self.before = before.known;
        Ok(())
    }

    /// Returns the positions with their scores.
    pub fn into_solved(self) -> Share {
        let mut share = Share::default();
        let scores = self.scores.into_iter().map(AtomicU16::into_inner).collect();
        share.put_solved(0, self.main.keys, Scores::packed(scores));
        share.put_solved(1, self.before.0, Scores::packed(self.before.1));
        share
    }
}

impl OpenPositions for OpenShare<'_> {
    fn count_open(&self, team: &Team<'_, '_>) -> u64 {
        let open = |score: &&AtomicU16| score.load(Ordering::Relaxed) == u16::UNKNOWN;
        team.pool.install(|| self.scores.par_iter().with_min_len(PART).filter(open).count() as u64)
    }

    fn phase(&mut self, team: &mut Team<'_, '_>, turns: u16) -> Result<bool, SolveError> {
        self.phase = Phase::new(turns).ok_or(SolveError::TooDeep)?;
        team.send(&*self)?;
        Ok(true)
    }

    fn save(&self, team: &mut Team<'_, '_>, turns: u16) -> Result<(), SolveError> {
        let own = self.scores.len() + self.before.0.len();
        team.save_pieces((turns.into(), own as u64), &|visit| {
            let scores = self.scores.iter().map(|score| score.load(Ordering::Relaxed));
            let before = self.before.0.iter().map(|&key| (key, u16::UNKNOWN));
            let mut all = self.main.keys.iter().copied().zip(scores).chain(before);
            visit(GradeState::Solved, 0, &mut all)
        })
    }

    fn end(&self, team: &Team<'_, '_>) {
        team.pool.install(|| {
            self.scores.par_iter().with_min_len(PART).for_each(|score| {
                if score.load(Ordering::Relaxed) == u16::UNKNOWN {
                    score.store(u16::DRAW, Ordering::Relaxed);
                }
            });
        });
    }
}

impl Sends for OpenShare<'_> {
    fn parts(&self) -> usize {
        self.scores.len().div_ceil(PART)
    }

    fn address(&self, key: u64) -> (usize, u64) {
        (self.owners.of(key), code_of(key))
    }

    fn part(&self, part: usize, send: &mut dyn FnMut(Word, u64)) -> Result<(), SolveError> {
        let places = part * PART..self.scores.len().min((part + 1) * PART);
        let (mut lost, mut won) = (Vec::new(), Vec::new());
        for place in places {
            let score = self.scores[place].load(Ordering::Relaxed);
            if self.phase.passes_on_loss(score) {
                lost.push(self.main.keys[place]);
            } else if self.phase.passes_on_win(score) {
                won.push(self.main.keys[place]);
            }
        }
        for (word, keys) in [(Word::Wins, lost), (Word::Refuted, won)] {
            self.game.predecessors(&keys)?.into_iter().for_each(|key| send(word, key));
        }
        Ok(())
    }

    /// Ignores unreachable positions.
    fn receive(&self, word: Word, codes: &[u64]) -> Option<()> {
        let (win, loss) = (self.phase.win, self.phase.loss);
        for codes in codes.chunks(TOGETHER) {
            let keys: Vec<u64> = codes.iter().map(|&code| key_of(code)).collect();
            keys.iter().for_each(|&key| self.main.prefetch_entry(key));
            keys.iter().for_each(|&key| self.main.prefetch_keys(key));
            for place in keys.iter().filter_map(|&key| self.main.place(key)) {
                // Decided positions end in fewer turns, and a position that wins in this phase has a turn
                // that is never refuted, so the order of words does not matter.
                if self.scores[place].load(Ordering::Relaxed) != u16::UNKNOWN {
                    continue;
                }
                if word == Word::Wins {
                    self.scores[place].store(win, Ordering::Relaxed);
                } else if self.left[place].fetch_sub(1, Ordering::Relaxed) == 1 {
                    self.scores[place].store(loss, Ordering::Relaxed);
                }
            }
        }
        Some(())
    }
}

/// Decides positions before the game by asking for the scores of their successors.
struct Before<'s, 'a> {
    open: &'s OpenShare<'a>,
    /// The sorted keys of this process before the game, and their scores.
    known: (Vec<u64>, Vec<u16>),
}

impl Asks for Before<'_, '_> {
    type Found = Vec<(u64, u16)>;
    type Lookup = (u64, u32);

    fn address(&self, key: u64) -> (usize, u64) {
        Sends::address(self.open, key)
    }

    fn successors(&self, keys: &[u64], visit: impl FnMut(usize, Next)) -> Result<(), SolveError> {
        self.open.game.ask(0, keys, 1)?.each(visit);
        Ok(())
    }

    fn scores(&self, _group: u64, codes: &[u64], scores: &mut Vec<u16>) -> Option<()> {
        let (keys, known) = &self.known;
        for key in codes.iter().map(|&code| key_of(code)) {
            scores.push(match self.open.main.place(key) {
                Some(place) => self.open.scores[place].load(Ordering::Relaxed),
                None => match known[keys.binary_search(&key).ok()?] {
                    u16::UNKNOWN => WAITS,
                    score => score,
                },
            });
        }
        Some(())
    }

    fn decide(&self, keys: &[u64], seen: &[Seen]) -> Result<Vec<(u64, u16)>, SolveError> {
        let known = keys.iter().zip(seen).filter(|(_, seen)| !seen.waits);
        let (keys, least): (Vec<u64>, Vec<Option<u16>>) = known.map(|(&key, seen)| (key, seen.least)).unzip();
        let scores = self.open.game.scores(&keys, &least)?;
        Ok(keys.into_iter().zip(scores).collect())
    }

    fn take(&mut self, found: Vec<(u64, u16)>) {
        for (key, score) in found {
            if let Ok(place) = self.known.0.binary_search(&key) {
                self.known.1[place] = score;
            }
        }
    }
}
