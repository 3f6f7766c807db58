//! A stage by witnesses: every open position remembers one successor that is not won for the
//! opponent, and is looked at again only when that one is.
//!
//! With predecessors a win is found from the loss it leads to; without them every look at an open
//! position looks for a loss among its successors too. A phase goes through the list of open
//! positions once and reads the score of each witness. Late phases decide little: then only the
//! predecessors of new wins are looked at.
//!
//! If a player can move several times in a row, this is for games without predecessors: the win
//! before a win of the same player is not looked for here.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

use retrograde_game::{Dense, Index, Outcome, Successor, Turns, Value};

use super::board::{Board, refuted};
use super::driver::Driver;
use super::places::PlaceSet;
use super::shard::{DueWin, NEVER_REFUTED, NOT_SEEN, Open, Shard};
use super::{Phase, Solved, StageAt};
use crate::array::SharedScore;
use crate::job::SolveError;

/// Open positions for each win of the phase before from which on it is better to visit the
/// predecessors of the wins than all witnesses.
const FEW_WINS: u64 = 64;
/// Open positions by which the score of a witness is asked for before it is read.
const AHEAD: usize = 16;
/// Predecessors whose scores are asked for before the first of them is read.
const TOGETHER: usize = 64;

/// The result of another look at a position.
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
    /// Positions with a turn to a win of the phase before; empty until it is of use.
    touched: PlaceSet,
    open: u64,
    /// Wins of the phase before.
    won: u64,
    /// The most turns that anything takes in earlier stages.
    earlier: Turns,
    /// The last phase that is to look at all witnesses: what was decided before has not been
    /// listed. Wins in one turn are found before phase 1 and count in phase 2.
    all_until: Turns,
}

impl Witnesses {
    /// The first look, or after an interruption the lists of what was open when the phase to come
    /// was to begin.
    pub(crate) fn new<G: Dense, S: SharedScore>(
        board: &Board<'_, G, S>,
        driver: &Driver<'_>,
        shard: u64,
        at: &StageAt<'_>,
    ) -> Result<Self, SolveError> {
        let turns = at.turns;
        let mut shards: Vec<Shard> = board.stage.pieces(shard).into_iter().map(Shard::new).collect();
        // Open positions are counted while they are found, so that they do not outgrow the memory.
        let open = AtomicU64::new(0);
        let limit = driver.memory.limit;
        let held = driver.memory.held;
        let most = limit.saturating_sub(held) / Shard::BYTES_AN_OPEN_POSITION;
        driver.each(&mut shards, board.stage.len(), &|shard| {
            if open.load(Ordering::Relaxed) > most {
                return;
            }
            match turns {
                0 => board.begin(shard),
                turns => board.resume(shard, Turns(turns)),
            }
            open.fetch_add(shard.open.len() as u64, Ordering::Relaxed);
            driver.progress.advance(shard.piece.len());
        })?;
        let open = open.into_inner();
        if open > most {
            // At least; the rest was not looked at.
            let need = held.saturating_add(open.saturating_mul(Shard::BYTES_AN_OPEN_POSITION));
            return Err(SolveError::Memory { need, limit });
        }
        let (touched, all_until) = (PlaceSet::default(), Turns(turns.max(2)));
        Ok(Witnesses { shards, touched, open, won: 0, earlier: Turns(at.earlier), all_until })
    }

    /// The number of undecided positions, images not counted.
    pub(crate) fn open(&self) -> u64 {
        self.open
    }

