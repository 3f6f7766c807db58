//! `probe`: shows the values of a position and of every turn, for one position or many at once.

use std::cmp::Reverse;

use retrograde_game::Seat;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::back_up::preference;
use crate::query::ahead::prepare;
use crate::query::budget::Budget;
use crate::query::lookup::{Resolved, known_value};
use crate::query::resolve::{
    Valued, ValuedTurns, has_direct_value, resolve, resolve_prefix, resolve_with_turns, valued_position,
};
use crate::query::turns::{fewer_steps_first, list_turns};
use crate::query::written;
use crate::sorting::sort_by;
use crate::{
    Error, Fields, GivenPage, Host, ListPage, OpenGame, Param, Player, Position, Problem, Question,
    RequestLimits, Route, SearchLimits, ShadeOfDraw, Source, ValuedPosition, Verdict,
};

const TO_MOVE: Param = Param::to_move(
    "The player to move; `first` by default. It changes `board`, `to_move` and `turn_on_board` only.",
);

const MOVES: Param = Param::text(
    "moves",
    "Lists only turns that begin with these steps, separated by commas, and writes the turns that way. A \
     complete turn lists only that turn.",
);

const NIMBERS: Param = Param::flag(
    "nimbers",
    "Whether to add the nimbers of the position and of the positions after its turns, as far as the time \
     limit allows. Only for impartial games in normal play.",
);

pub(super) const ROUTE: Route = Route {
    path: "positions",
    name: "position",
    topic: "positions",
    summary: "A position and every turn with their values: `probe --json`",
    description: "A long list of turns is split into pages, best turns first. `page.next` is the offset of \
                  the next page; `page` is absent if the answer has all turns.",
    params: &[
        Param::text("position", "The position, seen by the side to move; the start by default."),
        TO_MOVE,
        MOVES,
        NIMBERS,
        Param::PAGE[0],
        Param::PAGE[1],
    ],
    body: None,
    answer: ("The position", "Probe"),
    refusals: &[(400, "The position or a step is invalid"), (404, "There is no such game")],
    read,
};

pub(super) const ROUTE_IN_PATH: Route = Route {
    path: "positions/{position}",
    name: "position_in_path",
    summary: "The same with the position in the path, percent-encoded: `/` is `%2F`, which some proxies reject",
    params: &[
        Param::text("position", "The position, seen by the side to move").in_path(),
        TO_MOVE,
        MOVES,
        NIMBERS,
        Param::PAGE[0],
        Param::PAGE[1],
    ],
    ..ROUTE
};

pub(super) const BATCH_ROUTE: Route = Route {
    path: "positions",
    name: "batch",
    topic: "positions",
    summary: "Several positions at once, each with its answer or problem",
    description: "",
    params: &[],
    body: Some("Batch"),
    answer: ("An answer for each position", "BatchAnswer"),
    refusals: &[
        (400, "The body is invalid"),
        (404, "There is no such game"),
        (413, "Too long, or too many positions"),
        (415, "The body is not JSON"),
    ],
    read: read_batch,
};

fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Question, Problem> {
    let (position, to_move) = (fields.position(), fields.seat());
    let (prefix, page) = (fields.steps()?, fields.page(limits)?);
    let nimbers = fields.flag("nimbers") == Some(true);
    Ok(Question::new(1, move |game, host| {
        let limits = host.search();
        let mut probe = game.probe_page(&position(game), to_move, &prefix, page, &limits)?;
        if nimbers {
            game.add_nimbers(&mut probe, &limits)?;
        }
        Ok(probe)
    }))
}

/// Positions to look up at once.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Batch {
    /// The positions.
    pub positions: Vec<String>,
    /// The player to move in all of them; `first` if absent or null.
    pub to_move: Option<Player>,
}

/// The answers to a batch, in the order of the request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct BatchAnswer {
    /// The canonical name of the game.
    pub game: String,
    /// One entry per position.
    pub answers: Vec<BatchItem>,
}

/// The answer to one position of a batch: either `answer` or `problem`.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct BatchItem {
    /// The position as given.
    pub position: String,
    /// Its value and that of every turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<Probe>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<Problem>,
}

