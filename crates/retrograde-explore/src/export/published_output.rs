//! Outputs for the bytes of a published form: a digest and, optionally, a file.
//!
//! For the standard board of Push Fight there are 86 GB, which take many minutes. Therefore the state of an
//! output is saved from time to time in a small separate file: the number of bytes, the state of the digest,
//! and the count of each byte. The same command resumes from there. It first reads the unfinished file again;
//! if its bytes do not match the state, the output starts over. Bytes written to a pipe are gone, so such an
//! output has no state.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use retrograde_table::{DiskStorage, read_sealed, short_name, write_sealed};
use serde::{Deserialize, Serialize};
use sha2::digest::common::hazmat::{SerializableState, SerializedState};
use sha2::{Digest, Sha256};

use super::output_file::{OutputFile, is_stream, named, reject_existing, resolve_links};

/// The minimum time between two saves of the state.
const SAVE_EVERY: Duration = Duration::from_secs(20);
/// Bytes read at a time.
const READ: usize = 1 << 20;

/// The state of an unfinished output.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct State {
    /// The identity of the content: the game, its table, the form, the numbers, the file.
    task: String,
    bytes: u64,
    /// The digest so far, in hexadecimal digits.
    sha256: String,
    /// The count of each byte.
    counts: Vec<u64>,
}

/// The SHA-256 of some bytes, and the count of each byte value.
#[derive(Clone)]
pub(super) struct Summary {
    hash: Sha256,
    /// The count of each byte.
    pub counts: Vec<u64>,
    pub bytes: u64,
}

impl Summary {
    fn new() -> Summary {
        Summary { hash: Sha256::new(), counts: vec![0; 256], bytes: 0 }
    }

    fn add(&mut self, bytes: &[u8]) {
        let Summary { hash, counts, .. } = self;
        // The digest takes as long as the count, and neither can be split.
        std::thread::scope(|scope| {
            if bytes.len() >= READ {
                scope.spawn(|| hash.update(bytes));
            } else {
                hash.update(bytes);
            }
            count(counts, bytes);
        });
        self.bytes += bytes.len() as u64;
    }

    /// The digest in hexadecimal digits.
    pub(super) fn sha256(&self) -> String {
        hex(&self.hash.clone().finalize())
    }

    fn state(&self, task: &str) -> State {
        let sha256 = hex(&self.hash.serialize());
        State { task: task.to_owned(), bytes: self.bytes, sha256, counts: self.counts.clone() }
    }

    /// The summary that a state describes; `None` if the state is invalid.
    fn from_state(state: &State) -> Option<Summary> {
        let saved = SerializedState::<Sha256>::try_from(&unhex(&state.sha256)?[..]).ok()?;
        let hash = Sha256::deserialize(&saved).ok()?;
        let sum = state.counts.iter().try_fold(0_u64, |sum, &count| sum.checked_add(count))?;
        let fits = state.counts.len() == 256 && sum == state.bytes;
        fits.then(|| Summary { hash, counts: state.counts.clone(), bytes: state.bytes })
    }
}

/// Counts bytes, several at a time, so that equal neighbours do not wait for each other.
fn count(counts: &mut [u64], bytes: &[u8]) {
    for piece in bytes.chunks(1 << 30) {
        let mut partial = [[0_u32; 256]; 4];
        let (eights, rest) = piece.as_chunks::<8>();
        for eight in eights {
            // Most neighbours are equal.
            if *eight == [eight[0]; 8] {
                partial[0][usize::from(eight[0])] += 8;
                continue;
            }
            for (number, &byte) in eight.iter().enumerate() {
                partial[number % 4][usize::from(byte)] += 1;
            }
        }
        for &byte in rest {
            partial[0][usize::from(byte)] += 1;
        }
        for partial in partial {
            counts.iter_mut().zip(partial).for_each(|(count, more)| *count += u64::from(more));
        }
    }
}

pub(super) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(text: &str) -> Option<Vec<u8>> {
    let pairs = text.as_bytes().as_chunks::<2>();
    let digit = |digit: u8| (digit as char).to_digit(16);
    let byte = |[high, low]: &[u8; 2]| Some((digit(*high)? << 4 | digit(*low)?) as u8);
    if pairs.1.is_empty() { pairs.0.iter().map(byte).collect() } else { None }
}