    /// A phase; what it decided.
    pub(crate) fn phase<G: Dense, S: SharedScore>(
        &mut self,
        board: &Board<'_, G, S>,
        driver: &Driver<'_>,
        phase: Phase<S>,
    ) -> Result<Solved, SolveError> {
        let Witnesses { shards, touched, .. } = self;
        let listed = board.able.before.is_some() && phase.turns > self.all_until;
        let by_wins = listed && self.won < self.open / FEW_WINS;
        if by_wins {
            touched.clear_or_make(board.stage.places)?;
            driver.each(shards, self.won, &|shard| board.touch(shard, touched))?;
        }
        // Wins and losses of this phase are written while others read: nobody minds, for what is
        // decided in this phase counts in the next.
        let lost = newly_lost(shards);
        driver.each(shards, lost, &|shard| board.wins(shard, phase))?;
        let touched = by_wins.then_some(&*touched);
        let (found, won) = (AtomicU64::new(0), AtomicU64::new(0));
        driver.each(shards, self.open, &|shard| {
            let (off_the_list, wins) = board.look_again(shard, phase, touched);
            found.fetch_add(off_the_list, Ordering::Relaxed);
            won.fetch_add(wins, Ordering::Relaxed);
        })?;
        let found = found.into_inner();
        self.won = won.into_inner();
        self.open -= found;
        // Decisions of earlier stages in t turns count in phase t + 1.
        Ok(Solved { found, more_is_due: phase.turns <= self.earlier })
    }

    /// Whether there are losses whose predecessors have not been visited.
    pub(crate) fn has_news(&self) -> bool {
        newly_lost(&self.shards) > 0
    }

    /// Visits the predecessors of the last losses, for the sake of later stages: nothing is open in
    /// this one.
    pub(crate) fn tell_later_stages<G: Dense, S: SharedScore>(
        &mut self,
        board: &Board<'_, G, S>,
        driver: &Driver<'_>,
        phase: Phase<S>,
    ) -> Result<(), SolveError> {
        let lost = newly_lost(&self.shards);
        driver.each(&mut self.shards, lost, &|shard| board.wins(shard, phase))
    }

    /// Calls everything that is still open a draw.
    pub(crate) fn draw_the_rest<G: Dense, S: SharedScore>(
        &mut self,
        board: &Board<'_, G, S>,
        driver: &Driver<'_>,
    ) -> Result<(), SolveError> {
        driver.each(&mut self.shards, self.open, &|shard| {
            for open in std::mem::take(&mut shard.open) {
                board.decide(open.index(&shard.piece), S::DRAW);
            }
        })
    }
}

/// Losses of the phase before, whose predecessors have not been visited.
fn newly_lost(shards: &[Shard]) -> u64 {
    shards.iter().map(|shard| shard.lost.len() as u64).sum()
}

