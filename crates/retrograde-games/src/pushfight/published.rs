//! The files of the first complete solution of Push Fight as a table: one byte per value, for all
//! permutations (`merged`) or for the plausible ones up to a half turn (`minimized`). In the game's
//! directory they are used unless there is a solution by Retrograde. `docs/data-sets.md` has the names.
//!
//! Positions that the files omit have no value here: the explorer searches their turns, which lead to
//! positions in the files. The files have no statistics, so these are counted when they are first
//! needed, and stored in the same folder in `published-counts.json`, a sealed file (see
//! `sealed_json.rs` of `retrograde-table`). It identifies the files by length and time; counts of other
//! files are ignored.

use std::collections::HashMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::UNIX_EPOCH;

use parking_lot::Mutex;
use retrograde_explore::{Bounds, Candidates, Error, StoreFacts, StoreKind, ValueStore, Visit};
use retrograde_game::{Dense, Index, Knowledge, Outcome, Stored, Symmetries, Turns, Value};
use retrograde_pushfight::{MinimizedNumbering, Position, PushFight};
use retrograde_solve::{Progress, in_order};
use retrograde_table::{
    ByteFile, Count, Counts, DiskStorage, StartValue, TableError, read_sealed, write_sealed,
};
use serde::{Deserialize, Serialize};

/// The file of the counts.
const COUNTED: &str = "published-counts.json";
/// The number of files that are kept open: systems allow some hundreds, and there are thousands of
/// chunks.
const MAX_OPEN: usize = 64;

/// A file, and its range of numbers.
struct Part {
    path: PathBuf,
    first: u64,
    count: u64,
}

/// The memory of the numbering of the standard board, and of reading a packed file.
const NUMBERING_MEMORY: u64 = 16 << 20;
const UNPACKING_MEMORY: u64 = 16 << 20;

/// The files that exist, as a table.
pub(crate) struct Files {
    game: PushFight,
    directory: PathBuf,
    /// The numbering, unless the files have all permutations.
    minimized: Option<MinimizedNumbering>,
    /// By first number, without overlaps.
    parts: Vec<Part>,
    open: Mutex<HashMap<usize, Arc<ByteFile>>>,
    stamp: String,
    uncounted: Counts,
    counted: OnceLock<Counts>,
    /// The reason why stored counts were not used.
    notes: Vec<String>,
}

/// The counts as they are stored.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Counted {
    /// The stamp of the files that were counted.
    stamp: String,
    counts: Counts,
}

impl Files {
    /// Opens the first of these that exists in the game's directory: `minimized.bin`, `minimized.bin.xz`,
    /// `merged.bin`, the chunks in `merged/`. Returns `None` if there are no files.
    ///
    /// # Errors
    /// If a file cannot be read, or has a wrong length.
    pub(crate) fn open(
        game: &PushFight,
        minimized: impl FnOnce() -> Option<MinimizedNumbering>,
        chunk: u64,
        directory: &Path,
    ) -> Result<Option<Files>, TableError> {
        let permutations = game.index_count() as u64 - game.prelude();
        let there = |name: &str| Some(directory.join(name)).filter(|path| path.exists());
        if let Some(path) = there("minimized.bin").or_else(|| there("minimized.bin.xz")) {
            let Some(minimized) = minimized() else {
                return Err(TableError::unusable(&path, "this board has no minimized numbering"));
            };
            let parts = vec![Part { path, first: 0, count: minimized.count() }];
            return Files::of(game, directory, Some(minimized), parts).map(Some);
        }
        if let Some(path) = there("merged.bin") {
            let parts = vec![Part { path, first: 0, count: permutations }];
            return Files::of(game, directory, None, parts).map(Some);
        }
        let Some(path) = there("merged").filter(|path| path.is_dir()) else { return Ok(None) };
        let parts = chunks(&path, permutations, chunk)?;
        if parts.is_empty() {
            return Ok(None);
        }
        Files::of(game, directory, None, parts).map(Some)
    }

