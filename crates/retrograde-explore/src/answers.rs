//! What is asked and answered, without a game's types: numbers, verdicts, texts. The structures of answers are also the
//! JSON that programs get: field order and names are part of the interface and pinned by tests.

use std::collections::BTreeMap;
use std::time::Duration;

use retrograde_game::{Knowledge, Mark, Outcome, Picture};
use serde::{Serialize, Serializer};

/// A number of positions. In JSON a number, or a string where it is above 2⁵³ and a program could lose
/// digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default, Hash)]
pub struct Count(pub u128);

impl Serialize for Count {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match u64::try_from(self.0) {
            Ok(small) if small <= 1 << 53 => serializer.serialize_u64(small),
            _ => serializer.collect_str(&self.0),
        }
    }
}

/// An outcome and the turns to the end, as JSON has them: `"outcome"` one of `win`, `loss`, `draw` and
/// `unknown`, `"turns"` a number or null.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Verdict {
    /// `win`, `loss`, `draw` or `unknown`.
    pub outcome: &'static str,
    /// Turns to the end; `None` when drawn or not known.
    pub turns: Option<u16>,
}

impl From<Knowledge> for Verdict {
    fn from(knowledge: Knowledge) -> Verdict {
        Verdict {
            outcome: knowledge.outcome().map_or("unknown", Outcome::word),
            turns: knowledge.turns().map(|turns| turns.0),
        }
    }
}

impl Verdict {
    /// The outcome, if it is known.
    pub fn known(self) -> Option<Outcome> {
        Outcome::from_word(self.outcome)
    }
}

/// Where a value comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// The table.
    Table,
    /// A search.
    Search,
    /// The rules: the game is over.
    Rules,
}

/// What a game is, for lists and headings.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct About {
    /// The canonical name.
    pub game: String,
    /// One sentence: what it is.
    pub summary: String,
    /// Legal positions, finished ones included.
    pub positions: Count,
    /// Indices of its dense numbering, `None` if it has none.
    pub indices: Option<Count>,
    /// The position in which the game begins.
    pub start: String,
    /// Further numberings that `--seed-numbering`, `--minimized` and the like name.
    pub numberings: Vec<String>,
}

/// How a game would be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Bit-parallel, 64 positions at a time, with turns.
    Fill,
    /// Bit-parallel, outcomes only.
    FillOutcomes,
    /// One pass in an order in which successors are known.
    Graded,
    /// Push Fight's own solver, on planes of bits.
    Planes,
    /// By a solver of the game's own that logs each phase, into files of its own.
    Phases,
    /// Backwards from the finished positions.
    Retrograde,
    /// Only the positions that occur from the start, hashed.
    Reachable,
    /// No table fits: positions are searched one by one.
    Search,
}

/// What solving would take.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Plan {
    /// The canonical name.
    pub game: String,
    /// Legal positions.
    pub positions: Count,
    /// How it would be solved.
    pub method: Method,
    /// Bytes of memory.
    pub memory: Count,
    /// Bytes of disk for the table.
    pub disk: Count,
    /// Bytes of disk for work files while it is solved.
    pub work: Count,
    /// Seconds on this machine; `None` if that cannot be said.
    pub seconds: Option<f64>,
    /// Whether it fits what is allowed and there.
    pub fits: bool,
    /// What to do, or why it does not fit, in one sentence.
    pub advice: String,
    /// Further counts worth knowing: name and number ("plausible positions", …).
    pub counts: Vec<(String, Count)>,
}

/// How to solve.
#[derive(Clone, Debug)]
pub struct SolveOptions {
    /// Threads to use.
    pub threads: usize,
    /// Bytes of memory to use at the most; `None`: what the machine has free.
    pub memory: Option<u64>,
    /// Stop after so many phases: decide only positions that end within so many turns.
    pub phases: Option<u16>,
    /// Keep outcomes only, one bit or two a position.
    pub outcome_only: bool,
    /// Keep only the occurring positions, hashed, even where a dense table would fit.
    pub occurring_only: bool,
    /// Solve even if there is a complete table.
    pub again: bool,
    /// Leave work files when everything is done.
    pub keep_work: bool,
    /// Keep wins where a solver would keep losses only.
    pub with_wins: bool,
}

impl Default for SolveOptions {
    /// Everything with turns, on all cores, in the memory that is free.
    fn default() -> SolveOptions {
        SolveOptions {
            threads: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
            memory: None,
            phases: None,
            outcome_only: false,
            occurring_only: false,
            again: false,
            keep_work: false,
            with_wins: false,
        }
    }
}

/// Bounds of a search.
#[derive(Clone, Debug)]
pub struct SearchLimits {
    /// Positions to look at.
    pub nodes: u64,
    /// Time to take.
    pub time: Duration,
}

