//! The description of a solution, which its files carry.

use retrograde_pushfight::PushFight;
use retrograde_table::StartValue;
use serde::{Deserialize, Serialize};

use crate::files::depth::kind::DepthFileKind;
use crate::phase::count::PhaseCount;

/// The description of a solution.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SolutionInfo {
    /// The canonical name of the game.
    pub game: String,
    /// Its board.
    pub board: String,
    /// The game's `RULES_VERSION`.
    pub rules_version: u32,
    /// Groups by the mover's pushers, blocks of each, and pieces of a side.
    pub shape: [usize; 3],
    /// If set, only positions that end within this number of turns are decided.
    pub horizon: Option<u16>,
    /// The counts of losses and wins by turns, from 0 on.
    pub phases: Vec<PhaseCount>,
    /// The count of draws; `None` with a horizon.
    pub draws: Option<PhaseCount>,
    /// The value of the empty board, if each side's placements are known.
    pub start: Option<StartValue>,
    /// The seconds that solving took without interruptions, if known; see the module `timings`.
    #[serde(skip)]
    pub seconds: Option<f64>,
}

impl SolutionInfo {
    /// The number of logged positions for a file.
    pub(crate) fn positions(&self, kind: DepthFileKind) -> u64 {
        let phases = self.phases.iter().filter(|phase| kind.is_logged(phase.turns));
        phases.map(|phase| phase.count + phase.starts).sum()
    }

    /// Whether its phases are consecutive and add up to the plausible positions of the game, or to
    /// fewer if there is a horizon.
    pub(crate) fn adds_up(&self, game: &PushFight) -> bool {
        let follow = self.phases.iter().map(|phase| phase.turns).eq(0..self.phases.len() as u16);
        let decided: u128 = self.phases.iter().chain(&self.draws).map(|phase| u128::from(phase.all)).sum();
        let fits = game.plausible_count().is_none_or(|all| match self.draws {
            Some(_) => decided == all,
            None => decided <= all,
        });
        follow && fits
    }
}
