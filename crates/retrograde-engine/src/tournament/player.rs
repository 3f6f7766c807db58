//! The players of a match.

use std::fmt;
use std::str::FromStr;

use retrograde_explore::Error;
use schemars::JsonSchema;
use serde::Serialize;

use super::clock::Clocks;
use crate::{PlayedGame, Strength};

/// A player for a match.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Entrant {
    /// A built-in player.
    Strength(Strength),
    /// A UGI program: its file and its arguments.
    Program(Vec<String>),
}

impl FromStr for Entrant {
    type Err = String;

    /// Parses a strength, or else a command line, with quotes around words that contain spaces.
    fn from_str(text: &str) -> Result<Entrant, String> {
        if let Ok(strength) = text.parse() {
            return Ok(Entrant::Strength(strength));
        }
        let words = split_words(text)?;
        let meant = "a strength (perfect, random, 3, or 3,errs=15%) or the command line of a UGI program";
        if words.is_empty() {
            return Err(format!("a player must be {meant}"));
        }
        // A word that resembles a strength is a mistake, not a program.
        if words.len() == 1 && (text.contains("errs=") || text.parse::<f64>().is_ok()) {
            return Err(format!("a player must be {meant}, not “{text}”"));
        }
        Ok(Entrant::Program(words))
    }
}

impl fmt::Display for Entrant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Entrant::Strength(strength) => strength.fmt(f),
            Entrant::Program(words) => f.write_str(&words.join(" ")),
        }
    }
}

/// Splits a command line at spaces outside of single or double quotes.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    if let Some(open) = quote {
        return Err(format!("the command line “{text}” has an unclosed quote {open}"));
    }
    words.extend(word);
    Ok(words)
}

// In the order of the words in JSON.
/// Why a game is over.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// The loser's program ended.
    Crash,
    /// The loser made an illegal turn.
    IllegalTurn,
    /// The game had too many turns: a draw.
    #[serde(rename = "max-turns")]
    Longest,
    /// A position occurred for the third time: a draw.
    Repetition,
    /// By the rules of the game.
    Rules,
    /// The loser took too long.
    Timeout,
}

/// Why a player has no turn, and therefore loses, with a message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forfeit(pub Reason, pub String);

/// A player of a match.
pub(super) trait Player {
    /// Prepares for a game with this number in the match.
    fn begin(&mut self, number: u64) -> Result<(), Forfeit>;

    /// Prepares for a position; this does not use the player's time.
    fn prepare(&mut self, _played: &PlayedGame) -> Result<(), Forfeit> {
        Ok(())
    }

    /// The turn to play, as one word in board coordinates, or the fault of the player. An error is a fault of the
    /// table or the machine.
    fn choose(&mut self, played: &PlayedGame, clocks: &Clocks) -> Result<Result<String, Forfeit>, Error>;

    /// The player's name.
    fn name(&self) -> String;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entrants_are_strengths_or_command_lines() {
        let program = |words: &[&str]| Entrant::Program(words.iter().map(|&word| word.to_owned()).collect());
        assert_eq!("3".parse(), Ok(Entrant::Strength("3".parse().unwrap())));
        assert_eq!("engine".parse(), Ok(program(&["engine"])));
        assert_eq!(
            r#" ./my\engine 'a b' "" x"c d"y "#.parse(),
            Ok(program(&[r"./my\engine", "a b", "", "xc dy"]))
        );
        for wrong in ["", " ", "'a", "3,errs=200%", "-1", "1.5"] {
            assert!(wrong.parse::<Entrant>().is_err(), "{wrong}");
        }
    }
}
