//! From SVG to pixels. Memory is bounded by the size of a reasonable picture, for any SVG, and
//! files that an SVG refers to are not read.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::{DrawError, Size};

/// The most pixels of a side.
const MAX_SIDE: u32 = 16_384;
/// The most pixels of a picture: 256 MiB of memory.
const MAX_PIXELS: u64 = 64 << 20;

/// Makes a PNG of an SVG.
///
/// # Errors
/// If the text is no SVG, or the size is 0 or larger than anyone can want.
pub fn png(svg: &str, size: Size) -> Result<Vec<u8>, DrawError> {
    render(&parse(svg)?, size)?.encode_png().map_err(|error| DrawError::Encode(error.to_string()))
}

pub(crate) fn parse(svg: &str) -> Result<Tree, DrawError> {
    Tree::from_str(svg, &Options::default()).map_err(|error| DrawError::Svg(error.to_string()))
}

/// Pixels across and down, and pixels a unit.
pub(crate) fn pixels(tree: &Tree, size: Size) -> Result<(u32, u32, f64), DrawError> {
    let (width, height) = (f64::from(tree.size().width()), f64::from(tree.size().height()));
    let scale = match size {
        Size::Scale(scale) => scale,
        Size::Width(pixels) => f64::from(pixels) / width,
    };
    if !(scale.is_finite() && scale > 0.0) {
        return Err(DrawError::Size(match size {
            Size::Scale(scale) => scale,
            Size::Width(pixels) => f64::from(pixels),
        }));
    }
    let (across, down) = ((width * scale).round().max(1.0), (height * scale).round().max(1.0));
    let most = f64::from(MAX_SIDE);
    if across > most || down > most || across * down > MAX_PIXELS as f64 {
        return Err(DrawError::TooLarge {
            width: across,
            height: down,
            most_side: MAX_SIDE,
            most_pixels: MAX_PIXELS,
        });
    }
    Ok((across as u32, down as u32, scale))
}

pub(crate) fn render(tree: &Tree, size: Size) -> Result<Pixmap, DrawError> {
    let (across, down, scale) = pixels(tree, size)?;
    let mut pixmap = Pixmap::new(across, down).ok_or(DrawError::Size(0.0))?;
    resvg::render(tree, Transform::from_scale(scale as f32, scale as f32), &mut pixmap.as_mut());
    Ok(pixmap)
}
