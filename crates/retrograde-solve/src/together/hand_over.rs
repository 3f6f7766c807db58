//! Finishes a solve of reachable positions: process 0 receives the positions of all processes in the order of
//! their numbers, window by window.
//!
//! Reachable numbers are sparse and unevenly spread. The processes therefore agree on window ends taken
//! from samples of their positions, so that all windows hold about the same number of positions.

use std::io;
use std::ops::Range;

use super::sink::{ReachableSink, ReachableTotals};
use super::team::Team;
use super::words::{put_group, put_pairs, put_scores, take_group, take_pairs, take_scores};
use crate::job::SolveError;
use crate::reachable::NumberedScores;

/// The approximate number of positions in a window, which all processes together send in one round.
const WINDOW: u64 = 1 << 20;

/// Passes the positions of all processes to the sink of process 0.
pub(super) fn hand_over(
    own: NumberedScores,
    mut team: Team<'_, '_>,
    sink: &mut dyn ReachableSink,
) -> Result<(), SolveError> {
    let wanted = if team.me == 0 { sink.wanted() } else { Vec::new() };
    let totals = totals(&mut team, &own, &wanted)?;
    let ends = ends(&mut team, &own)?;
    team.job.progress.stage("writing", own.len() as u64);
    let first = team.me == 0;
    let mut windows = Windows {
        team,
        own,
        ends: ends.into_iter(),
        from: 0,
        last: false,
        here: Vec::new().into_iter(),
        fault: None,
    };
    if first {
        let taken = sink.take(&totals, &mut windows);
        if let Some(fault) = windows.fault {
            return Err(fault);
        }
        taken.map_err(SolveError::Outside)?;
    }
    // Windows that the sink did not take are exchanged anyway: every process takes part in each round.
    while windows.advance()? {}
    Ok(())
}

/// The totals of all positions, which process 0 needs before the first of them arrives.
fn totals(
    team: &mut Team<'_, '_>,
    own: &NumberedScores,
    wanted: &[u64],
) -> Result<ReachableTotals, SolveError> {
    let counts = team.all_counts(&own.counts())?;
    // Only process 0 wants something.
    let message = put_pairs((0..).zip(wanted.iter().copied()));
    let asked = take_pairs(team.exchange.tell_all(&message)?)?;
    let found = asked.iter().filter_map(|&(place, number)| Some((place, own.score(number)?.into())));
    let mut scores = vec![None; wanted.len()];
    for (place, score) in take_pairs(team.exchange.tell_first(&put_pairs(found))?)? {
        if let Some(found) = scores.get_mut(place as usize) {
            *found = Some(score as u16);
        }
    }
    Ok(ReachableTotals { counts, wanted: scores })
}

/// The ends of all windows but the last, the same in all processes.
fn ends(team: &mut Team<'_, '_>, own: &NumberedScores) -> Result<Vec<u64>, SolveError> {
    let processes = team.processes;
    let each = (team.job.window.unwrap_or(WINDOW) / processes as u64).max(1);
    let each = usize::try_from(each).unwrap_or(usize::MAX);
    let samples = (each..own.len()).step_by(each).map(|place| own.at(place).0);
    let message = put_pairs(samples.map(|sample| (sample, 0)));
    let all = take_pairs(team.exchange.tell_all(&message)?)?;
    let mut all: Vec<u64> = all.into_iter().map(|(sample, _)| sample).collect();
    all.sort_unstable();
    Ok(all.into_iter().skip(processes - 1).step_by(processes).collect())
}

/// An iterator over all positions at process 0. The other processes only send their windows.
struct Windows<'a, 'j> {
    team: Team<'a, 'j>,
    own: NumberedScores,
    /// The ends of the remaining windows; the last window has no end.
    ends: std::vec::IntoIter<u64>,
    /// The first place of the next window.
    from: usize,
    /// Whether the last window has been exchanged.
    last: bool,
    here: std::vec::IntoIter<(u64, u16)>,
    fault: Option<SolveError>,
}

impl Windows<'_, '_> {
    /// Exchanges the next window. Returns `false` after the last one.
    fn advance(&mut self) -> Result<bool, SolveError> {
        if self.last {
            return Ok(false);
        }
        let to = match self.ends.next() {
            Some(end) => self.own.place_of(end),
            None => {
                self.last = true;
                self.own.len()
            }
        };
        let places = self.from..to;
        self.from = to;
        let first = self.team.me == 0;
        let sends = !first && !places.is_empty();
        let bytes = if sends { put_positions(&self.own, places.clone()) } else { Vec::new() };
        let pieces = self.team.send_to_first(bytes)?;
        self.team.job.progress.advance(places.len() as u64);
        let mut here: Vec<(u64, u16)> = Vec::new();
        for piece in pieces {
            let read = take_positions(&piece.bytes, &mut here);
            read.ok_or_else(|| piece.wrong("positions that cannot be read"))?;
        }
        if first {
            here.extend(places.map(|place| self.own.at(place)));
            here.sort_unstable();
        }
        self.here = here.into_iter();
        Ok(true)
    }
}

impl Iterator for Windows<'_, '_> {
    type Item = io::Result<(u64, u16)>;

    fn next(&mut self) -> Option<io::Result<(u64, u16)>> {
        loop {
            if let Some(position) = self.here.next() {
                return Some(Ok(position));
            }
            match self.advance() {
                Ok(true) => {}
                Ok(false) => return None,
                Err(fault) => {
                    let error = io::Error::other(fault.to_string());
                    self.fault = Some(fault);
                    self.last = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Encodes positions for a message: their numbers, then their scores.
fn put_positions(own: &NumberedScores, places: Range<usize>) -> Vec<u8> {
    let (numbers, scores): (Vec<u64>, Vec<u16>) = places.map(|place| own.at(place)).unzip();
    let mut bytes = Vec::new();
    put_group(&mut bytes, 0, &numbers);
    bytes.extend(put_scores(&scores));
    bytes
}

/// Appends the positions of a message to `positions`. Returns `None` if the message is malformed.
pub(super) fn take_positions(mut bytes: &[u8], positions: &mut Vec<(u64, u16)>) -> Option<()> {
    let (_, numbers) = take_group(&mut bytes)?;
    let scores = take_scores(bytes).filter(|scores| scores.len() == numbers.len())?;
    numbers.is_sorted().then(|| positions.extend(numbers.into_iter().zip(scores)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_survive_a_round_trip() {
        for scores in [[1, 2, u16::MAX], [1, 300, 2]] {
            let pairs = vec![(0, scores[0]), (1, scores[1]), (u64::MAX, scores[2])];
            let own = NumberedScores::Pairs(pairs.clone());
            let bytes = put_positions(&own, 0..3);
            let mut read = Vec::new();
            take_positions(&bytes, &mut read).unwrap();
            assert_eq!(read, pairs);
            assert!(take_positions(&bytes[..bytes.len() - 1], &mut read).is_none());
        }
    }
}
