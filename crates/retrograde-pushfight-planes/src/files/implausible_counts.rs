//! The counts of implausible positions: `others.json` in the folder of the solution, a sealed file (see
//! `sidecar`). Together with the plausible positions, they must add up to all positions of the game.

use std::path::Path;

use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_table::Storage;
use serde::{Deserialize, Serialize};

use crate::files::sidecar;
use crate::phase::count::PhaseCount;
use crate::phase::kinds::PhaseId;

pub(crate) const FILE: &str = "others.json";

/// The counts of implausible positions, which no push can have led to, by turns.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ImplausiblePositions {
    /// The checksum of the losses from which the counts follow.
    pub losses: u32,
    /// The counts of losses and wins by turns, from 0 on.
    pub phases: Vec<PhaseCount>,
    /// The count of draws, or of undecided positions where the solution has a horizon.
    pub draws: PhaseCount,
}

/// Reads the counts that follow from losses with this checksum, if there are any.
pub(crate) fn read(
    game: &PushFight,
    directory: &Path,
    storage: &dyn Storage,
    losses: u32,
    notes: &mut Vec<String>,
) -> Option<ImplausiblePositions> {
    let path = directory.join(FILE);
    // Counts of another solve are ignored without a note.
    let found =
        sidecar::read(&path, storage, notes).filter(|found: &ImplausiblePositions| found.losses == losses)?;
    match found.fault(game) {
        None => Some(found),
        Some(fault) => {
            notes.push(format!("{} is damaged: {fault}; it is ignored", path.display()));
            None
        }
    }
}

impl ImplausiblePositions {
    /// Describes an inconsistency in the numbers, if there is one.
    fn fault(&self, game: &PushFight) -> Option<&'static str> {
        let phases = self.phases.iter().map(|phase| phase.turns);
        if !phases.eq(0..self.phases.len() as u16) || self.draws.turns != PhaseId::Draws.number() {
            return Some("its phases do not follow each other");
        }
        let all = self.phases.iter().chain([&self.draws]).map(|phase| u128::from(phase.all)).sum::<u128>();
        let plausible = game.plausible_count()?;
        if all.checked_add(plausible) != Some(game.position_count()) {
            return Some("its numbers of positions do not add up");
        }
        None
    }
}
