//! Solves games that cannot repeat on several processes, each of which holds the scores of all indices.
//!
//! In each layer, every process solves some of the ranges as a single process would, and sends their scores
//! to all others. Nothing is asked for, so this takes little more time than threads do.

use std::ops::Range;

use retrograde_game::{Index, Layered, Score};

use super::dense::{Attempt, DenseShare, each_run, save_scores};
use super::job::SavedAt;
use super::partition::Partition;
use super::sink::ScoreSink;
use super::team::{Team, saves};
use crate::array::ScoreArray;
use crate::exchange::{Piece, Tally};
use crate::graded::solve_ranges;
use crate::job::SolveError;
use crate::widths::Width;

/// The maximum length of a run, whose scores are written and read by one thread.
const RUN: u64 = 1 << 16;
/// The number of runs in a message.
const RUNS: usize = 32;

/// Solves a game and passes the scores to the sink of process 0.
pub(super) fn solve<G: Layered>(
    game: &G,
    team: &mut Team<'_, '_>,
    width: Width,
    found: Option<SavedAt>,
    sink: &mut dyn ScoreSink,
) -> Attempt {
    let too_large = || SolveError::TooLarge { count: game.index_count() };
    let count = u64::try_from(game.index_count()).map_err(|_| too_large())?;
    let len = usize::try_from(count).map_err(|_| too_large())?;
    let scores = ScoreArray::new(&team.pool, width, len, u16::UNKNOWN)?;
    let resumed = found.is_some();
    if let Some(found) = found {
        resume(team, found, &scores)?;
    }
    let main = count - game.prelude();
    team.job.progress.stage("solving, layer by layer", main);
    for layer in 0..game.layer_count() {
        let ranges = game.layer(layer);
        let mut indices = ranges.iter().flat_map(|range| range.start.0..range.end.0);
        if resumed && !indices.any(|index| scores.is_unknown(index)) {
            team.job.progress.advance(ranges.iter().map(|range| range.end.0 - range.start.0).sum());
            continue;
        }
        let dealt = Dealt::new(&ranges, team);
        let solved = solve_ranges(game, &scores, &dealt.own(team.me), (&team.pool, team.job.progress));
        let (too_long, stopped) = match solved {
            Ok(solved) => (!solved, false),
            Err(SolveError::Stopped) => (false, true),
            Err(error) => return Err(error),
        };
        let flags = Tally::flag(Tally::FAILED, too_long).and(Tally::flag(Tally::STOP, stopped));
        let tally = dealt.send(team, &scores, flags)?;
        if tally.has(Tally::FAILED) {
            return Ok(false);
        }
        if saves(tally) {
            let partition = Partition::new(count, team.exchange.threads());
            save_scores(team, 0, &partition, width, |_, index| scores.get(index))?;
        }
        if tally.has(Tally::STOP) {
            return Err(SolveError::Stopped);
        }
    }
    // Only process 0 has something to do now.
    let (scores, own_main) = match team.me {
        0 => (scores, main),
        _ => (ScoreArray::new(&team.pool, width, 0, u16::UNKNOWN)?, 0),
    };
    let partition = Partition::of_first(count, team.processes);
    DenseShare { game, partition, me: team.me as u32, own_main, scores }.finish(team, sink)
}

/// Resumes from a saved state: every process reads the scores of all.
fn resume(team: &mut Team<'_, '_>, found: SavedAt, scores: &ScoreArray) -> Result<(), SolveError> {
    let (count, width, processes) = (scores.len() as u64, scores.width(), team.processes);
    let divide = |bytes: &[u8]| {
        each_run(width, bytes, count, &mut |_, _| Some(()))?;
        Some(vec![bytes.to_vec(); processes])
    };
    let mut take = |bytes: &[u8]| {
        let mut taken = 0;
        each_run(width, bytes, count, &mut |range, bytes| {
            taken += range.end - range.start;
            read(scores, range, bytes)
        })?;
        Some(taken)
    };
    team.check_whole(found.positions == count)?;
    let taken = team.load(&divide, &mut take)?;
    team.check_whole(taken == count * processes as u64)
}

