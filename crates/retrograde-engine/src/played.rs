//! A game as far as it was played: positions, the turns between them, and how a turn is written in
//! one word.

use retrograde_explore::{Error, Explore, read_turn_on_board, turn_on_board};
use retrograde_game::{Random, Seat};

/// A game as far as it was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PlayedGame {
    /// The player who is to move in the first position.
    pub first_to_move: Seat,
    /// The positions, each seen by the side to move; one more than there are turns.
    positions: Vec<String>,
    /// The turns, each in the coordinates of the player who made it.
    turns: Vec<String>,
    /// The same in the coordinates of the board.
    on_board: Vec<String>,
}

impl PlayedGame {
    /// A game that begins in a position, seen by the side to move; `None`: the start.
    ///
    /// # Errors
    /// If the text is no position.
    pub fn begin(game: &dyn Explore, position: Option<&str>, to_move: Seat) -> Result<PlayedGame, Error> {
        let start = game.start();
        let position = game.canonical(position.unwrap_or(&start))?;
        Ok(PlayedGame {
            first_to_move: to_move,
            positions: vec![position],
            turns: Vec::new(),
            on_board: Vec::new(),
        })
    }

    /// The position now, seen by the side to move.
    pub fn position(&self) -> &str {
        self.positions.last().map_or("", String::as_str)
    }

    /// The positions, one more than there are turns.
    pub fn positions(&self) -> &[String] {
        &self.positions
    }

    /// The turns, each in the coordinates of the player who made it.
    pub fn turns(&self) -> &[String] {
        &self.turns
    }

    /// The turns in the coordinates of the board.
    pub fn turns_on_board(&self) -> &[String] {
        &self.on_board
    }

    /// The player to move now.
    pub fn to_move(&self) -> Seat {
        self.seat_at(self.turns.len())
    }

    /// The player to move after so many turns.
    pub fn seat_at(&self, turns: usize) -> Seat {
        if turns.is_multiple_of(2) { self.first_to_move } else { self.first_to_move.other() }
    }

    /// Makes a turn that is written in one word, in the coordinates of the board.
    ///
    /// # Errors
    /// If it cannot be read or is not legal.
    pub fn make(&mut self, game: &dyn Explore, word: &str) -> Result<(), Error> {
        let (position, seat) = (self.position(), self.to_move());
        let read = read_turn_on_board(game, position, seat, word);
        let (turn, next) = match read {
            Err(error) if word.contains(JOINT) => {
                let text = word.replace(JOINT, " ");
                read_turn_on_board(game, position, seat, &text).map_err(|_| error)?
            }
            read => read?,
        };
        self.keep(game, turn, next)
    }

    /// Makes a turn that is written in the coordinates of the player who makes it.
    ///
    /// # Errors
    /// If it cannot be read or is not legal.
    pub fn make_own(&mut self, game: &dyn Explore, turn: &str) -> Result<(), Error> {
        let (next, _) = game.play(self.position(), turn)?;
        self.keep(game, turn.to_owned(), next)
    }

    fn keep(&mut self, game: &dyn Explore, turn: String, next: String) -> Result<(), Error> {
        let shown = turn_on_board(game, self.position(), self.to_move(), &turn)?;
        self.positions.push(next);
        self.turns.push(turn);
        self.on_board.push(shown);
        Ok(())
    }

    /// How often the position of now has been there, with the same player to move.
    pub fn times_here(&self) -> usize {
        let now = self.turns.len();
        let same = |at: &usize| self.positions[*at] == self.positions[now];
        (0..=now).rev().step_by(2).filter(same).count()
    }
}

/// A turn at random, in the coordinates of the board; `None` if there is none.
///
/// # Errors
/// If the position cannot be read.
pub fn random_turn(
    game: &dyn Explore,
    played: &PlayedGame,
    random: &mut Random,
) -> Result<Option<String>, Error> {
    let (position, seat) = (played.position(), played.to_move());
    let turns = game.turns(position)?;
    random.choose(&turns).map(|(turn, _)| turn_on_board(game, position, seat, turn)).transpose()
}

/// Stands for a blank in a turn that is written in one word.
const JOINT: char = '_';

/// A turn in one word: blanks, as in placements of Push Fight, become `_`.
pub fn one_word(turn: &str) -> String {
    turn.replace(' ', "_")
}
