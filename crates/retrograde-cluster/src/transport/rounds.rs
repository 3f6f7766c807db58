//! Rounds of messages over timely dataflow: all processes have sent and received all messages of a
//! round before any of them goes on.
//!
//! The dataflow is one exchange and a probe. A round sends packets under its number as the time,
//! closes that time and steps the worker until the probe says that nobody can send or receive at it
//! any more: the engine's progress tracking, not a count of ours, ends a round. Callers bound the
//! messages of a process in a round, so the engine's queues are bounded too; that is all the
//! back-pressure there is.
//!
//! One worker of the engine stands for a process, whatever threads it has: these share the work
//! between rounds. So processes may have different numbers of threads, and progress messages grow
//! with the square of the processes and not of all cores.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use timely::communication::Allocator;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::Probe;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::vec::Input;
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;

use super::packet::{Packet, PacketKind};
use crate::error::ClusterError;
use crate::liveness::FailureMonitor;

/// The time that a worker sleeps before it looks whether another process has failed.
const NAP: Duration = Duration::from_millis(100);

/// Numbers that all processes add up in a round, and flags that one of them is enough for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Tally {
    pub sums: [u64; 3],
    pub flags: u64,
}

impl Tally {
    /// Someone has more to send.
    pub(crate) const MORE: u64 = 1;
    /// Someone is to stop.
    pub(crate) const STOP: u64 = 2;
    /// A score does not fit.
    pub(crate) const TOO_LONG: u64 = 4;
    /// A checkpoint is due.
    pub(crate) const SAVE: u64 = 8;
    /// A position has more turns than are counted.
    pub(crate) const TOO_MANY: u64 = 16;

    pub(crate) fn flag(flag: u64, set: bool) -> Tally {
        Tally { flags: if set { flag } else { 0 }, ..Tally::default() }
    }

    pub(crate) fn has(&self, flag: u64) -> bool {
        self.flags & flag != 0
    }

    fn add(&mut self, other: &Tally) {
        for (sum, other) in self.sums.iter_mut().zip(other.sums) {
            *sum = sum.saturating_add(other);
        }
        self.flags |= other.flags;
    }

    fn bytes(&self) -> Vec<u8> {
        self.sums.iter().chain([&self.flags]).flat_map(|number| number.to_le_bytes()).collect()
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Option<Tally> {
        let mut numbers =
            bytes.chunks_exact(8).map(|chunk| chunk.iter().rev().fold(0, |n, &b| n << 8 | u64::from(b)));
        let mut next = || numbers.next();
        (bytes.len() == 32).then_some(())?;
        Some(Tally { sums: [next()?, next()?, next()?], flags: next()? })
    }
}

/// The end of the engine that a process holds.
pub(crate) struct Transport {
    worker: Worker,
    input: Option<InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Packet>>>>,
    probe: ProbeHandle<u64>,
    inbox: Rc<RefCell<Vec<Packet>>>,
    round: u64,
    pub(crate) me: u32,
    pub(crate) processes: u32,
    pub(crate) monitor: Arc<FailureMonitor>,
}

impl Transport {
    pub(crate) fn new(allocator: Allocator, monitor: Arc<FailureMonitor>) -> Transport {
        // Waiting for others shall cost no core: it parks at once.
        let config = timely::WorkerConfig::default().idle_spin(Duration::ZERO);
        // Without a clock it would never park.
        let mut worker = Worker::new(config, allocator, Some(std::time::Instant::now()));
        let inbox = Rc::new(RefCell::new(Vec::new()));
        let probe = ProbeHandle::new();
        let received = Rc::clone(&inbox);
        let input = worker.dataflow::<u64, _, _>(|scope| {
            let (input, stream) = scope.new_input::<Packet>();
            stream
                .unary(Exchange::new(|packet: &Packet| u64::from(packet.to)), "deliver", |_, _| {
                    move |input, output| {
                        input.for_each(|capability, packets: &mut Vec<Packet>| {
                            received.borrow_mut().append(packets);
                            // Nothing is passed on; the type of what would be must be known.
                            output.session(&capability).give_container(&mut Vec::<()>::new());
                        });
                    }
                })
                .probe_with(&probe);
            input
        });
        let (me, processes) = (worker.index() as u32, worker.peers() as u32);
        Transport { worker, input: Some(input), probe, inbox, round: 0, me, processes, monitor }
    }

    /// A packet of this round.
    pub(crate) fn packet(&self, to: u32, kind: PacketKind, tag: u64, bytes: Vec<u8>) -> Packet {
        Packet { to, from: self.me, round: 0, kind, tag, bytes }
    }

