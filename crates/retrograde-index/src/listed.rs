//! Numbers positions by a list of all of them.

/// Numbers the positions of a list in ascending order. It suits games with up to a few million
/// positions.
///
/// ```
/// use retrograde_game::Ranking;
/// use retrograde_index::Listed;
///
/// let numbering = Listed::new(["loss", "draw", "win", "draw"]);
/// assert_eq!(numbering.number_count(), 3);
/// assert_eq!(numbering.number_of(&"loss"), Some(1));
/// assert_eq!(numbering.position_at(2), Some("win"));
/// assert_eq!(numbering.number_of(&"unknown"), None);
/// ```
#[derive(Clone, Debug)]
pub struct Listed<P>(pub(crate) Vec<P>);

impl<P: Ord> Listed<P> {
    /// Numbers these positions, each once even if it is repeated.
    pub fn new(positions: impl IntoIterator<Item = P>) -> Listed<P> {
        let mut positions: Vec<P> = positions.into_iter().collect();
        positions.sort_unstable();
        positions.dedup();
        Listed(positions)
    }

    /// The number of positions.
    pub fn count(&self) -> u64 {
        self.0.len() as u64
    }
}
