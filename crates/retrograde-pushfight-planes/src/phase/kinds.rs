//! The kinds of phases, their numbers and their results.

use retrograde_game::{Turns, Value};
use retrograde_solve::SolveError;

use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::SuperblockId;

/// The phases whose results are logged. Their numbers are part of the names and headers of log files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum PhaseId {
    /// Positions that end in this many turns: even ones are lost, odd ones won.
    Turns(Turns),
    /// Positions won in one turn because it leaves the opponent without a push.
    WonByNoPush,
    /// Positions that no phase has decided.
    Draws,
}

impl PhaseId {
    /// The largest number of turns of a phase: larger numbers belong to other phases.
    pub(crate) const MAX_TURNS: Turns = Turns(PhaseId::WonByNoPush.number() - 1);

    /// The number in file names and headers.
    pub(crate) const fn number(self) -> u16 {
        match self {
            PhaseId::Turns(turns) => turns.0,
            PhaseId::WonByNoPush => u16::MAX - 1,
            PhaseId::Draws => u16::MAX,
        }
    }

    /// The turns of the phase, if its positions are all that end in one number of turns.
    pub(crate) fn turns(self) -> Option<Turns> {
        match self {
            PhaseId::Turns(turns) => Some(turns),
            PhaseId::WonByNoPush | PhaseId::Draws => None,
        }
    }

    /// The inverse of [`PhaseId::number`].
    pub(crate) fn from_number(number: u16) -> PhaseId {
        let others = [PhaseId::WonByNoPush, PhaseId::Draws];
        let other = others.into_iter().find(|phase| phase.number() == number);
        other.unwrap_or(PhaseId::Turns(Turns(number)))
    }

    /// The name of the phase in progress messages.
    pub(crate) fn title(self) -> String {
        match self {
            PhaseId::Turns(turns) => {
                format!("{} in {turns} turns", if is_loss(turns) { "lost" } else { "won" })
            }
            PhaseId::WonByNoPush => "won by leaving no push".to_owned(),
            PhaseId::Draws => "what is not drawn".to_owned(),
        }
    }
}

impl From<Turns> for PhaseId {
    fn from(turns: Turns) -> PhaseId {
        PhaseId::Turns(turns)
    }
}

/// A phase, which examines every undecided position.
#[derive(Clone, Copy)]
pub(crate) enum Phase<'a> {
    /// Finds the legal positions that are not won in one turn by ejecting a piece.
    Initial,
    /// Finds the positions without any turn, which are lost.
    NoPush,
    /// Finds the undecided positions without a turn into a plane, the undecided positions. If the
    /// newest wins are known, only positions with a turn to them can be new losses. (A position with a
    /// turn to a new loss has become a win since.) So blocks without a push into them are skipped, if they
    /// are given.
    Losses(&'a [SparseCells], Option<&'a [SparseCells]>),
    /// Finds the undecided positions with a turn into a plane, the newest losses.
    Wins(&'a [SparseCells]),
}

/// Whether the positions that end in this number of turns are lost; otherwise they are won.
pub(crate) fn is_loss(turns: Turns) -> bool {
    turns.0.is_multiple_of(2)
}

/// The value of the positions that end in this number of turns.
pub(crate) fn value_in(turns: Turns) -> Value {
    if is_loss(turns) { Value::Loss(turns) } else { Value::Win(turns) }
}

/// Receives the results of a phase, superblock by superblock, in any order. An error ends the phase.
///
/// It is not generic, because phases would be compiled again for each receiver.
pub(crate) type OnResult<'a> = dyn Fn(SuperblockId, SuperblockResult) -> Result<(), SolveError> + Sync + 'a;

/// The results of a phase in a superblock.
pub(crate) struct SuperblockResult {
    pub cells: SparseCells,
    /// In [`Phase::Initial`]: the number of the other positions, which are won.
    pub won: u64,
}
