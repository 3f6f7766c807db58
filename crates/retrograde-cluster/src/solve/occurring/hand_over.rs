//! The end of a solve: every process numbers its positions, and process 0 gets all of them in the
//! order of the numbers, window by window.
//!
//! Numbers that occur are few among all, and nobody knows where. So windows end at samples of what
//! the processes own, on which all agree: each has about as many positions.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;

use retrograde_solve::reachable::{NumberedScores, Numbers, narrowed, widened};
use retrograde_solve::{Progress, SolveError};

use super::run::OccurringRun;
use super::sink::{OccurringSink, OccurringTotals};
use crate::error::ClusterError;
use crate::transport::{Packet, PacketKind, Tally, Transport, pack, unpack};

/// Positions of a window, about: all processes together send as many in a round.
const WINDOW: u64 = 1 << 20;

impl<B: ?Sized> OccurringRun<'_, '_, B> {
    /// Numbers the positions and hands them to the sink of process 0.
    pub(super) fn hand_over(
        mut self,
        numbers: Numbers<'_>,
        sink: &mut dyn OccurringSink,
    ) -> Result<(), ClusterError> {
        self.job.progress.stage("sorting positions", 0);
        let share = std::mem::take(&mut self.share);
        let own = share.into_numbered(numbers, &self.session.pool, self.job.memory)?;
        let wanted = if self.me == 0 { sink.wanted() } else { Vec::new() };
        let totals = self.totals(&own, &wanted)?;
        let ends = self.ends(&own)?;
        self.job.progress.stage("writing", own.len() as u64);
        let transport = &mut self.session.transport;
        let mut windows = Windows {
            transport,
            progress: self.job.progress,
            own,
            ends: ends.into_iter(),
            from: 0,
            last: false,
            here: Vec::new().into_iter(),
            fault: None,
        };
        if self.me == 0 {
            let taken = sink.take(&totals, &mut windows);
            if let Some(fault) = windows.fault {
                return Err(fault);
            }
            taken.map_err(ClusterError::Sink)?;
        }
        // Windows that the sink did not take are still exchanged, since all processes take part in
        // each.
        while windows.advance()? {}
        Ok(())
    }

    /// The totals of all positions, which process 0 knows before the first of them comes; elsewhere
    /// nothing.
    fn totals(&mut self, own: &NumberedScores, wanted: &[u64]) -> Result<OccurringTotals, ClusterError> {
        let bytes: Vec<u8> = wanted.iter().flat_map(|number| number.to_le_bytes()).collect();
        let wanted = self.session.transport.all_gather(&bytes)?.swap_remove(0);
        let (wanted, _) = wanted.as_chunks::<8>();
        let mut counts = BTreeMap::<u16, u64>::new();
        own.iter().for_each(|(_, score)| *counts.entry(score).or_default() += 1);
        let scores = wanted.iter().map(|&number| own.score(u64::from_le_bytes(number)));
        let said = serde_json::to_vec(&(counts, scores.collect::<Vec<_>>())).unwrap_or_default();
        let mut totals = OccurringTotals { counts: BTreeMap::new(), wanted: vec![None; wanted.len()] };
        for (from, said) in (0..).zip(self.session.transport.gather_at_first(&said)?) {
            let wrong = ClusterError::Protocol { from, what: "counts that cannot be read" };
            let read = serde_json::from_slice::<(BTreeMap<u16, u64>, Vec<Option<u16>>)>(&said);
            let Ok((counts, scores)) = read else { return Err(wrong) };
            if scores.len() != totals.wanted.len() {
                return Err(wrong);
            }
            for (score, count) in counts {
                let all = totals.counts.entry(score).or_default();
                *all = all.saturating_add(count);
            }
            totals.wanted.iter_mut().zip(scores).for_each(|(known, score)| *known = known.or(score));
        }
        Ok(totals)
    }

    /// The ends of the windows but the last, the same in all processes.
    fn ends(&mut self, own: &NumberedScores) -> Result<Vec<u64>, ClusterError> {
        let processes = self.processes();
        let each = (self.job.window.unwrap_or(WINDOW) / processes as u64).max(1);
        let each = usize::try_from(each).unwrap_or(usize::MAX);
        let samples = (each..own.len()).step_by(each).map(|place| own.at(place).0);
        let said: Vec<u8> = samples.flat_map(|number| number.to_le_bytes()).collect();
        let mut all: Vec<u64> = Vec::new();
        for (from, said) in (0..).zip(self.session.transport.all_gather(&said)?) {
            let (numbers, rest) = said.as_chunks::<8>();
            if !rest.is_empty() {
                return Err(ClusterError::Protocol { from, what: "samples that cannot be read" });
            }
            all.extend(numbers.iter().map(|&number| u64::from_le_bytes(number)));
        }
        all.sort_unstable();
        Ok(all.into_iter().skip(processes - 1).step_by(processes).collect())
    }
}

