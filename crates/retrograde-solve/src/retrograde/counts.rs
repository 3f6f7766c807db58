//! Solves a stage by counting: every open position counts its successors that are not won for the opponent,
//! and wins are subtracted from the counts of their predecessors.
//!
//! A phase visits only the predecessors of the positions that the previous phase decided, so every turn is
//! visited once in each direction. A position takes a byte for its count and a score for what its successors
//! decided before counting began: by the rules, at once, or in earlier stages. This score is *due* in a
//! certain phase. After an interruption, everything decided before is of that kind, so resuming works like
//! starting.
//!
//! If a game lists the successors in earlier stages quickly, a position is counted only when its first turn
//! is refuted. Until then only its successors in earlier stages have been examined. The result is the same as
//! if it had been counted at the beginning. Most draws are never counted.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU16, AtomicU64, Ordering};

use retrograde_game::{Dense, Game, Index, Outcome, Score, Successor, Turns, Value};

use super::board::{Board, refuted};
use super::capabilities::EachEarlierSuccessor;
use super::distinct::Distinct;
use super::driver::Driver;
use super::places::PlaceSet;
use super::stage::{Piece, StageAt};
use crate::array::ScoreArray;
use crate::job::SolveError;
use crate::memory;
use crate::phase::{Phase, Solved};
use crate::prefetch::prefetch;
use crate::widths::Width;

/// A turn leads to something that is never won for the opponent, or a win is due.
const NEVER: u8 = 255;
/// More successors than a byte can count. The position is examined again whenever one of them is won.
const MANY: u8 = 254;
/// The position is an image of a canonical one, which counts.
const IMAGE: u8 = 253;
/// Not counted yet: that is done when the first turn is refuted.
const UNCOUNTED: u8 = 252;

/// The number of successors or predecessors that are prefetched together.
const TOGETHER: usize = 256;

/// Open positions and their successors, whose scores are being prefetched.
#[derive(Default)]
struct Gathered {
    /// The place of each position, and the end of its successors.
    positions: Vec<(u64, usize)>,
    successors: Vec<Successor>,
}

/// A bit set of turns in which something can be due. The last bit covers all greater numbers.
#[derive(Clone, Copy, Default)]
struct DueTurns([u64; 4]);

impl DueTurns {
    fn insert(&mut self, turns: u16) {
        let turn = usize::from(turns).min(255);
        self.0[turn / 64] |= 1 << (turn % 64);
    }

    fn contains(self, turns: u16) -> bool {
        let turn = usize::from(turns).min(255);
        self.0[turn / 64] >> (turn % 64) & 1 == 1
    }
}

/// A piece of the stage.
struct Part {
    piece: Piece,
    due: DueTurns,
}

/// The counts of a stage.
pub(crate) struct Counts<G: Game> {
    parts: Vec<Part>,
    /// By place: the number of successors that are not won for the opponent, plus one if a loss is due.
    left: Vec<AtomicU8>,
    /// By place: the win or loss that is due.
    due: ScoreArray,
    /// The last phase in which something is due.
    last_due: u16,
    /// The canonical positions decided in the previous phase and in this one.
    newest: PlaceSet,
    next: PlaceSet,
    open: u64,
    /// Whether some position waits for another one of the stage.
    waits: bool,
    /// Visits only the successors in earlier stages, if positions are counted when their first turn is
    /// refuted.
    earlier: Option<EachEarlierSuccessor<G>>,
    /// Positions to be counted in this phase.
    touched: PlaceSet,
}

/// The memory for this many places, in addition to the scores.
pub(crate) fn bytes(width: Width, places: usize) -> u64 {
    places as u64 * (1 + width.bytes() as u64) + 3 * places.div_ceil(8) as u64
}

