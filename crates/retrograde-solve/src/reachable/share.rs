//! The reachable positions that one of several processes owns.
//!
//! Every position has an owner. The share of an owner consists of keys that wait for their grade's turn,
//! grades whose keys are complete, and grades that are solved. With a single process, it contains all
//! positions.

use std::collections::BTreeMap;
use std::io;

use super::batches::Positions;
use super::layer::{BYTES_A_KEY, Layer};
use super::settle::missing_successor;
use super::values::NumberedScores;
use super::waiting::{DividedKeys, Waiting};
use crate::job::{Scores, SolveError};

/// The number of keys that are looked up together.
pub(crate) const TOGETHER: usize = 1 << 7;

/// The progress of keys of a grade.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GradeState {
    /// Their successors are not known yet.
    Waiting,
    /// Their successors are known.
    Gathered,
    /// They have scores.
    Solved,
}

/// Keys of one grade, as saved in a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedPiece {
    /// The progress of the keys.
    pub state: GradeState,
    /// The grade.
    pub grade: u64,
    /// Keys, in any order.
    pub keys: Vec<u64>,
    /// Their two-byte scores if they are solved, otherwise empty.
    pub scores: Vec<u16>,
}

/// Callback for keys of a grade in some state, in any order. Solved keys have their scores, others any.
pub type VisitKeys<'a> =
    dyn FnMut(GradeState, u64, &mut dyn Iterator<Item = (u64, u16)>) -> io::Result<()> + 'a;

/// The positions that one of several processes owns.
#[derive(Default)]
pub struct Share {
    waiting: BTreeMap<u64, Waiting>,
    gathered: BTreeMap<u64, Vec<u64>>,
    /// The keys and scores of grades that an earlier run solved in part.
    partly: BTreeMap<u64, (Vec<u64>, Vec<u16>)>,
    /// In ascending order of grades.
    solved: Vec<Layer>,
}

impl Share {
    /// Adds keys that wait for their grade's turn.
    pub fn add(&mut self, pool: &crate::Pool, grade: u64, found: &[DividedKeys]) {
        self.waiting.entry(grade).or_insert_with(Waiting::new).add(pool, found);
    }

    /// The highest waiting grade, with the number of its keys.
    pub fn next_waiting(&self) -> Option<(u64, u64)> {
        self.waiting.last_key_value().map(|(&grade, keys)| (grade, keys.len() as u64))
    }

    /// Takes the keys of a waiting grade, sorted.
    pub fn take_waiting(&mut self, pool: &crate::Pool, grade: u64) -> Vec<u64> {
        self.waiting.remove(&grade).map(|keys| keys.into_sorted(pool)).unwrap_or_default()
    }

    /// Returns the keys of a grade, all of whose successors are known.
    pub fn put_gathered(&mut self, grade: u64, keys: Vec<u64>) {
        if !keys.is_empty() {
            let all = self.gathered.entry(grade).or_default();
            let earlier = std::mem::replace(all, keys);
            if !earlier.is_empty() {
                all.extend(earlier);
                all.sort_unstable();
            }
        }
    }

    /// The grades to be solved, in ascending order, with the number of their keys.
    pub fn gathered_grades(&self) -> impl Iterator<Item = (u64, u64)> {
        self.gathered.iter().map(|(&grade, keys)| (grade, keys.len() as u64))
    }

    /// The solved grades, in ascending order.
    pub fn layers(&self) -> &[Layer] {
        &self.solved
    }

    /// Takes the keys of a grade to be solved, sorted.
    pub fn take_gathered(&mut self, grade: u64) -> Vec<u64> {
        self.gathered.remove(&grade).unwrap_or_default()
    }

    /// Adds the scores of a grade, which is higher than all solved grades.
    pub fn put_solved(&mut self, grade: u64, mut keys: Vec<u64>, mut scores: Scores) {
        if let Some((earlier, earlier_scores)) = self.partly.remove(&grade) {
            let mut all: Vec<u16> = (0..scores.len()).map(|at| scores.wide(at)).collect();
            keys.extend(earlier);
            all.extend(earlier_scores);
            (keys, all) = by_key(keys, all);
            scores = Scores::packed(all);
        }
        if !keys.is_empty() {
            let mut layer = Layer::new(grade, keys);
            layer.scores = scores;
            self.solved.push(layer);
        }
    }

