//! Rounds of messages between all processes, over timely dataflow, and the packets that they carry.

mod packet;
mod rounds;

pub(crate) use packet::{Packet, PacketKind, Places, pack, unpack};
pub(crate) use rounds::{Tally, Transport};