    /// Sends packets and numbers, and waits until everything that anybody sent in this round is
    /// there. The packets for this process come in any order.
    ///
    /// # Errors
    /// If another process fails.
    pub(crate) fn exchange(
        &mut self,
        packets: Vec<Packet>,
        tally: Tally,
    ) -> Result<(Vec<Packet>, Tally), ClusterError> {
        let bytes = tally.bytes();
        let tallies = (0..self.processes).map(|to| self.packet(to, PacketKind::Tally, 0, bytes.clone()));
        let tallies: Vec<Packet> = tallies.collect();
        let Some(input) = &mut self.input else { return Err(self.monitor.error()) };
        for mut packet in packets.into_iter().chain(tallies) {
            packet.round = self.round;
            input.send(packet);
        }
        self.round += 1;
        input.advance_to(self.round);
        while self.probe.less_than(&self.round) {
            if self.monitor.has_failed() {
                return Err(self.monitor.error());
            }
            self.worker.step_or_park(Some(NAP));
        }
        let mut all = Tally::default();
        let mut tallies = 0;
        // Processes that have seen the end of this round earlier may have begun the next one.
        let (mut received, early) = std::mem::take(&mut *self.inbox.borrow_mut())
            .into_iter()
            .partition::<Vec<Packet>, _>(|packet| packet.round < self.round);
        let mut wrong = None;
        for packet in &early {
            if packet.round != self.round {
                wrong = Some((packet.from, "a packet of another round"));
            }
        }
        *self.inbox.borrow_mut() = early;
        received.retain(|packet| {
            if packet.round + 1 != self.round {
                wrong = Some((packet.from, "a packet of another round"));
            }
            if packet.kind != PacketKind::Tally {
                return true;
            }
            match Tally::from_bytes(&packet.bytes) {
                Some(tally) => all.add(&tally),
                None => wrong = Some((packet.from, "numbers that are none")),
            }
            tallies += 1;
            false
        });
        if let Some((from, what)) = wrong {
            return Err(ClusterError::Protocol { from, what });
        }
        if tallies != self.processes {
            return Err(ClusterError::Protocol { from: self.me, what: "a round that ended too early" });
        }
        Ok((received, all))
    }

    /// A round of numbers alone: sums and flags of all processes.
    pub(crate) fn all_reduce(&mut self, tally: Tally) -> Result<Tally, ClusterError> {
        let (packets, tally) = self.exchange(Vec::new(), tally)?;
        match packets.first() {
            None => Ok(tally),
            Some(packet) => Err(ClusterError::Protocol { from: packet.from, what: "what nobody asked for" }),
        }
    }

    /// Sends bytes to all processes, and gives those of all, by process.
    pub(crate) fn all_gather(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, ClusterError> {
        self.gather_at_those_below(self.processes, bytes)
    }

    /// Sends bytes to process 0, which gets those of all; the others get nothing.
    pub(crate) fn gather_at_first(&mut self, bytes: &[u8]) -> Result<Vec<Vec<u8>>, ClusterError> {
        self.gather_at_those_below(1, bytes)
    }

    fn gather_at_those_below(&mut self, end: u32, bytes: &[u8]) -> Result<Vec<Vec<u8>>, ClusterError> {
        let packets = (0..end).map(|to| self.packet(to, PacketKind::Told, 0, bytes.to_vec())).collect();
        let (packets, _) = self.exchange(packets, Tally::default())?;
        if self.me >= end && packets.is_empty() {
            return Ok(Vec::new());
        }
        let mut told: Vec<Option<Vec<u8>>> = vec![None; self.processes as usize];
        for packet in packets {
            match told.get_mut(packet.from as usize) {
                Some(place @ None) if packet.kind == PacketKind::Told => *place = Some(packet.bytes),
                _ => return Err(ClusterError::Protocol { from: packet.from, what: "what nobody asked for" }),
            }
        }
        let missing = ClusterError::Protocol { from: self.me, what: "a round that ended too early" };
        told.into_iter().collect::<Option<_>>().ok_or(missing)
    }

    /// Ends the dataflow together with all others. After a failure it is left as it is, for the
    /// engine's threads wait for processes that will not answer: they end with this one.
    pub(crate) fn close(mut self) -> Result<(), ClusterError> {
        drop(self.input.take());
        while self.worker.has_dataflows() {
            if self.monitor.has_failed() {
                let error = self.monitor.error();
                std::mem::forget(self);
                return Err(error);
            }
            self.worker.step_or_park(Some(NAP));
        }
        self.monitor.rounds_ended();
        Ok(())
    }
}
