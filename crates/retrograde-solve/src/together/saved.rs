//! The format of saved pieces of keys. All numbers are little-endian:
//!
//! ```text
//!   8  grade
//!   1  state of the keys: 0 waiting, 1 gathered, 2 solved
//!  8n  keys
//!  2n  scores, if solved
//! ```

use std::io;

use super::owners::Owners;
use super::team::Team;
use crate::job::SolveError;
use crate::reachable::{GradeState, SavedPiece, VisitKeys};

/// The number of keys in a piece.
const PIECE_KEYS: usize = 1 << 16;
const HEAD: usize = 9;

const STATES: [GradeState; 3] = [GradeState::Waiting, GradeState::Gathered, GradeState::Solved];

/// Encodes a piece.
pub(super) fn piece_bytes(piece: &SavedPiece) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + piece.keys.len() * 10);
    bytes.extend_from_slice(&piece.grade.to_le_bytes());
    bytes.push(piece.state as u8);
    piece.keys.iter().for_each(|key| bytes.extend_from_slice(&key.to_le_bytes()));
    piece.scores.iter().for_each(|score| bytes.extend_from_slice(&score.to_le_bytes()));
    bytes
}

/// Decodes a piece. Returns `None` if the bytes are malformed.
pub(super) fn read_piece(bytes: &[u8]) -> Option<SavedPiece> {
    let (grade, rest) = bytes.split_first_chunk::<8>()?;
    let (&state, body) = rest.split_first()?;
    let state = *STATES.get(usize::from(state))?;
    let each = if state == GradeState::Solved { 10 } else { 8 };
    let count = body.len() / each;
    if count == 0 || !body.len().is_multiple_of(each) {
        return None;
    }
    let (keys, scores) = body.split_at(count * 8);
    let keys = keys.as_chunks::<8>().0.iter().map(|&key| u64::from_le_bytes(key)).collect();
    let scores = scores.as_chunks::<2>().0.iter().map(|&score| u16::from_le_bytes(score)).collect();
    Some(SavedPiece { state, grade: u64::from_le_bytes(*grade), keys, scores })
}

/// Splits a piece by the owners of its keys and encodes each part. Other processes get no bytes.
fn by_owner(piece: SavedPiece, processes: usize, owners: &Owners) -> Vec<Vec<u8>> {
    let SavedPiece { state, grade, keys, scores } = piece;
    let none = SavedPiece { state, grade, keys: Vec::new(), scores: Vec::new() };
    let mut pieces = vec![none; processes];
    for (at, key) in keys.into_iter().enumerate() {
        let piece = &mut pieces[owners.of(key)];
        piece.keys.push(key);
        piece.scores.extend(scores.get(at));
    }
    let bytes = |piece: &SavedPiece| if piece.keys.is_empty() { Vec::new() } else { piece_bytes(piece) };
    pieces.iter().map(bytes).collect()
}

impl Team<'_, '_> {
    /// Saves the keys of all processes in pieces; this process has `own` keys. All processes must call this at
    /// the same point.
    pub fn save_pieces(
        &mut self,
        (stage, own): (u64, u64),
        each: &dyn Fn(&mut VisitKeys<'_>) -> io::Result<()>,
    ) -> Result<(), SolveError> {
        self.save((stage, 2, own), &mut |save| {
            each(&mut |state, grade, scored| loop {
                let (keys, mut scores): (Vec<u64>, Vec<u16>) = scored.take(PIECE_KEYS).unzip();
                if keys.is_empty() {
                    return Ok(());
                }
                scores.truncate(if state == GradeState::Solved { keys.len() } else { 0 });
                save(&piece_bytes(&SavedPiece { state, grade, keys, scores }))?;
            })
        })
    }

    /// Sends the pieces of a checkpoint to their owners and passes those of this process to `take`.
    /// Returns the stage of the checkpoint, if one exists.
    pub fn load_pieces(
        &mut self,
        owners: &Owners,
        take: &mut dyn FnMut(SavedPiece),
    ) -> Result<Option<u64>, SolveError> {
        let Some(found) = self.look()? else { return Ok(None) };
        let (me, processes) = (self.me, self.processes);
        let divide = |bytes: &[u8]| Some(by_owner(read_piece(bytes)?, processes, owners));
        let mut take = |bytes: &[u8]| {
            let piece = read_piece(bytes)?;
            let count = piece.keys.len() as u64;
            piece.keys.iter().all(|&key| owners.of(key) == me).then(|| take(piece))?;
            Some(count)
        };
        let taken = self.load(&divide, &mut take)?;
        self.check_whole(taken == found.positions)?;
        Ok(Some(found.stage))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_the_saved_pieces_come_back() {
        let piece = |state, keys: &[u64], scores: &[u16]| SavedPiece {
            state,
            grade: 7,
            keys: keys.to_vec(),
            scores: scores.to_vec(),
        };
        for piece in [
            piece(GradeState::Waiting, &[5, 1 << 60], &[]),
            piece(GradeState::Gathered, &[0], &[]),
            piece(GradeState::Solved, &[7, 8, u64::MAX], &[1, 300, u16::MAX]),
        ] {
            let bytes = piece_bytes(&piece);
            assert_eq!(read_piece(&bytes).as_ref(), Some(&piece));
            assert_eq!(read_piece(&bytes[..bytes.len() - 1]), None);
        }
        assert_eq!(read_piece(&[0; HEAD]), None);
        assert_eq!(read_piece(&[3; HEAD + 8]), None);
    }
}
