//! Memory that the system does not give.
//!
//! Solvers refuse what does not fit before they begin. But a limit that they cannot see
//! (`ulimit -v`, a full machine) may still refuse memory at any moment, and then Rust programs
//! abort. With [`Memory`] as its allocator a program ends with an error instead, as it does for
//! every other reason; what a solver has saved is as it was. [`explain_aborts`] does the same where
//! it is the system's library that finds no memory. Large arrays ask with [`reserve`] and end the
//! solve alone.

mod pages;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use crate::job::SolveError;

pub(crate) use pages::Addresses;
use pages::prefer_huge_pages;
pub use pages::{reserve_huge, return_freed_memory};

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
            end(Some(size));
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

/// Ends the program with the same error where the system's library or Rust's own abort it for want
/// of memory. They ask past the allocator: glibc aborts where a new thread has no room to note the
/// destructor of a thread-local. Every other abort stays one.
#[cfg(unix)]
pub fn explain_aborts() {
    // SAFETY: a `sigaction` of zeros is one without flags and mask. The handler is a function of
    // the type that goes without flags, and calls only what a handler may call.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = aborted as extern "C" fn(libc::c_int) as libc::sighandler_t;
        libc::sigaction(libc::SIGABRT, &raw const action, std::ptr::null_mut());
    }
}

/// Elsewhere aborts say nothing of memory.
#[cfg(not(unix))]
pub fn explain_aborts() {}

/// An abort says no reason that a program could read, so this looks whether there is memory. It is
/// called on the thread that aborts. When it returns, the abort goes on.
#[cfg(unix)]
extern "C" fn aborted(_signal: libc::c_int) {
    // As much as glibc asks the system for when it has nothing left.
    const ASKED: usize = 1 << 20;
    // SAFETY: new pages are nobody's, and nothing points to them when they go.
    let refused = unsafe {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANON);
        let pages = libc::mmap(std::ptr::null_mut(), ASKED, access, kind, -1, 0);
        pages == libc::MAP_FAILED || libc::munmap(pages, ASKED) != 0
    };
    if refused {
        end(None);
    }
}

/// Ends the program; `size`: the bytes that were asked for, if they are known. Nothing here may ask
/// for memory, and all of it may be called in a handler of a signal.
#[cfg(unix)]
#[cold]
fn end(size: Option<usize>) -> ! {
    use std::sync::atomic::{AtomicBool, Ordering};
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::SeqCst) {
        // Another thread is at it: one error is enough, and it must not be cut off.
        loop {
            // SAFETY: it only waits.
            unsafe { libc::pause() };
        }
    }
    let mut digits = [0; 20];
    let asked: [&[u8]; 3] = match size {
        Some(size) => [b": ", decimal(size, &mut digits), b" bytes more were asked for"],
        None => [b""; 3],
    };
    let [colon, number, unit] = asked;
    for part in [
        b"error: the system has no memory left".as_slice(),
        colon,
        number,
        unit,
        b"; --memory SIZE allows less to a solve, and `ulimit -v` may be too low\n",
    ] {
        // SAFETY: the bytes are there, and so many.
        let _ = unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
    }
    // SAFETY: it ends the process at once and runs nothing that could ask for memory.
    unsafe { libc::_exit(1) }
}

/// Elsewhere the standard library aborts the program, with a line about it.
#[cfg(not(unix))]
fn end(_size: Option<usize>) {}

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

/// Reserves room for so many further items, in large pages where the system has them.
///
/// # Errors
/// [`SolveError::NoMemory`] if the system does not give it.
pub fn reserve<T>(items: &mut Vec<T>, further: usize) -> Result<(), SolveError> {
    refusable(|| items.try_reserve_exact(further)).map_err(|_| {
        let bytes = (items.len() as u64).saturating_add(further as u64).saturating_mul(size_of::<T>() as u64);
        SolveError::NoMemory { bytes }
    })?;
    prefer_huge_pages(items);
    Ok(())
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
    /// A process of its own takes all memory that a limit leaves it, and then has a thread-local
    /// with a destructor: glibc aborts it.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn an_abort_for_want_of_memory_is_an_error() {
        const INSIDE: &str = "RETROGRADE_TEST_WITHOUT_MEMORY";
        const NAME: &str = "memory::tests::an_abort_for_want_of_memory_is_an_error";
        if let Some(what) = std::env::var_os(INSIDE) {
            explain_aborts();
            if what == "limited" {
                take_all_memory();
            }
            note_destructor();
            // With memory this is an abort like any other.
            std::process::abort();
        }
        let run = |what: &str| {
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", NAME, "--nocapture", "--test-threads=1"]).env(INSIDE, what);
            let output = child.output().unwrap();
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        for _ in 0..10 {
            let (status, said) = run("limited");
            // The harness's main thread may run out of memory at the same moment. Then its request,
            // and not the abort, is what the error names.
            let last = said.lines().last().unwrap_or_default();
            assert!(last.starts_with("error: the system has no memory left"), "{said}");
            assert_eq!(status, Some(1), "{said}");
        }
        assert_eq!(run("free"), (None, String::new()));
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn note_destructor() {
        thread_local! {
            static WITH_DESTRUCTOR: std::cell::RefCell<String> = const { std::cell::RefCell::new(String::new()) };
        }
        WITH_DESTRUCTOR.with(|text| assert!(text.borrow().is_empty()));
    }

    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    fn take_all_memory() {
        let pages = std::fs::read_to_string("/proc/self/statm").unwrap();
        let pages: libc::rlim_t = pages.split(' ').next().unwrap().parse().unwrap();
        // Some megabytes more than the process has, in pages of 4 KiB at least.
        let most = pages * 4096 + (4 << 20);
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
        // SAFETY: the limit is a whole one.
        assert_eq!(unsafe { libc::setrlimit(libc::RLIMIT_AS, &raw const limit) }, 0);
        let mut size = 1 << 20;
        while size >= 8 {
            let mut bytes: Vec<u8> = Vec::new();
            match refusable(|| bytes.try_reserve_exact(size)) {
                Ok(()) => std::mem::forget(bytes),
                Err(_) => size /= 2,
            }
        }
    }
}