    /// The number of keys to be solved.
    pub fn left_to_solve(&self) -> u64 {
        self.gathered.values().map(|keys| keys.len() as u64).sum()
    }

    /// The number of keys, without a grade that was taken.
    pub fn len(&self) -> u64 {
        let waiting: usize = self.waiting.values().map(Waiting::len).sum();
        let solved: usize = self.solved.iter().map(|layer| layer.keys.len()).sum();
        let partly: usize = self.partly.values().map(|(keys, _)| keys.len()).sum();
        (waiting + solved + partly) as u64 + self.left_to_solve()
    }

    /// The memory that the known positions take in the end with one-byte scores, or the current memory, if
    /// that is more.
    pub fn bytes(&self) -> u64 {
        let waiting: u64 = self.waiting.values().map(Waiting::bytes).sum();
        let solved: u64 = self.solved.iter().map(Layer::bytes).sum();
        let partly: usize = self.partly.values().map(|(keys, _)| keys.len()).sum();
        waiting + solved + (self.left_to_solve() + partly as u64) * (BYTES_A_KEY + 1)
    }

    /// Appends the scores of keys of a solved grade to a list.
    ///
    /// # Errors
    /// If a key is missing.
    pub fn scores(&self, grade: u64, keys: &[u64], scores: &mut Vec<u16>) -> Result<(), SolveError> {
        if keys.is_empty() {
            return Ok(());
        }
        let layer = self.solved.binary_search_by_key(&grade, |layer| layer.grade);
        let layer = &self.solved[layer.map_err(|_| missing_successor())?];
        scores.reserve(keys.len());
        for keys in keys.chunks(TOGETHER) {
            keys.iter().for_each(|&key| layer.prefetch_entry(key));
            keys.iter().for_each(|&key| layer.prefetch_keys(key));
            for &key in keys {
                scores.push(layer.score(key).ok_or_else(missing_successor)?);
            }
        }
        Ok(())
    }

    /// Numbers all positions with their images and sorts them. Frees memory as it goes.
    ///
    /// # Errors
    /// If a position has no number, or they do not fit into `memory` bytes.
    pub fn into_numbered(
        self,
        game: &dyn Positions,
        pool: &crate::Pool,
        memory: u64,
    ) -> Result<NumberedScores, SolveError> {
        NumberedScores::of(self.solved, &|scored| game.numbered(scored), pool, memory)
    }

    /// Visits all keys, as [`RestoredShare`] reads them.
    ///
    /// # Errors
    /// The first error of `visit`.
    pub fn each(&self, visit: &mut VisitKeys<'_>) -> io::Result<()> {
        let unsolved = |key| (key, 0);
        for (&grade, keys) in &self.waiting {
            visit(GradeState::Waiting, grade, &mut keys.keys().map(unsolved))?;
        }
        for (&grade, keys) in &self.gathered {
            visit(GradeState::Gathered, grade, &mut keys.iter().copied().map(unsolved))?;
        }
        for (&grade, (keys, scores)) in &self.partly {
            visit(GradeState::Solved, grade, &mut keys.iter().copied().zip(scores.iter().copied()))?;
        }
        for layer in &self.solved {
            let mut scored = layer.keys.iter().enumerate().map(|(at, &key)| (key, layer.scores.wide(at)));
            visit(GradeState::Solved, layer.grade, &mut scored)?;
        }
        Ok(())
    }
}

/// Sorts keys with their scores.
fn by_key(keys: Vec<u64>, scores: Vec<u16>) -> (Vec<u64>, Vec<u16>) {
    let mut pairs: Vec<(u64, u16)> = keys.into_iter().zip(scores).collect();
    pairs.sort_unstable();
    pairs.into_iter().unzip()
}

