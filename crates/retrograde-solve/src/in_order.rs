//! Makes pieces in parallel and passes them on in order, such as the blocks of a file.

use std::sync::atomic::{AtomicUsize, Ordering};

use parking_lot::Mutex;

use crate::job::Progress;
use crate::threads::on_threads;

/// The number of pieces per thread that may wait for earlier ones.
const AHEAD: usize = 16;

/// Makes `count` pieces on several threads and passes them on in order. Each piece advances `progress` by
/// one. Returns `false` if it was stopped before the end.
///
/// # Errors
/// The first error of `make`, by number, or the error of `take`.
pub fn in_order<T: Send, E: Send>(
    count: usize,
    threads: usize,
    progress: &dyn Progress,
    make: &(dyn Fn(usize) -> Result<T, E> + Sync),
    take: &mut dyn FnMut(T) -> Result<(), E>,
) -> Result<bool, E> {
    for first in (0..count).step_by(AHEAD * threads.max(1)) {
        let last = count.min(first + AHEAD * threads.max(1));
        let next = AtomicUsize::new(first);
        let done: Vec<Mutex<Option<Result<T, E>>>> = (first..last).map(|_| Mutex::new(None)).collect();
        let work = || {
            while !progress.stopped() {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= last {
                    break;
                }
                let made = make(number);
                *done[number - first].lock() = Some(made);
                progress.advance(1);
            }
        };
        on_threads(threads, work);
        for made in done {
            // The piece is missing because of a stop.
            let Some(made) = made.into_inner() else {
                return Ok(false);
            };
            take(made?)?;
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use crate::job::Silent;

    /// Stops after a number of units.
    struct Fuse(AtomicU64);

    impl Progress for Fuse {
        fn stage(&self, _name: &str, _total: u64) {}
        fn advance(&self, units: u64) {
            self.0.fetch_sub(units, Ordering::Relaxed);
        }
        fn stopped(&self) -> bool {
            self.0.load(Ordering::Relaxed) == 0
        }
    }

    fn run(
        count: usize,
        threads: usize,
        progress: &dyn Progress,
        wrong: &[usize],
    ) -> (Result<bool, usize>, Vec<usize>) {
        let mut taken = Vec::new();
        let make = |number: usize| if wrong.contains(&number) { Err(number) } else { Ok(number) };
        let result = in_order(count, threads, progress, &make, &mut |number| {
            taken.push(number);
            Ok(())
        });
        (result, taken)
    }

    #[test]
    fn results_arrive_in_order_up_to_the_first_failure() {
        for threads in [0, 1, 3] {
            for count in [0, 1, 16, 100] {
                assert_eq!(run(count, threads, &Silent, &[]), (Ok(true), (0..count).collect()));
            }
            assert_eq!(run(100, threads, &Silent, &[81, 70]), (Err(70), (0..70).collect()));
        }
    }

    #[test]
    fn the_consumer_can_fail() {
        let mut taken = 0;
        let result = in_order(50, 2, &Silent, &Ok, &mut |number| {
            taken += 1;
            if number == 20 { Err("no room") } else { Ok(()) }
        });
        assert_eq!((result, taken), (Err("no room"), 21));
    }

    #[test]
    fn a_stopped_run_is_not_complete() {
        let (result, taken) = run(100, 1, &Fuse(AtomicU64::new(37)), &[]);
        assert_eq!((result, taken), (Ok(false), (0..37).collect()));
        assert_eq!(run(100, 1, &Fuse(AtomicU64::new(100)), &[]).0, Ok(true));
    }
}
