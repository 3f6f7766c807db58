//! A position as it is to be drawn by someone else: every square by its name, with what stands on
//! it, and what a turn does. [`Picture`] is the same for those who draw here.

use retrograde_game::{Mark, Picture, Piece, Place, Seat, Shape, Side};
use serde::Serialize;

use crate::{Error, Explore};

/// A position as the first player sees it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct View {
    /// The canonical name of the game.
    pub game: String,
    /// The position, seen by the side to move.
    pub position: String,
    /// The player to move.
    pub to_move: &'static str,
    /// The outcome for the side to move if the game is over: `win`, `loss` or `draw`.
    pub over: Option<&'static str>,
    /// Columns of the grid.
    pub columns: u16,
    /// Rows of the grid.
    pub rows: u16,
    /// `rows` × `columns` entries, the top row first; null where there is no square.
    pub squares: Vec<Option<ViewSquare>>,
    /// Where pieces cannot fall off.
    pub rails: Vec<ViewRail>,
    /// The effects of the given turn; empty if none was given.
    pub marks: Vec<ViewMark>,
    /// The given turn as the first player sees it.
    pub turn_on_board: Option<String>,
    /// The pieces that a position of this game can be set up with.
    pub palette: Vec<ViewPiece>,
}

/// A square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ViewSquare {
    /// Its name, such as `b2`.
    pub name: String,
    /// The piece on it.
    pub piece: Option<ViewPiece>,
}

/// A piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ViewPiece {
    /// `round`, `square`, `pawn` or `cross`.
    pub shape: &'static str,
    /// The owner; null if it is nobody's.
    pub owner: Option<&'static str>,
    /// True if the anchor stands on it.
    pub anchored: bool,
    /// The letter that stands for it in the first player's view.
    pub letter: char,
}

/// A rail along one side of a square.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ViewRail {
    /// The square.
    pub square: String,
    /// `top`, `right`, `bottom` or `left`.
    pub side: &'static str,
}

/// A part of what a turn does.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ViewMark {
    /// `move`: a piece goes to an empty square; `push`: it pushes or captures what stands there;
    /// `fill`: the squares are filled.
    pub kind: &'static str,
    /// From which square to which; what is filled.
    pub squares: Vec<String>,
}

fn name(picture: &Picture, place: Place) -> String {
    format!("{}{}", Picture::column_label(place.column), picture.row_label(place.row))
}

impl From<Piece> for ViewPiece {
    fn from(piece: Piece) -> ViewPiece {
        let shape = match piece.shape {
            Shape::Round => "round",
            Shape::Square => "square",
            Shape::Pawn => "pawn",
            Shape::Cross => "cross",
        };
        let (owner, anchored, letter) = (piece.owner.map(Seat::word), piece.anchored, piece.letter);
        ViewPiece { shape, owner, anchored, letter }
    }
}

fn mark(picture: &Picture, mark: &Mark) -> ViewMark {
    let named = |places: &[Place]| places.iter().map(|&place| name(picture, place)).collect();
    let (kind, squares) = match mark {
        Mark::Move(from, to) => ("move", named(&[*from, *to])),
        Mark::Push(from, to) => ("push", named(&[*from, *to])),
        Mark::Fill(places) => ("fill", named(places)),
    };
    ViewMark { kind, squares }
}

impl View {
    /// A position, and a turn if one is given, in its maker's words.
    ///
    /// # Errors
    /// If a text cannot be read or the turn is not legal.
    pub fn new(game: &dyn Explore, position: &str, to_move: Seat, turn: Option<&str>) -> Result<View, Error> {
        let turns: Vec<String> = turn.map(str::to_owned).into_iter().collect();
        let Some(scene) = game.scenes(position, to_move, &turns)?.into_iter().next() else {
            return Err(Error::Unsupported("there is nothing to draw".to_owned()));
        };
        let picture = &scene.picture;
        let places =
            (0..picture.rows).flat_map(|row| (0..picture.columns).map(move |column| Place { column, row }));
        let square = |place: Place| {
            let piece = picture.at(place)?;
            Some(ViewSquare { name: name(picture, place), piece: piece.map(ViewPiece::from) })
        };
        let side = |side: Side| match side {
            Side::Top => "top",
            Side::Right => "right",
            Side::Bottom => "bottom",
            Side::Left => "left",
        };
        Ok(View {
            game: game.name().to_owned(),
            position: game.canonical(position)?,
            to_move: to_move.word(),
            over: game.over(position)?.map(retrograde_game::Outcome::word),
            columns: picture.columns,
            rows: picture.rows,
            squares: places.map(square).collect(),
            rails: picture
                .rails
                .iter()
                .map(|rail| ViewRail { square: name(picture, rail.place), side: side(rail.side) })
                .collect(),
            marks: scene.marks.iter().map(|shown| mark(picture, shown)).collect(),
            turn_on_board: scene.turn.clone(),
            palette: game.palette().into_iter().map(ViewPiece::from).collect(),
        })
    }
}