/// The keys of one grade while a checkpoint is read.
#[derive(Default)]
struct RestoredGrade {
    waiting: Vec<u64>,
    gathered: Vec<u64>,
    solved: (Vec<u64>, Vec<u16>),
}

/// A share that is restored from saved pieces.
#[derive(Default)]
pub struct RestoredShare {
    grades: BTreeMap<u64, RestoredGrade>,
}

impl RestoredShare {
    /// Adds a piece. Returns `false` if it is malformed: solved keys must have scores, and no others may.
    #[must_use]
    pub fn add(&mut self, piece: SavedPiece) -> bool {
        let wanted = if piece.state == GradeState::Solved { piece.keys.len() } else { 0 };
        if piece.scores.len() != wanted {
            return false;
        }
        let grade = self.grades.entry(piece.grade).or_default();
        match piece.state {
            GradeState::Waiting => grade.waiting.extend(piece.keys),
            GradeState::Gathered => grade.gathered.extend(piece.keys),
            GradeState::Solved => {
                grade.solved.0.extend(piece.keys);
                grade.solved.1.extend(piece.scores);
            }
        }
        true
    }

    /// Returns the share once all pieces are added; `None` if a key occurred twice, or if the states of the
    /// keys of a grade cannot occur together.
    pub fn finish(self, pool: &crate::Pool) -> Option<Share> {
        let mut share = Share::default();
        for (grade, RestoredGrade { waiting, mut gathered, solved: (keys, scores) }) in self.grades {
            let mut all = [waiting.as_slice(), &gathered, &keys].concat();
            all.sort_unstable();
            if !all.is_sorted_by(|a, b| a < b) || !waiting.is_empty() && !keys.is_empty() {
                return None;
            }
            if !waiting.is_empty() {
                share.add(pool, grade, &[DividedKeys::new(&waiting)]);
            }
            let (keys, scores) = by_key(keys, scores);
            match gathered.is_empty() || keys.is_empty() {
                true => share.put_solved(grade, keys, Scores::packed(scores)),
                false => _ = share.partly.insert(grade, (keys, scores)),
            }
            gathered.sort_unstable();
            share.put_gathered(grade, gathered);
        }
        Some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_game::Random;

    /// A share with a few grades in each state, and its keys by grade.
    fn share(seed: u64, pool: &crate::Pool) -> (Share, Vec<SavedPiece>) {
        let mut random = Random::new(seed);
        let (mut share, mut pieces) = (Share::default(), Vec::new());
        for grade in 0..9 {
            let mut keys: Vec<u64> = (0..random.below(40)).map(|_| random.bits()).collect();
            keys.sort_unstable();
            keys.dedup();
            let scores: Vec<u16> = keys.iter().map(|_| random.below(1 << 16) as u16).collect();
            let state = match grade {
                0..3 => GradeState::Solved,
                3..6 => GradeState::Gathered,
                _ => GradeState::Waiting,
            };
            match state {
                GradeState::Solved => share.put_solved(grade, keys.clone(), Scores::packed(scores.clone())),
                GradeState::Gathered => share.put_gathered(grade, keys.clone()),
                GradeState::Waiting => share.add(pool, grade, &[DividedKeys::new(&keys)]),
            }
            let scores = if state == GradeState::Solved { scores } else { Vec::new() };
            pieces.push(SavedPiece { state, grade, keys, scores });
        }
        (share, pieces)
    }

    #[test]
    fn saved_work_is_restored_in_pieces_of_any_size() {
        let pool = crate::pool(1).unwrap();
        for seed in 0..50 {
            let (share, expected) = share(seed, &pool);
            let mut restored = RestoredShare::default();
            let mut pieces = Vec::new();
            let visit = &mut |state, grade, scored: &mut dyn Iterator<Item = (u64, u16)>| {
                let scored: Vec<(u64, u16)> = scored.collect();
                for scored in scored.chunks(1 + seed as usize % 7) {
                    let (keys, mut scores): (Vec<u64>, Vec<u16>) = scored.iter().copied().unzip();
                    scores.truncate(if state == GradeState::Solved { keys.len() } else { 0 });
                    pieces.push(SavedPiece { state, grade, keys, scores });
                }
                Ok(())
            };
            share.each(visit).unwrap();
            assert_eq!(pieces.iter().map(|piece| piece.keys.len() as u64).sum::<u64>(), share.len());
            pieces.reverse();
            assert!(pieces.into_iter().all(|piece| restored.add(piece)));
            let mut restored = restored.finish(&pool).unwrap();
            assert_eq!((restored.len(), restored.left_to_solve()), (share.len(), share.left_to_solve()));
            for piece in &expected {
                match piece.state {
                    GradeState::Waiting => assert_eq!(restored.take_waiting(&pool, piece.grade), piece.keys),
                    GradeState::Gathered => assert_eq!(restored.take_gathered(piece.grade), piece.keys),
                    GradeState::Solved => {
                        let mut scores = Vec::new();
                        restored.scores(piece.grade, &piece.keys, &mut scores).unwrap();
                        assert_eq!(scores, piece.scores);
                    }
                }
            }
            assert!(restored.scores(100, &[1], &mut Vec::new()).is_err());
        }
    }

    #[test]
    fn an_interrupted_grade_is_reassembled() {
        let pool = crate::pool(1).unwrap();
        let piece = |state, grade, keys: &[u64], scores: &[u16]| SavedPiece {
            state,
            grade,
            keys: keys.to_vec(),
            scores: scores.to_vec(),
        };
        let mut restored = RestoredShare::default();
        for piece in [
            piece(GradeState::Gathered, 7, &[2, 9], &[]),
            piece(GradeState::Waiting, 7, &[5, 1], &[]),
            piece(GradeState::Solved, 3, &[8, 4], &[80, 40]),
            piece(GradeState::Gathered, 3, &[6], &[]),
        ] {
            assert!(restored.add(piece));
        }
        let mut share = restored.finish(&pool).unwrap();
        assert_eq!(
            (share.len(), share.next_waiting(), share.gathered_grades().next()),
            (7, Some((7, 2)), Some((3, 1)))
        );
        let mut saved = 0;
        let count = &mut |_, _, scored: &mut dyn Iterator<Item = (u64, u16)>| {
            saved += scored.count();
            Ok(())
        };
        share.each(count).unwrap();
        assert_eq!(saved, 7);
        let waiting = share.take_waiting(&pool, 7);
        assert_eq!(waiting, [1, 5]);
        share.put_gathered(7, waiting);
        assert_eq!(share.take_gathered(7), [1, 2, 5, 9]);
        let keys = share.take_gathered(3);
        assert!(share.scores(3, &[4], &mut Vec::new()).is_err(), "only once the whole grade is solved");
        share.put_solved(3, keys, Scores::packed(vec![60]));
        let mut scores = Vec::new();
        share.scores(3, &[4, 6, 8], &mut scores).unwrap();
        assert_eq!(scores, [40, 60, 80]);
    }

    #[test]
    fn contradictory_pieces_are_rejected() {
        let pool = crate::pool(1).unwrap();
        let piece = |state, keys: &[u64], scores: &[u16]| SavedPiece {
            state,
            grade: 1,
            keys: keys.to_vec(),
            scores: scores.to_vec(),
        };
        let [waiting, gathered, solved] = [GradeState::Waiting, GradeState::Gathered, GradeState::Solved];
        assert!(!RestoredShare::default().add(piece(solved, &[9], &[])), "a score is missing");
        assert!(!RestoredShare::default().add(piece(gathered, &[9], &[1])), "a score too many");
        let refused = |pieces: [SavedPiece; 2]| {
            let mut restored = RestoredShare::default();
            pieces.into_iter().all(|piece| restored.add(piece)) && restored.finish(&pool).is_none()
        };
        assert!(refused([piece(gathered, &[7, 3], &[]), piece(gathered, &[7], &[])]), "a key came twice");
        assert!(refused([piece(solved, &[7, 3], &[1, 2]), piece(gathered, &[3], &[])]), "in two states");
        assert!(refused([piece(solved, &[7], &[1]), piece(waiting, &[3], &[])]), "states too far apart");
    }
}
