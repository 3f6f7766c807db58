//! Encodes numbers in messages as varints. Sorted numbers are delta-encoded, so most take one or two bytes.

use retrograde_game::Score;

use crate::exchange::Piece;
use crate::job::SolveError;
use crate::varint::{put_varint, take_varint};
use crate::widths::{narrowed, widened};

/// Appends a group and its sorted words.
pub(super) fn put_group(out: &mut Vec<u8>, group: u64, words: &[u64]) {
    put_varint(out, group);
    put_varint(out, words.len() as u64);
    let mut last = 0;
    for &word in words {
        put_varint(out, word.wrapping_sub(last));
        last = word;
    }
}

/// Reads the words of a message by group, in the order in which they were added. All groups must be
/// below `end`.
pub(super) fn groups(piece: &Piece, end: u64) -> Result<Vec<(u64, Vec<u64>)>, SolveError> {
    read_groups(&piece.bytes, end).ok_or_else(|| piece.wrong("positions that cannot be read"))
}

fn read_groups(mut bytes: &[u8], end: u64) -> Option<Vec<(u64, Vec<u64>)>> {
    let mut groups = Vec::new();
    while !bytes.is_empty() {
        groups.push(take_group(&mut bytes).filter(|&(group, _)| group < end)?);
    }
    Some(groups)
}

/// Reads a group and its words.
pub(super) fn take_group(bytes: &mut &[u8]) -> Option<(u64, Vec<u64>)> {
    let group = take_varint(bytes)?;
    // Each word takes at least one byte.
    let count = usize::try_from(take_varint(bytes)?).ok().filter(|&count| count <= bytes.len())?;
    let mut words = Vec::with_capacity(count);
    let mut word = 0_u64;
    for _ in 0..count {
        word = word.wrapping_add(take_varint(bytes)?);
        words.push(word);
    }
    Some((group, words))
}

/// Encodes pairs of numbers.
pub(super) fn put_pairs(pairs: impl IntoIterator<Item = (u64, u64)>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for (one, other) in pairs {
        put_varint(&mut bytes, one);
        put_varint(&mut bytes, other);
    }
    bytes
}

/// Reads the pairs of all messages, which are listed by sender.
pub(super) fn take_pairs(messages: Vec<Vec<u8>>) -> Result<Vec<(u64, u64)>, SolveError> {
    let mut pairs = Vec::new();
    for (from, message) in messages.into_iter().enumerate() {
        let mut bytes = message.as_slice();
        while !bytes.is_empty() {
            let pair = take_varint(&mut bytes).zip(take_varint(&mut bytes));
            pairs.push(pair.ok_or(SolveError::Protocol { from, what: "numbers that cannot be read" })?);
        }
    }
    Ok(pairs)
}

/// Encodes scores in one byte each if they fit, otherwise in two. The first byte is this width.
pub(super) fn put_scores(scores: &[u16]) -> Vec<u8> {
    match scores.iter().map(|&score| narrowed(score)).collect::<Option<Vec<u8>>>() {
        Some(narrow) => [&[1], narrow.as_slice()].concat(),
        None => {
            let wide = scores.iter().flat_map(|score| score.to_le_bytes());
            std::iter::once(2).chain(wide).collect()
        }
    }
}

/// Reads the scores of an answer, which is empty if nothing was asked. Returns `None` if it is
/// malformed.
pub(super) fn take_scores(bytes: &[u8]) -> Option<Vec<u16>> {
    match bytes.split_first() {
        None => Some(Vec::new()),
        Some((1, narrow)) => Some(narrow.iter().map(|&score| widened(score)).collect()),
        Some((2, wide)) => {
            let (scores, rest) = wide.as_chunks::<2>();
            rest.is_empty().then(|| scores.iter().map(|&score| u16::from_le_bytes(score)).collect())
        }
        _ => None,
    }
}

/// The score of a position that has not been examined yet.
pub(super) const WAITS: u16 = u16::NOT_LOST;

/// Reads untrusted bytes as messages, for `fuzz/`.
pub(super) fn parse_untrusted(bytes: &[u8]) {
    if let Some(groups) = read_groups(bytes, 100) {
        assert!(groups.iter().all(|(group, _)| *group < 100));
        assert!(groups.iter().map(|(_, words)| words.len()).sum::<usize>() <= bytes.len());
    }
    if let Some(scores) = take_scores(bytes) {
        assert!(scores.len() <= bytes.len());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_back_by_group() {
        let groups = vec![(3, vec![0, 0, 1, 500, u64::MAX]), (0, vec![7]), (900, vec![])];
        let mut bytes = Vec::new();
        groups.iter().for_each(|(group, words)| put_group(&mut bytes, *group, words));
        let mut piece = Piece { process: 2, tag: 0, bytes };
        assert_eq!(super::groups(&piece, 901).unwrap(), groups);
        assert!(super::groups(&piece, 900).is_err(), "a group that is not lower");
        for end in 1..piece.bytes.len() {
            let cut = Piece { bytes: piece.bytes[..end].to_vec(), ..piece.clone() };
            let whole = |found: Vec<(u64, Vec<u64>)>| groups.starts_with(&found);
            assert!(super::groups(&cut, 901).map_or(true, whole), "{end} bytes");
        }
        piece.bytes = vec![1, 0xff, 0xff, 0xff, 0x7f, 1];
        let refused = super::groups(&piece, 901).unwrap_err().to_string();
        assert!(refused.contains("process 2 sent positions"), "{refused}");
    }

    #[test]
    fn scores_are_read_back_in_one_or_two_bytes() {
        for (scores, length) in [(vec![], 1), (vec![0, 125, u16::MAX], 4), (vec![1, 300, 2], 7)] {
            let bytes = put_scores(&scores);
            assert_eq!((take_scores(&bytes), bytes.len()), (Some(scores), length));
        }
        assert_eq!(take_scores(&[]), Some(vec![]));
        assert_eq!((take_scores(&[2, 1]), take_scores(&[3, 1])), (None, None));
    }
}
