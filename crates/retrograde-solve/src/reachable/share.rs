//! What occurs, shared by several processes: the part that one of them holds.
//!
//! Every position has an owner, and this is what an owner knows of its own: keys that wait for their
//! grade's turn, grades whose keys are complete, and grades that are solved. The work is that of one
//! process alone ([`super::solve_graded`]); whoever shares it out brings in what others have found,
//! and asks for scores.

use std::collections::BTreeMap;
use std::io;

use super::batches::Numbers;
use super::layer::{BYTES_A_KEY, Layer, ScoreList};
use super::settle::other_turns;
use super::values::NumberedScores;
use super::waiting::{DividedKeys, Waiting};
use crate::job::SolveError;

/// Keys that are looked up together.
const TOGETHER: usize = 1 << 7;

/// How far a grade is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum GradeState {
    /// Further keys of it may be found, and what follows it is not known.
    Waiting,
    /// All its keys are known, and all that follows them.
    Gathered,
    /// Its keys have scores.
    Solved,
}

/// Keys of one grade, as they are saved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedPiece {
    /// How far the grade is.
    pub state: GradeState,
    /// The grade.
    pub grade: u64,
    /// Keys, in any order.
    pub keys: Vec<u64>,
    /// Their scores of two bytes, where the grade is solved; else nothing.
    pub scores: Vec<u16>,
}

/// The positions that one of several processes owns.
#[derive(Default)]
pub struct Share {
    waiting: BTreeMap<u64, Waiting>,
    gathered: BTreeMap<u64, Vec<u64>>,
    /// The lowest grade first.
    solved: Vec<Layer>,
}

impl Share {
    /// Adds keys of a grade that wait for its turn.
    pub fn add(&mut self, pool: &crate::Pool, grade: u64, found: &[DividedKeys]) {
        self.waiting.entry(grade).or_insert_with(Waiting::new).add(pool, found);
    }

    /// The highest grade that waits, with the number of its keys.
    pub fn next_waiting(&self) -> Option<(u64, u64)> {
        self.waiting.last_key_value().map(|(&grade, keys)| (grade, keys.len() as u64))
    }

    /// The keys of a grade that waits, sorted; they wait no more.
    pub fn take_waiting(&mut self, grade: u64) -> Vec<u64> {
        self.waiting.remove(&grade).map(Waiting::into_sorted).unwrap_or_default()
    }

    /// Takes back the keys of a grade, all of whose successors are known.
    pub fn put_gathered(&mut self, grade: u64, keys: Vec<u64>) {
        if !keys.is_empty() {
            self.gathered.insert(grade, keys);
        }
    }

    /// The lowest grade that is to be solved, with the number of its keys.
    pub fn next_gathered(&self) -> Option<(u64, u64)> {
        self.gathered.first_key_value().map(|(&grade, keys)| (grade, keys.len() as u64))
    }

    /// The keys of a grade that is to be solved, sorted.
    pub fn take_gathered(&mut self, grade: u64) -> Vec<u64> {
        self.gathered.remove(&grade).unwrap_or_default()
    }

    /// Takes the scores of a grade, which is above all that were solved before.
    pub fn put_solved(&mut self, grade: u64, keys: Vec<u64>, scores: Vec<u16>) {
        if !keys.is_empty() {
            let mut layer = Layer::new(grade, keys);
            layer.scores = ScoreList::packed(scores);
            self.solved.push(layer);
        }
    }

    /// The number of keys that are to be solved.
    pub fn left_to_solve(&self) -> u64 {
        self.gathered.values().map(|keys| keys.len() as u64).sum()
    }

