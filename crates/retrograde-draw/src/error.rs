//! Errors of turning a drawing into pixels. Drawing as SVG or text cannot fail.

/// The reason why there is no PNG or GIF.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The text is no SVG that can be drawn.
    #[error("this is no SVG that can be drawn: {0}")]
    Svg(String),
    /// A side would have no pixels, or the size is not a number.
    #[error("a picture needs a size above 0, found {0}")]
    Size(f64),
    /// More pixels than anyone can want.
    #[error(
        "a picture of {width} x {height} pixels is too large: at most {most_side} a side and {most_pixels} \
         in all; choose a smaller width"
    )]
    TooLarge {
        /// Pixels across, as asked for.
        width: f64,
        /// Pixels down, as it follows.
        height: f64,
        /// The most pixels of a side.
        most_side: u32,
        /// The most pixels in all.
        most_pixels: u64,
    },
    /// An animation with more pixels in all its frames than anyone can want.
    #[error(
        "an animation of {frames} frames of {width} x {height} pixels is too large: at most {most} pixels \
         in all; choose a smaller width or fewer turns"
    )]
    TooLong {
        /// Frames given.
        frames: usize,
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// The most pixels in all frames together.
        most: u64,
    },
    /// An animation without frames.
    #[error("an animation needs at least one frame")]
    NoFrames,
    /// This program draws SVG alone.
    #[error(
        "this program draws .svg alone: {format} needs the feature `pictures` of the crate retrograde \
         (`raster` of retrograde-draw)"
    )]
    VectorOnly {
        /// The ending of the format that was asked for.
        format: &'static str,
    },
    /// The encoder refused.
    #[error("the picture cannot be written: {0}")]
    Encode(String),
}
