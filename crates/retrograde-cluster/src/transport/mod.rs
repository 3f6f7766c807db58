//! Rounds of messages between all processes, over timely dataflow, and the packets that they carry.

mod packet;
mod rounds;

pub(crate) use rounds::Transport;
#[cfg(feature = "fuzzing")]
pub(crate) use rounds::read_tally;
