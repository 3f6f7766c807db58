//! The size of a picture in pixels.

/// The size of a picture.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Size {
    /// A multiple of the size that the SVG specifies.
    Scale(f64),
    /// A width in pixels; the height follows.
    Width(u32),
}
