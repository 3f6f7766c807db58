//! Work shared by several threads. If the system refuses a thread because memory or processes are limited,
//! fewer threads do all the work.
//!
//! The methods of a pool take `dyn` functions, usually of a number. Parallel iterators would be compiled
//! again for each caller and game, which took a third of the time to build the games.

use std::convert::Infallible;
use std::ops::Range;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use parking_lot::Mutex;
use rayon::prelude::*;

/// Calls `work` on several threads at once, including this one. It is called at least once, so it must take
/// items from a shared source until none are left.
pub fn on_threads(threads: usize, work: impl Fn() + Sync) {
    on_scoped_threads(threads, &work);
}

/// [`on_threads`], compiled once: starting threads takes a thousand lines of code per closure.
fn on_scoped_threads(threads: usize, work: &(dyn Fn() + Sync)) {
    thread::scope(|scope| {
        let start = |_| thread::Builder::new().spawn_scoped(scope, work).ok();
        let others: Vec<_> = (1..threads.max(1)).map_while(start).collect();
        work();
        // A scope hides the message of a thread that panics.
        if let Some(panic) = others.into_iter().find_map(|other| other.join().err()) {
            resume_unwind(panic);
        }
    });
}

/// The threads of a solver. WebAssembly has no threads, so the caller does the work.
pub struct Pool(Option<rayon::ThreadPool>);

impl Pool {
    /// Runs work in which `rayon` uses these threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// Runs `work` for the numbers from 0 to `count` on all threads.
    pub fn each(&self, count: usize, work: &(dyn Fn(usize) + Sync)) {
        if count <= 1 || self.threads() == 1 {
            return (0..count).for_each(work);
        }
        self.install(|| (0..count).into_par_iter().with_max_len(1).for_each(work));
    }

    /// Runs `work` for all numbers below `end`, in ranges of at most `most`.
    pub fn each_range(&self, end: usize, most: usize, work: &(dyn Fn(Range<usize>) + Sync)) {
        self.each(end.div_ceil(most), &|part| work(part * most..end.min((part + 1) * most)));
    }

    /// Sorts numbers.
    pub fn sort(&self, numbers: &mut [u64]) {
        self.install(|| numbers.par_sort_unstable());
    }

    /// Returns the results of `work` for the numbers from 0 to `count`, in order.
    pub fn all<T: Send>(&self, count: usize, work: &(dyn Fn(usize) -> T + Sync)) -> Vec<T> {
        match self.results(count, &|number| Ok::<T, Infallible>(work(number))) {
            Ok(all) => all,
        }
    }

    /// Returns the results of `work` for the numbers from 0 to `count`, in order.
    ///
    /// # Errors
    /// The error with the lowest number. After an error, remaining work may be skipped.
    pub fn results<T: Send, E: Send>(
        &self,
        count: usize,
        work: &(dyn Fn(usize) -> Result<T, E> + Sync),
    ) -> Result<Vec<T>, E> {
        if count <= 1 || self.threads() == 1 {
            return (0..count).map(work).collect();
        }
        let failed = AtomicBool::new(false);
        let results: Vec<Mutex<Option<Result<T, E>>>> = (0..count).map(|_| Mutex::new(None)).collect();
        self.each(count, &|number| {
            if !failed.load(Ordering::Relaxed) {
                let result = work(number);
                failed.fetch_or(result.is_err(), Ordering::Relaxed);
                *results[number].lock() = Some(result);
            }
        });
        // Without an error, all results are present.
        let (mut done, mut fault) = (Vec::with_capacity(count), None);
        for result in results.into_iter().filter_map(Mutex::into_inner) {
            match result {
                Ok(result) => done.push(result),
                Err(error) if fault.is_none() => fault = Some(error),
                Err(_) => {}
            }
        }
        fault.map_or(Ok(done), Err)
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.0.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }
}

/// Creates a pool of threads.
///
/// # Errors
/// If the system starts no thread at all.
pub fn pool(threads: usize) -> std::io::Result<Pool> {
    // Without a pool, `rayon` does all work on the calling thread.
    if cfg!(target_family = "wasm") {
        return Ok(Pool(None));
    }
    let mut threads = threads.max(1);
    loop {
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => return Ok(Pool(Some(pool))),
            Err(_) if threads > 1 => threads /= 2,
            Err(error) => {
                return Err(std::io::Error::other(format!("the system refuses to start a thread ({error})")));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn all_work_is_done_by_any_number_of_threads() {
        for threads in [0, 1, 7] {
            let (next, sum) = (AtomicUsize::new(0), AtomicUsize::new(0));
            on_threads(threads, || {
                while let number @ ..100 = next.fetch_add(1, Ordering::Relaxed) {
                    sum.fetch_add(number, Ordering::Relaxed);
                }
            });
            assert_eq!(sum.into_inner(), 4950);
        }
        assert_eq!(pool(3).unwrap().threads(), 3);
        for threads in [1, 2, 5] {
            let pool = pool(threads).unwrap();
            for count in [0, 1, 2, 1000] {
                let sum = AtomicUsize::new(0);
                pool.each(count, &|number| {
                    sum.fetch_add(number + 1, Ordering::Relaxed);
                });
                assert_eq!(sum.into_inner(), count * (count + 1) / 2, "{threads} {count}");
                let squares = pool.results(count, &|number| Ok::<_, ()>(number * number));
                assert_eq!(squares, Ok((0..count).map(|number| number * number).collect()));
                let mut falling = pool.all(count, &|number| (count - number) as u64);
                pool.sort(&mut falling);
                assert!(falling.into_iter().eq(1..=count as u64));
                let sum = AtomicUsize::new(0);
                pool.each_range(count, 7, &|range| {
                    assert!((1..=7).contains(&range.len()));
                    sum.fetch_add(range.sum::<usize>(), Ordering::Relaxed);
                });
                assert_eq!(sum.into_inner(), (0..count).sum::<usize>());
            }
            let alone = pool.results(1000, &|number| if number == 700 { Err(number) } else { Ok(()) });
            assert_eq!(alone, Err(700));
            let many = pool.results(1000, &|number| if number >= 10 { Err(number) } else { Ok(()) });
            assert!(matches!(many, Err(10..1000)), "{many:?}");
        }
        // WebAssembly has no pool.
        assert_eq!((Pool(None).install(|| 7), Pool(None).threads()), (7, 1));
    }
}
