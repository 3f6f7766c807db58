//! Converts SVG to pixels. Memory is bounded by the size of a reasonable picture for any SVG, and
//! files that an SVG refers to are not read.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use crate::{DrawError, Size};

/// The maximum number of pixels per side.
const MAX_SIDE: u32 = 16_384;
/// The maximum number of pixels of a picture; they take 256 MiB of memory.
const MAX_PIXELS: u64 = 64 << 20;

/// Creates a PNG from an SVG.
///
/// # Errors
/// If the text is not an SVG, or the size is 0 or too large.
pub fn png(svg: &str, size: Size) -> Result<Vec<u8>, DrawError> {
    render(&parse(svg)?, size)?.encode_png().map_err(|error| DrawError::Encode(error.to_string()))
}

/// The pixels of a picture.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pixels {
    /// The width in pixels.
    pub width: u32,
    /// The height in pixels.
    pub height: u32,
    /// The red, green and blue of each pixel, row by row from the top: 3 × width × height bytes.
    pub rgb: Vec<u8>,
}

/// Converts an SVG to pixels, with white where it is transparent.
///
/// # Errors
/// The same as [`png`].
pub fn rgb(svg: &str, size: Size) -> Result<Pixels, DrawError> {
    let pixmap = render(&parse(svg)?, size)?;
    // Colours are already multiplied by their opacity, so adds white for the rest.
    let on_white = |[red, green, blue, alpha]: [u8; 4]| {
        [red, green, blue].map(|colour| colour.saturating_add(255 - alpha))
    };
    let (pixels, _) = pixmap.data().as_chunks::<4>();
    let rgb = pixels.iter().copied().flat_map(on_white).collect();
    Ok(Pixels { width: pixmap.width(), height: pixmap.height(), rgb })
}

pub(crate) fn parse(svg: &str) -> Result<Tree, DrawError> {
    Tree::from_str(svg, &Options::default()).map_err(|error| DrawError::Svg(error.to_string()))
}

/// The width and height in pixels, and the pixels per unit.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_are_blended_onto_white_row_by_row() {
        let svg = "<svg xmlns='http://www.w3.org/2000/svg' width='3' height='2'>\
                   <rect x='0' y='0' width='1' height='1' fill='#ff0000'/>\
                   <rect x='2' y='1' width='1' height='1' fill='#000000' fill-opacity='0.5'/></svg>";
        let pixels = rgb(svg, Size::Scale(1.0)).unwrap();
        assert_eq!((pixels.width, pixels.height, pixels.rgb.len()), (3, 2, 18));
        assert_eq!(pixels.rgb[..6], [255, 0, 0, 255, 255, 255]);
        let grey = pixels.rgb[15];
        assert!((126..=129).contains(&grey) && pixels.rgb[15..] == [grey; 3], "{:?}", pixels.rgb);
        assert!(rgb("no picture", Size::Scale(1.0)).is_err());
    }
}
