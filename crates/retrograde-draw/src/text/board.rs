//! A board in characters: boxes if they fit into 80 columns, otherwise a plain grid of letters,
//! spaced as widely as possible.

use std::collections::{BTreeMap, BTreeSet};

use retrograde_game::{GridSquare, Mark, Picture, Piece, PieceShape, Seat};

use super::boxes::{self, Line};
use super::{FAINT, FIRST, MARKED, NEUTRAL, Paint, SECOND};
use crate::board::exists;
use crate::board::layout::{inside, line_of};

/// Terminals are assumed to be at least this wide.
const MAX_WIDTH: usize = 80;

/// The role of a square in a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Role {
    /// A piece arrives or pushes here, or the square is filled.
    To,
    /// A piece leaves.
    From,
}

/// Draws a board with letters for the pieces, coordinates, and rails as heavy lines. Every line
/// ends with a newline.
///
/// Squares in the marks are in brackets: `(O)` where a piece leaves and `[ ]` where it arrives.
/// With `color`, pieces have the colours of their players, and marked squares have a different
/// background. Boards of up to 18 columns are drawn as boxes; those of up to 60 columns still fit
/// in 80 characters. The side to move is not shown.
pub fn board(picture: &Picture, marks: &[Mark], color: bool) -> String {
    let paint = Paint { on: color };
    let margin = picture.rows.to_string().len() + 1;
    let columns = usize::from(picture.columns);
    let roles = roles(picture, marks);
    if 4 * columns + 1 + 2 * margin <= MAX_WIDTH {
        boxed(picture, &roles, paint, margin)
    } else {
        let step = if 2 * columns + 1 + 2 * margin <= MAX_WIDTH { 2 } else { 1 };
        plain(picture, &roles, paint, margin, step)
    }
}

fn roles(picture: &Picture, marks: &[Mark]) -> BTreeMap<GridSquare, Role> {
    let mut roles = BTreeMap::new();
    let mut add = |place: GridSquare, role: Role| {
        if inside(picture, place) {
            let held = roles.entry(place).or_insert(role);
            *held = role.max(*held);
        }
    };
    for mark in marks {
        match mark {
            Mark::Move(from, to) | Mark::Push(from, to) => {
                add(*from, Role::From);
                add(*to, Role::To);
            }
            Mark::Fill(places) => places.iter().for_each(|&place| add(place, Role::To)),
        }
    }
    roles
}

fn ink(piece: Piece) -> &'static str {
    match piece.owner {
        Some(Seat::First) => FIRST,
        Some(Seat::Second) => SECOND,
        None => NEUTRAL,
    }
}

/// A letter that takes one column and is safe to print.
fn letter(piece: Piece) -> char {
    if piece.letter.is_control() { '?' } else { piece.letter }
}

/// Rails by their line and the place along it: horizontal ones, then vertical ones.
fn rails(picture: &Picture) -> BTreeSet<(bool, u16, u16)> {
    picture.rails.iter().filter(|rail| inside(picture, rail.place)).map(line_of).collect()
}

fn boxed(picture: &Picture, roles: &BTreeMap<GridSquare, Role>, paint: Paint, margin: usize) -> String {
    let rails = rails(picture);
    let at = |column: Option<u16>, row: Option<u16>| match (column, row) {
        (Some(column), Some(row)) => exists(picture, GridSquare { column, row }),
        _ => false,
    };
    // The line along the top of a square, and along its left side; there is one more such line past the end.
    let across = |column: u16, row: u16| {
        if rails.contains(&(true, row, column)) {
            Line::Heavy
        } else if at(Some(column), Some(row)) || at(Some(column), row.checked_sub(1)) {
            Line::Light
        } else {
            Line::None
        }
    };
    let down = |column: u16, row: u16| {
        if rails.contains(&(false, column, row)) {
            Line::Heavy
        } else if at(Some(column), Some(row)) || at(column.checked_sub(1), Some(row)) {
            Line::Light
        } else {
            Line::None
        }
    };
    let mut out = String::new();
    let labels = column_labels(picture, margin, 4);
    put_line(&mut out, paint, &labels);
    for row in 0..=picture.rows {
        // Draws the line above the row. Heavy lines are not faint.
        let mut line = vec![' '; margin];
        for column in 0..=picture.columns {
            let up = row.checked_sub(1).map_or(Line::None, |above| down(column, above));
            let left = column.checked_sub(1).map_or(Line::None, |before| across(before, row));
            line.push(boxes::corner(up, across(column, row), down(column, row), left));
            if column < picture.columns {
                line.extend([across(column, row).across(); 3]);
            }
        }
        put_rules(&mut out, paint, &line);
        if row == picture.rows {
            break;
        }
        let label = picture.row_label(row);
        paint.put(&mut out, &[FAINT], &format!("{label:>width$} ", width = margin - 1));
        let mut trailing = String::new();
        for column in 0..=picture.columns {
            let wall = down(column, row);
            let wall_ink = if wall == Line::Light { FAINT } else { "" };
            paint.put(
                &mut trailing,
                &[if wall == Line::None { "" } else { wall_ink }],
                &wall.down().to_string(),
            );
            if column == picture.columns {
                break;
            }
            let place = GridSquare { column, row };
            put_cell(&mut trailing, picture, place, roles.get(&place).copied(), paint);
        }
        out.push_str(&trailing);
        paint.put(&mut out, &[FAINT], &format!(" {label}"));
        out.push('\n');
    }
    put_line(&mut out, paint, &labels);
    out
}

