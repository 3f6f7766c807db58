//! A typed game as an [`AnyGame`]: a builder declares its abilities once, and each of its methods
//! adds solvers and commands. A newcomer's game registers only what it has.

use std::sync::OnceLock;

use retrograde_game::promises::{self, Promise};
use retrograde_game::{
    BrokenPromise, Dense, Fill, Game, Graded, Impartial, Index, Knowledge, Layered, Outcome, Packed,
    Predecessors, Show, Staged, Symmetries, until_broken,
};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::{Job, Scores, SolveError};
use retrograde_table::Expectations;
use serde_json::{Map, Value as Json};

use crate::game::dense::{DenseGame, DynDense};
use crate::game::numbering::Numbering;
use crate::game::published::Published;
use crate::game::sample::{self, ImageSample, Sample};
use crate::game::solvers::{self, SolverSpec};
use crate::game::sums::{DynSums, SumsGame, search_sums};
use crate::long_work::LONG_WORK;
use crate::machine::bytes_apart;
use crate::{AnyGame, ArchiveSolver, Error, Known, SearchLimits};

/// Searches one position; returns its value and the number of positions visited.
pub(crate) type Search<G> = fn(&G, &<G as Game>::Position, &SearchLimits) -> Result<(Knowledge, u64), Error>;

/// The images of a position under all symmetries but the identity.
type Images<G> = fn(&G, &<G as Game>::Position) -> Vec<<G as Game>::Position>;

/// Counts with their names.
type Counts<G> = fn(&G) -> Vec<(String, u128)>;

/// The size of a packed table with turns, as a share of the unpacked one, of a game that says
/// nothing better: on the safe side of the worst that was measured, 0.28 (tactics:5x4).
const PACKED: f64 = 0.3;

/// A game with what it can do.
pub struct Entry<G: Game + Show + 'static> {
    pub(crate) game: G,
    pub(crate) summary: String,
    /// The name that people read, if that is not its canonical one.
    pub(crate) title: Option<String>,
    /// The value of the start, if it is known without a table.
    pub(crate) known: Option<Known>,
    /// The name by which commands find it, if that is not its canonical one.
    asked_as: Option<String>,
    pub(crate) dense: Option<&'static dyn DynDense<G>>,
    /// True if positions cannot repeat.
    pub(crate) graded: bool,
    pub(crate) solvers: Vec<SolverSpec<G>>,
    /// The game's abilities for solving backwards.
    backwards: Capabilities<G>,
    /// Its solver of what occurs, where that makes use of these abilities.
    reachable: Option<fn(Capabilities<G>) -> SolverSpec<G>>,
    /// Checks of the promises that its abilities make, at a sample of positions.
    checks: Vec<fn(&G) -> Promise>,
    /// Their result, once they were made.
    pub(crate) checked: OnceLock<Promise>,
    /// Samples of its predecessors and of its symmetries, if it has them.
    pub(crate) sample_predecessors: Option<fn(&G) -> Option<f64>>,
    pub(crate) sample_images: Option<fn(&G) -> Option<ImageSample>>,
    /// The images of a position, if the game declares symmetries.
    pub(crate) images: Option<Images<G>>,
    /// The sample of its positions, once it was taken: estimates are made of one.
    pub(crate) sampled: OnceLock<Option<Sample>>,
    /// The indices of its largest stage, if it is solved stage by stage.
    pub(crate) largest_stage: Option<fn(&G) -> u64>,
    pub(crate) search: Search<G>,
    /// The questions about nimbers and sums, if the game is impartial.
    pub(crate) sums: Option<&'static dyn DynSums<G>>,
    pub(crate) numberings: Vec<Box<dyn Numbering<G>>>,
    pub(crate) counts: Option<Counts<G>>,
    /// Forms of files that others have published.
    pub(crate) published: Option<Box<dyn Published<G>>>,
    /// The size of a packed table with turns, as a share of the unpacked one.
    pub(crate) packed: f64,
    /// The rules in full, for programs that know no names.
    pub(crate) rules_text: Option<fn(&G) -> String>,
    /// Entries of the game's own in the manifest of its table.
    pub(crate) extra: Map<String, Json>,
}