    fn of(
        game: &PushFight,
        directory: &Path,
        minimized: Option<MinimizedNumbering>,
        parts: Vec<Part>,
    ) -> Result<Files, TableError> {
        let mut files = Files {
            game: game.clone(),
            directory: directory.to_owned(),
            minimized,
            parts,
            open: Mutex::default(),
            stamp: String::new(),
            uncounted: Counts::default(),
            counted: OnceLock::new(),
            notes: Vec::new(),
        };
        files.stamp = files.stamped()?;
        let positions = Count(files.positions());
        files.uncounted = Counts { positions, unknown: positions, ..Counts::default() };
        // Checks the length and compression of a single file now. Chunks are checked when they are needed.
        if files.parts.len() == 1 {
            files.part(0)?;
        }
        if let Some(counts) = files.kept_counts() {
            let _ = files.counted.set(counts);
        }
        Ok(files)
    }

    /// The counts stored with the files. If they are damaged, inconsistent or of other files, counts
    /// again.
    fn kept_counts(&mut self) -> Option<Counts> {
        let path = self.directory.join(COUNTED);
        let again = "the files are counted again";
        match read_sealed::<Counted>(&DiskStorage, &path) {
            Ok(None) => {}
            Ok(Some(counted)) if counted.stamp != self.stamp => {}
            Ok(Some(counted)) => {
                let fault = counted.counts.fault();
                if fault.is_none() && counted.counts.positions.0 == self.positions() {
                    return Some(counted.counts);
                }
                let fault = fault.unwrap_or_else(|| "it has another number of positions".to_owned());
                self.notes.push(format!("{} is damaged: {fault}: {again}", path.display()));
            }
            Err(error) => self.notes.push(format!("{error}: {again}")),
        }
        None
    }

    /// The number of positions with an index: two if a position shares it with its turned image.
    fn images(&self) -> u128 {
        if self.minimized.is_some() { 2 } else { 1 }
    }

    /// The positions that the statistics count, including positions of missing files.
    fn positions(&self) -> u128 {
        let numbers = self.minimized.as_ref().map_or(self.facts().place_count, MinimizedNumbering::count);
        u128::from(numbers) * self.images()
    }

