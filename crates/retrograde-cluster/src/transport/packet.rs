//! The messages of a round: packets, and places packed into few bytes.
//!
//! A packet holds the messages of one kind that a piece of work has for one process. Places are
//! sorted and written as differences, seven bits a byte, so that a message takes one or two bytes
//! rather than eight; the engine sees one packet where it would see thousands of messages.

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::error::ClusterError;

/// The content of a packet.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PacketKind {
    /// The counts of its sender, see [`Tally`](super::Tally).
    Tally,
    /// Places or codes whose scores are asked for, each once.
    Question,
    /// The scores asked for, in the same order; the tag is that of the question.
    Answer,
    /// Places of positions that have a turn to a loss.
    Won,
    /// Places of positions, once for each turn of theirs that is refuted.
    Refuted,
    /// Scores from a place on, which is the tag, or numbers with their scores.
    Scores,
    /// Saved scores and counters of places, or saved keys.
    Saved,
    /// Bytes that all are told.
    Told,
    /// Codes of positions that occur, by grade.
    Found,
}

const KINDS: [PacketKind; 9] = [
    PacketKind::Tally,
    PacketKind::Question,
    PacketKind::Answer,
    PacketKind::Won,
    PacketKind::Refuted,
    PacketKind::Scores,
    PacketKind::Saved,
    PacketKind::Told,
    PacketKind::Found,
];

/// Some messages of one kind from one process to another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Packet {
    pub to: u32,
    pub from: u32,
    pub round: u64,
    pub kind: PacketKind,
    pub tag: u64,
    pub bytes: Vec<u8>,
}

/// Bytes that are copied as they are; by itself `serde` would take a list of them one by one.
struct Bytes<'a>(&'a [u8]);

impl Serialize for Bytes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(self.0)
    }
}

struct OwnedBytes(Vec<u8>);

impl<'de> Deserialize<'de> for OwnedBytes {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<OwnedBytes, D::Error> {
        struct Visit;
        impl Visitor<'_> for Visit {
            type Value = Vec<u8>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }
            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
                Ok(bytes.to_vec())
            }
            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
                Ok(bytes)
            }
        }
        deserializer.deserialize_bytes(Visit).map(OwnedBytes)
    }
}

impl Serialize for Packet {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(6)?;
        tuple.serialize_element(&self.to)?;
        tuple.serialize_element(&self.from)?;
        tuple.serialize_element(&self.round)?;
        tuple.serialize_element(&(self.kind as u8))?;
        tuple.serialize_element(&self.tag)?;
        tuple.serialize_element(&Bytes(&self.bytes))?;
        tuple.end()
    }
}

impl<'de> Deserialize<'de> for Packet {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Packet, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Packet;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a packet")
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Packet, A::Error> {
                let short = || A::Error::custom("a packet that ends too early");
                let to = seq.next_element()?.ok_or_else(short)?;
                let from = seq.next_element()?.ok_or_else(short)?;
                let round = seq.next_element()?.ok_or_else(short)?;
                let kind: u8 = seq.next_element()?.ok_or_else(short)?;
                let kind =
                    *KINDS.get(usize::from(kind)).ok_or_else(|| A::Error::custom("a kind that none is"))?;
                let tag = seq.next_element()?.ok_or_else(short)?;
                let OwnedBytes(bytes) = seq.next_element()?.ok_or_else(short)?;
                Ok(Packet { to, from, round, kind, tag, bytes })
            }
        }
        deserializer.deserialize_tuple(6, Visit)
    }
}

/// Adds a number to bytes, seven bits each, the lowest first.
#[inline]
pub(crate) fn pack(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Takes a number off bytes; `None` where there is no whole one.
#[inline]
pub(crate) fn unpack(bytes: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for (at, &byte) in bytes.iter().enumerate().take(10) {
        number |= u64::from(byte & 0x7f) << (7 * at);
        if byte < 0x80 {
            *bytes = &bytes[at + 1..];
            return Some(number);
        }
    }
    None
}

/// Packs places in ascending order, one by one.
#[derive(Clone, Default)]
pub(crate) struct Places {
    pub bytes: Vec<u8>,
    pub count: u64,
    last: u64,
}

impl Places {
    #[inline]
    pub(crate) fn push(&mut self, place: u64) {
        pack(&mut self.bytes, place - self.last);
        self.last = place;
        self.count += 1;
    }
}

impl Packet {
    /// Visits the places that it holds, all of which are to be below `end`.
    ///
    /// # Errors
    /// If they are not, or the bytes are no places.
    #[inline]
    pub(crate) fn places(&self, end: u64, mut visit: impl FnMut(u64)) -> Result<(), ClusterError> {
        let wrong = |what| ClusterError::Protocol { from: self.from, what };
        let mut bytes = self.bytes.as_slice();
        let mut place = 0_u64;
        while !bytes.is_empty() {
            let step = unpack(&mut bytes).ok_or_else(|| wrong("places that cannot be read"))?;
            place = place.saturating_add(step);
            if place >= end {
                return Err(wrong("a place that the receiver does not own"));
            }
            visit(place);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_come_back() {
        let places = [0, 0, 1, 127, 128, 300, 300, 1 << 40, u64::MAX - 1];
        let mut packed = Places::default();
        places.iter().for_each(|&place| packed.push(place));
        let mut packet =
            Packet { to: 0, from: 3, round: 0, kind: PacketKind::Won, tag: 0, bytes: packed.bytes.clone() };
        let mut seen = Vec::new();
        packet.places(u64::MAX, |place| seen.push(place)).unwrap();
        assert_eq!((seen.as_slice(), packed.count), (&places[..], 9));
        let error = packet.places(300, |_| ()).unwrap_err().to_string();
        assert!(error.contains("process 3 sent a place"), "{error}");
        packet.bytes.pop();
        assert!(packet.places(u64::MAX, |_| ()).unwrap_err().to_string().contains("cannot be read"));
    }
}
