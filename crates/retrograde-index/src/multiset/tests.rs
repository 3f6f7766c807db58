//! Compares every small multiset with a plain list.

use super::*;

/// The codes of the arrangement with this rank in a state.
fn codes(numbering: &Multiset, left: State, rank: u64) -> Vec<u8> {
    codes_of(numbering.unrank_digits_after(&numbering.no_head(left), rank), left.length())
}

fn codes_of(digits: [u64; 4], length: usize) -> Vec<u8> {
    let code = |square: usize| (0..4).map(|digit| (digits[digit] >> square & 1) << digit).sum::<u64>() as u8;
    (0..length).map(code).collect()
}

/// The rank of an arrangement.
fn rank(numbering: &Multiset, left: State, codes: &[u8]) -> u64 {
    let pieces = (0..).zip(codes.iter().copied()).filter(|&(_, code)| code != 0);
    numbering.rank_sparse(left, pieces)
}

/// Lists all arrangements in lexicographic order by trying every first code.
fn arrangements(left: &mut Vec<u32>, prefix: &mut Vec<u8>, all: &mut Vec<Vec<u8>>) {
    if left.iter().all(|&n| n == 0) {
        all.push(prefix.clone());
    }
    for code in 0..left.len() {
        if left[code] > 0 {
            left[code] -= 1;
            prefix.push(code as u8);
            arrangements(left, prefix, all);
            prefix.pop();
            left[code] += 1;
        }
    }
}

#[test]
fn every_small_multiset_is_numbered_in_order() {
    for shape in 0..4_u32.pow(5) {
        let mut counts: Vec<u32> = (0..5).map(|code| shape / 4_u32.pow(code) % 4).collect();
        if counts.iter().sum::<u32>() > 8 {
            continue;
        }
        let numbering = Multiset::new(&counts).unwrap();
        let mut all = Vec::new();
        arrangements(&mut counts, &mut Vec::new(), &mut all);
        assert_eq!(numbering.count(), all.len() as u128);
        for (number, arrangement) in (0..).zip(&all) {
            assert_eq!(rank(&numbering, numbering.start(), arrangement), number);
            assert_eq!(&codes(&numbering, numbering.start(), number), arrangement);
            assert_eq!(&codes_of(numbering.unrank_digits(number), numbering.length()), arrangement);
        }
    }
}

#[test]
fn the_standard_push_fight_board_has_its_count() {
    let numbering = Multiset::new(&[16, 2, 3, 2, 2, 1]).unwrap();
    assert_eq!(numbering.count(), 401_567_166_000);
    for number in (0..401_567_166_000).step_by(40_156_716_599) {
        let codes = codes_of(numbering.unrank_digits(number), 26);
        let count = |code| codes.iter().filter(|&&other| other == code).count();
        assert_eq!([0, 1, 2, 3, 4, 5].map(count), [16, 2, 3, 2, 2, 1]);
        assert_eq!(rank(&numbering, numbering.start(), &codes), number);
    }
}

#[test]
fn impossible_numberings_are_rejected() {
    assert_eq!(Multiset::new(&[40, 40]).unwrap_err(), IndexError::TooMany);
    assert!(matches!(Multiset::new(&[u32::MAX; 5]), Err(IndexError::TooManyStates { .. })));
    assert!(matches!(Multiset::new(&[0; 17]), Err(IndexError::TooManyCodes { .. })));
    let numbering = Multiset::new(&[1, 2]).unwrap();
    for bad in [&[0, 0, 1][..], &[0, 1], &[0, 1, 2], &[0, 1, 1, 1], &[255; 3]] {
        rank(&numbering, numbering.start(), bad);
    }
    assert_eq!(codes_of(numbering.unrank_digits(u64::MAX), 3), [1, 1, 0]);
}

#[test]
fn a_remainder_is_numbered_like_a_separate_multiset() {
    let counts = [3, 2, 1, 2];
    let whole = Multiset::new(&counts).unwrap();
    for taken in 0..4_u32.pow(4) {
        let taken: Vec<u32> = (0..4).map(|code| taken / 4_u32.pow(code) % 4).collect();
        let left: Option<Vec<u32>> =
            counts.iter().zip(&taken).map(|(&all, &gone)| all.checked_sub(gone)).collect();
        let Some(left) = left else {
            assert_eq!(whole.without(&taken), None);
            continue;
        };
        let state = whole.without(&taken).unwrap();
        let own = Multiset::new(&left).unwrap();
        assert_eq!((u128::from(state.count()), state.length()), (own.count(), own.length()));
        for (offset, shift) in [(0, 0), (5, 2), (0, 3), (1, 5)] {
            let mut parts = Vec::new();
            whole.each_head(state, offset, shift, &mut |part, head| {
                parts.push(part);
                for rank in (part << shift) - offset..((part + 1) << shift) - offset {
                    assert_eq!(whole.unrank_digits_after(&head, rank), own.unrank_digits(rank));
                }
            });
            parts.sort_unstable();
            let within = offset.div_ceil(1 << shift)..(offset + state.count()) >> shift;
            assert_eq!(parts, within.collect::<Vec<_>>());
        }
        for number in 0..state.count() {
            let codes = codes(&own, own.start(), number);
            assert_eq!(self::codes(&whole, state, number), codes);
            assert_eq!(rank(&whole, state, &codes), number);
        }
    }
    assert_eq!(whole.without(&[0, 0, 0, 0, 1]), None);
}

#[test]
fn a_numbering_with_all_shortcuts_is_reversible() {
    // Long enough to have heads, tails and a middle.
    let numbering = Multiset::new(&[6, 3, 2, 2, 1, 1, 1]).unwrap();
    let count = u64::try_from(numbering.count()).unwrap();
    let mut before = Vec::new();
    for number in (0..count).step_by(9973) {
        let digits = numbering.unrank_digits(number);
        let codes = codes_of(digits, numbering.length());
        let no_head = numbering.no_head(numbering.start());
        assert_eq!(numbering.unrank_digits_after(&no_head, number), digits);
        assert!(before < codes, "the order is lexicographic");
        assert_eq!(rank(&numbering, numbering.start(), &codes), number);
        before = codes;
    }
}

#[test]
fn ranks_by_squares_of_one_code_are_ranks() {
    let mut ranks = SquareRanks::default();
    for shape in 0..3_u32.pow(5) {
        let counts: Vec<u32> =
            (0..5).map(|code| shape / 3_u32.pow(code) % 3 + u32::from(code == 0)).collect();
        if counts.iter().sum::<u32>() > 8 {
            continue;
        }
        let numbering = Multiset::new(&counts).unwrap();
        let left = numbering.start();
        let mut all = Vec::new();
        arrangements(&mut counts.clone(), &mut Vec::new(), &mut all);
        for (rank, arrangement) in (0..).zip(&all) {
            for code in 1..5 {
                let squares = || (0..).zip(arrangement.iter().copied());
                let others = squares().filter(|&(_, other)| other != 0 && other != code);
                let count = counts[usize::from(code)] as usize;
                numbering.square_ranks(left, others, (code, count), &mut ranks);
                let of_code = squares().filter(|&(_, other)| other == code);
                assert_eq!(ranks.rank(of_code.fold(0, |set, (square, _)| set | 1_u64 << square)), rank);
            }
        }
    }
}
