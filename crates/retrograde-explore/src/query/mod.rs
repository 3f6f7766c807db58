//! Values of positions and turns, and queries that are not requests: methods and functions on an open game.

pub(crate) mod ahead;
pub(crate) mod batch;
pub(crate) mod budget;
pub(crate) mod certificate;
pub(crate) mod comment;
pub(crate) mod fewest_turns;
pub(crate) mod lookup;
pub(crate) mod numbers;
pub(crate) mod positions;
pub(crate) mod proof_status;
pub(crate) mod reachable;
pub(crate) mod read_turns;
pub(crate) mod resolve;
pub(crate) mod rows;
pub(crate) mod scenes;
pub(crate) mod shades;
pub(crate) mod turns;
pub(crate) mod written;
