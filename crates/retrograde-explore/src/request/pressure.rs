//! `probe --pressure`: counts the turns that hold, and the replies that hold after each of them.
//!
//! A position with a thousand turns needs a million values, so they are looked up together: each
//! position once, in the order of the files, on all threads.

use std::collections::HashMap;
use std::ops::ControlFlow;

use retrograde_game::{Index, Knowledge, Outcome, Seat, Stored, Value};
use schemars::JsonSchema;
use serde::Serialize;

use crate::bounds::{self, Watch};
use crate::game::rules::{Position, Turn};
use crate::query::ahead::{look_up_all, prepare};
use crate::query::budget::Budget;
use crate::query::lookup::{complete, stored_or_rules};
use crate::query::resolve::{Valued, ValuedTurns, resolve_with_turns, valued_position};
use crate::query::written;
use crate::{
    Error, Fields, GivenPage, ListPage, OpenGame, Param, Problem, Question, RequestLimits, Route,
    SearchLimits, ShadeOfDraw, ValuedPosition, Verdict,
};

pub(super) const ROUTE: Route = Route {
    path: "pressure",
    name: "pressure",
    topic: "positions",
    summary: "How many turns of a position hold its outcome, and how many replies hold after each of them: \
              `probe --pressure --json`",
    description: "`limit=0` counts only the turns, which is quick. There can be a million replies to the \
                  turns of a position, so request them in pages; `page.next` is the offset of the next \
                  page.",
    params: &[
        Param::text("position", "The position, seen by the side to move; the start by default."),
        Param::to_move("The player to move; `first` by default."),
        Param::PAGE[0],
        Param::number(
            "limit",
            u64::MAX,
            "The maximum number of holding turns whose replies are counted; the server's limit by default.",
        ),
    ],
    body: None,
    answer: ("The turns that hold, with the replies to each turn of the page", "Pressure"),
    refusals: &[
        (400, "The position is invalid"),
        (404, "There is no such game"),
        (413, "There are too many replies for one answer: ask for fewer turns"),
        (503, "They were not counted in time"),
    ],
    read,
};

fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Question, Problem> {
    let (position, to_move, page) = (fields.position(), fields.seat(), fields.page(limits)?);
    Ok(Question::new(1, move |game, host| game.pressure(&position(game), to_move, page, &host.search())))
}

/// The number of turns by their outcome for the player who makes them.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, JsonSchema)]
pub struct TurnsByOutcome {
    /// All turns.
    pub all: u64,
    /// Turns that win.
    pub win: u64,
    /// Turns that draw.
    pub draw: u64,
    /// Turns that lose.
    pub loss: u64,
    /// Turns whose outcome is unknown.
    pub unknown: u64,
}

/// A position with the turns that hold its outcome, and the replies that each of them leaves to the
/// opponent (`probe --pressure`). A turn or a reply holds if it keeps the outcome.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Pressure {
    /// The position and its value.
    #[serde(flatten)]
    pub position: ValuedPosition,
    /// All its turns.
    pub turns_by_outcome: TurnsByOutcome,
    /// Turns that hold.
    pub holding: u64,
    /// The part of the list in this answer; omitted if it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<GivenPage>,
    /// The holding turns, best first.
    pub holding_turns: Vec<HoldingTurn>,
    /// True if a limit was reached: there may be more than the answer lists and counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

/// A turn that holds, and what it leaves to the opponent.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct HoldingTurn {
    /// The turn, in its player's coordinates.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
    /// The position it leads to, seen by the other player.
    pub position: String,
    /// Its value to the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Its shade, for its player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shade: Option<ShadeOfDraw>,
    /// The opponent's replies.
    pub replies: TurnsByOutcome,
    /// Replies that hold.
    pub holding: u64,
    /// The reply that holds, if only one of several does, as the first player sees it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub only_reply: Option<String>,
}

/// The number of replies between two checks of the clock.
const CHECK_EVERY: u32 = 1 << 8;
/// The number of turns whose replies are looked up together. In the prelude, each may have ten
/// thousand.
const TOGETHER: usize = 64;