fn read_batch(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Question, Problem> {
    let batch: Batch = fields.body()?;
    let (max, found) = (limits.batch, batch.positions.len());
    if found > max {
        let detail = format!("a batch can have at most {max} positions, not {found}");
        return Err(Problem::too_large(413, detail));
    }
    let most_turns = limits.page;
    Ok(Question::new(found as u64, move |game, host| answer_batch(game, &batch, most_turns, host)))
}

/// Answers a batch with at most `most_turns` turns in total.
fn answer_batch(
    game: &OpenGame,
    batch: &Batch,
    most_turns: u64,
    host: &dyn Host,
) -> Result<BatchAnswer, Error> {
    let mut left = most_turns;
    let to_move = batch.to_move.map_or(Seat::First, Seat::from);
    let mut probe = |position: &String| -> Result<Probe, Error> {
        let page = ListPage { offset: 0, limit: left };
        let probe = game.probe_page(position, to_move, &[], page, &host.search())?;
        if probe.page.is_some() {
            let reason = "this position has more turns than a batch can list; request it alone";
            return Err(Error::TooLarge(reason.to_owned()));
        }
        left -= probe.turns_available.len() as u64;
        Ok(probe)
    };
    let item = |position: &String| {
        let (answer, problem) = match probe(position) {
            Ok(probe) => (Some(probe), None),
            Err(error) => (None, Some(host.problem(error))),
        };
        BatchItem { position: position.clone(), answer, problem }
    };
    let answers = batch.positions.iter().map(item).collect();
    Ok(BatchAnswer { game: game.name().to_owned(), answers })
}

/// A turn with its value for the player who makes it; `turns` counts the turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct TurnValue {
    /// The turn, in its player's coordinates.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
    /// The position it leads to, seen by the other player.
    pub position: String,
    /// Its value to the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The nimber of the position it leads to, if found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u32>,
    /// Its shade, for its player.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shade: Option<ShadeOfDraw>,
}

/// A position with its value and the value of every turn (`probe`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Probe {
    /// The position and its value.
    #[serde(flatten)]
    pub position: ValuedPosition,
    /// Positions that were searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The nimber, if found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nimber: Option<u32>,
    /// The part of the list in this answer; omitted if it is whole.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub page: Option<GivenPage>,
    /// The turns, best first.
    pub turns_available: Vec<TurnValue>,
    /// True if a limit was reached: there may be more than the answer lists and counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

impl OpenGame {
    /// The value of a position and of every turn; from the table, the rules or a search.
    ///
    /// # Errors
    /// If the text is not a position, or the table is damaged.
    pub fn probe(&self, position: &str, to_move: Seat, limits: &SearchLimits) -> Result<Probe, Error> {
        self.probe_page(position, to_move, &[], ListPage::ALL, limits)
    }

    /// Like [`OpenGame::probe`], with one page of the turns that begin with the steps `prefix`, written with
    /// these steps.
    ///
    /// # Errors
    /// If a text is not a position or not a legal step, the turn is already complete, or the table is damaged.
    pub fn probe_page(
        &self,
        position: &str,
        to_move: Seat,
        prefix: &[String],
        page: ListPage,
        limits: &SearchLimits,
    ) -> Result<Probe, Error> {
        let position = written::position(&*self.entry.game, position)?;
        let position = &position;
        let to_move = self.entry.game.seat(position).unwrap_or(to_move);
        let game = &*self.entry.game;
        let mut budget = Budget::new(limits);
        if page.limit == 0 && prefix.is_empty() {
            return value_and_count(self, (position, to_move), page, budget);
        }
        let ValuedTurns { resolved, mut turns, complete } = if prefix.is_empty() {
            resolve_with_turns(self, position, &mut budget)?
        } else {
            turns_after(self, position, prefix, &mut budget)?
        };
        let (given, given_page) = page.of(turns.len());
        let turns_available = turns
            .drain(given)
            .map(|valued| TurnValue {
                turn_on_board: game.turn_on_board(position, &valued.turn, to_move),
                position: game.position_text(&valued.next),
                verdict: valued.knowledge.into(),
                nimber: None,
                shade: valued.shade.map(Into::into),
                turn: valued.text,
            })
            .collect();
        let answer = answer(self, (position, to_move), resolved, &budget)?;
        Ok(Probe { page: given_page, turns_available, incomplete: !complete, ..answer })
    }

