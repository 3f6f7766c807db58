//! Stages in files, for games whose scores do not fit into memory. Only the scores of the current stage and
//! of the stages that its turns lead to ([`Staged::stages_after`](retrograde_game::Staged::stages_after)) are
//! in memory. All others have addresses in the same array, but no memory.
//!
//! A file holds the scores of a range of a stage. It is complete or absent, so an interrupted solve resumes
//! with the first stage that lacks a file.
//!
//! ```text
//! summary    4  different scores n
//!       10 · n  each score, and how many there are of it
//! scores        two bytes each, in the order of the indices
//! ```

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::io::{self, ErrorKind, Read};
use std::ops::Range;

use retrograde_game::{Dense, Score, Turns, Value};

use super::Retrograde;
use super::counts;
use super::stage::{SolveStage, Stage, StageAt};
use crate::array::ScoreArray;
use crate::job::{Job, SolveError};
use crate::memory::Addresses;
use crate::retrograde::driver::{Driver, Memory};
use crate::spill::Spill;
use crate::widths::Width;

/// The number of scores that are read or written at a time.
const PIECE: usize = 1 << 20;

/// The scores of a game that was solved in files.
pub struct StagedScores {
    files: Box<dyn Spill>,
    /// Ranges of indices with the names of their files, in order.
    ranges: Vec<(Range<u64>, String)>,
    counts: BTreeMap<u16, u64>,
}

impl StagedScores {
    /// The number of indices by score.
    pub fn counts(&self) -> &BTreeMap<u16, u64> {
        &self.counts
    }

    /// The number of indices.
    pub fn len(&self) -> u64 {
        self.ranges.last().map_or(0, |(range, _)| range.end)
    }

    /// Whether there are no indices.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// All scores in the order of the indices, in pieces.
    pub fn pieces(&self) -> impl Iterator<Item = io::Result<Vec<u16>>> {
        self.ranges.iter().flat_map(|(range, name)| -> Box<dyn Iterator<Item = io::Result<Vec<u16>>>> {
            match ScoreFile::open(&*self.files, name, range.clone()) {
                Ok(mut file) => Box::new(std::iter::from_fn(move || file.piece().transpose())),
                Err(error) => Box::new(std::iter::once(Err(error))),
            }
        })
    }
}

/// The file of a range while it is read.
struct ScoreFile {
    source: Box<dyn Read>,
    counts: BTreeMap<u16, u64>,
    left: u64,
}

fn damaged(name: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, format!("{name} has other scores than its summary says"))
}

impl ScoreFile {
    fn open(files: &dyn Spill, name: &str, range: Range<u64>) -> io::Result<ScoreFile> {
        let mut source = files.read(name)?;
        let mut number = [0; 4];
        source.read_exact(&mut number)?;
        let mut counts = BTreeMap::new();
        for _ in 0..u32::from_le_bytes(number) {
            let (mut score, mut count) = ([0; 2], [0; 8]);
            source.read_exact(&mut score)?;
            source.read_exact(&mut count)?;
            counts.insert(u16::from_le_bytes(score), u64::from_le_bytes(count));
        }
        let left = range.end - range.start;
        let total = counts.values().try_fold(0_u64, |sum, &count| sum.checked_add(count));
        if total == Some(left) { Ok(ScoreFile { source, counts, left }) } else { Err(damaged(name)) }
    }

    /// The next scores; `None` at the end.
    fn piece(&mut self) -> io::Result<Option<Vec<u16>>> {
        let length = self.left.min(PIECE as u64) as usize;
        if length == 0 {
            return Ok(None);
        }
        let mut bytes = vec![0; 2 * length];
        self.source.read_exact(&mut bytes)?;
        self.left -= length as u64;
        // Reading past the last score checks that the file was not cut off.
        if self.left == 0 && self.source.read(&mut [0])? > 0 {
            return Err(io::Error::new(ErrorKind::InvalidData, "a file has more scores than its range"));
        }
        let (scores, _) = bytes.as_chunks::<2>();
        Ok(Some(scores.iter().map(|&score| u16::from_le_bytes(score)).collect()))
    }
}

/// The name of the file of a range of a stage.
fn file_name(stage: usize, range: usize) -> String {
    format!("stage-{stage:06}-{range:06}")
}

/// The maximum number of turns of these scores.
fn longest(counts: &BTreeMap<u16, u64>) -> u16 {
    let turns = |score: &u16| score.value().and_then(Value::turns).map_or(0, |Turns(turns)| turns);
    counts.keys().map(turns).max().unwrap_or(0)
}

/// A stage of a solve in files.
struct FiledStage {
    stage: Stage,
    /// The stages that its turns lead to.
    after: Vec<usize>,
    /// Whether turns may stay in it.
    turns_within: bool,
    /// The maximum number of turns in it, once it is solved.
    longest: u16,
}