impl<G: Dense> Counts<G> {
    /// Takes the first look unless an earlier run did, and counts successors unless that is postponed. The
    /// next phase is `turns`.
    pub(crate) fn new(
        board: &Board<'_, G>,
        driver: &Driver<'_>,
        shard: u64,
        at: &StageAt<'_>,
    ) -> Result<Self, SolveError> {
        let turns = at.turns;
        let places = board.stage.places;
        let need = driver.memory.held + bytes(board.scores.width(), places);
        if need > driver.memory.limit {
            return Err(SolveError::Memory { need, limit: driver.memory.limit });
        }
        let mut left = Vec::new();
        memory::reserve(&mut left, places)?;
        left.extend((0..places).map(|_| AtomicU8::new(NEVER)));
        let due = ScoreArray::new(&driver.pool, board.scores.width(), places, u16::NONE)?;
        let pieces = board.stage.pieces(shard);
        let mut parts: Vec<Part> =
            pieces.into_iter().map(|piece| Part { piece, due: DueTurns::default() }).collect();
        if turns == 0 {
            let images = board.no_images()?;
            driver.each(&mut parts, places as u64, &|part| {
                board.first_look(&part.piece, &images, |_, _, _| {});
            })?;
        }
        let (newest, next, mut touched) =
            (PlaceSet::new(places)?, PlaceSet::new(places)?, PlaceSet::default());
        // If everything is examined from the beginning, and turns stay in the stage.
        let late = turns == 0 && at.wins_at_once && at.turns_within && board.able.images.is_none();
        let earlier = board.able.earlier.filter(|_| late);
        if earlier.is_some() {
            touched.clear_or_make(places)?;
        }
        let mut counts =
            Counts { parts, left, due, last_due: 0, newest, next, open: 0, waits: false, earlier, touched };
        counts.count(board, driver, turns)?;
        Ok(counts)
    }

    /// Counts the successors of all open positions, or only those in earlier stages.
    fn count(&mut self, board: &Board<'_, G>, driver: &Driver<'_>, turns: u16) -> Result<(), SolveError> {
        let Counts { parts, left, due, earlier, .. } = self;
        let earlier = *earlier;
        let (last_due, open, waits) = (AtomicU16::new(0), AtomicU64::new(0), AtomicBool::new(false));
        driver.each(parts, board.stage.len(), &|part| {
            let (mut distinct, mut gathered) = (Distinct::default(), Gathered::default());
            let (mut last, mut count, mut some_wait) = (0, 0, false);
            let Part { piece, due: due_turns } = part;
            if board.able.images.is_some() {
                for index in piece.indices.clone() {
                    if board.scores.is_unknown(index) {
                        let place = piece.place + (index - piece.indices.start);
                        left[place as usize].store(IMAGE, Ordering::Relaxed);
                    }
                }
            }
            let mut settle = |gathered: &mut Gathered| {
                let mut start = 0;
                for (place, end) in gathered.positions.drain(..) {
                    let mut waiting = board.waiting(&gathered.successors[start..end], turns, &mut distinct);
                    start = end;
                    some_wait |= distinct.len() > 0;
                    if earlier.is_some() && waiting.left != NEVER {
                        waiting.left = UNCOUNTED;
                    }
                    left[place as usize].store(waiting.left, Ordering::Relaxed);
                    // What does not fit is due in a phase that these scores do not have.
                    due.try_set(place, waiting.due);
                    if let Some(turns) = waiting.turns {
                        due_turns.insert(turns);
                        last = last.max(turns);
                    }
                }
                gathered.successors.clear();
            };
            board.each_open(piece, |index, position| {
                count += 1;
                let place = piece.place + (index - piece.indices.start);
                let before = gathered.successors.len();
                match earlier {
                    None => board.gather(position, &mut gathered),
                    Some(earlier) => {
                        earlier(board.game, position, &mut |next| {
                            if !board.is_within(next) {
                                board.push(next, &mut gathered);
                            }
                        });
                        let any = |_| ControlFlow::Break(());
                        let stays = gathered.successors.len() == before
                            && board.game.each_numbered_successor(position, any).is_break();
                        if stays {
                            left[place as usize].store(UNCOUNTED, Ordering::Relaxed);
                            return;
                        }
                    }
                }
                gathered.positions.push((place, gathered.successors.len()));
                if gathered.successors.len() >= TOGETHER {
                    settle(&mut gathered);
                }
            });
            settle(&mut gathered);
            last_due.fetch_max(last, Ordering::Relaxed);
            open.fetch_add(count, Ordering::Relaxed);
            waits.fetch_or(some_wait, Ordering::Relaxed);
            driver.progress.advance(piece.len());
        })?;
        self.last_due = last_due.into_inner();
        self.open = open.into_inner();
        self.waits = waits.into_inner() || earlier.is_some();
        Ok(())
    }

