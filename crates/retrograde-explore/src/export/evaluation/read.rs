//! Reads a split of an evaluation set and checks it: its file against `SHA256SUMS`, its positions and turns
//! against the rules.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use retrograde_game::{Outcome, decode_text, system_reason};
use serde::Deserialize;

use super::files::sha256;
use super::split::Split;
use crate::{Error, OpenGame};

/// A position of a set, with the values of all its turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetPosition {
    /// Its text, as the side to move sees it.
    pub position: String,
    /// Its turns, best first, at least one.
    pub turns: Vec<SetTurn>,
}

/// A turn of a position of a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetTurn {
    /// The turn, in the coordinates of the player who makes it.
    pub turn: String,
    /// The position it leads to, as the other player sees it.
    pub position: String,
    /// Its outcome for the player who makes it.
    pub outcome: Outcome,
    /// The turns to the end, including this one, if they are known.
    pub turns: Option<u16>,
}

/// A line of a file, without the fields that are not needed here.
#[derive(Deserialize)]
struct Line {
    position: String,
    turns_available: Vec<LineTurn>,
}

#[derive(Deserialize)]
struct LineTurn {
    turn: String,
    turn_position: String,
    turn_outcome: String,
    turn_turns: Option<u16>,
}

/// Reads a split of a set of this game.
///
/// # Errors
/// If a file is missing or differs from its checksum, or a position or its turns contradict the rules;
/// the message names the file and the line.
pub fn read(game: &OpenGame, folder: &Path, split: Split) -> Result<Vec<SetPosition>, Error> {
    let name = format!("{}.jsonl", split.word());
    let text_of = |name: &str| {
        let path = folder.join(name);
        let fail = |reason: String| Error::Unsupported(format!("cannot read “{}”: {reason}", path.display()));
        let bytes = fs::read(&path).map_err(|error| fail(system_reason(&error)))?;
        decode_text(bytes).map_err(|error| fail(error.to_string()))
    };
    let (text, sums) = (text_of(&name)?, text_of("SHA256SUMS")?);
    let at = |place: &str, reason: String| {
        Error::Unsupported(format!("“{}”{place}: {reason}", folder.join(&name).display()))
    };
    let listed = sums.lines().find_map(|line| line.split_once("  ").filter(|(_, file)| *file == name));
    match listed {
        Some((sum, _)) if sum == sha256(text.as_bytes()) => {}
        Some(_) => return Err(at("", "its SHA-256 is not the one in SHA256SUMS".to_owned())),
        None => return Err(at("", "SHA256SUMS does not list it".to_owned())),
    }
    let mut positions = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let place = format!(", line {number}");
        let line: Line = serde_json::from_str(line).map_err(|error| at(&place, error.to_string()))?;
        positions.push(checked(game, line).map_err(|reason| at(&place, reason))?);
    }
    if positions.is_empty() { Err(at("", "it has no positions".to_owned())) } else { Ok(positions) }
}

/// Compares a position and its turns with the rules.
fn checked(game: &OpenGame, line: Line) -> Result<SetPosition, String> {
    let Line { position, turns_available } = line;
    let legal = game.turns(&position).map_err(|error| error.to_string())?;
    let legal: BTreeSet<&str> = legal.iter().map(|(_, next)| &**next).collect();
    let listed: BTreeSet<&str> = turns_available.iter().map(|turn| &*turn.turn_position).collect();
    if legal.is_empty() || listed != legal || listed.len() != turns_available.len() {
        return Err(format!("the turns of {position} are not those of {}", game.name()));
    }
    let turn = |turn: LineTurn| {
        let outcome = Outcome::ALL.into_iter().find(|outcome| outcome.to_string() == turn.turn_outcome);
        let outcome = outcome.ok_or_else(|| format!("“{}” is not an outcome", turn.turn_outcome))?;
        let LineTurn { turn, turn_position: position, turn_turns: turns, .. } = turn;
        Ok(SetTurn { turn, position, outcome, turns })
    };
    let turns: Vec<SetTurn> = turns_available.into_iter().map(turn).collect::<Result<_, String>>()?;
    Ok(SetPosition { position, turns })
}