/// Writes the scores of a run into a message.
fn write(scores: &ScoreArray, run: Range<u64>, out: &mut Vec<u8>) {
    run.for_each(|index| scores.width().put(scores.get(index), out));
}

/// Reads the scores of a run from a message. Returns `None` if there are too few.
fn read(scores: &ScoreArray, run: Range<u64>, bytes: &[u8]) -> Option<()> {
    for (at, index) in run.enumerate() {
        scores.set(index, scores.width().take(bytes, at)?);
    }
    Some(())
}

/// The ranges of a layer, dealt to the processes in turn, in proportion to their threads.
struct Dealt<'a> {
    ranges: &'a [Range<Index>],
    partition: Partition,
    /// The runs of each process, in the order in which it sends them.
    runs: Vec<Vec<Range<u64>>>,
}

impl<'a> Dealt<'a> {
    fn new(ranges: &'a [Range<Index>], team: &Team<'_, '_>) -> Dealt<'a> {
        let partition = Partition::with_bits(ranges.len() as u64, team.exchange.threads(), 0);
        let mut dealt = Dealt { ranges, partition, runs: Vec::new() };
        let length = team.job.window.unwrap_or(RUN).clamp(1, RUN);
        let cut = |range: Range<Index>| {
            let Range { start: Index(start), end: Index(end) } = range;
            (start..end).step_by(length as usize).map(move |from| from..end.min(from.saturating_add(length)))
        };
        dealt.runs = (0..team.processes)
            .map(|process| dealt.own(process).into_iter().flat_map(cut).collect())
            .collect();
        dealt
    }

    /// The ranges of a process.
    fn own(&self, process: usize) -> Vec<Range<Index>> {
        let numbers = self.partition.own_pieces(process as u32, 0..self.ranges.len() as u64);
        numbers.flat_map(|(_, numbers)| numbers).map(|number| self.ranges[number as usize].clone()).collect()
    }

    /// Sends the scores of the ranges of this process to all others, and takes theirs. Ends early if a
    /// process fails or stops, as the tally says.
    fn send(&self, team: &mut Team<'_, '_>, scores: &ScoreArray, flags: Tally) -> Result<Tally, SolveError> {
        let rounds = self.runs.iter().map(|runs| runs.len().div_ceil(RUNS)).max().unwrap_or(0);
        let mut all = Tally::default();
        for round in 0..rounds.max(1) {
            let runs = |process: usize| self.runs[process].chunks(RUNS).nth(round).unwrap_or_default();
            let own = runs(team.me);
            let bytes = team.pool.all(own.len(), &|number| {
                let mut bytes = Vec::new();
                write(scores, own[number].clone(), &mut bytes);
                bytes
            });
            let bytes = bytes.concat();
            let others = (0..team.processes).filter(|&process| process != team.me && !bytes.is_empty());
            let send = others.map(|process| Piece { process, tag: 0, bytes: bytes.clone() }).collect();
            let flags = flags.and(team.stop_or_save());
            let (pieces, tally) = team.exchange.round(send, flags)?;
            all = all.and(tally);
            for piece in pieces {
                take(team, scores, runs(piece.process), &piece)?;
            }
            if all.has(Tally::FAILED) || all.has(Tally::STOP) {
                break;
            }
        }
        Ok(all)
    }
}

/// Takes the scores of the runs that another process has sent.
fn take(
    team: &Team<'_, '_>,
    scores: &ScoreArray,
    runs: &[Range<u64>],
    piece: &Piece,
) -> Result<(), SolveError> {
    let mut at = 0;
    let mut starts = Vec::new();
    for run in runs {
        starts.push(at);
        at += (run.end - run.start) as usize * scores.width().bytes();
    }
    let wrong = || SolveError::Protocol { from: piece.process, what: "the wrong number of scores" };
    if at != piece.bytes.len() {
        return Err(wrong());
    }
    team.pool.results(runs.len(), &|number| {
        read(scores, runs[number].clone(), &piece.bytes[starts[number]..]).ok_or_else(wrong)
    })?;
    team.job.progress.advance(runs.iter().map(|run| run.end - run.start).sum());
    Ok(())
}
