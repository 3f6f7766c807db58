//! Openings: turns that are played before the players take over, so that games differ. Each opening is used
//! twice, with sides exchanged.

use retrograde_explore::{Error, OpenGame};
use retrograde_game::{Random, Seat, clean_text};

use crate::{PlayedGame, random_turn};

/// The number of tries to find random turns that do not end the game.
const TRIES: u32 = 1000;

/// The source of openings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Openings {
    /// Random turns from a seed.
    Random {
        /// The number of turns.
        turns: usize,
        /// The seed.
        seed: u64,
    },
    /// A list that is repeated when it ends; never empty.
    List(Vec<Vec<String>>),
}

impl Openings {
    /// Parses a list with one opening per line: turns as one word in board coordinates. `startpos` is the opening
    /// without turns; `#` begins a comment.
    ///
    /// # Errors
    /// If the list is empty, a turn is not legal, or the game is over; the message names the line.
    pub fn read(game: &OpenGame, text: &str) -> Result<Openings, String> {
        let mut list = Vec::new();
        for (number, line) in (1..).zip(clean_text(text).lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if line.is_empty() {
                continue;
            }
            let words: Vec<String> =
                line.split_whitespace().filter(|word| *word != "startpos").map(str::to_owned).collect();
            let at_line = |reason: String| format!("line {number}: {reason}");
            let played = replay(game, &words).map_err(|error| at_line(error.to_string()))?;
            if game.over(played.position()).map_err(|error| at_line(error.to_string()))?.is_some() {
                return Err(at_line("the game is over after this opening".to_owned()));
            }
            list.push(words);
        }
        if list.is_empty() { Err("it contains no openings".to_owned()) } else { Ok(Openings::List(list)) }
    }

    /// The game after the opening with this number.
    ///
    /// # Errors
    /// If all tries end the game.
    pub(super) fn opened(&self, game: &OpenGame, number: u64) -> Result<PlayedGame, Error> {
        match self {
            Openings::List(list) => {
                let number = usize::try_from(number).unwrap_or_default() % list.len();
                replay(game, &list[number])
            }
            Openings::Random { turns, seed } => {
                let mut random = Random::new(seed.wrapping_add(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
                for _ in 0..TRIES {
                    if let Some(played) = random_turns(game, *turns, &mut random)? {
                        return Ok(played);
                    }
                }
                Err(Error::Unsupported(format!(
                    "all {TRIES} tries ended the game within {turns} random turns; use fewer turns"
                )))
            }
        }
    }
}

fn replay(game: &OpenGame, words: &[String]) -> Result<PlayedGame, Error> {
    let mut played = PlayedGame::begin(game, None, Seat::First)?;
    for (number, word) in (1..).zip(words) {
        played.make(game, word).map_err(|error| error.of_turn(number))?;
    }
    Ok(played)
}

/// A game after random turns; `None` if it is over.
fn random_turns(game: &OpenGame, turns: usize, random: &mut Random) -> Result<Option<PlayedGame>, Error> {
    let mut played = PlayedGame::begin(game, None, Seat::First)?;
    for _ in 0..turns {
        let Some(turn) = random_turn(game, &played, random)? else { return Ok(None) };
        played.make(game, &turn)?;
    }
    Ok(game.over(played.position())?.is_none().then_some(played))
}
