//! Hands what a checkpoint holds to its owners. The processes may have been others when it was
//! saved, so each shard is read by a process that finds it, and its pieces are sent to whoever owns
//! them now.

use crate::checkpoint::pieces::ReadPiece;
use crate::error::ClusterError;
use crate::transport::{PacketKind, Tally, Transport};

/// Pieces that a process reads in a round.
const PIECES_A_ROUND: u64 = 8;

/// Reads some shards of a checkpoint, sends their pieces and takes those that come; all processes
/// call it at the same place.
///
/// `divide` gives the bytes of a piece for each process, none where it has no part in it. `take`
/// receives such bytes; `None` if this process cannot have been meant.
pub(super) fn redistribute<R: ReadPiece>(
    transport: &mut Transport,
    shards: Vec<usize>,
    open: impl Fn(usize) -> Result<R, ClusterError>,
    divide: impl Fn(R::Piece) -> Vec<Vec<u8>>,
    mut take: impl FnMut(&[u8]) -> Option<()>,
) -> Result<(), ClusterError> {
    let mut shards = shards.into_iter();
    let mut reader = None;
    loop {
        let (mut packets, mut more) = (Vec::new(), true);
        for _ in 0..PIECES_A_ROUND {
            let Some(piece) = next_piece(&mut reader, &mut shards, &open)? else {
                more = false;
                break;
            };
            let parts = (0..).zip(divide(piece)).filter(|(_, bytes)| !bytes.is_empty());
            packets.extend(parts.map(|(to, bytes)| transport.packet(to, PacketKind::Saved, 0, bytes)));
        }
        let (packets, tally) = transport.exchange(packets, Tally::flag(Tally::MORE, more))?;
        for packet in packets {
            let taken = if packet.kind == PacketKind::Saved { take(&packet.bytes) } else { None };
            taken.ok_or(ClusterError::Protocol { from: packet.from, what: "what was not saved here" })?;
        }
        if !tally.has(Tally::MORE) {
            return Ok(());
        }
    }
}

/// The next piece of a shard that is being read, or of those that are not open yet.
fn next_piece<R: ReadPiece>(
    reader: &mut Option<R>,
    shards: &mut impl Iterator<Item = usize>,
    open: &impl Fn(usize) -> Result<R, ClusterError>,
) -> Result<Option<R::Piece>, ClusterError> {
    loop {
        if let Some(current) = reader
            && let Some(piece) = current.piece()?
        {
            return Ok(Some(piece));
        }
        let Some(shard) = shards.next() else { return Ok(None) };
        *reader = Some(open(shard)?);
    }
}
