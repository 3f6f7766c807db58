//! Certificates: files that say, position by position, how a side never loses. A program that
//! knows the rules alone can check them; `docs/draw-certificate.md` describes the form.

use std::io::{self, Write};
use std::path::Path;

use retrograde_game::{Game, Index, Seat, Show};

use super::output_file::OutputFile;
use crate::game::open::OpenGame;
use crate::query::certificate::{Closure, close};
use crate::{Certificate, Count, Error, Resources};

pub(crate) fn certificate<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    side: Seat,
    limit: u64,
    out: &Path,
    resources: &Resources<'_>,
) -> Result<Certificate, Error> {
    let set = close(open, side, limit, resources)?;
    let written = if set.closed { Some(write(open, side, &set, out)?) } else { None };
    Ok(Certificate {
        game: open.name.clone(),
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

/// Writes the file; its size and its checksum.
fn write<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    side: Seat,
    set: &Closure,
    out: &Path,
) -> Result<(u64, u64), Error> {
    let game = &open.entry.game;
    let mut file = Summed { file: OutputFile::create(out)?, bytes: 0, sum: FNV_OFFSET };
    writeln!(file, "Retrograde certificate 1\nname = {}\nside = {}", open.name, side.word())?;
    writeln!(file, "positions = {}", set.turns.len())?;
    if let Some(rules) = open.entry.rules_text {
        file.write_all(rules(game).as_bytes())?;
    }
    writeln!(file, "set")?;
    let mut turns: Vec<(u64, u64)> = set.turns.iter().map(|(&here, &next)| (here, next)).collect();
    turns.sort_unstable();
    for (here, next) in turns {
        let text = |index: u64| Ok::<_, Error>(game.position_text(&open.position_at(Index(index))?));
        writeln!(file, "{} {}", text(here)?, text(next)?)?;
    }
    let checksum = file.sum;
    writeln!(file, "end {checksum:016x}")?;
    let bytes = file.bytes;
    file.file.finish()?;
    Ok((bytes, checksum))
}

const FNV_OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
const FNV_PRIME: u64 = 0x0100_0000_01b3;

/// A file with the number of bytes written to it, and their FNV-1a sum.
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
