//! Memory that the system does not give.
//!
//! Solvers refuse what does not fit before they begin. But a limit that they cannot see (`ulimit -v`,
//! a full machine) may still refuse memory at any moment, and then Rust programs abort. With
//! [`Memory`] as its allocator a program ends with an error instead, as it does for every other
//! reason; what a solver has saved is as it was. Large arrays ask with [`reserve`] and end the solve
//! alone.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use crate::job::SolveError;

thread_local! {
    /// Whether this thread can do without the memory that it asks for. (Without a destructor and
    /// with a constant beginning it needs no memory itself.)
    static REFUSABLE: Cell<bool> = const { Cell::new(false) };
}

/// The system's allocator. Where it has no memory, the program ends with an error and status 1.
///
/// ```
/// #[global_allocator]
/// static MEMORY: retrograde_solve::memory::Memory = retrograde_solve::memory::Memory;
/// # fn main() {}
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Memory;

impl Memory {
    #[inline]
    fn given(start: *mut u8, size: usize) -> *mut u8 {
        if start.is_null() && !REFUSABLE.get() {
            end(size);
        }
        start
    }
}

// SAFETY: all calls go to the system's allocator as they come, and its answers come back.
unsafe impl GlobalAlloc for Memory {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is that of the system's allocator.
        Memory::given(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        Memory::given(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, start: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        Memory::given(unsafe { System.realloc(start, layout, size) }, size)
    }

    #[inline]
    unsafe fn dealloc(&self, start: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(start, layout) };
    }
}

/// Ends the program. Nothing here may ask for memory.
#[cfg(unix)]
#[cold]
fn end(size: usize) {
    use std::sync::atomic::{AtomicBool, Ordering};
    static ENDING: AtomicBool = AtomicBool::new(false);
    // One error is enough where several threads find no memory.
    if !ENDING.swap(true, Ordering::SeqCst) {
        let mut digits = [0; 20];
        for part in [
            b"error: the system has no memory left: ".as_slice(),
            decimal(size, &mut digits),
            b" bytes more were asked for; --memory SIZE allows less to a solve, and `ulimit -v` may be too low\n",
        ] {
            // SAFETY: the bytes are there, and so many.
            let _ = unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
        }
    }
    // SAFETY: it ends the process at once and runs nothing that could ask for memory.
    unsafe { libc::_exit(1) }
}

/// Elsewhere the standard library aborts the program, with a line about it.
#[cfg(not(unix))]
fn end(_size: usize) {}

/// The digits of a number.
#[cfg(unix)]
fn decimal(mut number: usize, digits: &mut [u8; 20]) -> &[u8] {
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            return &digits[first..];
        }
    }
}

/// Reserves room for so many further items.
///
/// # Errors
/// [`SolveError::NoMemory`] if the system does not give it.
pub fn reserve<T>(items: &mut Vec<T>, further: usize) -> Result<(), SolveError> {
    refusable(|| items.try_reserve_exact(further)).map_err(|_| {
        let bytes = (items.len() as u64).saturating_add(further as u64).saturating_mul(size_of::<T>() as u64);
        SolveError::NoMemory { bytes }
    })
}

/// Asks for memory that may be refused: `ask` returns then, with what says so.
pub fn refusable<T>(ask: impl FnOnce() -> T) -> T {
    let before = REFUSABLE.replace(true);
    let answer = ask();
    REFUSABLE.set(before);
    answer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[global_allocator]
    static MEMORY: Memory = Memory;

    #[test]
    fn refused_memory_is_an_error_that_says_how_much() {
        let mut items: Vec<u64> = Vec::new();
        reserve(&mut items, 1000).unwrap();
        assert!(items.capacity() >= 1000);
        let error = reserve(&mut items, 1 << 58).unwrap_err().to_string();
        assert!(error.contains("2305843009213693952 bytes") && error.contains("--memory"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn sizes_are_written_without_memory() {
        for number in [0, 7, 1_234_567, usize::MAX] {
            let mut digits = [0; 20];
            assert_eq!(decimal(number, &mut digits), number.to_string().as_bytes());
        }
    }
}
