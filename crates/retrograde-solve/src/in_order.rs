//! Makes pieces in parallel and passes them on in order, such as the blocks of a file.

use std::sync::mpsc::{Receiver, sync_channel};
use std::thread;

use crate::job::Progress;

/// The number of pieces per thread that may wait for earlier ones.
const AHEAD: usize = 4;

/// Makes `count` pieces on several threads, each of which takes every `threads`-th piece, while this thread
/// passes them on in order. Each piece advances `progress` by one. Returns `false` if it was stopped before the
/// end.
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
    let threads = threads.clamp(1, count.max(1));
    // `None` because of a stop.
    let made = |number: usize| {
        let made = (!progress.stopped()).then(|| make(number))?;
        progress.advance(1);
        Some(made)
    };
    thread::scope(|scope| {
        // `None` if there is only this thread, or the system cannot start another; then this one makes its pieces.
        let start = |first: usize| -> Option<Receiver<Result<T, E>>> {
            let (sender, receiver) = sync_channel(AHEAD);
            let work = move || {
                // Ends early if the pieces are not taken any more.
                let mut pieces = (first..count).step_by(threads).map_while(made);
                let _ = pieces.try_for_each(|piece| sender.send(piece));
            };
            (threads > 1 && thread::Builder::new().spawn_scoped(scope, work).is_ok()).then_some(receiver)
        };
        let others: Vec<_> = (0..threads).map(start).collect();
        for number in 0..count {
            let piece = match &others[number % threads] {
                // After a panic the scope panics too.
                Some(other) => other.recv().ok(),
                None => made(number),
            };
            match piece {
                Some(piece) => take(piece?)?,
                None => return Ok(false),
            }
        }
        Ok(true)
    })
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};

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
