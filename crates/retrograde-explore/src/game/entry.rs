//! A builder of games: it declares the abilities of a typed game once, and each of its methods adds
//! solvers and commands. A newcomer's game registers only what it has.

use std::sync::Arc;

use retrograde_game::promises::{self, Promise};
use retrograde_game::{
    Dense, Fill, Game, Graded, Impartial, Layered, Packed, Predecessors, Show, Staged, Symmetries,
};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::{Job, Scores, SolveError, shades};
use serde_json::Value as Json;

use crate::game::any_game::{AnyGame, OfGame};
use crate::game::numbering::Numbering;
use crate::game::published::Published;
use crate::game::rules::{Position, Typed};
use crate::game::sample;
use crate::game::solvers::{self, SolverSpec};
use crate::game::sums::search_sums;
use crate::long_work::LONG_WORK;
use crate::{ArchiveSolver, Known};

/// Makes a solver from abilities for solving backwards.
type MakeSolver<G> = fn(&Arc<G>, Capabilities<G>) -> SolverSpec;

/// A game with what it can do.
pub struct Entry<G: Game + Show + 'static> {
    typed: Typed<G>,
    /// The game's abilities for solving backwards.
    backwards: Capabilities<G>,
    /// Its solver of what occurs, where that makes use of these abilities.
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
        let any = AnyGame::new(Box::new(typed.clone()), summary.into(), search);
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

    /// A function of this game that only long work asks.
    fn of_long_work<T: 'static>(&self, function: fn(&G) -> T) -> Option<OfGame<T>> {
        if LONG_WORK { Some(self.of_game(function)) } else { None }
    }

    /// Adds a solver, in place of one by the same method.
    fn solver(self, spec: impl FnOnce(&Arc<G>) -> SolverSpec) -> Entry<G> {
        if !LONG_WORK {
            return self;
        }
        let spec = spec(&self.typed.game);
        self.with_spec(spec)
    }

    /// Adds a solver, or what only reads a solver's files.
    fn with_spec(mut self, spec: SolverSpec) -> Entry<G> {
        self.any.solvers.retain(|known| known.method != spec.method);
        self.any.solvers.push(spec);
        self
    }

    /// Adds a check of what the game promises.
    fn check(mut self, check: fn(&G) -> Promise) -> Entry<G> {
        let check = self.of_long_work(check);
        self.any.checks.extend(check);
        self
    }

    /// The name that people read, such as "TouchDown 5 × 4".
    #[must_use]
    pub fn title(mut self, title: impl Into<String>) -> Entry<G> {
        self.any.title = Some(title.into());
        self
    }

    /// The known value of the position in which the game begins, for where there is no table.
    #[must_use]
    pub fn known(mut self, known: Option<Known>) -> Entry<G> {
        self.any.known = known;
        self
    }

    /// The name by which it was asked for, where its canonical name leads nowhere: a game on a
    /// board from a file is found by the file alone.
    #[must_use]
    pub fn asked_as(mut self, name: impl Into<String>) -> Entry<G> {
        self.any.asked_as = Some(name.into());
        self
    }

    /// A further numbering, for `index`, `position` and statistics.
    #[must_use]
    pub fn numbering(mut self, numbering: Box<dyn Numbering>) -> Entry<G> {
        self.any.numberings.push(numbering);
        self
    }

    /// Counts that `plan` shows beside the number of positions, each with a name.
    #[must_use]
    pub fn counts(mut self, counts: fn(&G) -> Vec<(String, u128)>) -> Entry<G> {
        self.any.counts = Some(self.of_game(counts));
        self
    }

    /// Forms of files that others have published.
    #[must_use]
    pub fn published(mut self, published: Box<dyn Published>) -> Entry<G> {
        self.any.published = Some(published);
        self
    }

    /// The rules in full, line by line, for programs that know no names: a certificate begins with
    /// them.
    #[must_use]
    pub fn rules_text(mut self, rules: fn(&G) -> String) -> Entry<G> {
        self.any.rules_text = Some(self.of_game(rules));
        self
    }

    /// Adds an entry to the manifest of the table, such as the board it was solved on.
    #[must_use]
    pub fn manifest_entry(mut self, name: impl Into<String>, value: impl Into<Json>) -> Entry<G> {
        self.any.extra.insert(name.into(), value.into());
        self
    }

    /// The size of a packed table with turns, as a share of the unpacked one, for estimates: better
    /// a little more than was measured.
    #[must_use]
    pub fn packed(mut self, share: f64) -> Entry<G> {
        self.any.packed = share;
        self
    }

    /// The game without its type, as a [`Family`](crate::Family) returns it.
    pub fn build(self) -> Arc<AnyGame> {
        Arc::new(self.any)
    }
}

impl<G: Game + Show + Graded + 'static> Entry<G> {
    /// Its positions cannot repeat.
    #[must_use]
    pub fn graded(mut self) -> Entry<G> {
        match std::mem::replace(&mut self.any.graded, true) {
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
        let game = self.typed.game.clone();
        self.any.search = Box::new(move |position, limits| search_sums(&*game, position.get(), limits));
        self.any.sums = Some(Box::new(self.typed.clone()));
        self.graded()
    }
}

