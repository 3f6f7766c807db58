//! The packets of a round. The engine handles one packet instead of thousands of messages.

use serde::de::{Error as _, SeqAccess, Visitor};
use serde::ser::SerializeTuple;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A piece of a solver, or the tally of its sender.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Packet {
    pub to: u32,
    pub from: u32,
    pub round: u64,
    pub is_tally: bool,
    pub tag: u64,
    pub bytes: Vec<u8>,
}

/// Bytes that are copied as a whole. By default, `serde` would serialise them one by one.
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
        tuple.serialize_element(&self.is_tally)?;
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
                let is_tally = seq.next_element()?.ok_or_else(short)?;
                let tag = seq.next_element()?.ok_or_else(short)?;
                let OwnedBytes(bytes) = seq.next_element()?.ok_or_else(short)?;
                Ok(Packet { to, from, round, is_tally, tag, bytes })
            }
        }
        deserializer.deserialize_tuple(6, Visit)
    }
}
