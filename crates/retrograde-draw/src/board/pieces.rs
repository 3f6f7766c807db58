//! Draws pieces. Equal pieces are one group, so that their colours appear only once.

use retrograde_game::{Piece, PieceShape, Seat};

use crate::style::{Colors, Ink};
use crate::svg::{self, Num, put};

/// A chess pawn around (0, 0), beginning at the left end of its foot.
const PAWN: &str = "h34v-2.5c0-4.5-3-6.8-6.2-8.8c-3.2-2-4.8-5.7-5.2-10.2h2.9a2 2 0 0 0 0-4h-4.6a9 9 0 1 \
                    0-7.8 0h-4.6a2 2 0 0 0 0 4h2.9c-.4 4.5-2 8.2-5.2 10.2c-3.2 2-6.2 4.3-6.2 8.8z";
/// A ring, a stock, a shank and two flukes.
const ANCHOR: &str = "a3.6 3.6 0 1 1 .01 0zm0 0v18.5m-5.5-14h11m-16 6.2c.6 4.9 4.6 7.8 10.5 7.8c5.9 0 \
                      9.9-2.9 10.5-7.8m-2.9 1.3l2.9-1.3l1.4 2.9m-25.2 0l1.4-2.9l2.9 1.3";

fn ink(colors: &Colors, owner: Option<Seat>) -> &Ink {
    match owner {
        Some(Seat::First) => &colors.first,
        Some(Seat::Second) => &colors.second,
        None => &colors.nobody,
    }
}

/// Draws pieces around their centres.
pub(super) fn draw(out: &mut String, pieces: &[(Piece, (f64, f64))], colors: &Colors) {
    for owner in [None, Some(Seat::First), Some(Seat::Second)] {
        for shape in [PieceShape::Cross, PieceShape::Round, PieceShape::Square, PieceShape::Pawn] {
            let alike = |piece: &Piece| piece.owner == owner && piece.shape == shape;
            let found: Vec<_> = pieces.iter().filter(|(piece, _)| alike(piece)).collect();
            if found.is_empty() {
                continue;
            }
            let centers: Vec<(f64, f64)> = found.iter().map(|(_, center)| *center).collect();
            let ink = ink(colors, owner);
            match solid(shape) {
                Some(solid) => solid.draw(out, &centers, owner, colors),
                None => filled(out, &centers, ink, 1.0),
            }
            let anchored = found.iter().filter(|(piece, _)| piece.anchored);
            anchors(out, &anchored.map(|(_, center)| *center).collect::<Vec<_>>(), ink);
        }
    }
}

/// Draws the anchor of a piece, without the piece.
pub(super) fn anchor(out: &mut String, piece: Piece, center: (f64, f64), colors: &Colors) {
    anchors(out, &[center], ink(colors, piece.owner));
}

/// Draws the part of a filled square that the pencil has finished.
pub(super) fn part_filled(out: &mut String, center: (f64, f64), drawn: f64, colors: &Colors) {
    filled(out, &[center], &colors.nobody, drawn);
}

fn anchors(out: &mut String, centers: &[(f64, f64)], ink: &Ink) {
    if centers.is_empty() {
        return;
    }
    let path = all(centers, 0.0, -9.2, ANCHOR);
    for (color, pen) in [(ink.body, 6.5), (ink.detail, 2.8)] {
        svg::stroke(out, color, pen, ["", svg::ROUND], &path);
    }
}

/// One path with a shape at every centre, beginning at the offset (dx, dy).
fn all(centers: &[(f64, f64)], dx: f64, dy: f64, shape: &str) -> String {
    let mut path = String::new();
    for (x, y) in centers {
        put!(path, "M{} {}{shape}", Num(x + dx), Num(y + dy));
    }
    path
}

fn circle(radius: f64) -> String {
    let (r, d) = (Num(radius), Num(2.0 * radius));
    format!("a{r} {r} 0 1 1 {d} 0a{r} {r} 0 1 1-{d} 0z")
}

/// A square with rounded corners, beginning at the left end of its upper side.
fn block(half: f64, corner: f64) -> String {
    let (side, r) = (Num(2.0 * (half - corner)), Num(corner));
    format!(
        "h{side}a{r} {r} 0 0 1 {r} {r}v{side}a{r} {r} 0 0 1-{r} {r}h-{side}a{r} {r} 0 0 1-{r}-{r}v-{side}\
         a{r} {r} 0 0 1 {r}-{r}z"
    )
}

/// A path, and where it begins, relative to the centre of the piece.
type Line = (f64, f64, String);

/// A piece with a body and a shadow below it.
struct Solid {
    body: Line,
    /// The distance of the shadow.
    drop: f64,
    /// The inner line of the first player: only a highlight.
    first: Line,
    /// The inner line of the second player: thin and closed, which gives a double outline.
    second: Line,
}

