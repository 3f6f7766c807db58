//! Writes scores into a table piece by piece. The same code makes the same bytes whether one
//! machine has all scores in memory or several send them on demand.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::Path;

use retrograde_game::{Index, Knowledge, Score, Stored};
use retrograde_solve::clock::Instant;
use retrograde_solve::reachable::{ReachableScores, narrowed};
use retrograde_solve::retrograde::StagedScores;
use retrograde_solve::{OutcomeBits, SolveError};
use retrograde_table::{
    ByTurns, CellWidth, Counts, GameLock, Manifest, StartValue, Storage, TableError, TableKind, TableWriter,
    WriteOptions, remove_file, remove_table, write_seconds,
};

use crate::query::lookup::{Resolved, derive};
use crate::request::statistics::{counted_positions, statistics};
use crate::store::dense::{HORIZON, horizon_of};
use crate::store::sparse::{self, SparseManifest};
use crate::{AnyGame, Count, Error, Position, SolveOptions, Source, Statistics};

/// The number of scores that a thread counts at a time.
const COUNTED: usize = 1 << 20;

/// The number of scores from files that are written together for each thread.
const WRITTEN: usize = 1 << 20;

/// The table of a solved game that is being written.
#[derive(Clone, Copy)]
pub(crate) struct Output<'a> {
    pub entry: &'a AnyGame,
    pub lock: &'a GameLock,
    pub options: &'a SolveOptions,
    /// When the solve began.
    pub began: Instant,
}

/// A summary of all scores, known before the first is written. It determines the kind of the table.
pub(crate) struct ScoreSummary {
    /// The cell width that fits every score.
    pub cell: CellWidth,
    /// The number of indices.
    pub indices: u64,
    /// The counts of the game proper.
    pub counts: Counts,
    /// Whether some prelude position is undecided.
    pub undecided_before: bool,
}

/// A table that is being written from scores.
pub(crate) struct ScoreWriter<'a> {
    output: Output<'a>,
    writer: TableWriter,
    kind: TableKind,
    counts: Counts,
    taken: u64,
    /// The values at the indices that the value of the start depends on.
    start: BTreeMap<u64, Stored>,
}

