//! The order in which to search positions: by index, or at random.

use crate::{Fields, Host, Param, Problem};

/// Whether positions are taken at random.
pub(super) const RANDOM: Param =
    Param::flag("random", "Whether to choose at random instead of in index order.");
/// The seed of random choices.
pub(super) const SEED: Param = Param::number(
    "seed",
    u32::MAX as u64,
    "The seed of the random choices: the same seed gives the same answer. Without it, answers differ.",
);

/// The order in which to search positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Order {
    /// By index.
    ByIndex,
    /// At random, with this seed.
    Random(u64),
    /// At random, with a seed that the host draws.
    Drawn,
}

impl Order {
    pub(super) fn read(fields: &Fields<'_>) -> Result<Order, Problem> {
        match (fields.flag("random"), fields.number::<u32>("seed")?) {
            (Some(false), Some(_)) => Err(Problem::bad("query", "`seed` needs `random=true`")),
            (None | Some(true), Some(seed)) => Ok(Order::Random(seed.into())),
            (Some(true), None) => Ok(Order::Drawn),
            (None | Some(false), None) => Ok(Order::ByIndex),
        }
    }

    pub(super) fn seed(self, host: &dyn Host) -> Option<u64> {
        match self {
            Order::ByIndex => None,
            Order::Random(seed) => Some(seed),
            Order::Drawn => Some(host.seed().into()),
        }
    }

    pub(super) fn repeats(self) -> bool {
        self != Order::Drawn
    }
}
