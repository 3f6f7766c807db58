//! The reachable positions as a game with its own dense numbering: positions are numbered by the places of
//! their sorted keys. The solver of dense numberings then solves exactly the reachable positions.
//!
//! Positions before the game proper come last, as [`Dense::prelude`] requires, in the order of their indices.

use std::ops::ControlFlow;

use retrograde_game::{Dense, Flow, Game, Index, Outcome, Predecessors, Seat, Successor};

use super::coding::{code_of, key_of};
use super::layer::Layer;

/// The number of successors that are looked up together, so their memory can be prefetched. Solvers often
/// need only a few of them.
const TOGETHER: usize = 8;

/// A game restricted to the reachable positions.
pub(super) struct ReachableGame<'a, G> {
    game: &'a G,
    /// The positions of the game proper.
    pub main: Layer,
    /// The sorted indices before the game proper.
    pub before: Vec<u64>,
}

impl<'a, G: Dense> ReachableGame<'a, G> {
    /// Takes sorted keys, and the sorted indices before the game proper.
    pub fn new(game: &'a G, main: Vec<u64>, before: Vec<u64>) -> ReachableGame<'a, G> {
        ReachableGame { game, main: Layer::new(0, main), before }
    }

    /// The game's own index.
    fn own(&self, Index(place): Index) -> Option<Index> {
        let place = usize::try_from(place).ok()?;
        match self.main.keys.get(place) {
            Some(&key) => Some(Index(code_of(key))),
            None => self.before.get(place - self.main.keys.len()).copied().map(Index),
        }
    }

    #[inline]
    fn place(&self, key: u64) -> Option<Index> {
        let before = || Some(self.main.keys.len() + self.before.binary_search(&code_of(key)).ok()?);
        self.main.place(key).or_else(before).map(|place| Index(place as u64))
    }

    #[inline]
    fn prefetch(&self, keys: impl Iterator<Item = u64> + Clone) {
        keys.clone().for_each(|key| self.main.prefetch_entry(key));
        keys.for_each(|key| self.main.prefetch_keys(key));
    }

    /// Visits the places of keys, each with whether the same player moves again there.
    #[inline]
    fn visit_keys<F>(&self, keys: &[(u64, bool)], visit: &mut F) -> Flow
    where
        F: FnMut(Successor) -> Flow,
    {
        self.prefetch(keys.iter().map(|&(key, _)| key));
        keys.iter().try_for_each(|&(key, again)| match self.place(key) {
            Some(index) if again => visit(Successor::Again(index)),
            Some(index) => visit(Successor::At(index)),
            None => unreachable!("successors of reachable positions are reachable"),
        })
    }
}

impl<G: Dense> Game for ReachableGame<'_, G> {
    type Position = G::Position;
    type Turn = G::Turn;

    fn name(&self) -> String {
        self.game.name()
    }
    fn position_count(&self) -> u128 {
        self.main.keys.len() as u128
    }
    fn start(&self) -> G::Position {
        self.game.start()
    }
    fn result(&self, position: &G::Position) -> Option<Outcome> {
        self.game.result(position)
    }
    fn seat(&self, position: &G::Position) -> Option<Seat> {
        self.game.seat(position)
    }
    fn outcome_without_turns(&self) -> Outcome {
        self.game.outcome_without_turns()
    }
    fn each_turn(&self, position: &G::Position, visit: impl FnMut(G::Turn, G::Position) -> Flow) -> Flow {
        self.game.each_turn(position, visit)
    }
    fn wins_now(&self, position: &G::Position) -> bool {
        self.game.wins_now(position)
    }
    fn turn_is_counted(&self, position: &G::Position) -> bool {
        self.game.turn_is_counted(position)
    }
    fn position_text(&self, position: &G::Position) -> String {
        self.game.position_text(position)
    }
}

impl<G: Dense> Dense for ReachableGame<'_, G> {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        (self.main.keys.len() + self.before.len()) as u128
    }

    fn index(&self, position: &G::Position) -> Option<Index> {
        self.game.index(position).and_then(|Index(index)| self.place(key_of(index)))
    }

    fn position(&self, index: Index) -> Option<G::Position> {
        self.game.position(self.own(index)?)
    }

    fn prelude(&self) -> u64 {
        self.before.len() as u64
    }

    fn each_numbered_successor(
        &self,
        position: &G::Position,
        mut visit: impl FnMut(Successor) -> Flow,
    ) -> Flow {
        let mut keys = [(0, false); TOGETHER];
        let mut held = 0;
        self.game.each_numbered_successor(position, |next| {
            let Some(Index(index)) = next.index() else { return visit(next) };
            keys[held] = (key_of(index), matches!(next, Successor::Again(_)));
            held += 1;
            if held < TOGETHER {
                return ControlFlow::Continue(());
            }
            held = 0;
            self.visit_keys(&keys, &mut visit)
        })?;
        self.visit_keys(&keys[..held], &mut visit)
    }
}

impl<G: Predecessors> Predecessors for ReachableGame<'_, G> {
    fn each_predecessor(&self, position: &G::Position, mut visit: impl FnMut(G::Position) -> Flow) -> Flow {
        self.game.each_predecessor(position, |previous| match self.index(&previous) {
            Some(_) => visit(previous),
            None => ControlFlow::Continue(()),
        })
    }

    fn each_predecessor_at(&self, index: Index, mut visit: impl FnMut(Index)) {
        let Some(index) = self.own(index) else { return };
        // Most predecessors of a reachable position may be unreachable.
        let mut visit_all = |keys: &[u64]| {
            self.prefetch(keys.iter().copied());
            keys.iter().filter_map(|&key| self.main.place(key)).for_each(|at| visit(Index(at as u64)));
        };
        let mut keys = [0; TOGETHER];
        let mut held = 0;
        self.game.each_predecessor_at(index, |Index(previous)| {
            keys[held] = key_of(previous);
            held += 1;
            if held == TOGETHER {
                visit_all(&keys);
                held = 0;
            }
        });
        visit_all(&keys[..held]);
    }
}
