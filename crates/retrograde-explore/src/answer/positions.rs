//! Many positions of one question.

/// Positions of one question, one after the other: all by number, by planes or by text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Positions<'a> {
    /// Indices of the game's own numbering.
    Indices(&'a [u64]),
    /// Planes of 0 and 1 as a data set has them, those of one position after those of another: seen
    /// by the side to move, rows from the top.
    Planes(&'a [u8]),
    /// Texts, each seen by the side to move.
    Texts(&'a [String]),
}
