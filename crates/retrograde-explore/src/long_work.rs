//! Long work: solving, checking, counting, data sets. A page of a site loads a module before it can
//! show a value, so there is a module that answers questions alone and is a third as large. It is
//! made of the same code: for WebAssembly, what is long work is compiled only with the feature
//! `solving`.

use retrograde_game::{BrokenPromise, until_broken};
use retrograde_solve::SolveError;

use crate::Error;

/// Whether this program does long work.
pub const LONG_WORK: bool = cfg!(any(not(target_family = "wasm"), feature = "solving"));

/// Does long work, or says that this program does none. Where it does none, nothing that only the
/// work needs gets into the program.
pub(crate) fn long_work<T>(work: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    if LONG_WORK {
        until_broken(work).unwrap_or_else(|BrokenPromise(text)| Err(SolveError::BrokenPromise(text).into()))
    } else {
        Err(Error::Unsupported("this module answers questions alone; it does no long work".to_owned()))
    }
}
