//! The length of a shortest rectilinear Steiner tree, exactly.
//!
//! Hanan's theorem: some shortest tree lies on the horizontal and vertical lines through the
//! points. On that grid the recurrence of Dreyfus and Wagner goes over sets of points: the best
//! tree of a set that also reaches a crossing v either joins two smaller trees at v, or comes to v
//! along the grid.

use super::point::{MAX_POINTS, Point, SteinerError};

/// The length of a shortest tree of horizontal and vertical segments that holds all the points.
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
    // best[set]: for every crossing, the least length of a tree that holds it and the points of the
    // set.
    let mut best: Vec<Vec<u64>> = vec![Vec::new(); 1 << others.len()];
    for set in 1..best.len() {
        let mut here = vec![u64::MAX; grid.crossings()];
        if set.is_power_of_two() {
            here[grid.crossing(others[set.trailing_zeros() as usize])] = 0;
        } else {
            // Each pair of parts once: the one with the lowest point of the set is `part`.
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

    /// The crossing where a point lies; every point lies on one.
    fn crossing(&self, point: Point) -> usize {
        let index = |lines: &[i32], line| lines.partition_point(|&other| other < line);
        index(&self.ys, point.y) * self.xs.len() + index(&self.xs, point.x)
    }

    /// Lets every crossing be reached from every other one along the grid. Rows first and columns
    /// then is enough: a shortest way between two crossings is one step along a row and one along a
    /// column.
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

/// The same on one line, there and back.
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
