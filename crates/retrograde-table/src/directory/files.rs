//! The names of the files in the directory of a game.

/// The manifest, whose presence makes a table complete.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The possible names of a file of values. A new table takes the name that the old one does not
/// use, so that the old one stays intact until its manifest is replaced.
pub(crate) const VALUES: [&str; 2] = ["values.rgt", "values-2.rgt"];

/// The times of solves. Nothing depends on it.
pub(crate) const RUN: &str = "run.json";

/// The checkpoint of an interrupted solve.
pub(crate) const WORK: &str = "work.rgw";

/// The folder of an interrupted solve that did not fit into memory.
pub(crate) const SPILL: &str = "work";

/// The lock file; it is empty and is never removed.
pub(crate) const LOCK: &str = "lock";
