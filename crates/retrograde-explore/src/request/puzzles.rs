//! `puzzles`: finds positions with several turns, exactly one of them right. A turn is right if it wins,
//! does not lose, delays longest, or sets the opponent a task, depending on the kind.

use std::collections::HashSet;
use std::ops::ControlFlow;

use retrograde_game::{Index, Knowledge, Outcome, Random, Seat, Stored, Successor, Turns, Value};
use retrograde_solve::shades::Shade;
use schemars::JsonSchema;
use serde::Serialize;

use crate::back_up::turn_value;
use crate::bounds::{self, Watch};
use crate::query::lookup::{complete, known_value};
use crate::query::shades::shade;
use crate::query::turns::all_turns;
use crate::query::written;
use crate::request::order::{Order, RANDOM, SEED};
use crate::request::puzzle_depths::candidates;
use crate::{
    Count, Error, Fields, OpenGame, Param, Position, Problem, Question, RequestLimits, Route, ValueStore,
    Verdict, Visit, turn_on_board,
};

/// The default number of puzzles.
const DEFAULT_LIMIT: u64 = 3;

/// The kind of puzzles; [`kind`] reads it.
pub(super) const KIND: Param = Param::word(
    "kind",
    &["win", "save", "press"],
    "A kind of puzzle.",
    "The kind of puzzle; `win` by default.",
);

/// The requested kind.
pub(super) fn kind(fields: &Fields<'_>) -> PuzzleKind {
    match fields.text("kind") {
        Some("save") => PuzzleKind::Save,
        Some("press") => PuzzleKind::Press,
        _ => PuzzleKind::Win,
    }
}

pub(super) const ROUTE: Route = Route {
    path: "puzzles",
    name: "puzzles",
    topic: "positions",
    summary: "Positions with exactly one good turn. Needs a table",
    description: "With `position`, only that position; the list is empty if it is not a puzzle of this kind.",
    params: &[
        Param::text("position", "Only this position, seen by the side to move; all positions by default."),
        Param::to_move("The player to move in the puzzles; `first` by default."),
        KIND,
        Param::number(
            "turns",
            u16::MAX as u64,
            "Turns to the end. By default any, but puzzles of one turn only if there are no others.",
        ),
        RANDOM,
        SEED,
        Param::number("limit", u64::MAX, "The maximum number of puzzles; 3 by default."),
    ],
    body: None,
    answer: ("The puzzles", "PuzzleList"),
    refusals: &[
        (400, "The query or the position is invalid"),
        (404, "There is no such game, or no table"),
        (503, "They were not found in time"),
    ],
    read,
};

/// Puzzles with their solutions.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct PuzzleList {
    /// The canonical name of the game.
    pub game: String,
    /// The seed, if the choice was random.
    pub seed: Option<u64>,
    /// The puzzles; may be fewer than asked for.
    pub puzzles: Vec<Puzzle>,
    /// True if a limit was reached: there may be more than the answer lists and counts.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub incomplete: bool,
}

fn read(fields: &Fields<'_>, limits: &RequestLimits) -> Result<Question, Problem> {
    let (position, order) = (fields.text("position").map(str::to_owned), Order::read(fields)?);
    if position.is_some() && order != Order::ByIndex {
        return Err(Problem::bad("query", "`position` cannot be combined with `random` or `seed`"));
    }
    let (to_move, kind) = (fields.seat(), kind(fields));
    let turns = fields.number("turns")?.map_or(PuzzleTurns::Several, PuzzleTurns::Exactly);
    let limit = fields.number_up_to("limit", DEFAULT_LIMIT, limits.puzzles)?;
    Ok(Question::that_may_change(0, move |game, host| {
        let random = order.seed(host);
        let query = PuzzleQuery { kind, turns, random, limit };
        let mut puzzles = Vec::new();
        let mut add = |puzzle: Puzzle| -> Result<bool, Error> {
            puzzles.push(on_board(game, to_move, puzzle)?);
            Ok(true)
        };
        let mut complete = true;
        match &position {
            Some(position) if limit > 0 => {
                puzzle_at(game, position, kind)?.filter(|puzzle| fits(puzzle, turns)).map(add).transpose()?;
            }
            Some(_) => {}
            None => complete = game.puzzles(&query, &mut add)?,
        }
        let (game, incomplete) = (game.name().to_owned(), !complete);
        Ok((PuzzleList { game, seed: random, puzzles, incomplete }, order.repeats() && complete))
    }))
}

