//! The rules that the checker needs from a game, and their implementation for TouchDown and Tactics.

/// A position, seen by the side to move, as sets of squares: bit n is square n, numbered row by row from the
/// top. Push Fight: own pushers, own pawns, the opponent's pushers, pawns and anchored pusher. TouchDown: own
/// pawns and the opponent's pawns. Tactics: the filled squares.
pub type Position = [u64; 5];

/// A game. A player without a turn has lost.
pub trait Rules: Sync {
    fn read(&self, text: &str) -> Option<Position>;
    /// The start of the game.
    fn start(&self) -> Position;
    /// Whether the side to move has won (true) or lost (false), if the game is over.
    fn result(&self, position: &Position) -> Option<bool>;
    /// Visits the position after every turn, seen by the other side, until `visit` returns true; returns
    /// whether it did.
    fn any_turn(&self, position: &Position, visit: &mut dyn FnMut(Position) -> bool) -> bool;
    /// The parts of a position, equal for all positions that are equivalent for all turns. By default the
    /// position itself.
    fn parts(&self, position: &Position) -> Vec<u64> {
        position.to_vec()
    }
    /// Whether a turn ends the game in favour of the side that makes it.
    fn wins_at_once(&self, position: &Position) -> bool {
        self.any_turn(position, &mut |next| self.result(&next) == Some(false))
    }
}

/// The squares of a set.
pub fn squares(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let square = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (square < 64).then_some(square)
    })
}

/// Parses a position of `count` squares from letters, given their sets. Rows may be separated by `/`.
pub fn read_squares(text: &str, count: usize, letters: &[(char, &[usize])]) -> Option<Position> {
    let (mut position, mut square) = ([0; 5], 0);
    for letter in text.chars().filter(|&letter| letter != '/') {
        let (_, sets) = letters.iter().find(|known| known.0 == letter && square < count)?;
        sets.iter().for_each(|&set| position[set] |= 1 << square);
        square += 1;
    }
    (square == count).then_some(position)
}

/// A grid for TouchDown or Tactics, of at most 63 squares.
pub struct Grid {
    pub columns: usize,
    pub rows: usize,
    /// For Tactics, the longest line and whether the player who fills the last square wins; `None` for
    /// TouchDown.
    pub tactics: Option<(usize, bool)>,
}

impl Grid {
    /// The rows of a set of squares, given by columns and rows, moved to the upper left corner: the smallest of its
    /// eight images.
    fn shape(squares: &[(usize, usize)]) -> Vec<u64> {
        let image = |symmetry: usize| {
            let turned = squares.iter().map(|&(x, y)| {
                let x = if symmetry & 1 == 0 { x } else { 63 - x };
                let y = if symmetry & 2 == 0 { y } else { 63 - y };
                if symmetry & 4 == 0 { (x, y) } else { (y, x) }
            });
            let turned: Vec<(usize, usize)> = turned.collect();
            let left = turned.iter().map(|square| square.0).min().unwrap_or(0);
            let top = turned.iter().map(|square| square.1).min().unwrap_or(0);
            let mut rows = Vec::new();
            for (x, y) in turned {
                rows.resize(rows.len().max(y - top + 1), 0);
                rows[y - top] |= 1 << (x - left);
            }
            rows
        };
        (0..8).map(image).min().unwrap_or_default()
    }
}

impl Rules for Grid {
    fn read(&self, text: &str) -> Option<Position> {
        let letters: [(char, &[usize]); 4] = [('.', &[]), ('_', &[]), ('X', &[0]), ('O', &[1])];
        read_squares(text, self.columns * self.rows, &letters)
    }

    fn start(&self) -> Position {
        let row = (1 << self.columns) - 1;
        let own = row << (self.columns * (self.rows - 1));
        if self.tactics.is_some() { [0; 5] } else { [own, row, 0, 0, 0] }
    }

    /// Tactics: lines do not cross between connected sets of empty squares, so a turn is in one of them, and their
    /// places and orientations do not matter. If a line is one square, every square is separate.
    fn parts(&self, position: &Position) -> Vec<u64> {
        let Some((longest, _)) = self.tactics else { return position.to_vec() };
        let empty = squares(!position[0]).filter(|&square| square < self.columns * self.rows);
        let mut left: Vec<(usize, usize)> =
            empty.map(|square| (square % self.columns, square / self.columns)).collect();
        let mut shapes = Vec::new();
        while let Some(first) = left.pop() {
            let (mut part, mut at) = (vec![first], 0);
            while longest > 1 && at < part.len() {
                let (x, y) = part[at];
                let beside = |square: &(usize, usize)| square.0.abs_diff(x) + square.1.abs_diff(y) == 1;
                part.extend(left.iter().copied().filter(beside));
                left.retain(|square| !beside(square));
                at += 1;
            }
            shapes.push(Grid::shape(&part));
        }
        shapes.sort_unstable();
        // The number of rows separates the shapes.
        shapes.into_iter().flat_map(|rows| [vec![rows.len() as u64], rows].concat()).collect()
    }

    /// Tactics: the board is full. TouchDown: the opponent is on the last row, or no pawn is left.
    fn result(&self, position: &Position) -> Option<bool> {
        let full = position[0].count_ones() as usize == self.columns * self.rows;
        let last = u64::MAX << (self.columns * (self.rows - 1));
        match self.tactics {
            Some((_, last_wins)) => full.then_some(!last_wins),
            None => (position[0] == 0 || position[1] & last != 0).then_some(false),
        }
    }

    /// Tactics: a turn fills adjacent empty squares of a row or a column. TouchDown: a pawn moves one row up,
    /// straight to an empty square or diagonally to capture.
    fn any_turn(&self, position: &Position, visit: &mut dyn FnMut(Position) -> bool) -> bool {
        let ([own, other, ..], all) = (*position, self.columns * self.rows);
        let turned = |set: u64| set.reverse_bits() >> (64 - all);
        let Some((longest, _)) = self.tactics else {
            let ways = squares(own).flat_map(|from| (-1..=1).map(move |side| (from, side)));
            return ways.filter(|way| way.0 >= self.columns).any(|(from, side)| {
                let column = (from % self.columns).wrapping_add_signed(side);
                let to = 1 << (from - self.columns).saturating_add_signed(side);
                let legal = if side == 0 { (own | other) & to == 0 } else { other & to != 0 };
                let next = [turned(other & !to), turned(own & !(1 << from) | to), 0, 0, 0];
                column < self.columns && legal && visit(next)
            });
        };
        let steps = (0..all).flat_map(|first| [(first, 1), (first, self.columns)]);
        steps.into_iter().any(|(first, step)| {
            let room = if step == 1 {
                self.columns - first % self.columns
            } else {
                self.rows - first / self.columns
            };
            let mut line = 0;
            (0..longest.min(room)).any(|n| {
                line |= 1 << (first + n * step);
                line & own == 0 && visit([line | own, 0, 0, 0, 0])
            })
        })
    }
}
