//! `annotate`: shows the turns of a game with values and marks.

use std::collections::HashSet;

use retrograde_game::{Knowledge, Seat};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::back_up::{preference, turn_value};
use crate::query::ahead::prepare;
use crate::query::budget::Budget;
use crate::query::comment::Judged;
use crate::query::resolve::{ValuedTurns, resolve, resolve_with_turns};
use crate::query::turns::replay;
use crate::{
    Coordinates, Error, Fields, OpenGame, Player, Problem, Question, RequestLimits, Route, SearchLimits,
    Verdict, read_turns,
};

pub(super) const ROUTE: Route = Route {
    path: "annotate",
    name: "annotate",
    topic: "positions",
    summary: "The turns of a played game, with marks: `annotate --json`",
    description: "",
    params: &[],
    body: Some("PlayedGame"),
    answer: ("The turns", "AnnotatedGame"),
    refusals: &[
        (400, "The body or a turn is invalid"),
        (404, "There is no such game"),
        (413, "Too long, or too many turns"),
    ],
    read,
};

/// A played game whose turns are to be marked.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PlayedGame {
    /// The first position; the start if absent or null.
    pub position: Option<String>,
    /// The player who was to move there; `first` if absent or null.
    pub to_move: Option<Player>,
    /// The turns; each text may be a line of a record with several turns.
    pub turns: Vec<String>,
    /// How the turns name squares. Without it, each turn is read by itself: as `mover` if that is legal, else
    /// as `board`.
    #[serde(default)]
    pub coordinates: Option<Coordinates>,
}

/// A game that was played, with marks.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct AnnotatedGame {
    /// The canonical name of the game.
    pub game: String,
    /// The first position.
    pub position: String,
    /// The player who was to move there.
    pub to_move: Player,
    /// The turns with their values and marks.
    pub turns: Vec<Annotation>,
}

fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Question, Problem> {
    let played: PlayedGame = fields.body()?;
    // A text may be a line with several turns, or with a turn of two words.
    let turns = |text: &String| text.split_whitespace().count().div_ceil(2).max(1);
    let (max, found) = (limits.batch, played.turns.iter().map(turns).sum::<usize>());
    if found > max {
        let detail = format!("a game can have at most {max} turns, not {found}");
        return Err(Problem::too_large(413, detail));
    }
    Ok(Question::new(played.turns.len() as u64, move |game, host| {
        let PlayedGame { position, to_move, turns, coordinates } = &played;
        let to_move = to_move.map_or(Seat::First, Seat::from);
        let position = game.canonical(&position.clone().unwrap_or_else(|| game.start()))?;
        let turns = read_turns(game, &position, to_move, turns, *coordinates)?;
        let turns = game.annotate(&position, to_move, &turns, &host.search())?;
        Ok(AnnotatedGame { game: game.name().to_owned(), position, to_move: to_move.into(), turns })
    }))
}

/// A turn of a played game, with its value and a mark (`annotate`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Annotation {
    /// The turn, in its player's coordinates.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
    /// The player who made it.
    pub player: Player,
    /// The position it led to, seen by the other player.
    pub position: String,
    /// The value before the turn, for its player.
    pub before: Verdict,
    /// The value after it, for the same player.
    pub after: Verdict,
    /// `!` the only turn that keeps the outcome and does not repeat a position, `?` a worse outcome,
    /// `?!` the same outcome but later (a win) or sooner (a loss) than necessary, empty otherwise.
    #[schemars(extend("enum" = ["", "!", "?", "?!"]))]
    pub mark: &'static str,
    /// A best turn, in its player's coordinates; null if this was one.
    pub better: Option<String>,
    /// The same as the first player sees it.
    pub better_on_board: Option<String>,
    /// Its value for the same player.
    pub better_value: Option<Verdict>,
    /// A comment for people; may be empty.
    pub comment: String,
}

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
        prepare(self, played.iter().map(|(position, _)| position), true)?;
        let mut seat = to_move;
        let mut annotations = Vec::with_capacity(played.len());
        // The positions so far, with the sides to move.
        let mut seen = HashSet::new();
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
            seen.insert((position.clone(), seat));
            let mark = match mark(before.knowledge, after, &others) {
                // A turn that was not listed may also hold.
                "!" if !complete => "",
                // A turn that repeats a position gets no mark.
                "!" if seen.contains(&(next.clone(), seat_after)) => "",
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
                player: seat.into(),
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
