//! The parts of a request, the answer, and the refusal where there is none.

pub(crate) mod answer;
pub(crate) mod input;
pub(crate) mod refusal;
