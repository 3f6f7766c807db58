//! The handlers of the routes under `/api/v1`: requests, games, and pictures. Answers are the objects of
//! the command line's `--json`.

pub(crate) mod games;
pub(crate) mod pictures;
pub(crate) mod requests;
