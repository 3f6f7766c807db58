//! Gadgets: small rectangles that make up the reduction of quantified formulas (section 4 of the paper).
//!
//! A gadget is a drawing of a rectangle and, for the end of each row and column, the number of
//! empty squares beyond it. Everything else outside is white pawns up to the rails, so this is the
//! number of pieces that can be pushed out there. Gadgets are stored as text, one file each:
//!
//! ```text
//! name = clause
//! enter = west 1          the white king enters by this edge, after a white pawn
//! leave = east 2          and leaves by this one; there may be more room than specified
//! north = 0 0 0           empty squares beyond the end of each column, from the left
//! east = 0 2 * *          and of each row, from the top; `*` is any number
//! south = 0 k 0           a letter is a size that the caller chooses; so is `p+1`, `p-1`
//! west = .* * * *         `.`: the nearest square is empty; `off`: the board ends, no rail
//! widen = 2:p             the second column is repeated p times; likewise `heighten` for rows
//! + + + +                 the drawing, without rails
//! …
//! ```

mod survey;

use retrograde_game::TextError;
use thiserror::Error;

pub use survey::{Black, Ending, Inside, MAX_POSITIONS, Reached, Survey, TooManyPositions};

use crate::reductions::{Direction, MAX_SIDE, Place, Position};

/// An unbounded number of empty squares.
pub const MANY: usize = usize::MAX;

/// An error in the text of a gadget; lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum GadgetError {
    /// A line cannot be read.
    #[error("line {line}: {reason}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// The reason.
        reason: String,
    },
    /// The drawing is wrong; its lines are counted from its own first line.
    #[error("in the drawing: {0}")]
    Drawing(#[from] TextError),
    /// The stretched gadget would have too many rows or columns.
    #[error("a gadget has at most {MAX_SIDE} rows and columns, but this one has {rows} and {columns}")]
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// A side has the wrong number of edges.
    #[error("the {side:?} side has {found} edges, but the drawing has {expected}")]
    Edges {
        /// The side.
        side: Direction,
        /// The number of edges in the text.
        found: usize,
        /// The number of edges in the drawing.
        expected: usize,
    },
}

/// The knowledge about the square just beyond an edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Beyond {
    /// Nothing: there may be something to push or not.
    Unknown,
    /// It is empty, so a king at the edge cannot push out.
    Empty,
    /// A piece was pushed there.
    Occupied,
    /// The board ends here, without a rail.
    Nothing,
}

/// The outside of one edge.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Outside {
    /// The number of pieces that can still be pushed out; [`MANY`] is no bound.
    pub room: usize,
    /// The nearest square.
    pub beyond: Beyond,
}

/// An edge: a side of the gadget, and a row from the top or a column from the left, from 0.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Edge {
    /// The side of the gadget.
    pub side: Direction,
    /// The row or the column.
    pub index: usize,
}

/// A gadget of given sizes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Gadget {
    /// Its name.
    pub name: String,
    /// The content of the rectangle.
    pub position: Position,
    /// The outside of all edges: sides clockwise from north, rows from the top, columns from the left.
    pub outside: [Vec<Outside>; 4],
    /// The edge where the white king enters; `None` if the drawing already contains the king, or if no
    /// king enters.
    pub enter: Option<Edge>,
    /// The only edge where the white king can leave, according to the gadget's lemma. The room
    /// there is a lower bound.
    pub leave: Option<Edge>,
}

impl Gadget {
    /// Parses a gadget. `sizes` are the values of the letters.
    ///
    /// # Errors
    /// With the line of the error.
    pub fn parse(text: &str, sizes: &[(&str, usize)]) -> Result<Gadget, GadgetError> {
        let before = text.lines().take_while(|line| !line.starts_with('+')).count();
        let drawing: String = text.lines().skip(before).map(|line| line.to_owned() + "\n").collect();
        let drawn = Position::parse(&drawing)?;
        let mut columns = vec![1; drawn.columns()];
        let mut rows = vec![1; drawn.rows()];
        let (mut name, mut enter, mut leave) = (String::new(), None, None);
        let mut sides: [Option<Vec<Outside>>; 4] = [const { None }; 4];
        for (number, line) in text.lines().take(before).enumerate() {
            let wrong = |reason: &str| GadgetError::Line { line: number + 1, reason: reason.to_owned() };
            let (key, value) = line.split_once('=').ok_or_else(|| wrong("expected `key = value`"))?;
            let value = value.trim();
            match key.trim() {
                "name" => value.clone_into(&mut name),
                key @ ("enter" | "leave") => {
                    let edge = edge(value).ok_or_else(|| wrong("expected a side and a number"))?;
                    if key == "enter" { enter = Some(edge) } else { leave = Some(edge) }
                }
                key @ ("widen" | "heighten") => {
                    let times = if key == "widen" { &mut columns } else { &mut rows };
                    for part in value.split_whitespace() {
                        repeat(times, part, sizes).ok_or_else(|| wrong("expected items like `2:p`"))?;
                    }
                }
                key => {
                    let side = side(key).ok_or_else(|| wrong("no such key"))?;
                    let outside =
                        value.split_whitespace().map(|item| outside(item, sizes)).collect::<Option<_>>();
                    sides[side as usize] =
                        Some(outside.ok_or_else(|| wrong("expected items like `0 .2 p+1 *`"))?);
                }
            }
        }
        checked(&rows, &columns)?;
        let mut outside = [const { Vec::new() }; 4];
        for side in Direction::ALL {
            let times = if matches!(side, Direction::North | Direction::South) { &columns } else { &rows };
            let none = Outside { room: 0, beyond: Beyond::Unknown };
            let given = sides[side as usize].take().unwrap_or_else(|| vec![none; times.len()]);
            if given.len() != times.len() {
                return Err(GadgetError::Edges { side, found: given.len(), expected: times.len() });
            }
            outside[side as usize] =
                given.iter().zip(times).flat_map(|(&edge, &times)| vec![edge; times]).collect();
        }
        // The text counts edges of the drawing; for a repeated line this means its first copy.
        let stretched_edge = |Edge { side, index }: Edge| {
            let times = if matches!(side, Direction::North | Direction::South) { &columns } else { &rows };
            Edge { side, index: times.iter().take(index).sum() }
        };
        let (enter, leave) = (enter.map(stretched_edge), leave.map(stretched_edge));
        Ok(Gadget { name, position: stretched(&drawn, &rows, &columns), outside, enter, leave })
    }

