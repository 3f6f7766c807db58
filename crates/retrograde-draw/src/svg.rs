//! The parts of SVG that boards and plots need: numbers with few decimals, escaped text, the frame
//! of a document. The output depends only on the input, byte by byte, so pictures can be kept under
//! version control. It contains no ids, so one page can contain any number of pictures.

use std::fmt::{self, Write};

/// A number for SVG, rounded to hundredths, without unnecessary characters.
#[derive(Clone, Copy)]
pub(crate) struct Num(pub f64);

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hundredths = (self.0 * 100.0).round() as i64;
        if hundredths < 0 {
            f.write_str("-")?;
        }
        let (whole, rest) = (hundredths.unsigned_abs() / 100, hundredths.unsigned_abs() % 100);
        if whole > 0 || rest == 0 {
            write!(f, "{whole}")?;
        }
        match rest {
            0 => Ok(()),
            rest if rest % 10 == 0 => write!(f, ".{}", rest / 10),
            rest => write!(f, ".{rest:02}"),
        }
    }
}

/// Appends a formatted string. Writing to a `String` cannot fail.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {{
        let _ = std::fmt::Write::write_fmt(&mut $out, format_args!($($arg)*));
    }};
}
pub(crate) use put;

/// Text as the content of an element: escapes markup and drops characters that XML forbids.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() && !matches!(c, '\t' | '\n') => {}
            c => out.push(c),
        }
    }
    out
}

/// The attribute for round joints in [`stroke`].
pub(crate) const ROUND: &str = "stroke-linejoin=\"round\" ";

/// Appends a filled path.
pub(crate) fn fill(out: &mut String, color: &str, path: &str) {
    put!(*out, "<path fill=\"{color}\" d=\"{path}\"/>\n");
}

/// Appends a filled path with a border of this width and round corners.
pub(crate) fn fill_and_stroke(out: &mut String, (color, border): (&str, &str), width: f64, path: &str) {
    put!(
        *out,
        "<path fill=\"{color}\" stroke=\"{border}\" stroke-width=\"{}\" stroke-linejoin=\"round\" \
         d=\"{path}\"/>\n",
        Num(width)
    );
}

/// Appends lines of this width with round ends. `more` are further attributes, each followed by a space.
pub(crate) fn stroke(out: &mut String, color: &str, width: f64, more: [&str; 2], path: &str) {
    let [opacity, join] = more;
    put!(
        *out,
        "<path fill=\"none\" stroke=\"{color}\" stroke-width=\"{}\" {opacity}stroke-linecap=\"round\" \
         {join}d=\"{path}\"/>\n",
        Num(width)
    );
}

/// Appends a rectangle of the whole document, for its background.
pub(crate) fn background(out: &mut String, color: &str, width: f64, height: f64) {
    fill(out, color, &format!("M0 0h{}v{}H0z", Num(width), Num(height)));
}

/// Opens a document of `width` × `height` units, where a unit is `scale` pixels, or millimetres if
/// `measure` is `mm`.
pub(crate) fn open(
    (width, height): (f64, f64),
    (scale, measure): (f64, &str),
    title: &str,
    description: &str,
) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{}{measure}\" height=\"{}{measure}\" viewBox=\"0 0 {} {}\" \
         role=\"img\">\n<title>{}</title>\n<desc>{}</desc>",
        Num(width * scale),
        Num(height * scale),
        Num(width),
        Num(height),
        escaped(title),
        escaped(description),
    );
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [
            (0.0, "0"),
            (-0.001, "0"),
            (1.5, "1.5"),
            (-0.25, "-.25"),
            (12.004, "12"),
            (0.07, ".07"),
            (-3.999, "-4"),
        ] {
            assert_eq!(Num(number).to_string(), text);
        }
        assert!(!Num(f64::NAN).to_string().is_empty());
    }

    #[test]
    fn markup_and_control_characters_are_escaped() {
        assert_eq!(escaped("a<b & c>\u{0}\u{1b}d\u{ffff}"), "a&lt;b &amp; c&gt;d");
    }
}
