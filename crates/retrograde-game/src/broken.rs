//! Ends work on a game that breaks a promise, from a place that cannot return an error: deep inside a
//! visitor, where a check for each position would cost too much.

use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

/// A promise of a game's traits that does not hold, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BrokenPromise(pub String);

/// Abandons the work that [`until_broken`] does, on whatever thread of it this is.
pub fn broken_promise(text: String) -> ! {
    resume_unwind(Box::new(BrokenPromise(text)))
}

/// Does work that a game with a broken promise ends early.
///
/// # Errors
/// If [`broken_promise`] was called meanwhile.
pub fn until_broken<T>(work: impl FnOnce() -> T) -> Result<T, BrokenPromise> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| match panic.downcast::<BrokenPromise>() {
        Ok(broken) => *broken,
        Err(panic) => resume_unwind(panic),
    })
}
