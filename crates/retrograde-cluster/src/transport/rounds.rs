//! Rounds of messages over timely dataflow. A process continues only after all processes have sent and
//! received all messages of the round.
//!
//! The dataflow is one exchange and a probe. A round sends packets with its number as the timestamp,
//! closes that timestamp and steps the worker until the probe shows that no more packets can carry it.
//! Timely's progress tracking ends a round; we do not count messages. Callers bound the messages of a
//! process in a round, which also bounds timely's queues. There is no other back-pressure.
//!
//! Each process has one timely worker, whatever its number of threads; the threads share the work
//! between rounds. Processes may therefore have different numbers of threads, and progress messages grow
//! with the square of the number of processes, not of cores.

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

use retrograde_solve::{Piece, SolveError, Tally};

use super::packet::Packet;
use crate::error::ClusterError;
use crate::liveness::FailureMonitor;

/// How long a worker sleeps before it checks whether another process has failed.
const NAP: Duration = Duration::from_millis(100);

/// Encodes a tally.
fn tally_bytes(tally: Tally) -> Vec<u8> {
    [tally.sum.to_le_bytes(), tally.flags.to_le_bytes()].concat()
}

/// Decodes a tally. Returns `None` if the bytes are malformed.
pub(crate) fn read_tally(bytes: &[u8]) -> Option<Tally> {
    let (sum, flags) = bytes.split_first_chunk::<8>()?;
    let flags = flags.try_into().ok().map(u64::from_le_bytes)?;
    Some(Tally { sum: u64::from_le_bytes(*sum), flags })
}

/// A process's connection to the dataflow.
pub(crate) struct Transport {
    worker: Worker,
    input: Option<InputHandle<u64, timely::container::CapacityContainerBuilder<Vec<Packet>>>>,
    probe: ProbeHandle<u64>,
    inbox: Rc<RefCell<Vec<Packet>>>,
    round: u64,
    me: u32,
    processes: u32,
    monitor: Arc<FailureMonitor>,
}

impl Transport {
    pub(crate) fn new(allocator: Allocator, monitor: Arc<FailureMonitor>) -> Transport {
        // Waiting must not keep a core busy, so the worker parks at once.
        let config = timely::WorkerConfig::default().idle_spin(Duration::ZERO);
        // Without a clock, the worker would never park.
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
                            // The output is always empty, but its type must be known.
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

    /// Sends pieces and a tally, and waits until everything sent in this round has arrived. Returns the
    /// pieces for this process, in any order, and the combined tally.
    ///
    /// # Errors
    /// Returns an error if another process fails or breaks the protocol.
    pub(crate) fn exchange(
        &mut self,
        pieces: Vec<Piece>,
        tally: Tally,
    ) -> Result<(Vec<Piece>, Tally), ClusterError> {
        let (from, round) = (self.me, self.round);
        let bytes = tally_bytes(tally);
        let tallies = (0..self.processes).map(|to| Packet {
            to,
            from,
            round,
            is_tally: true,
            tag: 0,
            bytes: bytes.clone(),
        });
        let pieces = pieces.into_iter().map(|Piece { process, tag, bytes }| Packet {
            to: process as u32,
            from,
            round,
            is_tally: false,
            tag,
            bytes,
        });
        let Some(input) = &mut self.input else { return Err(self.monitor.error()) };
        pieces.chain(tallies).for_each(|packet| input.send(packet));
        self.round += 1;
        input.advance_to(self.round);
        while self.probe.less_than(&self.round) {
            if self.monitor.has_failed() {
                return Err(self.monitor.error());
            }
            self.worker.step_or_park(Some(NAP));
        }
        let wrong = |from: u32, what| Err(SolveError::Protocol { from: from as usize, what }.into());
        // Processes that saw the end of this round earlier may have begun the next one.
        let (received, early) = std::mem::take(&mut *self.inbox.borrow_mut())
            .into_iter()
            .partition::<Vec<Packet>, _>(|packet| packet.round < self.round);
        let other = received.iter().find(|packet| packet.round + 1 != self.round);
        if let Some(packet) = other.or_else(|| early.iter().find(|packet| packet.round != self.round)) {
            return wrong(packet.from, "a packet of another round");
        }
        *self.inbox.borrow_mut() = early;
        let (mut all, mut tallies, mut pieces) = (Tally::default(), 0, Vec::new());
        for Packet { from, is_tally, tag, bytes, .. } in received {
            if !is_tally {
                pieces.push(Piece { process: from as usize, tag, bytes });
                continue;
            }
            tallies += 1;
            match read_tally(&bytes) {
                Some(tally) => all = all.and(tally),
                None => return wrong(from, "malformed numbers"),
            }
        }
        if tallies != self.processes {
            return wrong(self.me, "a round that ended too early");
        }
        Ok((pieces, all))
    }

    /// Ends the dataflow together with all other processes. After a failure, the dataflow is leaked: its
    /// threads wait for processes that will not answer, so they only end with this process.
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
        self.monitor.mark_rounds_ended();
        Ok(())
    }
}
