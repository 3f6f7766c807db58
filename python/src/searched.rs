//! Games that are objects of Python: a search from the start lists their positions, and the graph of
//! them is solved as any game is.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use retrograde_explore::{AnyGame, Entry, SolveOptions};
use retrograde_game::Outcome;

use crate::error::{exception, raised};
use crate::game::Game;
use crate::graph::{Graph, Lists, Node};
use crate::waiting::wait;

/// Positions between two calls of the listener.
const TOLD_EVERY: usize = 1 << 12;

/// The positions that a search has met.
struct Search<'py> {
    game: Bound<'py, PyAny>,
    positions: Bound<'py, PyList>,
    numbers: Bound<'py, PyDict>,
    limit: usize,
}

impl<'py> Search<'py> {
    /// The number of a position, which it gets if it is new.
    fn number(&self, position: &Bound<'py, PyAny>) -> PyResult<Node> {
        if let Some(number) = self.numbers.get_item(position)? {
            return number.extract();
        }
        let number = self.positions.len();
        if number >= self.limit {
            let detail = format!(
                "the search has met {} positions and goes on; `limit` allows no more",
                self.positions.len()
            );
            return Err(exception(self.game.py(), "too-large", &detail, None, None));
        }
        self.numbers.set_item(position, number)?;
        self.positions.append(position)?;
        Ok(number as Node)
    }

    /// The outcome of a position for the side to move, if the game is over there.
    fn result(&self, position: &Bound<'py, PyAny>) -> PyResult<Option<Outcome>> {
        let result = self.game.call_method1("result", (position,))?;
        if result.is_none() { Ok(None) } else { outcome(&result).map(Some) }
    }

    /// The positions that the turns of a position lead to.
    fn after(&self, position: &Bound<'py, PyAny>) -> PyResult<Vec<Node>> {
        let mut after = Vec::new();
        for pair in self.game.call_method1("turns", (position,))?.try_iter()? {
            let pair = pair?;
            let (_, next) = pair.extract::<(Bound<'py, PyAny>, Bound<'py, PyAny>)>().map_err(|_| {
                let detail = format!("`turns` gives pairs of a turn and the position after it, found {pair}");
                exception(self.game.py(), "usage", &detail, None, None)
            })?;
            after.push(self.number(&next)?);
        }
        Ok(after)
    }
}

/// An outcome as a word or a number.
fn outcome(value: &Bound<'_, PyAny>) -> PyResult<Outcome> {
    let word = value.extract::<String>().ok();
    let number = value.extract::<f64>().ok();
    let found = match (word.as_deref(), number) {
        (Some("win"), _) | (None, Some(1.0)) => Some(Outcome::Win),
        (Some("loss"), _) | (None, Some(-1.0)) => Some(Outcome::Loss),
        (Some("draw"), _) | (None, Some(0.0)) => Some(Outcome::Draw),
        _ => None,
    };
    found.ok_or_else(|| {
        let detail = format!(
            "an outcome is \"win\", \"loss\" or \"draw\" for the side to move, or 1, -1 or 0; found {value}"
        );
        exception(value.py(), "usage", &detail, None, None)
    })
}

/// Searches a game from its start and solves it: the open game, the list of its positions by number,
/// and a dictionary of their numbers.
#[pyfunction]
pub(crate) fn solve_searched<'py>(
    py: Python<'py>,
    game: Bound<'py, PyAny>,
    start: Bound<'py, PyAny>,
    about: (String, Bound<'py, PyAny>),
    limit: usize,
    threads: Option<usize>,
    listener: Option<Bound<'py, PyAny>>,
) -> PyResult<(Game, Bound<'py, PyList>, Bound<'py, PyDict>)> {
    let (name, without_turns) = about;
    let without_turns = outcome(&without_turns)?;
    let limit = limit.min(Node::MAX as usize);
    let search = Search { game, positions: PyList::empty(py), numbers: PyDict::new(py), limit };
    let (mut after, mut over) = (Lists::default(), Vec::new());
    search.number(&start)?;
    // Positions are appended while the list is gone through, until no turn leads to a new one.
    while over.len() < search.positions.len() {
        let position = search.positions.get_item(over.len())?;
        let result = search.result(&position)?;
        let list = if result.is_some() { Vec::new() } else { search.after(&position)? };
        after.push(list).ok_or_else(|| {
            exception(py, "too-large", "there are more than 4,294,967,295 turns in all", None, None)
        })?;
        over.push(result);
        if over.len().is_multiple_of(TOLD_EVERY) {
            py.check_signals()?;
            if let Some(listener) = &listener {
                listener.call1(("searching positions", over.len(), 0))?;
            }
        }
    }
    let solved = wait(py, listener.as_ref(), move |watched| {
        let entry = Entry::new(Graph::new(name, after, over, without_turns), "").predecessors();
        let game: Arc<dyn AnyGame> = Arc::new(entry);
        let usual = SolveOptions::default();
        let options = SolveOptions { threads: threads.unwrap_or(usual.threads).max(1), ..usual };
        game.solve_in_memory(&options, watched)
    })?;
    let open = solved.map_err(|error| raised(py, error))?;
    Ok((Game { open }, search.positions.clone(), search.numbers.clone()))
}
