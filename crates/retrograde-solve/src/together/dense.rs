//! The scores that a process holds of a game with a dense numbering, by local place.

use std::ops::{ControlFlow, Range};

use retrograde_game::{Dense, Index, Score, Successor};

use super::ask::{Asks, Next, PACKED_BITS, Seen};
use super::job::{SavedAt, SharedJob};
use super::partition::Partition;
use super::sink::ScoreSink;
use super::team::Team;
use crate::array::ScoreArray;
use crate::exchange::Exchange;
use crate::job::SolveError;
use crate::position::walk_with_gaps;
use crate::varint::{put_varint, take_varint};
use crate::widths::Width;

/// The number of places in a saved piece.
const PIECE: u64 = 1 << 18;

/// Whether all results fitted into the scores. If so, the sink of process 0 has received all scores.
pub(super) type Attempt = Result<bool, SolveError>;

/// Solves with one-byte scores, or with two-byte scores if the game is too long for one. A saved state
/// is only used with scores of its width.
pub(super) fn narrow_then_wide(
    exchange: &mut dyn Exchange,
    job: &mut SharedJob<'_>,
    sink: &mut dyn ScoreSink,
    attempt: impl Fn(&mut Team<'_, '_>, Width, Option<SavedAt>, &mut dyn ScoreSink) -> Attempt,
) -> Result<(), SolveError> {
    let mut team = Team::new(exchange, job)?;
    let found = team.look()?;
    let wide_one = found.filter(|found| found.score_bytes == 2);
    if wide_one.is_none() && attempt(&mut team, Width::Narrow, found, sink)? {
        return Ok(());
    }
    if attempt(&mut team, Width::Wide, wide_one, sink)? { Ok(()) } else { Err(SolveError::TooDeep) }
}

/// The share of a dense numbering that a process holds.
pub(super) struct DenseShare<'a, G> {
    pub game: &'a G,
    pub partition: Partition,
    pub me: u32,
    /// The number of main positions. Their local places begin at 0; the prelude follows them.
    pub own_main: u64,
    /// Scores by local place.
    pub scores: ScoreArray,
}

