//! Push Fight on any board of up to 64 squares.
//!
//! Before the first push each side places all its pieces on its own squares. Then a turn is up to
//! `moves` moves of own pieces along empty squares, and a push. Pushes that eject an own piece are left out:
//! their player has lost, so they do not affect whether the side can lose.

use std::collections::HashSet;

use crate::rules::{Position, Rules, read_squares, squares};

/// The offsets in rows and columns of the squares above, right, below and left.
const DIRECTIONS: [(isize, isize); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];

/// The mover's pushers and pawns.
type Own = (u64, u64);

pub struct PushFight {
    /// The neighbour of each square in each direction.
    next: Vec<[Option<usize>; 4]>,
    /// Whether each square has a rail in each direction.
    rail: Vec<[bool; 4]>,
    /// The pushers and pawns of the first and the second player.
    pieces: [(u32, u32); 2],
    /// The squares on which they place them.
    halves: [u64; 2],
    /// The moves of a turn; `None` for any number.
    moves: Option<u32>,
    start: Position,
}

impl PushFight {
    /// Parses the rules: pieces, moves, squares to place on, and the drawing of the board, with `+` between
    /// squares, `#` for gaps, and `-` and `|` for rails.
    pub fn new(value: &dyn Fn(&str) -> Option<String>, drawing: &[&str]) -> Option<PushFight> {
        let at = |line: isize, column: isize| {
            let line = drawing.get(usize::try_from(line).ok()?)?;
            line.as_bytes().get(usize::try_from(column).ok()?).map(|&byte| char::from(byte))
        };
        let (rows, columns) = (drawing.len() as isize / 2, drawing.first()?.len() as isize / 2);
        let grid = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        let cell = |&(row, column): &_| at(2 * row + 1, 2 * column + 1).filter(|&cell| cell != '#');
        let places: Vec<_> = grid.filter(|place| cell(place).is_some()).take(65).collect();
        let find = |place: (isize, isize)| places.iter().position(|&known| known == place);
        let (mut next, mut rail) = (Vec::new(), Vec::new());
        for &(row, column) in &places {
            next.push(DIRECTIONS.map(|(down, right)| find((row + down, column + right))));
            let edge = |(down, right)| at(2 * row + 1 + down, 2 * column + 1 + right);
            rail.push(DIRECTIONS.map(|direction| matches!(edge(direction), Some('-' | '|'))));
        }
        if places.len() > 64 {
            return None;
        }
        let count = |key, side: usize| value(key)?.split('-').nth(side)?.parse().ok();
        let half = |key| {
            let named = |name: &str| {
                let column = name.bytes().next()?.checked_sub(b'a')?;
                find((rows - name.get(1..)?.parse::<isize>().ok()?, column.into()))
            };
            value(key)?.split(',').try_fold(0, |all, name| Some(all | 1_u64 << named(name)?))
        };
        let pieces = |side| Some((count("pushers", side)?, count("pawns", side)?));
        let moves = value("moves")?;
        let mut game = PushFight {
            next,
            rail,
            pieces: [pieces(0)?, pieces(1)?],
            halves: [half("first")?, half("second")?],
            moves: if moves == "unlimited" { None } else { Some(moves.parse().ok()?) },
            start: [0; 5],
        };
        game.start = game.read(&places.iter().filter_map(cell).collect::<String>())?;
        (game.halves[0] & game.halves[1] == 0).then_some(game)
    }

    /// The half on which the side to move places its pieces; `None` after that.
    fn placing(&self, position: &Position) -> Option<usize> {
        let [pushers, pawns, others, other_pawns, anchor] = *position;
        (pushers | pawns | anchor == 0).then_some(usize::from(others | other_pawns != 0))
    }

    /// The position after a push in a direction, if that is legal.
    fn push(&self, position: &Position, own: Own, from: usize, direction: usize) -> Option<Position> {
        let sides = [own.0, own.1, position[2], position[3]];
        let occupied = sides[0] | sides[1] | sides[2] | sides[3];
        let (mut line, mut last) = (1 << from, from);
        while let Some(ahead) = self.next[last][direction].filter(|&ahead| occupied >> ahead & 1 == 1) {
            if position[4] >> ahead & 1 == 1 {
                return None;
            }
            (line, last) = (line | 1 << ahead, ahead);
        }
        // The last piece can go over an edge without a rail, but it must not be an own piece.
        let over_edge = self.next[last][direction].is_none();
        if last == from || over_edge && (self.rail[last][direction] || (own.0 | own.1) >> last & 1 == 1) {
            return None;
        }
        let shifted = sides.map(|set| {
            let ahead = squares(set & line).filter_map(|square| self.next[square][direction]);
            ahead.fold(set & !line, |all, square| all | 1 << square)
        });
        Some([shifted[2], shifted[3], shifted[0], shifted[1], 1 << self.next[from][direction]?])
    }

    /// The empty squares that a piece can reach, and all squares next to its way.
    fn reach(&self, from: usize, empty: u64) -> (u64, u64) {
        let (mut reached, mut beside, mut rest) = (0, 0, 1_u64 << from);
        while rest != 0 {
            let beside_one = self.next[rest.trailing_zeros() as usize].iter().flatten();
            let around = beside_one.fold(0, |all, square| all | 1 << square);
            rest = rest & (rest - 1) | around & empty & !reached;
            (reached, beside) = (reached | around & empty, beside | around);
        }
        (reached, beside)
    }