/// The memory for the scores of a stage and of the stages after it.
fn held(stages: &[FiledStage], number: usize) -> u64 {
    let after = stages[number].after.iter().map(|&stage| stages[stage].stage.len());
    let scores = stages[number].stage.len() + after.sum::<u64>();
    scores.saturating_mul(Width::Wide.bytes() as u64)
}

/// The stages that have indices, from the ranges of all stages and the numbers of the stages after them.
fn filed(stages: Vec<(Vec<Range<u64>>, Vec<usize>)>) -> Vec<FiledStage> {
    // The place of a stage among the stages with indices.
    let mut place = Vec::with_capacity(stages.len());
    let mut filed: Vec<FiledStage> = Vec::new();
    for (number, (ranges, after)) in stages.into_iter().enumerate() {
        let turns_within = after.contains(&number);
        let after = after.into_iter().filter_map(|stage| *place.get(stage)?).collect();
        place.push((!ranges.is_empty()).then_some(filed.len()));
        if !ranges.is_empty() {
            filed.push(FiledStage { stage: Stage::new(ranges), after, turns_within, longest: 0 });
        }
    }
    filed
}

impl<G: Dense> Retrograde<'_, G> {
    /// Returns the stages that have indices; `None` if the game has no stages, or positions before them.
    fn filed_stages(&self) -> Option<Vec<FiledStage>> {
        (self.game.prelude() == 0).then_some(())?;
        Some(filed((self.able.stages?)(self.game)))
    }

    /// The memory that [`Retrograde::solve_in_files`] needs. `None` if the game cannot be solved in files: it
    /// has no stages, positions before them, or no predecessors, or the system does not support addresses
    /// without memory.
    pub fn memory_in_files(&self) -> Option<u64> {
        if !Addresses::CAN_BE_HAD {
            return None;
        }
        self.able.before?;
        let stages = self.filed_stages()?;
        let stage = |number: usize| {
            held(&stages, number).saturating_add(counts::bytes(Width::Wide, stages[number].stage.places))
        };
        (0..stages.len()).map(stage).max()
    }

    /// Whether to solve the game in files with this memory limit: some game may take more than 125 turns, and
    /// then only a solve in files fits into memory.
    pub fn is_for_files(&self, memory: u64) -> bool {
        let Some(in_files) = self.memory_in_files() else { return false };
        let lists = self
            .filed_stages()
            .into_iter()
            .flatten()
            .map(|filed| counts::bytes(Width::Wide, filed.stage.places));
        let scores = self.game.index_count().saturating_mul(Width::Wide.bytes() as u128);
        in_files <= memory && scores.saturating_add(lists.max().unwrap_or(0).into()) > memory.into()
    }

    /// Solves a game of stages by counting, with files for the scores that a stage does not need. Resumes
    /// from existing files.
    ///
    /// # Errors
    /// The errors of [`Retrograde::solve`], or [`SolveError::TooLarge`] if the game cannot be solved in
    /// files.
    pub fn solve_in_files(
        &self,
        job: &mut Job<'_>,
        files: Box<dyn Spill>,
    ) -> Result<StagedScores, SolveError> {
        let too_large = || SolveError::TooLarge { count: self.game.index_count() };
        let len = usize::try_from(self.game.index_count()).map_err(|_| too_large())?;
        let need = self.memory_in_files().ok_or_else(too_large)?;
        if need > job.memory {
            return Err(SolveError::Memory { need, limit: job.memory });
        }
        let stages = self.filed_stages().ok_or_else(too_large)?;
        let mut scores = ScoreArray::unbacked(len).ok_or_else(too_large)?;
        let solver = Retrograde { counts: true, ..*self };
        solve_stages(job, files, stages, &mut scores, &mut |job, driver, scores, at| {
            solver.run_stage(job, driver, scores, at)
        })
    }
}

