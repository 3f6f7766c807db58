//! Threads, memory and an ear for progress, which everything takes that reads all of a table.

use retrograde_solve::Progress;

/// The resources of a task that reads all of a table.
pub struct Resources<'a> {
    /// Threads to use, at least 1.
    pub threads: usize,
    /// Bytes of memory.
    pub memory: u64,
    /// Hears of progress, and may stop the work.
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
