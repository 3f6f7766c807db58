//! Solves a stage with witnesses: every open position stores one successor that is not won for the opponent,
//! and is examined again only when that one is.
//!
//! With predecessors, wins are found from the losses they lead to. Without them, every examination of an open
//! position also looks for a loss among its successors. A phase *scans* the list of open positions once and
//! reads the score of each witness. Late phases decide little, so they only *follow* the wins of the phase
//! before: they examine their predecessors, and leave all other open positions alone. Positions whose witness
//! is in an earlier stage *wait* for the phase in which its value refutes it.
//!
//! If a player can move several times in a row, this is only for games without predecessors, because the win
//! before a win of the same player is not found here.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_game::{Dense, Index, Outcome, Score, Successor, Turns, Value};

use super::board::{Board, refuted};
use super::driver::Driver;
use super::places::PlaceSet;
use super::shard::{Due, NEVER_REFUTED, NOT_SEEN, Open, Shard};
use super::stage::{Piece, StageAt};
use crate::job::SolveError;
use crate::phase::{Phase, Solved};

/// If there are this many open positions per win of the previous phase, visiting the predecessors of the wins
/// is faster than visiting all witnesses.
const FEW_WINS: u64 = 64;
/// How far ahead the scores of witnesses are prefetched.
const AHEAD: usize = 16;
/// The number of predecessors that are prefetched together.
const TOGETHER: usize = 64;

/// The result of examining a position again.
enum Look {
    /// Some turn leads to a loss of the opponent.
    Won,
    /// Every turn leads to a win of the opponent.
    Lost,
    /// It stays open, with this witness.
    Open(u64),
}

/// The lists of the shards of a stage.
pub(crate) struct Witnesses {
    shards: Vec<Shard>,
    /// Positions with a turn to a win of the previous phase; empty until it is needed.
    touched: PlaceSet,
    /// The wins of this phase, if it follows wins; empty until it is needed.
    new_wins: PlaceSet,
    /// Whether positions with a witness in an earlier stage are known to wait. Scans forget this.
    waits_are_listed: bool,
    open: u64,
    /// The wins of the previous phase.
    won: u64,
    /// The maximum number of turns in earlier stages.
    earlier: Turns,
    /// The last phase that must visit all witnesses, because what was decided before is not listed. Wins in
    /// one turn are found before phase 1 and count in phase 2.
    all_until: Turns,
}

impl Witnesses {
    /// Takes the first look, or after an interruption lists what was open before the next phase.
    pub(crate) fn new<G: Dense>(
        board: &Board<'_, G>,
        driver: &Driver<'_>,
        shard: u64,
        at: &StageAt<'_>,
    ) -> Result<Self, SolveError> {
        let turns = at.turns;
        let mut shards: Vec<Shard> = board.stage.pieces(shard).into_iter().map(Shard::new).collect();
        // Open positions are counted while they are found, so that they do not exceed the memory.
        let open = AtomicU64::new(0);
        let images = if turns == 0 { board.no_images()? } else { PlaceSet::default() };
        let limit = driver.memory.limit;
        let held = driver.memory.held;
        let most = limit.saturating_sub(held) / Shard::BYTES_AN_OPEN_POSITION;
        driver.each(&mut shards, board.stage.len(), &|shard| {
            if open.load(Ordering::Relaxed) > most {
                return;
            }
            match turns {
                0 => board.begin(shard, &images),
                turns => board.resume(shard, Turns(turns)),
            }
            open.fetch_add(shard.open.len() as u64, Ordering::Relaxed);
            driver.progress.advance(shard.piece.len());
        })?;
        let open = open.into_inner();
        if open > most {
            // A lower bound: the rest was not examined.
            let need = held.saturating_add(open.saturating_mul(Shard::BYTES_AN_OPEN_POSITION));
            return Err(SolveError::Memory { need, limit });
        }
        Ok(Witnesses {
            shards,
            touched: PlaceSet::default(),
            new_wins: PlaceSet::default(),
            waits_are_listed: false,
            open,
            won: 0,
            earlier: Turns(at.earlier),
            all_until: Turns(turns.max(2)),
        })
    }

    /// The number of undecided canonical positions.
    pub(crate) fn open(&self) -> u64 {
        self.open
    }

