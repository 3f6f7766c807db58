//! Codes of positions in messages: by grade, sorted, as differences. A key is as random as a hash and
//! cannot be packed; the codes of some ten thousand positions of a grade lie much closer together.

use retrograde_solve::reachable::{code_of, key_of};

use crate::error::ClusterError;
use crate::transport::{Packet, pack, unpack};

/// Adds codes of a grade, sorted.
pub(super) fn put_codes(out: &mut Vec<u8>, grade: u64, codes: &[u64]) {
    pack(out, grade);
    pack(out, codes.len() as u64);
    let mut last = 0;
    for &code in codes {
        pack(out, code.wrapping_sub(last));
        last = code;
    }
}

/// The codes of keys, sorted and none twice.
pub(super) fn sorted_codes(mut keys: Vec<u64>) -> Vec<u64> {
    keys.iter_mut().for_each(|key| *key = code_of(*key));
    keys.sort_unstable();
    keys.dedup();
    keys
}

/// The keys of a message by grade, all of which must be below `above`, in the order in which their
/// codes were added.
pub(crate) fn keys_by_grade(packet: &Packet, above: u64) -> Result<Vec<(u64, Vec<u64>)>, ClusterError> {
    let wrong = || ClusterError::Protocol { from: packet.from, what: "positions that cannot be read" };
    let mut bytes = packet.bytes.as_slice();
    let mut groups = Vec::new();
    while !bytes.is_empty() {
        let grade = unpack(&mut bytes).filter(|&grade| grade < above).ok_or_else(wrong)?;
        let count = unpack(&mut bytes).ok_or_else(wrong)?;
        // Each takes a byte at least.
        let count = usize::try_from(count).ok().filter(|&count| count <= bytes.len()).ok_or_else(wrong)?;
        let mut keys = Vec::with_capacity(count);
        let mut code = 0_u64;
        for _ in 0..count {
            code = code.wrapping_add(unpack(&mut bytes).ok_or_else(wrong)?);
            keys.push(key_of(code));
        }
        groups.push((grade, keys));
    }
    Ok(groups)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::transport::PacketKind;

    #[test]
    fn codes_come_back_by_grade() {
        let groups = [(3, vec![0, 1, 500, u64::MAX]), (0, vec![7]), (900, vec![])];
        let mut bytes = Vec::new();
        groups.iter().for_each(|(grade, codes)| put_codes(&mut bytes, *grade, codes));
        let mut packet = Packet { to: 0, from: 2, round: 0, kind: PacketKind::Found, tag: 0, bytes };
        let read = keys_by_grade(&packet, 901).unwrap();
        let expected = groups.map(|(grade, codes)| (grade, codes.into_iter().map(key_of).collect()));
        assert_eq!(read, expected);
        assert!(keys_by_grade(&packet, 900).is_err(), "a grade that is not lower");
        for end in 1..packet.bytes.len() {
            let cut = Packet { bytes: packet.bytes[..end].to_vec(), ..packet.clone() };
            let whole = |groups: &[(u64, Vec<u64>)]| expected.starts_with(groups);
            assert!(keys_by_grade(&cut, 901).map_or(true, |groups| whole(&groups)), "{end} bytes");
        }
        packet.bytes = vec![1, 0xff, 0xff, 0xff, 0x7f, 1];
        assert!(keys_by_grade(&packet, 901).unwrap_err().to_string().contains("process 2 sent positions"));
    }

    #[test]
    fn codes_are_sorted_and_come_once() {
        let keys = [9, 4, 9, 0, u64::MAX].map(key_of).to_vec();
        assert_eq!(sorted_codes(keys), [0, 4, 9, u64::MAX]);
    }
}
