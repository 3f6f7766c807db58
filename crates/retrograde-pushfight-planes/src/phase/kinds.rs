//! Kinds of phases.

use crate::layout::sparse::Cells;

/// What a phase is about.
#[derive(Clone, Copy)]
pub(crate) enum Phase<'a, const W: usize> {
    /// What is there at all, and not won in one turn by ejecting a piece.
    Begin,
    /// What of it has no turn at all.
    Stuck,
    /// What is undecided, and has no way to what is in a plane: that of the undecided ones.
    /// With the newest wins, only what has a way to them can be new. (A way to a position that was found lost has made
    /// a position a win since.)
    Losses(&'a [Cells<W>], Newest<'a, W>),
    /// What is undecided, and has a way to what is in a plane: that of the newest losses.
    Wins(&'a [Cells<W>]),
}

/// What a phase is called.
pub(crate) fn phase_name(turns: u16) -> String {
    let how = if turns.is_multiple_of(2) { "lost" } else { "won" };
    format!("{how} in {turns} turns")
}

/// The newest wins, which are what has changed for [`Phase::Losses`].
#[derive(Clone, Copy)]
pub(crate) enum Newest<'a, const W: usize> {
    /// So many that nothing can be left out, or not known.
    Most,
    /// Blocks are left out that have no push into them.
    Many(&'a [Cells<W>]),
    /// Blocks are looked at position by position; see [`crate::phase::sparse_losses`].
    Few(&'a [Cells<W>]),
}

/// What a phase found in a superblock.
pub(crate) struct Found<const W: usize> {
    pub cells: Cells<W>,
    /// Positions in it.
    pub count: u64,
    /// In [`Phase::Begin`]: the others, which are won.
    pub won: u64,
}
