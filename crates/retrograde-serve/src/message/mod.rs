//! What handlers read and write: the parts of a request, the answer, and the problem where there is none.

pub(crate) mod answer;
pub(crate) mod input;
pub(crate) mod problem;
pub(crate) mod schemas;
