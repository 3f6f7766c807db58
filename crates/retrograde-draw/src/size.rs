//! The size of a picture in pixels.

/// The size of a picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Size {
    /// So many times the size that the SVG gives for itself.
    Scale(f64),
    /// So many pixels across; the height follows.
    Width(u32),
}
