//! Reads of far memory that begin early: what a processor is asked to fetch comes while it does
//! other work.
//!
//! The one `unsafe` here is the instruction itself, which reads nothing that a program could see.

/// Asks the processor to fetch an item that will be read soon; one past the end does no harm.
#[inline]
pub(crate) fn prefetch<T>(items: &[T], at: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let item = items.as_ptr().wrapping_add(at);
        // SAFETY: prefetching reads nothing, wherever the address points.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(item.cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (items, at);
}
