//! The program's allocator, with counters.

use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicUsize, Ordering};

use retrograde_solve::memory::Memory;

/// The bytes that are currently allocated.
pub static HELD: AtomicUsize = AtomicUsize::new(0);
/// The most that were, and the largest single allocation.
pub static PEAK: AtomicUsize = AtomicUsize::new(0);
pub static LARGEST: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn more(bytes: usize) {
    let held = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
    PEAK.fetch_max(held, Ordering::Relaxed);
    LARGEST.fetch_max(bytes, Ordering::Relaxed);
}

fn less(bytes: usize) {
    HELD.fetch_sub(bytes, Ordering::Relaxed);
}

// SAFETY: all calls are forwarded to the program's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { Memory.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        more(layout.size());
        // SAFETY: the same.
        unsafe { Memory.alloc_zeroed(layout) }
    }
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        more(size);
        less(layout.size());
        // SAFETY: the same.
        unsafe { Memory.realloc(place, layout, size) }
    }
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        less(layout.size());
        // SAFETY: the same.
        unsafe { Memory.dealloc(place, layout) }
    }
}
