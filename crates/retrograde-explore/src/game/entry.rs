//! A builder of games. Each method declares a capability of a typed game, which adds solvers and
//! commands. A new game registers only what it has.

use std::sync::{Arc, OnceLock};

use retrograde_game::promises::{self, Promise};
use retrograde_game::{
    Dense, Game, Graded, Impartial, Layered, Packed, Predecessors, Show, Staged, Symmetries, Value,
};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::{Job, OutcomeBits, Scores, SolveError, shades};
use serde_json::Map;

use crate::game::any_game::{AnyGame, OfGame, PACKED};
use crate::game::rules::{Position, Typed};
use crate::game::sample;
use crate::game::solvers::{self, SolverSpec};
use crate::game::sums::search_sums;
use crate::{ArchiveSolver, LONG_WORK};

/// Makes a solver from capabilities for solving backwards.
type MakeSolver<G> = fn(&Arc<G>, Capabilities<G>) -> SolverSpec;

/// A game with its capabilities.
#[must_use = "`build` makes the game"]
pub struct Entry<G: Game + Show + 'static> {
    typed: Typed<G>,
    /// The game's capabilities for solving backwards.
    backwards: Capabilities<G>,
    /// Its solver of reachable positions, if that uses these capabilities.
    reachable: Option<MakeSolver<G>>,
    any: AnyGame,
}

impl<G: Game + Show + 'static> Entry<G> {
    /// A game with rules and pictures: it can be shown, played and searched.
    pub fn new(game: G, summary: impl Into<String>) -> Entry<G> {
        let typed = Typed::new(game);
        let game = typed.game.clone();
        let search =
            Box::new(move |position: &Position, limits: &_| solvers::search(&*game, position.get(), limits));
        let any = AnyGame {
            title: typed.game.name(),
            guide: typed.game.guide(),
            palette: typed.game.palette(),
            game: Box::new(typed.clone()),
            summary: summary.into(),
            known: None,
            known_values: None,
            requested_as: None,
            dense: None,
            graded: false,
            solvers: Vec::new(),
            checks: Vec::new(),
            checked: OnceLock::new(),
            sample_predecessors: None,
            sample_images: None,
            images: None,
            sampled: OnceLock::new(),
            largest_stage: None,
            search,
            sums: None,
            shades: None,
            numberings: Vec::new(),
            counts: None,
            published: None,
            packed: PACKED,
            rules_text: None,
            extra: Map::new(),
        };
        Entry { typed, backwards: Capabilities::default(), reachable: None, any }
    }

    /// The game itself.
    pub fn game(&self) -> &G {
        &self.typed.game
    }

    /// A function of this game.
    fn of_game<T: 'static>(&self, function: fn(&G) -> T) -> OfGame<T> {
        let game = self.typed.game.clone();
        Box::new(move || function(&game))
    }

    /// A function of this game that only long work uses.
    fn of_long_work<T: 'static>(&self, function: fn(&G) -> T) -> Option<OfGame<T>> {
        if LONG_WORK { Some(self.of_game(function)) } else { None }
    }

    /// Adds a solver, replacing one with the same method.
    fn solver(self, spec: impl FnOnce(&Arc<G>) -> SolverSpec) -> Entry<G> {
        if !LONG_WORK {
            return self;
        }
        let spec = spec(&self.typed.game);
        self.with_spec(spec)
    }

    /// Adds a solver, or a reader of a solver's files.
    fn with_spec(mut self, spec: SolverSpec) -> Entry<G> {
        self.any.solvers.retain(|known| known.method != spec.method);
        self.any.solvers.push(spec);
        self
    }

    /// Adds a check of the game's promises.
    fn check(mut self, check: fn(&G) -> Promise) -> Entry<G> {
        let check = self.of_long_work(check);
        self.any.checks.extend(check);
        self
    }

    /// The name that people read, such as "TouchDown 5 × 4".
    pub fn title(mut self, title: impl Into<String>) -> Entry<G> {
        self.any.title = title.into();
        self
    }

    /// Sets facts about the game, such as [`AnyGame::known`].
    pub fn with(mut self, set: impl FnOnce(&mut AnyGame)) -> Entry<G> {
        set(&mut self.any);
        self
    }

    /// Sets values of positions, such as published ones, for use without a table.
    pub fn known_values(
        mut self,
        values: impl Fn(&G, &G::Position) -> Option<Value> + Send + Sync + 'static,
    ) -> Entry<G> {
        let game = self.typed.game.clone();
        self.any.known_values = Some(Box::new(move |position| values(&game, position.get())));
        self
    }

    /// Sets named counts that `plan` shows along with the number of positions.
    pub fn counts(mut self, counts: fn(&G) -> Vec<(String, u128)>) -> Entry<G> {
        self.any.counts = self.of_long_work(counts);
        self
    }

    /// Sets the complete rules, line by line, with which a certificate begins, for programs that do
    /// not know the game's name.
    pub fn rules_text(mut self, rules: fn(&G) -> String) -> Entry<G> {
        self.any.rules_text = Some(self.of_game(rules));
        self
    }

    /// The game without its type, as a [`Family`](crate::Family) returns it.
    pub fn build(self) -> Arc<AnyGame> {
        Arc::new(self.any)
    }
}

impl<G: Game + Show + Graded + 'static> Entry<G> {
    /// Declares that positions cannot repeat.
    pub fn graded(mut self) -> Entry<G> {
        match std::mem::replace(&mut self.any.graded, true) {
            true => self,
            false => self.check(promises::graded_sample::<G>),
        }
    }
}

