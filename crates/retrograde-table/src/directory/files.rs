//! The names of the files in the directory of a game.

/// The manifest, whose presence makes a table complete.
pub(crate) const MANIFEST: &str = "manifest.json";

/// The names that a file of values may have. A new table takes the one that the old table does not
/// use, so that the old one stays whole until the new manifest replaces the old.
pub(crate) const VALUES: [&str; 2] = ["values.rgt", "values-2.rgt"];

/// The times of solves, which nothing rests on.
pub(crate) const RUN: &str = "run.json";

/// The work file of an interrupted solver.
pub(crate) const WORK: &str = "work.rgw";

/// The folder of an interrupted solver that did not fit into memory.
pub(crate) const SPILL: &str = "work";

/// The file that is locked; it is empty and stays.
pub(crate) const LOCK: &str = "lock";