/// Writes the three characters of a square.
fn put_cell(out: &mut String, picture: &Picture, place: GridSquare, role: Option<Role>, paint: Paint) {
    let square = square(picture, place);
    let (before, after) = match role {
        None => (" ", " "),
        Some(Role::From) => ("(", ")"),
        Some(Role::To) => ("[", "]"),
    };
    let ground = if role.is_some() { MARKED } else { "" };
    match square {
        Some(Some(piece)) if piece.shape == PieceShape::Cross => {
            paint.put(out, &[ink(piece), ground], if role.is_some() { before } else { "▐" });
            paint.put(out, &[ink(piece), ground], "█");
            paint.put(out, &[ink(piece), ground], if role.is_some() { after } else { "▌" });
        }
        Some(Some(piece)) => {
            paint.put(out, &[ground], before);
            paint.put(out, &[ink(piece), ground], &letter(piece).to_string());
            paint.put(out, &[ground], after);
        }
        _ => paint.put(out, &[ground], &format!("{before} {after}")),
    }
}

fn square(picture: &Picture, place: GridSquare) -> Option<Option<Piece>> {
    if !exists(picture, place) {
        return None;
    }
    picture.at(place)
}

/// Writes a line of box characters: light ones are faint, heavy ones are not.
fn put_rules(out: &mut String, paint: Paint, line: &[char]) {
    let end = line.iter().rposition(|c| *c != ' ').map_or(0, |last| last + 1);
    let heavy = |c: char| c == '━' || (c != ' ' && !"─│┌┐└┘├┤┬┴┼╴╵╶╷".contains(c));
    for run in line[..end].chunk_by(|a, b| heavy(*a) == heavy(*b)) {
        let text: String = run.iter().collect();
        paint.put(out, &[if heavy(run[0]) || text.trim().is_empty() { "" } else { FAINT }], &text);
    }
    out.push('\n');
}

fn put_line(out: &mut String, paint: Paint, text: &str) {
    for line in text.lines() {
        paint.put(out, &[FAINT], line.trim_end());
        out.push('\n');
    }
}

/// The letters of the columns, each in the middle of its `step` characters; written vertically if
/// they do not fit.
fn column_labels(picture: &Picture, margin: usize, step: usize) -> String {
    let labels: Vec<String> = (0..picture.columns).map(Picture::column_label).collect();
    let longest = labels.iter().map(String::len).max().unwrap_or(0);
    let indent = " ".repeat(margin + usize::from(step == 4));
    if longest < step.max(2) {
        let width = step - usize::from(step == 4);
        let line: Vec<String> = labels.iter().map(|label| format!("{label:^width$}")).collect();
        return format!("{indent}{}", line.join(if step == 4 { " " } else { "" }));
    }
    let mut lines = Vec::new();
    for nth in 0..longest {
        let mut line = indent.clone();
        for label in &labels {
            let blank = longest - label.len();
            let c = nth.checked_sub(blank).and_then(|nth| label.chars().nth(nth)).unwrap_or(' ');
            line.push(c);
            line.extend(std::iter::repeat_n(' ', step - 1));
        }
        lines.push(line);
    }
    lines.join("\n")
}

/// Draws one letter per square, `step` characters apart. Rails are only drawn if there are lines
/// between the rows.
fn plain(
    picture: &Picture,
    roles: &BTreeMap<GridSquare, Role>,
    paint: Paint,
    margin: usize,
    step: usize,
) -> String {
    let mut out = String::new();
    let labels = column_labels(picture, margin, step);
    put_line(&mut out, paint, &labels);
    let rails = rails(picture);
    for row in 0..=picture.rows {
        let on_line: Vec<char> = (0..picture.columns)
            .flat_map(|column| {
                let here = rails.contains(&(true, row, column));
                let next = here && rails.contains(&(true, row, column + 1));
                [here, next].into_iter().take(step).map(|rail| if rail { '━' } else { ' ' })
            })
            .collect();
        if on_line.contains(&'━') {
            let text: String = on_line.into_iter().collect();
            out.push_str(&" ".repeat(margin));
            out.push_str(text.trim_end());
            out.push('\n');
        }
        if row == picture.rows {
            break;
        }
        let label = picture.row_label(row);
        paint.put(&mut out, &[FAINT], &format!("{label:>width$} ", width = margin - 1));
        for column in 0..picture.columns {
            let place = GridSquare { column, row };
            let role = roles.get(&place).copied();
            let ground = if role.is_some() { MARKED } else { "" };
            match square(picture, place) {
                Some(Some(piece)) => {
                    let c = if piece.shape == PieceShape::Cross { '█' } else { letter(piece) };
                    paint.put(&mut out, &[ink(piece), ground], &c.to_string());
                }
                Some(None) if role.is_some() => paint.put(&mut out, &[ground], "*"),
                Some(None) => paint.put(&mut out, &[FAINT], "·"),
                None => out.push(' '),
            }
            if step == 2 && column + 1 < picture.columns {
                out.push(if rails.contains(&(false, column + 1, row)) { '┃' } else { ' ' });
            }
        }
        paint.put(&mut out, &[FAINT], &format!(" {label}"));
        out.push('\n');
    }
    put_line(&mut out, paint, &labels);
    out
}