    /// Runs a phase. Returns what it decided.
    pub(crate) fn phase<G: Dense>(
        &mut self,
        board: &Board<'_, G>,
        driver: &Driver<'_>,
        phase: Phase,
    ) -> Result<Solved, SolveError> {
        let Witnesses { shards, touched, new_wins, .. } = self;
        let listed = board.able.before.is_some() && phase.turns > self.all_until;
        let follows = listed && self.won < self.open / FEW_WINS;
        if follows {
            touched.clear_or_make(board.stage.places)?;
            new_wins.clear_or_make(board.stage.places)?;
            driver.each(shards, self.won, &|shard| board.touch(shard, touched))?;
            if board.has_earlier && !self.waits_are_listed {
                driver.each(shards, self.open, &|shard| board.list_waits(shard))?;
            }
        }
        self.waits_are_listed = follows;
        // Decisions of this phase may be read while they are written. That is harmless, since they count only
        // in the next phase.
        let lost = newly_lost(shards);
        let new_wins = follows.then_some(&*new_wins);
        driver.each(shards, lost, &|shard| board.wins(shard, phase, new_wins))?;
        let (found, won) = (AtomicU64::new(0), AtomicU64::new(0));
        let add = |(off_the_list, wins): (u64, u64)| {
            found.fetch_add(off_the_list, Ordering::Relaxed);
            won.fetch_add(wins, Ordering::Relaxed);
        };
        match new_wins {
            Some(wins) => {
                let positions = self.won.saturating_add(lost);
                driver.each(shards, positions, &|shard| add(board.follow(shard, phase, touched, wins)))?;
            }
            None => driver.each(shards, self.open, &|shard| add(board.scan(shard, phase)))?,
        }
        let found = found.into_inner();
        self.won = won.into_inner();
        self.open -= found;
        // Decisions of earlier stages in t turns count in phase t + 1.
        Ok(Solved { found, open: self.open, more_is_due: phase.turns <= self.earlier })
    }

    /// Whether there are losses whose predecessors have not been visited.
    pub(crate) fn has_unvisited_losses(&self) -> bool {
        newly_lost(&self.shards) > 0
    }

    /// Visits the predecessors of the last losses on behalf of later stages. No position of this stage is
    /// open.
    pub(crate) fn visit_for_later_stages<G: Dense>(
        &mut self,
        board: &Board<'_, G>,
        driver: &Driver<'_>,
        phase: Phase,
    ) -> Result<(), SolveError> {
        let lost = newly_lost(&self.shards);
        driver.each(&mut self.shards, lost, &|shard| board.wins(shard, phase, None))
    }

    /// Scores all undecided positions as draws.
    pub(crate) fn draw_the_rest<G: Dense>(
        &mut self,
        board: &Board<'_, G>,
        driver: &Driver<'_>,
    ) -> Result<(), SolveError> {
        driver.each(&mut self.shards, self.open, &|shard| {
            for open in std::mem::take(&mut shard.open) {
                let index = open.index(&shard.piece);
                if board.scores.is_unknown(index) {
                    board.decide(index, u16::DRAW);
                }
            }
        })
    }
}

/// The losses of the previous phase, whose predecessors have not been visited.
fn newly_lost(shards: &[Shard]) -> u64 {
    shards.iter().map(|shard| shard.lost.len() as u64).sum()
}

