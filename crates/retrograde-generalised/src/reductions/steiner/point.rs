//! Points, and what can be wrong with a list of them.

use thiserror::Error;

use crate::reductions::MAX_SIDE;

/// The greatest coordinate of a point, either side of 0.
pub const MAX_COORDINATE: i32 = 1_000_000;

/// The most points a shortest tree is found for: 3¹³ joins at each of 14² crossings, less than a
/// second.
pub const MAX_POINTS: usize = 14;

/// A point with integer coordinates; y grows upwards.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Point {
    /// To the right.
    pub x: i32,
    /// Upwards.
    pub y: i32,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

impl std::str::FromStr for Point {
    type Err = SteinerError;

    /// Reads `2,-3`; an error calls it item 1.
    fn from_str(text: &str) -> Result<Point, SteinerError> {
        read_point(1, text)
    }
}

/// Reads one point of a list.
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
    // Digits that do not fit 32 bits are beyond the limit, too.
    let number = |digits: &str| {
        let number = digits.parse::<i32>().ok().filter(|n| n.unsigned_abs() <= MAX_COORDINATE.unsigned_abs());
        number.ok_or_else(|| SteinerError::TooFar { item, text: shown() })
    };
    Ok(Point { x: number(x)?, y: number(y)? })
}

/// An error in an instance; items count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum SteinerError {
    /// No points.
    #[error("there are no points; expected some like `0,0 2,3`")]
    Empty,
    /// An item that is no point.
    #[error("item {item}, `{text}`, is no point: expected two whole numbers like `2,-3`")]
    NoPoint {
        /// The number of the item.
        item: usize,
        /// Its beginning.
        text: String,
    },
    /// A coordinate beyond the limit.
    #[error(
        "item {item}, `{text}`, is too far out: coordinates reach from -{MAX_COORDINATE} to {MAX_COORDINATE}"
    )]
    TooFar {
        /// The number of the item.
        item: usize,
        /// Its beginning.
        text: String,
    },
    /// The same point twice.
    #[error("item {item} repeats the point {point} of item {earlier}")]
    Repeated {
        /// The number of the item.
        item: usize,
        /// The item that says the same.
        earlier: usize,
        /// The point.
        point: Point,
    },
    /// A first point that cannot be one.
    #[error("{0} cannot come first: it is not one of the points with the least y")]
    NotLowest(Point),
    /// A board beyond the limit.
    #[error("the board would have {rows} rows and {columns} columns; the limit is {MAX_SIDE} of each")]
    TooLarge {
        /// Rows of squares.
        rows: usize,
        /// Columns of squares.
        columns: usize,
    },
    /// Too many points for an exact tree.
    #[error("an exact tree is found for at most {MAX_POINTS} points, these are {0}")]
    TooMany(usize),
}
