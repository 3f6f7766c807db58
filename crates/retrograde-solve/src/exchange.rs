//! Rounds of messages among processes that solve a game together. Solvers use the [`Exchange`] trait;
//! `retrograde-cluster` implements it.

use crate::job::SolveError;

/// Connects the processes of a solve. In a round, each process sends bytes to any others and contributes
/// to a common tally. The round ends when everything sent in it has arrived.
pub trait Exchange {
    /// Returns the number of this process.
    fn process(&self) -> usize;

    /// Returns the number of threads of each process.
    fn threads(&self) -> &[u32];

    /// Runs a round: sends pieces and returns the pieces sent to this process, in any order, with the tally
    /// of all processes. Every process must take part, even if it sends nothing.
    ///
    /// # Errors
    /// Returns [`SolveError::Outside`] if another process has failed.
    fn round(&mut self, send: Vec<Piece>, tally: Tally) -> Result<(Vec<Piece>, Tally), SolveError>;

    /// Runs a round that only adds up tallies.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Exchange::round`].
    fn add_up(&mut self, tally: Tally) -> Result<Tally, SolveError> {
        let (pieces, tally) = self.round(Vec::new(), tally)?;
        match pieces.first() {
            None => Ok(tally),
            Some(piece) => Err(piece.wrong("unexpected bytes")),
        }
    }

    /// Sends bytes to all processes and returns the bytes of all, by process.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Exchange::round`].
    fn tell_all(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, SolveError> {
        let processes = self.threads().len();
        let send = |process| Piece { process, tag: 0, bytes: bytes.to_vec() };
        let (pieces, _) = self.round((0..processes).map(send).collect(), Tally::default())?;
        by_sender(pieces, processes)
    }

    /// Sends bytes to process 0, which receives the bytes of all, by process. The others receive nothing.
    ///
    /// # Errors
    /// Returns an error in the same cases as [`Exchange::round`].
    fn tell_first(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, SolveError> {
        let processes = if self.process() == 0 { self.threads().len() } else { 0 };
        let piece = Piece { process: 0, tag: 0, bytes: bytes.to_vec() };
        let (pieces, _) = self.round(vec![piece], Tally::default())?;
        by_sender(pieces, processes)
    }
}

/// Orders pieces, one from each process, by sender.
fn by_sender(pieces: Vec<Piece>, processes: usize) -> Result<Vec<Vec<u8>>, SolveError> {
    let mut by_process: Vec<Option<Vec<u8>>> = vec![None; processes];
    for piece in pieces {
        match by_process.get_mut(piece.process) {
            Some(place @ None) => *place = Some(piece.bytes),
            _ => return Err(piece.wrong("unexpected bytes")),
        }
    }
    let missing = by_process.iter().position(Option::is_none);
    match missing {
        Some(from) => Err(SolveError::Protocol { from, what: "no bytes" }),
        None => Ok(by_process.into_iter().flatten().collect()),
    }
}

/// Bytes from one process to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The receiver of a sent piece, or the sender of a received one.
    pub process: usize,
    /// The kind of piece, in rounds with several kinds.
    pub tag: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Piece {
    /// Returns the error for a piece with unexpected contents.
    pub(crate) fn wrong(&self, what: &'static str) -> SolveError {
        SolveError::Protocol { from: self.process, what }
    }
}

/// A sum over all processes in a round, and flags that are set if any process sets them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// The number.
    pub sum: u64,
    /// The flags.
    pub flags: u64,
}

impl Tally {
    /// A process has more to send.
    pub const MORE: u64 = 1;
    /// A process wants to stop.
    pub const STOP: u64 = 2;
    /// A checkpoint is due.
    pub const SAVE: u64 = 4;
    /// A process has failed in a way that the caller knows.
    pub const FAILED: u64 = 8;

    /// Returns a tally with `flag` if it is set.
    pub fn flag(flag: u64, set: bool) -> Tally {
        Tally { flags: if set { flag } else { 0 }, sum: 0 }
    }

    /// Returns a tally with this sum and no flags.
    pub fn sum(sum: u64) -> Tally {
        Tally { sum, flags: 0 }
    }

    /// Combines two tallies.
    #[must_use]
    pub fn and(self, other: Tally) -> Tally {
        Tally { sum: self.sum.saturating_add(other.sum), flags: self.flags | other.flags }
    }

    /// Returns whether a flag is set.
    pub fn has(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }
}

/// A single process, which receives what it sends to itself.
#[derive(Clone, Copy, Debug)]
pub struct Alone(pub [u32; 1]);

impl Exchange for Alone {
    fn process(&self) -> usize {
        0
    }
    fn threads(&self) -> &[u32] {
        &self.0
    }
    fn round(&mut self, send: Vec<Piece>, tally: Tally) -> Result<(Vec<Piece>, Tally), SolveError> {
        Ok((send, tally))
    }
}