/// The destination of the bytes.
enum Target {
    /// Nowhere: only the digest is wanted.
    Nowhere,
    /// To a pipe, a device or standard output.
    Stream(OutputFile),
    /// To a file that is written under a temporary name, with the name that the user gave.
    Partial { file: File, partial: PathBuf, out: PathBuf },
}

/// An output that can resume where an earlier run of the same task stopped.
pub(super) struct PublishedOutput {
    task: String,
    /// The output written so far.
    pub summary: Summary,
    target: Target,
    /// The path of the saved state, if there is one.
    saved: Option<PathBuf>,
    last: Instant,
}

impl PublishedOutput {
    /// Starts or resumes an output. `out` is the file, if there is one; `saved` is the path of the state.
    pub(super) fn open(
        task: String,
        out: Option<&Path>,
        saved: Option<PathBuf>,
    ) -> io::Result<PublishedOutput> {
        let state = saved.as_deref().and_then(read_state).filter(|state| state.task == task);
        let mut summary = state.as_ref().and_then(Summary::from_state).unwrap_or_else(Summary::new);
        let target = match out {
            None => Target::Nowhere,
            Some(out) if is_stream(out) => Target::Stream(OutputFile::create(out)?),
            Some(out) => {
                reject_existing(out)?;
                let failed = |error: io::Error| named(out, &error);
                let partial = partial_name(out).map_err(failed)?;
                let file =
                    OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&partial);
                let mut file = file.map_err(failed)?;
                file.try_lock().map_err(|error| failed(error.into()))?;
                if !starts_with(&mut file, &summary).map_err(failed)? {
                    summary = Summary::new();
                    io::Seek::rewind(&mut file).map_err(failed)?;
                }
                file.set_len(summary.bytes).map_err(failed)?;
                Target::Partial { file, partial, out: out.to_owned() }
            }
        };
        Ok(PublishedOutput { task, summary, target, saved, last: Instant::now() })
    }

    /// Appends bytes.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.target {
            Target::Nowhere => {}
            Target::Stream(out) => out.write_all(bytes)?,
            Target::Partial { file, out, .. } => {
                file.write_all(bytes).map_err(|error| named(out, &error))?;
            }
        }
        self.summary.add(bytes);
        if self.last.elapsed() >= SAVE_EVERY {
            self.save()?;
        }
        Ok(())
    }

    /// Saves the state, if it has a path.
    pub(super) fn save(&mut self) -> io::Result<()> {
        let Some(path) = &self.saved else { return Ok(()) };
        if let Target::Partial { file, out, .. } = &self.target {
            file.sync_data().map_err(|error| named(out, &error))?;
        }
        let written = write_sealed(&DiskStorage, path, &self.summary.state(&self.task));
        match (&self.target, written) {
            // A digest can be computed without saving the state next to a table that cannot be changed.
            (Target::Nowhere, Err(_)) => self.saved = None,
            (_, written) => written?,
        }
        self.last = Instant::now();
        Ok(())
    }

    /// Removes what was written, which turned out to be wrong.
    pub(super) fn discard(self) {
        if let Target::Partial { partial, .. } = &self.target {
            let _ = fs::remove_file(partial);
        }
        let _ = self.saved.map(fs::remove_file);
    }

    /// Renames the file and removes the state.
    pub(super) fn finish(self) -> io::Result<Summary> {
        match self.target {
            Target::Nowhere => {}
            Target::Stream(out) => drop(out.finish()?),
            Target::Partial { file, partial, out } => {
                let finished = file.sync_all().and_then(|()| fs::rename(partial, resolve_links(&out)?));
                finished.map_err(|error| named(&out, &error))?;
            }
        }
        if let Some(path) = &self.saved
            && let Err(error) = fs::remove_file(path)
            && error.kind() != io::ErrorKind::NotFound
        {
            return Err(named(path, &error));
        }
        Ok(self.summary)
    }
}

/// The length of what an output's temporary names add to the file name.
const MAX_ENDING: usize = 20;

/// The temporary name of a file. It is the same in each run, so that the next run can resume.
fn partial_name(out: &Path) -> io::Result<PathBuf> {
    let name = resolve_links(out)?;
    let last = name.file_name().ok_or_else(|| io::Error::other("it is not the name of a file"))?;
    // The state's file has the longest extension: `.partial.json`.
    let mut hidden = std::ffi::OsString::from(".");
    hidden.push(short_name(last, MAX_ENDING));
    hidden.push(".partial");
    Ok(name.with_file_name(hidden))
}