/// Whether the puzzle of a requested position has the requested number of turns.
fn fits(puzzle: &Puzzle, turns: PuzzleTurns) -> bool {
    match turns {
        PuzzleTurns::Exactly(turns) => puzzle.verdict.turns == Some(turns),
        PuzzleTurns::All | PuzzleTurns::Several => true,
    }
}

/// Converts the solution of a puzzle to the coordinates of the board.
fn on_board(game: &OpenGame, to_move: Seat, mut puzzle: Puzzle) -> Result<Puzzle, Error> {
    if to_move == Seat::Second {
        puzzle.solution_on_board = turn_on_board(game, &puzzle.position, to_move, &puzzle.solution)?;
    }
    Ok(puzzle)
}

/// The kinds of puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleKind {
    /// Exactly one turn wins.
    Win,
    /// The position is drawn and exactly one turn does not lose, or it is lost and exactly one turn
    /// delays the end as long as possible.
    Save,
    /// The position is drawn, several turns hold, and exactly one of them sets a task: it leaves the
    /// opponent several replies, of which exactly one holds.
    Press,
}

impl PuzzleKind {
    /// The word that JSON and the command line use.
    pub fn word(self) -> &'static str {
        match self {
            PuzzleKind::Win => "win",
            PuzzleKind::Save => "save",
            PuzzleKind::Press => "press",
        }
    }
}

/// The turns to the end of the puzzles to search for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleTurns {
    /// Any number, or none.
    All,
    /// Any number but one, or none. Puzzles of one turn are dull; they come only if there are no others.
    Several,
    /// This number.
    Exactly(u16),
}

/// The puzzles to find.
#[derive(Clone, Copy, Debug)]
pub struct PuzzleQuery {
    /// The effect of the one turn.
    pub kind: PuzzleKind,
    /// The turns to the end.
    pub turns: PuzzleTurns,
    /// At random, with this seed, instead of by index.
    pub random: Option<u64>,
    /// The maximum number to find.
    pub limit: u64,
}

/// A position with one right turn (`puzzles`).
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub struct Puzzle {
    /// Its index.
    pub index: Count,
    /// The position, seen by the side to move.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The one right turn, in its player's coordinates.
    pub solution: String,
    /// The same as the first player sees it.
    pub solution_on_board: String,
    /// The number of turns to choose from.
    #[schemars(range(min = 1))]
    pub turns_available: usize,
}

/// The number of unsuccessful random tries after which the table is searched from start to end. A
/// table with at most this many places is searched in random order, each place once.
const MAX_MISSES: u64 = 200_000;
/// The number of positions between two checks of the clock.
const CHECK_EVERY: u32 = 256;

impl OpenGame {
    /// Visits puzzles of the table. Returns whether the search was complete; a limit of the request may have
    /// ended it.
    ///
    /// # Errors
    /// As [`OpenGame::find`].
    pub fn puzzles(&self, wanted: &PuzzleQuery, visit: &mut Visit<'_, Puzzle>) -> Result<bool, Error> {
        let &PuzzleQuery { kind, turns, random, limit: mut left } = wanted;
        if left == 0 {
            return Ok(true);
        }
        if matches!(turns, PuzzleTurns::Exactly(_)) {
            self.require_turns()?;
        }
        if kind == PuzzleKind::Press {
            self.entry.game.require_alternation("the search for such puzzles")?;
        }
        let mut any = false;
        let mut search = |turns| -> Result<bool, Error> {
            let wanted = PuzzleQuery { turns, ..*wanted };
            let visit: &mut Visit<'_, Puzzle> = &mut |puzzle| {
                // If a limit ended a loop of the rules, this may not be a puzzle.
                bounds::check()?;
                any = true;
                left -= 1;
                Ok(visit(puzzle)? && left > 0)
            };
            match random.map(Random::new) {
                Some(random) => at_random(self, wanted, random, MAX_MISSES, visit)?,
                None => in_table_order(self, wanted, (0, &HashSet::new()), &mut Watch::default(), visit)?,
            }
            Ok(any)
        };
        bounds::in_part(|| {
            let any = search(turns)?;
            if !any && turns == PuzzleTurns::Several && candidates(self.stored()?, kind).contains_key(&1) {
                search(PuzzleTurns::Exactly(1))?;
            }
            Ok(())
        })
    }
}