impl<G: Dense, S: SharedScore> Board<'_, G, S> {
    /// Before the first phase: decides what it can and lists the rest.
    fn begin(&self, shard: &mut Shard) {
        let piece = shard.piece.clone();
        let loss = S::over(Outcome::Loss);
        self.first_look(&piece, |index, position, due| {
            shard.add_due(index, due);
            match self.first_witness(position) {
                Some(witness) => shard.open.push(Open::new(&piece, index, witness)),
                None => {
                    let score = S::over(self.game.outcome_without_turns());
                    // Turns into finished losses are known already; these ones are not.
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

    /// The win that a turn to an earlier stage brings, if one does.
    fn win_by_earlier(&self, position: &G::Position) -> Option<Turns> {
        let mut smallest = S::UNKNOWN;
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

    /// Lists what was open when phase `turns` was to begin.
    fn resume(&self, shard: &mut Shard, turns: Turns) {
        let piece = shard.piece.clone();
        self.each_open(&piece, |index, position| {
            // Without predecessors every look finds such wins.
            if self.has_earlier && self.able.before.is_some() {
                shard.add_due(index, self.win_by_earlier(position));
            }
            shard.open.push(Open::new(&piece, index, NOT_SEEN));
        });
        let lost_before = turns.0.checked_sub(1).and_then(|turns| S::from_value(Value::Loss(Turns(turns))));
        let lost = piece.indices.filter(|&index| Some(self.scores.get(index)) == lost_before);
        shard.lost.extend(lost.filter(|&index| self.canonical(index) == index));
        shard.finish_lists();
    }

    /// Decides positions with a turn to a loss of the phase before. Those of later stages are told
    /// what is due to them.
    fn wins(&self, shard: &mut Shard, phase: Phase<S>) {
        let decide = |index: u64| {
            // A win in fewer turns has the greater score.
            let score = self.scores.get(index);
            if score >= phase.win {
                return;
            }
            // No turn leads to a later stage, so what is not of this one is later.
            if score == S::UNKNOWN || self.stage.place(index).is_none() {
                self.decide(index, phase.win);
            }
        };
        let lost = std::mem::take(&mut shard.lost);
        self.each_before(&lost, decide);
        while let Some(due) = shard.due.pop_if(|due| due.turns <= phase.turns.0) {
            decide(shard.piece.indices.start + u64::from(due.at));
        }
    }

    /// Marks the positions with a turn to a win of the phase before.
    fn touch(&self, shard: &mut Shard, touched: &PlaceSet) {
        self.each_before(&shard.won, |previous| {
            if self.scores.get(previous) == S::UNKNOWN
                && let Some(place) = self.stage.place(self.canonical(previous))
            {
                touched.insert(place);
            }
        });
    }

    /// Visits the predecessors of positions, whose scores are on their way by then; none if the game
    /// does not give them.
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

    /// Takes decided positions off the list, looks at the others again, and decides the losses
    /// among them. Only positions that are `touched`, if these are given, can have changed, and
    /// those whose witness is of an earlier stage. How many are off the list, and how many of them
    /// are wins.
    fn look_again(&self, shard: &mut Shard, phase: Phase<S>, touched: Option<&PlaceSet>) -> (u64, u64) {
        let Shard { piece, open, lost, won, .. } = shard;
        won.clear();
        let untouched = |index: u64| {
            touched.is_some_and(|touched| !touched.contains(piece.place + (index - piece.indices.start)))
        };
        let (before, mut kept) = (open.len(), 0);
        for at in 0..before {
            // Witnesses lie anywhere, so their scores are asked for early.
            if let Some(later) = open.get(at + AHEAD)
                && !untouched(later.index(piece))
            {
                self.scores.prefetch(later.witness());
            }
            let position = open[at];
            let index = position.index(piece);
            let score = self.scores.get(index);
            if score != S::UNKNOWN {
                if score > S::DRAW && self.able.before.is_some() {
                    won.push(index);
                }
                continue;
            }
            let look = match untouched(index) && !self.is_earlier(position.witness()) {
                true => Look::Open(position.witness()),
                false => self.look(index, position.witness(), phase.turns),
            };
            match look {
                Look::Open(witness) => {
                    open[kept] = position.with(witness);
                    kept += 1;
                }
                Look::Lost => {
                    lost.push(index);
                    self.decide(index, phase.loss);
                }
                Look::Won => {
                    self.decide(index, phase.win);
                }
            }
        }
        open.truncate(kept);
        ((before - kept) as u64, won.len() as u64)
    }

    /// Whether a witness is of an earlier stage, or none at all.
    fn is_earlier(&self, witness: u64) -> bool {
        witness == NOT_SEEN
            || self.has_earlier && witness != NEVER_REFUTED && self.stage.place(witness).is_none()
    }

    /// Another look at an open position, with what was decided before this phase.
    fn look(&self, index: u64, witness: u64, turns: Turns) -> Look {
        // With predecessors a win is found from the loss it leads to, so a witness that is not won
        // for the opponent is enough; without them every successor could have become the loss that
        // wins.
        let by_witness = self.able.before.is_some();
        let standing = witness == NEVER_REFUTED
            || witness != NOT_SEEN && !refuted(self.scores.get(witness).value(), turns);
        if by_witness && standing {
            return Look::Open(witness);
        }
        let mut witness = None;
        let mut won = false;
        let _ = self.game.each_successor_at(Index(index), |next| {
            let value = self.seen(next).value();
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
            // Every turn is refuted, the last of them in the phase before this one: it takes as
            // many turns as this phase has.
            None => Look::Lost,
        }
    }
}

impl Shard {
    /// Notes the win that a turn to an earlier stage brings, if one does.
    fn add_due(&mut self, index: u64, turns: Option<Turns>) {
        let at = (index - self.piece.indices.start) as u16;
        self.due.extend(turns.map(|Turns(turns)| DueWin { turns, at }));
    }

    fn finish_lists(&mut self) {
        self.open.shrink_to_fit();
        self.due.sort_unstable_by(|a, b| b.cmp(a));
    }
}
