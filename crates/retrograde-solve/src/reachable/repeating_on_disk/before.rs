//! Solves the positions before the game, which are few and fit into memory.

use std::collections::HashMap;

use retrograde_game::Score;

use super::super::batches::SuccessorLookups;
use super::super::files::look_up;
use super::super::settle::{circle, missing_successor, smaller};
use super::super::spill::Keys;
use super::super::tasks::sort;
use super::OnDisk;
use crate::hash::FoldHasher;
use crate::job::SolveError;

/// The bytes per key before the game proper, with what is known of it.
const BYTES_BEFORE: u64 = 64;

/// The scores of the keys before the game; unknown if they are undecided.
type Scores = HashMap<u64, u16, FoldHasher>;

impl OnDisk<'_> {
    /// Returns the sorted keys before the game with their scores.
    pub(super) fn solve_before(&self, turns: u16) -> Result<Vec<(u64, u16)>, SolveError> {
        self.files.progress.stage("solving positions before the game", 0);
        let most = usize::try_from(self.files.memory / BYTES_BEFORE).unwrap_or(usize::MAX);
        let keys = Keys::open(self.files.spill, "before")?.take(most, u64::from_le_bytes)?;
        if keys.len() == most {
            let need = (most as u64 + 1) * BYTES_BEFORE;
            return Err(SolveError::Memory { need, limit: self.files.memory });
        }
        let mut scores: Scores = keys.iter().map(|&key| (key, u16::UNKNOWN)).collect();
        let mut waiting = keys.clone();
        while !waiting.is_empty() {
            for part in waiting.chunks(self.files.sizes.looked_up) {
                self.files.check_stop()?;
                self.decide_before(turns, part, &mut scores)?;
            }
            let before = waiting.len();
            waiting.retain(|key| scores[key] == u16::UNKNOWN);
            if waiting.len() == before {
                return Err(circle());
            }
        }
        Ok(keys.into_iter().map(|key| (key, scores[&key])).collect())
    }

    /// Decides the keys whose successors are all decided.
    fn decide_before(&self, turns: u16, keys: &[u64], scores: &mut Scores) -> Result<(), SolveError> {
        let SuccessorLookups { mut least, lookups } = self.game.ask(0, keys, 1)?;
        let (mut waits, mut in_game) = (vec![false; keys.len()], Vec::new());
        for (key, asker) in lookups.into_iter().flat_map(|(_, lookups)| lookups) {
            let at = asker as usize;
            match scores.get(&key) {
                None => in_game.push((key, asker)),
                Some(&u16::UNKNOWN) => waits[at] = true,
                Some(&score) => least[at] = smaller(least[at], score),
            }
        }
        in_game.retain(|&(_, asker)| !waits[asker as usize]);
        sort(self.files.pool, &mut in_game);
        self.look_up(turns, in_game, &mut least)?;
        let decided = keys.iter().zip(least).zip(waits).filter(|(_, waits)| !waits);
        let (keys, least): (Vec<u64>, Vec<_>) = decided.map(|((&key, least), _)| (key, least)).unzip();
        scores.extend(keys.iter().copied().zip(self.game.scores(&keys, &least)?));
        Ok(())
    }

    /// Looks up sorted keys of the game proper in the files.
    fn look_up(
        &self,
        turns: u16,
        mut lookups: Vec<(u64, u32)>,
        least: &mut [Option<u16>],
    ) -> Result<(), SolveError> {
        if lookups.is_empty() {
            return Ok(());
        }
        self.each_solved(turns, &mut |solved| {
            let mut solved = solved.iter().copied();
            Ok(look_up(&mut lookups, least, &mut || Ok(solved.next()))?)
        })?;
        if lookups.is_empty() { Ok(()) } else { Err(missing_successor()) }
    }
}
