//! Stops work on a game that breaks a promise, from code that cannot return an error: deep inside a
//! visitor, where checking a result per position would cost too much.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A broken promise of a game's traits, and where it was broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenPromise(pub String);

/// Aborts the work of [`until_broken`], on any of its threads.
pub fn broken_promise(text: String) -> ! {
    resume_unwind(Box::new(BrokenPromise(text)))
}

/// Runs `work`, which a broken promise ends early.
///
/// # Errors
/// If [`broken_promise`] was called.
pub fn until_broken<T>(work: impl FnOnce() -> T) -> Result<T, BrokenPromise> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<BrokenPromise>() {
        Ok(broken) => *broken,
        Err(panic) => resume_unwind(panic),
    })
}
