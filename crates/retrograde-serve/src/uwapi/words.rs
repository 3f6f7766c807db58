//! The vocabulary of GamesCrafters' programs: objects, values, positions as letters, turns as
//! arrows.

use retrograde_explore::Verdict;
use retrograde_game::{GridSquare, Mark, Picture, Seat};
use schemars::JsonSchema;
use serde::Serialize;

/// Remoteness of a draw.
const REMOTENESS_DRAW: i32 = -200;
/// Remoteness where the value is unknown.
const REMOTENESS_UNKNOWN: i32 = -100;

/// A game in the list.
#[derive(Serialize, JsonSchema)]
pub(crate) struct UwapiGame {
    pub id: String,
    pub name: String,
    /// Always `twoPlayer`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    pub gui: &'static str,
}

/// A game with the variants that are listed.
#[derive(Serialize, JsonSchema)]
pub(crate) struct UwapiVariants {
    pub id: String,
    pub name: String,
    pub variants: Vec<UwapiVariantName>,
    /// Whether other variants can be asked for by name.
    #[serde(rename = "allowCustomVariantCreation")]
    pub custom: bool,
    #[serde(rename = "supportsWinBy")]
    pub win_by: bool,
}

/// A variant in a list.
#[derive(Serialize, JsonSchema)]
pub(crate) struct UwapiVariantName {
    pub id: String,
    pub name: String,
    pub gui: &'static str,
}

/// A variant.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UwapiVariant {
    pub id: String,
    pub name: String,
    pub gui: &'static str,
    pub start_position: String,
    pub autogui_start_position: String,
}

/// A position.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UwapiPosition {
    /// `1_` or `2_` for the player to move, then the position seen by that side.
    pub position: String,
    /// `1_` or `2_`, then the first player's view, row by row from the top; `-` for empty.
    pub autogui_position: String,
    /// For the side to move.
    pub position_value: UwapiValue,
    /// Turns to the end; -200 if drawn, -100 if not known.
    pub remoteness: i32,
    /// The turns, best first.
    pub moves: Vec<UwapiMove>,
}

/// A turn.
#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct UwapiMove {
    /// The turn in the coordinates of the player who makes it.
    #[serde(rename = "move")]
    pub turn: String,
    /// An arrow from square to square, or a button on a square.
    pub autogui_move: String,
    /// The turn as the first player sees it.
    pub move_name: String,
    /// The position it leads to.
    pub position: String,
    /// The same position, square by square.
    pub autogui_position: String,
    /// The value of that position for the side to move there.
    pub position_value: UwapiValue,
    /// Turns to the end from that position; -200 if drawn, -100 if not known.
    pub remoteness: i32,
    /// The value of the turn for the player who makes it.
    pub move_value: UwapiValue,
    /// The difference in turns from the best turn with the same `moveValue`; 0 if unknown.
    pub delta_remoteness: i32,
}

/// Values, as the interface names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum UwapiValue {
    /// Won.
    Win,
    /// Lost.
    Lose,
    /// Over, without a winner.
    Tie,
    /// Neither side can force a win, and the game may never end.
    Draw,
    /// Not known.
    Unsolved,
}

impl UwapiValue {
    pub fn of(verdict: Verdict, over: bool) -> UwapiValue {
        match verdict.outcome {
            "win" => UwapiValue::Win,
            "loss" => UwapiValue::Lose,
            "draw" if over => UwapiValue::Tie,
            "draw" => UwapiValue::Draw,
            _ => UwapiValue::Unsolved,
        }
    }

    pub fn flipped(self) -> UwapiValue {
        match self {
            UwapiValue::Win => UwapiValue::Lose,
            UwapiValue::Lose => UwapiValue::Win,
            same => same,
        }
    }
}

/// Turns to the end in their encoding. `made` counts the turns since the verdict.
pub(super) fn remoteness(verdict: Verdict, made: i32) -> i32 {
    match (verdict.turns, verdict.outcome) {
        (Some(turns), _) => i32::from(turns) - made,
        (None, "draw") => REMOTENESS_DRAW,
        (None, _) => REMOTENESS_UNKNOWN,
    }
}

/// Splits off the side to move (`1_` or `2_`); without a prefix the first player is to move.
pub(super) fn read_position(text: &str) -> (Seat, &str) {
    match (text.strip_prefix("1_"), text.strip_prefix("2_")) {
        (Some(position), _) => (Seat::First, position),
        (_, Some(position)) => (Seat::Second, position),
        _ => (Seat::First, text),
    }
}

pub(super) fn number(seat: Seat) -> char {
    match seat {
        Seat::First => '1',
        Seat::Second => '2',
    }
}

/// The squares of the board, row by row; places without a square are left out.
pub(super) fn autogui(picture: &Picture, to_move: Seat) -> String {
    let squares = picture.squares.iter().flatten();
    let letters = squares.map(|square| square.map_or('-', |piece| piece.letter));
    [number(to_move), '_'].into_iter().chain(letters).collect()
}

/// The number of a square among those of [`autogui`].
fn square(picture: &Picture, place: GridSquare) -> usize {
    let before = usize::from(place.row) * usize::from(picture.columns) + usize::from(place.column);
    picture.squares.iter().take(before).flatten().count()
}

/// The arrow for the last step of a turn; their pages draw one arrow per turn.
pub(super) fn arrow(picture: &Picture, marks: &[Mark]) -> String {
    let at = |place: &GridSquare| square(picture, *place);
    match marks.last() {
        Some(Mark::Move(from, to) | Mark::Push(from, to)) => format!("M_{}_{}_x", at(from), at(to)),
        Some(Mark::Fill(places)) => match places.as_slice() {
            [place] => format!("A_x_{}_x", at(place)),
            [first, .., last] => format!("M_{}_{}_x", at(first), at(last)),
            [] => String::new(),
        },
        None => String::new(),
    }
}
