//! Byte ranges of a file that are fetched together.

use std::ops::Range;

/// Merges adjacent ranges and drops empty ones. The ranges are in order.
pub(super) fn merged(ranges: impl IntoIterator<Item = Range<u64>>) -> Vec<Range<u64>> {
    let mut merged: Vec<Range<u64>> = Vec::new();
    for range in ranges.into_iter().filter(|range| !range.is_empty()) {
        match merged.last_mut() {
            Some(last) if last.end == range.start => last.end = range.end,
            _ => merged.push(range),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_ranges_are_merged() {
        assert_eq!(merged([3..5, 5..5, 5..9, 10..12, 12..13]), [3..9, 10..13]);
        assert!(merged([7..7, 9..9]).is_empty());
    }
}
