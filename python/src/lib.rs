//! Retrograde for Python: the module `retrograde._retrograde`, which the Python sources of the package wrap.
//!
//! This layer is thin: it opens, solves and queries games, and returns the command line's JSON, or arrays.
//! Types, docstrings, objects for positions and progress bars are in Python.

mod error;
mod game;
mod graph;
mod searched;
mod waiting;

use pyo3::prelude::*;

/// The Rust part of the package.
#[pymodule]
mod _retrograde {
    #[pymodule_export]
    use super::game::{Game, list_games, missing_folder, open_game, pixels, plan_game, png, solve_game};
    #[pymodule_export]
    use super::searched::{search, solve_graph};
}
