//! Large pages for memory that is read and written all over, and memory given back to the system.
//!
//! With small pages, nearly every access would also miss the processor's table of pages, and each
//! page would be asked for alone.

/// Makes room for so many items in a vector that has less, emptied then, in large pages where the
/// system has them.
pub fn reserve_huge<T>(items: &mut Vec<T>, count: usize) {
    if items.capacity() < count {
        items.clear();
        items.reserve_exact(count);
        prefer_huge_pages(items);
    }
}

/// Asks for large pages where the memory of a vector is not in use yet, if the system has them.
#[cfg(target_os = "linux")]
pub(super) fn prefer_huge_pages<T>(items: &mut Vec<T>) {
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

/// Other systems choose for themselves.
#[cfg(not(target_os = "linux"))]
pub(super) fn prefer_huge_pages<T>(_items: &mut Vec<T>) {}

/// Makes the allocator return large vectors to the system as soon as they are freed. Otherwise the
/// C library keeps them, and arrays that are read, merged and dropped one after the other take much
/// more memory than is in use: the standard board of Push Fight did not fit into 24 GB.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn return_freed_memory() {
    // SAFETY: it changes from where memory is taken next, and nothing that there is.
    let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 18) };
}

/// Other libraries do so anyway.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_freed_memory() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_holds_what_it_held() {
        for len in [0, 1, 100_000, 3_000_000] {
            let mut items: Vec<u32> = (0..len).collect();
            items.reserve_exact(3_000_000);
            prefer_huge_pages(&mut items);
            items.extend(len..len + 100);
            assert!(items.into_iter().eq(0..len + 100));
        }
    }
}
