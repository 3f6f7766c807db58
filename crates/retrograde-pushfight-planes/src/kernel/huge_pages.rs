//! Large pages for memory that is read and written all over, and memory given back to the system.
//!
//! With small pages, nearly every access would also miss the processor's table of pages.

/// Reserves memory for `count` items, with large pages where the system has them.
pub(crate) fn reserve_huge<T>(items: &mut Vec<T>, count: usize) {
    if items.capacity() < count {
        items.clear();
        items.reserve_exact(count);
        advise(items);
    }
}

#[cfg(target_os = "linux")]
fn advise<T>(items: &mut Vec<T>) {
    const LARGE: usize = 2 << 20;
    let start = items.as_mut_ptr() as usize;
    let end = start + items.capacity() * size_of::<T>();
    let (first, last) = (start.next_multiple_of(LARGE), end / LARGE * LARGE);
    if first < last {
        // SAFETY: the range is within the vector's memory, and the advice does not change what is
        // in it. If it is refused, pages stay small.
        let _ =
            unsafe { rustix::mm::madvise(first as *mut _, last - first, rustix::mm::Advice::LinuxHugepage) };
    }
}

#[cfg(not(target_os = "linux"))]
fn advise<T>(_items: &mut Vec<T>) {}

/// Makes the allocator return large vectors to the system as soon as they are freed. Otherwise the
/// C library keeps them, and planes that are read, merged and dropped one after the other take much
/// more memory than is in use: the standard board did not fit into 24 GB.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn return_freed_memory() {
    // SAFETY: it changes from where memory is taken next, and nothing that there is.
    let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 18) };
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn return_freed_memory() {}
