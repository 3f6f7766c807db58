//! Animated GIFs: one palette for all frames, and for each frame only the pixels that have changed.
//!
//! Frames are drawn twice, once for the palette and once for the pixels, so that a long game only
//! needs memory for two frames. Frames that pass quickly are drawn once and not used for the
//! palette.

use std::borrow::Cow;
use std::time::Duration;

use gif::{DisposalMethod, Encoder, Frame, Repeat};
use resvg::usvg::Tree;

use crate::palette::{Counter, MAX_COLORS, Palette, Rgb};
use crate::raster::{parse, pixels, render};
use crate::{DrawError, Size};

/// The maximum number of pixels in all frames.
const MAX_PIXELS: u64 = 1 << 30;
/// Frames shorter than this use the colours of the others.
const QUICK: Duration = Duration::from_millis(100);

/// Creates an animated GIF from SVGs, `width` pixels wide, that repeats forever.
///
/// Each frame is shown for its duration, rounded to hundredths of a second, the unit of the format. If
/// heights differ, lower frames are placed at the top of a picture with the greatest height.
///
/// # Errors
/// If there are no frames, a frame is not an SVG, or the size is 0 or too large.
pub fn gif<S: AsRef<str>>(frames: &[(S, Duration)], width: u32) -> Result<Vec<u8>, DrawError> {
    let mut across = 0;
    let mut down = 0;
    for (svg, _) in frames {
        let (w, h, _) = pixels(&parse(svg.as_ref())?, Size::Width(width))?;
        (across, down) = (across.max(w), down.max(h));
    }
    if frames.is_empty() {
        return Err(DrawError::NoFrames);
    }
    let too_long = DrawError::TooLong { frames: frames.len(), width: across, height: down, most: MAX_PIXELS };
    if u64::from(across) * u64::from(down) * frames.len() as u64 > MAX_PIXELS {
        return Err(too_long);
    }
    let (Ok(across), Ok(down)) = (u16::try_from(across), u16::try_from(down)) else { return Err(too_long) };
    let canvas = Canvas { across, down };

    let mut counter = Counter::default();
    let counted = if frames.iter().any(|(_, time)| *time >= QUICK) { QUICK } else { Duration::ZERO };
    for (svg, _) in frames.iter().filter(|(_, duration)| *duration >= counted) {
        counter.add(canvas.colors(&parse(svg.as_ref())?, width)?.into_iter());
    }
    let mut palette = counter.palette();

    let mut out = Vec::new();
    let refused = |error: gif::EncodingError| DrawError::Encode(error.to_string());
    let mut encoder = Encoder::new(&mut out, across, down, &palette.bytes()).map_err(refused)?;
    encoder.set_repeat(Repeat::Infinite).map_err(refused)?;
    let mut shown: Option<Vec<u8>> = None;
    for (svg, duration) in frames {
        let next = canvas.indices(&parse(svg.as_ref())?, width, &mut palette)?;
        let hundredths = duration.as_millis() / 10;
        let mut frame = canvas.changes(shown.as_deref(), &next);
        frame.delay = u16::try_from(hundredths).unwrap_or(u16::MAX);
        frame.dispose = DisposalMethod::Keep;
        encoder.write_frame(&frame).map_err(refused)?;
        shown = Some(next);
    }
    drop(encoder);
    Ok(out)
}

struct Canvas {
    across: u16,
    down: u16,
}

impl Canvas {
    /// The colours of a frame on white, extended at the bottom with the colour of its lower left corner.
    fn colors(&self, tree: &Tree, width: u32) -> Result<Vec<Rgb>, DrawError> {
        let pixmap = render(tree, Size::Width(width))?;
        let over_white = |part: u8, alpha: u8| u32::from(part) + u32::from(255 - alpha);
        let mut colors: Vec<Rgb> = pixmap
            .pixels()
            .iter()
            .map(|p| {
                let a = p.alpha();
                over_white(p.red(), a) << 16 | over_white(p.green(), a) << 8 | over_white(p.blue(), a)
            })
            .collect();
        let corner = colors.get(colors.len().saturating_sub(usize::from(self.across))).copied();
        colors.resize(usize::from(self.across) * usize::from(self.down), corner.unwrap_or(0xff_ff_ff));
        Ok(colors)
    }

    fn indices(&self, tree: &Tree, width: u32, palette: &mut Palette) -> Result<Vec<u8>, DrawError> {
        let mut last = (0, palette.nearest(0));
        Ok(self
            .colors(tree, width)?
            .into_iter()
            .map(|color| {
                if color != last.0 {
                    last = (color, palette.nearest(color));
                }
                last.1
            })
            .collect())
    }

    /// The smallest rectangle that contains all changes; unchanged pixels in it are transparent.
    fn changes(&self, shown: Option<&[u8]>, next: &[u8]) -> Frame<'static> {
        let across = usize::from(self.across);
        let Some(shown) = shown else {
            return Frame {
                width: self.across,
                height: self.down,
                buffer: Cow::Owned(next.to_vec()),
                ..Frame::default()
            };
        };
        let (mut left, mut right, mut top, mut bottom) = (across, 0, usize::MAX, 0);
        for (row, (old, new)) in shown.chunks(across).zip(next.chunks(across)).enumerate() {
            let differs = |(old, new): (&u8, &u8)| old != new;
            if let Some(first) = old.iter().zip(new).position(differs) {
                let last = old.iter().zip(new).rposition(differs).unwrap_or(first);
                (left, right) = (left.min(first), right.max(last));
                (top, bottom) = (top.min(row), row);
            }
        }
        if top == usize::MAX {
            // Nothing has changed: one pixel, to keep the duration.
            (left, right, top, bottom) = (0, 0, 0, 0);
        }
        let mut buffer = Vec::with_capacity((right - left + 1) * (bottom - top + 1));
        for row in top..=bottom {
            for at in row * across + left..=row * across + right {
                buffer.push(if shown[at] == next[at] { MAX_COLORS as u8 } else { next[at] });
            }
        }
        // The numbers fit, because the canvas does.
        Frame {
            left: left as u16,
            top: top as u16,
            width: (right - left + 1) as u16,
            height: (bottom - top + 1) as u16,
            transparent: Some(MAX_COLORS as u8),
            buffer: Cow::Owned(buffer),
            ..Frame::default()
        }
    }
}
