//! The positions that a layout covers.

/// The positions that a layout covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// Every position after the first push.
    All,
    /// Plausible positions, which can have come from a push judging by the pieces around the anchor,
    /// and positions before the first push, with each side's pieces on its half. Turns lead to no
    /// others.
    PlausibleAndStarts,
    /// Only positions that no push can have led to.
    Implausible,
}