/// The path of the state of an output to a file; `None` if the bytes of an earlier run are gone.
pub(super) fn state_path(out: &Path) -> io::Result<Option<PathBuf>> {
    if is_stream(out) {
        return Ok(None);
    }
    let mut name = partial_name(out).map_err(|error| named(out, &error))?.into_os_string();
    name.push(".json");
    Ok(Some(name.into()))
}

/// Whether a file begins with the bytes of a summary. Afterwards the file is positioned after them.
fn starts_with(file: &mut File, summary: &Summary) -> io::Result<bool> {
    if file.metadata()?.len() < summary.bytes {
        return Ok(false);
    }
    let mut found = Summary::new();
    let mut buffer = vec![0; READ];
    while found.bytes < summary.bytes {
        let wanted = (summary.bytes - found.bytes).min(READ as u64) as usize;
        let read = file.read(&mut buffer[..wanted])?;
        if read == 0 {
            return Ok(false);
        }
        found.hash.update(&buffer[..read]);
        found.bytes += read as u64;
    }
    Ok(found.sha256() == summary.sha256())
}

/// The saved state; `None` if it does not exist or is damaged. The output then starts over.
fn read_state(path: &Path) -> Option<State> {
    read_sealed(&DiskStorage, path).ok().flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Writes some bytes of a task and stops, or finishes it.
    fn run(folder: &Path, task: &str, bytes: &[u8], end: bool) -> (u64, Option<Summary>) {
        let out = folder.join("out");
        let mut output =
            PublishedOutput::open(task.to_owned(), Some(&out), state_path(&out).unwrap()).unwrap();
        let before = output.summary.bytes;
        bytes[before as usize..].chunks(7).for_each(|piece| output.write(piece).unwrap());
        output.save().unwrap();
        (before, end.then(|| output.finish().unwrap()))
    }

    #[test]
    fn an_output_resumes_where_it_stopped() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let all: Vec<u8> = (0..3000_u32).map(|number| (number * number % 251) as u8).collect();
        assert_eq!(run(folder.path(), "a", &all[..1000], false).0, 0);
        assert_eq!(run(folder.path(), "a", &all[..1500], false).0, 1000);
        // Another task starts over, and so does one whose file or state was changed.
        assert_eq!(run(folder.path(), "b", &all[..2000], false).0, 0);
        let partial = folder.path().join(".out.partial");
        let mut bytes = fs::read(&partial).unwrap();
        bytes[77] ^= 1;
        fs::write(&partial, bytes).unwrap();
        assert_eq!(run(folder.path(), "b", &all[..2000], false).0, 0);
        let state = state_path(&folder.path().join("out")).unwrap().unwrap();
        let out = folder.path().join("out");
        let (right, bytes) = (fs::read(&state).unwrap(), fs::read(&partial).unwrap());
        for at in 0..right.len() {
            let mut altered = right.clone();
            altered[at] ^= 1;
            fs::write(&state, altered).unwrap();
            fs::write(&partial, &bytes).unwrap();
            // Opened only, since each save waits for the disk.
            let output = PublishedOutput::open("b".to_owned(), Some(&out), Some(state.clone())).unwrap();
            // The formatting of the JSON may change, but not its content.
            assert!([0, 2000].contains(&output.summary.bytes), "byte {at}");
        }
        fs::write(&state, right).unwrap();
        fs::write(&partial, bytes).unwrap();
        let (before, summary) = run(folder.path(), "b", &all, true);
        assert_eq!(before, 2000);
        let summary = summary.unwrap();
        assert_eq!(summary.sha256(), hex(&Sha256::digest(&all)));
        assert_eq!(summary.counts[4], all.iter().filter(|&&byte| byte == 4).count() as u64);
        assert_eq!(fs::read(folder.path().join("out")).unwrap(), all);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_second_run_writing_the_same_file_is_rejected() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let out = folder.path().join("out");
        let _first = PublishedOutput::open("a".to_owned(), Some(&out), None).unwrap();
        assert!(PublishedOutput::open("a".to_owned(), Some(&out), None).is_err());
    }
}
