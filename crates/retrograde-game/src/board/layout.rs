//! [`Layout`] writes and draws positions that are sets of squares of a [`Grid`].

use super::direction::Symmetry;
use super::grid::Grid;
use super::picture::{Mark, Picture, Piece};
use super::squares::{Square, Squares};
use crate::text::TextError;
use crate::values::Seat;

/// A position of `N` disjoint sets of squares.
pub trait SquareSets<const N: usize>: Sized {
    /// The sets.
    fn sets(&self) -> [Squares; N];

    /// The position with these sets.
    fn of_sets(sets: [Squares; N]) -> Self;
}

impl SquareSets<1> for Squares {
    fn sets(&self) -> [Squares; 1] {
        [*self]
    }
    fn of_sets([set]: [Squares; 1]) -> Squares {
        set
    }
}

impl<const N: usize> SquareSets<N> for [Squares; N] {
    fn sets(&self) -> [Squares; N] {
        *self
    }
    fn of_sets(sets: [Squares; N]) -> [Squares; N] {
        sets
    }
}

/// A turn that consists of squares.
pub trait SquareTurn: Sized {
    /// The marks that show it.
    fn marks(&self, grid: Grid) -> Vec<Mark>;

    /// The turn with each square replaced by its image under `to`.
    fn mapped(&self, to: &dyn Fn(Square) -> Square) -> Self;
}

/// A piece is placed on a square.
impl SquareTurn for Square {
    fn marks(&self, grid: Grid) -> Vec<Mark> {
        vec![Mark::Fill(vec![grid.place(*self)])]
    }
    fn mapped(&self, to: &dyn Fn(Square) -> Square) -> Square {
        to(*self)
    }
}

/// All squares of a set are filled.
impl SquareTurn for Squares {
    fn marks(&self, grid: Grid) -> Vec<Mark> {
        vec![Mark::Fill(self.into_iter().map(|square| grid.place(square)).collect())]
    }
    fn mapped(&self, to: &dyn Fn(Square) -> Square) -> Squares {
        self.into_iter().map(to).collect()
    }
}

/// A piece moves from the first square to the second.
impl SquareTurn for (Square, Square) {
    fn marks(&self, grid: Grid) -> Vec<Mark> {
        vec![Mark::Move(grid.place(self.0), grid.place(self.1))]
    }
    fn mapped(&self, to: &dyn Fn(Square) -> Square) -> (Square, Square) {
        (to(self.0), to(self.1))
    }
}

/// A piece is placed, or moves from the first square to the second.
impl SquareTurn for (Option<Square>, Square) {
    fn marks(&self, grid: Grid) -> Vec<Mark> {
        self.0.map_or_else(|| self.1.marks(grid), |from| (from, self.1).marks(grid))
    }
    fn mapped(&self, to: &dyn Fn(Square) -> Square) -> (Option<Square>, Square) {
        (self.0.map(to), to(self.1))
    }
}

/// A piece moves from the first square to the second, or leaves the board.
impl SquareTurn for (Square, Option<Square>) {
    fn marks(&self, grid: Grid) -> Vec<Mark> {
        self.1.map_or_else(|| self.0.marks(grid), |to| (self.0, to).marks(grid))
    }
    fn mapped(&self, to: &dyn Fn(Square) -> Square) -> (Square, Option<Square>) {
        (to(self.0), self.1.map(to))
    }
}

/// A turn or a pass.
impl<T: SquareTurn> SquareTurn for Option<T> {
    fn marks(&self, grid: Grid) -> Vec<Mark> {
        self.as_ref().map_or_else(Vec::new, |turn| turn.marks(grid))
    }
    fn mapped(&self, to: &dyn Fn(Square) -> Square) -> Option<T> {
        self.as_ref().map(|turn| turn.mapped(to))
    }
}

/// All squares of a set are filled, and then there may be a second part.
impl<T: SquareTurn> SquareTurn for (Squares, Option<T>) {
    fn marks(&self, grid: Grid) -> Vec<Mark> {
        [self.0.marks(grid), self.1.marks(grid)].concat()
    }
    fn mapped(&self, to: &dyn Fn(Square) -> Square) -> (Squares, Option<T>) {
        (self.0.mapped(to), self.1.mapped(to))
    }
}

