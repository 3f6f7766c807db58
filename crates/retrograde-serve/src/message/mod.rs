//! The parts of a request, answers and refusals.

pub(crate) mod answer;
pub(crate) mod input;
pub(crate) mod refusal;
