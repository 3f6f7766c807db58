//! Solves the positions before the game, which are few and fit into memory.

use std::collections::HashMap;

use retrograde_game::Score;

use super::super::files::look_up;
use super::super::settle::{circle, missing_successor, smaller};
use super::super::spill::Keys;
use super::super::tasks::sort;
use super::OnDisk;
use crate::hash::FoldHasher;
use crate::job::SolveError;

/// The bytes per key before the game proper, with what is known of it.
const BYTES_BEFORE: u64 = 64;

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
        let places: HashMap<u64, usize, FoldHasher> = keys.iter().copied().zip(0..).collect();
        let (mut least, mut within) = (Vec::with_capacity(keys.len()), Vec::new());
        for part in keys.chunks(self.files.sizes.looked_up) {
            self.files.check_stop()?;
            let successors = self.game.ask(0, part, 1)?;
            let mut lookups = Vec::new();
            for (key, asker) in successors.lookups.into_iter().flat_map(|(_, lookups)| lookups) {
                match places.get(&key) {
                    Some(&next) => within.push((least.len() + asker as usize, next)),
                    None => lookups.push((key, asker)),
                }
            }
            let mut here = successors.least;
            sort(self.files.pool, &mut lookups);
            self.look_up(turns, lookups, &mut here)?;
            least.extend(here);
        }
        self.in_order(&keys, least, within)
    }

    /// Looks up sorted keys of the game proper in the files.
    fn look_up(
        &self,
        turns: u16,
        mut lookups: Vec<(u64, u32)>,
        least: &mut [Option<u16>],
    ) -> Result<(), SolveError> {
        self.each_solved(turns, &mut |solved| {
            let mut solved = solved.iter().copied();
            Ok(look_up(&mut lookups, least, &mut || Ok(solved.next()))?)
        })?;
        if lookups.is_empty() { Ok(()) } else { Err(missing_successor()) }
    }

    /// Finds the scores of keys before the game. Their least scores are known except for successors `within`:
    /// pairs of the place of a key and the place of a successor.
    fn in_order(
        &self,
        keys: &[u64],
        mut least: Vec<Option<u16>>,
        mut within: Vec<(usize, usize)>,
    ) -> Result<Vec<(u64, u16)>, SolveError> {
        let mut scores = vec![u16::UNKNOWN; keys.len()];
        let mut left: Vec<usize> = (0..keys.len()).collect();
        while !left.is_empty() {
            self.files.check_stop()?;
            within.retain(|&(from, to)| match scores[to] {
                u16::UNKNOWN => true,
                score => {
                    least[from] = smaller(least[from], score);
                    false
                }
            });
            let mut waits = vec![false; keys.len()];
            within.iter().for_each(|&(from, _)| waits[from] = true);
            let before = left.len();
            for &at in left.iter().filter(|&&at| !waits[at]) {
                for score in self.game.scores(&keys[at..=at], &least[at..=at])? {
                    scores[at] = score;
                }
            }
            left.retain(|&at| waits[at]);
            if left.len() == before {
                return Err(circle());
            }
        }
        Ok(keys.iter().copied().zip(scores).collect())
    }
}
