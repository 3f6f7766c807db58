//! A type-erased game that can be named, planned, solved and opened. Its methods are in `query`,
//! `solve` and `verify`.

use std::sync::OnceLock;

use retrograde_game::promises::Promise;
use retrograde_game::{BrokenPromise, Guide, Index, Knowledge, Outcome, Piece, Value, until_broken};
use retrograde_solve::shades::{Draws, Shades};
use retrograde_solve::{Job, SolveError};
use retrograde_table::Expectations;
use serde_json::{Map, Value as Json};

use crate::game::numbered::Numbered;
use crate::game::published::Published;
use crate::game::rules::{Position, Rules};
use crate::game::sample::{ImageSample, Sample};
use crate::game::solvers::SolverSpec;
use crate::game::sums::Sums;
use crate::{About, ArchiveSolver, Count, Error, Known, Numbering, SearchLimits, bytes_apart};

/// A function of only the game.
pub(crate) type OfGame<T> = Box<dyn Fn() -> T + Send + Sync>;

/// Searches one position; returns its value and the number of positions visited.
pub(crate) type Search =
    Box<dyn Fn(&Position, &SearchLimits) -> Result<(Knowledge, u64), Error> + Send + Sync>;

/// The value of a position that is known without a table.
pub(crate) type KnownValues = Box<dyn Fn(&Position) -> Option<Value> + Send + Sync>;

/// The images of a position under all symmetries except the identity.
pub(crate) type Images = Box<dyn Fn(&Position) -> Vec<Position> + Send + Sync>;