/// Solves the stages one after another, each unless its files exist.
fn solve_stages(
    job: &mut Job<'_>,
    files: Box<dyn Spill>,
    mut stages: Vec<FiledStage>,
    scores: &mut ScoreArray,
    solve: &mut SolveStage<'_>,
) -> Result<StagedScores, SolveError> {
    let mut driver = Driver::new(job.pool()?, job.progress, Memory { held: 0, limit: job.memory });
    let written: HashSet<String> = files.names()?.into_iter().collect();
    let mut in_memory: BTreeSet<usize> = BTreeSet::new();
    let mut counts: BTreeMap<u16, u64> = BTreeMap::new();
    for number in 0..stages.len() {
        let names: Vec<String> =
            (0..stages[number].stage.ranges().count()).map(|range| file_name(number, range)).collect();
        let mut by_score: BTreeMap<u16, u64> = BTreeMap::new();
        if names.iter().all(|name| written.contains(name)) {
            for (range, name) in stages[number].stage.ranges().zip(&names) {
                add(&mut by_score, &ScoreFile::open(&*files, name, range)?.counts);
            }
        } else {
            let wanted: BTreeSet<usize> = stages[number].after.iter().copied().collect();
            for &other in in_memory.difference(&wanted) {
                stages[other].stage.ranges().for_each(|range| scores.release(range));
            }
            in_memory.retain(|stage| wanted.contains(stage));
            for &other in wanted.difference(&in_memory.clone()) {
                load(&*files, other, &stages[other].stage, scores, &driver)?;
                in_memory.insert(other);
            }
            driver.memory.held = held(&stages, number);
            fill(&driver, scores, &stages[number].stage)?;
            let earlier = wanted.iter().map(|&stage| stages[stage].longest).max().unwrap_or(0);
            let at = StageAt {
                number,
                of: stages.len(),
                stage: &stages[number].stage,
                turns: 0,
                earlier,
                wins_at_once: job.horizon != Some(Turns(0)),
                in_files: true,
                turns_within: stages[number].turns_within,
            };
            solve(job, &driver, scores, &at)?.ok_or(SolveError::TooDeep)?;
            let part = format!("stage {} of {}", number + 1, stages.len());
            driver.progress.stage(&format!("writing {part}"), stages[number].stage.len());
            for (range, name) in stages[number].stage.ranges().zip(&names) {
                let counts = scores.counts(&driver.pool, range.clone());
                store(&*files, name, range, scores, &counts, &driver)?;
                add(&mut by_score, &counts);
            }
            in_memory.insert(number);
        }
        stages[number].longest = longest(&by_score);
        add(&mut counts, &by_score);
    }
    let numbered = stages.iter().enumerate().flat_map(|(number, filed)| {
        let ranges = filed.stage.ranges().enumerate();
        ranges.map(move |(at, range)| (range, file_name(number, at)))
    });
    let mut ranges: Vec<(Range<u64>, String)> = numbered.collect();
    ranges.sort_by_key(|(range, _)| range.start);
    Ok(StagedScores { files, ranges, counts })
}

/// Adds counts by score.
fn add(counts: &mut BTreeMap<u16, u64>, more: &BTreeMap<u16, u64>) {
    for (score, count) in more {
        *counts.entry(*score).or_insert(0) += count;
    }
}

/// Resets all scores of a stage to unknown.
fn fill(driver: &Driver<'_>, scores: &ScoreArray, stage: &Stage) -> Result<(), SolveError> {
    let mut pieces = stage.pieces(PIECE as u64);
    driver.each(&mut pieces, stage.len(), &|piece| {
        piece.indices.clone().for_each(scores.setter(u16::UNKNOWN));
    })
}

/// Reads the scores of a stage from its files.
fn load(
    files: &dyn Spill,
    number: usize,
    stage: &Stage,
    scores: &ScoreArray,
    driver: &Driver<'_>,
) -> Result<(), SolveError> {
    driver.progress.stage(&format!("reading stage {}", number + 1), stage.len());
    for (at, range) in stage.ranges().enumerate() {
        let name = file_name(number, at);
        let mut file = ScoreFile::open(files, &name, range.clone())?;
        let mut index = range.start;
        while let Some(piece) = file.piece()? {
            if driver.progress.stopped() {
                return Err(SolveError::Stopped);
            }
            driver.progress.advance(piece.len() as u64);
            for score in piece {
                scores.set(index, score);
                index += 1;
            }
        }
    }
    Ok(())
}

/// Writes the scores of a range to its file.
fn store(
    files: &dyn Spill,
    name: &str,
    range: Range<u64>,
    scores: &ScoreArray,
    counts: &BTreeMap<u16, u64>,
    driver: &Driver<'_>,
) -> Result<(), SolveError> {
    files.write(name, &mut |out| {
        out.write_all(&(counts.len() as u32).to_le_bytes())?;
        for (score, count) in counts {
            out.write_all(&score.to_le_bytes())?;
            out.write_all(&count.to_le_bytes())?;
        }
        let mut bytes = Vec::with_capacity(2 * PIECE);
        for start in range.clone().step_by(PIECE) {
            let end = range.end.min(start + PIECE as u64);
            bytes.clear();
            for index in start..end {
                bytes.extend_from_slice(&scores.get(index).to_le_bytes());
            }
            out.write_all(&bytes)?;
            driver.progress.advance(end - start);
        }
        Ok(())
    })?;
    Ok(())
}
