//! Huge pages for memory with random access, and returning memory to the system.
//!
//! With small pages, nearly every access would also miss the TLB, and each page would fault separately.

/// Reserves room for `count` items in a vector, in huge pages if the system supports them. If the vector has
/// less room, it is cleared first.
pub fn reserve_huge<T>(items: &mut Vec<T>, count: usize) {
    if items.capacity() < count {
        items.clear();
        items.reserve_exact(count);
        prefer_huge_pages(items);
    }
}

/// Requests huge pages for the memory of a vector that has not been used yet.
#[cfg(target_os = "linux")]
pub(super) fn prefer_huge_pages<T>(items: &mut Vec<T>) {
    const LARGE: usize = 2 << 20;
    let start = items.as_mut_ptr() as usize;
    let end = start + items.capacity() * size_of::<T>();
    let (first, last) = (start.next_multiple_of(LARGE), end / LARGE * LARGE);
    if first < last {
        // SAFETY: the range is within the vector's memory, and the advice does not change its contents. If it
        // is refused, pages stay small.
        let _ =
            unsafe { rustix::mm::madvise(first as *mut _, last - first, rustix::mm::Advice::LinuxHugepage) };
    }
}

/// Reserved addresses. The system provides zeroed memory when they are first written, and can take it back.
/// Only supported on Linux.
pub(crate) struct Addresses {
    start: std::ptr::NonNull<u8>,
    #[cfg(target_os = "linux")]
    bytes: usize,
}

// SAFETY: it is plain memory, and its users synchronise access.
unsafe impl Send for Addresses {}
// SAFETY: as above.
unsafe impl Sync for Addresses {}

#[cfg(target_os = "linux")]
impl Addresses {
    /// Reserves `bytes` bytes; `None` if the system refuses.
    pub(crate) fn new(bytes: usize) -> Option<Addresses> {
        use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous};
        let bytes = bytes.max(1);
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
        // SAFETY: the system chooses unused addresses, and the advice changes no contents.
        let start = unsafe {
            let start = mmap_anonymous(std::ptr::null_mut(), bytes, access, flags).ok()?;
            let _ = madvise(start, bytes, Advice::LinuxHugepage);
            start
        };
        Some(Addresses { start: std::ptr::NonNull::new(start.cast())?, bytes })
    }

    /// Returns the memory of the whole pages of a range. Their contents become zeros or stay the same. The
    /// exclusive borrow ensures that no other thread reads them meanwhile.
    pub(crate) fn release(&mut self, range: std::ops::Range<usize>) {
        const PAGE: usize = 1 << 16;
        let (first, last) = (range.start.next_multiple_of(PAGE), range.end.min(self.bytes) / PAGE * PAGE);
        if first < last {
            let start = self.start.as_ptr().wrapping_add(first).cast();
            // SAFETY: the range lies within these addresses, which are borrowed exclusively, and any contents
            // are valid. If the advice is refused, the contents stay.
            let _ = unsafe { rustix::mm::madvise(start, last - first, rustix::mm::Advice::LinuxDontNeed) };
        }
    }
}

#[cfg(target_os = "linux")]
impl Drop for Addresses {
    fn drop(&mut self) {
        // SAFETY: these addresses were reserved by `new`, and this is their only owner.
        let _ = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

/// Not supported on this platform.
#[cfg(not(target_os = "linux"))]
impl Addresses {
    pub(crate) fn new(_bytes: usize) -> Option<Addresses> {
        None
    }

    pub(crate) fn release(&mut self, _range: std::ops::Range<usize>) {}
}

impl Addresses {
    /// Whether this system supports it.
    pub(crate) const CAN_BE_HAD: bool = cfg!(target_os = "linux");

    /// The first address.
    pub(crate) fn start(&self) -> std::ptr::NonNull<u8> {
        self.start
    }
}

/// Other systems decide by themselves.
#[cfg(not(target_os = "linux"))]
pub(super) fn prefer_huge_pages<T>(_items: &mut Vec<T>) {}

/// Makes the allocator return large vectors to the system as soon as they are freed. Otherwise the C library
/// keeps them, and arrays that are read, merged and dropped one after the other take much more memory than is
/// in use: the standard board of Push Fight did not fit into 24 GB.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn return_freed_memory() {
    // SAFETY: it only affects future allocations.
    let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, 1 << 18) };
}

/// Other libraries do so by default.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn return_freed_memory() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_is_committed_on_use_and_returned_on_release() {
        // More than any machine has.
        let mut addresses = Addresses::new(1 << 44).unwrap();
        let at = |addresses: &Addresses, byte: usize| addresses.start().as_ptr().wrapping_add(byte);
        // SAFETY: these bytes lie within the reserved addresses.
        unsafe {
            for byte in [0, 1 << 20, (1 << 44) - 1] {
                assert_eq!(*at(&addresses, byte), 0);
                *at(&addresses, byte) = 7;
            }
            addresses.release(1 << 18..1 << 44);
            assert_eq!([0, 1 << 20, (1 << 44) - 1].map(|byte| *at(&addresses, byte)), [7, 0, 0]);
        }
        assert!(Addresses::new(usize::MAX / 2).is_none());
    }

    #[test]
    fn a_vector_keeps_its_items() {
        for len in [0, 1, 100_000, 3_000_000] {
            let mut items: Vec<u32> = (0..len).collect();
            items.reserve_exact(3_000_000);
            prefer_huge_pages(&mut items);
            items.extend(len..len + 100);
            assert!(items.into_iter().eq(0..len + 100));
        }
    }
}
