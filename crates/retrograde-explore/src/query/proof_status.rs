//! The status of a position for a side that must not lose: won in this turn, lost, or in need of
//! a turn.

use retrograde_game::{Index, Knowledge, Outcome, Stored, Turns, Value};

use crate::query::lookup::stored_or_rules;
use crate::{Error, OpenGame, Position, Resources, ValueStore};

/// A position with the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ProofStatus {
    /// The side wins in this turn, or has won.
    Won,
    Lost,
    /// It needs a turn; with the index. It may also be lost if looking up losses is expensive.
    Needed(u64),
}

/// The statuses of all positions of a game, from the table and the rules.
pub(crate) struct ProofStatuses<'a> {
    open: &'a OpenGame,
    values: &'a dyn ValueStore,
    /// Two bits for every index of the game proper, if there is enough memory.
    codes: Vec<u64>,
}

/// The codes of two bits.
const NEEDED: u64 = 0;
const WON_IN_ONE: u64 = 1;
const LOST: u64 = 2;
const UNKNOWN: u64 = 3;

impl<'a> ProofStatuses<'a> {
    pub(crate) fn new(open: &'a OpenGame, resources: &Resources<'_>) -> Result<Self, Error> {
        let values = open.stored()?;
        if values.facts().horizon.is_some() {
            let reason = format!(
                "{} is solved only up to --max-turns: a position that is not lost by then may be lost later",
                open.name()
            );
            return Err(Error::Unsupported(reason));
        }
        let mut statuses = ProofStatuses { open, values, codes: Vec::new() };
        let words = values.facts().place_count.div_ceil(32);
        if values.facts().has_all_positions
            && !values.facts().looks_at_turns
            && words * 8 <= resources.memory / 2
        {
            let mut codes = vec![u64::MAX; words as usize];
            values.scan(0, &mut |index, knowledge| {
                let (word, shift) = (index.0 as usize / 32, index.0 % 32 * 2);
                codes[word] &= !(UNKNOWN << shift) | code(knowledge) << shift;
                Ok(true)
            })?;
            statuses.codes = codes;
        }
        Ok(statuses)
    }

    /// The memory it takes, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&*self.codes) as u64
    }

    pub(crate) fn index(&self, position: &Position) -> Result<u64, Error> {
        let index = self.open.index_of(position).ok_or_else(|| {
            let text = self.open.entry.game.position_text(position);
            Error::Unsupported(format!("{} has no number for {text}", self.open.name()))
        })?;
        Ok(index.0)
    }

    /// The status of a position; one that is `known` to be needed is not looked up.
    pub(crate) fn quick(
        &self,
        position: &Position,
        known: impl Fn(u64) -> bool,
    ) -> Result<ProofStatus, Error> {
        let game = &*self.open.entry.game;
        if let Some(outcome) = game.result(position) {
            return Ok(if outcome == Outcome::Loss { ProofStatus::Lost } else { ProofStatus::Won });
        }
        let index = self.index(position)?;
        if known(index) {
            return Ok(ProofStatus::Needed(index));
        }
        // If the files only have losses, the rules are faster than the files.
        if self.values.facts().looks_at_turns {
            return Ok(if game.wins_now(position) { ProofStatus::Won } else { ProofStatus::Needed(index) });
        }
        match self.code(index)? {
            NEEDED => Ok(ProofStatus::Needed(index)),
            // A placement is not the turn that wins.
            WON_IN_ONE if game.turn_is_counted(position) => Ok(ProofStatus::Won),
            WON_IN_ONE => Ok(ProofStatus::Needed(index)),
            LOST => Ok(ProofStatus::Lost),
            _ if game.wins_now(position) => Ok(ProofStatus::Won),
            _ => {
                let knowledge = stored_or_rules(self.open, position)?;
                match knowledge {
                    Knowledge::Unknown => {
                        let text = game.position_text(position);
                        let reason = format!("the table of {} has no value for {text}", self.open.name());
                        Err(Error::Unsupported(reason))
                    }
                    _ if knowledge.outcome() == Some(Outcome::Loss) => Ok(ProofStatus::Lost),
                    _ => Ok(ProofStatus::Needed(index)),
                }
            }
        }
    }

    /// The same, except that a win in one turn must end the game by the rules and not by leaving
    /// the opponent without a turn.
    pub(crate) fn exact(&self, position: &Position) -> Result<ProofStatus, Error> {
        let quick = self.quick(position, |_| false)?;
        let game = &*self.open.entry.game;
        if quick == ProofStatus::Won && game.result(position).is_none() && !game.wins_now(position) {
            return Ok(ProofStatus::Needed(self.index(position)?));
        }
        Ok(quick)
    }

    /// Whether a position that [`ProofStatuses::quick`] says is needed is lost.
    pub(crate) fn is_lost(&self, index: u64) -> Result<bool, Error> {
        Ok(self.values.facts().looks_at_turns && self.values.is_lost(Index(index))?)
    }

    /// Whether one of several such positions is lost.
    pub(crate) fn any_lost(&self, mut indices: Vec<u64>) -> Result<bool, Error> {
        if !self.values.facts().looks_at_turns {
            return Ok(false);
        }
        // Positions that are close in the files share reads.
        indices.sort_by_cached_key(|&index| self.values.location(Index(index)));
        for index in indices {
            if self.is_lost(index)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn code(&self, index: u64) -> Result<u64, Error> {
        if let Some(word) =
            self.codes.get(index as usize / 32).filter(|_| index < self.values.facts().place_count)
        {
            return Ok(word >> (index % 32 * 2) & 3);
        }
        Ok(match self.values.get(Index(index))? {
            Stored::Known(knowledge) => code(knowledge),
            Stored::Nothing => UNKNOWN,
        })
    }
}

fn code(knowledge: Knowledge) -> u64 {
    match knowledge {
        Knowledge::Exact(Value::Win(Turns(1))) => WON_IN_ONE,
        Knowledge::Exact(Value::Win(_) | Value::Draw) | Knowledge::Outcome(Outcome::Draw) => NEEDED,
        Knowledge::Exact(Value::Loss(_)) | Knowledge::Outcome(Outcome::Loss) => LOST,
        Knowledge::Outcome(Outcome::Win) | Knowledge::NotLost | Knowledge::Unknown => UNKNOWN,
    }
}