    /// A text that identifies the files.
    fn stamped(&self) -> Result<String, TableError> {
        let form = if self.minimized.is_some() { "minimized" } else { "merged" };
        let (mut bytes, mut mixed) = (0_u64, 0_u64);
        for part in &self.parts {
            let failed = |error| TableError::io("read", &part.path, error);
            let data = fs::metadata(&part.path).map_err(failed)?;
            let changed = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
            let nanos = changed.map_or(0, |since| since.as_nanos() as u64);
            bytes = bytes.wrapping_add(data.len());
            for word in [part.first, data.len(), nanos] {
                mixed = (mixed.rotate_left(23) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
            }
        }
        Ok(format!("{form} {} {bytes} {mixed:016x}", self.parts.len()))
    }

    fn part(&self, number: usize) -> Result<Arc<ByteFile>, TableError> {
        let lock = || self.open.lock();
        if let Some(file) = lock().get(&number) {
            return Ok(file.clone());
        }
        let part = &self.parts[number];
        let file = ByteFile::open(&DiskStorage, &part.path, part.count)?
            .ok_or_else(|| TableError::io("read", &part.path, io::ErrorKind::NotFound.into()))?;
        let file = Arc::new(file);
        let mut open = lock();
        if open.len() >= MAX_OPEN {
            open.clear();
        }
        open.insert(number, file.clone());
        Ok(file)
    }

    /// The value of a number; `None` if no file has it.
    fn number(&self, number: u64) -> Result<Option<Value>, TableError> {
        let behind = self.parts.partition_point(|part| part.first <= number);
        let Some(at) =
            behind.checked_sub(1).filter(|&at| number - self.parts[at].first < self.parts[at].count)
        else {
            return Ok(None);
        };
        let byte = self.part(at)?.at(number - self.parts[at].first)?;
        Ok(Some(value(byte)))
    }

    fn position(&self, number: u64) -> Option<Position> {
        match &self.minimized {
            Some(minimized) => minimized.position(&self.game, number),
            None => self.game.position(Index(number)),
        }
    }

    /// Reads everything once in pieces, on `threads` threads. Returns the number of pieces, and how
    /// often each byte occurs. `fault` is called with the errors of pieces, and may end the work.
    fn read_all(
        &self,
        threads: usize,
        progress: &dyn Progress,
        fault: &(dyn Fn(TableError) -> Result<(), TableError> + Sync),
    ) -> Result<(u64, Box<[u64; 256]>), TableError> {
        let mut ends = Vec::with_capacity(self.parts.len());
        let mut pieces = 0;
        for part in 0..self.parts.len() {
            match self.part(part) {
                Ok(file) => pieces += file.pieces(),
                Err(error) => fault(error)?,
            }
            ends.push(pieces);
        }
        progress.stage("reading the files", pieces);
        let read = |number: usize| {
            let number = number as u64;
            let part = ends.partition_point(|&end| end <= number);
            let before = part.checked_sub(1).map_or(0, |before| ends[before]);
            let mut counts = [0_u64; 256];
            match self.part(part).and_then(|file| file.piece(number - before)) {
                Ok((_, bytes)) => bytes.iter().for_each(|&byte| counts[usize::from(byte)] += 1),
                Err(error) => fault(error)?,
            }
            Ok(counts)
        };
        let mut all = Box::new([0_u64; 256]);
        in_order(usize::try_from(pieces).unwrap_or(usize::MAX), threads, progress, &read, &mut |counts| {
            all.iter_mut().zip(counts).for_each(|(all, more)| *all += more);
            Ok(())
        })?;
        Ok((pieces, all))
    }
}

/// The chunks in a directory, each named by its number: the last digits before `.bin`.
fn chunks(directory: &Path, permutations: u64, chunk: u64) -> Result<Vec<Part>, TableError> {
    let failed = |error| TableError::io("read", directory, error);
    let mut parts: Vec<Part> = Vec::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let Some(stem) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".bin")) else {
            continue;
        };
        let digits = &stem[stem.trim_end_matches(|c: char| c.is_ascii_digit()).len()..];
        if digits.is_empty() {
            continue;
        }
        let first = digits.parse().ok().and_then(|number: u64| number.checked_mul(chunk));
        let Some(first) = first.filter(|&first| first < permutations) else {
            let last = (permutations - 1) / chunk;
            return Err(TableError::unusable(
                &path,
                format!("there is no chunk {digits}: the last is {last}"),
            ));
        };
        parts.push(Part { path, first, count: chunk.min(permutations - first) });
    }
    parts.sort_by(|a, b| (a.first, &a.path).cmp(&(b.first, &b.path)));
    if let Some(pair) = parts.windows(2).find(|pair| pair[0].first == pair[1].first) {
        let other = pair[0].path.display();
        return Err(TableError::unusable(&pair[1].path, format!("it has the same number as {other}")));
    }
    Ok(parts)
}

/// The value of a byte. 0: drawn; 2k: the side to move wins with its k-th turn; 2k + 1: it has lost
/// after its k-th turn. The turns of both players together are one less than the byte.
pub(crate) fn value(byte: u8) -> Value {
    match byte.checked_sub(1).map(|turns| Turns(turns.into())) {
        None => Value::Draw,
        Some(turns) if byte.is_multiple_of(2) => Value::Win(turns),
        Some(turns) => Value::Loss(turns),
    }
}