impl OpenGame {
    /// Counts the turns of a position that hold its outcome and, for the turns of a page, the
    /// replies that hold.
    ///
    /// # Errors
    /// As [`OpenGame::probe`].
    pub fn pressure(
        &self,
        position: &str,
        to_move: Seat,
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Pressure, Error> {
        let position = written::position(&*self.entry.game, position)?;
        let position = &position;
        self.entry.game.require_alternation("counting replies")?;
        let game = &*self.entry.game;
        let mut budget = Budget::new(limits);
        let ValuedTurns { resolved, mut turns, mut complete } =
            resolve_with_turns(self, position, &mut budget)?;
        let mut counts = TurnsByOutcome::default();
        turns.iter().for_each(|turn| counts.add(turn.knowledge.outcome()));
        let outcome = resolved.knowledge.outcome();
        turns.retain(|turn| outcome.is_some() && turn.knowledge.outcome() == outcome);
        let holding = turns.len();
        let (given, page) = page.of(holding);
        let turns: Vec<Valued> = turns.drain(given).collect();
        let mut replies = Vec::with_capacity(turns.len());
        // With a table there is no time limit.
        let end = if self.values.is_some() { bounds::far_future() } else { budget.listed_until };
        for turns in turns.chunks(TOGETHER) {
            let counted = bounds::until(end, || replies_to(self, turns));
            let Some(counted) = bounds::unless_ended(counted)? else {
                complete = false;
                break;
            };
            replies.extend(counted);
        }
        let holding_turns = turns.into_iter().zip(replies).map(|(turn, replies)| {
            let only_reply =
                replies.only.map(|reply| game.turn_on_board(&turn.next, &reply, to_move.other()));
            HoldingTurn {
                turn_on_board: game.turn_on_board(position, &turn.turn, to_move),
                position: game.position_text(&turn.next),
                verdict: turn.knowledge.into(),
                shade: turn.shade.map(Into::into),
                replies: replies.counts,
                holding: replies.counts.of(turn.knowledge.outcome().map(Outcome::flipped)),
                only_reply,
                turn: turn.text,
            }
        });
        Ok(Pressure {
            position: valued_position(self, (position, to_move), resolved)?,
            turns_by_outcome: counts,
            holding: holding as u64,
            page,
            holding_turns: holding_turns.collect(),
            incomplete: !complete,
        })
    }
}

/// The replies to a turn.
struct Replies {
    counts: TurnsByOutcome,
    /// The only reply that holds, if there is exactly one.
    only: Option<Turn>,
}

/// The outcome of a position after a reply, or where to look it up.
#[derive(Clone, Copy)]
enum Place {
    Known(Option<Outcome>),
    /// Its number in the list of positions to look up.
    LookedUp(usize),
}

/// Counts the replies to turns by outcome.
fn replies_to(open: &OpenGame, turns: &[Valued]) -> Result<Vec<Replies>, Error> {
    let game = &*open.entry.game;
    prepare(open, turns.iter().map(|turn| &turn.next), true)?;
    let mut lookups: Vec<(Option<Index>, Position)> = Vec::new();
    let mut numbers: HashMap<Index, usize> = HashMap::new();
    let mut places: Vec<Vec<Place>> = Vec::with_capacity(turns.len());
    let mut watch = Watch::default();
    for turn in turns {
        let mut of_turn = Vec::new();
        // In a lost position every turn loses.
        let lost = turn.knowledge.outcome() == Some(Outcome::Win);
        let mut failed = Ok(());
        let _ = game.each_turn(&turn.next, &mut |_, next| {
            of_turn.push(match game.result(&next) {
                _ if lost => Place::Known(Some(Outcome::Loss)),
                Some(outcome) => Place::Known(Some(outcome.flipped())),
                None => {
                    let index = open.index_of(&next);
                    let ask = || {
                        lookups.push((index, next));
                        lookups.len() - 1
                    };
                    Place::LookedUp(match index {
                        Some(index) => *numbers.entry(index).or_insert_with(ask),
                        None => ask(),
                    })
                }
            });
            failed = watch.tick(CHECK_EVERY);
            if failed.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        failed?;
        bounds::check()?;
        bounds::spend_turns(of_turn.len() as u64);
        if bounds::turns_left() == Some(0) {
            return Err(bounds::too_many_turns());
        }
        places.push(of_turn);
    }
    // The outcomes for the sides to move; `None` means unknown.
    let look = |number: usize| {
        let (index, position) = &lookups[number];
        Ok(outcome_at(open, *index, position)?.outcome())
    };
    let outcomes = look_up_all(open, lookups.len(), &|number| lookups[number].0, &look)?;
    let outcome_of = |place: &Place| match place {
        Place::Known(outcome) => *outcome,
        Place::LookedUp(number) => outcomes[*number].map(Outcome::flipped),
    };
    let replies = turns.iter().zip(&places).map(|(turn, places)| {
        let mut counts = TurnsByOutcome::default();
        places.iter().for_each(|place| counts.add(outcome_of(place)));
        let wanted = turn.knowledge.outcome().map(Outcome::flipped);
        let holds = |place: &Place| wanted.is_some() && outcome_of(place) == wanted;
        let mut only = None;
        // A reply with an unknown value may hold, too.
        if counts.of(wanted) == 1 && counts.unknown == 0 && places.len() > 1 {
            // Turns are visited in the same order as before.
            let mut left = places.iter();
            let _ = game.each_turn(&turn.next, &mut |reply, _| match left.next() {
                Some(place) if holds(place) => {
                    only = Some(reply());
                    ControlFlow::Break(())
                }
                _ => ControlFlow::Continue(()),
            });
        }
        Ok(Replies { counts, only })
    });
    replies.collect()
}

/// The value of a position that is not over by the rules.
fn outcome_at(open: &OpenGame, index: Option<Index>, position: &Position) -> Result<Knowledge, Error> {
    if let (Some(index), Some(values)) = (index, open.values.as_deref())
        && let Stored::Known(knowledge) = values.value(index)?
    {
        return complete(open, knowledge, position);
    }
    let known = stored_or_rules(open, position)?;
    if known == Knowledge::Unknown
        && open.entry.game.turn_is_counted(position)
        && open.entry.game.wins_now(position)
    {
        return Ok(Knowledge::Exact(Value::Win(retrograde_game::Turns(1))));
    }
    Ok(known)
}

impl TurnsByOutcome {
    /// Counts a turn with this outcome to the player who makes it.
    fn add(&mut self, outcome: Option<Outcome>) {
        self.all += 1;
        *match outcome {
            Some(Outcome::Win) => &mut self.win,
            Some(Outcome::Draw) => &mut self.draw,
            Some(Outcome::Loss) => &mut self.loss,
            None => &mut self.unknown,
        } += 1;
    }

    /// The number of turns with an outcome; 0 for an unknown one.
    fn of(&self, outcome: Option<Outcome>) -> u64 {
        match outcome {
            Some(Outcome::Win) => self.win,
            Some(Outcome::Draw) => self.draw,
            Some(Outcome::Loss) => self.loss,
            None => 0,
        }
    }
}