impl<G: Dense> Board<'_, G> {
    /// Before the first phase: decides what can be decided and lists the rest.
    fn begin(&self, shard: &mut Shard, images: &PlaceSet) {
        let piece = shard.piece.clone();
        let loss = u16::over(Outcome::Loss);
        self.first_look(&piece, images, |index, position, due| {
            shard.add_due(index, due);
            match self.first_witness(position) {
                Some(witness) => shard.open.push(Open::new(&piece, index, witness)),
                None => {
                    let score = u16::over(self.game.outcome_without_turns());
                    // Turns to finished losses are known already; these ones are not.
                    if score == loss {
                        shard.lost.push(index);
                    }
                    self.decide(index, score);
                }
            }
        });
        shard.finish_lists();
    }

    /// The first successor of a position.
    fn first_witness(&self, position: &G::Position) -> Option<u64> {
        let mut witness = None;
        let _ = self.game.each_numbered_successor(position, |next| {
            witness = Some(match next {
                Successor::At(next) | Successor::Again(next) => next.0,
                Successor::Terminal(Outcome::Draw) => NEVER_REFUTED,
                Successor::Terminal(_) => NOT_SEEN,
            });
            ControlFlow::Break(())
        });
        witness
    }

    /// The win by a turn to an earlier stage, if there is one.
    fn win_by_earlier(&self, position: &G::Position) -> Option<Turns> {
        let mut smallest = u16::UNKNOWN;
        let _ = self.game.each_numbered_successor(position, |next| {
            if let Successor::At(Index(next)) = next
                && self.stage.place(next).is_none()
            {
                smallest = smallest.min(self.scores.get(next));
            }
            ControlFlow::Continue(())
        });
        match smallest.value() {
            Some(Value::Loss(Turns(turns))) => Some(Turns(turns + 1)),
            _ => None,
        }
    }

    /// Lists what was open before phase `turns`.
    fn resume(&self, shard: &mut Shard, turns: Turns) {
        let piece = shard.piece.clone();
        self.each_open(&piece, |index, position| {
            // Without predecessors, every examination finds such wins.
            if self.has_earlier && self.able.before.is_some() {
                shard.add_due(index, self.win_by_earlier(position));
            }
            shard.open.push(Open::new(&piece, index, NOT_SEEN));
        });
        let lost_before = turns.0.checked_sub(1).and_then(|turns| u16::from_value(Value::Loss(Turns(turns))));
        let lost = piece.indices.filter(|&index| Some(self.scores.get(index)) == lost_before);
        shard.lost.extend(lost.filter(|&index| self.canonical(index) == index));
        shard.finish_lists();
    }

    /// Decides positions with a turn to a loss of the previous phase, and stores what is due in positions of
    /// later stages. Adds the places of new wins of this stage to `new_wins`.
    fn wins(&self, shard: &mut Shard, phase: Phase, new_wins: Option<&PlaceSet>) {
        let decide = |index: u64| {
            // A win in fewer turns has the greater score.
            let score = self.scores.get(index);
            if score >= phase.win {
                return;
            }
            // No turn leads to a later stage, so a predecessor outside this stage is in a later one.
            if score == u16::UNKNOWN || self.stage.place(index).is_none() {
                let canonical = self.decide(index, phase.win);
                if let Some(new_wins) = new_wins
                    && let Some(place) = self.stage.place(canonical)
                {
                    new_wins.insert(place);
                }
            }
        };
        let lost = std::mem::take(&mut shard.lost);
        self.each_before(&lost, decide);
        while let Some(due) = shard.due.pop_if(|due| due.turns <= phase.turns.0) {
            decide(shard.piece.indices.start + u64::from(due.at));
        }
    }

    /// Marks the positions with a turn to a win of the previous phase.
    fn touch(&self, shard: &mut Shard, touched: &PlaceSet) {
        self.each_before(&shard.won, |previous| {
            if self.scores.is_unknown(previous)
                && let Some(place) = self.stage.place(self.canonical(previous))
            {
                touched.insert(place);
            }
        });
    }

    /// Visits the predecessors of positions after prefetching their scores. Visits none if the game does not
    /// provide them.
    fn each_before(&self, indices: &[u64], visit: impl Fn(u64)) {
        let Some(before) = self.able.before else { return };
        let mut found = Vec::new();
        for (at, &index) in indices.iter().enumerate() {
            before(self.game, Index(index), &mut |Index(previous)| {
                self.scores.prefetch(previous);
                found.push(previous);
            });
            if found.len() >= TOGETHER || at + 1 == indices.len() {
                found.drain(..).for_each(&visit);
            }
        }
    }

    /// Removes decided positions from the list, examines the others again, and decides the losses among them.
    /// Returns how many positions this phase has decided, and the number of wins among them.
    fn scan(&self, shard: &mut Shard, phase: Phase) -> (u64, u64) {
        let Shard { piece, open, lost, won, .. } = shard;
        won.clear();
        let (mut found, mut kept) = (0, 0);
        for at in 0..open.len() {
            // Witnesses can be anywhere, so their scores are prefetched.
            if let Some(later) = open.get(at + AHEAD) {
                self.scores.prefetch(later.witness());
            }
            let position = open[at];
            let index = position.index(piece);
            if !self.scores.is_unknown(index) {
                // Other positions were decided by phases that followed wins.
                if self.scores.get(index) == phase.win {
                    found += 1;
                    won.push(index);
                }
                continue;
            }
            match self.look(index, position.witness(), phase.turns) {
                Look::Open(witness) => {
                    open[kept] = position.with(witness);
                    kept += 1;
                    continue;
                }
                Look::Lost => {
                    lost.push(index);
                    self.decide(index, phase.loss);
                }
                Look::Won => {
                    self.decide(index, phase.win);
                }
            }
            found += 1;
        }
        open.truncate(kept);
        (found, won.len() as u64)
    }

    /// Examines only the positions that can have changed: those in `touched`, and those that wait for this
    /// phase. Decided positions stay in the list. Returns the same as [`Board::scan`], with the same effect.
    fn follow(&self, shard: &mut Shard, phase: Phase, touched: &PlaceSet, new_wins: &PlaceSet) -> (u64, u64) {
        let Shard { piece, open, lost, won, waits, .. } = shard;
        won.clear();
        new_wins.each(piece.place, piece.len(), |place| won.push(piece.index(place)));
        // The positions to examine, in the order of the list, by their place in it.
        let mut examined: Vec<usize> = Vec::new();
        let mut rest = open.len();
        touched.each(piece.place, piece.len(), |place| {
            let index = piece.index(place);
            if self.scores.is_unknown(index) {
                rest = open[..rest].partition_point(|other| other.index(piece) > index);
                self.scores.prefetch(open[rest].witness());
                examined.push(rest);
            }
        });
        let mut found = won.len() as u64;
        for at in examined {
            found += u64::from(self.examine(piece, &mut open[at], phase, lost, waits));
        }
        while let Some(wait) = waits.peek().filter(|wait| wait.0.turns < phase.turns.0) {
            let index = piece.indices.start + u64::from(wait.0.at);
            waits.pop();
            if self.scores.is_unknown(index) {
                let at = open.partition_point(|other| other.index(piece) > index);
                found += u64::from(self.examine(piece, &mut open[at], phase, lost, waits));
            }
        }
        (found, won.len() as u64)
    }

    /// Examines an undecided position of the list. Returns whether it is lost.
    fn examine(
        &self,
        piece: &Piece,
        open: &mut Open,
        phase: Phase,
        lost: &mut Vec<u64>,
        waits: &mut BinaryHeap<Reverse<Due>>,
    ) -> bool {
        let index = open.index(piece);
        match self.look(index, open.witness(), phase.turns) {
            Look::Open(witness) => {
                // With the same witness, it waits already if it has to.
                if witness != open.witness() {
                    *open = open.with(witness);
                    self.wait(piece, *open, waits);
                }
                false
            }
            _ => {
                lost.push(index);
                self.decide(index, phase.loss);
                true
            }
        }
    }

    /// Lists the undecided positions with a witness in an earlier stage.
    fn list_waits(&self, shard: &mut Shard) {
        let Shard { piece, open, waits, .. } = shard;
        waits.clear();
        for &open in open.iter() {
            self.wait(piece, open, waits);
        }
    }

    /// Lets a position wait until its witness is refuted, if that is certain: if it is a win of an earlier
    /// stage.
    fn wait(&self, piece: &Piece, open: Open, waits: &mut BinaryHeap<Reverse<Due>>) {
        let witness = open.witness();
        if self.has_earlier
            && witness != NEVER_REFUTED
            && self.stage.place(witness).is_none()
            && let Some(Value::Win(Turns(turns))) = self.scores.get(witness).value()
        {
            waits.push(Reverse(Due { turns, at: (open.index(piece) - piece.indices.start) as u16 }));
        }
    }

    /// Examines an open position again, using what was decided before this phase.
    fn look(&self, index: u64, witness: u64, turns: Turns) -> Look {
        // With predecessors, wins are found from losses, so one successor that is not won for the opponent is
        // enough. Without them, any successor could be a loss by now.
        let by_witness = self.able.before.is_some();
        // The successors before the witness were refuted when it was chosen.
        let mut seen = !by_witness || witness == NOT_SEEN;
        let old = witness;
        let standing = witness == NEVER_REFUTED
            || witness != NOT_SEEN && !refuted(self.scores.get(witness).value(), turns);
        if by_witness && standing {
            return Look::Open(witness);
        }
        let mut witness = None;
        let mut won = false;
        let _ = self.game.each_successor_at(Index(index), |next| {
            if !seen {
                seen = next.index() == Some(Index(old));
                return ControlFlow::Continue(());
            }
            let value = self.scores.seen(next).value();
            let index = next.index().map_or(NEVER_REFUTED, |Index(index)| index);
            if refuted(value, turns) {
                return ControlFlow::Continue(());
            }
            witness = Some(index);
            won = matches!(value, Some(Value::Loss(lost)) if lost < turns);
            if won || by_witness { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match witness {
            Some(_) if won && !by_witness => Look::Won,
            Some(index) => Look::Open(index),
            // Every turn is refuted, the last of them in the previous phase, so the position is lost in the
            // number of turns of this phase.
            None => Look::Lost,
        }
    }
}

impl Shard {
    /// Stores the win by a turn to an earlier stage, if there is one.
    fn add_due(&mut self, index: u64, turns: Option<Turns>) {
        let at = (index - self.piece.indices.start) as u16;
        self.due.extend(turns.map(|Turns(turns)| Due { turns, at }));
    }

    fn finish_lists(&mut self) {
        self.open.shrink_to_fit();
        self.due.sort_unstable_by(|a, b| b.cmp(a));
    }
}
