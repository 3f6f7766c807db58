//! The positions that a layout has.

/// The positions that are worked on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Scope {
    /// Every position.
    All,
    /// Every position, and the positions before the first push.
    AllAndStarts,
    /// Only those that can have come from a push, judged by the pieces around the anchor, and those
    /// before the first push: each side has placed its pieces on its half. No turn leads to others.
    PlausibleAndStarts,
    /// Only those that no push can have led to.
    Implausible,
}