impl<G: Impartial + Graded + Show + 'static> Entry<G> {
    /// Declares that both players have the same turns and the last turn decides. Without a table,
    /// this allows searching outcomes as sums of parts, nimbers, and certificates for the winner.
    pub fn impartial(mut self) -> Entry<G> {
        let game = self.typed.game.clone();
        self.any.search = Box::new(move |position, limits| search_sums(&*game, position.get(), limits));
        self.any.sums = Some(Box::new(self.typed.clone()));
        self.graded()
    }
}

impl<G: Dense + Show + 'static> Entry<G> {
    /// Declares a dense numbering, so that tables can be read and checked.
    pub fn dense(mut self) -> Entry<G> {
        let (game, able) = (self.typed.game.clone(), self.backwards);
        if LONG_WORK {
            self.any.shades = Some(Box::new(move |draws, job| shades::solve(&*game, able, draws, job)));
        }
        if self.any.dense.replace(Box::new(self.typed.clone())).is_none() {
            // The other checks depend on it.
            let check = self.of_long_work(promises::dense_sample::<G>);
            self.any.checks.splice(0..0, check);
        }
        self
    }

    /// Solves backwards from the finished positions. [`Entry::predecessors`] makes that many times
    /// faster, [`Entry::symmetries`] and [`Entry::staged`] reduce its cost; each of these three
    /// implies it.
    pub fn retrograde(self) -> Entry<G> {
        self.backwards(|able| able)
    }

    /// Solves backwards, with an additional capability.
    fn backwards(mut self, more: fn(Capabilities<G>) -> Capabilities<G>) -> Entry<G> {
        self.backwards = more(self.backwards);
        let able = self.backwards;
        let entry = self.dense().solver(|game| solvers::retrograde(game, able));
        match entry.reachable {
            Some(reachable) => entry.solver(|game| reachable(game, able)),
            None => entry,
        }
    }

    /// Adds a custom solver that stores values in an archive, if a table would be too large.
    pub fn archive_solver(self, solver: Box<dyn ArchiveSolver>) -> Entry<G> {
        self.dense().with_spec(solvers::archive(solver))
    }
}

impl<G: Predecessors + Show + 'static> Entry<G> {
    /// Solves backwards from the finished positions, by the predecessors of each position.
    pub fn predecessors(mut self) -> Entry<G> {
        self.any.sample_predecessors = self.of_long_work(sample::sample_predecessors::<G>);
        self.backwards(Capabilities::predecessors)
    }

    /// Solves only the positions that can be reached from the start, on request, in memory. This is
    /// for games with repetition; for others [`Entry::graded_reachable`] is faster.
    pub fn reachable(mut self) -> Entry<G> {
        self.reachable = Some(solvers::repeating);
        let able = self.backwards;
        self.dense().solver(|game| solvers::repeating(game, able))
    }
}

impl<G: Symmetries + Show + 'static> Entry<G> {
    /// Declares symmetries, so that data sets contain one position of each orbit. Solvers that use
    /// them ([`Entry::symmetries`] and others) imply it.
    pub fn images(mut self) -> Entry<G> {
        let game = self.typed.game.clone();
        self.any.images = Some(Box::new(move |position| {
            let image = |symmetry| Position::new(game.image(symmetry, position.get()));
            (1..game.symmetry_count()).map(image).collect()
        }));
        self
    }
}

impl<G: Dense + Symmetries + Show + 'static> Entry<G> {
    /// Solves backwards, looking at only one position of each orbit.
    pub fn symmetries(mut self) -> Entry<G> {
        self.any.sample_images = self.of_long_work(sample::sample_images::<G>);
        self.images().backwards(Capabilities::symmetries)
    }
}

impl<G: Staged + Show + 'static> Entry<G> {
    /// Solves backwards, stage by stage, which takes less memory.
    pub fn staged(mut self) -> Entry<G> {
        self.any.largest_stage = self.of_long_work(sample::largest_stage::<G>);
        self.check(promises::stage_sample::<G>).backwards(Capabilities::staged)
    }
}

impl<G: Layered + Show + 'static> Entry<G> {
    /// Solves in one pass, layer by layer.
    pub fn layered(self) -> Entry<G> {
        self.dense().graded().check(promises::layer_sample::<G>).solver(solvers::layered)
    }

    /// Solves bit-parallel, 64 positions at a time: `solve` finds turns, `outcomes` only who wins.
    /// `retrograde_tactics::fill` has such solvers for games that fill cells.
    pub fn fill(
        self,
        solve: fn(&G, &mut Job<'_>) -> Result<Scores, SolveError>,
        outcomes: fn(&G, &mut Job<'_>) -> Result<OutcomeBits, SolveError>,
    ) -> Entry<G> {
        let entry = self.dense().graded();
        entry.solver(|game| solvers::fill(game, solve)).solver(|game| solvers::fill_outcomes(game, outcomes))
    }
}

impl<G: Dense + Graded + Show + 'static> Entry<G> {
    /// Solves only the positions that can be reached from the start if all are too many.
    pub fn graded_reachable(self) -> Entry<G> {
        self.dense().graded().solver(solvers::reachable)
    }
}

impl<G: Dense + Graded + Symmetries + Show + 'static> Entry<G> {
    /// The same, keeping only one position of each orbit.
    pub fn graded_reachable_by_orbits(self) -> Entry<G> {
        self.images().dense().graded().solver(solvers::reachable_by_orbits)
    }
}

impl<G: Dense + Graded + Symmetries + Packed + Show + 'static> Entry<G> {
    /// The same, using the game's own codes of positions where they fit, which are faster than
    /// indices.
    pub fn graded_reachable_packed(self) -> Entry<G> {
        let entry = self.images().dense().graded().check(promises::packed_sample::<G>);
        entry.solver(solvers::reachable_packed)
    }
}