/// Finds the shades of draws.
pub(crate) type FindShades = Box<dyn Fn(&Draws, &Job<'_>) -> Result<Shades, SolveError> + Send + Sync>;

/// The default size of a compressed table with turns, as a share of the uncompressed one: slightly
/// above the worst measured value, 0.28 (tactics:5x4).
pub(crate) const PACKED: f64 = 0.3;

/// The maximum size in bytes of tables for indices that are built for an estimate.
pub(crate) const MAX_INDEX_MEMORY: u64 = 16 << 20;

/// A game that can be named, planned, solved and opened. [`Entry`](crate::Entry) builds it.
pub struct AnyGame {
    pub(crate) game: Box<dyn Rules>,
    /// The game in one sentence.
    pub summary: String,
    /// The name that people read, such as "TouchDown 5 × 4".
    pub title: String,
    /// The rules in a few sentences, and turns that show them; empty for a game that gives none.
    pub guide: Guide,
    /// The pieces that a position can be set up with, as the first player sees them.
    pub palette: Vec<Piece>,
    /// The value of the start, for use without a table.
    pub known: Option<Known>,
    /// The values of positions that are known without a table.
    pub(crate) known_values: Option<KnownValues>,
    /// The name that the user gave, if the canonical name cannot be used to find the game: a board file is
    /// found only by its path.
    pub requested_as: Option<String>,
    pub(crate) dense: Option<Box<dyn Numbered>>,
    /// True if positions cannot repeat.
    pub(crate) graded: bool,
    pub(crate) solvers: Vec<SolverSpec>,
    /// Checks of the promises of its capabilities, on a sample of positions.
    pub(crate) checks: Vec<OfGame<Promise>>,
    /// The result of the checks, after they ran.
    pub(crate) checked: OnceLock<Promise>,
    /// Samples of its predecessors and of its symmetries, if it has them.
    pub(crate) sample_predecessors: Option<OfGame<Option<f64>>>,
    pub(crate) sample_images: Option<OfGame<Option<ImageSample>>>,
    /// The images of a position, if the game declares symmetries.
    pub(crate) images: Option<Images>,
    /// The sample of its positions for estimates, after it was taken.
    pub(crate) sampled: OnceLock<Option<Sample>>,
    /// The indices of its largest stage, if it is solved stage by stage.
    pub(crate) largest_stage: Option<OfGame<u64>>,
    pub(crate) search: Search,
    /// The questions about nimbers and sums, if the game is impartial.
    pub(crate) sums: Option<Box<dyn Sums>>,
    /// The shades of its draws, if it has a numbering.
    pub(crate) shades: Option<FindShades>,
    /// Its other numberings, for `index`, `position` and statistics.
    pub numberings: Vec<Box<dyn Numbering>>,
    pub(crate) counts: Option<OfGame<Vec<(String, u128)>>>,
    /// Forms of files that others have published.
    pub published: Option<Box<dyn Published>>,
    /// The size of a packed table with turns, as a share of the unpacked one, for estimates. It should be
    /// slightly larger than measured.
    pub packed: f64,
    /// The rules in full, for programs that do not know the name of the game.
    pub(crate) rules_text: Option<OfGame<String>>,
    /// The game's own entries in the manifest of its table, such as the board it was solved on.
    pub extra: Map<String, Json>,
}

impl AnyGame {
    /// Describes the game for lists and headings.
    pub fn about(&self) -> About {
        About {
            game: self.game.name(),
            summary: self.summary.clone(),
            positions: Count(self.game.facts().position_count),
            positions_up_to_symmetry: self.up_to_symmetry(),
            indices: self.dense().map(|dense| Count(dense.index_count())),
            start: self.game.position_text(&self.game.start()),
            numberings: self.numberings.iter().map(|numbering| numbering.name().to_owned()).collect(),
        }
    }

    /// The name that commands use, quoted for a shell if necessary. For a board from a file it names the
    /// file.
    pub fn command_name(&self) -> String {
        let name = self.requested_as.clone().unwrap_or_else(|| self.game.name());
        let plain = |c: char| c.is_alphanumeric() || "-_./:,=+@%".contains(c);
        if name.chars().all(plain) { name } else { format!("'{}'", name.replace('\'', "'\\''")) }
    }

    /// The versions of its rules and of its numbering, as a text that every program with the game contains
    /// literally; `None` if its positions have no numbers.
    pub fn version_stamp(&self) -> Option<&'static str> {
        self.dense().map(|dense| dense.facts().version_stamp)
    }

    /// The dense numbering, if it has one.
    pub(crate) fn dense(&self) -> Option<&dyn Numbered> {
        self.dense.as_deref()
    }

    /// The indices that are positions of the game proper, and all of them; `None` without a
    /// numbering.
    pub(crate) fn index_counts(&self) -> Option<(u128, u128)> {
        let dense = self.dense()?;
        let all = dense.index_count();
        Some((all.saturating_sub(dense.prelude().into()), all))
    }

    /// Checks on a sample of positions whether the game keeps its promises. Solving a game that breaks them
    /// would never end, or give wrong values.
    ///
    /// # Errors
    /// If a promise is broken.
    pub(crate) fn keeps_promises(&self) -> Result<(), SolveError> {
        let check = || {
            let all = || self.checks.iter().try_for_each(|check| check());
            until_broken(all).unwrap_or_else(|BrokenPromise(text)| Err(text))
        };
        let broken = |text: &String| SolveError::BrokenPromise(format!("{}: {text}", self.game.name()));
        self.checked.get_or_init(check).as_ref().map_err(broken).copied()
    }

    /// Whether positions that are images of each other are counted as one.
    pub(crate) fn up_to_symmetry(&self) -> bool {
        self.dense().is_some_and(|dense| dense.facts().up_to_symmetry)
    }

    /// The finished positions that the numbering leaves out.
    pub(crate) fn left_out(&self) -> Vec<(Outcome, u128)> {
        self.dense().map_or_else(Vec::new, |dense| dense.unnumbered())
    }

    /// The solver that keeps an archive, if the game has one.
    pub(crate) fn own_archive_solver(&self) -> Option<(&SolverSpec, &dyn ArchiveSolver)> {
        self.solvers.iter().find_map(|spec| Some((spec, spec.archive()?)))
    }

    /// The index of a position in the dense numbering.
    pub(crate) fn index(&self, position: &Position) -> Option<Index> {
        self.dense().and_then(|dense| dense.index(position))
    }

    /// The bytes of memory that the numbering allocates when it is first used.
    pub(crate) fn index_memory(&self) -> u64 {
        self.dense().map_or(0, |dense| dense.index_memory())
    }

    /// The versions and the size that a table of this game must have; `None` if the game cannot have a table.
    pub(crate) fn expectations(&self) -> Option<Expectations> {
        let dense = self.dense()?;
        Some(Expectations {
            rules_version: self.game.facts().rules_version,
            index_version: dense.facts().index_version,
            index_count: dense.index_count(),
        })
    }

    /// A solver's error with the name of the game and numbers that people can read.
    pub(crate) fn explained(&self, error: SolveError) -> Error {
        match error {
            SolveError::Stopped => Error::Stopped,
            SolveError::Memory { need, limit } => {
                let [need, limit] = bytes_apart(need.into(), limit.into());
                let game = self.game.name();
                Error::TooLarge(format!(
                    "{game}: this needs at least {need} of memory, but only {limit} may be used"
                ))
            }
            SolveError::TooLarge { count } => {
                Error::TooLarge(format!("{}: {count} indices are too many for a table", self.game.name()))
            }
            error => error.into(),
        }
    }
}