impl<G: Game + Show + 'static> Entry<G> {
    /// A game with rules and pictures: it can be shown, played and searched.
    pub fn new(game: G, summary: impl Into<String>) -> Entry<G> {
        Entry {
            game,
            summary: summary.into(),
            title: None,
            known: None,
            asked_as: None,
            dense: None,
            graded: false,
            solvers: Vec::new(),
            backwards: Capabilities::default(),
            reachable: None,
            checks: Vec::new(),
            checked: OnceLock::new(),
            sample_predecessors: None,
            sample_images: None,
            images: None,
            sampled: OnceLock::new(),
            largest_stage: None,
            search: solvers::search::<G>,
            sums: None,
            numberings: Vec::new(),
            counts: None,
            published: None,
            packed: PACKED,
            rules_text: None,
            extra: Map::new(),
        }
    }

    /// The game itself.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Adds a solver, in place of one by the same method.
    fn solver(self, spec: impl FnOnce() -> SolverSpec<G>) -> Entry<G> {
        if !LONG_WORK {
            return self;
        }
        self.with_spec(spec())
    }

    /// Adds a solver, or what only reads a solver's files.
    fn with_spec(mut self, spec: SolverSpec<G>) -> Entry<G> {
        self.solvers.retain(|known| known.method != spec.method);
        self.solvers.push(spec);
        self
    }

    /// Adds a check of what the game promises.
    fn check(mut self, check: fn(&G) -> Promise) -> Entry<G> {
        if LONG_WORK {
            self.checks.push(check);
        }
        self
    }

    /// The name that people read, such as "TouchDown 5 × 4".
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Entry<G> {
        self.title = Some(title.into());
        self
    }

    /// The known value of the position in which the game begins, for where there is no table.
    #[must_use]
    pub fn known(mut self, known: Option<Known>) -> Entry<G> {
        self.known = known;
        self
    }

    /// The name by which it was asked for, where its canonical name leads nowhere: a game on a
    /// board from a file is found by the file alone.
    #[must_use]
    pub fn asked_as(mut self, name: impl Into<String>) -> Entry<G> {
        self.asked_as = Some(name.into());
        self
    }

    /// The name by which commands find the game, ready to be typed into a shell.
    pub(crate) fn command_name(&self) -> String {
        let name = self.asked_as.clone().unwrap_or_else(|| self.game.name());
        let plain = |c: char| c.is_alphanumeric() || "-_./:,=+@%".contains(c);
        if name.chars().all(plain) { name } else { format!("'{}'", name.replace('\'', "'\\''")) }
    }

    /// A further numbering, for `index`, `position` and statistics.
    #[must_use]
    pub fn numbering(mut self, numbering: Box<dyn Numbering<G>>) -> Entry<G> {
        self.numberings.push(numbering);
        self
    }

    /// Counts that `plan` shows beside the number of positions, each with a name.
    #[must_use]
    pub fn counts(mut self, counts: fn(&G) -> Vec<(String, u128)>) -> Entry<G> {
        self.counts = Some(counts);
        self
    }

    /// Forms of files that others have published.
    #[must_use]
    pub fn published(mut self, published: Box<dyn Published<G>>) -> Entry<G> {
        self.published = Some(published);
        self
    }

    /// The rules in full, line by line, for programs that know no names: a certificate begins with
    /// them.
    #[must_use]
    pub fn rules_text(mut self, rules: fn(&G) -> String) -> Entry<G> {
        self.rules_text = Some(rules);
        self
    }

    /// Adds an entry to the manifest of the table, such as the board it was solved on.
    #[must_use]
    pub fn manifest_entry(mut self, name: impl Into<String>, value: impl Into<Json>) -> Entry<G> {
        self.extra.insert(name.into(), value.into());
        self
    }

    /// The size of a packed table with turns, as a share of the unpacked one, for estimates: better
    /// a little more than was measured.
    #[must_use]
    pub fn packed(mut self, share: f64) -> Entry<G> {
        self.packed = share;
        self
    }

    /// The game behind one pointer, as a [`Family`](crate::Family) returns it.
    pub fn boxed(self) -> Box<dyn AnyGame>
    where
        G: 'static,
    {
        Box::new(self)
    }
}

impl<G: Game + Show + Graded + 'static> Entry<G> {
    /// Its positions cannot repeat.
    #[must_use]
    pub fn graded(mut self) -> Entry<G> {
        match std::mem::replace(&mut self.graded, true) {
            true => self,
            false => self.check(promises::graded_sample::<G>),
        }
    }
}

impl<G: Impartial + Graded + Show + 'static> Entry<G> {
    /// Both players have the same turns, and the last turn decides: without a table the outcome is
    /// searched in sums of parts, nimbers are told, and who wins has a certificate.
    #[must_use]
    pub fn impartial(mut self) -> Entry<G> {
        self.search = search_sums::<G>;
        self.sums = Some(&SumsGame);
        self.graded()
    }
}

