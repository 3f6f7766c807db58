//! Rounds of messages among processes that solve a game together. Solvers use this trait; the crate
//! that connects processes implements it.

use crate::job::SolveError;

/// The other processes of a solve. In a round each process sends bytes to any of them, and all add up
/// numbers; the round ends when everything that was sent in it has arrived.
pub trait Exchange {
    /// The number of this process.
    fn process(&self) -> usize;

    /// The threads of each process.
    fn threads(&self) -> &[u32];

    /// A round: sends pieces, and returns those that were sent to this process, in any order, with the
    /// tally of all. Every process takes part, whatever it has to send.
    ///
    /// # Errors
    /// [`SolveError::Outside`] if another process has failed.
    fn round(&mut self, send: Vec<Piece>, tally: Tally) -> Result<(Vec<Piece>, Tally), SolveError>;

    /// A round of numbers alone.
    ///
    /// # Errors
    /// As [`Exchange::round`].
    fn add_up(&mut self, tally: Tally) -> Result<Tally, SolveError> {
        let (pieces, tally) = self.round(Vec::new(), tally)?;
        match pieces.first() {
            None => Ok(tally),
            Some(piece) => Err(piece.wrong("what nobody asked for")),
        }
    }

    /// Sends bytes to all processes, and returns the bytes of all, by process.
    ///
    /// # Errors
    /// As [`Exchange::round`].
    fn tell_all(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, SolveError> {
        let processes = self.threads().len();
        let send = |process| Piece { process, tag: 0, bytes: bytes.to_vec() };
        let (pieces, _) = self.round((0..processes).map(send).collect(), Tally::default())?;
        by_sender(pieces, processes)
    }

    /// Sends bytes to process 0, which receives the bytes of all, by process; the others receive nothing.
    ///
    /// # Errors
    /// As [`Exchange::round`].
    fn tell_first(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, SolveError> {
        let processes = if self.process() == 0 { self.threads().len() } else { 0 };
        let piece = Piece { process: 0, tag: 0, bytes: bytes.to_vec() };
        let (pieces, _) = self.round(vec![piece], Tally::default())?;
        by_sender(pieces, processes)
    }
}

/// The bytes of pieces, one of each process.
fn by_sender(pieces: Vec<Piece>, processes: usize) -> Result<Vec<Vec<u8>>, SolveError> {
    let mut told: Vec<Option<Vec<u8>>> = vec![None; processes];
    for piece in pieces {
        match told.get_mut(piece.process) {
            Some(place @ None) => *place = Some(piece.bytes),
            _ => return Err(piece.wrong("what nobody asked for")),
        }
    }
    let missing = told.iter().position(Option::is_none);
    match missing {
        Some(from) => Err(SolveError::Protocol { from, what: "nothing where all do" }),
        None => Ok(told.into_iter().flatten().collect()),
    }
}

/// Bytes from one process to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Piece {
    /// The receiver of what is sent; the sender of what was received.
    pub process: usize,
    /// Says what the bytes are, where a round has several kinds.
    pub tag: u64,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl Piece {
    /// The error of a piece that is not what it should be.
    pub(crate) fn wrong(&self, what: &'static str) -> SolveError {
        SolveError::Protocol { from: self.process, what }
    }
}

/// A number that all processes add up in a round, and flags that are set if any process sets them.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tally {
    /// The number.
    pub sum: u64,
    /// The flags.
    pub flags: u64,
}

impl Tally {
    /// Some process has more to send.
    pub const MORE: u64 = 1;
    /// Some process is to stop.
    pub const STOP: u64 = 2;
    /// A checkpoint is due.
    pub const SAVE: u64 = 4;
    /// Some process has failed, in a way that the caller knows.
    pub const FAILED: u64 = 8;

    /// A flag, if it is set.
    pub fn flag(flag: u64, set: bool) -> Tally {
        Tally { flags: if set { flag } else { 0 }, sum: 0 }
    }

    /// A number.
    pub fn sum(sum: u64) -> Tally {
        Tally { sum, flags: 0 }
    }

    /// Both.
    #[must_use]
    pub fn and(self, other: Tally) -> Tally {
        Tally { sum: self.sum.saturating_add(other.sum), flags: self.flags | other.flags }
    }

    /// Whether a flag is set.
    pub fn has(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }
}

/// One process alone: it receives what it sends itself.
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
