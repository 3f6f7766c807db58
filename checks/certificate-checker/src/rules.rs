//! The questions that the checker asks of a game, and their answers for TouchDown and Tactics.

/// A position, seen by the side to move, as sets of squares: bit n is square n, counted row by row
/// from the top. Push Fight: own pushers, own pawns, the opponent's pushers, its pawns, its anchored
/// pusher. TouchDown: own pawns, the opponent's. Tactics: the filled squares.
pub type Position = [u64; 5];

/// A game. A player who has no turn has lost.
pub trait Rules: Sync {
    fn read(&self, text: &str) -> Option<Position>;
    /// The position in which the game begins.
    fn start(&self) -> Position;
    /// Whether the side to move has won (true) or lost (false), if the game is over.
    fn result(&self, position: &Position) -> Option<bool>;
    /// Visits the position after every turn, seen by the other side, until `visit` says true;
    /// whether it did.
    fn any_turn(&self, position: &Position, visit: &mut dyn FnMut(Position) -> bool) -> bool;
    /// The parts of a position, the same for all positions that differ only in ways that no turn
    /// notices. Here that is the position itself.
    fn parts(&self, position: &Position) -> Vec<u64> {
        position.to_vec()
    }
    /// Whether some turn ends the game in favour of the side that makes it.
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

/// Reads a position of `count` squares by letters with the sets that they stand for. Rows may be
/// joined by `/`.
pub fn read_squares(text: &str, count: usize, letters: &[(char, &[usize])]) -> Option<Position> {
    let (mut position, mut square) = ([0; 5], 0);
    for letter in text.chars().filter(|&letter| letter != '/') {
        let (_, sets) = letters.iter().find(|known| known.0 == letter && square < count)?;
        sets.iter().for_each(|&set| position[set] |= 1 << square);
        square += 1;
    }
    (square == count).then_some(position)
}

/// A grid on which TouchDown or Tactics is played; at most 63 squares.
pub struct Grid {
    pub columns: usize,
    pub rows: usize,
    /// Tactics: the longest line, and whether who fills the last square wins. Else TouchDown.
    pub tactics: Option<(usize, bool)>,
}

impl Grid {
    /// Rows of a set of squares, given by their columns and rows, in the upper left corner: of the
    /// eight images the one with the least rows.
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

    /// Tactics: no line reaches from one connected set of empty squares to another, so a turn is one in
    /// one of them, and it does not matter where they lie and how they are turned. Where a line is one
    /// square, every square is by itself.
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
        // The number of rows before the rows keeps one shape apart from the next.
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

    /// Tactics: a turn fills neighbouring empty squares of a row or a column. TouchDown: a pawn goes
    /// one row up, straight to an empty square or diagonally to capture.
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