    /// Decides everything that is due in any phase if no position waits for another one of the stage, for
    /// example while pieces are placed. Returns the maximum number of turns; `None` if some positions wait,
    /// or the number of turns does not fit into a score.
    pub(crate) fn decide_at_once(
        &mut self,
        board: &Board<'_, G>,
        driver: &Driver<'_>,
    ) -> Result<Option<u16>, SolveError> {
        if self.waits || Turns(self.last_due) > board.scores.width().max_turns() {
            return Ok(None);
        }
        let (due, decided) = (&self.due, AtomicU64::new(0));
        driver.each(&mut self.parts, board.stage.len(), &|part| {
            let mut count = 0;
            for index in part.piece.indices.clone() {
                let due = due.get(part.piece.place + (index - part.piece.indices.start));
                if due != u16::NONE {
                    board.decide(index, due);
                    count += 1;
                }
            }
            decided.fetch_add(count, Ordering::Relaxed);
        })?;
        let decided = decided.into_inner();
        driver.progress.advance(decided);
        self.open -= decided;
        Ok(Some(self.last_due))
    }

    /// The number of undecided canonical positions.
    pub(crate) fn open(&self) -> u64 {
        self.open
    }

    /// Runs a phase. Returns what it decided.
    pub(crate) fn phase(
        &mut self,
        board: &Board<'_, G>,
        driver: &Driver<'_>,
        phase: Phase,
    ) -> Result<Solved, SolveError> {
        self.next.clear_or_make(board.stage.places)?;
        let mut parts = std::mem::take(&mut self.parts);
        let this = Counting { counts: self, board, phase };
        let (found, open) = (AtomicU64::new(0), self.open);
        let done = driver.each(&mut parts, open, &|part| {
            let due = part.due.contains(phase.turns.0);
            let due = if due { this.what_is_due(&part.piece) } else { 0 };
            found.fetch_add(due + this.follow(&part.piece), Ordering::Relaxed);
        });
        let done = done.and_then(|()| match self.earlier {
            Some(_) => driver.each(&mut parts, self.open, &|part| {
                let lost = Counting { counts: self, board, phase }.count_touched(&part.piece);
                found.fetch_add(lost, Ordering::Relaxed);
                // Wins in one turn were found before the first phase, and refute turns after it.
                if phase.turns == Turns(1) {
                    let place = |index: u64| part.piece.place + (index - part.piece.indices.start);
                    let wins =
                        part.piece.indices.clone().filter(|&index| board.scores.get(index) == phase.win);
                    wins.for_each(|index| _ = self.next.insert(place(index)));
                }
            }),
            None => Ok(()),
        });
        self.parts = parts;
        done?;
        if self.earlier.is_some() {
            self.touched.clear_or_make(board.stage.places)?;
        }
        let found = found.into_inner();
        std::mem::swap(&mut self.newest, &mut self.next);
        self.open -= found;
        Ok(Solved { found, open: self.open, more_is_due: self.last_due > phase.turns.0 })
    }

    /// Scores all undecided positions as draws.
    pub(crate) fn draw_the_rest(
        &mut self,
        board: &Board<'_, G>,
        driver: &Driver<'_>,
    ) -> Result<(), SolveError> {
        let scores = board.scores;
        driver.each(&mut self.parts, board.stage.len(), &|part| {
            for index in part.piece.indices.clone() {
                if scores.is_unknown(index) {
                    scores.set(index, u16::DRAW);
                }
            }
        })
    }
}

/// A phase in progress.
struct Counting<'a, 'b, G: Dense> {
    counts: &'a Counts<G>,
    board: &'a Board<'b, G>,
    phase: Phase,
}

impl<G: Dense> Counting<'_, '_, G> {
    /// Decides what is due in this phase. Returns the number of positions.
    fn what_is_due(&self, piece: &Piece) -> u64 {
        let Phase { turns, win, loss, .. } = self.phase;
        let mut found = 0;
        for index in piece.indices.clone() {
            let place = piece.place + (index - piece.indices.start);
            let due = self.counts.due.get(place);
            if due == win {
                found += self.win(index);
            } else if due == loss {
                found += self.refute(place, index);
            } else if due == u16::DRAW && turns == Turns(0) {
                // Without turns, and a draw by the rules.
                self.board.decide(index, u16::DRAW);
                found += 1;
            }
        }
        found
    }

