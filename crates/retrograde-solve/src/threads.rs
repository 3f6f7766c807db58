//! Work that several threads share. The system may refuse a thread, where memory or processes are
//! limited: then fewer threads do the work, and none of it is lost.

use std::thread;

/// Calls `work` on several threads at once, one of them this one. It is called at least once, so it
/// must take from what all of them share until nothing is left.
pub fn on_threads(threads: usize, work: impl Fn() + Sync) {
    let work = &work;
    thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Threads of its own for a solver. In WebAssembly there are none: there whoever asks does the work.
pub struct Pool(Option<rayon::ThreadPool>);

impl Pool {
    /// Does work in which `rayon` has these threads.
    pub fn install<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        match &self.0 {
            Some(pool) => pool.install(work),
            None => work(),
        }
    }

    /// The number of threads.
    pub fn threads(&self) -> usize {
        self.0.as_ref().map_or(1, rayon::ThreadPool::current_num_threads)
    }
}

/// A pool of threads of its own for a solver.
///
/// # Errors
/// If the system starts not even one.
pub fn pool(threads: usize) -> std::io::Result<Pool> {
    // There `rayon` does all work on the thread that it is called on, if it is given no pool.
    if cfg!(target_family = "wasm") {
        return Ok(Pool(None));
    }
    let mut threads = threads.max(1);
    loop {
        match rayon::ThreadPoolBuilder::new().num_threads(threads).build() {
            Ok(pool) => return Ok(Pool(Some(pool))),
            Err(_) if threads > 1 => threads /= 2,
            Err(error) => {
                return Err(std::io::Error::other(format!("the system starts no thread ({error})")));
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
        // As in WebAssembly.
        assert_eq!((Pool(None).install(|| 7), Pool(None).threads()), (7, 1));
    }
}