impl Default for SearchLimits {
    /// Ten million positions, five seconds.
    fn default() -> SearchLimits {
        SearchLimits { nodes: 10_000_000, time: Duration::from_secs(5) }
    }
}

/// What a solved game looks like in numbers.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Statistics {
    /// The canonical name.
    pub game: String,
    /// Positions counted below.
    pub positions: Count,
    /// Won for the side to move.
    pub wins: Count,
    /// Lost for the side to move.
    pub losses: Count,
    /// Drawn.
    pub draws: Count,
    /// Not decided: only after `--phases`. Left out where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Count>,
    /// The start.
    pub start: Verdict,
    /// How many positions are won and lost in how many turns.
    pub by_turns: ByTurns,
    /// Seconds that solving took.
    pub seconds: f64,
    /// What is counted, if not all positions: "plausible positions".
    #[serde(skip_serializing_if = "Option::is_none")]
    pub counted: Option<String>,
    /// The phases of a solver that logs them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub phases: Vec<crate::Phase>,
    /// The numbers of all positions, where only some are counted above and the others have been counted too.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_positions: Option<AllPositions>,
}

/// All positions of a game in numbers, those that do not come up in any game among them.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AllPositions {
    /// How many there are.
    pub positions: Count,
    /// Won for the side to move.
    pub wins: Count,
    /// Lost for the side to move.
    pub losses: Count,
    /// Drawn.
    pub draws: Count,
    /// Not decided: only after `--phases`. Left out where there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unknown: Option<Count>,
    /// How many positions are won and lost in how many turns.
    pub by_turns: ByTurns,
}

/// Positions by turns to the end; empty for a table of outcomes only.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct ByTurns {
    /// Won for the side to move.
    pub win: BTreeMap<u16, Count>,
    /// Lost for the side to move.
    pub loss: BTreeMap<u16, Count>,
}

/// A turn with its value to the player who makes it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct TurnValue {
    /// The turn, in the coordinates of the player who makes it.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
    /// The position it leads to, seen by the other player.
    pub position: String,
    /// What it is worth to the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// A position with its value and the value of every turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Probe {
    /// The canonical name of the game.
    pub game: String,
    /// The position, seen by the side to move.
    pub position: String,
    /// The position as the first player sees it.
    pub board: String,
    /// Which player is to move: `first` or `second`.
    pub to_move: &'static str,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Where the value comes from.
    pub source: Source,
    /// Positions that the search looked at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Every turn, best first, then by its text.
    pub turns_available: Vec<TurnValue>,
}

/// A turn that is being made step by step, and how it can go on.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Steps {
    /// The canonical name of the game.
    pub game: String,
    /// The position before the turn, seen by the side to move.
    pub position: String,
    /// The same as the first player sees it.
    pub board: String,
    /// Which player is to move.
    pub to_move: &'static str,
    /// The value of the position for the side to move, whatever steps were made.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Where the value comes from.
    pub source: Source,
    /// Steps made so far.
    pub begun: Vec<String>,
    /// Every step that may follow, best first, then by its text.
    pub steps_available: Vec<StepValue>,
}

/// A step that may follow, with the best value that the turn can still have.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct StepValue {
    /// The step, as it is written within a turn.
    pub step: String,
    /// Whether the turn is whole with it.
    pub ends: bool,
    /// A best whole turn that it can become, as `probe` has it: of those that lead to the same position the
    /// shortest, so it need not contain this step.
    pub turn: String,
    /// The same as the first player sees it.
    pub turn_on_board: String,
    /// The squares of the step as the first player sees them, in the order in which they are touched; of a placement
    /// piece by piece, as [`View::to_place`](crate::View::to_place) lists them.
    pub squares: Vec<String>,
    /// Whether the squares may be touched in another order: they are filled, and nothing goes from one to another.
    pub any_order: bool,
    /// The position which that turn leads to, seen by the other player.
    pub position: String,
    /// What that turn is worth to the player who makes it; the turn itself is counted.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// One step of a line: a position with its value, and the turn that is made there.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LineStep {
    /// The position before the turn, seen by the side to move.
    pub position: String,
    /// The same as the first player sees it.
    pub board: String,
    /// Which player is to move.
    pub to_move: &'static str,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The turn.
    pub turn: String,
    /// The turn as the first player sees it.
    pub turn_on_board: String,
}

