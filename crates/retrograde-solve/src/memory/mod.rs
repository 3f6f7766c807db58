//! Handling of allocation failures.
//!
//! Solvers check the memory limit before they begin. A limit that they cannot see, such as `ulimit -v` or a
//! full machine, may still refuse memory at any moment, and then Rust programs abort. A program that uses
//! [`Memory`] as its allocator ends with an error message instead, and what a solver has saved is kept.
//! [`report_aborts`] does the same for allocation failures in the C library. Large arrays use [`reserve`]; if
//! that fails, only the solve ends.

mod pages;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use crate::job::SolveError;

pub(crate) use pages::Addresses;
use pages::prefer_huge_pages;
pub use pages::{reserve_huge, return_freed_memory};

thread_local! {
    /// Whether this thread can handle a refused allocation. (It has no destructor and a constant initial
    /// value, so it allocates nothing itself.)
    static REFUSABLE: Cell<bool> = const { Cell::new(false) };
}

/// The system's allocator. If it has no memory left, the program ends with an error message and status 1.
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

// SAFETY: all calls and results are passed through to the system's allocator.
unsafe impl GlobalAlloc for Memory {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the one that the system's allocator requires.
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

/// Makes the program end with the same error message if the C library or the Rust runtime aborts it for lack
/// of memory. They bypass the allocator: glibc aborts if a new thread has no room to register the destructor
/// of a thread-local. Other aborts are unchanged.
#[cfg(unix)]
pub fn report_aborts() {
    // SAFETY: a zeroed `sigaction` has no flags and no mask. The handler has the type that a `sigaction`
    // without flags requires, and only calls async-signal-safe functions.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = aborted as extern "C" fn(libc::c_int) as libc::sighandler_t;
        libc::sigaction(libc::SIGABRT, &raw const action, std::ptr::null_mut());
    }
}

/// Aborts are left as they are on this platform.
#[cfg(not(unix))]
pub fn report_aborts() {}

/// The program cannot read the reason for an abort, so this checks whether memory is available. It is called
/// on the aborting thread. If it returns, the abort continues.
#[cfg(unix)]
extern "C" fn aborted(_signal: libc::c_int) {
    // The amount that glibc requests when it has nothing left.
    const ASKED: usize = 1 << 20;
    // SAFETY: new pages are unused, and nothing points to them when they are unmapped.
    let refused = unsafe {
        let (access, kind) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_PRIVATE | libc::MAP_ANON);
        let pages = libc::mmap(std::ptr::null_mut(), ASKED, access, kind, -1, 0);
        pages == libc::MAP_FAILED || libc::munmap(pages, ASKED) != 0
    };
    if refused {
        end(None);
    }
}

/// Ends the program. `size` is the number of bytes that were requested, if known. This must not allocate, and
/// is called in a signal handler.
#[cfg(unix)]
#[cold]
fn end(size: Option<usize>) -> ! {
    use std::sync::atomic::{AtomicBool, Ordering};
    static ENDING: AtomicBool = AtomicBool::new(false);
    if ENDING.swap(true, Ordering::SeqCst) {
        // Another thread is already printing the error, which must not be cut off.
        loop {
            // SAFETY: it only waits.
            unsafe { libc::pause() };
        }
    }
    let mut digits = [0; 20];
    let size_text: [&[u8]; 3] = match size {
        Some(size) => [b": ", decimal(size, &mut digits), b" bytes more were asked for"],
        None => [b""; 3],
    };
    let [colon, number, unit] = size_text;
    for part in [
        b"error: the system has no memory left".as_slice(),
        colon,
        number,
        unit,
        b"; --memory SIZE allows less to a solve, and `ulimit -v` may be too low\n",
    ] {
        // SAFETY: the pointer and the length come from the slice.
        let _ = unsafe { libc::write(libc::STDERR_FILENO, part.as_ptr().cast(), part.len()) };
    }
    // SAFETY: it ends the process at once and allocates nothing.
    unsafe { libc::_exit(1) }
}

/// The standard library aborts the program with a message on this platform.
#[cfg(not(unix))]
fn end(_size: Option<usize>) {}

/// Formats a number.
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

/// Reserves room for `further` items, in huge pages if the system supports them.
///
/// # Errors
/// [`SolveError::NoMemory`] if the system refuses.
pub fn reserve<T>(items: &mut Vec<T>, further: usize) -> Result<(), SolveError> {
    refusable(|| items.try_reserve_exact(further)).map_err(|_| {
        let bytes = (items.len() as u64).saturating_add(further as u64).saturating_mul(size_of::<T>() as u64);
        SolveError::NoMemory { bytes }
    })?;
    prefer_huge_pages(items);
    Ok(())
}

/// Runs `ask`, which requests memory that may be refused.
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
    fn failed_allocations_give_an_error_with_the_size() {
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
    /// A child process uses up all memory below a limit and then creates a thread-local with a destructor, so
    /// glibc aborts it.
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[test]
    fn an_abort_for_lack_of_memory_is_an_error() {
        const INSIDE: &str = "RETROGRADE_TEST_WITHOUT_MEMORY";
        const NAME: &str = "memory::tests::an_abort_for_lack_of_memory_is_an_error";
        if let Some(what) = std::env::var_os(INSIDE) {
            report_aborts();
            if what == "limited" {
                take_all_memory();
            }
            note_destructor();
            // With enough memory, this is an abort like any other.
            std::process::abort();
        }
        let run = |what: &str| {
            let mut child = std::process::Command::new(std::env::current_exe().unwrap());
            child.args(["--exact", NAME, "--nocapture", "--test-threads=1"]).env(INSIDE, what);
            let output = child.output().unwrap();
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        for _ in 0..10 {
            let (status, message) = run("limited");
            // The main thread of the test harness may run out of memory at the same moment. The error then
            // names its request instead of the abort.
            let last = message.lines().last().unwrap_or_default();
            assert!(last.starts_with("error: the system has no memory left"), "{message}");
            assert_eq!(status, Some(1), "{message}");
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
        // A few megabytes more than the process has, assuming pages of at least 4 KiB.
        let most = pages * 4096 + (4 << 20);
        let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
        // SAFETY: the limit is initialised.
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