impl<G: Dense + Show + 'static> Entry<G> {
    /// It has a dense numbering, so that tables can be read and checked.
    #[must_use]
    pub fn dense(mut self) -> Entry<G> {
        match self.dense.replace(&DenseGame) {
            // The others rest on it.
            None if LONG_WORK => self.checks.insert(0, promises::dense_sample::<G>),
            _ => {}
        }
        self
    }

    /// It is solved backwards from the finished positions. With [`Entry::predecessors`] that is
    /// many times faster, with [`Entry::symmetries`] and [`Entry::staged`] it takes less; each of
    /// these three implies it.
    #[must_use]
    pub fn retrograde(self) -> Entry<G> {
        self.backwards(|able| able)
    }

    /// It is solved backwards, with a further capability.
    fn backwards(mut self, more: fn(Capabilities<G>) -> Capabilities<G>) -> Entry<G> {
        self.backwards = more(self.backwards);
        #[cfg(feature = "cluster")]
        let together = self.solvers.iter().find(|known| known.method == crate::Method::Retrograde);
        #[cfg(feature = "cluster")]
        let together = together.and_then(|known| known.together.clone());
        let able = self.backwards;
        let entry = self.dense().solver(|| {
            let spec = solvers::retrograde(able);
            #[cfg(feature = "cluster")]
            let spec = SolverSpec { together: together.or(spec.together), ..spec };
            spec
        });
        match entry.reachable {
            Some(reachable) => entry.solver(|| reachable(able)),
            None => entry,
        }
    }
}

impl<G: Dense + Show + 'static> Entry<G> {
    /// It has a solver of its own. The arguments are the solver, its memory in bytes (`None`: it
    /// cannot be done), and positions a second and thread, for estimates.
    #[must_use]
    pub fn planes(
        self,
        solve: fn(&G, &mut Job<'_>) -> Result<Scores, SolveError>,
        memory: fn(&G) -> Option<u128>,
        rate: f64,
    ) -> Entry<G> {
        self.dense().solver(|| solvers::own(solve, memory, rate))
    }
}

impl<G: Dense + Show + 'static> Entry<G> {
    /// It has a solver of its own that keeps its values in files of its own, for where a table
    /// would be too large.
    #[must_use]
    pub fn archive_solver(self, solver: Box<dyn ArchiveSolver<G>>) -> Entry<G> {
        self.dense().with_spec(solvers::archive(solver))
    }
}

impl<G: Predecessors + Show + 'static> Entry<G> {
    /// It is solved backwards from the finished positions, by the predecessors of each position.
    #[must_use]
    pub fn predecessors(mut self) -> Entry<G> {
        self.sample_predecessors = LONG_WORK.then_some(sample::sample_predecessors::<G>);
        #[cfg_attr(not(feature = "cluster"), allow(unused_mut, reason = "only clusters change it"))]
        let mut entry = self.backwards(Capabilities::predecessors);
        #[cfg(feature = "cluster")]
        if let Some(spec) = entry.solvers.iter_mut().find(|spec| spec.method == crate::Method::Retrograde) {
            spec.together = Some(solvers::predecessors_together());
        }
        entry
    }
}

impl<G: Predecessors + Show + 'static> Entry<G> {
    /// The positions that occur from the start are solved alone where that is asked for, in memory.
    /// For games that can repeat; others are quicker by [`Entry::graded_reachable`].
    #[must_use]
    pub fn reachable(mut self) -> Entry<G> {
        self.reachable = Some(solvers::repeating);
        let able = self.backwards;
        self.dense().solver(|| solvers::repeating(able))
    }
}

impl<G: Symmetries + Show + 'static> Entry<G> {
    /// Its positions have images under symmetries, of which a data set takes one alone. A solver that
    /// uses them ([`Entry::symmetries`] and others) implies it.
    #[must_use]
    pub fn images(mut self) -> Entry<G> {
        self.images = Some(|game, position| {
            (1..game.symmetry_count()).map(|symmetry| game.image(symmetry, position)).collect()
        });
        self
    }
}

impl<G: Dense + Symmetries + Show + 'static> Entry<G> {
    /// It is solved backwards, and of positions that are images of each other only one is looked
    /// at.
    #[must_use]
    pub fn symmetries(mut self) -> Entry<G> {
        self.sample_images = LONG_WORK.then_some(sample::sample_images::<G>);
        self.images().backwards(Capabilities::symmetries)
    }
}

impl<G: Staged + Show + 'static> Entry<G> {
    /// It is solved backwards, stage by stage, which takes less memory than all at once.
    #[must_use]
    pub fn staged(mut self) -> Entry<G> {
        self.largest_stage = LONG_WORK.then_some(sample::largest_stage::<G>);
        self.check(promises::stage_sample::<G>).backwards(Capabilities::staged)
    }
}