    /// Visits the predecessors of what the previous phase decided. Returns the number of positions that this
    /// decides.
    fn follow(&self, piece: &Piece) -> u64 {
        let board = self.board;
        let Some(before) = board.able.before_within else { return 0 };
        let mut found = 0;
        let mut distinct = Distinct::default();
        // The predecessors of some losses, those of some wins, and the end of each group: lost or won for the
        // opponent of the player who moves in the predecessor.
        let (mut before_losses, mut before_wins, mut ends) = (Vec::new(), Vec::new(), Vec::new());
        let mut settle = |before_losses: &mut Vec<u64>, before_wins: &mut Vec<u64>, ends: &mut Vec<usize>| {
            found += before_losses.drain(..).map(|previous| self.win(previous)).sum::<u64>();
            let mut start = 0;
            for end in ends.drain(..) {
                found += self.refute_before(&before_wins[start..end], &mut distinct);
                start = end;
            }
            before_wins.clear();
        };
        self.counts.newest.each(piece.place, piece.len(), |place| {
            let index = piece.index(place);
            let lost = board.scores.get(index) < u16::DRAW;
            before(board.game, Index(index), &mut |Index(previous)| {
                if lost != board.moves_again(previous, index) {
                    board.scores.prefetch(previous);
                    before_losses.push(previous);
                } else if let Some(place) = board.stage.place(previous) {
                    prefetch(&self.counts.left, place as usize);
                    before_wins.push(previous);
                }
            });
            if ends.last().copied().unwrap_or(0) < before_wins.len() {
                ends.push(before_wins.len());
            }
            if before_losses.len() + before_wins.len() >= TOGETHER {
                settle(&mut before_losses, &mut before_wins, &mut ends);
            }
        });
        settle(&mut before_losses, &mut before_wins, &mut ends);
        found
    }

    /// Refutes one turn of each of these positions. Returns the number of positions that this decides.
    fn refute_before(&self, positions: &[u64], distinct: &mut Distinct) -> u64 {
        let board = self.board;
        distinct.clear();
        for &previous in positions {
            let Some(place) = board.stage.place(previous) else { continue };
            match self.counts.left[place as usize].load(Ordering::Relaxed) {
                NEVER => {}
                IMAGE => distinct.insert(board.canonical(previous)),
                _ => distinct.insert(previous),
            }
        }
        let refuted = distinct.iter().filter_map(|&previous| Some((board.stage.place(previous)?, previous)));
        refuted.map(|(place, previous)| self.refute(place, previous)).sum()
    }

    /// Decides a win of this stage, unless it is decided already. Returns the number of positions.
    fn win(&self, index: u64) -> u64 {
        let board = self.board;
        if !board.scores.is_unknown(index) || board.stage.place(index).is_none() {
            return 0;
        }
        let stands = board.decide(index, self.phase.win);
        board.stage.place(stands).map_or(0, |place| u64::from(self.counts.next.insert(place)))
    }

    /// Refutes a turn of a position. If it was the last one, the position is lost. Returns the number of
    /// positions that this decides.
    fn refute(&self, place: u64, index: u64) -> u64 {
        let left = &self.counts.left[place as usize];
        let lost = match left.load(Ordering::Relaxed) {
            NEVER => false,
            MANY => self.board.scores.is_unknown(index) && self.all_refuted(index),
            UNCOUNTED => {
                self.counts.touched.insert(place);
                false
            }
            _ => left.fetch_sub(1, Ordering::Relaxed) == 1,
        };
        if !lost {
            return 0;
        }
        self.board.decide(index, self.phase.loss);
        u64::from(self.counts.next.insert(place))
    }

    /// Counts the remaining successors of positions whose first turns are refuted in this phase. If there are
    /// none, the position is lost. Returns the number of lost positions.
    fn count_touched(&self, piece: &Piece) -> u64 {
        let (board, mut found) = (self.board, 0);
        let (mut distinct, mut gathered) = (Distinct::default(), Gathered::default());
        let mut settle = |gathered: &mut Gathered| {
            let mut start = 0;
            for (place, end) in gathered.positions.drain(..) {
                let left = self.left_now(&gathered.successors[start..end], place, &mut distinct);
                start = end;
                self.counts.left[place as usize].store(counted(left), Ordering::Relaxed);
                if left == 0 {
                    board.decide(piece.index(place), self.phase.loss);
                    found += u64::from(self.counts.next.insert(place));
                }
            }
            gathered.successors.clear();
        };
        self.counts.touched.each(piece.place, piece.len(), |place| {
            let index = Index(piece.index(place));
            if board.scores.is_unknown(index.0)
                && let Some(position) = board.game.position(index)
            {
                board.gather(&position, &mut gathered);
                gathered.positions.push((place, gathered.successors.len()));
            }
            if gathered.successors.len() >= TOGETHER {
                settle(&mut gathered);
            }
        });
        settle(&mut gathered);
        found
    }

