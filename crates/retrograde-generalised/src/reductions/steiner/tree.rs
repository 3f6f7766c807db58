//! Computes the exact length of a shortest rectilinear Steiner tree.
//!
//! Hanan's theorem: some shortest tree lies on the horizontal and vertical lines through the
//! points. On that grid the recurrence of Dreyfus and Wagner runs over sets of points: the best
//! tree of a set that also contains a crossing v either joins two smaller trees at v, or reaches v
//! along the grid.

use super::point::{MAX_POINTS, Point, SteinerError};

/// The length of a shortest tree of horizontal and vertical segments that contains all the points.
pub(super) fn least_length(points: &[Point]) -> Result<u64, SteinerError> {
    if points.len() > MAX_POINTS {
        return Err(SteinerError::TooMany(points.len()));
    }
    let Some((&root, others)) = points.split_last() else { return Err(SteinerError::Empty) };
    if others.is_empty() {
        return Ok(0);
    }
    let lines = |of: fn(&Point) -> i32| {
        let mut lines: Vec<i32> = points.iter().map(of).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    };
    let grid = Grid { xs: lines(|p| p.x), ys: lines(|p| p.y) };
    // best[set]: for every crossing, the least length of a tree that contains it and the points of the set.
    let mut best: Vec<Vec<u64>> = vec![Vec::new(); 1 << others.len()];
    for set in 1..best.len() {
        let mut here = vec![u64::MAX; grid.crossings()];
        if set.is_power_of_two() {
            here[grid.crossing(others[set.trailing_zeros() as usize])] = 0;
        } else {
            // Uses each pair of parts once: `part` has the lowest point of the set.
            let rest = set & (set - 1);
            let mut part = rest;
            while part != 0 {
                for (least, (&a, &b)) in here.iter_mut().zip(best[part].iter().zip(&best[set ^ part])) {
                    *least = (*least).min(a + b);
                }
                part = (part - 1) & rest;
            }
        }
        grid.spread(&mut here);
        best[set] = here;
    }
    Ok(best[best.len() - 1][grid.crossing(root)])
}

/// The lines through the points.
struct Grid {
    xs: Vec<i32>,
    ys: Vec<i32>,
}

impl Grid {
    fn crossings(&self) -> usize {
        self.xs.len() * self.ys.len()
    }

    /// The crossing at a point. Every point is on a crossing.
    fn crossing(&self, point: Point) -> usize {
        let index = |lines: &[i32], line| lines.partition_point(|&other| other < line);
        index(&self.ys, point.y) * self.xs.len() + index(&self.xs, point.x)
    }

    /// Extends the trees along the grid so that every crossing is reached from every other one.
    /// Rows first and then columns is enough: a shortest path between two crossings is one step
    /// along a row and one along a column.
    fn spread(&self, least: &mut [u64]) {
        let across = self.xs.len();
        for row in 0..self.ys.len() {
            spread_line(least, row * across, 1, &self.xs);
        }
        for column in 0..across {
            spread_line(least, column, across, &self.ys);
        }
    }
}

/// The same on one line, in both directions.
fn spread_line(least: &mut [u64], start: usize, stride: usize, at: &[i32]) {
    let gap = |i: usize| u64::from(at[i].abs_diff(at[i - 1]));
    for i in 1..at.len() {
        let (here, before) = (start + i * stride, start + (i - 1) * stride);
        least[here] = least[here].min(least[before].saturating_add(gap(i)));
    }
    for i in (1..at.len()).rev() {
        let (here, before) = (start + i * stride, start + (i - 1) * stride);
        least[before] = least[before].min(least[here].saturating_add(gap(i)));
    }
}