impl<'a> ScoreWriter<'a> {
    pub(crate) fn begin(output: Output<'a>, known: ScoreSummary) -> Result<ScoreWriter<'a>, Error> {
        let Output { entry, options, .. } = output;
        let ScoreSummary { cell, indices, mut counts, undecided_before } = known;
        let full = !options.outcome_only || counts.unknown.0 > 0 || undecided_before;
        // Every index is a position of the game, so there is no prelude, and each is won or lost.
        let bits = !full && counts.positions.0 == u128::from(indices) && counts.draws.0 == 0;
        let (kind, cell) = match (full, bits) {
            (true, _) => (TableKind::Full, cell),
            (false, true) => (TableKind::Outcomes, CellWidth::Bit),
            (false, false) => (TableKind::Outcomes, CellWidth::TwoBits),
        };
        for (outcome, count) in entry.left_out() {
            counts.add_over(outcome, count);
        }
        let start = start_indices(entry).into_iter().map(|index| (index, Stored::Nothing)).collect();
        let mut manifest = manifest(entry, kind, cell, options)?;
        if counts.unknown.0 == 0 && !undecided_before {
            // Nothing is left undecided, so there is no horizon.
            manifest.extra.remove(HORIZON);
        }
        let writer = output.writer(manifest)?;
        Ok(ScoreWriter { output, writer, kind, counts, taken: 0, start })
    }

    /// Adds the next scores, in the order of indices.
    pub(crate) fn add<S: WritableScore>(&mut self, scores: &[S]) -> Result<(), Error> {
        let end = self.taken + scores.len() as u64;
        for (index, stored) in self.start.range_mut(self.taken..end) {
            *stored = scores[(index - self.taken) as usize].stored();
        }
        S::write(&mut self.writer, scores)?;
        self.taken = end;
        Ok(())
    }

    /// Completes the table after the last scores.
    pub(crate) fn end(self) -> Result<Statistics, Error> {
        let known = |index: Index| Ok(self.start.get(&index.0).copied().unwrap_or(Stored::Nothing));
        let start = start_value(self.output.entry, &known)?;
        self.output.finish(self.writer, self.counts, (start, self.kind))
    }
}

pub(crate) fn write_scores<S: WritableScore>(output: Output<'_>, scores: &[S]) -> Result<Statistics, Error> {
    let prelude = output.entry.dense().map_or(0, |dense| dense.prelude());
    let proper = scores.len().saturating_sub(usize::try_from(prelude).unwrap_or(usize::MAX));
    let known = ScoreSummary {
        cell: S::CELL,
        indices: scores.len() as u64,
        counts: count_scores(&scores[..proper], output.options.threads)?,
        undecided_before: scores[proper..].contains(&S::UNKNOWN),
    };
    let mut writing = ScoreWriter::begin(output, known)?;
    writing.add(scores)?;
    writing.end()
}

/// Counts scores on several threads.
pub(crate) fn count_scores<S: WritableScore>(scores: &[S], threads: usize) -> Result<Counts, Error> {
    let pieces: Vec<&[S]> = scores.chunks(COUNTED).collect();
    summed_counts(pieces.len(), threads, &|piece| Counts::of_scores(pieces[piece]))
}

/// Counts the first `count` bits on several threads.
fn count_bits(words: &[u64], count: u64, threads: usize) -> Result<Counts, Error> {
    let pieces: Vec<&[u64]> = words.chunks(COUNTED / 8).collect();
    let bits_of_piece = (COUNTED * 8) as u64;
    summed_counts(pieces.len(), threads, &|piece| {
        Counts::of_bits(pieces[piece], count.saturating_sub(piece as u64 * bits_of_piece))
    })
}

fn summed_counts(
    pieces: usize,
    threads: usize,
    counted: &(dyn Fn(usize) -> Counts + Sync),
) -> Result<Counts, Error> {
    let mut counts = Counts::default();
    retrograde_solve::pool(threads.max(1))?.all(pieces, counted).iter().for_each(|more| counts.merge(more));
    Ok(counts)
}

/// The counts of positions by score, and whether every score fits into one byte.
pub(crate) fn summed(by_score: &BTreeMap<u16, u64>) -> (Counts, bool) {
    let mut counts = Counts::default();
    for (score, &count) in by_score {
        counts.add(score.stored(), count.into());
    }
    (counts, by_score.keys().all(|&score| narrowed(score).is_some()))
}

/// Like [`write_scores`], for scores in files.
pub(crate) fn write_staged(output: Output<'_>, scores: &StagedScores) -> Result<Statistics, Error> {
    let (counts, narrow) = summed(scores.counts());
    let cell = if narrow { CellWidth::Byte } else { CellWidth::TwoBytes };
    let known = ScoreSummary { cell, indices: scores.len(), counts, undecided_before: false };
    let mut writing = ScoreWriter::begin(output, known)?;
    // Several pieces together, so that all threads have blocks to compress.
    let mut together: Vec<u16> = Vec::new();
    let mut pieces = scores.pieces().peekable();
    while let Some(piece) = pieces.next() {
        together.extend_from_slice(&piece.map_err(SolveError::from)?);
        if pieces.peek().is_some() && together.len() < WRITTEN * output.options.threads {
            continue;
        }
        match narrow {
            true => writing.add(&together.iter().copied().filter_map(narrowed).collect::<Vec<u8>>())?,
            false => writing.add(&together)?,
        }
        together.clear();
    }
    writing.end()
}

fn manifest(
    entry: &AnyGame,
    kind: TableKind,
    cell: CellWidth,
    options: &SolveOptions,
) -> Result<Manifest, Error> {
    let no_numbering = || Error::Unsupported(format!("{} has no numbering", entry.game.name()));
    let dense = entry.dense().ok_or_else(no_numbering)?;
    let count = u64::try_from(dense.index_count()).map_err(|_| no_numbering())?;
    let (rules, index) = (entry.game.facts().rules_version, dense.facts().index_version);
    let mut manifest = Manifest::new(entry.game.name(), rules, index, kind, cell, count);
    manifest.prelude = dense.prelude();
    manifest.extra = entry.extra.clone();
    if let Some(phases) = options.phases {
        manifest.extra.insert(HORIZON.to_owned(), phases.into());
    }
    Ok(manifest)
}

pub(crate) fn write_bits(output: Output<'_>, bits: &OutcomeBits) -> Result<Statistics, Error> {
    let Output { entry, options, .. } = output;
    let manifest = manifest(entry, TableKind::Outcomes, CellWidth::Bit, options)?;
    let count = manifest.index_count;
    let mut counts = count_bits(bits.words(), count, options.threads)?;
    for (outcome, count) in entry.left_out() {
        counts.add_over(outcome, count);
    }
    let start = start_value(entry, &|index| {
        let known = || Stored::Known(Knowledge::Outcome(bits.outcome(index)));
        Ok(if index.0 < count { known() } else { Stored::Nothing })
    })?;
    let mut writer = output.writer(manifest)?;
    writer.write_bits(bits.words())?;
    output.finish(writer, counts, (start, TableKind::Outcomes))
}

impl Output<'_> {
    fn writer(&self, manifest: Manifest) -> Result<TableWriter, Error> {
        let SolveOptions { threads, storage, .. } = self.options;
        let options = WriteOptions { threads: (*threads).max(1), storage: storage.clone() };
        Ok(TableWriter::create_with(self.lock, manifest, options)?)
    }

