//! A game in progress: its positions and turns, and the notation of turns as one word.

use std::time::Duration;

use retrograde_explore::{Error, OpenGame, SearchLimits, read_turn, turn_on_board};
use retrograde_game::{Random, Seat};

/// A position that occurs this often, with the same player to move, makes the game a draw.
const REPETITIONS: usize = 3;

/// A game in progress.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// The positions, each seen by the side to move; one more than turns.
    positions: Vec<String>,
    /// The player to move in each position.
    seats: Vec<Seat>,
    /// The turns, each in the coordinates of the player who made it.
    turns: Vec<String>,
    /// The turns in board coordinates.
    on_board: Vec<String>,
    /// Whether it begins in another position than the start.
    is_set_up: bool,
}

impl PlayedGame {
    /// A game that begins in a position, seen by the side to move; `None` for the start. `to_move` is the player to
    /// move, unless the position determines it.
    ///
    /// # Errors
    /// If the text is not a position.
    pub fn begin(game: &OpenGame, position: Option<&str>, to_move: Seat) -> Result<PlayedGame, Error> {
        let start = game.start();
        let position = game.canonical(position.unwrap_or(&start))?;
        Ok(PlayedGame {
            seats: vec![game.to_move(&position, to_move)?],
            is_set_up: position != start,
            positions: vec![position],
            turns: Vec::new(),
            on_board: Vec::new(),
        })
    }

    /// The current position, seen by the side to move.
    pub fn position(&self) -> &str {
        self.positions.last().map_or("", String::as_str)
    }

    /// The position in which it begins, if that is not the start.
    pub fn set_up(&self) -> Option<&str> {
        self.positions.first().filter(|_| self.is_set_up).map(String::as_str)
    }

    /// The positions, one more than turns.
    pub fn positions(&self) -> &[String] {
        &self.positions
    }

    /// The turns, each in the coordinates of the player who made it.
    pub fn turns(&self) -> &[String] {
        &self.turns
    }

    /// The turns in board coordinates.
    pub fn turns_on_board(&self) -> &[String] {
        &self.on_board
    }

    /// The current player to move.
    pub fn to_move(&self) -> Seat {
        self.seats.last().copied().unwrap_or(Seat::First)
    }

    /// The player to move after a number of turns.
    ///
    /// # Panics
    /// If there are fewer turns.
    pub fn seat_at(&self, turns: usize) -> Seat {
        self.seats[turns]
    }

    /// Plays a turn, written as one word in board coordinates.
    ///
    /// # Errors
    /// If it cannot be read or is not legal.
    pub fn make(&mut self, game: &OpenGame, word: &str) -> Result<(), Error> {
        let (position, seat) = (self.position(), self.to_move());
        let read = read_turn(game, position, seat, word, true);
        let (turn, next) = match read {
            Err(error) if word.contains(SPACE_REPLACEMENT) => {
                let text = word.replace(SPACE_REPLACEMENT, " ");
                read_turn(game, position, seat, &text, true).map_err(|_| error)?
            }
            read => read?,
        };
        self.keep(game, turn, next)
    }

    /// Plays a turn in the coordinates of the player who makes it.
    ///
    /// # Errors
    /// If it cannot be read or is not legal.
    pub fn make_mover_turn(&mut self, game: &OpenGame, turn: &str) -> Result<(), Error> {
        let (next, _) = game.play(self.position(), turn)?;
        self.keep(game, turn.to_owned(), next)
    }

    fn keep(&mut self, game: &OpenGame, turn: String, next: String) -> Result<(), Error> {
        let shown = turn_on_board(game, self.position(), self.to_move(), &turn)?;
        self.seats.push(game.to_move(&next, self.to_move().other())?);
        self.positions.push(next);
        self.turns.push(turn);
        self.on_board.push(shown);
        Ok(())
    }

    /// Takes back all turns after the first `turns`.
    pub fn take_back_to(&mut self, turns: usize) {
        self.turns.truncate(turns);
        self.on_board.truncate(turns);
        self.positions.truncate(turns + 1);
        self.seats.truncate(turns + 1);
    }

    /// How often the current position has occurred with the same player to move, if that is enough for a draw.
    pub fn repetitions(&self) -> Option<usize> {
        let now = self.turns.len();
        let here = |at: usize| (self.seats[at], &self.positions[at]);
        let times = (0..=now).filter(|&at| here(at) == here(now)).count();
        (times >= REPETITIONS).then_some(times)
    }
}

/// A random turn in board coordinates; `None` if there is none.
///
/// # Errors
/// If the position cannot be read.
pub fn random_turn(
    game: &OpenGame,
    played: &PlayedGame,
    random: &mut Random,
) -> Result<Option<String>, Error> {
    let (position, seat) = (played.position(), played.to_move());
    // If there are too many turns to list, one of the first.
    let limits = SearchLimits { nodes: 0, time: Duration::ZERO, depth: None };
    let (turns, _) = game.turns_within(position, &limits)?;
    random.choose(&turns).map(|(turn, _)| turn_on_board(game, position, seat, turn)).transpose()
}

/// Replaces a space in a turn that is written as one word.
const SPACE_REPLACEMENT: char = '_';

/// A turn as one word: spaces, as in placements of Push Fight, become `_`.
pub fn one_word(turn: &str) -> String {
    turn.replace(' ', "_")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use retrograde_explore::{AnyGame, Entry, SolveOptions};
    use retrograde_solve::Silent;
    use retrograde_testkit::Kalah;

    use super::*;

    #[test]
    fn positions_determine_who_moves_again() {
        let kalah: Arc<AnyGame> = Entry::new(Kalah { seeds: 2 }, "").retrograde().build();
        let game = kalah.solve_in_memory(&SolveOptions::default(), &Silent).unwrap();
        let mut played = PlayedGame::begin(&game, None, Seat::Second).unwrap();
        // The last seed of the first pit lands in the store.
        for turn in ["p0", "p1", "p4"] {
            played.make(&game, turn).unwrap();
        }
        let seats: Vec<Seat> = (0..=3).map(|turns| played.seat_at(turns)).collect();
        assert_eq!(seats, [Seat::First, Seat::First, Seat::Second, Seat::First]);
        assert_eq!((played.to_move(), played.repetitions()), (Seat::First, None));
    }
}
