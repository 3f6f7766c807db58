//! A match of many games, in which the players alternate sides.

use std::sync::Arc;
use std::time::Duration;

use retrograde_explore::{Error, OpenGame};
use retrograde_game::Seat;

use super::built_in_player::BuiltInPlayer;
use super::openings::Openings;
use super::player::{Entrant, Forfeit, Player};
use super::program::Program;
use super::referee::{Ending, FinishedGame, Rulebook, play_game};

/// The settings of a match.
#[derive(Clone, Debug)]
pub struct Match {
    /// The two players.
    pub entrants: [Entrant; 2],
    /// The number of games.
    pub games: u64,
    /// The openings.
    pub openings: Openings,
    /// The rules in addition to the rules of the game.
    pub rules: Rulebook,
    /// The seed of built-in players.
    pub seed: u64,
    /// The time for a program to start and to get ready.
    pub timeout: Duration,
}

/// Callback for each finished game, with the names of the two players.
pub type OnGame<'a> = dyn FnMut(&[String; 2], FinishedGame) -> Result<(), Error> + 'a;

/// Plays a match. `on_game` is called with each finished game and the names of the players. The match ends early
/// when `stopped` is set.
///
/// # Errors
/// If a program cannot be started ([`Error::Unsupported`]), or the game cannot be queried, and any error of
/// `on_game`.
pub fn play(
    game: &Arc<OpenGame>,
    plan: &Match,
    stopped: &dyn Fn() -> bool,
    on_game: &mut OnGame<'_>,
) -> Result<(), Error> {
    let [one, two] = &plan.entrants;
    // Two players of the same strength must play differently.
    let mut one = player(game, one, plan.seed.wrapping_mul(2).wrapping_add(1), plan.timeout)?;
    let mut two = player(game, two, plan.seed.wrapping_mul(2).wrapping_add(2), plan.timeout)?;
    for number in 1..=plan.games {
        if stopped() {
            break;
        }
        let first = usize::from(number.is_multiple_of(2));
        let mut played = plan.openings.opened(game, (number - 1) / 2)?;
        let opening = played.turns().len();
        let mut seats: [&mut dyn Player; 2] =
            if first == 0 { [&mut *one, &mut *two] } else { [&mut *two, &mut *one] };
        let ready = begin(&mut seats, number);
        let ending = match ready {
            Ok(()) => play_game(game, seats, &mut played, &plan.rules, stopped)?,
            Err(ending) => Some(ending),
        };
        let Some(ending) = ending else { break };
        on_game(&[one.name(), two.name()], FinishedGame { number, first, opening, played, ending })?;
    }
    Ok(())
}

/// Prepares both players; a player who is not ready loses.
fn begin(seats: &mut [&mut dyn Player; 2], number: u64) -> Result<(), Ending> {
    for (player, seat) in seats.iter_mut().zip([Seat::First, Seat::Second]) {
        player.begin(number).map_err(|forfeit| forfeit.of(seat))?;
    }
    Ok(())
}

/// A player that is ready. A wrong name fails here; otherwise this player would lose every game.
///
/// # Errors
/// If its program cannot be started or does not answer within `timeout`.
pub(super) fn player(
    game: &Arc<OpenGame>,
    entrant: &Entrant,
    seed: u64,
    timeout: Duration,
) -> Result<Box<dyn Player>, Error> {
    let mut player: Box<dyn Player> = match entrant {
        Entrant::Strength(strength) => Box::new(BuiltInPlayer::new(Arc::clone(game), *strength, seed)),
        Entrant::Program(words) => Box::new(Program::new(words.clone(), timeout)),
    };
    player.begin(0).map_err(|Forfeit(_, reason)| {
        Error::Unsupported(format!("the player “{entrant}” is not ready: {reason}"))
    })?;
    Ok(player)
}