impl ValueStore for Files {
    fn facts(&self) -> StoreFacts<'_> {
        let counts = self.counted.get().unwrap_or(&self.uncounted);
        let counted = if self.minimized.is_some() { "plausible positions" } else { "positions" };
        StoreFacts {
            counted_positions: Some(counted),
            notes: &self.notes,
            kind: StoreKind::Published,
            ..StoreFacts::new(&self.directory, counts, self.game.index_count() as u64 - self.game.prelude())
        }
    }

    /// The numbering up to a half turn, and the memory for reading packed files.
    fn memory(&self) -> u64 {
        let numbering = if self.minimized.is_some() { NUMBERING_MEMORY } else { 0 };
        numbering + UNPACKING_MEMORY + self.parts.len() as u64 * size_of::<Part>() as u64
    }

    /// There is no cache that could be smaller.
    fn limit_cache(&mut self, _bytes: u64) {}

    fn get(&self, index: Index) -> Result<Stored, TableError> {
        // Positions before the first push have no anchor and no number.
        let position = self.game.position(index).filter(|position| !position.anchor.is_empty());
        let Some(position) = position else { return Ok(Stored::Nothing) };
        let known = |value| Stored::Known(Knowledge::Exact(value));
        if let Some(minimized) = &self.minimized {
            let number = minimized.number(&self.game, &position);
            let found = number.map(|(number, _)| self.number(number)).transpose()?.flatten();
            return Ok(found.map_or(Stored::Nothing, known));
        }
        // If a chunk is missing, the chunk of the turned or mirrored position may be there.
        for symmetry in 0..self.game.symmetry_count() {
            let image = self.game.index(&self.game.image(symmetry, &position));
            if let Some(value) = image.map(|image| self.number(image.0)).transpose()?.flatten() {
                return Ok(known(value));
            }
        }
        Ok(Stored::Nothing)
    }

    fn stamp(&self) -> String {
        format!("kept {}", self.stamp)
    }

    fn count(&self, threads: usize, progress: &dyn Progress) -> Result<(), Error> {
        if self.counted.get().is_some() {
            return Ok(());
        }
        let (_, bytes) = self.read_all(threads, progress, &Err)?;
        if progress.stopped() {
            return Err(Error::Stopped);
        }
        let mut counts = Counts::default();
        for (byte, &count) in (0..=u8::MAX).zip(bytes.iter()) {
            counts.add(Stored::Known(Knowledge::Exact(value(byte))), u128::from(count) * self.images());
        }
        let missing = self.positions().saturating_sub(counts.positions.0);
        counts.add(Stored::Known(Knowledge::Unknown), missing);
        let counted = Counted { stamp: self.stamp.clone(), counts };
        // If they cannot be stored, for example in a read-only folder, they are counted again next
        // time.
        let _ = write_sealed(&DiskStorage, &self.directory.join(COUNTED), &counted);
        let _ = self.counted.set(counted.counts);
        Ok(())
    }

    fn start(&self) -> Option<StartValue> {
        None
    }

    fn candidates(
        &self,
        outcome: Outcome,
        turns: Option<Turns>,
        visit: &mut Visit<'_, Index>,
    ) -> Result<Candidates, Error> {
        // Frequent values are found at random positions.
        let Some(turns) = turns.filter(|turns| !(1..=4).contains(&turns.0)) else {
            return Ok(Candidates::Frequent);
        };
        let wanted = u8::try_from(turns.0 + 1).ok().filter(|&byte| value(byte).outcome() == outcome);
        let Some(wanted) = wanted else { return Ok(Candidates::Named) };
        for (at, part) in self.parts.iter().enumerate() {
            let file = self.part(at)?;
            for piece in 0..file.pieces() {
                Bounds::check()?;
                let (first, bytes) = file.piece(piece)?;
                for (place, _) in bytes.iter().enumerate().filter(|&(_, &byte)| byte == wanted) {
                    let position = self.position(part.first + first + place as u64);
                    let index = position.and_then(|position| self.game.index(&position));
                    if let Some(index) = index
                        && !visit(index)?
                    {
                        return Ok(Candidates::Named);
                    }
                }
            }
        }
        Ok(Candidates::Named)
    }

    fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        let wrong = Mutex::new(Vec::new());
        let threads = retrograde_explore::usable_threads();
        let fault = |error| match error {
            TableError::Damaged { .. } | TableError::Truncated { .. } | TableError::Unusable { .. } => {
                wrong.lock().push(error);
                Ok(())
            }
            error => Err(error),
        };
        let (blocks, _) = self.read_all(threads, progress, &fault)?;
        Ok((blocks, wrong.into_inner()))
    }
}
