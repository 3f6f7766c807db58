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

/// Addresses to which the system gives memory, of zeros, when they are first written to, and from
/// which it can be taken away again. Only Linux has them here.
pub(crate) struct Addresses {
    start: std::ptr::NonNull<u8>,
    #[cfg(target_os = "linux")]
    bytes: usize,
}

// SAFETY: it is memory, and whoever shares it looks after who may touch it.
unsafe impl Send for Addresses {}
// SAFETY: as above.
unsafe impl Sync for Addresses {}

#[cfg(target_os = "linux")]
impl Addresses {
    /// So many bytes; `None` if the system does not give as many addresses.
    pub(crate) fn new(bytes: usize) -> Option<Addresses> {
        use rustix::mm::{Advice, MapFlags, ProtFlags, madvise, mmap_anonymous};
        let bytes = bytes.max(1);
        let (access, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE | MapFlags::NORESERVE);
        // SAFETY: the system chooses addresses that nothing has, and the advice changes no content.
        let start = unsafe {
            let start = mmap_anonymous(std::ptr::null_mut(), bytes, access, flags).ok()?;
            let _ = madvise(start, bytes, Advice::LinuxHugepage);
            start
        };
        Some(Addresses { start: std::ptr::NonNull::new(start.cast())?, bytes })
    }

    /// Gives back the memory of the whole pages of a range; there are zeros again, or what was
    /// there before. Nobody may look at the range meanwhile, which its borrower sees to.
    pub(crate) fn release(&mut self, range: std::ops::Range<usize>) {
        const PAGE: usize = 1 << 16;
        let (first, last) = (range.start.next_multiple_of(PAGE), range.end.min(self.bytes) / PAGE * PAGE);
        if first < last {
            let start = self.start.as_ptr().wrapping_add(first).cast();
            // SAFETY: the range lies within these addresses, which are borrowed exclusively; zeros
            // are as good as what was there. If the advice is refused, the content stays.
            let _ = unsafe { rustix::mm::madvise(start, last - first, rustix::mm::Advice::LinuxDontNeed) };
        }
    }
}

#[cfg(target_os = "linux")]
impl Drop for Addresses {
    fn drop(&mut self) {
        // SAFETY: these are the addresses that the system gave, and nobody has them any more.
        let _ = unsafe { rustix::mm::munmap(self.start.as_ptr().cast(), self.bytes) };
    }
}

/// Elsewhere there are none.
#[cfg(not(target_os = "linux"))]
impl Addresses {
    pub(crate) fn new(_bytes: usize) -> Option<Addresses> {
        None
    }

    pub(crate) fn release(&mut self, _range: std::ops::Range<usize>) {}
}

impl Addresses {
    /// Whether this system has them at all.
    pub(crate) const CAN_BE_HAD: bool = cfg!(target_os = "linux");

    /// The first.
    pub(crate) fn start(&self) -> std::ptr::NonNull<u8> {
        self.start
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

    #[cfg(target_os = "linux")]
    #[test]
    fn memory_comes_when_it_is_used_and_goes_when_it_is_released() {
        // More than any machine has.
        let mut addresses = Addresses::new(1 << 44).unwrap();
        let at = |addresses: &Addresses, byte: usize| addresses.start().as_ptr().wrapping_add(byte);
        // SAFETY: all these bytes lie within the addresses.
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