    /// Visits the mover's pieces after at most a number of moves, until `visit` returns true.
    fn any_moved(&self, position: &Position, most: Option<u32>, visit: &mut dyn FnMut(Own) -> bool) -> bool {
        let own = (position[0], position[1]);
        let (mut seen, mut layer, mut moves) = (HashSet::from([own]), vec![own], 0);
        while !layer.is_empty() {
            if layer.iter().any(|&own| visit(own)) {
                return true;
            }
            let mut further = Vec::new();
            for own in layer.into_iter().filter(|_| most.is_none_or(|most| moves < most)) {
                let empty = !(own.0 | own.1 | position[2] | position[3]);
                for from in squares(own.0 | own.1) {
                    let ways = squares(self.reach(from, empty).0).map(|to| moved(own, from, to));
                    further.extend(ways.filter(|&own| seen.insert(own)));
                }
            }
            (layer, moves) = (further, moves + 1);
        }
        false
    }

    /// The first empty squares behind the opponent's pieces at an edge, where a last move may help to eject
    /// one.
    fn gaps(&self, position: &Position, own: Own) -> u64 {
        let [_, _, others, other_pawns, anchor] = *position;
        let occupied = own.0 | own.1 | others | other_pawns;
        let mut gaps = 0;
        for piece in squares((others | other_pawns) & !anchor) {
            for d in (0..4).filter(|&d| self.next[piece][d].is_none() && !self.rail[piece][d]) {
                let mut at = Some(piece);
                while let Some(square) = at.filter(|&square| (occupied & !anchor) >> square & 1 == 1) {
                    at = self.next[square][(d + 2) % 4];
                }
                gaps |= at.map_or(0, |square| 1 << square) & !occupied;
            }
        }
        gaps
    }
}

/// The own pieces after one has moved from a square to another.
fn moved(own: Own, from: usize, to: usize) -> Own {
    let change = 1 << from | 1 << to;
    if own.0 >> from & 1 == 1 { (own.0 ^ change, own.1) } else { (own.0, own.1 ^ change) }
}

/// All subsets of a given size.
fn subsets(from: u64, count: u32) -> Vec<u64> {
    if count == 0 {
        return vec![0];
    }
    let above = |first: usize| from & !(u64::MAX >> (63 - first));
    let with = |first| subsets(above(first), count - 1).into_iter().map(move |set| set | 1 << first);
    squares(from).flat_map(with).collect()
}

impl Rules for PushFight {
    fn read(&self, text: &str) -> Option<Position> {
        let letters: [(char, &[usize]); 6] =
            [('.', &[]), ('O', &[0]), ('o', &[1]), ('X', &[2]), ('x', &[3]), ('Y', &[2, 4])];
        read_squares(text, self.next.len(), &letters).filter(|read| read[4].count_ones() <= 1)
    }

    fn start(&self) -> Position {
        self.start
    }

    /// A side has lost if one of its pieces was ejected, by the opponent.
    fn result(&self, position: &Position) -> Option<bool> {
        let all: u32 = self.pieces.iter().map(|(pushers, pawns)| pushers + pawns).sum();
        let here: u32 = position[..4].iter().map(|set| set.count_ones()).sum();
        (here < all && self.placing(position).is_none()).then_some(false)
    }

    fn any_turn(&self, position: &Position, visit: &mut dyn FnMut(Position) -> bool) -> bool {
        if let Some(half) = self.placing(position) {
            let (room, (pushers, pawns)) = (self.halves[half], self.pieces[half]);
            return subsets(room, pushers).into_iter().any(|pushers| {
                let mut pawns = subsets(room & !pushers, pawns).into_iter();
                pawns.any(|pawns| visit([position[2], position[3], pushers, pawns, 0]))
            });
        }
        self.any_moved(position, self.moves, &mut |own| {
            let mut pushes = squares(own.0).flat_map(|from| (0..4).map(move |d| (from, d)));
            pushes.any(|(from, d)| self.push(position, own, from, d).is_some_and(&mut *visit))
        })
    }

    /// Tries all moves; the last one only needs to go to a gap.
    fn wins_at_once(&self, position: &Position) -> bool {
        let before_last = self.moves.map(|moves| moves.saturating_sub(1));
        let ejected = |next: Position| self.result(&next).is_some();
        let ejects = |own: Own| {
            let mut pushes = squares(own.0).flat_map(|from| (0..4).map(move |d| (from, d)));
            pushes.any(|(from, d)| self.push(position, own, from, d).is_some_and(ejected))
        };
        let mut visit = |own: Own| {
            let gaps = if self.moves == Some(0) { 0 } else { self.gaps(position, own) };
            let empty = !(own.0 | own.1 | position[2] | position[3]);
            let fills = |to| {
                let sources = self.reach(to, empty).1 & (own.0 | own.1);
                squares(sources).any(|from| ejects(moved(own, from, to)))
            };
            ejects(own) || squares(gaps).any(fills)
        };
        self.placing(position).is_none() && self.any_moved(position, before_last, &mut visit)
    }
}