/// All positions at process 0, as they come; at the others what they send.
struct Windows<'a> {
    transport: &'a mut Transport,
    progress: &'a dyn Progress,
    own: NumberedScores,
    /// Where the windows end that are left; the last one has no end.
    ends: std::vec::IntoIter<u64>,
    /// The first place of the next window.
    from: usize,
    /// Whether the last window was exchanged.
    last: bool,
    here: std::vec::IntoIter<(u64, u16)>,
    fault: Option<ClusterError>,
}

impl Windows<'_> {
    /// Exchanges the next window; `false` if there is none.
    fn advance(&mut self) -> Result<bool, ClusterError> {
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
        let first = self.transport.me == 0;
        let packet = match first || places.is_empty() {
            true => None,
            false => {
                let bytes = put_positions(&self.own, places.clone());
                Some(self.transport.packet(0, PacketKind::Scores, 0, bytes))
            }
        };
        let stop = Tally::flag(Tally::STOP, self.progress.stopped());
        let (packets, tally) = self.transport.exchange(packet.into_iter().collect(), stop)?;
        if tally.has(Tally::STOP) {
            return Err(SolveError::Stopped.into());
        }
        self.progress.advance(places.len() as u64);
        let mut here: Vec<(u64, u16)> = Vec::new();
        for packet in packets {
            if !first || packet.kind != PacketKind::Scores {
                return Err(ClusterError::Protocol { from: packet.from, what: "what nobody asked for" });
            }
            take_positions(&packet, &mut here)?;
        }
        if first {
            here.extend(places.map(|place| self.own.at(place)));
            here.sort_unstable();
        }
        self.here = here.into_iter();
        Ok(true)
    }
}

impl Iterator for Windows<'_> {
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

/// Positions in a message: numbers as differences, each followed by its score.
fn put_positions(own: &NumberedScores, places: Range<usize>) -> Vec<u8> {
    let narrow = places.clone().all(|place| narrowed(own.at(place).1).is_some());
    let mut bytes = vec![if narrow { 1 } else { 2 }];
    let mut last = 0;
    for place in places {
        let (number, score) = own.at(place);
        pack(&mut bytes, number - last);
        match narrowed(score).filter(|_| narrow) {
            Some(score) => bytes.push(score),
            None => bytes.extend_from_slice(&score.to_le_bytes()),
        }
        last = number;
    }
    bytes
}

pub(crate) fn take_positions(packet: &Packet, positions: &mut Vec<(u64, u16)>) -> Result<(), ClusterError> {
    let wrong = || ClusterError::Protocol { from: packet.from, what: "positions that cannot be read" };
    let (width, mut bytes) = packet.bytes.split_first().ok_or_else(wrong)?;
    let mut number = 0_u64;
    while !bytes.is_empty() {
        number = unpack(&mut bytes).and_then(|step| number.checked_add(step)).ok_or_else(wrong)?;
        let score = match (width, bytes) {
            (1, [score, rest @ ..]) => {
                bytes = rest;
                widened(*score)
            }
            (2, [low, high, rest @ ..]) => {
                bytes = rest;
                u16::from_le_bytes([*low, *high])
            }
            _ => return Err(wrong()),
        };
        positions.push((number, score));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_come_back() {
        for scores in [[1, 2, u16::MAX], [1, 300, 2]] {
            let pairs = vec![(0, scores[0]), (1, scores[1]), (u64::MAX, scores[2])];
            let own = NumberedScores::Pairs(pairs.clone());
            let bytes = put_positions(&own, 0..3);
            let mut packet = Packet { to: 0, from: 1, round: 0, kind: PacketKind::Scores, tag: 0, bytes };
            let mut read = Vec::new();
            take_positions(&packet, &mut read).unwrap();
            assert_eq!(read, pairs);
            packet.bytes.pop();
            assert!(take_positions(&packet, &mut read).is_err());
        }
    }
}
