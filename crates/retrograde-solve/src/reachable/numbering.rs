//! The reachable positions as a game with its own dense numbering: positions are numbered by the places of
//! their sorted keys. Every solver of dense numberings then solves exactly the reachable positions.
//!
//! Positions before the game proper come last, as [`Dense::prelude`] requires, each after its successors.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use retrograde_game::{Dense, Flow, Game, Index, Outcome, Predecessors, Seat, Successor, TextError, numbers};

use super::coding::{Coding, code_of, key_of};
use super::layer::Layer;
use crate::hash::FoldHasher;

/// The number of successors that are looked up together, so their memory can be prefetched. Solvers often
/// need only a few of them.
const TOGETHER: usize = 8;

/// A game restricted to the reachable positions.
pub struct ReachableGame<'a, G: Game, C> {
    game: &'a G,
    coding: C,
    /// The positions of the game proper.
    pub(super) main: Layer,
    /// The keys before the game proper, in the order of their indices.
    pub(super) before: Vec<u64>,
    before_places: HashMap<u64, u64, FoldHasher>,
}

impl<'a, G: Game, C: Coding<G>> ReachableGame<'a, G, C> {
    /// Takes sorted keys, and the keys before the game proper in an order in which each follows its
    /// successors.
    pub(super) fn new(game: &'a G, coding: C, main: Vec<u64>, before: Vec<u64>) -> ReachableGame<'a, G, C> {
        let main = Layer::new(0, main);
        let first = main.keys.len() as u64;
        let before_places = before.iter().copied().zip(first..).collect();
        ReachableGame { game, coding, main, before, before_places }
    }

    fn key(&self, index: u64) -> Option<u64> {
        let index = usize::try_from(index).ok()?;
        self.main.keys.get(index).or_else(|| self.before.get(index - self.main.keys.len())).copied()
    }

    #[inline]
    fn index_of_key(&self, key: u64) -> Option<Index> {
        match self.main.place(key) {
            Some(place) => Some(Index(place as u64)),
            None if self.before.is_empty() => None,
            None => self.before_places.get(&key).copied().map(Index),
        }
    }

    /// Visits the indices of keys, each with whether the same player moves again there.
    #[inline]
    fn visit_keys<F>(&self, keys: &[(u64, bool)], visit: &mut F) -> Flow
    where
        F: FnMut(Successor) -> Flow,
    {
        keys.iter().for_each(|&(key, _)| self.main.prefetch_entry(key));
        keys.iter().for_each(|&(key, _)| self.main.prefetch_keys(key));
        keys.iter().try_for_each(|&(key, again)| match self.index_of_key(key) {
            Some(index) if again => visit(Successor::Again(index)),
            Some(index) => visit(Successor::At(index)),
            None => unreachable!("all that follows what occurs was gathered"),
        })
    }
}

impl<G: Game, C: Coding<G>> Game for ReachableGame<'_, G, C> {
    type Position = G::Position;
    type Turn = G::Turn;
    const RULES_VERSION: u32 = G::RULES_VERSION;

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
    fn turns(&self, position: &G::Position) -> Vec<(G::Turn, G::Position)> {
        self.game.turns(position)
    }
    fn each_turn<F>(&self, position: &G::Position, visit: F) -> Flow
    where
        F: FnMut(G::Turn, G::Position) -> Flow,
    {
        self.game.each_turn(position, visit)
    }
    fn play(&self, position: &G::Position, turn: &G::Turn) -> G::Position {
        self.game.play(position, turn)
    }
    fn each_successor<F>(&self, position: &G::Position, visit: F) -> Flow
    where
        F: FnMut(G::Position) -> Flow,
    {
        self.game.each_successor(position, visit)
    }
    fn wins_now(&self, position: &G::Position) -> bool {
        self.game.wins_now(position)
    }
    fn turn_is_counted(&self, position: &G::Position) -> bool {
        self.game.turn_is_counted(position)
    }
    fn parse_position(&self, text: &str) -> Result<G::Position, TextError> {
        self.game.parse_position(text)
    }
    fn position_text(&self, position: &G::Position) -> String {
        self.game.position_text(position)
    }
    fn turn_text(&self, position: &G::Position, turn: &G::Turn) -> String {
        self.game.turn_text(position, turn)
    }
}

impl<G: Game, C: Coding<G>> Dense for ReachableGame<'_, G, C> {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        (self.main.keys.len() + self.before.len()) as u128
    }

    fn index(&self, position: &G::Position) -> Option<Index> {
        self.index_of_key(key_of(self.coding.code(self.game, position)?))
    }

    fn position(&self, Index(index): Index) -> Option<G::Position> {
        self.coding.position(self.game, code_of(self.key(index)?))
    }

    fn representative(&self, position: &G::Position) -> G::Position {
        let stands_for_all =
            self.coding.code(self.game, position).and_then(|code| self.coding.position(self.game, code));
        stands_for_all.unwrap_or_else(|| position.clone())
    }

    fn prelude(&self) -> u64 {
        self.before.len() as u64
    }

    fn walk_down<F>(&self, indices: Range<Index>, mut visit: F) -> Flow
    where
        F: FnMut(Index, G::Position) -> Flow,
    {
        for index in numbers(indices).rev().map(Index) {
            if let Some(position) = self.position(index) {
                visit(index, position)?;
            }
        }
        ControlFlow::Continue(())
    }

    fn each_numbered_successor<F>(&self, position: &G::Position, mut visit: F) -> Flow
    where
        F: FnMut(Successor) -> Flow,
    {
        let mut keys = [(0, false); TOGETHER];
        let mut held = 0;
        self.game.each_successor(position, |next| {
            if let Some(outcome) = self.game.result_after(position, &next) {
                return visit(Successor::Terminal(outcome));
            }
            match self.coding.code(self.game, &next) {
                Some(code) => keys[held] = (key_of(code), self.game.moves_again(position, &next)),
                None => unreachable!("all that follows what occurs has a code"),
            }
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

impl<G: Predecessors, C: Coding<G>> Predecessors for ReachableGame<'_, G, C> {
    fn each_predecessor<F>(&self, position: &G::Position, mut visit: F) -> Flow
    where
        F: FnMut(G::Position) -> Flow,
    {
        self.game.each_predecessor(position, |previous| match self.index(&previous) {
            Some(_) => visit(previous),
            None => ControlFlow::Continue(()),
        })
    }

    fn each_predecessor_at<F>(&self, index: Index, mut visit: F)
    where
        F: FnMut(Index),
    {
        let Some(position) = self.position(index) else { return };
        // Most predecessors of a reachable position may be unreachable.
        let mut visit_all = |keys: &[u64]| {
            keys.iter().for_each(|&key| self.main.prefetch_entry(key));
            keys.iter().for_each(|&key| self.main.prefetch_keys(key));
            keys.iter().filter_map(|&key| self.main.place(key)).for_each(|at| visit(Index(at as u64)));
        };
        let mut keys = [0; TOGETHER];
        let mut held = 0;
        let _ = self.game.each_predecessor(&position, |previous| {
            if let Some(code) = self.coding.code(self.game, &previous) {
                keys[held] = key_of(code);
                held += 1;
            }
            if held == TOGETHER {
                visit_all(&keys);
                held = 0;
            }
            ControlFlow::Continue(())
        });
        visit_all(&keys[..held]);
    }
}