    /// The outside of an edge.
    #[must_use]
    pub fn outside(&self, edge: Edge) -> Option<Outside> {
        self.outside[edge.side as usize].get(edge.index).copied()
    }
}

/// Checks that the sides with repeated lines fit on a board.
fn checked(rows: &[usize], columns: &[usize]) -> Result<(), GadgetError> {
    let sum = |times: &[usize]| times.iter().fold(0_usize, |sum, &times| sum.saturating_add(times));
    let (rows, columns) = (sum(rows), sum(columns));
    if rows > MAX_SIDE || columns > MAX_SIDE { Err(GadgetError::TooLarge { rows, columns }) } else { Ok(()) }
}

/// A drawing with repeated rows and columns. Gadgets contain no rails.
fn stretched(drawn: &Position, rows: &[usize], columns: &[usize]) -> Position {
    let lines = |times: &[usize]| -> Vec<usize> {
        times.iter().enumerate().flat_map(|(line, &times)| vec![line; times]).collect()
    };
    let (rows, columns) = (lines(rows), lines(columns));
    let mut position = Position::filled(rows.len(), columns.len(), crate::reductions::Cell::Void);
    for place in position.places() {
        position.set(place, drawn.at(Place::new(rows[place.row], columns[place.column])));
    }
    position
}

fn side(name: &str) -> Option<Direction> {
    ["north", "east", "south", "west"].iter().position(|&side| side == name).map(|side| Direction::ALL[side])
}

/// Parses `south 1`. Edges are counted from 1 in texts.
fn edge(text: &str) -> Option<Edge> {
    let (name, index) = text.split_once(' ')?;
    Some(Edge { side: side(name)?, index: index.parse::<usize>().ok()?.checked_sub(1)? })
}

/// Parses `2:p`: the second line is repeated p times.
fn repeat(times: &mut [usize], text: &str, sizes: &[(&str, usize)]) -> Option<()> {
    let (line, size) = text.split_once(':')?;
    let line = line.parse::<usize>().ok()?.checked_sub(1)?;
    *times.get_mut(line)? = number(size, sizes)?;
    Some(())
}

/// Parses a number, or a size plus or minus at most one.
fn number(text: &str, sizes: &[(&str, usize)]) -> Option<usize> {
    let size = |name: &str| sizes.iter().find(|&&(other, _)| other == name).map(|&(_, size)| size);
    if let Some(name) = text.strip_suffix("+1") {
        return size(name)?.checked_add(1);
    }
    if let Some(name) = text.strip_suffix("-1") {
        return size(name)?.checked_sub(1);
    }
    size(text).or_else(|| text.parse().ok())
}

/// Parses `0`, `p+1`, `*`, `.2`, `off`.
fn outside(text: &str, sizes: &[(&str, usize)]) -> Option<Outside> {
    if text == "off" {
        return Some(Outside { room: MANY, beyond: Beyond::Nothing });
    }
    let (beyond, room) = match text.strip_prefix('.') {
        Some(rest) => (Beyond::Empty, rest),
        None => (Beyond::Unknown, text),
    };
    let room = if room == "*" { MANY } else { number(room, sizes)? };
    Some(Outside { room, beyond })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "+ + +\n o .\n+ + +\n";

    #[test]
    fn lines_are_repeated_with_their_edges() {
        let text = format!("leave = north 2\nwiden = 1:p\nnorth = p-1 .2\neast = off\n{SMALL}");
        let gadget = Gadget::parse(&text, &[("p", 3)]).unwrap();
        assert_eq!((gadget.position.rows(), gadget.position.columns()), (1, 4));
        assert_eq!(gadget.leave, Some(Edge { side: Direction::North, index: 3 }));
        let rooms: Vec<usize> = gadget.outside[0].iter().map(|outside| outside.room).collect();
        assert_eq!(rooms, [2, 2, 2, 2]);
        assert_eq!(gadget.outside[0][3].beyond, Beyond::Empty);
        assert_eq!(gadget.outside[1], [Outside { room: MANY, beyond: Beyond::Nothing }]);
    }

    #[test]
    fn errors_have_reasons() {
        for (head, reason) in [
            ("north\n", "line 1: expected `key = value`"),
            ("name = a\nup = 0\n", "line 2: no such key"),
            ("enter = north\n", "line 1: expected a side"),
            ("enter = north 0\n", "line 1: expected a side"),
            ("widen = 3:p\n", "line 1: expected items like `2:p`"),
            ("widen = 1:q\n", "line 1: expected items"),
            ("north = 0 x\n", "line 1: expected items like `0"),
            ("north = 0\n", "the North side has 1 edges, but the drawing has 2"),
            ("heighten = 1:1001\n", "at most 1000 rows"),
            ("widen = 1:18446744073709551615\n", "at most 1000 rows"),
            ("+ +\n", "in the drawing"),
        ] {
            let error = Gadget::parse(&format!("{head}{SMALL}"), &[("p", 1)]).unwrap_err().to_string();
            assert!(error.contains(reason), "{head:?}: {error}");
        }
    }
}
