//! Certificates: files that show, position by position, how a side never loses. A program that knows only
//! the rules can check them; `docs/draw-certificate.md` describes the format.
//!
//! The set has positions in which the side is to move, each with a turn. For an impartial game, it has the
//! positions after the winner's turns: fewer, but the checker has to find the turns itself. Outcomes are
//! looked up in the table; without one, an impartial game is searched.

use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use parking_lot::Mutex;
use retrograde_game::{Index, Outcome, Seat, Stored};
use retrograde_solve::proof::Limits;
use retrograde_solve::sums::Strategy;

use super::output_file::OutputFile;
use crate::game::open::OpenGame;
use crate::game::rules::Position;
use crate::game::sums::Sums;
use crate::query::certificate::{Closure, close};
use crate::{Certificate, Count, Error, Resources};

impl OpenGame {
    /// Finds a closed set of at most `limit` positions in which a side never loses, and writes it to a file
    /// as a certificate.
    ///
    /// # Errors
    /// [`Error::NoTable`], or an error if the side can lose, the work was stopped, or the file
    /// cannot be written.
    pub fn certificate(
        &self,
        side: Seat,
        limit: u64,
        out: &Path,
        resources: &Resources<'_>,
    ) -> Result<Certificate, Error> {
        if let Some(sums) = &self.entry.sums {
            return certificate_of_sums(self, &**sums, side, limit, out, resources);
        }
        let set = close(self, side, limit, resources)?;
        let written = if set.closed { Some(write(self, side, &set, out)?) } else { None };
        Ok(Certificate {
            game: self.name().to_owned(),
            side: side.word(),
            closed: set.closed,
            positions: Count(set.turns.len() as u128),
            after_turns: Count(set.after_turns.into()),
            passes: set.passes,
            growth: set.growth,
            file: written.map(|_| out.display().to_string()),
            bytes: written.map(|(bytes, _)| Count(bytes.into())),
            checksum: written.map(|(_, checksum)| format!("{checksum:016x}")),
        })
    }
}

/// Certifies the winner of an impartial game.
fn certificate_of_sums(
    open: &OpenGame,
    sums: &dyn Sums,
    side: Seat,
    limit: u64,
    out: &Path,
    resources: &Resources<'_>,
) -> Result<Certificate, Error> {
    let values = open.values.as_deref();
    resources.progress.stage(if values.is_some() { "choosing turns" } else { "searching sums of parts" }, 0);
    let fault = Mutex::new(None);
    let known = |position: &Position| match values?.get(open.index_of(position)?) {
        Ok(Stored::Known(knowledge)) => knowledge.outcome().map(|outcome| outcome == Outcome::Loss),
        Ok(Stored::Nothing) => None,
        Err(error) => {
            fault.lock().get_or_insert(error);
            None
        }
    };
    let stopped = || resources.progress.stopped() || fault.lock().is_some();
    // A quarter is left for the set.
    let memory = resources.memory / 4 * 3;
    let limits = Limits { nodes: u64::MAX, time: Duration::MAX, depth: None, memory, stopped: &stopped };
    let max_positions = limit.min(resources.memory / 4 / BYTES_A_POSITION);
    let found = sums.strategy(&known, max_positions, &limits);
    if let Some(error) = fault.into_inner() {
        return Err(error.into());
    }
    if resources.progress.stopped() {
        return Err(Error::Stopped);
    }
    let mut certificate = Certificate {
        game: open.name().to_owned(),
        side: side.word(),
        closed: false,
        positions: Count(max_positions.into()),
        after_turns: Count(max_positions.into()),
        passes: Vec::new(),
        growth: Vec::new(),
        file: None,
        bytes: None,
        checksum: None,
    };
    let Ok(strategy) = found else { return Ok(certificate) };
    if strategy.first != (side == Seat::First) {
        return Err(Error::Unsupported(format!("the {} player of {} can lose", side.word(), open.name())));
    }
    let (bytes, checksum) = write_strategy(open, side, &strategy, out)?;
    certificate.closed = true;
    certificate.positions = Count(strategy.positions.len() as u128);
    certificate.after_turns = certificate.positions;
    certificate.file = Some(out.display().to_string());
    certificate.bytes = Some(Count(bytes.into()));
    certificate.checksum = Some(format!("{checksum:016x}"));
    Ok(certificate)
}

/// The bytes per position of the set: the position, its fingerprint, and the empty slots of a hash table.
const BYTES_A_POSITION: u64 = 64;

/// Writes the file of a strategy. Returns its size and its checksum.
fn write_strategy(
    open: &OpenGame,
    side: Seat,
    strategy: &Strategy<String>,
    out: &Path,
) -> Result<(u64, u64), Error> {
    let mut file = Summed::begin(open, 2, side, strategy.positions.len(), out)?;
    let mut texts = strategy.positions.clone();
    // The order does not depend on the search.
    texts.sort_unstable();
    for text in texts {
        writeln!(file, "{text}")?;
    }
    file.end()
}

/// Writes the file. Returns its size and its checksum.
fn write(open: &OpenGame, side: Seat, set: &Closure, out: &Path) -> Result<(u64, u64), Error> {
    let game = &*open.entry.game;
    let mut file = Summed::begin(open, 1, side, set.turns.len(), out)?;
    let mut turns: Vec<(u64, u64)> = set.turns.iter().map(|(&here, &next)| (here, next)).collect();
    turns.sort_unstable();
    for (here, next) in turns {
        let text = |index: u64| Ok::<_, Error>(game.position_text(&open.position_at(Index(index))?));
        writeln!(file, "{} {}", text(here)?, text(next)?)?;
    }
    file.end()
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// A file, the number of bytes written to it, and their FNV-1a sum.
struct Summed {
    file: OutputFile,
    bytes: u64,
    sum: u64,
}

impl Summed {
    /// Creates a file of some version and writes everything before the set.
    fn begin(
        open: &OpenGame,
        version: u32,
        side: Seat,
        positions: usize,
        out: &Path,
    ) -> Result<Summed, Error> {
        let mut file = Summed { file: OutputFile::create(out)?, bytes: 0, sum: FNV_OFFSET };
        writeln!(file, "Retrograde certificate {version}\nname = {}\nside = {}", open.name(), side.word())?;
        writeln!(file, "positions = {positions}")?;
        if let Some(rules) = &open.entry.rules_text {
            file.write_all(rules().as_bytes())?;
        }
        writeln!(file, "set")?;
        Ok(file)
    }

    /// Ends the file with its checksum. Returns its size, including the last line, and its checksum.
    fn end(mut self) -> Result<(u64, u64), Error> {
        let checksum = self.sum;
        writeln!(self, "end {checksum:016x}")?;
        let bytes = self.bytes;
        self.file.finish()?;
        Ok((bytes, checksum))
    }
}

impl Write for Summed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write_all(bytes)?;
        self.bytes += bytes.len() as u64;
        self.sum = bytes.iter().fold(self.sum, |sum, &byte| (sum ^ u64::from(byte)).wrapping_mul(FNV_PRIME));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}
