//! Retrograde for Python: the module `retrograde._retrograde`, which the Python sources beside this
//! crate wrap.
//!
//! This is a thin face: games are found, solved and asked here, and answers go out as the JSON that the
//! command line prints, or as arrays. What Python people expect (types, docstrings, positions as
//! objects, progress bars) is in Python, where they can read it.

mod error;
mod game;
mod graph;
mod searched;
mod waiting;

use pyo3::prelude::*;

/// The part that the Python sources use.
#[pymodule]
mod _retrograde {
    #[pymodule_export]
    use super::game::{Game, list_games, missing_folder, open_game, pixels, plan_game, png, solve_game};
    #[pymodule_export]
    use super::searched::solve_searched;
}