    /// The number of keys, those of a grade that was taken not among them.
    pub fn len(&self) -> u64 {
        let waiting: usize = self.waiting.values().map(Waiting::len).sum();
        let solved: usize = self.solved.iter().map(|layer| layer.keys.len()).sum();
        (waiting + solved) as u64 + self.left_to_solve()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes of memory that it takes in the end for what is known now, with scores of one byte, or
    /// now, if that is more.
    pub fn bytes(&self) -> u64 {
        let waiting: u64 = self.waiting.values().map(Waiting::bytes).sum();
        let solved: u64 = self.solved.iter().map(Layer::bytes).sum();
        waiting + solved + self.left_to_solve() * (BYTES_A_KEY + 1)
    }

    /// Adds the scores of keys of a solved grade to a list, in their order.
    ///
    /// # Errors
    /// If one of them is not here.
    pub fn scores(&self, grade: u64, keys: &[u64], scores: &mut Vec<u16>) -> Result<(), SolveError> {
        if keys.is_empty() {
            return Ok(());
        }
        let layer = self.solved.binary_search_by_key(&grade, |layer| layer.grade);
        let layer = &self.solved[layer.map_err(|_| other_turns())?];
        scores.reserve(keys.len());
        for keys in keys.chunks(TOGETHER) {
            keys.iter().for_each(|&key| layer.prefetch_entry(key));
            keys.iter().for_each(|&key| layer.prefetch_keys(key));
            for &key in keys {
                scores.push(layer.score(key).ok_or_else(other_turns)?);
            }
        }
        Ok(())
    }

    /// All positions by number, sorted, with their images. Memory is given back as they are numbered.
    ///
    /// # Errors
    /// If one has no number, or they do not fit so many bytes.
    pub fn into_numbered(
        self,
        numbers: Numbers<'_>,
        pool: &crate::Pool,
        memory: u64,
    ) -> Result<NumberedScores, SolveError> {
        let narrow = self.solved.iter().all(|layer| matches!(layer.scores, ScoreList::Narrow(_)));
        NumberedScores::of(self.solved, NumberedScores::new(narrow, 0), numbers, pool, memory)
    }

    /// Visits all keys in pieces of up to so many, from which a [`RestoredShare`] is made.
    ///
    /// # Errors
    /// The first of `visit`.
    pub fn each_piece(
        &self,
        most: usize,
        visit: &mut dyn FnMut(SavedPiece) -> io::Result<()>,
    ) -> io::Result<()> {
        let piece = |state, grade, keys| SavedPiece { state, grade, keys, scores: Vec::new() };
        for (&grade, waiting) in &self.waiting {
            let mut keys = waiting.keys();
            loop {
                let here: Vec<u64> = keys.by_ref().take(most).collect();
                if here.is_empty() {
                    break;
                }
                visit(piece(GradeState::Waiting, grade, here))?;
            }
        }
        for (&grade, keys) in &self.gathered {
            for keys in keys.chunks(most) {
                visit(piece(GradeState::Gathered, grade, keys.to_vec()))?;
            }
        }
        for layer in &self.solved {
            for from in (0..layer.keys.len()).step_by(most) {
                let places = from..layer.keys.len().min(from + most);
                let keys = layer.keys[places.clone()].to_vec();
                let scores = places.map(|at| layer.scores.get(at)).collect();
                visit(SavedPiece { scores, ..piece(GradeState::Solved, layer.grade, keys) })?;
            }
        }
        Ok(())
    }
}

/// A share that is made of saved pieces.
#[derive(Default)]
pub struct RestoredShare {
    grades: BTreeMap<u64, (Option<GradeState>, Vec<u64>, Vec<u16>)>,
}

impl RestoredShare {
    /// Adds a piece; `false` if it does not fit those before it: a grade is as far in all of them.
    #[must_use]
    pub fn add(&mut self, piece: SavedPiece) -> bool {
        let wanted = if piece.state == GradeState::Solved { piece.keys.len() } else { 0 };
        let (state, keys, scores) = self.grades.entry(piece.grade).or_default();
        if *state.get_or_insert(piece.state) != piece.state || piece.scores.len() != wanted {
            return false;
        }
        keys.extend(piece.keys);
        scores.extend(piece.scores);
        true
    }

    /// The share, when all pieces are there; `None` if one came twice.
    pub fn finish(self, pool: &crate::Pool) -> Option<Share> {
        let mut share = Share::default();
        for (grade, (state, mut keys, scores)) in self.grades {
            match state? {
                GradeState::Waiting => share.add(pool, grade, &[DividedKeys::new(&keys)]),
                GradeState::Gathered => {
                    keys.sort_unstable();
                    if !keys.is_sorted_by(|a, b| a < b) {
                        return None;
                    }
                    share.put_gathered(grade, keys);
                }
                GradeState::Solved => {
                    let mut pairs: Vec<(u64, u16)> = keys.into_iter().zip(scores).collect();
                    pairs.sort_unstable();
                    if !pairs.is_sorted_by(|(a, _), (b, _)| a < b) {
                        return None;
                    }
                    let (keys, scores) = pairs.into_iter().unzip();
                    share.put_solved(grade, keys, scores);
                }
            }
        }
        Some(share)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_game::Random;

    /// A share with some grades of each kind, their keys in the order of grades.
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
                GradeState::Solved => share.put_solved(grade, keys.clone(), scores.clone()),
                GradeState::Gathered => share.put_gathered(grade, keys.clone()),
                GradeState::Waiting => share.add(pool, grade, &[DividedKeys::new(&keys)]),
            }
            let scores = if state == GradeState::Solved { scores } else { Vec::new() };
            pieces.push(SavedPiece { state, grade, keys, scores });
        }
        (share, pieces)
    }

    #[test]
    fn what_was_saved_comes_back_in_pieces_of_any_size() {
        let pool = crate::pool(1).unwrap();
        for seed in 0..50 {
            let (share, expected) = share(seed, &pool);
            let mut restored = RestoredShare::default();
            let mut pieces = Vec::new();
            let most = 1 + seed as usize % 7;
            let visit = &mut |piece: SavedPiece| {
                assert!((1..=most).contains(&piece.keys.len()));
                pieces.push(piece);
                Ok(())
            };
            share.each_piece(most, visit).unwrap();
            assert_eq!(pieces.iter().map(|piece| piece.keys.len() as u64).sum::<u64>(), share.len());
            pieces.reverse();
            assert!(pieces.into_iter().all(|piece| restored.add(piece)));
            let mut restored = restored.finish(&pool).unwrap();
            assert_eq!((restored.len(), restored.left_to_solve()), (share.len(), share.left_to_solve()));
            for piece in &expected {
                match piece.state {
                    GradeState::Waiting => assert_eq!(restored.take_waiting(piece.grade), piece.keys),
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
    fn pieces_that_contradict_each_other_are_refused() {
        let pool = crate::pool(1).unwrap();
        let piece = |state, keys: &[u64], scores: &[u16]| SavedPiece {
            state,
            grade: 1,
            keys: keys.to_vec(),
            scores: scores.to_vec(),
        };
        for (state, scores) in [(GradeState::Gathered, &[][..]), (GradeState::Solved, &[1, 2])] {
            let mut restored = RestoredShare::default();
            assert!(restored.add(piece(state, &[7, 3], scores)));
            assert!(!restored.add(piece(GradeState::Waiting, &[9], &[])), "another state");
            assert!(!restored.add(piece(GradeState::Solved, &[9], &[])), "a score is missing");
            assert!(restored.add(piece(state, &[7], &scores[..scores.len() / 2])));
            assert!(restored.finish(&pool).is_none(), "a key came twice");
        }
    }
}
