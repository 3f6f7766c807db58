//! Errors when converting a drawing to pixels. Drawing as SVG or text cannot fail.

/// The reason why a PNG or GIF cannot be created.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The text is not a valid SVG.
    #[error("this is not a valid SVG: {0}")]
    Svg(String),
    /// A side would have no pixels, or the size is not a number.
    #[error("the size of a picture must be above 0, not {0}")]
    Size(f64),
    /// The picture has too many pixels.
    #[error(
        "a picture of {width} x {height} pixels is too large: at most {most_side} per side and {most_pixels} \
         in total; choose a smaller width"
    )]
    TooLarge {
        /// The requested width in pixels.
        width: f64,
        /// The resulting height in pixels.
        height: f64,
        /// The maximum number of pixels per side.
        most_side: u32,
        /// The maximum number of pixels in total.
        most_pixels: u64,
    },
    /// The animation has too many pixels in all its frames.
    #[error(
        "an animation of {frames} frames of {width} x {height} pixels is too large: at most {most} pixels \
         in total; choose a smaller width or fewer turns"
    )]
    TooLong {
        /// The number of frames.
        frames: usize,
        /// The width in pixels.
        width: u32,
        /// The height in pixels.
        height: u32,
        /// The maximum pixels in all frames.
        most: u64,
    },
    /// The animation has no frames.
    #[error("an animation needs at least one frame")]
    NoFrames,
    /// This program can only draw SVG.
    #[error(
        "this program can only draw .svg: {format} needs the feature `pictures` of the crate retrograde \
         (`raster` of retrograde-draw)"
    )]
    VectorOnly {
        /// The extension of the requested format.
        format: &'static str,
    },
    /// The encoder failed.
    #[error("the picture cannot be written: {0}")]
    Encode(String),
}
