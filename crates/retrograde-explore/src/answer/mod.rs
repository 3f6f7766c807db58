//! The parts that several answers share, without the types of a game: numbers, verdicts, texts. They are also
//! the JSON that programs get, so names and order of fields are part of the interface, and tests pin them.

pub(crate) mod about;
pub(crate) mod page;
pub(crate) mod plan;
pub(crate) mod player;
pub(crate) mod reachable;
pub(crate) mod search_limits;
pub(crate) mod shades;
pub(crate) mod statistics;
pub(crate) mod value;
pub(crate) mod verification;
pub(crate) mod words;
