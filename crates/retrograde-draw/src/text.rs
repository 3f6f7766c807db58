//! Drawings in characters, for the terminal: a board with its coordinates and rails, and a
//! histogram. Colours are ANSI escapes and only used on request; no information depends on colour
//! alone. Outcomes have the same hues as in plots and on the page: wins are green, losses purple,
//! draws grey.

mod board;
mod boxes;
mod histogram;

pub use board::board;
pub use histogram::histogram;
use retrograde_game::Outcome;

/// A text in the colour of an outcome.
pub fn outcome(outcome: Outcome, text: &str, color: bool) -> String {
    let ink = match outcome {
        Outcome::Win => WIN,
        Outcome::Loss => LOSS,
        Outcome::Draw => DRAW,
    };
    let mut out = String::new();
    Paint { on: color }.put(&mut out, &[ink], text);
    out
}

/// An ANSI escape, or nothing.
#[derive(Clone, Copy)]
struct Paint {
    on: bool,
}

const FIRST: &str = "1;38;5;209";
const SECOND: &str = "1;38;5;117";
const NEUTRAL: &str = "1";
const FAINT: &str = "2";
const BOLD: &str = "1";
const MARKED: &str = "48;5;58";
const WIN: &str = "38;5;71";
const LOSS: &str = "38;5;133";
const DRAW: &str = "38;5;245";

impl Paint {
    /// Appends a text in a colour. The parts of a colour are joined by `;`.
    fn put(self, out: &mut String, colors: &[&str], text: &str) {
        let colors: Vec<&str> = colors.iter().copied().filter(|color| !color.is_empty()).collect();
        if self.on && !colors.is_empty() && !text.is_empty() {
            out.push_str("\x1b[");
            out.push_str(&colors.join(";"));
            out.push('m');
            out.push_str(text);
            out.push_str("\x1b[0m");
        } else {
            out.push_str(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::style::Theme;

    /// The hue of a colour in degrees, and its intensity from 0 to 255.
    fn hue([red, green, blue]: [u8; 3]) -> (f64, u8) {
        let [red, green, blue] = [red, green, blue].map(f64::from);
        let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
        let span = (most - least).max(1.0);
        let sixths = if most == red {
            (green - blue) / span
        } else if most == green {
            2.0 + (blue - red) / span
        } else {
            4.0 + (red - green) / span
        };
        ((sixths * 60.0).rem_euclid(360.0), (most - least) as u8)
    }

    fn of_hex(hex: &str) -> [u8; 3] {
        let digits = hex.trim().trim_start_matches('#');
        [0, 2, 4].map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap())
    }

    /// A colour of the terminal's cube of 6 × 6 × 6 colours, or of its greys.
    fn of_escape(escape: &str) -> [u8; 3] {
        let number: u8 = escape.strip_prefix("38;5;").unwrap().parse().unwrap();
        if number >= 232 {
            return [8 + 10 * (number - 232); 3];
        }
        let cube = number - 16;
        [cube / 36, cube / 6 % 6, cube % 6].map(|step| if step == 0 { 0 } else { 55 + 40 * step })
    }

    #[test]
    fn outcomes_have_the_colours_of_the_page() {
        let css = include_str!("../../../web/src/app.css");
        let [light, dark] = [Theme::Light.colors(), Theme::Dark.colors()];
        for (name, escape, plot) in [
            ("--win:", WIN, [light.win, dark.win]),
            ("--loss:", LOSS, [light.loss, dark.loss]),
            ("--draw:", DRAW, [light.draw, dark.draw]),
        ] {
            let (_, pair) = css.split_once(name).unwrap().1.split_once("light-dark(").unwrap();
            let pair: Vec<&str> = pair.split(')').next().unwrap().split(',').map(str::trim).collect();
            assert_eq!(pair, plot, "{name} of plots");
            let (terminal, strength) = hue(of_escape(escape));
            for color in pair {
                let (page, of_page) = hue(of_hex(color));
                let away = (terminal - page).abs();
                let alike = away.min(360.0 - away) < 30.0 && strength > 40 && of_page > 40;
                let grey = strength < 20 && of_page < 20;
                assert!(alike || grey, "{name} {color} has the hue {page}, the terminal {terminal}");
            }
        }
    }
}