impl<'a, G: Dense> DenseShare<'a, G> {
    /// Creates a share with all scores unknown. An index takes `more` bytes of memory in addition to its
    /// score.
    pub fn new(
        game: &'a G,
        team: &Team<'_, '_>,
        width: Width,
        more: u64,
    ) -> Result<DenseShare<'a, G>, SolveError> {
        let too_large = || SolveError::TooLarge { count: game.index_count() };
        let count = u64::try_from(game.index_count()).map_err(|_| too_large())?;
        if count >> PACKED_BITS > 0 {
            return Err(too_large());
        }
        let threads = team.exchange.threads();
        let partition = match team.job.block_bits {
            Some(bits) => Partition::with_bits(count, threads, bits),
            None => Partition::new(count, threads),
        };
        let me = team.me as u32;
        let owned = partition.owned(me);
        // If one process lacks memory, all processes end: the others must not wait for it.
        team.check_memory(owned.saturating_mul(width.bytes() as u64 + more))?;
        let own = usize::try_from(owned).map_err(|_| too_large())?;
        // Blocks are assigned in order, so a prefix of the numbering is a prefix of the local places.
        let before = partition.own_pieces(me, count - game.prelude()..count).next();
        let own_main = before.map_or(owned, |(place, _)| place);
        Ok(DenseShare {
            game,
            partition,
            me,
            own_main,
            scores: ScoreArray::new(&team.pool, width, own, u16::UNKNOWN)?,
        })
    }

    /// The number of indices that this process owns.
    pub fn own(&self) -> u64 {
        self.scores.len() as u64
    }

    /// The width of the scores.
    pub fn width(&self) -> Width {
        self.scores.width()
    }

    /// The index at a local place.
    #[inline]
    pub fn index(&self, place: u64) -> Index {
        self.partition.index(self.me, place)
    }

    /// Visits the undecided positions at local places, and marks places without a position. Visits neighbours
    /// together, since [`Dense::walk_down`] finds most positions faster than [`Dense::position`].
    pub fn each_undecided(&self, places: Range<u64>, mut visit: impl FnMut(u64, G::Position)) {
        let none = self.scores.setter(u16::NONE);
        for (place, range) in self.partition.pieces_of(self.me, places.start, places.end) {
            let first = range.start;
            let local = |index: u64| place + (index - first);
            let _ = walk_with_gaps(
                self.game,
                range,
                |index| none(local(index)),
                |index, position| {
                    if self.scores.is_unknown(local(index)) {
                        visit(local(index), position);
                    }
                    ControlFlow::Continue(())
                },
            );
        }
    }

    /// Estimates the number of turns per position.
    pub fn turns(&self) -> u64 {
        let samples = self.own().min(64);
        let mut turns = 0;
        for sample in 0..samples {
            let place = self.own() / samples * sample;
            let _ = self.game.each_successor_at(self.index(place), |_| {
                turns += 1;
                ControlFlow::Continue(())
            });
        }
        turns / samples.max(1)
    }

    /// Saves the scores of all processes. All processes must call this at the same point.
    pub fn save(&self, team: &mut Team<'_, '_>, stage: u64) -> Result<(), SolveError> {
        save_scores(team, stage, &self.partition, self.width(), |place, _| self.scores.get(place))
    }

    /// Resumes from a saved state.
    pub fn resume(&self, team: &mut Team<'_, '_>, found: SavedAt) -> Result<(), SolveError> {
        let (count, width) = (self.partition.count(), self.width());
        let divide = |bytes: &[u8]| {
            let mut parts = vec![Vec::new(); self.partition.processes()];
            each_run(width, bytes, count, &mut |range, scores| {
                for (owner, _, part) in self.partition.pieces(range.clone()) {
                    let out = &mut parts[owner as usize];
                    let (from, to) = ((part.start - range.start) as usize, (part.end - range.start) as usize);
                    put_varint(out, part.start);
                    put_varint(out, part.end - part.start);
                    out.extend_from_slice(&scores[from * width.bytes()..to * width.bytes()]);
                }
                Some(())
            })?;
            Some(parts)
        };
        let mut take = |bytes: &[u8]| {
            let mut taken = 0;
            each_run(width, bytes, count, &mut |range, scores| {
                let mut at = 0;
                for (owner, place, part) in self.partition.pieces(range) {
                    (owner == self.me).then_some(())?;
                    for place in place..place + (part.end - part.start) {
                        self.scores.set(place, width.take(scores, at)?);
                        at += 1;
                    }
                }
                taken += at as u64;
                Some(())
            })?;
            Some(taken)
        };
        team.check_whole(found.positions == count)?;
        let taken = team.load(&divide, &mut take)?;
        team.check_whole(taken == count)
    }
}

/// Saves scores of a dense numbering: each process those of the indices that it owns. `score` returns the
/// score at a local place and its index.
pub(super) fn save_scores(
    team: &mut Team<'_, '_>,
    stage: u64,
    partition: &Partition,
    width: Width,
    score: impl Fn(u64, u64) -> u16,
) -> Result<(), SolveError> {
    let me = team.me as u32;
    let own = partition.owned(me);
    team.save((stage, width.bytes(), own), &mut |save| {
        for from in (0..own).step_by(PIECE as usize) {
            let mut bytes = Vec::new();
            for (place, range) in partition.pieces_of(me, from, from + PIECE) {
                put_varint(&mut bytes, range.start);
                put_varint(&mut bytes, range.end - range.start);
                (place..).zip(range).for_each(|(place, index)| width.put(score(place, index), &mut bytes));
            }
            save(&bytes)?;
        }
        Ok(())
    })
}

/// Callback for a run of indices and the bytes of their scores; returns `None` if they are malformed.
pub(super) type VisitRun<'a> = dyn FnMut(Range<u64>, &[u8]) -> Option<()> + 'a;

/// Visits runs of saved scores of up to `count` indices; `None` if the bytes are malformed.
pub(super) fn each_run(width: Width, mut bytes: &[u8], count: u64, visit: &mut VisitRun<'_>) -> Option<()> {
    while !bytes.is_empty() {
        let first = take_varint(&mut bytes)?;
        let end = first.checked_add(take_varint(&mut bytes)?).filter(|&end| end <= count)?;
        let length = usize::try_from(end - first).ok()?.checked_mul(width.bytes())?;
        let (scores, rest) = bytes.split_at_checked(length)?;
        visit(first..end, scores)?;
        bytes = rest;
    }
    Some(())
}

