//! Checks certificates that a side never loses, using only the rules.
//!
//! The file has a set of positions in which the side is to move, each with the position after one of its
//! turns. Call a position with the side to move *safe* if the game is over in its favour, if it is in the
//! set, or if a turn immediately ends the game in its favour. The side never loses if
//!
//! 1. each position in the set has a turn to the position next to it;
//! 2. there the game is over in the side's favour, or every reply leads to a safe position;
//! 3. the start is safe; for the second player: every position after a first turn.
//!
//! Then the side always has a turn after which every reply leads to a safe position again, and it has not
//! lost in any safe position. The checker shares no code with the programs that made the file, and does not
//! trust the file.
//!
//! A file of version 2 has positions in which the opponent is to move. Call a position with the side to move
//! *answered* if the game is over in its favour, or if a turn immediately ends the game in its favour or
//! leads to a position with the same parts as one in the set. The side never loses if every reply to every
//! position in the set is answered, and so is the start (or, for the second player, every position after a
//! first turn).

mod file;
mod push_fight;
mod rules;

use std::collections::HashSet;
use std::sync::Mutex;

use file::{Certificate, Set};
use rules::{Position, squares};

/// The statement that a certificate proves, with the rules.
///
/// # Errors
/// The first fault, if the certificate is invalid.
pub fn prove(text: &str) -> Result<String, String> {
    let certificate = file::read(text)?;
    let (side, rules) = (if certificate.second { "second" } else { "first" }, &certificate.rules_text);
    let claim = format!("the {side} player never loses with these rules:\n{rules}");
    certificate.check().map_or(Ok(claim), Err)
}

impl Certificate {
    fn is_safe(&self, set: &HashSet<Position>, position: &Position) -> bool {
        let by_turn = || set.contains(position) || self.rules.wins_at_once(position);
        self.rules.result(position).unwrap_or_else(by_turn)
    }

    /// A message about a reply after which the side is not safe, if there is one.
    fn unsafe_reply(&self, set: &HashSet<Position>, position: &Position) -> Option<String> {
        let mut found = None;
        self.rules.any_turn(position, &mut |reply| {
            let safe = self.is_safe(set, &reply);
            if !safe {
                found = Some(reply.map(|set| squares(set).collect::<Vec<_>>()));
            }
            !safe
        });
        found.map(|sets| format!("a reply leads to a position that is not safe, with squares {sets:?}"))
    }

    /// The fault of a position of the set, if any. The replies to each position are checked only once.
    fn fault(
        &self,
        set: &HashSet<Position>,
        (here, next): &(Position, Position),
        look_at_replies: bool,
    ) -> Option<String> {
        let over = self.rules.result(here).is_some();
        if over || !self.rules.any_turn(here, &mut |after| after == *next) {
            return Some("no turn leads from the first position to the second".to_owned());
        }
        match self.rules.result(next) {
            Some(true) => Some("the turn loses".to_owned()),
            None if look_at_replies => self.unsafe_reply(set, next),
            _ => None,
        }
    }

    /// The first fault, if any.
    fn check(&self) -> Option<String> {
        match &self.set {
            Set::Turns { turns, set } => self.check_turns(turns, set),
            Set::AfterTurns { positions, parts } => self.check_positions(positions, parts),
        }
    }

    fn check_turns(&self, turns: &[(Position, Position)], set: &HashSet<Position>) -> Option<String> {
        let start = self.rules.start();
        let fault = match self.second {
            true => self.unsafe_reply(set, &start),
            false => (!self.is_safe(set, &start)).then(|| "it is not safe".to_owned()),
        };
        if let Some(fault) = fault {
            return Some(format!("the start: {fault}"));
        }
        let mut seen = HashSet::new();
        let is_new: Vec<bool> = turns.iter().map(|turn| seen.insert(turn.1)).collect();
        self.first_fault(turns.len(), &|number| self.fault(set, &turns[number], is_new[number]))
    }

    fn check_positions(&self, positions: &[Position], parts: &HashSet<Vec<u64>>) -> Option<String> {
        // Replies to different positions are often equal.
        let known = Mutex::new(HashSet::new());
        let answered = |reply: &Position| {
            if let Some(won) = self.rules.result(reply) {
                return won;
            }
            let own = self.rules.parts(reply);
            if known.lock().expect("no thread panics").contains(&own) {
                return true;
            }
            let found = self.rules.any_turn(reply, &mut |next| match self.rules.result(&next) {
                Some(lost) => !lost,
                None => parts.contains(&self.rules.parts(&next)),
            });
            if found {
                known.lock().expect("no thread panics").insert(own);
            }
            found
        };
        let fault = |position: &Position| {
            let open = self.rules.any_turn(position, &mut |reply| !answered(&reply));
            let lost = self.rules.result(position) == Some(true);
            (open || lost).then(|| "a reply has no answer in the set".to_owned())
        };
        let start = self.rules.start();
        let begins = if self.second { fault(&start).is_none() } else { answered(&start) };
        if !begins {
            return Some("the start has no answer in the set".to_owned());
        }
        self.first_fault(positions.len(), &|number| fault(&positions[number]))
    }

    /// The first fault of a number of lines, checked by all threads.
    fn first_fault(&self, lines: usize, fault: &(dyn Fn(usize) -> Option<String> + Sync)) -> Option<String> {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let first_of =
            &|part: usize| (part..lines).step_by(threads).find_map(|number| Some((number, fault(number)?)));
        let (number, fault) = std::thread::scope(|scope| {
            let parts: Vec<_> = (0..threads).map(|part| scope.spawn(move || first_of(part))).collect();
            let faults = parts.into_iter().filter_map(|part| part.join().expect("no thread panics"));
            faults.min()
        })?;
        Some(format!("line {}: {fault}", self.first_line + number))
    }
}