impl<G: Dense + Show + 'static> Entry<G> {
    /// It has a dense numbering, so that tables can be read and checked.
    #[must_use]
    pub fn dense(mut self) -> Entry<G> {
        let (game, able) = (self.typed.game.clone(), self.backwards);
        if LONG_WORK {
            self.any.shades = Some(Box::new(move |draws, job| shades::solve(&*game, able, draws, job)));
        }
        if self.any.dense.replace(Box::new(self.typed.clone())).is_none() {
            // The others rest on it.
            let check = self.of_long_work(promises::dense_sample::<G>);
            self.any.checks.splice(0..0, check);
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
        let together = self.any.solvers.iter().find(|known| known.method == crate::Method::Retrograde);
        #[cfg(feature = "cluster")]
        let together = together.and_then(|known| known.together.clone());
        let able = self.backwards;
        let entry = self.dense().solver(|game| {
            let spec = solvers::retrograde(game, able);
            #[cfg(feature = "cluster")]
            let spec = SolverSpec { together: together.or(spec.together), ..spec };
            spec
        });
        match entry.reachable {
            Some(reachable) => entry.solver(|game| reachable(game, able)),
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
        self.dense().solver(|game| solvers::own(game, solve, memory, rate))
    }
}

impl<G: Dense + Show + 'static> Entry<G> {
    /// It has a solver of its own that keeps its values in files of its own, for where a table
    /// would be too large.
    #[must_use]
    pub fn archive_solver(self, solver: Box<dyn ArchiveSolver>) -> Entry<G> {
        self.dense().with_spec(solvers::archive(solver))
    }
}

impl<G: Predecessors + Show + 'static> Entry<G> {
    /// It is solved backwards from the finished positions, by the predecessors of each position.
    #[must_use]
    pub fn predecessors(mut self) -> Entry<G> {
        self.any.sample_predecessors = self.of_long_work(sample::sample_predecessors::<G>);
        #[cfg_attr(not(feature = "cluster"), allow(unused_mut, reason = "only clusters change it"))]
        let mut entry = self.backwards(Capabilities::predecessors);
        #[cfg(feature = "cluster")]
        let together = solvers::predecessors_together(&entry.typed.game);
        #[cfg(feature = "cluster")]
        if let Some(spec) = entry.any.solvers.iter_mut().find(|spec| spec.method == crate::Method::Retrograde)
        {
            spec.together = Some(together);
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
        self.dense().solver(|game| solvers::repeating(game, able))
    }
}

impl<G: Symmetries + Show + 'static> Entry<G> {
    /// Its positions have images under symmetries, of which a data set takes one alone. A solver that
    /// uses them ([`Entry::symmetries`] and others) implies it.
    #[must_use]
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
    /// It is solved backwards, and of positions that are images of each other only one is looked
    /// at.
    #[must_use]
    pub fn symmetries(mut self) -> Entry<G> {
        self.any.sample_images = self.of_long_work(sample::sample_images::<G>);
        self.images().backwards(Capabilities::symmetries)
    }
}

impl<G: Staged + Show + 'static> Entry<G> {
    /// It is solved backwards, stage by stage, which takes less memory than all at once.
    #[must_use]
    pub fn staged(mut self) -> Entry<G> {
        self.any.largest_stage = self.of_long_work(sample::largest_stage::<G>);
        self.check(promises::stage_sample::<G>).backwards(Capabilities::staged)
    }
}

impl<G: Layered + Show + 'static> Entry<G> {
    /// It is solved in one pass, layer by layer.
    #[must_use]
    pub fn layered(self) -> Entry<G> {
        self.dense().graded().check(promises::layer_sample::<G>).solver(solvers::layered)
    }
}

impl<G: Fill + Show + 'static> Entry<G> {
    /// It is solved bit-parallel, 64 positions at a time.
    #[must_use]
    pub fn fill(self) -> Entry<G> {
        let entry = self.dense().graded().check(promises::fill_sample::<G>);
        entry.solver(solvers::fill).solver(solvers::fill_outcomes)
    }
}

impl<G: Dense + Graded + Show + 'static> Entry<G> {
    /// The positions that occur from the start are solved alone where all are too many.
    #[must_use]
    pub fn graded_reachable(self) -> Entry<G> {
        self.dense().graded().solver(solvers::reachable)
    }
}

impl<G: Dense + Graded + Symmetries + Show + 'static> Entry<G> {
    /// The same, and of positions that are images of each other only one is held.
    #[must_use]
    pub fn graded_reachable_by_orbits(self) -> Entry<G> {
        self.images().dense().graded().solver(solvers::reachable_by_orbits)
    }
}

impl<G: Dense + Graded + Symmetries + Packed + Show + 'static> Entry<G> {
    /// The same, by the game's own codes of positions where they fit, which are quicker than
    /// indices.
    #[must_use]
    pub fn graded_reachable_packed(self) -> Entry<G> {
        let entry = self.images().dense().graded().check(promises::packed_sample::<G>);
        entry.solver(solvers::reachable_packed)
    }
}
