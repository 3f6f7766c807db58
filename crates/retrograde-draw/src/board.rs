//! Draws a board as SVG: tiles, rails, coordinates, pieces, the marks of a turn, the side to move
//! and a caption. Animations also show moving pieces and pieces off the board.
//!
//! A square is 60 units wide and everything else is relative to it, so the requested size only
//! changes the width and height of the document. Squares and lines of one colour share a path, so a
//! board of 60 × 60 is small enough for a page.

mod arrows;
pub(crate) mod layout;
pub(crate) mod moving;
pub(crate) mod pieces;

use std::collections::BTreeSet;

use retrograde_game::{GridSquare, Mark, Picture, Piece, Seat};

use crate::board::layout::{Layout, inside, line_of};
use crate::board::moving::{Moving, TRAY, captured};
use crate::letters::{self, Align, Text};
use crate::style::{Colors, UNIT};
use crate::svg::{self, Num, put};
use crate::{BoardStyle, Words};

/// The margin around the drawing.
pub(crate) const MARGIN: f64 = 16.0;
/// The space for rails and the frame.
const RIM: f64 = 10.0;
const LABEL_SIZE: f64 = 13.5;
const CAPTION_SIZE: f64 = 14.5;
const LINE: f64 = 28.0;
/// The minimum width of a caption, for small boards.
const MIN_WIDTH: f64 = 4.75 * UNIT;
/// Boards with longer sides have coordinates at both ends.
const BOTH_ENDS: u16 = 12;

/// The squares of a picture with their pieces. Tolerates a list that is too short or too long for the grid.
pub(crate) fn squares(picture: &Picture) -> impl Iterator<Item = (GridSquare, Option<Piece>)> + '_ {
    let columns = usize::from(picture.columns).max(1);
    let most = usize::from(picture.columns) * usize::from(picture.rows);
    picture.squares.iter().take(most).enumerate().filter_map(move |(index, square)| {
        let place = GridSquare { column: (index % columns) as u16, row: (index / columns) as u16 };
        square.map(|piece| (place, piece))
    })
}

/// Whether the board has a square at a place.
pub(crate) fn exists(picture: &Picture, place: GridSquare) -> bool {
    place.column < picture.columns
        && place.row < picture.rows
        && matches!(
            picture
                .squares
                .get(usize::from(place.row) * usize::from(picture.columns) + usize::from(place.column)),
            Some(Some(_))
        )
}

/// A drawn board without words, beginning at the upper left corner: its elements and its size in units.
pub(crate) struct Drawn {
    pub body: String,
    pub width: f64,
    pub height: f64,
}

/// The drawings over and under the pieces of a board.
#[derive(Clone, Copy, Default)]
pub(crate) struct Overlay<'a> {
    /// The marks of a turn.
    pub marks: &'a [Mark],
    /// The marks of the previous turn, whose squares are tinted.
    pub last: &'a [Mark],
    /// Moving pieces.
    pub moving: &'a [Moving],
    /// Whether to leave space for the pieces that have left the board.
    pub tray: bool,
}

