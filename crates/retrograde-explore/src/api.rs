//! The one object-safe face of a game: what the command line and a server may ask, in text and numbers.
//!
//! [`Subject`] is a game that can be named, planned and solved; [`Explore`] is the same game with its table,
//! if there is one, ready for questions. Whoever asks knows neither the types of the game nor how it was
//! solved. The structures of answers are also the JSON that programs get: field order and names are part of
//! the interface and pinned by tests.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use retrograde_game::{Knowledge, Mark, Outcome, Picture, Piece, Seat};
use retrograde_solve::Progress;
use retrograde_table::Storage;
use serde::{Serialize, Serializer};

use crate::Error;

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

/// Hears of rows, puzzles or found positions one by one; `false` ends the search.
pub type Visit<'a, T> = dyn FnMut(T) -> Result<bool, Error> + 'a;

/// A game that can be named, planned and solved.
pub trait Subject: Send + Sync {
    /// What it is.
    fn about(&self) -> About;

    /// What solving would take; nothing is started or allocated.
    fn plan(&self, options: &SolveOptions) -> Plan;

    /// Solves and writes a table into `tables`, or goes on where an interrupted run was. If there is a
    /// complete table already it says what is in it ([`SolveOptions::again`]: solves again).
    ///
    /// # Errors
    /// If it does not fit, cannot be written, another process is writing it, or it was stopped.
    fn solve(
        &self,
        tables: &Path,
        options: &SolveOptions,
        progress: &dyn Progress,
    ) -> Result<Statistics, Error>;

    /// What solving on so many processes would take of each; nothing is started or allocated.
    ///
    /// # Errors
    /// If no solver of this game runs on several processes.
    #[cfg(feature = "cluster")]
    fn plan_together(&self, options: &SolveOptions, processes: u32) -> Result<crate::ClusterPlan, Error>;

    /// Solves together with other processes: process 0 writes the table that one machine would write, and says what
    /// is in it; the others get `None`.
    ///
    /// # Errors
    /// As [`Subject::solve`], and if some process is missing or fails.
    #[cfg(feature = "cluster")]
    fn solve_together(
        &self,
        tables: &Path,
        options: &SolveOptions,
        join: &retrograde_cluster::Join,
        progress: &dyn Progress,
    ) -> Result<Option<Statistics>, Error>;

    /// The game ready for questions, with its table if there is one.
    ///
    /// # Errors
    /// If there is a table but it is damaged, of another version or unreadable. No table is no error.
    fn explore<'a>(&'a self, tables: &Path) -> Result<Box<dyn Explore + 'a>, Error>;

    /// The same for those who keep it, as a server does.
    ///
    /// # Errors
    /// As [`Subject::explore`].
    fn explore_shared(self: Arc<Self>, tables: &Path) -> Result<Box<dyn Explore>, Error>;

    /// The same with a dense table in a storage that may be no disk, such as
    /// [`Memory`](retrograde_table::Memory).
    ///
    /// # Errors
    /// As [`Subject::explore`].
    fn explore_in(
        self: Arc<Self>,
        storage: Arc<dyn Storage>,
        tables: &Path,
    ) -> Result<Box<dyn Explore>, Error>;
}

/// A game ready for questions.
///
/// Positions and turns are texts, as `probe` reads and prints them. Positions given by text are taken to be
/// the first player's to move, unless a `Seat` says otherwise.
pub trait Explore: Send + Sync {
    /// The canonical name.
    fn name(&self) -> &str;

    /// Whether there is a table.
    fn has_table(&self) -> bool;

    /// What all answers depend on, as text: the version of the rules, and the checksum of the table if there is
    /// one. As long as it stays the same, so do the answers.
    fn stamp(&self) -> String;

    /// The start, as text.
    fn start(&self) -> String;

    /// The position in the form in which it is printed.
    ///
    /// # Errors
    /// If the text is no position.
    fn canonical(&self, position: &str) -> Result<String, Error>;

    /// The value of a position and of every turn; from the table, the rules or a search.
    ///
    /// # Errors
    /// If the text is no position, or the table is damaged.
    fn probe(&self, position: &str, to_move: Seat, limits: &SearchLimits) -> Result<Probe, Error>;

    /// How a turn that is made step by step can go on after the steps `begun`: each next step with the best value
    /// that the turn can still have. Where a turn is one step, these are the turns.
    ///
    /// # Errors
    /// If a text is no position or no legal step, the turn is already whole, or the table is damaged.
    fn steps(
        &self,
        position: &str,
        to_move: Seat,
        begun: &[String],
        limits: &SearchLimits,
    ) -> Result<Steps, Error>;

    /// The value alone: what `probe` says without the list of turns, much faster.
    ///
    /// # Errors
    /// As [`Explore::probe`].
    fn value(&self, position: &str, limits: &SearchLimits) -> Result<(Verdict, Source), Error>;

    /// The text of the position that a turn leads to, and whether that turn counts (a placement does not).
    ///
    /// # Errors
    /// If a text cannot be read or the turn is not legal.
    fn play(&self, position: &str, turn: &str) -> Result<(String, bool), Error>;

