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

use super::output_file::OutputFile;
use crate::game::sums::Sums;
use crate::query::certificate::close;
use crate::{Certificate, Count, Error, OpenGame, Position, Resources};

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
        let game = &*self.entry.game;
        let set = close(self, side, limit, resources)?;
        let mut certificate = Certificate {
            positions: Count(set.turns.len() as u128),
            after_turns: Count(set.after_turns.into()),
            passes: set.passes,
            growth: set.growth,
            ..unfinished(self, side)
        };
        if set.closed {
            let mut turns: Vec<(u64, u64)> = set.turns.into_iter().collect();
            turns.sort_unstable();
            let text = |index: u64| Ok::<_, Error>(game.position_text(&self.position_at(Index(index))?));
            let line = |(here, next)| Ok(format!("{} {}", text(here)?, text(next)?));
            write(self, &mut certificate, 1, turns.into_iter().map(line), out)?;
        }
        Ok(certificate)
    }
}

/// A certificate without positions or a file.
fn unfinished(open: &OpenGame, side: Seat) -> Certificate {
    Certificate {
        game: open.name().to_owned(),
        side: side.into(),
        closed: false,
        positions: Count(0),
        after_turns: Count(0),
        passes: Vec::new(),
        growth: Vec::new(),
        file: None,
        bytes: None,
        checksum: None,
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
    let max_positions = limit.min(resources.memory / 4 / BYTES_PER_POSITION);
    let found = sums.strategy(&known, max_positions, &limits);
    if let Some(error) = fault.into_inner() {
        return Err(error.into());
    }
    if resources.progress.stopped() {
        return Err(Error::Stopped);
    }
    let positions = Count(max_positions.into());
    let mut certificate = Certificate { positions, after_turns: positions, ..unfinished(open, side) };
    let Ok(strategy) = found else { return Ok(certificate) };
    if strategy.first != (side == Seat::First) {
        return Err(Error::Unsupported(format!(
            "the {} player of {} can be forced to lose",
            side.word(),
            open.name()
        )));
    }
    certificate.positions = Count(strategy.positions.len() as u128);
    certificate.after_turns = certificate.positions;
    let mut texts = strategy.positions;
    // The order does not depend on the search.
    texts.sort_unstable();
    write(open, &mut certificate, 2, texts.into_iter().map(Ok), out)?;
    Ok(certificate)
}

/// The bytes per position of the set: the position, its fingerprint, and the empty slots of a hash table.
const BYTES_PER_POSITION: u64 = 64;

/// Writes the file of a closed set, a line for each position, and adds it to the certificate.
fn write(
    open: &OpenGame,
    certificate: &mut Certificate,
    version: u32,
    lines: impl ExactSizeIterator<Item = Result<String, Error>>,
    out: &Path,
) -> Result<(), Error> {
    let mut file = Summed { file: OutputFile::create(out)?, bytes: 0, sum: FNV_OFFSET };
    let (name, side) = (open.name(), Seat::from(certificate.side).word());
    writeln!(file, "Retrograde certificate {version}\nname = {name}\nside = {side}")?;
    writeln!(file, "positions = {}", lines.len())?;
    if let Some(rules) = &open.entry.rules_text {
        file.write_all(rules().as_bytes())?;
    }
    writeln!(file, "set")?;
    for line in lines {
        writeln!(file, "{}", line?)?;
    }
    let checksum = format!("{:016x}", file.sum);
    writeln!(file, "end {checksum}")?;
    file.file.finish()?;
    certificate.closed = true;
    certificate.file = Some(out.display().to_string());
    certificate.bytes = Some(Count(file.bytes.into()));
    certificate.checksum = Some(checksum);
    Ok(())
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// A file, the number of bytes written to it, and their FNV-1a sum.
struct Summed {
    file: OutputFile,
    bytes: u64,
    sum: u64,
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
