//! The game for the solvers: numbering, layers, and reverse turns.

use std::ops::Range;

use retrograde_game::{
    Dense, Flow, Game, Index, Layered, Outcome, Predecessors, Successor, numbers, side_by_side,
};

use crate::board::Position;
use crate::count;
use crate::numbering::Numbering;
use crate::rules::TouchDown;

impl TouchDown {
    /// Whether the board is small enough to number its positions. If not, [`Dense::index`] and
    /// [`Dense::position`] return `None` and there are no layers, but [`Dense::index_count`] still
    /// counts.
    pub fn has_numbering(&self) -> bool {
        Numbering::exists(self.board.columns, self.board.rows)
    }
}

impl Dense for TouchDown {
    const INDEX_VERSION: u32 = 1;

    /// The number of legal positions in which the game is not over. These are numbered without gaps.
    fn index_count(&self) -> u128 {
        count::open(self.board.columns, self.board.rows)
    }

    fn index(&self, position: &Position) -> Option<Index> {
        if self.over(*position) || self.fault(position.own, position.other).is_some() {
            return None;
        }
        Some(Index(self.numbering()?.index(*position)))
    }

    fn position(&self, index: Index) -> Option<Position> {
        self.numbering()?.position(index.0)
    }

    fn unnumbered(&self) -> Vec<(Outcome, u128)> {
        vec![(Outcome::Loss, self.position_count() - self.index_count())]
    }

    fn index_memory(&self) -> u64 {
        Numbering::memory_for(self.board.columns, self.board.rows)
    }

    fn walk_down(&self, indices: Range<Index>, mut visit: impl FnMut(Index, Position) -> Flow) -> Flow {
        let Some(numbering) = self.numbering() else { return Flow::Continue(()) };
        numbering.walk_down(numbers(indices), |index, position| visit(Index(index), position))
    }

    fn each_numbered_successor(&self, position: &Position, mut visit: impl FnMut(Successor) -> Flow) -> Flow {
        let Some(numbering) = self.numbering() else { return Flow::Continue(()) };
        self.each_turn(*position, |_, next| {
            visit(if self.over(next) {
                Successor::Terminal(Outcome::Loss)
            } else {
                Successor::At(Index(numbering.index(next)))
            })
        })
    }
}

impl Layered for TouchDown {
    fn layer_count(&self) -> usize {
        self.numbering().map_or(0, |numbering| numbering.layer_count())
    }

    fn layer(&self, layer: usize) -> Vec<Range<Index>> {
        let Some(numbering) = self.numbering() else { return Vec::new() };
        side_by_side(numbering.layer(layer))
    }
}

impl Predecessors for TouchDown {
    fn each_predecessor(&self, position: &Position, mut visit: impl FnMut(Position) -> Flow) -> Flow {
        if !self.has_numbering() {
            return Flow::Continue(());
        }
        // Seen by the player who has just moved.
        let Position { own, other } = self.board.swap(position.own, position.other);
        let empty = self.board.all & !(own | other);
        let mut visit = |own, other| match self.place(own, other) {
            Some(previous) if !self.over(previous) => visit(previous),
            _ => Flow::Continue(()),
        };
        for to in own & !self.board.bottom {
            let stay = own.without(to);
            let behind = to.set() << self.board.columns;
            if behind.intersects(empty) {
                visit(stay | behind, other)?;
            }
            for from in self.board.captors(to) & empty {
                visit(stay.with(from), other.with(to))?;
            }
        }
        Flow::Continue(())
    }
}