/// Determines how the positions and turns of a game on a [`Grid`] are written and drawn. A game that
/// returns a layout from [`Game::layout`](crate::Game::layout) has texts, pictures and planes.
///
/// A position consists of disjoint sets ([`SquareSets`]), each with a piece, whose letter means
/// it in texts. A turn consists of squares ([`SquareTurn`]). In a position, the first player's pieces
/// are those of the side to move. In the other player's view, the sets of both
/// players are exchanged.
pub struct Layout<'a, P, T> {
    grid: Grid,
    pieces: Vec<Piece>,
    view: Symmetry,
    /// The number of each kind of piece at the start, if pieces that are missing are shown.
    count: u32,
    sets: fn(&P) -> Vec<Squares>,
    of_sets: fn(Vec<Squares>) -> Option<P>,
    marks: fn(&T, Grid) -> Vec<Mark>,
    mapped: fn(&T, &dyn Fn(Square) -> Square) -> T,
    /// Functions that return the reason why a position cannot occur.
    faults: Vec<Box<Fault<'a, P>>>,
}

type Fault<'a, P> = dyn Fn(&P) -> Option<String> + 'a;

impl<'a, P: Clone, T: Clone> Layout<'a, P, T> {
    /// Creates a layout with a piece for each set of a position.
    #[must_use]
    pub fn new<const N: usize>(grid: Grid, pieces: [Piece; N]) -> Layout<'a, P, T>
    where
        P: SquareSets<N>,
        T: SquareTurn,
    {
        Layout {
            grid,
            pieces: pieces.to_vec(),
            view: Symmetry::Identity,
            count: 0,
            sets: |position| position.sets().to_vec(),
            of_sets: |sets| sets.try_into().ok().map(P::of_sets),
            marks: SquareTurn::marks,
            mapped: SquareTurn::mapped,
            faults: Vec::new(),
        }
    }

    /// Sets the half turn or reflection after which the other player sees the board. By default both
    /// players see the same board.
    #[must_use]
    pub fn other_view(mut self, view: Symmetry) -> Layout<'a, P, T> {
        self.view = view;
        self
    }

    /// Shows pieces off the board if there are fewer of a kind than at the start.
    #[must_use]
    pub fn begins_with(mut self, count: u32) -> Layout<'a, P, T> {
        self.count = count;
        self
    }

    /// Rejects texts and planes of positions that do not pass a check, such as whether they have an
    /// index. `reason` completes "this is not a position: …", so it says what is true of positions
    /// that pass.
    #[must_use]
    pub fn only_if(self, check: impl Fn(&P) -> bool + 'a, reason: &'static str) -> Layout<'a, P, T> {
        self.unless(move |position| (!check(position)).then(|| reason.to_owned()))
    }

    /// Rejects texts and planes of a position if `fault` returns a reason.
    #[must_use]
    pub fn unless(mut self, fault: impl Fn(&P) -> Option<String> + 'a) -> Layout<'a, P, T> {
        self.faults.push(Box::new(fault));
        self
    }

    /// The reason why a position cannot occur, or `None` if it can.
    fn fault(&self, position: &P) -> Option<String> {
        self.faults.iter().find_map(|fault| fault(position))
    }

    /// The position with these sets, one per piece.
    fn position(&self, sets: Vec<Squares>) -> P {
        (self.of_sets)(sets).unwrap_or_else(|| unreachable!("one set per piece"))
    }

    fn letters(&self) -> Vec<char> {
        self.pieces.iter().map(|piece| piece.letter).collect()
    }

    /// The places of the pieces after the players are exchanged.
    fn exchanged(&self) -> Vec<usize> {
        let of = |owner| (0..self.pieces.len()).filter(move |&at| self.pieces[at].owner == Some(owner));
        let mut places: Vec<usize> = (0..self.pieces.len()).collect();
        for (first, second) in of(Seat::First).zip(of(Seat::Second)) {
            places.swap(first, second);
        }
        places
    }
}