    /// All turns with the positions they lead to, in the order of their texts, without values.
    ///
    /// # Errors
    /// If the text is no position.
    fn turns(&self, position: &str) -> Result<Vec<(String, String)>, Error>;

    /// The outcome for the side to move if the game is over there.
    ///
    /// # Errors
    /// If the text is no position.
    fn over(&self, position: &str) -> Result<Option<Outcome>, Error>;

    /// One best line to the end, of at most `most` turns.
    ///
    /// # Errors
    /// As [`Explore::probe`].
    fn line(&self, position: &str, to_move: Seat, most: usize, limits: &SearchLimits) -> Result<Line, Error>;

    /// The numbers of the table.
    ///
    /// # Errors
    /// [`Error::NoTable`].
    fn statistics(&self) -> Result<Statistics, Error>;

    /// Counts what the numbers need, where the table came without them, as files of others do: this reads all of it.
    /// Until then every position counts as unknown. Nothing happens where the numbers are there.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read, or is damaged.
    fn count(&self, _threads: usize, _progress: &dyn Progress) -> Result<(), Error> {
        Ok(())
    }

    /// The dump of a further numbering: lines of a name and a number or word (`stats --seed-numbering`).
    ///
    /// # Errors
    /// If there is no such numbering or no table.
    fn numbering_statistics(&self, numbering: &str) -> Result<Vec<(String, String)>, Error>;

    /// What a further numbering says of itself without a table (`games --seed-numbering`).
    ///
    /// # Errors
    /// If there is no such numbering.
    fn numbering_counts(&self, numbering: &str) -> Result<Vec<(String, String)>, Error>;

    /// Visits positions of the table with a value.
    ///
    /// # Errors
    /// [`Error::NoTable`], a damaged table, or what `visit` returns.
    fn find(&self, wanted: &Wanted, visit: &mut Visit<'_, Found>) -> Result<(), Error>;

    /// Visits puzzles, at random with a seed if one is given, else by index.
    ///
    /// # Errors
    /// As [`Explore::find`].
    fn puzzles(
        &self,
        kind: PuzzleKind,
        turns: Option<u16>,
        random: Option<u64>,
        visit: &mut Visit<'_, Puzzle>,
    ) -> Result<(), Error>;

    /// Checks the files, and derives values again from their successors: `sample` random ones, or all.
    ///
    /// # Errors
    /// [`Error::NoTable`], or if it was stopped. Errors *in* the table are reported, not returned.
    fn verify(
        &self,
        sample: Option<u64>,
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<Verification, Error>;

    /// The number of a position; with `numbering`, in that one only.
    ///
    /// # Errors
    /// If the text is no position or there is no such numbering.
    fn index(&self, position: &str, numbering: Option<&str>) -> Result<Numbered, Error>;

    /// The position that has a number.
    ///
    /// # Errors
    /// If no position has it, or there is no such numbering.
    fn position(&self, index: &str, numbering: Option<&str>) -> Result<Numbered, Error>;

    /// Counts the leaves of the tree of turns: turns to the same position count once a node, a turn that
    /// ends the game counts at the depth where it is played.
    ///
    /// # Errors
    /// If the text is no position, or `progress` stopped it.
    fn perft(&self, position: &str, depth: u32, progress: &dyn Progress) -> Result<u128, Error>;

    /// Pictures of a position and of the positions that turns lead to, one after the other.
    ///
    /// # Errors
    /// If a text cannot be read or a turn is not legal.
    fn scenes(&self, position: &str, to_move: Seat, turns: &[String]) -> Result<Vec<Scene>, Error>;

    /// The position, seen by the side to move, whose `board` the first player sees so.
    ///
    /// # Errors
    /// If the text is no position, or `to_move` cannot be to move in it.
    fn seen_so(&self, board: &str, to_move: Seat) -> Result<String, Error>;

    /// The pieces that a position can be set up with, as the first player sees them.
    fn palette(&self) -> Vec<Piece>;

    /// The shape of the rows that [`Explore::rows`] visits.
    fn row_shape(&self) -> RowShape;

    /// How many rows there are.
    ///
    /// # Errors
    /// [`Error::NoTable`].
    fn row_count(&self) -> Result<u64, Error>;

    /// Visits every numbered position of the table with its value, by index.
    ///
    /// # Errors
    /// [`Error::NoTable`], a damaged table, or what `visit` returns.
    fn rows(&self, visit: &mut dyn FnMut(Row<'_>) -> Result<bool, Error>) -> Result<(), Error>;

    /// Writes a file in a form that others have published: `phase0` and the like.
    ///
    /// # Errors
    /// If there is no such form or part, the form needs a table and there is none, or the file cannot be written.
    fn publish(
        &self,
        form: &str,
        part: crate::export::Part,
        out: &Path,
        threads: usize,
        progress: &dyn Progress,
    ) -> Result<crate::export::Digits, Error>;

    /// Marks the turns of a game that was played from a position, in which `to_move` is to move.
    ///
    /// # Errors
    /// If a text cannot be read or a turn is not legal: which one.
    fn annotate(
        &self,
        position: &str,
        to_move: Seat,
        turns: &[String],
        limits: &SearchLimits,
    ) -> Result<Vec<Annotation>, Error>;
}
