//! Positions, turns, and reverse turns.

use retrograde_game::{Flow, Outcome, Seat, Square, Squares};

use super::board::Board;

/// The men of both sides, seen by the side to move, and the men that are not placed yet.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Position {
    pub(super) own: Squares,
    pub(super) other: Squares,
    /// The number of men in both hands together. The side to move has the same number as the other
    /// side, or one more.
    pub(super) in_hands: u8,
}

impl Position {
    /// The numbers of men that the side to move and the other side still have to place.
    pub(super) fn hands(&self) -> [u32; 2] {
        hands(self.in_hands)
    }
}

/// Divides the men in both hands between the side to move and the other side.
pub(super) fn hands(in_hands: u8) -> [u32; 2] {
    [u32::from(in_hands).div_ceil(2), u32::from(in_hands) / 2]
}

/// A man is placed or moved, and may take another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Turn {
    /// The point that the man leaves; `None` if it is placed.
    pub from: Option<Square>,
    /// The point that the man reaches.
    pub to: Square,
    /// The opposing man that is taken after a mill.
    pub takes: Option<Square>,
}

/// The rules of a Morris game.
#[derive(Clone, Debug)]
pub(super) struct Rules {
    pub board: Board,
    /// The number of men of each side at the beginning.
    pub men: u32,
    /// Whether a mill wins immediately instead of taking a man.
    pub mill_wins: bool,
    /// When men move to any empty point: always, or with three left.
    pub flying: Flying,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Flying {
    Never,
    WithThree,
    Always,
}

impl Rules {
    /// Whether there can be `own` and `other` men on the board, of the side to move and the other
    /// side, with `in_hands` men in both hands. A player takes at most one man with each man placed
    /// from the third on. A player with only two men left has lost and is to move.
    pub fn can_occur(&self, own: u32, other: u32, in_hands: u8) -> bool {
        let hands = hands(in_hands);
        let [own_placed, other_placed] = hands.map(|hand| self.men - hand);
        if own > own_placed || other > other_placed {
            return false;
        }
        if self.mill_wins {
            return own == own_placed && other == other_placed;
        }
        let taken_while_placing = |by: u32, taken: u32| in_hands == 0 || taken <= by.saturating_sub(2);
        own + hands[0] >= 2
            && other + hands[1] >= 3
            && taken_while_placing(other_placed, own_placed - own)
            && taken_while_placing(own_placed, other_placed - other)
    }

    /// The reason why a position cannot occur, if the rules show it; `X` is the first player. Does not
    /// check for overlapping sets.
    pub fn fault(&self, position: &Position, to_move: Seat) -> Option<String> {
        let Position { own, other, in_hands } = *position;
        if u32::from(in_hands) > 2 * self.men {
            return Some(format!("{in_hands} men in both hands, but at most {} are possible", 2 * self.men));
        }
        if !self.can_occur(own.len(), other.len(), in_hands) {
            let [own_hand, other_hand] = position.hands();
            let [x, o] = match to_move {
                Seat::First => [(own.len(), own_hand), (other.len(), other_hand)],
                Seat::Second => [(other.len(), other_hand), (own.len(), own_hand)],
            };
            return Some(format!(
                "{} men `X` with {} in hand and {} men `O` with {} in hand are not possible",
                x.0, x.1, o.0, o.1
            ));
        }
        self.has_won(position).then(|| "the side to move has a mill and has already won".to_owned())
    }

    pub fn start(&self) -> Position {
        Position { own: Squares::EMPTY, other: Squares::EMPTY, in_hands: 2 * self.men as u8 }
    }

    pub fn result(&self, position: &Position) -> Option<Outcome> {
        let lost = if self.mill_wins {
            self.has_mill(position.other)
        } else {
            position.own.len() + position.hands()[0] < 3
        };
        lost.then_some(Outcome::Loss)
    }

    /// Whether the side to move has already won, which is impossible.
    #[inline]
    pub fn has_won(&self, position: &Position) -> bool {
        self.mill_wins && self.has_mill(position.own)
    }

    /// Whether the other side has three men left, on the board and in hand, so that taking one wins.
    pub fn last_three(&self, position: &Position) -> bool {
        !self.mill_wins && position.other.len() + position.hands()[1] == 3
    }

    /// Whether a turn wins that leaves its side with the men `mine` and takes a man of the other
    /// side if `taken`. The other side must have had at least the [last three](Rules::last_three).
    #[inline]
    pub fn wins_by(&self, mine: Squares, taken: bool, last_three: bool) -> bool {
        if self.mill_wins { self.has_mill(mine) } else { taken && last_three }
    }

    pub fn has_mill(&self, men: Squares) -> bool {
        self.board.mills.iter().any(|&mill| mill & men == mill)
    }

    /// Whether a side with `men` men on the board may move to any empty point.
    fn flies(&self, men: u32) -> bool {
        match self.flying {
            Flying::Never => false,
            Flying::WithThree => men == 3,
            Flying::Always => true,
        }
    }