/// The defaults of [`Game`](crate::Game) and [`Show`](crate::Show).
impl<P: Clone, T: Clone> Layout<'_, P, T> {
    pub(crate) fn parse_position(&self, text: &str) -> Result<P, TextError> {
        let position = self.parse_unchecked(text)?;
        match self.fault(&position) {
            Some(reason) => Err(TextError::impossible("position", text, reason)),
            None => Ok(position),
        }
    }

    /// Parses a position in which the second player is to move, as the first player sees it.
    pub(crate) fn parse_board(&self, text: &str) -> Result<P, TextError> {
        // The conversion is its own inverse.
        let position = self.first_view(&self.parse_unchecked(text)?, Seat::Second);
        let Some(reason) = self.fault(&position) else { return Ok(position) };
        let (letters, exchanged) = (self.letters(), self.exchanged());
        let in_text = |word: &str| {
            let at = letters.iter().position(|letter| word.chars().eq([*letter]));
            at.map_or(word.to_owned(), |at| letters[exchanged[at]].to_string())
        };
        let reason: Vec<String> = reason.split('`').map(in_text).collect();
        Err(TextError::impossible("position", text, reason.join("`")))
    }

    fn parse_unchecked(&self, text: &str) -> Result<P, TextError> {
        let mut sets = vec![Squares::EMPTY; self.pieces.len()];
        self.grid.parse_into(&mut sets, &self.letters(), text)?;
        Ok(self.position(sets))
    }

    /// Whether pieces belong to the players, who then see different positions.
    pub(crate) fn has_sides(&self) -> bool {
        self.pieces.iter().any(|piece| piece.owner.is_some())
    }

    pub(crate) fn position_text(&self, position: &P) -> String {
        self.grid.text(self.letters(), (self.sets)(position))
    }

    /// The names of the squares, or `pass` without any. Squares of a filled set are in
    /// the order of their columns, then of their rows from below.
    pub(crate) fn turn_text(&self, turn: &T) -> String {
        let name = |place| self.grid.name_of(place);
        let squares = (self.marks)(turn, self.grid).into_iter().flat_map(|mark| match mark {
            Mark::Move(from, to) | Mark::Push(from, to) => vec![name(from), name(to)],
            Mark::Fill(mut places) => {
                places.sort_by_key(|place| (place.column, std::cmp::Reverse(place.row)));
                places.into_iter().map(name).collect()
            }
        });
        let text: String = squares.collect();
        if text.is_empty() { "pass".to_owned() } else { text }
    }

    pub(crate) fn picture(&self, position: &P, to_move: Seat) -> Picture {
        let sets = (self.sets)(&self.first_view(position, to_move));
        let mut picture = self.grid.picture(to_move, self.palette(), sets.iter().copied());
        for (&piece, set) in self.pieces.iter().zip(sets) {
            let taken = self.count.saturating_sub(set.len()) as usize;
            picture.off_board.extend(std::iter::repeat_n(piece, taken));
        }
        picture
    }

    /// The marks of a turn in the first player's view. A move to an opponent's piece captures it.
    pub(crate) fn marks(&self, position: &P, turn: &T, to_move: Seat) -> Vec<Mark> {
        let before = self.grid.picture(to_move, self.palette(), (self.sets)(position));
        let is_taken =
            |place| before.at(place).flatten().is_some_and(|piece| piece.owner == Some(Seat::Second));
        let own = (self.marks)(turn, self.grid);
        let seen = (self.marks)(&self.first_view_of_turn(turn, to_move), self.grid);
        let mark = |(own, seen)| match (own, seen) {
            (Mark::Move(_, to), Mark::Move(from, seen_to)) if is_taken(to) => Mark::Push(from, seen_to),
            (_, seen) => seen,
        };
        own.into_iter().zip(seen).map(mark).collect()
    }

    pub(crate) fn first_view(&self, position: &P, to_move: Seat) -> P {
        if to_move == Seat::First {
            return position.clone();
        }
        let sets = (self.sets)(position);
        let seen = |place| self.grid.image(self.view, sets[place]);
        self.position(self.exchanged().into_iter().map(seen).collect())
    }

    pub(crate) fn first_view_of_turn(&self, turn: &T, to_move: Seat) -> T {
        if to_move == Seat::First || self.view == Symmetry::Identity {
            return turn.clone();
        }
        let to = self.grid.permutation(self.view);
        (self.mapped)(turn, &|square| Square(to[square.index()]))
    }

    pub(crate) fn palette(&self) -> Vec<Piece> {
        self.pieces.clone()
    }

    pub(crate) fn plane_names(&self) -> Vec<&'static str> {
        let name = |piece: &Piece| match piece.owner {
            Some(Seat::First) => "own pieces",
            Some(Seat::Second) => "opponent pieces",
            None => "other pieces",
        };
        self.pieces.iter().map(name).collect()
    }

    pub(crate) fn plane_shape(&self) -> (usize, usize) {
        (self.grid.rows() as usize, self.grid.columns() as usize)
    }

    pub(crate) fn planes(&self, position: &P, out: &mut [u8]) {
        self.grid.planes((self.sets)(position), out);
    }

    /// The position with these planes, or the reason why it does not exist.
    pub(crate) fn position_of_planes(&self, planes: &[u8]) -> Result<P, String> {
        let mut sets = vec![Squares::EMPTY; self.pieces.len()];
        if !self.grid.planes_into(&mut sets, planes) {
            return Err("every value must be 0 or 1".to_owned());
        }
        let pieces: u32 = sets.iter().map(|set| set.len()).sum();
        if sets.iter().fold(Squares::EMPTY, |all, &set| all | set).len() < pieces {
            return Err("two pieces are on one square".to_owned());
        }
        let position = self.position(sets);
        self.fault(&position).map_or(Ok(position), Err)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::PieceShape;

    /// Two sides that sit opposite each other, and a neutral piece.
    fn layout<T: SquareTurn + Clone>() -> Layout<'static, [Squares; 3], T> {
        let [x, o] = Piece::sides(PieceShape::Round);
        let neutral = Piece { letter: 'n', ..Piece::FILLED };
        let layout = Layout::new(Grid::new(3, 2).unwrap(), [x, o, neutral]).other_view(Symmetry::HalfTurn);
        layout.only_if(|[_, _, neutral]: &[Squares; 3]| neutral.len() == 1, "one piece is neutral")
    }

    #[test]
    fn texts_planes_and_views_come_from_the_sets() {
        let layout = layout::<Square>();
        let position = layout.parse_position("X.O/n..").unwrap();
        assert_eq!(layout.position_text(&position), "X.O/n..");
        let seen = layout.first_view(&position, Seat::Second);
        assert_eq!(layout.position_text(&seen), "..n/X.O");
        assert_eq!(layout.first_view(&position, Seat::First), position);
        assert_eq!(layout.first_view(&seen, Seat::Second), position);
        assert_eq!(layout.picture(&position, Seat::Second).squares[2], Some(Some(layout.palette()[2])));
        let error = layout.parse_position("X.O/...").unwrap_err();
        assert_eq!(error.reason(), "one piece is neutral");
        let mut planes = [7; 18];
        layout.planes(&position, &mut planes);
        assert_eq!(layout.position_of_planes(&planes), Ok(position));
        planes[2] = 1; // An `X` where `O` is.
        assert_eq!(layout.position_of_planes(&planes), Err("two pieces are on one square".to_owned()));
        planes[2] = 2;
        assert_eq!(layout.position_of_planes(&planes), Err("every value must be 0 or 1".to_owned()));
        assert_eq!((layout.plane_shape(), layout.plane_names().len()), ((2, 3), 3));
    }

    /// The text of a turn as its player sees it, and as the other player does.
    fn texts<T: SquareTurn + Clone>(turn: T) -> [String; 2] {
        let layout = layout::<T>();
        [Seat::First, Seat::Second].map(|seat| layout.turn_text(&layout.first_view_of_turn(&turn, seat)))
    }

    #[test]
    fn turns_name_their_squares() {
        let (a, b) = (Square(0), Square(4));
        assert_eq!(texts(a), ["a2", "c1"]);
        assert_eq!(texts(a.set() | Square(3).set()), ["a1a2", "c1c2"]);
        assert_eq!(texts((a, b)), ["a2b1", "c1b2"]);
        assert_eq!(texts((Some(a), b)), ["a2b1", "c1b2"]);
        assert_eq!(texts((None, b)), ["b1", "b2"]);
        assert_eq!(texts((a, Some(b))), ["a2b1", "c1b2"]);
        assert_eq!(texts((a, None)), ["a2", "c1"]);
        assert_eq!(texts((a.set(), Some((a, b)))), ["a2a2b1", "c1c1b2"]);
        assert_eq!(texts((a.set(), None::<Square>)), ["a2", "c1"]);
        assert_eq!(texts(Some(a)), ["a2", "c1"]);
        assert_eq!(texts(None::<Square>), ["pass", "pass"]);
        let grid = Grid::new(3, 2).unwrap();
        let (from, to) = (grid.place(a), grid.place(b));
        assert_eq!((a, b).marks(grid), [Mark::Move(from, to)]);
        assert_eq!((a.set(), Some(b)).marks(grid), [Mark::Fill(vec![from]), Mark::Fill(vec![to])]);
    }
}