/// Reads untrusted bytes as saved runs, for `fuzz/`.
pub(super) fn parse_untrusted(bytes: &[u8]) {
    let mut positions = 0;
    let _ = each_run(Width::Wide, bytes, 1 << 20, &mut |range, scores| {
        assert_eq!(scores.len() as u64, 2 * (range.end - range.start));
        positions += scores.len();
        Some(())
    });
    assert!(positions <= bytes.len());
}

/// The result for a position.
pub(super) enum Verdict {
    /// A two-byte score.
    Decided(u16),
    Open,
    /// The score does not fit.
    TooLong,
}

/// Decides the positions at local places by a rule, from a summary of their successors.
pub(super) struct BySuccessors<'s, 'a, G, R> {
    pub share: &'s DenseShare<'a, G>,
    pub rule: R,
    /// Whether scores are saved between rounds.
    pub saves: bool,
    /// Whether a score did not fit.
    pub too_long: bool,
}

impl<'s, 'a, G: Dense, R> BySuccessors<'s, 'a, G, R> {
    pub fn new(share: &'s DenseShare<'a, G>, rule: R, saves: bool) -> Self {
        BySuccessors { share, rule, saves, too_long: false }
    }
}

impl<G: Dense, R: Fn(Index, Seen) -> Verdict + Sync> Asks for BySuccessors<'_, '_, G, R> {
    type Found = bool;
    type Lookup = u64;

    #[inline]
    fn address(&self, id: u64) -> (usize, u64) {
        let (owner, place) = self.share.partition.place(Index(id));
        (owner as usize, place)
    }

    fn successors(&self, places: &[u64], mut visit: impl FnMut(usize, Next)) -> Result<(), SolveError> {
        let (game, bits) = (self.share.game, self.share.partition.bits());
        let mut from = 0;
        // Places in one block with consecutive indices.
        for run in places.chunk_by(|&one, &next| one + 1 == next && one >> bits == next >> bits) {
            let Index(first) = self.share.index(run[0]);
            let _ =
                game.walk_down(Index(first)..Index(first + run.len() as u64), |Index(index), position| {
                    let at = from + (index - first) as usize;
                    game.each_numbered_successor(&position, |next| {
                        visit(
                            at,
                            match next {
                                Successor::Terminal(outcome) => Next::Score(u16::over(outcome)),
                                // Players alternate: several processes only solve such games.
                                Successor::At(Index(next)) | Successor::Again(Index(next)) => {
                                    Next::At(0, next)
                                }
                            },
                        );
                        ControlFlow::Continue(())
                    })
                });
            from += run.len();
        }
        Ok(())
    }

    #[inline]
    fn known(&self, place: u64) -> Option<u16> {
        Some(self.share.scores.get(place)).filter(|&score| score != u16::UNKNOWN)
    }

    fn scores(&self, _group: u64, places: &[u64], scores: &mut Vec<u16>) -> Option<()> {
        let own = self.share.own();
        for &place in places {
            (place < own).then_some(())?;
            scores.push(self.share.scores.get(place));
        }
        Some(())
    }

    fn decide(&self, places: &[u64], seen: &[Seen]) -> Result<bool, SolveError> {
        let mut too_long = false;
        for (&place, &seen) in places.iter().zip(seen) {
            let score = match (self.rule)(self.share.index(place), seen) {
                Verdict::Open => continue,
                Verdict::Decided(score) => Some(score).filter(|&score| self.share.width().holds(score)),
                Verdict::TooLong => None,
            };
            too_long |= score.is_none();
            self.share.scores.set(place, score.unwrap_or(u16::UNKNOWN));
        }
        Ok(too_long)
    }

    fn take(&mut self, too_long: bool) {
        self.too_long |= too_long;
    }

    fn pause(&mut self, team: &mut Team<'_, '_>) -> Result<(), SolveError> {
        if self.saves { self.share.save(team, 0) } else { Ok(()) }
    }
}
