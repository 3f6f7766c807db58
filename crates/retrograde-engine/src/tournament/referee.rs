//! Plays one game of a match: alternates between the players, and decides when and why it is over.

use std::time::{Duration, Instant};

use retrograde_explore::{Error, OpenGame};
use retrograde_game::{Outcome, Seat};

use super::clock::{Clocks, TimeControl};
use super::player::{Forfeit, Player, Reason};
use crate::PlayedGame;

/// The rules of a match, in addition to the rules of the game.
#[derive(Clone, Copy, Debug)]
pub struct Rulebook {
    /// The time control.
    pub control: TimeControl,
    /// The tolerance for exceeding the limit.
    pub margin: Duration,
    /// The number of turns, including the opening, after which a game is drawn.
    pub longest: usize,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ending {
    /// The winner; `None` for a draw.
    pub winner: Option<Seat>,
    /// The reason.
    pub reason: Reason,
    /// A message with details; may be empty.
    pub detail: String,
}

impl Forfeit {
    /// The end of a game in which the player at a seat forfeits.
    pub(super) fn of(self, seat: Seat) -> Ending {
        let Forfeit(reason, detail) = self;
        Ending { winner: Some(seat.other()), reason, detail }
    }
}

/// A finished game of a match.
#[derive(Clone, Debug)]
pub struct FinishedGame {
    /// Its number, from 1.
    pub number: u64,
    /// The player who moved first, 0 or 1.
    pub first: usize,
    /// The number of turns of the opening.
    pub opening: usize,
    /// The turns.
    pub played: PlayedGame,
    /// How it ended.
    pub ending: Ending,
}

impl FinishedGame {
    /// The winner, 0 or 1; `None` for a draw.
    pub fn winner(&self) -> Option<usize> {
        self.ending.winner.map(|seat| self.player_of(seat))
    }

    /// The player, 0 or 1, at a seat.
    pub fn player_of(&self, seat: Seat) -> usize {
        if seat == Seat::First { self.first } else { 1 - self.first }
    }
}

/// Plays a game from its opening; `None` if `stopped` ended it.
///
/// # Errors
/// If the game cannot be queried. Faults of players are not errors.
pub(super) fn play_game(
    game: &OpenGame,
    [first, second]: [&mut dyn Player; 2],
    played: &mut PlayedGame,
    rules: &Rulebook,
    stopped: &dyn Fn() -> bool,
) -> Result<Option<Ending>, Error> {
    let players = [first, second];
    let mut clocks = Clocks::new(rules.control, rules.margin);
    loop {
        let seat = played.to_move();
        let drawn = |reason| Some(Ending { winner: None, reason, detail: String::new() });
        if let Some(outcome) = game.over(played.position())? {
            let winner = match outcome {
                Outcome::Win => Some(seat),
                Outcome::Loss => Some(seat.other()),
                Outcome::Draw => None,
            };
            return Ok(Some(Ending { winner, reason: Reason::Rules, detail: String::new() }));
        }
        if played.repetitions().is_some() {
            return Ok(drawn(Reason::Repetition));
        }
        if played.turns().len() >= rules.longest {
            return Ok(drawn(Reason::Longest));
        }
        if stopped() {
            return Ok(None);
        }
        if let Some(forfeit) = make_turn(game, &mut *players[seat as usize], played, &mut clocks)? {
            return Ok(Some(forfeit.of(seat)));
        }
    }
}

/// Asks a player for a turn and plays it. Returns why the player has lost, with a message, if there is no
/// legal turn in time.
///
/// # Errors
/// If the game cannot be queried.
pub(super) fn make_turn(
    game: &OpenGame,
    player: &mut dyn Player,
    played: &mut PlayedGame,
    clocks: &mut Clocks,
) -> Result<Option<Forfeit>, Error> {
    if let Err(forfeit) = player.prepare(played) {
        return Ok(Some(forfeit));
    }
    let began = Instant::now();
    let word = match player.choose(played, clocks)? {
        Ok(word) => word,
        Err(forfeit) => return Ok(Some(forfeit)),
    };
    let used = began.elapsed();
    if !clocks.spend(played.to_move() as usize, used) {
        return Ok(Some(Forfeit(Reason::Timeout, format!("the turn took {:.1} s", used.as_secs_f64()))));
    }
    match played.make(game, &word) {
        Ok(()) => Ok(None),
        Err(error @ (Error::Text(_) | Error::Turn { .. })) => {
            Ok(Some(Forfeit(Reason::IllegalTurn, error.to_string())))
        }
        Err(error) => Err(error),
    }
}