impl<G: Layered + Show + 'static> Entry<G> {
    /// It is solved in one pass, layer by layer.
    #[must_use]
    pub fn layered(self) -> Entry<G> {
        self.dense().graded().check(promises::layer_sample::<G>).solver(|| solvers::layered())
    }
}

impl<G: Fill + Show + 'static> Entry<G> {
    /// It is solved bit-parallel, 64 positions at a time.
    #[must_use]
    pub fn fill(self) -> Entry<G> {
        let entry = self.dense().graded().check(promises::fill_sample::<G>);
        entry.solver(|| solvers::fill()).solver(|| solvers::fill_outcomes())
    }
}

impl<G: Dense + Graded + Show + 'static> Entry<G> {
    /// The positions that occur from the start are solved alone where all are too many.
    #[must_use]
    pub fn graded_reachable(self) -> Entry<G> {
        self.dense().graded().solver(|| solvers::reachable())
    }
}

impl<G: Dense + Graded + Symmetries + Show + 'static> Entry<G> {
    /// The same, and of positions that are images of each other only one is held.
    #[must_use]
    pub fn graded_reachable_by_orbits(self) -> Entry<G> {
        self.images().dense().graded().solver(|| solvers::reachable_by_orbits())
    }
}

impl<G: Dense + Graded + Symmetries + Packed + Show + 'static> Entry<G> {
    /// The same, by the game's own codes of positions where they fit, which are quicker than
    /// indices.
    #[must_use]
    pub fn graded_reachable_packed(self) -> Entry<G> {
        let entry = self.images().dense().graded().check(promises::packed_sample::<G>);
        entry.solver(|| solvers::reachable_packed())
    }
}

impl<G: Game + Show + 'static> Entry<G> {
    /// The indices that are positions of the game proper, and all of them; `None` without a
    /// numbering.
    pub(crate) fn index_counts(&self) -> Option<(u128, u128)> {
        let dense = self.dense?;
        let all = dense.index_count(&self.game);
        Some((all.saturating_sub(dense.prelude(&self.game).into()), all))
    }

    /// Checks at a sample of positions whether the game keeps its promises: a solve of one that does not
    /// would end nowhere, or in wrong values.
    ///
    /// # Errors
    /// If it does not.
    pub(crate) fn keeps_promises(&self) -> Result<(), SolveError> {
        let check = || {
            let all = || self.checks.iter().try_for_each(|check| check(&self.game));
            until_broken(all).unwrap_or_else(|BrokenPromise(text)| Err(text))
        };
        let broken = |text: &String| SolveError::BrokenPromise(format!("{}: {text}", self.game.name()));
        self.checked.get_or_init(check).as_ref().map_err(broken).copied()
    }

    /// Its abilities for working backwards.
    pub(crate) fn capabilities(&self) -> Capabilities<G> {
        self.backwards
    }

    /// Whether positions that are images of each other are counted as one.
    pub(crate) fn up_to_symmetry(&self) -> bool {
        self.dense.is_some_and(|dense| dense.up_to_symmetry())
    }

    /// The finished positions that the numbering leaves out.
    pub(crate) fn left_out(&self) -> Vec<(Outcome, u128)> {
        self.dense.map_or_else(Vec::new, |dense| dense.unnumbered(&self.game))
    }

    /// The solver with files of its own, if the game has one.
    pub(crate) fn own_archive_solver(&self) -> Option<(&SolverSpec<G>, &dyn ArchiveSolver<G>)> {
        self.solvers.iter().find_map(|spec| Some((spec, spec.archive()?)))
    }

    /// The index of a position in the dense numbering.
    pub(crate) fn index(&self, position: &G::Position) -> Option<Index> {
        self.dense.and_then(|dense| dense.index(&self.game, position))
    }

    /// The bytes of memory that indices take from the first one on that is asked for.
    pub(crate) fn index_memory(&self) -> u64 {
        self.dense.map_or(0, |dense| dense.index_memory(&self.game))
    }

    /// The versions and the size that a table of this game must have; `None` if it can have none.
    pub(crate) fn expectations(&self) -> Option<Expectations> {
        let dense = self.dense?;
        Some(Expectations {
            rules_version: G::RULES_VERSION,
            index_version: dense.index_version(),
            index_count: dense.index_count(&self.game),
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
                    "{game}: this needs {need} of memory or more, and {limit} may be used"
                ))
            }
            SolveError::TooLarge { count } => {
                Error::TooLarge(format!("{}: {count} indices are too many for a table", self.game.name()))
            }
            error => error.into(),
        }
    }
}
