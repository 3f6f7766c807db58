//! Converts errors of the library to exceptions of the package, whose classes are in `retrograde._errors`.

use pyo3::prelude::*;
use retrograde_explore::{Error, Problem};

/// The exception for an error.
pub(crate) fn raised(py: Python<'_>, error: Error) -> PyErr {
    let detail = match &error {
        Error::NoTable { game, .. } => {
            format!("there is no table of {game}; retrograde.open({game:?}, solve=True) creates one")
        }
        error => error.to_string(),
    };
    let (kind, text, suggestion) = match Problem::try_from(error) {
        Ok(problem) => (problem.kind, problem.text.map(String::from), problem.suggestion.map(String::from)),
        Err(Error::Table(_)) => ("table", None, None),
        Err(Error::Io(_)) => ("file", None, None),
        Err(_) => ("failed", None, None),
    };
    exception(py, kind, &detail, text, suggestion)
}

/// The exception for a problem of a request.
pub(crate) fn refused(py: Python<'_>, problem: Problem) -> PyErr {
    let suggestion = problem.suggestion.map(String::from);
    exception(py, problem.kind, &problem.detail, problem.text.map(String::from), suggestion)
}

/// An exception of a kind in `docs/json.md`.
pub(crate) fn exception(
    py: Python<'_>,
    kind: &str,
    detail: &str,
    text: Option<String>,
    suggestion: Option<String>,
) -> PyErr {
    let detail = retrograde_game::printable(detail);
    let make = || py.import("retrograde._errors")?.getattr("error")?.call1((kind, detail, text, suggestion));
    match make() {
        Ok(made) => PyErr::from_value(made),
        Err(error) => error,
    }
}
