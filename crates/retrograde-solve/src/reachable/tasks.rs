//! Work on a list, side by side where it is long enough to wake other threads for it: games have many
//! grades of a few positions.

use rayon::prelude::*;

use crate::job::SolveError;

/// Positions that a thread takes at a time.
pub(super) const TASK: usize = 1 << 12;

/// The results for all tasks, in order; a task is told the place of its first item.
pub(super) fn in_tasks<T: Sync, R: Send>(
    pool: &crate::Pool,
    items: &[T],
    task: impl Fn(usize, &[T]) -> Result<R, SolveError> + Sync,
) -> Result<Vec<R>, SolveError> {
    if items.len() <= TASK {
        return items.chunks(TASK).map(|items| task(0, items)).collect();
    }
    let tasks = items.par_chunks(TASK).enumerate();
    pool.install(|| tasks.map(|(number, items)| task(number * TASK, items)).collect())
}

/// Sorts on all threads.
pub(super) fn sort<T: Ord + Send>(pool: &crate::Pool, items: &mut [T]) {
    if items.len() <= TASK { items.sort_unstable() } else { pool.install(|| items.par_sort_unstable()) }
}
