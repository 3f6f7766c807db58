//! All positions that occur, found grade by grade, the highest first: when the turn of a grade comes,
//! every process knows all that it owns of it.

use retrograde_solve::SolveError;
use retrograde_solve::reachable::{Batches, DividedKeys, GradeState};

use super::messages::{keys_by_grade, put_codes, sorted_codes};
use super::owners::Owners;
use super::run::OccurringRun;
use super::saved::Current;
use crate::error::ClusterError;
use crate::transport::{Packet, PacketKind, Tally};

/// The successors of some positions.
pub(super) struct Successors {
    /// The successors that this process owns, by grade.
    pub own: Vec<(u64, DividedKeys)>,
    /// The messages to the others.
    pub sent: Vec<Vec<u8>>,
}

impl Successors {
    pub(super) fn none(processes: usize) -> Successors {
        Successors { own: Vec::new(), sent: vec![Vec::new(); processes] }
    }

    /// Adds successors of one grade.
    pub(super) fn add(&mut self, grade: u64, keys: Vec<u64>, owners: &Owners, me: u32) {
        let mut by_owner = vec![Vec::new(); self.sent.len()];
        keys.into_iter().for_each(|key| by_owner[owners.of(key) as usize].push(key));
        for (owner, keys) in (0..).zip(by_owner).filter(|(_, keys)| !keys.is_empty()) {
            if owner == me {
                self.own.push((grade, DividedKeys::new(&keys)));
            } else {
                put_codes(&mut self.sent[owner as usize], grade, &sorted_codes(keys));
            }
        }
    }
}

impl<B: ?Sized> OccurringRun<'_, '_, B> {
    /// The keys that this process has found for itself, and its packets to others.
    pub(super) fn own_and_packets(&self, found: Vec<Successors>) -> (Vec<(u64, DividedKeys)>, Vec<Packet>) {
        let (mut own, mut packets) = (Vec::new(), Vec::new());
        for found in found {
            own.extend(found.own);
            let sent = (0..).zip(found.sent).filter(|(_, bytes)| !bytes.is_empty());
            packets.extend(
                sent.map(|(to, bytes)| self.session.transport.packet(to, PacketKind::Found, 0, bytes)),
            );
        }
        (own, packets)
    }

    /// The keys that others have found, all of them below a grade.
    pub(super) fn received(
        &self,
        packets: &[Packet],
        above: u64,
    ) -> Result<Vec<(u64, DividedKeys)>, ClusterError> {
        let (owners, me) = (&self.owners, self.me);
        let received = self.session.pool.results(packets.len(), &|number| {
            let packet = &packets[number];
            if packet.kind != PacketKind::Found {
                return Err(ClusterError::Protocol { from: packet.from, what: "what nobody asked for" });
            }
            let groups = keys_by_grade(packet, above)?;
            if groups.iter().flat_map(|(_, keys)| keys).any(|&key| owners.of(key) != me) {
                let what = "a position that the receiver does not own";
                return Err(ClusterError::Protocol { from: packet.from, what });
            }
            Ok(groups.into_iter().map(|(grade, keys)| (grade, DividedKeys::new(&keys))).collect::<Vec<_>>())
        })?;
        Ok(received.into_iter().flatten().collect())
    }
}

impl OccurringRun<'_, '_, dyn Batches + '_> {
    /// The position to begin with, which every process finds.
    pub(super) fn begin(&mut self) -> Result<(), ClusterError> {
        if let Some((grade, key)) = self.game.start()?
            && self.owners.of(key) == self.me
        {
            self.share.add(&self.session.pool, grade, &[DividedKeys::new(&[key])]);
        }
        Ok(())
    }

    /// Gathers all positions.
    pub(super) fn gather(&mut self) -> Result<(), ClusterError> {
        self.job.progress.stage("gathering positions", 0);
        while let Some((grade, batches)) = self.next_grade(self.share.next_waiting(), u64::max)? {
            self.follow(grade, batches)?;
        }
        Ok(())
    }

    /// Finds what follows the positions of a grade.
    fn follow(&mut self, grade: u64, batches: u64) -> Result<(), ClusterError> {
        let keys = self.share.take_waiting(&self.session.pool, grade);
        let batch = usize::try_from(self.batch()).unwrap_or(usize::MAX);
        let (mut parts, mut done) = (keys.chunks(batch), 0);
        for _ in 0..batches {
            let part = parts.next().unwrap_or_default();
            let (own, packets) = self.own_and_packets(self.found(part, grade)?);
            let wishes = self.wishes();
            let (packets, tally) = self.session.transport.exchange(packets, wishes)?;
            let found = self.take(own, &packets, grade)?;
            self.check_memory(keys.len() as u64 * 10 + found)?;
            done += part.len();
            if tally.has(Tally::SAVE) || tally.has(Tally::STOP) {
                self.save(&Current { left: GradeState::Waiting, grade, keys: &keys, done, scores: &[] })?;
            }
            if tally.has(Tally::STOP) {
                return Err(SolveError::Stopped.into());
            }
            self.job.progress.advance(part.len() as u64);
        }
        self.share.put_gathered(grade, keys);
        Ok(())
    }

    /// The successors of a batch, by the threads of this process.
    fn found(&self, part: &[u64], grade: u64) -> Result<Vec<Successors>, ClusterError> {
        let chunks = self.chunks(part);
        let (game, owners, me, processes) = (self.game, &self.owners, self.me, self.processes());
        self.pool().results(chunks.len(), &|number| {
            let mut found = Successors::none(processes);
            for (grade, keys) in game.successors(chunks[number], grade)? {
                found.add(grade, keys, owners, me);
            }
            Ok(found)
        })
    }

    /// Takes what this process and the others have found; the bytes of memory that it took before it
    /// was known what is new.
    fn take(
        &mut self,
        own: Vec<(u64, DividedKeys)>,
        packets: &[Packet],
        grade: u64,
    ) -> Result<u64, ClusterError> {
        let mut by_grade = std::collections::BTreeMap::<u64, Vec<DividedKeys>>::new();
        let mut bytes = 0;
        for (grade, keys) in self.received(packets, grade)?.into_iter().chain(own) {
            bytes += keys.len() as u64 * 8;
            by_grade.entry(grade).or_default().push(keys);
        }
        for (grade, found) in by_grade {
            self.share.add(&self.session.pool, grade, &found);
        }
        Ok(bytes)
    }
}
