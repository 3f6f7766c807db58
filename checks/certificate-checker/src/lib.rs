//! Checks certificates that a side never loses, with the rules alone.
//!
//! The file has a set of positions in which the side is to move, each with the position that one of
//! its turns leads to. Call a position with the side to move *safe* if the game is over in its
//! favour, if it is in the set, or if a turn ends the game in its favour at once. The side never
//! loses if
//!
//! 1. each position in the set has a turn that leads to the position beside it;
//! 2. there the game is over in the side's favour, or every reply leads to a safe position;
//! 3. the start is safe; for the second player: every position after a first turn.
//!
//! For then the side has, from the start on, a turn after which every reply leads to a safe position
//! again, and in no safe position has it lost. Nothing here is shared with the programs that made
//! the file, and nothing in it is believed.

mod file;
mod push_fight;
mod rules;

use std::collections::HashSet;

use file::Certificate;
use rules::{Position, squares};

/// Says in words what a certificate proves, with the rules.
///
/// # Errors
/// The first fault, if it proves nothing.
pub fn prove(text: &str) -> Result<String, String> {
    let certificate = file::read(text)?;
    let (side, rules) = (if certificate.second { "second" } else { "first" }, &certificate.rules_text);
    let claim = format!("the {side} player never loses with these rules:\n{rules}");
    certificate.check().map_or(Ok(claim), Err)
}

impl Certificate {
    fn is_safe(&self, position: &Position) -> bool {
        let by_turn = || self.set.contains(position) || self.rules.wins_at_once(position);
        self.rules.result(position).unwrap_or_else(by_turn)
    }

    /// A reply after which the side is not safe, in words.
    fn unsafe_reply(&self, position: &Position) -> Option<String> {
        let mut found = None;
        self.rules.any_turn(position, &mut |reply| {
            let safe = self.is_safe(&reply);
            if !safe {
                found = Some(reply.map(|set| squares(set).collect::<Vec<_>>()));
            }
            !safe
        });
        found.map(|sets| format!("a reply leads to a position that is not safe, with squares {sets:?}"))
    }

    /// What is wrong with a position of the set. Replies are looked at once for all positions that
    /// lead to the same one.
    fn fault(&self, (here, next): &(Position, Position), look_at_replies: bool) -> Option<String> {
        let over = self.rules.result(here).is_some();
        if over || !self.rules.any_turn(here, &mut |after| after == *next) {
            return Some("no turn leads from the first position to the second".to_owned());
        }
        match self.rules.result(next) {
            Some(true) => Some("the turn loses".to_owned()),
            None if look_at_replies => self.unsafe_reply(next),
            _ => None,
        }
    }

    /// The first fault, if there is one.
    fn check(&self) -> Option<String> {
        let start = self.rules.start();
        let fault = match self.second {
            true => self.unsafe_reply(&start),
            false => (!self.is_safe(&start)).then(|| "it is not safe".to_owned()),
        };
        if let Some(fault) = fault {
            return Some(format!("the start: {fault}"));
        }
        let mut seen = HashSet::new();
        let is_new: Vec<bool> = self.turns.iter().map(|turn| seen.insert(turn.1)).collect();
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let first_of = &|part: usize| {
            let fault = |number: usize| Some((number, self.fault(&self.turns[number], is_new[number])?));
            (part..self.turns.len()).step_by(threads).find_map(fault)
        };
        let (number, fault) = std::thread::scope(|scope| {
            let parts: Vec<_> = (0..threads).map(|part| scope.spawn(move || first_of(part))).collect();
            let faults = parts.into_iter().filter_map(|part| part.join().expect("no thread panics"));
            faults.min()
        })?;
        Some(format!("line {}: {fault}", self.first_line + number))
    }
}
