//! Prefetching of memory that will be read soon.
//!
//! The only `unsafe` code is the instruction itself, which has no visible effect.

/// Prefetches an item that will be read soon. An index past the end is harmless.
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