/// One best line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Line {
    /// The canonical name of the game.
    pub game: String,
    /// The position that the line begins with.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// Where the value comes from.
    pub source: Source,
    /// The turns.
    pub line: Vec<LineStep>,
    /// The last position, seen by the side to move there.
    pub end: String,
    /// The same as the first player sees it.
    pub end_board: String,
    /// Which player is to move there.
    pub end_to_move: &'static str,
    /// Why the line ends there: `over`, `repeats` (a draw by going round), `unknown` (nothing more is known)
    /// or `limit` (as many turns as were asked for, or as there was time for).
    pub ends: &'static str,
}

/// A position that was found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Found {
    /// Its index.
    pub index: Count,
    /// The position, seen by the side to move.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
}

/// What to find.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The outcome.
    pub outcome: Outcome,
    /// The turns to the end; any if `None`.
    pub turns: Option<u16>,
    /// At random, with this seed, instead of by index.
    pub random: Option<u64>,
    /// How many.
    pub limit: u64,
}

/// Which puzzles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuzzleKind {
    /// Exactly one turn wins.
    Win,
    /// The position is drawn and exactly one turn does not lose, or it is lost and exactly one turn delays
    /// the end as long as possible.
    Save,
}

/// A puzzle with its solution.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Puzzle {
    /// Its index.
    pub index: Count,
    /// The position, seen by the side to move.
    pub position: String,
    /// Its value for the side to move.
    #[serde(flatten)]
    pub verdict: Verdict,
    /// The one turn.
    pub solution: String,
    /// How many turns there are to choose from.
    pub turns_available: usize,
}

/// What was checked, and every error found.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Verification {
    /// The canonical name.
    pub game: String,
    /// Blocks whose checksums were compared.
    pub blocks: Count,
    /// Positions whose value was derived again from their successors.
    pub positions: Count,
    /// Whether every position was.
    pub full: bool,
    /// Whether that proves the table, and why or why not, in one sentence.
    pub proof: String,
    /// Whether it is proved.
    pub proved: bool,
    /// The errors; empty if all is well. At most some hundred are listed.
    pub errors: Vec<String>,
    /// How many errors there are in all.
    pub error_count: Count,
}

/// The number of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Numbered {
    /// The canonical name.
    pub game: String,
    /// The position.
    pub position: String,
    /// Its index; `None` if the numbering leaves it out.
    pub index: Option<Count>,
    /// Further numberings of this position: name and JSON value.
    #[serde(flatten)]
    pub further: serde_json::Map<String, serde_json::Value>,
}

/// A row of an exported data set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row<'a> {
    /// The index.
    pub index: u64,
    /// The position, seen by the side to move.
    pub position: &'a str,
    /// Planes of 0/1, one after the other.
    pub planes: &'a [u8],
    /// What is known.
    pub knowledge: Knowledge,
}

/// The shape of a data set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowShape {
    /// Names of the planes.
    pub planes: Vec<String>,
    /// Rows of a plane.
    pub rows: usize,
    /// Columns of a plane.
    pub columns: usize,
}

/// How many positions of a game can occur: those that some sequence of turns leads to from the start.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Occurring {
    /// The canonical name.
    pub game: String,
    /// All positions of the game, finished ones too; those before the game proper are not among them.
    pub positions: Count,
    /// Positions that occur and in which the game goes on.
    pub occurring: Count,
    /// Of those, the ones before the game proper, as when pieces are placed.
    pub before: Count,
    /// Positions that occur and in which the rules end the game; null if they are not counted.
    pub finished: Option<Count>,
    /// Of those of the game proper one of those that the board's symmetries make of each other, where that is counted.
    pub up_to_symmetry: Option<Count>,
    /// Whether a position counts if it occurs or if an image under a symmetry of the board does.
    pub with_images: bool,
    /// Further counts worth knowing, as in [`Plan`].
    pub counts: Vec<(String, Count)>,
}

/// How the turns of a played game are to be read: from `start`, one text a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Annotation {
    /// The turn as it was written.
    pub turn: String,
    /// The turn as it is printed, as the first player sees it.
    pub turn_on_board: String,
    /// Which player made it.
    pub player: &'static str,
    /// The position it led to, seen by the other player.
    pub position: String,
    /// The value before, for the player who made it.
    pub before: Verdict,
    /// The value of the turn, for the player who made it.
    pub after: Verdict,
    /// `!` the only turn that keeps the outcome, `?` a worse outcome, `?!` the same outcome but later (a
    /// win) or sooner (a loss) than need be, empty otherwise.
    pub mark: &'static str,
    /// A best turn, where this was not one.
    pub better: Option<String>,
}

/// A position along a game, ready to be shown: everything as the first player sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scene {
    /// The picture.
    pub picture: Picture,
    /// Marks of the turn that is made next, if one was given.
    pub marks: Vec<Mark>,
    /// The turn, as text on the board.
    pub turn: Option<String>,
}
