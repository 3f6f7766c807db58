//! `puzzles/depths`: lists the lengths of puzzles in turns, found by a bounded, deterministic search that reads at most about a million values.

use std::collections::{BTreeMap, BTreeSet};

use retrograde_game::{Outcome, Random};
use schemars::JsonSchema;
use serde::Serialize;

use crate::bounds::Watch;
use crate::request::puzzles::{KIND, kind, puzzle_of_kind};
use crate::{Error, Fields, OpenGame, Problem, PuzzleKind, Question, RequestLimits, Route, ValueStore};

pub(super) const ROUTE: Route = Route {
    path: "puzzles/depths",
    name: "puzzle_depths",
    topic: "positions",
    summary: "The depths (turns to the end) for which there are puzzles. Needs a table",
    description: "The search is limited: rare depths of large tables may be missing, and for archives only depths of at \
                  least one in 100,000 positions are listed.",
    params: &[KIND],
    body: None,
    answer: ("The depths", "PuzzleDepths"),
    refusals: &[
        (400, "The query is invalid"),
        (404, "There is no such game, or no table"),
        (503, "They were not found in time"),
    ],
    read,
};

/// The numbers of turns to the end that puzzles of a kind can have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, JsonSchema)]
pub(crate) struct PuzzleDepths {
    /// The canonical name of the game.
    pub game: String,
    /// The kind of puzzle; puzzles of kind `press` have no turns to the end.
    #[schemars(extend("enum" = ["win", "save", "press"]))]
    pub kind: &'static str,
    /// The numbers of turns that a bounded search found, in increasing order.
    pub depths: Vec<u16>,
}

fn read(fields: &Fields<'_>, _: &RequestLimits) -> Result<Question, Problem> {
    let kind = kind(fields);
    Ok(Question::new(0, move |game, _| {
        let depths = game.puzzle_depths(kind)?;
        Ok(PuzzleDepths { game: game.name().to_owned(), kind: kind.word(), depths })
    }))
}

/// The number of values to read; in a larger table, in windows spread over it.
const VALUES: u64 = 1 << 20;
/// The number of windows.
const WINDOWS: u64 = 16;
/// The number of positions to try for each depth.
const TRIES: u32 = 1000;
/// In an archive that is too large to scan, a depth is listed if at least one in this many
/// positions has it, because then there are puzzles.
const COMMON: u128 = 100_000;
/// The number of values to read between two checks of the clock.
const CHECK_EVERY: u32 = 1 << 10;

impl OpenGame {
    /// The lengths, in turns, of the puzzles of a kind that a bounded search finds, in ascending order.
    ///
    /// # Errors
    /// [`Error::NoTable`], or a damaged table.
    pub fn puzzle_depths(&self, kind: PuzzleKind) -> Result<Vec<u16>, Error> {
        let values = self.stored()?;
        if !values.facts().has_turns {
            return Ok(Vec::new());
        }
        let mut left = candidates(values, kind);
        if values.facts().looks_at_turns && values.scanned_positions().is_none() {
            let all: u128 = left.values().sum();
            left.retain(|_, count| *count * COMMON >= all);
            return Ok(left.into_keys().collect());
        }
        let mut left: BTreeMap<u16, u32> = left.into_keys().map(|depth| (depth, TRIES)).collect();
        let mut found = BTreeSet::new();
        let (places, mut random) = (values.facts().place_count, Random::new(1));
        let whole = places <= VALUES;
        for _ in 0..if whole { 1 } else { WINDOWS } {
            if left.is_empty() {
                break;
            }
            let from = if whole { 0 } else { random.below(places - VALUES / WINDOWS) };
            let window = if whole { VALUES } else { VALUES / WINDOWS };
            look(self, kind, (from, window), (&mut left, &mut found))?;
        }
        Ok(found.into_iter().collect())
    }
}

/// The numbers of turns to the end of positions of the kind, with their counts.
pub(crate) fn candidates(values: &dyn ValueStore, kind: PuzzleKind) -> BTreeMap<u16, u128> {
    let by_turns = &values.facts().counts.by_turns;
    let counts = match kind {
        PuzzleKind::Win => &by_turns.win,
        PuzzleKind::Save => &by_turns.loss,
        // Draws have no turns to the end.
        PuzzleKind::Press => return BTreeMap::new(),
    };
    counts
        .iter()
        .filter(|&(&turns, count)| turns > 0 && count.0 > 0)
        .map(|(&turns, count)| (turns, count.0))
        .collect()
}

/// Reads a window of the values, and removes depths from `left` that were found or tried often
/// enough.
fn look(
    open: &OpenGame,
    kind: PuzzleKind,
    (from, window): (u64, u64),
    (left, found): (&mut BTreeMap<u16, u32>, &mut BTreeSet<u16>),
) -> Result<(), Error> {
    let outcome = match kind {
        PuzzleKind::Win => Outcome::Win,
        PuzzleKind::Save | PuzzleKind::Press => Outcome::Loss,
    };
    let (mut read, mut watch) = (0, Watch::default());
    open.stored()?.scan(from, &mut |index, knowledge| {
        watch.tick(CHECK_EVERY)?;
        read += 1;
        let more = read < window;
        let Some(turns) = knowledge.turns().filter(|_| knowledge.outcome() == Some(outcome)) else {
            return Ok(more);
        };
        let Some(tries) = left.get_mut(&turns.0) else { return Ok(more) };
        *tries -= 1;
        let tried = *tries == 0;
        let puzzle = puzzle_of_kind(open, index, knowledge, kind)?.is_some();
        if puzzle {
            found.insert(turns.0);
        }
        if puzzle || tried {
            left.remove(&turns.0);
        }
        Ok(more && !left.is_empty())
    })
}