impl<'a> Overlay<'a> {
    /// Only the marks of a turn.
    pub(crate) fn marks(marks: &'a [Mark]) -> Overlay<'a> {
        Overlay { marks, ..Overlay::default() }
    }
}

/// Draws a board without words, centred in at least `least` units.
pub(crate) fn drawn(picture: &Picture, style: &BoardStyle, overlay: &Overlay<'_>, least: f64) -> Drawn {
    let marks = overlay.marks;
    let colors = style.theme.colors();
    let label_room = |both: bool, end: bool, room: f64| {
        if style.coordinates && (both || end) { room } else { 0.0 }
    };
    let digits = letters::width(&picture.rows.to_string(), LABEL_SIZE);
    let both_rows = picture.rows > BOTH_ENDS;
    let both_columns = picture.columns > BOTH_ENDS;
    let left_room = MARGIN + RIM + label_room(both_rows, true, digits + 9.0);
    let right_room = MARGIN + RIM + label_room(both_rows, false, digits + 9.0);
    let top = MARGIN + RIM + label_room(both_columns, false, LABEL_SIZE + 11.0);
    let board_width = UNIT * f64::from(picture.columns);
    let board_height = UNIT * f64::from(picture.rows);
    let width = (left_room + board_width + right_room).max(least);
    // A board narrower than its caption is centred.
    let layout = Layout { left: left_room + (width - left_room - board_width - right_room) / 2.0, top };
    let mut height = top + board_height + RIM + label_room(both_columns, true, LABEL_SIZE + 11.0);

    let mut body = String::new();
    draw_tiles(&mut body, picture, &layout, colors);
    draw_rails(&mut body, picture, &layout, colors);
    if style.coordinates {
        draw_coordinates(&mut body, picture, &layout, colors, digits);
    }
    tint(&mut body, picture, &layout, colors, overlay.last);
    draw_highlights(&mut body, picture, &layout, colors, marks);
    let standing: Vec<_> = squares(picture)
        .filter_map(|(place, piece)| piece.map(|piece| (piece, layout.center(place))))
        .collect();
    pieces::draw(&mut body, &standing, colors);
    arrows::draw(&mut body, picture, &layout, colors, marks);
    if overlay.tray {
        height = height.max(top + board_height + UNIT * TRAY.1);
        moving::draw(&mut body, &captured(picture), &layout, colors);
    }
    moving::draw(&mut body, overlay.moving, &layout, colors);
    Drawn { body, width, height }
}

/// Draws a board with the marks of a turn over it.
///
/// Ignores marks outside the grid. The same input gives the same text on every machine.
pub fn svg(picture: &Picture, style: &BoardStyle, marks: &[Mark], words: &Words) -> String {
    svg_with(picture, style, &Overlay::marks(marks), words)
}

/// Draws a board with an overlay.
pub(crate) fn svg_with(
    picture: &Picture,
    style: &BoardStyle,
    overlay: &Overlay<'_>,
    words: &Words,
) -> String {
    let colors = style.theme.colors();
    let Drawn { mut body, width, mut height } = drawn(picture, style, overlay, MIN_WIDTH);
    draw_words(&mut body, picture, style, words, width, &mut height);
    height += MARGIN;

    let title = words.title.as_deref().unwrap_or("A board");
    let described;
    let description = match &words.description {
        Some(description) => description,
        None => {
            described = describe(picture);
            &described
        }
    };
    let mut out = svg::open((width, height), (style.scale(), ""), title, description);
    if style.background {
        svg::background(&mut out, colors.page, width, height);
    }
    out.push_str(&body);
    out.push_str("</svg>\n");
    out
}

/// Draws the frame, and one path for the tiles of each tone. A wide stroke with round joins rounds
/// the corners.
fn draw_tiles(out: &mut String, picture: &Picture, layout: &Layout, colors: &Colors) {
    let mut frame = String::new();
    let mut tiles = [Vec::new(), Vec::new()];
    for (place, _) in squares(picture) {
        let (x, y) = layout.corner(place);
        tiles[usize::from(place.row % 2 != place.column % 2)].push(place);
        // Draws the frame one run of squares at a time.
        if place.column == 0 || !exists(picture, GridSquare { column: place.column - 1, ..place }) {
            let mut run = 1;
            while exists(picture, GridSquare { column: place.column.saturating_add(run), ..place }) {
                run += 1;
            }
            put!(frame, "M{} {}h{run}v60H{}z", Num(x), Num(y), Num(x), run = Num(UNIT * f64::from(run)));
        }
    }
    if frame.is_empty() {
        return;
    }
    svg::fill_and_stroke(out, (colors.frame, colors.frame), 7.0, &frame);
    for (tone, tiles) in colors.tiles.iter().zip(tiles) {
        draw_squares(out, layout, tiles.into_iter(), 3.0, (tone, tone));
    }
}

/// Draws rails as bars. Adjacent rails in a line are one bar. A bar at the edge of the board is
/// outside it; a bar between two squares is on the line between them.
fn draw_rails(out: &mut String, picture: &Picture, layout: &Layout, colors: &Colors) {
    // Horizontal or vertical, the line (in half bars off the grid), and the place along the line.
    let mut segments = BTreeSet::new();
    for rail in picture.rails.iter().filter(|rail| inside(picture, rail.place)) {
        let (across, line, along) = line_of(rail);
        let at = |line: Option<u16>| {
            line.is_some_and(|line| {
                let place = if across {
                    GridSquare { column: along, row: line }
                } else {
                    GridSquare { column: line, row: along }
                };
                exists(picture, place)
            })
        };
        let outward = match (at(line.checked_sub(1)), at(Some(line))) {
            (false, true) => -1,
            (true, false) => 1,
            _ => 0,
        };
        segments.insert((across, line, outward, along));
    }
    let mut bars = String::new();
    let mut segments = segments.into_iter().peekable();
    while let Some((across, line, outward, along)) = segments.next() {
        let mut end = along;
        while segments.next_if_eq(&(across, line, outward, end + 1)).is_some() {
            end += 1;
        }
        let line = UNIT * f64::from(line) + 5.5 * f64::from(outward);
        let (from, length) =
            (UNIT * f64::from(along) + 1.0, UNIT * (f64::from(end) - f64::from(along) + 1.0) - 2.0);
        if across {
            put!(bars, "M{} {}h{}", Num(layout.left + from), Num(layout.top + line), Num(length));
        } else {
            put!(bars, "M{} {}v{}", Num(layout.left + line), Num(layout.top + from), Num(length));
        }
    }
    if !bars.is_empty() {
        for (color, pen) in [(colors.rail, 10.0), (colors.rail_shine, 2.2)] {
            svg::stroke(out, color, pen, [""; 2], &bars);
        }
    }
}

fn draw_coordinates(out: &mut String, picture: &Picture, layout: &Layout, colors: &Colors, digits: f64) {
    let color = colors.faint_text;
    let right = layout.left + UNIT * f64::from(picture.columns) + RIM + 7.0 + digits;
    for row in 0..picture.rows {
        let label = picture.row_label(row);
        let y = layout.top + UNIT * (f64::from(row) + 0.5) + LABEL_SIZE / 2.0;
        let text = Text::new(&label, layout.left - RIM - 7.0, y, LABEL_SIZE, color).align(Align::Right);
        text.draw(out);
        if picture.rows > BOTH_ENDS {
            Text { x: right, ..text }.draw(out);
        }
    }
    let bottom = layout.top + UNIT * f64::from(picture.rows) + RIM + 7.0 + LABEL_SIZE;
    for column in 0..picture.columns {
        let label = Picture::column_label(column);
        let x = layout.left + UNIT * (f64::from(column) + 0.5);
        let text = Text::new(&label, x, bottom, LABEL_SIZE, color).align(Align::Middle);
        text.draw(out);
        if picture.columns > BOTH_ENDS {
            Text { y: layout.top - RIM - 7.0, ..text }.draw(out);
        }
    }
}

/// Tints the squares of the last turn.
fn tint(out: &mut String, picture: &Picture, layout: &Layout, colors: &Colors, last: &[Mark]) {
    let places: BTreeSet<GridSquare> = last
        .iter()
        .flat_map(|mark| match mark {
            Mark::Move(from, to) | Mark::Push(from, to) => vec![*from, *to],
            Mark::Fill(places) => places.clone(),
        })
        .filter(|&place| exists(picture, place))
        .collect();
    draw_squares(out, layout, places.into_iter(), 3.0, (colors.last, colors.last));
}

/// Draws the squares of [`Mark::Fill`], under the pieces.
fn draw_highlights(out: &mut String, picture: &Picture, layout: &Layout, colors: &Colors, marks: &[Mark]) {
    let filled = marks.iter().flat_map(|mark| match mark {
        Mark::Fill(places) => &places[..],
        _ => &[],
    });
    let places = filled.copied().filter(|&place| inside(picture, place));
    draw_squares(out, layout, places, 5.0, (colors.highlight, colors.highlight_edge));
}

/// Draws squares as one path. Each is smaller than a tile, by `inset` on every side.
fn draw_squares(
    out: &mut String,
    layout: &Layout,
    places: impl Iterator<Item = GridSquare>,
    inset: f64,
    colors: (&str, &str),
) {
    let mut path = String::new();
    for place in places {
        let ((x, y), side) = (layout.corner(place), Num(UNIT - 2.0 * inset));
        put!(path, "M{} {}h{side}v{side}h-{side}z", Num(x + inset), Num(y + inset));
    }
    if !path.is_empty() {
        svg::fill_and_stroke(out, colors, 4.0, &path);
    }
}

/// Draws the side to move and the caption below the board.
fn draw_words(
    out: &mut String,
    picture: &Picture,
    style: &BoardStyle,
    words: &Words,
    width: f64,
    height: &mut f64,
) {
    let colors = style.theme.colors();
    let most = width - 2.0 * MARGIN;
    let mut used = 0.0;
    if style.turn_marker {
        *height += LINE;
        let y = *height - CAPTION_SIZE / 2.0;
        pieces::swatch(out, picture.to_move, (MARGIN + 10.0, y), colors);
        let text = format!("{} to move", color_name(picture.to_move));
        Text::new(&text, MARGIN + 28.0, *height, CAPTION_SIZE, colors.text).draw(out);
        used = 28.0 + letters::width(&text, CAPTION_SIZE) + 24.0;
    }
    let Some(caption) = &words.caption else { return };
    if style.turn_marker && letters::width(caption, CAPTION_SIZE) <= most - used {
        // There is enough space next to the marker.
        Text::new(caption.trim(), width - MARGIN, *height, CAPTION_SIZE, colors.faint_text)
            .align(Align::Right)
            .draw(out);
        return;
    }
    for line in letters::wrapped(caption, CAPTION_SIZE, most) {
        *height += LINE;
        Text::new(&line, MARGIN, *height, CAPTION_SIZE, colors.faint_text).draw(out);
    }
}

fn color_name(seat: Seat) -> &'static str {
    match seat {
        Seat::First => "Red",
        Seat::Second => "Blue",
    }
}

/// Describes the board in words, for screen readers.
fn describe(picture: &Picture) -> String {
    /// Longer lists are summarised.
    const MAX_LISTED: usize = 40;
    let mut text = format!(
        "{} columns, {} rows; {} to move.",
        picture.columns,
        picture.rows,
        color_name(picture.to_move)
    );
    for (owner, name) in [(Some(Seat::First), "Red"), (Some(Seat::Second), "Blue"), (None, "Filled")] {
        let places: Vec<String> = squares(picture)
            .filter_map(|(place, piece)| {
                let piece = piece.filter(|piece| piece.owner == owner)?;
                let square = picture.name(place);
                Some(match owner {
                    Some(_) => format!("{} {square}", piece.letter),
                    None => square,
                })
            })
            .collect();
        match places.len() {
            0 => {}
            count if count > MAX_LISTED => put!(text, " {name}: {count} squares."),
            _ => put!(text, " {name}: {}.", places.join(", ")),
        }
    }
    text
}
