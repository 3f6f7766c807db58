//! One palette for all frames of an animation.
//!
//! Drawn boards have a few flat colours and many intermediate ones at edges. The most common
//! colours are kept exactly, and the others are replaced by a similar one: colours are taken in
//! order of their number of pixels, except those within some distance of a colour already taken.
//! The distance is the smallest with which the palette suffices. Unlike with averaged palettes,
//! nothing flickers.

use std::collections::HashMap;

/// A colour as 0xRRGGBB.
pub(crate) type Rgb = u32;

/// The maximum number of colours of a palette; one more index means "unchanged".
pub(crate) const MAX_COLORS: usize = 255;

/// With more colours than this, as in photographs, similar colours are merged first.
const MAX_UNMERGED: usize = 1 << 13;

/// Counts colours, then chooses the palette.
#[derive(Default)]
pub(crate) struct Counter {
    pixels: HashMap<Rgb, u64>,
}

impl Counter {
    pub(crate) fn add(&mut self, colors: impl Iterator<Item = Rgb>) {
        // Neighbouring pixels mostly have the same colour.
        let mut run = (0, 0);
        for color in colors {
            if color == run.0 {
                run.1 += 1;
            } else {
                if run.1 > 0 {
                    *self.pixels.entry(run.0).or_default() += run.1;
                }
                run = (color, 1);
            }
        }
        if run.1 > 0 {
            *self.pixels.entry(run.0).or_default() += run.1;
        }
    }

    pub(crate) fn palette(self) -> Palette {
        let mut pixels = self.pixels;
        if pixels.len() > MAX_UNMERGED {
            let mut coarse: HashMap<Rgb, u64> = HashMap::new();
            for (color, count) in pixels {
                *coarse.entry(color & 0xf8_f8_f8 | 0x04_04_04).or_default() += count;
            }
            pixels = coarse;
        }
        let mut colors: Vec<(u64, Rgb)> = pixels.into_iter().map(|(color, count)| (count, color)).collect();
        colors.sort_unstable_by(|a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut within = 0;
        let chosen = loop {
            match choose(&colors, within) {
                Some(chosen) => break chosen,
                None => within = (within * 3 / 2).max(2),
            }
        };
        Palette { colors: chosen, known: HashMap::new() }
    }
}

/// Chooses colours, leaving out those within a squared distance of one already chosen; `None` if
/// there are too many.
fn choose(colors: &[(u64, Rgb)], within: u32) -> Option<Vec<Rgb>> {
    let mut chosen: Vec<Rgb> = Vec::new();
    for &(_, color) in colors {
        if chosen.iter().all(|&taken| distance(taken, color) > within) {
            if chosen.len() == MAX_COLORS {
                return None;
            }
            chosen.push(color);
        }
    }
    Some(chosen)
}

/// The squared distance of colours. Green has the greatest weight and blue the least, as for human eyes.
fn distance(a: Rgb, b: Rgb) -> u32 {
    let part = |shift: u32| (a >> shift & 255).abs_diff(b >> shift & 255);
    let (red, green, blue) = (part(16), part(8), part(0));
    (3 * red * red + 6 * green * green + blue * blue) / 10
}

/// The chosen colours.
pub(crate) struct Palette {
    colors: Vec<Rgb>,
    known: HashMap<Rgb, u8>,
}

impl Palette {
    /// The index of the nearest colour.
    pub(crate) fn nearest(&mut self, color: Rgb) -> u8 {
        if let Some(&index) = self.known.get(&color) {
            return index;
        }
        let nearest = (0_u8..).zip(&self.colors).min_by_key(|(_, taken)| distance(**taken, color));
        let index = nearest.map_or(0, |(index, _)| index);
        self.known.insert(color, index);
        index
    }

    /// The red, green and blue of each colour, and of the index [`MAX_COLORS`] for "unchanged".
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let mut bytes: Vec<u8> = self
            .colors
            .iter()
            .flat_map(|color| [(color >> 16) as u8, (color >> 8) as u8, *color as u8])
            .collect();
        bytes.resize(3 * (MAX_COLORS + 1), 0);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_game::Random;

    #[test]
    fn few_colours_are_kept_exactly() {
        let mut counter = Counter::default();
        let colors: Vec<Rgb> = (0..200).map(|n| n * 70_001 % 0x100_0000).collect();
        counter.add(colors.iter().copied());
        let mut palette = counter.palette();
        let bytes = palette.bytes();
        for color in colors {
            let at = usize::from(palette.nearest(color)) * 3;
            assert_eq!(bytes[at..at + 3], color.to_be_bytes()[1..]);
        }
    }

    #[test]
    fn many_colours_fit_and_the_most_common_stay() {
        let mut random = Random::new(3);
        let mut counter = Counter::default();
        counter.add(std::iter::repeat_n(0x12_34_56, 1000));
        counter.add((0..5000).map(|_| (random.bits() & 0xff_ff_ff) as Rgb));
        let mut palette = counter.palette();
        assert!(palette.colors.len() <= MAX_COLORS);
        let nearest = palette.nearest(0x12_34_56);
        assert_eq!(palette.colors[usize::from(nearest)], 0x12_34_56);
        let mut counter = Counter::default();
        counter.add((0..200_000).map(|_| (random.bits() & 0xff_ff_ff) as Rgb));
        assert!(counter.palette().colors.len() <= MAX_COLORS);
        assert_eq!(Counter::default().palette().nearest(7), 0);
    }
}
