//! Sorts lists of a game's turns. The standard library's sort is compiled for every item type and
//! comparison, a few kilobytes each, about twenty times in the browser's module. This module sorts
//! positions of items with a single compiled sort and then permutes the items.

use std::cmp::Ordering;

/// Sorts items stably.
pub(crate) fn sort_by<T>(items: &mut [T], mut compare: impl FnMut(&T, &T) -> Ordering) {
    let mut order: Vec<usize> = (0..items.len()).collect();
    sort_numbers(&mut order, &mut |a, b| compare(&items[a], &items[b]));
    // Item `order[at]` moves to the place `at`, cycle by cycle.
    for start in 0..items.len() {
        let mut at = start;
        loop {
            let from = std::mem::replace(&mut order[at], at);
            if from == start {
                break;
            }
            items.swap(at, from);
            at = from;
        }
    }
}

#[inline(never)]
fn sort_numbers(numbers: &mut [usize], compare: &mut dyn FnMut(usize, usize) -> Ordering) {
    numbers.sort_by(|&a, &b| compare(a, b));
}

#[cfg(test)]
mod tests {
    use super::sort_by;

    #[test]
    fn items_come_in_the_order_of_the_standard_sort() {
        let mut state = 7_u32;
        for length in 0..200 {
            // Few keys, so that the order of equal ones matters.
            let items: Vec<(u32, usize)> = (0..length)
                .map(|number| {
                    state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                    (state >> 29, number)
                })
                .collect();
            let (mut ours, mut theirs) = (items.clone(), items);
            sort_by(&mut ours, |a, b| a.0.cmp(&b.0));
            theirs.sort_by_key(|item| item.0);
            assert_eq!(ours, theirs);
        }
    }
}