    /// The points next to a point, or all points for flying men.
    fn reached(&self, from: Square, flies: bool) -> Squares {
        if flies { self.board.all() } else { self.board.neighbours[usize::from(from.0)] }
    }

    /// Visits all turns with the positions they lead to. The game must not be over.
    pub fn each_turn(&self, position: &Position, mut visit: impl FnMut(Turn, Position) -> Flow) -> Flow {
        let in_hands = position.in_hands.saturating_sub(1);
        self.each_arrival(position, |from, to, mine| match self.closes_mill(mine, to) {
            false => {
                let after = Position { own: position.other, other: mine, in_hands };
                visit(Turn { from, to, takes: None }, after)
            }
            true => self.board.removable(position.other).into_iter().try_for_each(|taken| {
                let after = Position { own: position.other.without(taken), other: mine, in_hands };
                visit(Turn { from, to, takes: Some(taken) }, after)
            }),
        })
    }

    /// Visits the men on the board after every turn of a position that is not over: the other
    /// side's men, the men of the side that moved, and whether a man was taken. Builds no turns,
    /// because solvers do not need them.
    #[inline]
    pub fn each_board_after(
        &self,
        position: &Position,
        mut visit: impl FnMut(Squares, Squares, bool) -> Flow,
    ) -> Flow {
        let other = position.other;
        self.each_arrival(position, |_, to, mine| match self.closes_mill(mine, to) {
            false => visit(other, mine, false),
            true => {
                let removable = self.board.removable(other);
                removable.into_iter().try_for_each(|taken| visit(other.without(taken), mine, true))
            }
        })
    }

    /// Visits for every placement or move: the point that the man leaves, if it was on the board,
    /// the point it reaches, and all men of its side afterwards.
    #[inline(always)]
    fn each_arrival(
        &self,
        position: &Position,
        mut visit: impl FnMut(Option<Square>, Square, Squares) -> Flow,
    ) -> Flow {
        let Position { own, other, in_hands } = *position;
        let empty = self.board.all() & !(own | other);
        if in_hands > 0 {
            return empty.into_iter().try_for_each(|to| visit(None, to, own.with(to)));
        }
        let flies = self.flies(own.len());
        for from in own {
            for to in self.reached(from, flies) & empty {
                visit(Some(from), to, own.without(from).with(to))?;
            }
        }
        Flow::Continue(())
    }

    /// Whether a man that has arrived at a point is part of a mill and so takes another man.
    #[inline]
    fn closes_mill(&self, men: Squares, point: Square) -> bool {
        !self.mill_wins && self.board.is_in_mill(men, point)
    }

    pub fn play(&self, position: &Position, turn: &Turn) -> Position {
        let stay = turn.from.map_or(position.own, |from| position.own.without(from));
        Position {
            own: turn.takes.map_or(position.other, |taken| position.other.without(taken)),
            other: stay.with(turn.to),
            in_hands: position.in_hands - u8::from(turn.from.is_none()),
        }
    }

    /// Visits the predecessors of a position, including positions with the wrong numbers of men.
    /// Each has a turn to this position if it is legal and not over.
    pub fn each_before(&self, position: &Position, mut visit: impl FnMut(Position) -> Flow) -> Flow {
        // `mine` are the men of the player who has just moved.
        let Position { own: theirs, other: mine, in_hands } = *position;
        let empty = self.board.all() & !(mine | theirs);
        let mut leave = |to: Square, stay: Squares, from: Option<Square>| {
            let in_hands = in_hands + u8::from(from.is_none());
            let before = from.map_or(stay, |from| stay.with(from));
            if !self.closes_mill(mine, to) {
                return visit(Position { own: before, other: theirs, in_hands });
            }
            // The turn closed a mill and took a man from a point that is empty now.
            let points = from.map_or(empty, |from| empty.without(from));
            for taken in points {
                let more = theirs.with(taken);
                if self.board.removable(more).contains(taken) {
                    visit(Position { own: before, other: more, in_hands })?;
                }
            }
            Flow::Continue(())
        };
        let flies = self.flies(mine.len());
        for to in mine {
            let stay = mine.without(to);
            if in_hands == 0 {
                for from in self.reached(to, flies) & empty {
                    leave(to, stay, Some(from))?;
                }
            }
            leave(to, stay, None)?;
        }
        Flow::Continue(())
    }

    /// Of these, visits the positions before a move that took no man. There must be no men in hand.
    pub fn each_move_before(&self, position: &Position, mut visit: impl FnMut(Position) -> Flow) -> Flow {
        let Position { own: theirs, other: mine, in_hands } = *position;
        let empty = self.board.all() & !(mine | theirs);
        let flies = self.flies(mine.len());
        for to in mine.into_iter().filter(|&to| !self.closes_mill(mine, to)) {
            for from in self.reached(to, flies) & empty {
                visit(Position { own: mine.without(to).with(from), other: theirs, in_hands })?;
            }
        }
        Flow::Continue(())
    }
}
