//! Theorem 3.20: a question about Steiner trees becomes a question about one turn of Push Fight.
//!
//! Given points with integer coordinates and a length ℓ, is there a tree of horizontal and vertical
//! segments that contains all the points and is no longer than ℓ? The board has an empty square for
//! each point, in a sea of white pawns above a wall of black ones. White mates in one turn with at
//! most ℓ + 3 moves if and only if there is such a tree, because the empty squares must be brought
//! together and led through a gap in the wall.

mod point;
mod tree;

use std::collections::HashMap;

use point::read_point;
pub use point::{MAX_COORDINATE, MAX_POINTS, Point, SteinerError};

use crate::reductions::{Cell, Direction, MAX_SIDE, Place, Position};

/// An instance: different points, one of which comes first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Instance {
    points: Vec<Point>,
    /// The index of a point with the least y. The gap in the wall is below it.
    first: usize,
}

/// The board for an instance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduced {
    /// The most moves of White before the push: ℓ + 3.
    pub moves: u64,
    /// The position, with White to move.
    pub position: Position,
}

impl Reduced {
    /// The text of a board file.
    #[must_use]
    pub fn board_file(&self) -> String {
        format!("moves = {}\n{}", self.moves, self.position)
    }
}

impl Instance {
    /// Creates an instance. The first of the points with the least y comes first.
    ///
    /// # Errors
    /// If there are no points, or a point is too far out or repeated.
    pub fn new(points: Vec<Point>) -> Result<Instance, SteinerError> {
        let mut seen = HashMap::new();
        for (index, &point) in points.iter().enumerate() {
            let item = index + 1;
            if point.x.unsigned_abs().max(point.y.unsigned_abs()) > MAX_COORDINATE.unsigned_abs() {
                return Err(SteinerError::TooFar { item, text: point.to_string() });
            }
            if let Some(earlier) = seen.insert(point, item) {
                return Err(SteinerError::Repeated { item, earlier, point });
            }
        }
        let (first, _) = points
            .iter()
            .enumerate()
            .min_by_key(|&(index, point)| (point.y, index))
            .ok_or(SteinerError::Empty)?;
        Ok(Instance { points, first })
    }

    /// Parses points such as `0,0 2,-3`, separated by blanks.
    ///
    /// # Errors
    /// Names the item and the problem.
    pub fn parse(text: &str) -> Result<Instance, SteinerError> {
        let points = text.split_whitespace().enumerate().map(|(index, text)| read_point(index + 1, text));
        Instance::new(points.collect::<Result<_, _>>()?)
    }

    /// The same instance with another of the lowest points first. The theorem does not prescribe which.
    ///
    /// # Errors
    /// If the point is not in the instance or does not have the least y.
    pub fn starting_at(mut self, point: Point) -> Result<Instance, SteinerError> {
        let least = self.points[self.first].y;
        self.first = self
            .points
            .iter()
            .position(|&other| other == point && point.y == least)
            .ok_or(SteinerError::NotLowest(point))?;
        Ok(self)
    }

    /// The points in their original order.
    #[must_use]
    pub fn points(&self) -> &[Point] {
        &self.points
    }

    /// The point that comes first.
    #[must_use]
    pub fn first(&self) -> Point {
        self.points[self.first]
    }

    /// The length of a shortest tree.
    ///
    /// # Errors
    /// If there are more than [`MAX_POINTS`] points.
    pub fn least_length(&self) -> Result<u64, SteinerError> {
        tree::least_length(&self.points)
    }

    /// Creates the board for a length ℓ, which does not have to be the least length.
    ///
    /// # Errors
    /// If the board would have more than [`MAX_SIDE`] rows or columns.
    pub fn reduce(&self, length: u64) -> Result<Reduced, SteinerError> {
        // As in the theorem, moves the points so that the least x is 2 and the least y is 4.
        let n = self.points.len();
        let least = |of: fn(&Point) -> i32| self.points.iter().map(of).min().unwrap_or(0);
        let (left, low) = (least(|p| p.x), least(|p| p.y));
        let moved = |p: Point| ((p.x - left) as usize + 2, (p.y - low) as usize + 4);
        let highest =
            |of: fn((usize, usize)) -> usize| self.points.iter().map(|&p| of(moved(p))).max().unwrap_or(0);
        let (columns, rows) = (n + highest(|p| p.0), highest(|p| p.1));
        if rows > MAX_SIDE || columns > MAX_SIDE {
            return Err(SteinerError::TooLarge { rows, columns });
        }
        let gap = moved(self.first()).0;
        let mut position = Position::filled(rows, columns, Cell::WhitePawn);
        // The theorem counts squares from 1 with the origin at the bottom left.
        let place = |x: usize, y: usize| Place::new(rows - y, x - 1);
        for x in 1..=columns {
            position.set(place(x, 1), Cell::BlackPawn);
            if x != gap {
                position.set(place(x, 3), Cell::BlackPawn);
            }
            // The alley from the gap to the white king keeps its white pawns.
            if x + 1 < gap || x > gap + n {
                position.set(place(x, 2), Cell::BlackPawn);
            }
        }
        position.set(place(gap - 1, 2), Cell::BlackAnchored);
        position.set(place(gap + n, 2), Cell::WhiteKing);
        for &point in &self.points {
            let (x, y) = moved(point);
            position.set(place(x, y), Cell::Empty);
        }
        position.rail_everywhere();
        position.open(place(gap, 1), Direction::South);
        Ok(Reduced { moves: length.saturating_add(3), position })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_name_the_item() {
        for (text, reason) in [
            ("", "no points"),
            (" \n", "no points"),
            ("0,0 1", "item 2, `1`, is not a point"),
            ("0;0", "item 1, `0;0`, is not a point"),
            ("0,0 +1,2", "item 2"),
            ("0,0,0", "item 1"),
            ("0,", "item 1"),
            ("-,1", "item 1"),
            ("0,1.5", "item 1"),
            ("0,0 1000001,0", "item 2, `1000001,0`, is too far"),
            ("99999999999999999999999,0", "too far"),
            ("-2147483648,0", "too far"),
            ("0,0 1,1 0,0", "item 3 repeats the point 0,0 of item 1"),
            ("0,0 00,-0", "item 2 repeats"),
        ] {
            let error = Instance::parse(text).unwrap_err().to_string();
            assert!(error.contains(reason), "{text:?}: {error}");
        }
        let wide = Instance::parse("0,0 999,0").unwrap();
        assert!(matches!(wide.reduce(999), Err(SteinerError::TooLarge { columns: 1003, rows: 4 })));
        let many: Vec<Point> = (0..15).map(|x| Point { x, y: 0 }).collect();
        assert_eq!(Instance::new(many).unwrap().least_length(), Err(SteinerError::TooMany(15)));
        assert_eq!("2,-3".parse(), Ok(Point { x: 2, y: -3 }));
        assert!("2,-3 ".parse::<Point>().is_err());
        let two = Instance::parse("0,0 1,1").unwrap();
        assert_eq!(
            two.clone().starting_at(Point { x: 1, y: 1 }).unwrap_err().to_string().split(' ').next(),
            Some("1,1")
        );
        assert!(two.starting_at(Point { x: 5, y: 0 }).is_err());
    }
}
