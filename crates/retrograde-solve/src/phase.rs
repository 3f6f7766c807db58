//! The phases of solving backwards. Phase t decides the positions that end in exactly t turns.

use retrograde_game::{Score, Turns, Value};

/// A phase: the scores that it passes on to predecessors, and the scores that it decides.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Phase {
    pub turns: Turns,
    /// The losses to pass on, if any.
    lost: Option<u16>,
    /// The least and the greatest of the wins to pass on, if any.
    won: Option<[u16; 2]>,
    /// The score of a position with a turn to one of these losses.
    pub win: u16,
    /// The score of a position whose last turn is refuted.
    pub loss: u16,
}

impl Phase {
    /// The phase that decides positions that end in exactly `turns` turns. `None` if that is too long
    /// for a score.
    pub fn new(turns: u16) -> Option<Phase> {
        let (here, last) = (Turns(turns), Turns(turns.saturating_sub(1)));
        let won = u16::from_value(Value::Win(last))?;
        Some(Phase {
            turns: here,
            lost: Some(u16::from_value(Value::Loss(last))?),
            won: Some([won, won]),
            win: u16::from_value(Value::Win(here))?,
            loss: u16::from_value(Value::Loss(here))?,
        })
    }

    /// All refuted turns that earlier phases have passed on. A resumed solve counts turns again and needs
    /// them. `None` if that is too long for a score.
    pub fn passed_on_before(turns: u16) -> Option<Phase> {
        let last = Phase::new(turns.saturating_sub(1).max(1))?;
        let won = last.won.filter(|_| turns > 1).map(|[least, _]| [least, u16::MAX]);
        Some(Phase { lost: None, won, ..last })
    }

    /// Whether predecessors of a position with this score win.
    #[inline]
    pub fn passes_on_loss(&self, score: u16) -> bool {
        self.lost == Some(score)
    }

    /// Whether predecessors of a position with this score have a refuted turn.
    #[inline]
    pub fn passes_on_win(&self, score: u16) -> bool {
        self.won.is_some_and(|[least, greatest]| least <= score && score <= greatest)
    }
}

/// The result of a phase.
pub(crate) struct Solved {
    /// The number of positions that it decided.
    pub found: u64,
    /// The number of positions that are still undecided.
    pub open: u64,
    /// Whether later phases may decide something even if this one did not.
    pub more_is_due: bool,
}

/// Counts the phases of a solve, wherever its positions are: in memory, in files, or in several processes.
pub(crate) struct Phases {
    first: u16,
    /// The next phase.
    pub turns: u16,
    open: u64,
    horizon: Option<Turns>,
}

impl Phases {
    /// Starts with phase `first`, while `open` positions are undecided.
    pub fn new(first: u16, open: u64, horizon: Option<Turns>) -> Phases {
        Phases { first, turns: first, open, horizon }
    }

    /// The next phase, unless all positions are decided or the horizon is reached.
    pub fn due(&self) -> Option<u16> {
        let within = self.horizon.is_none_or(|horizon| Turns(self.turns) <= horizon);
        (self.open > 0 && within).then_some(self.turns)
    }

    /// Takes the result of the phase. Returns `false` if no later phase can decide anything.
    pub fn take(&mut self, solved: &Solved) -> bool {
        // A position that ends in t + 1 turns has a successor that ends in t. Wins and losses in one turn are
        // found before phase 1, so more may follow even if phase 1 finds nothing.
        if solved.found == 0 && self.turns >= self.first.max(2) && !solved.more_is_due {
            return false;
        }
        self.open = solved.open;
        self.turns += 1;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_reach_as_far_as_scores() {
        let longest = u16::MAX_TURNS.0;
        assert!(Phase::new(longest).is_some() && Phase::passed_on_before(longest + 1).is_some());
        assert!(Phase::new(longest + 1).is_none());
    }

    #[test]
    fn combined_earlier_phases_decide_the_same_positions() {
        let score = |turns| u16::from_value(Value::Win(Turns(turns))).unwrap();
        for turns in 1..6 {
            let again = Phase::passed_on_before(turns).unwrap();
            let told =
                |won: u16| (1..turns).any(|turns| Phase::new(turns).unwrap().passes_on_win(score(won)));
            assert!(again.lost.is_none());
            assert!((0..9).all(|won| again.passes_on_win(score(won)) == told(won)), "before {turns}");
        }
    }
}
