//! The choice between the two ways to find losses.

/// The way to find losses.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Strategy {
    /// By looking at a position again whenever its witness, one successor that was not won for the
    /// opponent, turns out to be. A look ends at the first successor that can be the next witness.
    /// Best where wins are many, so that most positions are never looked at in full.
    #[default]
    Recheck,
    /// By counting the successors that are not won for the opponent, and counting down along the
    /// predecessors of wins. Every turn is looked at once in each direction. Needs predecessors;
    /// without them it is [`Strategy::Recheck`].
    Counters,
}
