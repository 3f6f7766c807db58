//! Threads, memory and progress, for work that reads a whole table.

use retrograde_solve::Progress;

/// The resources of a task that reads a whole table.
pub struct Resources<'a> {
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Receives progress and may stop the work.
    pub progress: &'a dyn Progress,
}

impl<'a> Resources<'a> {
    /// Resources with these threads and this memory in bytes; without a limit,
    /// [`allowed_memory`](crate::allowed_memory).
    pub fn new(threads: usize, memory: Option<u64>, progress: &'a dyn Progress) -> Resources<'a> {
        let memory = crate::machine::allowed_memory(memory);
        Resources { threads: threads.max(1), memory, progress }
    }
}