/// The puzzle of a position, if it is a puzzle of this kind.
fn puzzle_at(open: &OpenGame, position: &str, kind: PuzzleKind) -> Result<Option<Puzzle>, Error> {
    if kind == PuzzleKind::Press {
        open.entry.game.require_alternation("the search for such puzzles")?;
    }
    let values = open.stored()?;
    let position = written::position(&*open.entry.game, position)?;
    if open.entry.game.result(&position).is_some() {
        return Ok(None);
    }
    let Some(index) = open.index_of(&position) else { return Ok(None) };
    match values.value(index)? {
        Stored::Known(knowledge) => puzzle_of_kind(open, index, knowledge, kind),
        Stored::Nothing => Ok(None),
    }
}

/// Visits puzzles in random order.
fn at_random(
    open: &OpenGame,
    wanted: PuzzleQuery,
    mut random: Random,
    max_misses: u64,
    visit: &mut Visit<'_, Puzzle>,
) -> Result<(), Error> {
    let values = open.stored()?;
    let places = values.facts().place_count;
    let mut watch = Watch::default();
    let mut look = |place: u64, seen: &HashSet<Index>| -> Result<Option<(Index, Puzzle)>, Error> {
        bounds::check()?;
        let (index, stored) = values.at(place)?;
        match stored {
            Stored::Known(knowledge) if !seen.contains(&index) => {
                let puzzle = puzzle(open, index, knowledge, wanted, &mut watch)?;
                Ok(puzzle.map(|puzzle| (index, puzzle)))
            }
            _ => Ok(None),
        }
    };
    let mut seen = HashSet::new();
    if places <= max_misses {
        let mut order: Vec<u64> = (0..places).collect();
        for at in 0..order.len() {
            if let Some((_, puzzle)) = look(*random.draw(&mut order, at), &seen)?
                && !visit(puzzle)?
            {
                break;
            }
        }
        return Ok(());
    }
    let mut misses_left = max_misses;
    while misses_left > 0 && (seen.len() as u64) < places {
        misses_left -= 1;
        if let Some((index, puzzle)) = look(random.below(places), &seen)? {
            seen.insert(index);
            misses_left = max_misses;
            if !visit(puzzle)? {
                return Ok(());
            }
        }
    }
    // They are rare: search the table in order, from a random place to the end and then from the
    // start.
    in_table_order(open, wanted, (random.below(places), &seen), &mut watch, visit)
}

/// Visits the remaining puzzles, from a place to the end and then those before it.
fn in_table_order(
    open: &OpenGame,
    wanted: PuzzleQuery,
    (from, seen): (u64, &HashSet<Index>),
    watch: &mut Watch,
    visit: &mut Visit<'_, Puzzle>,
) -> Result<(), Error> {
    let values = open.stored()?;
    let mut visit_unseen = |index: Index, knowledge: Knowledge| -> Result<bool, Error> {
        if !seen.contains(&index)
            && let Some(puzzle) = puzzle(open, index, knowledge, wanted, watch)?
        {
            return visit(puzzle);
        }
        Ok(true)
    };
    let mut more = true;
    let mut first_after = None;
    values.scan(from, &mut |index, knowledge| {
        first_after.get_or_insert(index);
        more = visit_unseen(index, knowledge)?;
        Ok(more)
    })?;
    if !more || from == 0 {
        return Ok(());
    }
    values.scan(0, &mut |index, knowledge| {
        if first_after.is_some_and(|first| index >= first) {
            return Ok(false);
        }
        visit_unseen(index, knowledge)
    })
}

/// The puzzle of a position with this value, if it is one of this kind.
pub(crate) fn puzzle_of_kind(
    open: &OpenGame,
    index: Index,
    knowledge: Knowledge,
    kind: PuzzleKind,
) -> Result<Option<Puzzle>, Error> {
    let any = PuzzleQuery { kind, turns: PuzzleTurns::All, random: None, limit: 1 };
    puzzle(open, index, knowledge, any, &mut Watch::default())
}