    /// Completes a table with its counts and the value of the start.
    fn finish(
        &self,
        mut writer: TableWriter,
        mut counts: Counts,
        (start, kind): (Knowledge, TableKind),
    ) -> Result<Statistics, Error> {
        let mut start = start_of(start);
        if kind == TableKind::Outcomes {
            counts.by_turns = ByTurns::default();
            start.turns = None;
        }
        writer.set_counts(counts);
        writer.set_start(start);
        let seconds = self.began.elapsed().as_secs_f64();
        let manifest = writer.finish()?;
        remove_file(&*self.options.storage, &self.lock.directory().join(sparse::FILE))?;
        note_seconds(&*self.options.storage, self.lock.directory(), &manifest.stamp(), seconds);
        Ok(Statistics {
            horizon: horizon_of(&manifest).map(|turns| turns.0),
            counted: counted_positions(false, self.entry.up_to_symmetry()),
            ..statistics(&manifest.game, &manifest.counts, manifest.start, Some(seconds))
        })
    }
}

/// Records how long the solve of the table with this stamp took. Failures are ignored, since the
/// table is complete without the time.
pub(crate) fn note_seconds(storage: &dyn Storage, directory: &Path, stamp: &str, seconds: f64) {
    let _ = write_seconds(storage, directory, stamp, seconds);
}

pub(crate) fn write_sparse(output: Output<'_>, positions: &ReachableScores) -> Result<Statistics, Error> {
    let mut scores = positions.iter().map_err(SolveError::from)?;
    let score = |Index(index): Index| positions.score(index);
    write_sparse_file(output, &positions.counts(), &score, &mut scores)
}

/// Writes the file of reachable positions. `counts` has the positions by score, `score` returns the
/// score of one of the [`start_indices`], and `positions` are sorted.
pub(crate) fn write_sparse_file(
    Output { entry, lock, options, began }: Output<'_>,
    by_score: &BTreeMap<u16, u64>,
    score: &dyn Fn(Index) -> std::io::Result<Option<u16>>,
    positions: &mut dyn Iterator<Item = std::io::Result<(u64, u16)>>,
) -> Result<Statistics, Error> {
    let Some(expected) = entry.expectations() else {
        return Err(Error::Unsupported(format!("{} has no numbering", entry.game.name())));
    };
    let (counts, narrow) = summed(by_score);
    let start = start_value(entry, &|index| {
        Ok(score(index).map_err(SolveError::from)?.map_or(Stored::Nothing, Score::stored))
    })?;
    let about = SparseManifest {
        game: entry.game.name(),
        rules_version: expected.rules_version,
        index_version: expected.index_version,
        index_count: Count(expected.index_count),
        positions: by_score.values().sum(),
        score_bytes: if narrow { 1 } else { 2 },
        counts,
        start: Some(start_of(start)),
        extra: entry.extra.clone(),
    };
    let seconds = began.elapsed().as_secs_f64();
    let stamp = sparse::write(&*options.storage, lock, &about, positions, options.threads)?;
    // A table of all positions would be opened instead, even if it is damaged or knows less.
    remove_table(&*options.storage, lock)?;
    note_seconds(&*options.storage, lock.directory(), &stamp, seconds);
    Ok(Statistics {
        counted: counted_positions(true, entry.up_to_symmetry()),
        ..statistics(&about.game, &about.counts, about.start, Some(seconds))
    })
}

/// The indices that the value of the start depends on.
pub(crate) fn start_indices(entry: &AnyGame) -> Vec<u64> {
    let indices = RefCell::new(Vec::new());
    // If its time is over, the value itself will not be derived either.
    let _ = start_value(entry, &|index| {
        indices.borrow_mut().push(index.0);
        Ok(Stored::Nothing)
    });
    let mut indices = indices.into_inner();
    indices.sort_unstable();
    indices.dedup();
    indices
}

/// The value of the start, while the table is being written.
pub(crate) fn start_value(
    entry: &AnyGame,
    look: &dyn Fn(Index) -> Result<Stored, Error>,
) -> Result<Knowledge, Error> {
    let known = |position: &Position| {
        let Some(index) = entry.index(position).filter(|_| entry.game.result(position).is_none()) else {
            return Ok(None);
        };
        let knowledge = match look(index)? {
            Stored::Known(knowledge) => knowledge,
            Stored::Nothing => Knowledge::Unknown,
        };
        Ok(Some(Resolved { knowledge, source: Source::Table }))
    };
    let start = derive(&*entry.game, &entry.game.start(), (2, usize::MAX), &known)?;
    Ok(start.map_or(Knowledge::Unknown, |start| start.knowledge))
}

pub(crate) fn start_of(knowledge: Knowledge) -> StartValue {
    StartValue { outcome: knowledge.outcome(), turns: knowledge.turns() }
}

/// Scores of either size, for the writer.
pub(crate) trait WritableScore: Score + Into<u16> {
    const CELL: CellWidth;
    fn write(writer: &mut TableWriter, scores: &[Self]) -> Result<(), TableError>;
}

impl WritableScore for u8 {
    const CELL: CellWidth = CellWidth::Byte;
    fn write(writer: &mut TableWriter, scores: &[u8]) -> Result<(), TableError> {
        writer.write_scores(scores)
    }
}

impl WritableScore for u16 {
    const CELL: CellWidth = CellWidth::TwoBytes;
    fn write(writer: &mut TableWriter, scores: &[u16]) -> Result<(), TableError> {
        writer.write_wide(scores)
    }
}
