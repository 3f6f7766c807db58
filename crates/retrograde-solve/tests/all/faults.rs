//! Solves in files on a disk that fails.

use std::fmt::Debug;
use std::path::Path;

use retrograde_solve::SolveError;
use retrograde_table::testing::{Fault, FaultyStorage};
use retrograde_testkit::some_of;

/// Every `step`-th call of the file system fails in turn, in short runs a third of them. A solve then fails with an error or has the
/// expected result, and the next one resumes from what exists. Returns the number of calls of a solve without
/// a fault.
pub(crate) fn no_fault_gives_wrong_values<T: PartialEq + Debug>(
    expected: &T,
    step: usize,
    solve: impl Fn(FaultyStorage, &Path) -> Result<T, SolveError>,
) -> u64 {
    let counting = FaultyStorage::new(Fault::Never);
    let place = retrograde_testkit::tempdir().unwrap();
    assert_eq!(solve(counting.clone(), place.path()).unwrap(), *expected);
    let calls = counting.calls();
    let mut failed = 0;
    for call in some_of(3, (0..calls).step_by(step)) {
        for fault in [Fault::Once(call), Fault::Forever(call), Fault::Full(call)] {
            let place = retrograde_testkit::tempdir().unwrap();
            match solve(FaultyStorage::new(fault), place.path()) {
                Ok(solved) => assert_eq!(solved, *expected, "{fault:?}"),
                Err(SolveError::Checkpoint(_)) => failed += 1,
                Err(other) => panic!("{fault:?}: {other}"),
            }
            let again = solve(FaultyStorage::new(Fault::Never), place.path()).unwrap();
            assert_eq!(again, *expected, "{fault:?}");
        }
    }
    assert!(failed > 3);
    calls
}
