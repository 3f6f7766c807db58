//! Marks for the turns of a game, as in chess books.

use std::collections::HashSet;

use retrograde_game::{Knowledge, Seat};

use crate::back_up::{preference, turn_value};
use crate::game::open::OpenGame;
use crate::query::ahead::prepare;
use crate::query::budget::Budget;
use crate::query::comment::Judged;
use crate::query::resolve::{ValuedTurns, resolve, resolve_with_turns};
use crate::query::turns::replay;
use crate::{Annotation, Error, SearchLimits};

impl OpenGame {
    /// Marks the turns of a game from a position in which `to_move` is to move.
    ///
    /// # Errors
    /// If a text is invalid or a turn is not legal; the error names it.
    pub fn annotate(
        &self,
        position: &str,
        to_move: Seat,
        turns: &[String],
        limits: &SearchLimits,
    ) -> Result<Vec<Annotation>, Error> {
        let game = &*self.entry.game;
        let (played, _) = replay(self, position, turns)?;
        prepare(self, played.iter().map(|(position, _)| position))?;
        let mut seat = to_move;
        let mut annotations = Vec::with_capacity(played.len());
        // The positions so far, with the sides to move.
        let mut met = HashSet::new();
        for ((position, turn), written) in played.iter().zip(turns) {
            seat = game.seat(position).unwrap_or(seat);
            let mut budget = Budget::new(limits);
            let ValuedTurns { resolved: before, turns: values, complete } =
                resolve_with_turns(self, position, &mut budget)?;
            let next = game.play(position, turn);
            let after = match values.iter().find(|value| value.next == next) {
                Some(value) => value.knowledge,
                None => {
                    let after = resolve(self, &next, &mut budget)?.knowledge;
                    turn_value(after, game.moves_again(position, &next), game.turn_is_counted(position))
                }
            };
            let others: Vec<Knowledge> =
                values.iter().filter(|value| value.next != next).map(|value| value.knowledge).collect();
            let seat_after = game.mover_after(seat, &next);
            met.insert((position.clone(), seat));
            let mark = match mark(before.knowledge, after, &others) {
                // A turn that was not listed may also hold.
                "!" if !complete => "",
                // Going around in a circle deserves no praise.
                "!" if met.contains(&(next.clone(), seat_after)) => "",
                mark => mark,
            };
            let best = values.first().filter(|best| {
                best.knowledge.outcome().is_some() && preference(best.knowledge) < preference(after)
            });
            let judged = Judged {
                player: seat,
                counted: game.turn_is_counted(position),
                before: before.knowledge,
                after,
                mark,
                better: best.map(|best| (game.turn_on_board(position, &best.turn, seat), best.knowledge)),
            };
            annotations.push(Annotation {
                turn: written.clone(),
                turn_on_board: game.turn_on_board(position, turn, seat),
                player: seat.word(),
                position: game.position_text(&next),
                before: before.knowledge.into(),
                after: after.into(),
                mark,
                better: best.map(|best| best.text.clone()),
                comment: judged.comment(),
                better_value: judged.better.as_ref().map(|(_, value)| (*value).into()),
                better_on_board: judged.better.map(|(text, _)| text),
            });
            seat = seat_after;
        }
        Ok(annotations)
    }
}

/// The mark of a turn from the value before it, its own value and the values of the other turns.
fn mark(before: Knowledge, after: Knowledge, others: &[Knowledge]) -> &'static str {
    let (Some(could), Some(did)) = (before.outcome(), after.outcome()) else { return "" };
    if did < could {
        return "?";
    }
    let later = match (before.turns(), after.turns()) {
        (Some(_), Some(_)) => preference(after) > preference(before),
        _ => false,
    };
    if later {
        return "?!";
    }
    let worse = |other: &Knowledge| other.outcome().is_some_and(|outcome| outcome < did);
    if !others.is_empty() && others.iter().all(worse) { "!" } else { "" }
}

#[cfg(test)]
mod tests {
    use super::*;
    use retrograde_game::{Outcome, Turns, Value};

    #[test]
    fn marks() {
        let win = |turns| Knowledge::Exact(Value::Win(Turns(turns)));
        let loss = |turns| Knowledge::Exact(Value::Loss(Turns(turns)));
        let draw = Knowledge::Exact(Value::Draw);
        for (before, after, others, expected) in [
            (win(3), win(3), vec![draw, loss(2)], "!"),
            (win(3), win(3), vec![win(5), loss(2)], ""),
            (win(3), win(3), vec![], ""),
            (win(3), win(5), vec![win(3)], "?!"),
            (win(3), draw, vec![win(3)], "?"),
            (draw, loss(8), vec![draw], "?"),
            (draw, draw, vec![loss(4)], "!"),
            (loss(6), loss(2), vec![loss(6)], "?!"),
            (loss(6), loss(6), vec![loss(2)], ""),
            (draw, draw, vec![Knowledge::Unknown], ""),
            (Knowledge::Unknown, loss(2), vec![], ""),
            (Knowledge::Outcome(Outcome::Win), win(3), vec![loss(2)], "!"),
        ] {
            assert_eq!(mark(before, after, &others), expected, "{before:?} {after:?} {others:?}");
        }
    }
}
