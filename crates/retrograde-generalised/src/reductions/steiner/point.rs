//! Points, and errors in lists of points.

use thiserror::Error;

use crate::reductions::MAX_SIDE;

/// The greatest absolute value of a coordinate.
pub const MAX_COORDINATE: i32 = 1_000_000;

/// The most points for an exact shortest tree: 3¹³ joins at each of 14² crossings take less than a second.
pub const MAX_POINTS: usize = 14;

/// A point with integer coordinates; y grows upwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point {
    /// The coordinate to the right.
    pub x: i32,
    /// The upward coordinate.
    pub y: i32,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl std::str::FromStr for Point {
    type Err = SteinerError;

    /// Parses `2,-3`. Errors call it item 1.
    fn from_str(text: &str) -> Result<Point, SteinerError> {
        read_point(1, text)
    }
}

/// Parses one point of a list.
pub(super) fn read_point(item: usize, text: &str) -> Result<Point, SteinerError> {
    let shown = || text.chars().take(30).collect();
    let whole = |digits: &str| {
        let plain = digits.strip_prefix('-').unwrap_or(digits);
        !plain.is_empty() && plain.bytes().all(|b| b.is_ascii_digit())
    };
    let (x, y) = text
        .split_once(',')
        .filter(|(x, y)| whole(x) && whole(y))
        .ok_or_else(|| SteinerError::NoPoint { item, text: shown() })?;
    // Numbers that do not fit 32 bits exceed the limit, too.
    let number = |digits: &str| {
        let number = digits.parse::<i32>().ok().filter(|n| n.unsigned_abs() <= MAX_COORDINATE.unsigned_abs());
        number.ok_or_else(|| SteinerError::TooFar { item, text: shown() })
    };
    Ok(Point { x: number(x)?, y: number(y)? })
}

/// An error in an instance; items are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SteinerError {
    /// There are no points.
    #[error("there are no points; expected points such as `0,0 2,3`")]
    Empty,
    /// An item is not a point.
    #[error("item {item}, `{text}`, is not a point: expected two whole numbers such as `2,-3`")]
    NoPoint {
        /// The number of the item.
        item: usize,
        /// The beginning of its text.
        text: String,
    },
    /// A coordinate exceeds the limit.
    #[error(
        "item {item}, `{text}`, is too far out: coordinates reach from -{MAX_COORDINATE} to {MAX_COORDINATE}"
    )]
    TooFar {
        /// The number of the item.
        item: usize,
        /// The beginning of its text.
        text: String,
    },
    /// A point is repeated.
    #[error("item {item} repeats the point {point} of item {earlier}")]
    Repeated {
        /// The number of the item.
        item: usize,
        /// The earlier item with the same point.
        earlier: usize,
        /// The point.
        point: Point,
    },
    /// The chosen first point is not one of the lowest.
    #[error("{0} cannot come first: it is not one of the points with the least y")]
    NotLowest(Point),
    /// The board would be too large.
    #[error("the board would have {rows} rows and {columns} columns; the limit is {MAX_SIDE} of each")]
    TooLarge {
        /// The number of rows.
        rows: usize,
        /// The number of columns.
        columns: usize,
    },
    /// There are too many points for an exact tree.
    #[error("an exact tree can be found for at most {MAX_POINTS} points, but there are {0}")]
    TooMany(usize),
}