    /// Only the value, as from `probe` but without the list of turns; much faster.
    ///
    /// # Errors
    /// As [`OpenGame::probe`].
    pub fn value(&self, position: &str, limits: &SearchLimits) -> Result<(Verdict, Source), Error> {
        let position = written::position(&*self.entry.game, position)?;
        let resolved = resolve(self, &position, &mut Budget::new(limits))?;
        Ok((resolved.knowledge.into(), resolved.source))
    }
}

/// The answer for a position, without its turns.
fn answer(
    open: &OpenGame,
    position: (&Position, Seat),
    resolved: Resolved,
    budget: &Budget,
) -> Result<Probe, Error> {
    Ok(Probe {
        position: valued_position(open, position, resolved)?,
        nodes: budget.spent,
        nimber: None,
        page: None,
        turns_available: Vec::new(),
        incomplete: false,
    })
}

/// If no turns are requested, only the position's own value is looked up, if the table has it. For
/// a remote table that is a tiny part of the reads for all turns.
fn value_and_count(
    open: &OpenGame,
    (position, to_move): (&Position, Seat),
    page: ListPage,
    mut budget: Budget,
) -> Result<Probe, Error> {
    let (turns, complete) = list_turns(open, position, &budget)?;
    let (_, page) = page.of(turns.len());
    prepare(open, [position], false)?;
    let known = if has_direct_value(open, position)? { known_value(open, position)? } else { None };
    let resolved = match known {
        Some(known) => known,
        None => resolve_with_turns(open, position, &mut budget)?.resolved,
    };
    Ok(Probe { page, incomplete: !complete, ..answer(open, (position, to_move), resolved, &budget)? })
}

/// The values of a position and of the turns that lead to the same positions as turns that begin
/// with `prefix`; they are written so that they begin with these steps.
fn turns_after(
    open: &OpenGame,
    position: &Position,
    prefix: &[String],
    budget: &mut Budget,
) -> Result<ValuedTurns, Error> {
    let game = &*open.entry.game;
    let (valued, mut after) = resolve_prefix(open, position, prefix, budget)?;
    let mut turns: Vec<Valued> = valued
        .turns
        .into_iter()
        .filter_map(|valued| {
            let turn = after.remove(&valued.next)?;
            Some(Valued { text: game.turn_text(position, &turn), turn, ..valued })
        })
        .collect();
    let order = |a: &Valued| (preference(a.knowledge), Reverse(a.shade));
    sort_by(&mut turns, |a, b| order(a).cmp(&order(b)).then_with(|| fewer_steps_first(&a.text, &b.text)));
    Ok(ValuedTurns { turns, ..valued })
}

impl OpenGame {
    /// Adds the nimbers of the position and of its successors, as far as the limits allow.
    ///
    /// # Errors
    /// If the game is not impartial or is misère play.
    pub fn add_nimbers(&self, probe: &mut Probe, limits: &SearchLimits) -> Result<(), Error> {
        let game = &*self.entry.game;
        let refused = |reason: &str| Err(Error::Unsupported(format!("{} {reason}", self.name())));
        let Some(sums) = &self.entry.sums else {
            return refused("has no nimbers: only impartial games have them");
        };
        if !sums.last_turn_wins() {
            return refused("has no nimbers: only games in which the last turn wins have them");
        }
        // The position comes last: its nimber is computed from those of its successors.
        let texts = probe.turns_available.iter().map(|turn| &turn.position).chain([&probe.position.text]);
        let positions = texts.map(|text| written::position(game, text)).collect::<Result<Vec<_>, _>>()?;
        let mut found = sums.nimbers(&positions, limits);
        probe.nimber = found.pop().flatten();
        for (turn, nimber) in probe.turns_available.iter_mut().zip(found) {
            turn.nimber = nimber;
        }
        Ok(())
    }
}