    /// Counts the successors that were not refuted before this phase. Successors in earlier stages count as
    /// one while a loss is due because of them. What this phase decides is followed in the next.
    fn left_now(&self, successors: &[Successor], place: u64, distinct: &mut Distinct) -> usize {
        let turns = self.phase.turns;
        distinct.clear();
        for &next in successors {
            if let Some(Index(index)) = next.index()
                && self.board.stage.place(index).is_some()
                && !refuted(self.board.scores.seen(next).value(), turns)
            {
                distinct.insert(index);
            }
        }
        let due = matches!(self.counts.due.get(place).value(), Some(Value::Loss(lost)) if lost > turns);
        distinct.len() + usize::from(due)
    }

    /// Whether every turn was refuted before this phase.
    fn all_refuted(&self, index: u64) -> bool {
        let all = self.board.game.each_successor_at(Index(index), |next| {
            let value = self.board.scores.seen(next).value();
            if refuted(value, self.phase.turns) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        all.is_continue()
    }
}

/// The event that an open position waits for.
struct Waiting {
    /// The number of successors that are not won for the opponent, plus one if a loss is due.
    left: u8,
    /// The win or loss that is due.
    due: u16,
    /// The phase in which it is due.
    turns: Option<u16>,
}

impl Waiting {
    fn for_nothing(left: u8) -> Waiting {
        Waiting { left, due: u16::NONE, turns: None }
    }

    /// For a successor with this score. If the score would be too long, the solve ends in that phase.
    fn after(left: u8, score: u16, turns: Turns) -> Waiting {
        Waiting { left, due: score.before_turn().unwrap_or(u16::NONE), turns: Some(turns.0 + 1) }
    }
}

impl<G: Dense> Board<'_, G> {
    /// Gathers the successors of a position.
    fn gather(&self, position: &G::Position, gathered: &mut Gathered) {
        let _ = self.game.each_numbered_successor(position, |next| {
            self.push(next, gathered);
            ControlFlow::Continue(())
        });
    }

    /// Gathers a successor and prefetches its score.
    #[inline]
    fn push(&self, next: Successor, gathered: &mut Gathered) {
        if let Some(Index(next)) = next.index() {
            self.scores.prefetch(next);
        }
        gathered.successors.push(next);
    }

    /// Whether a successor is in this stage.
    fn is_within(&self, next: Successor) -> bool {
        next.index().is_some_and(|Index(next)| self.stage.place(next).is_some())
    }

    /// Returns the event that an open position with these successors waits for, from phase `turns` on. Lists
    /// its undecided successors, one per orbit.
    fn waiting(&self, successors: &[Successor], turns: u16, undecided: &mut Distinct) -> Waiting {
        undecided.clear();
        let mut smallest = None;
        for &next in successors {
            let score = self.scores.seen(next);
            if score == u16::UNKNOWN
                && let Some(Index(next)) = next.index()
                && self.stage.place(next).is_some()
            {
                undecided.insert(self.canonical(next));
                continue;
            }
            smallest = Some(smallest.map_or(score, |other: u16| other.min(score)));
        }
        let count = undecided.len();
        let Some(smallest) = smallest else {
            if count > 0 {
                return Waiting::for_nothing(counted(count));
            }
            let outcome = self.game.outcome_without_turns();
            let left = if outcome == Outcome::Loss { 1 } else { NEVER };
            return Waiting { left, due: u16::over(outcome), turns: Some(0) };
        };
        match smallest.value() {
            Some(Value::Win(won)) if won.0 + 1 < turns => Waiting::for_nothing(counted(count)),
            Some(Value::Win(won)) => Waiting::after(counted(count + 1), smallest, won),
            Some(Value::Loss(lost)) => Waiting::after(NEVER, smallest, lost),
            Some(Value::Draw) | None => Waiting::for_nothing(NEVER),
        }
    }
}

fn counted(count: usize) -> u8 {
    if count < usize::from(UNCOUNTED) { count as u8 } else { MANY }
}
