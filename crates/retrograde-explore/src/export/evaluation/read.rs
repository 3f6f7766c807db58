//! Reads a split of an evaluation set and checks it: its file against `SHA256SUMS`, its positions and turns
//! against the rules.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use retrograde_game::{decode_text, system_reason};

use super::files::sha256;
use super::set::{EvaluationRow, Split};
use crate::{Error, OpenGame};

impl OpenGame {
    /// Reads a split of a set of this game.
    ///
    /// # Errors
    /// If a file is missing or differs from its checksum, or a position or its turns contradict the rules;
    /// the message names the file and the line.
    pub fn read_evaluation(&self, folder: &Path, split: Split) -> Result<Vec<EvaluationRow>, Error> {
        let name = format!("{}.jsonl", split.word());
        let text_of = |name: &str| {
            let path = folder.join(name);
            let fail =
                |reason: String| Error::Unsupported(format!("cannot read “{}”: {reason}", path.display()));
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
        let mut rows = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let place = format!(", line {number}");
            let row: EvaluationRow =
                serde_json::from_str(line).map_err(|error| at(&place, error.to_string()))?;
            let wrong = |reason: String| match number {
                1 => at(&place, format!("{reason}; is this a set for a game other than {}?", self.name())),
                _ => at(&place, reason),
            };
            check(self, &row).map_err(wrong)?;
            rows.push(row);
        }
        if rows.is_empty() { Err(at("", "it has no positions".to_owned())) } else { Ok(rows) }
    }
}

/// Compares a position and its turns with the rules.
fn check(game: &OpenGame, row: &EvaluationRow) -> Result<(), String> {
    let legal = game.turns(&row.position).map_err(|error| error.to_string())?;
    let legal: BTreeSet<&str> = legal.iter().map(|(_, next)| &**next).collect();
    let listed: BTreeSet<&str> = row.turns_available.iter().map(|turn| &*turn.turn_position).collect();
    if legal.is_empty() || listed != legal || listed.len() != row.turns_available.len() {
        return Err(format!("the turns of {} are not those of {}", row.position, game.name()));
    }
    Ok(())
}
