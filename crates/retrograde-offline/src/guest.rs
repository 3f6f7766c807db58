//! A game that is named in the browser: a drawn board, or a variant without a table. It is checked, solved in
//! memory if it is small, and queried like any other game.

use std::sync::Arc;

use retrograde_explore::{About, Error, LONG_WORK, Plan, Registry, SolveOptions, Statistics};
use retrograde_game::Mistake;
use retrograde_solve::Progress;
use retrograde_table::MemoryStorage;
use serde::Serialize;

use crate::answers::{NamedGame, SEARCH};

/// The memory for a solve in bytes. A module can have four times as much, but phones cannot.
const MAX_MEMORY: u64 = 1 << 30;
/// The maximum number of positions of games to estimate. Larger games do not fit in a browser, and for the
/// largest boards the estimate itself would overflow 32 bits.
const MAX_POSITIONS: u128 = 500_000_000;
/// How much slower solving is in a browser than the plan for one native thread: measured as 1.2 to 2.8 on
/// boards of 6 to 220 million positions.
const BROWSER: f64 = 2.5;

/// A game of a registry by its name, and its values once it is solved.
pub struct Guest<'r>(NamedGame<'r>);

/// Why a game was rejected, with the place of the error in a board, counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GuestRefusal {
    /// The message.
    pub detail: String,
    /// The line of the board's text.
    pub line: Option<u32>,
    /// The character of the line.
    pub column: Option<u32>,
}

/// A named game, and the cost of solving it here.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GuestDescription {
    /// The game.
    pub about: About,
    /// Whether it can be solved here.
    pub solvable: bool,
    /// The memory for solving in bytes; null if it cannot be solved.
    pub memory: Option<u64>,
    /// The approximate time for solving in seconds.
    pub seconds: Option<f64>,
    /// Why it cannot be solved here; null if it can be.
    pub refused: Option<String>,
}

impl GuestRefusal {
    fn new(error: &Error) -> GuestRefusal {
        let reason = match error {
            Error::Text(error) => match &error.mistake {
                // The user already sees the text.
                Mistake::Impossible(reason) => reason.clone(),
                Mistake::Unexpected { .. } => error.to_string(),
            },
            error => error.to_string(),
        };
        let (place, detail) = match split_place(&reason) {
            Some((line, column, detail)) => (Some((line, column)), detail),
            None => (None, reason.as_str()),
        };
        GuestRefusal {
            detail: detail.to_owned(),
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
        }
    }
}

/// Splits `line 3, column 5: ` off a message.
fn split_place(reason: &str) -> Option<(u32, u32, &str)> {
    let (line, rest) = reason.strip_prefix("line ")?.split_once(", column ")?;
    let (column, detail) = rest.split_once(": ")?;
    Some((line.parse().ok()?, column.parse().ok()?, detail))
}

impl<'r> Guest<'r> {
    /// Opens the game with a name such as `touchdown:3x4`, or a custom board: then the name is the board
    /// file's, as in `pushfight:mine.board`, and `board` is its text.
    ///
    /// # Errors
    /// If there is no such game, or the board is wrong.
    pub fn open(registry: &'r Registry, name: &str, board: Option<&str>) -> Result<Guest<'r>, GuestRefusal> {
        if !LONG_WORK {
            let detail = "this module only answers requests about solved games".to_owned();
            return Err(GuestRefusal { detail, line: None, column: None });
        }
        let opened = NamedGame::open(registry, name, board, Arc::new(MemoryStorage::new()));
        opened.map(Guest).map_err(|error| GuestRefusal::new(&error))
    }

    fn options() -> SolveOptions {
        SolveOptions { threads: 1, memory: Some(MAX_MEMORY), in_memory: true, ..SolveOptions::default() }
    }

    /// The plan for solving it here.
    fn plan(&self) -> Plan {
        let NamedGame { subject, about, .. } = &self.0;
        let positions = about.indices.as_ref().map_or(about.positions.0, |indices| indices.0);
        if positions > MAX_POSITIONS {
            let command = subject.command_name();
            let advice = format!(
                "It has too many positions for a browser; `retrograde plan {command}` estimates the cost of solving."
            );
            return Plan::without_solver(about.game.clone(), about.positions.0, advice);
        }
        let plan = subject.plan(&Guest::options());
        Plan { seconds: plan.seconds.map(|seconds| seconds * BROWSER), ..plan }
    }

    /// The game, and the cost of solving it.
    pub fn describe(&self) -> GuestDescription {
        let plan = self.plan();
        let (plan, refused) = if plan.fits { (Some(plan), None) } else { (None, Some(plan.advice)) };
        GuestDescription {
            about: self.0.about.clone(),
            solvable: plan.is_some(),
            memory: plan.as_ref().and_then(|plan| u64::try_from(plan.memory.0).ok()),
            seconds: plan.as_ref().and_then(|plan| plan.seconds),
            refused,
        }
    }

    /// Solves the game; afterwards answers have values.
    ///
    /// # Errors
    /// A message if it does not fit here.
    pub fn solve(&mut self, progress: &dyn Progress) -> Result<Statistics, String> {
        if let Some(refused) = self.describe().refused {
            return Err(refused);
        }
        let solved = self.0.subject.solve_in_memory(&Guest::options(), progress);
        self.0.game = solved.map_err(|error| error.to_string())?.into();
        self.0.game.statistics().map_err(|error| error.to_string())
    }

    /// Answers a request, like [`Solved::ask`](crate::Solved::ask).
    pub fn ask(&self, question: &[u8]) -> String {
        self.0.ask(&SEARCH, Some(self.plan()), question)
    }
}
