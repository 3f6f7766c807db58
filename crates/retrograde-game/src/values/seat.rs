//! The two players.

/// One of the two players.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Seat {
    /// The player who moves first.
    First,
    /// The other one.
    Second,
}

impl Seat {
    /// The other player.
    #[must_use]
    pub fn other(self) -> Seat {
        match self {
            Seat::First => Seat::Second,
            Seat::Second => Seat::First,
        }
    }

    /// The word used in JSON: `first` or `second`.
    pub fn word(self) -> &'static str {
        match self {
            Seat::First => "first",
            Seat::Second => "second",
        }
    }

    /// The name shown to people in every game. Red begins.
    pub fn name(self) -> &'static str {
        match self {
            Seat::First => "Red",
            Seat::Second => "Blue",
        }
    }
}
