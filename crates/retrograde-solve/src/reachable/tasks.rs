//! Parallel work on lists. Short lists are handled by one thread, because many grades have only a few
//! positions.

use rayon::prelude::*;

use crate::job::SolveError;

/// The number of positions that a thread takes at a time.
pub(crate) const TASK: usize = 1 << 12;

/// Work on a part of a list, with the place of its first item.
type Task<'a, T, R> = &'a (dyn Fn(usize, &[T]) -> Result<R, SolveError> + Sync);

/// Runs all tasks and returns their results in order.
pub(crate) fn run_tasks<T: Sync, R: Send>(
    pool: &crate::Pool,
    items: &[T],
    task: Task<'_, T, R>,
) -> Result<Vec<R>, SolveError> {
    pool.results(items.len().div_ceil(TASK), &|number| {
        let first = number * TASK;
        task(first, &items[first..items.len().min(first + TASK)])
    })
}

/// Sorts on all threads.
pub(crate) fn sort<T: Ord + Send>(pool: &crate::Pool, items: &mut [T]) {
    if items.len() <= TASK { items.sort_unstable() } else { pool.install(|| items.par_sort_unstable()) }
}