/// The puzzle of a position, if it is one.
fn puzzle(
    open: &OpenGame,
    index: Index,
    knowledge: Knowledge,
    PuzzleQuery { kind, turns, .. }: PuzzleQuery,
    watch: &mut Watch,
) -> Result<Option<Puzzle>, Error> {
    let values = open.stored()?;
    let outcome = knowledge.outcome();
    let suits = match kind {
        PuzzleKind::Win => outcome == Some(Outcome::Win),
        PuzzleKind::Save => {
            outcome == Some(Outcome::Draw)
                || outcome == Some(Outcome::Loss) && knowledge.turns().is_some_and(|turns| turns.0 > 0)
        }
        PuzzleKind::Press => outcome == Some(Outcome::Draw),
    };
    let maybe = suits || knowledge == Knowledge::NotLost;
    let fits = |known: Knowledge| match (turns, known.turns()) {
        (PuzzleTurns::All, _) => true,
        (PuzzleTurns::Several, has) => has != Some(Turns(1)),
        (PuzzleTurns::Exactly(wanted), has) => has == Some(Turns(wanted)),
    };
    watch.tick(CHECK_EVERY)?;
    if !maybe || suits && !fits(knowledge) {
        return Ok(None);
    }
    // In an archive, the values of one position's turns may take long.
    bounds::check()?;
    if kind == PuzzleKind::Press {
        return if suits || knowledge == Knowledge::NotLost { press(open, index, watch) } else { Ok(None) };
    }
    if has_many_right(open, values, index, knowledge)? {
        return Ok(None);
    }
    let position = open.position_at(index)?;
    let knowledge = complete(open, knowledge, &position)?;
    let suits = match kind {
        PuzzleKind::Win => knowledge.outcome() == Some(Outcome::Win),
        PuzzleKind::Save | PuzzleKind::Press => {
            matches!(knowledge.outcome(), Some(Outcome::Draw | Outcome::Loss))
        }
    };
    if !suits || !fits(knowledge) {
        return Ok(None);
    }
    let game = &*open.entry.game;
    let counts = game.turn_is_counted(&position);
    // Whether a turn is right: it wins, does not lose, or delays longest. `None` means unknown.
    let is_right = |next: &Position| -> Result<Option<bool>, Error> {
        let after = match (values.facts().looks_at_turns, knowledge.outcome(), open.index_of(next)) {
            // Whether a turn wins is known without looking at the turns after it.
            (true, Some(Outcome::Win), Some(index)) => match values.get(index)? {
                Stored::Known(after) => after,
                Stored::Nothing => return Ok(None),
            },
            _ => match known_value(open, next)? {
                Some(after) => after.knowledge,
                None => return Ok(None),
            },
        };
        if after.outcome().is_none() && values.facts().horizon.is_some() {
            // Beyond the horizon it may also be right.
            return Ok(None);
        }
        let value = turn_value(after, game.moves_again(&position, next), counts);
        Ok(Some(match knowledge.outcome() {
            Some(Outcome::Loss) => value == knowledge,
            outcome => value.outcome() == outcome,
        }))
    };
    let (mut all, mut right, mut at_most_one) = (0, None, Ok(true));
    let _ = game.each_turn(&position, &mut |turn, next| {
        all += 1;
        at_most_one = is_right(&next).map(|is_right| match is_right {
            Some(true) => right.replace(turn()).is_none(),
            Some(false) => true,
            None => false,
        });
        if matches!(at_most_one, Ok(true)) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    // After an interruption the rules have not seen all turns.
    bounds::check()?;
    if !at_most_one? {
        return Ok(None);
    }
    Ok(right.filter(|_| all > 1).map(|turn| Puzzle {
        index: Count(index.0.into()),
        position: game.position_text(&position),
        verdict: knowledge.into(),
        solution: game.turn_text(&position, &turn),
        solution_on_board: open.turn_on_board(&position, &turn),
        turns_available: all,
    }))
}

/// The puzzle of a position in which exactly one of several holding turns sets a task.
fn press(open: &OpenGame, index: Index, watch: &mut Watch) -> Result<Option<Puzzle>, Error> {
    /// The number of replies between two checks of the clock.
    const REPLIES: u32 = 1 << 10;
    let game = &*open.entry.game;
    let position = open.position_at(index)?;
    if known_value(open, &position)?.map(|known| known.knowledge.outcome()) != Some(Some(Outcome::Draw)) {
        return Ok(None);
    }
    // Stored shades show whether any turn sets a task.
    if let Some(shade) = shade(open, &position, Knowledge::Outcome(Outcome::Draw))?
        && shade != (Shade::Presses { level: 1, turns: Turns(1) })
    {
        return Ok(None);
    }
    let all = all_turns(open, &position)?;
    let (mut holding, mut right) = (0_usize, None);
    for (text, turn, next) in &all {
        let outcome = known_value(open, next)?.and_then(|known| known.knowledge.outcome());
        let Some(outcome) = outcome else { return Ok(None) };
        if outcome != Outcome::Draw {
            continue;
        }
        holding += 1;
        if game.result(next).is_some() {
            continue;
        }
        let Some(is_task) = is_task(open, next, &mut || watch.tick(REPLIES))? else { return Ok(None) };
        if is_task && right.replace((text, turn)).is_some() {
            return Ok(None);
        }
    }
    Ok(right.filter(|_| holding > 1).map(|(solution, turn)| Puzzle {
        index: Count(index.0.into()),
        position: game.position_text(&position),
        verdict: Knowledge::Exact(Value::Draw).into(),
        solution: solution.clone(),
        solution_on_board: open.turn_on_board(&position, turn),
        turns_available: all.len(),
    }))
}

/// Whether exactly one of several turns of a drawn position holds. `None` means unknown.
fn is_task(
    open: &OpenGame,
    position: &Position,
    tick: &mut dyn FnMut() -> Result<(), Error>,
) -> Result<Option<bool>, Error> {
    let (mut all, mut holding, mut result) = (0, 0, Ok(true));
    let _ = open.entry.game.each_turn(position, &mut |_, next| {
        all += 1;
        result = tick().and_then(|()| {
            let outcome = known_value(open, &next)?.and_then(|known| known.knowledge.outcome());
            holding += u32::from(outcome == Some(Outcome::Draw));
            Ok(outcome.is_some())
        });
        // Two holding turns are enough to know.
        if matches!(result, Ok(true)) && holding < 2 {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    });
    bounds::check()?;
    Ok(if result? { Some(holding == 1 && all > 1) } else { None })
}

/// Whether there are two right turns, by a quick check without texts and lists that rules out most
/// positions.
fn has_many_right(
    open: &OpenGame,
    values: &dyn ValueStore,
    index: Index,
    knowledge: Knowledge,
) -> Result<bool, Error> {
    let Some(dense) = open.entry.dense() else { return Ok(false) };
    let wanted = match knowledge {
        Knowledge::Exact(value) => value.outcome(),
        Knowledge::Outcome(outcome) => outcome,
        _ => return Ok(false),
    };
    let mut first = None;
    let mut failed = None;
    let many = dense.each_successor_at(index, &mut |next| {
        let again = matches!(next, Successor::Again(_));
        let Some(next) = next.index() else { return ControlFlow::Continue(()) };
        match values.get(next) {
            Ok(Stored::Known(after)) => {
                let value = turn_value(after, again, true);
                let right = match wanted {
                    Outcome::Loss => value == knowledge,
                    outcome => value.outcome() == Some(outcome),
                };
                // The same successor may be visited twice.
                if right && *first.get_or_insert(next) != next {
                    return ControlFlow::Break(());
                }
            }
            Ok(Stored::Nothing) => {}
            Err(error) => {
                failed = Some(error);
                return ControlFlow::Break(());
            }
        }
        ControlFlow::Continue(())
    });
    match failed {
        Some(error) => Err(error.into()),
        None => Ok(many.is_break()),
    }
}

#[cfg(test)]
mod tests {
    use retrograde_solve::Silent;

    use super::*;
    use crate::testing::Heaps;
    use crate::{Entry, SolveOptions};

    /// Each puzzle is found once, in an order that depends on the seed, whatever the number of misses.
    #[test]
    fn random_puzzles_are_valid_however_soon_the_search_falls_back_to_a_scan() {
        let entry = Entry::new(Heaps::default(), "").symmetries().build();
        let open = entry.solve_in_memory(&SolveOptions::default(), &Silent).unwrap();
        let (kind, turns) = (PuzzleKind::Win, PuzzleTurns::All);
        let wanted = PuzzleQuery { kind, turns, random: None, limit: u64::MAX };
        let places = open.stored().unwrap().facts().place_count;
        let mut expected = Vec::new();
        let mut expect = |puzzle: Puzzle| {
            expected.push(puzzle.index.0);
            Ok(true)
        };
        open.puzzles(&wanted, &mut expect).unwrap();
        assert!(expected.len() > 10 && expected.is_sorted(), "{expected:?}");
        for max_misses in [0, 1, 5, places - 1, places, MAX_MISSES] {
            let orders = [1, 2, 3, 4].map(|seed| {
                let mut found = Vec::new();
                at_random(&open, wanted, Random::new(seed), max_misses, &mut |puzzle| {
                    found.push(puzzle.index.0);
                    Ok(true)
                })
                .unwrap();
                let order = found.clone();
                found.sort_unstable();
                assert_eq!(found, expected, "misses {max_misses}, seed {seed}");
                order
            });
            assert!(orders.iter().any(|order| *order != orders[0]), "misses {max_misses}: {orders:?}");
        }
    }
}