/// The parts of a shape; `None` if it is filled with a pencil.
fn solid(shape: PieceShape) -> Option<Solid> {
    let text = str::to_owned;
    Some(match shape {
        PieceShape::Cross => return None,
        PieceShape::Round => Solid {
            body: (-21.0, 0.0, circle(21.0)),
            drop: 4.0,
            first: (-14.5, -5.5, text("a15.5 15.5 0 0 1 9-9")),
            second: (-16.0, 0.0, circle(16.0)),
        },
        PieceShape::Square => Solid {
            body: (-15.0, -21.0, block(21.0, 6.0)),
            drop: 4.0,
            first: (-15.5, -5.0, text("v-7.5a3 3 0 0 1 3-3h7.5")),
            second: (-12.5, -16.0, block(16.0, 3.5)),
        },
        PieceShape::Pawn => Solid {
            body: (-17.0, 22.0, text(PAWN)),
            drop: 3.5,
            first: (-4.8, -13.5, text("a5 5 0 0 1 3.4-4")),
            second: (-13.0, 17.0, text("h26m-17.6-30a4.6 4.6 0 1 1 9.2 0a4.6 4.6 0 1 1-9.2 0z")),
        },
    })
}

impl Solid {
    /// Draws the shadows, bodies and inner lines of pieces of one player.
    fn draw(&self, out: &mut String, centers: &[(f64, f64)], owner: Option<Seat>, colors: &Colors) {
        let ink = ink(colors, owner);
        let (dx, dy, shape) = &self.body;
        let shadow = all(centers, *dx, dy + self.drop, shape);
        let (fill, opacity) = (colors.shadow, colors.shadow_opacity);
        put!(*out, "<path fill=\"{fill}\" fill-opacity=\"{opacity}\" d=\"{shadow}\"/>\n");
        svg::fill_and_stroke(out, (ink.body, ink.outline), 3.0, &all(centers, *dx, *dy, shape));
        let ((dx, dy, shape), pen, opacity) = match owner {
            Some(Seat::Second) => (&self.second, 1.8, "stroke-opacity=\".75\" "),
            _ => (&self.first, 2.2, "stroke-opacity=\".45\" "),
        };
        svg::stroke(out, ink.detail, pen, [opacity, ""], &all(centers, *dx, *dy, shape));
    }
}

/// A square filled with a pencil: a tone, and strokes back and forth that differ from square to
/// square. `drawn` is the share of the strokes that is drawn.
fn filled(out: &mut String, centers: &[(f64, f64)], ink: &Ink, drawn: f64) {
    let tone = all(centers, -20.0, -25.0, &block(25.0, 5.0));
    if drawn < 1.0 {
        put!(*out, "<path fill=\"{}\" fill-opacity=\"{}\" d=\"{tone}\"/>\n", ink.body, Num(drawn));
    } else {
        svg::fill(out, ink.body, &tone);
    }
    let mut strokes = String::new();
    for &(x, y) in centers {
        // Eight strokes across the diagonal, slightly irregular as if drawn by hand.
        let mut wobble = (x as u32).wrapping_mul(2_654_435_761).wrapping_add((y as u32).wrapping_mul(40_503));
        let mut shake = || {
            wobble = wobble.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            f64::from(wobble >> 24) / 255.0 * 2.4 - 1.2
        };
        const ENDS: [(f64, f64); 10] = [
            (-19.0, -10.0),
            (-10.0, -19.0),
            (-19.5, 1.0),
            (1.0, -19.5),
            (-19.5, 12.5),
            (12.5, -19.5),
            (-14.5, 19.0),
            (19.0, -14.5),
            (-3.0, 19.5),
            (19.5, -3.0),
        ];
        let ends = ENDS.iter().chain(&[(9.0, 19.0), (19.0, 9.0)]);
        let most = (drawn * (ENDS.len() + 2) as f64).ceil() as usize;
        for (nth, (dx, dy)) in ends.take(most).enumerate() {
            let command = if nth == 0 { "M" } else { "L" };
            put!(strokes, "{command}{} {}", Num((x + dx + shake()).round()), Num((y + dy + shake()).round()));
        }
    }
    svg::stroke(out, ink.detail, 4.5, ["stroke-opacity=\".85\" ", svg::ROUND], &strokes);
}

/// A small disc in a player's colours, next to the side to move.
pub(crate) fn swatch(out: &mut String, seat: Seat, (x, y): (f64, f64), colors: &Colors) {
    let ink = ink(colors, Some(seat));
    put!(
        *out,
        "<circle cx=\"{}\" cy=\"{}\" r=\"9\" fill=\"{}\" stroke=\"{}\" stroke-width=\"2.5\"/>\n",
        Num(x),
        Num(y),
        ink.body,
        ink.outline
    );
    if seat == Seat::Second {
        put!(
            *out,
            "<circle cx=\"{}\" cy=\"{}\" r=\"5.5\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.4\"/>\n",
            Num(x),
            Num(y),
            ink.detail
        );
    }
}
