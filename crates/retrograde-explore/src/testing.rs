//! The only game of the unit tests, because code for each game takes time to compile.

use retrograde_game::{Dense, Game, Index, Mark, Outcome, Picture, Seat, Show, Symmetries, TextError};

/// Two heaps of at most nine sticks. A turn takes one or two sticks from one heap, and a player who
/// cannot move loses. Swapping the heaps is a symmetry.
pub(crate) struct Heaps {
    pub name: String,
}

impl Default for Heaps {
    fn default() -> Heaps {
        Heaps { name: "heaps".to_owned() }
    }
}

impl Game for Heaps {
    type Position = (u64, u64);
    type Turn = (u64, u64);
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        self.name.clone()
    }
    fn position_count(&self) -> u128 {
        100
    }
    fn start(&self) -> (u64, u64) {
        (9, 9)
    }
    fn result(&self, position: &(u64, u64)) -> Option<Outcome> {
        (*position == (0, 0)).then_some(Outcome::Loss)
    }
    fn turns(&self, &(left, right): &(u64, u64)) -> Vec<((u64, u64), (u64, u64))> {
        let left_turns = (1..=2.min(left)).map(|take| (left - take, right));
        let right_turns = (1..=2.min(right)).map(|take| (left, right - take));
        left_turns.chain(right_turns).map(|next| (next, next)).collect()
    }
    fn play(&self, _: &(u64, u64), turn: &(u64, u64)) -> (u64, u64) {
        *turn
    }
    fn parse_position(&self, text: &str) -> Result<(u64, u64), TextError> {
        let digits: Vec<u64> = text.chars().filter_map(|c| c.to_digit(10).map(u64::from)).collect();
        match digits[..] {
            [left, right] if text.len() == 2 => Ok((left, right)),
            _ => Err(TextError::unexpected("position", text, 0, "two digits")),
        }
    }
    fn position_text(&self, (left, right): &(u64, u64)) -> String {
        format!("{left}{right}")
    }
    fn parse_turn(&self, _: &(u64, u64), text: &str) -> Result<(u64, u64), TextError> {
        self.parse_position(text)
    }
    fn turn_text(&self, _: &(u64, u64), turn: &(u64, u64)) -> String {
        self.position_text(turn)
    }
}

impl Dense for Heaps {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        100
    }
    fn index(&self, (left, right): &(u64, u64)) -> Option<Index> {
        Some(Index(left * 10 + right))
    }
    fn position(&self, index: Index) -> Option<(u64, u64)> {
        (index.0 < 100).then_some((index.0 / 10, index.0 % 10))
    }
}

impl Symmetries for Heaps {
    fn symmetry_count(&self) -> usize {
        2
    }
    fn image(&self, symmetry: usize, &(left, right): &(u64, u64)) -> (u64, u64) {
        if symmetry == 0 { (left, right) } else { (right, left) }
    }
}

impl Show for Heaps {
    fn picture(&self, _: &(u64, u64), seat: Seat) -> Picture {
        Picture::grid(2, 1, seat)
    }
    fn marks(&self, _: &(u64, u64), _: &(u64, u64), _: Seat) -> Vec<Mark> {
        Vec::new()
    }
    fn board_text(&self, position: &(u64, u64), _: Seat) -> String {
        self.position_text(position)
    }
    fn turn_on_board(&self, position: &(u64, u64), turn: &(u64, u64), _: Seat) -> String {
        self.turn_text(position, turn)
    }
    fn plane_names(&self) -> Vec<&'static str> {
        vec!["not empty", "odd"]
    }
    fn plane_shape(&self) -> (usize, usize) {
        (1, 2)
    }
    fn planes(&self, &(left, right): &(u64, u64), out: &mut [u8]) {
        let planes = [left > 0, right > 0, left % 2 == 1, right % 2 == 1];
        out.copy_from_slice(&planes.map(u8::from));
    }
}
