//! Arrows for a turn: thin and curved for a move, which may go around corners and over other
//! pieces; bold and straight for a push or a capture. Each has an outline in another tone, so that
//! it is visible on every piece.

use retrograde_game::{GridSquare, Mark, Picture};

use super::layout::{Layout, inside};
use crate::style::{Colors, UNIT};
use crate::svg::{self, Num, put};

type Point = (f64, f64);

/// The measurements and colours of an arrow.
struct Pen<'a> {
    shaft: f64,
    head: f64,
    rim: f64,
    color: &'a str,
    edge: &'a str,
}

/// Draws the arrows of moves, then those of pushes.
pub(super) fn draw(out: &mut String, picture: &Picture, layout: &Layout, colors: &Colors, marks: &[Mark]) {
    let ends = |from: GridSquare, to: GridSquare| {
        (inside(picture, from) && inside(picture, to) && from != to)
            .then(|| (layout.center(from), layout.center(to)))
    };
    let thin = Pen { shaft: 5.0, head: 15.0, rim: 2.2, color: colors.arrow, edge: colors.casing };
    for mark in marks {
        let Mark::Move(from, to) = *mark else { continue };
        let Some((from, to)) = ends(from, to) else { continue };
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        // Neighbouring squares need no curve.
        let bend = if length > 1.5 * UNIT { 0.16 } else { 0.0 };
        arrow(out, from, to, bend, &thin);
    }
    let bold = Pen { shaft: 10.0, head: 23.0, rim: 2.6, color: colors.push, edge: colors.push_edge };
    for mark in marks {
        let Mark::Push(from, to) = *mark else { continue };
        let Some((from, to)) = ends(from, to) else { continue };
        arrow(out, from, to, 0.0, &bold);
    }
}

/// Draws an arrow along an arc that deviates to the left from the straight line by `bend` times its length.
fn arrow(out: &mut String, from: Point, to: Point, bend: f64, pen: &Pen<'_>) {
    let (dx, dy) = (to.0 - from.0, to.1 - from.1);
    let control = ((from.0 + to.0) / 2.0 + dy * bend * 2.0, (from.1 + to.1) / 2.0 - dx * bend * 2.0);
    let toward = |from: Point, to: Point| {
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        ((to.0 - from.0) / length, (to.1 - from.1) / length)
    };
    let tip_way = toward(control, to);
    let back = |distance: f64, aside: f64| {
        (to.0 - tip_way.0 * distance - tip_way.1 * aside, to.1 - tip_way.1 * distance + tip_way.0 * aside)
    };
    let end = back(pen.head * 0.8, 0.0);
    let (left, right) = (back(pen.head, -pen.head * 0.55), back(pen.head, pen.head * 0.55));
    let mut shaft = format!("M{} {}", Num(from.0), Num(from.1));
    if bend == 0.0 {
        put!(shaft, "L{} {}", Num(end.0), Num(end.1));
    } else {
        put!(shaft, "Q{} {} {} {}", Num(control.0), Num(control.1), Num(end.0), Num(end.1));
    }
    let [tip, left, right] = [to, left, right].map(|(x, y)| format!("{} {}", Num(x), Num(y)));
    let head = format!("M{tip}L{left}L{right}z");
    for (color, more) in [(pen.edge, 2.0 * pen.rim), (pen.color, 0.0)] {
        svg::stroke(out, color, pen.shaft + more, [""; 2], &shaft);
        svg::fill_and_stroke(out, (color, color), 2.0 + more, &head);
    }
}
