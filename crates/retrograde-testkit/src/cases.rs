//! Chooses the cases of a long test: all of them in the full mode, otherwise some that change from run to run.

use std::env;
use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// The environment variable: `full` for all cases, or a number to repeat the choice of an earlier run.
const VARIABLE: &str = "RETROGRADE_TESTS";

/// The number that chooses the cases of this run; `None` in the full mode.
fn chosen() -> Option<usize> {
    static CHOSEN: OnceLock<Option<usize>> = OnceLock::new();
    *CHOSEN.get_or_init(|| match env::var(VARIABLE) {
        Ok(asked) if asked == "full" => None,
        Ok(asked) => match asked.parse() {
            Ok(number) => Some(number),
            Err(_) => panic!("{VARIABLE} is `full` or a number, not {asked:?}"),
        },
        Err(_) => {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis());
            Some((now % 10_000) as usize)
        }
    })
}

/// Returns whether all cases of long tests run, as in `checks/nightly`.
pub fn all_cases() -> bool {
    chosen().is_none()
}

/// Returns one of every `share` cases, which one changes from run to run; in the full mode, all cases.
///
/// Runs with successive numbers take all cases between them. If the test fails, its output says how to repeat the
/// choice.
///
/// # Panics
///
/// `share` is 0, or the environment variable has another value.
pub fn some_of<I: IntoIterator>(share: usize, cases: I) -> impl Iterator<Item = I::Item> {
    let number = chosen();
    if let Some(number) = number {
        println!("{VARIABLE}={number} repeats the choice of cases");
    }
    let runs = move |case: usize| {
        // Another place in each group, or tests that count with `case % 2` would always see the same.
        let group = (case / share).wrapping_mul(0x9e37_79b9) >> 7;
        number.is_none_or(|number| case % share == number.wrapping_add(group) % share)
    };
    cases.into_iter().enumerate().filter(move |(case, _)| runs(*case)).map(|(_, case)| case)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_case_of_each_group_runs() {
        let some: Vec<usize> = some_of(3, 0..300).collect();
        if all_cases() {
            assert!(some.into_iter().eq(0..300));
            return;
        }
        assert!(some.iter().map(|case| case / 3).eq(0..100), "{some:?}");
        // Its place in the group varies.
        assert!((0..3).all(|place| some.iter().filter(|&case| case % 3 == place).count() > 20), "{some:?}");
    }
}
