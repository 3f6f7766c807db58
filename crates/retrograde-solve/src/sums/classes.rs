//! The classes of parts in a sum, as far as they are known, and fingerprints of sums.
//!
//! In normal play a small part is its nimber, and pairs of equal parts cancel. In misère play a small part is
//! its tree in the simplest form, and only single turns cancel. Large parts are themselves.

use std::collections::HashMap;
use std::hash::BuildHasher;
use std::ops::ControlFlow;

use retrograde_game::{Graded, Impartial};

use super::trees::{Genus, ONE, Tree, Trees, ZERO};
use crate::hash::FoldHasher;

/// Parts of at most this grade get a tree.
const SMALL: u64 = 9;
/// The maximum number of trees, and of sums of two trees.
const TREES: usize = 1 << 19;

/// Whether the side to move probably loses a sum.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Guess {
    Lost,
    Unknown,
    Won,
}

/// A sum in the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sum {
    /// Sums with the same fingerprint are equal.
    pub(super) fingerprint: u128,
    pub(super) guess: Guess,
}

/// The class of a part.
#[derive(Clone, Copy)]
enum Class {
    /// A small part.
    Tree { tree: Tree, genus: Genus },
    /// A large part: whether it has a mirror image, and its hash.
    Whole { mirrored: bool, hash: u128 },
}

/// The classes of parts found so far.
pub(super) struct Classes<'a, G: Impartial + Graded> {
    game: &'a G,
    trees: Trees,
    known: HashMap<G::Position, Option<Tree>, FoldHasher>,
}

/// Two independent hashes.
fn hash_of(value: impl std::hash::Hash) -> u128 {
    let first = FoldHasher::default().hash_one(&value);
    let second = FoldHasher::default().hash_one((0x1357_9bdf_u64, first, &value));
    // FoldHasher mixes short keys poorly, so all bits are mixed again.
    let mix = |mut z: u64| {
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    u128::from(mix(first)) << 64 | u128::from(mix(second))
}

impl<'a, G: Impartial + Graded> Classes<'a, G> {
    pub(super) fn new(game: &'a G) -> Classes<'a, G> {
        Classes { game, trees: Trees::new(TREES), known: HashMap::default() }
    }

    /// The parts of a position, as one sum.
    pub(super) fn sum(&mut self, position: &G::Position) -> Sum {
        let mut total = Total::default();
        let game = self.game;
        game.each_part(position, |part| total.add(self.class(&part)));
        total.sum(game.last_turn_wins())
    }

    /// A fingerprint of the parts themselves, for checkers that only know the rules: only equal parts have
    /// equal fingerprints.
    pub(super) fn parts(&self, position: &G::Position) -> u128 {
        let mut parts = 0_u128;
        self.game.each_part(position, |part| parts = parts.wrapping_add(hash_of(part)));
        parts
    }

    fn class(&mut self, part: &G::Position) -> Class {
        if let Some(tree) = self.tree(part) {
            return Class::Tree { tree, genus: self.trees.genus(tree) };
        }
        Class::Whole { mirrored: self.game.is_mirrored(part), hash: hash_of(part) }
    }

    /// The tree of a part, if it is small and there is room.
    fn tree(&mut self, part: &G::Position) -> Option<Tree> {
        if self.game.grade(part) > SMALL {
            return None;
        }
        if let Some(&known) = self.known.get(part) {
            return known;
        }
        let game = self.game;
        let mut options = Some(Vec::new());
        let _ = game.each_successor(part, |next| {
            let sum = self.tree_of_sum(&next);
            match (&mut options, sum) {
                (Some(options), Some(sum)) => options.push(sum),
                _ => options = None,
            }
            if options.is_some() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        let tree = options.and_then(|options| self.trees.of(options));
        self.known.insert(part.clone(), tree);
        tree
    }

    fn tree_of_sum(&mut self, position: &G::Position) -> Option<Tree> {
        let mut parts = Vec::new();
        self.game.each_part(position, |part| parts.push(part));
        let mut sum = ZERO;
        for part in parts {
            let tree = self.tree(&part)?;
            sum = self.trees.sum(sum, tree)?;
        }
        Some(sum)
    }
}

/// The sum of several parts.
struct Total {
    nimber: u32,
    single_turns: u32,
    all_fickle: bool,
    /// Hashes of large parts, added up.
    added: u128,
    /// Hashes of large parts, where pairs cancel.
    paired: u128,
    /// Hashes of parts without a mirror image, where pairs cancel.
    open: u128,
}

impl Default for Total {
    fn default() -> Total {
        Total { nimber: 0, single_turns: 0, all_fickle: true, added: 0, paired: 0, open: 0 }
    }
}

impl Total {
    fn add(&mut self, class: Class) {
        match class {
            Class::Tree { tree, genus } => {
                self.nimber ^= genus.normal;
                self.all_fickle &= genus.is_fickle();
                match tree {
                    ZERO => {}
                    ONE => self.single_turns ^= 1,
                    tree => self.added = self.added.wrapping_add(hash_of((1_u64, tree))),
                }
            }
            Class::Whole { mirrored, hash } => {
                self.all_fickle = false;
                self.added = self.added.wrapping_add(hash);
                if !mirrored {
                    self.paired ^= hash;
                    self.open ^= hash;
                }
            }
        }
    }

    fn sum(self, last_turn_wins: bool) -> Sum {
        let lost_nimber = u32::from(!last_turn_wins && self.all_fickle);
        let guess = match self.open {
            0 if self.nimber == lost_nimber => Guess::Lost,
            0 => Guess::Won,
            _ => Guess::Unknown,
        };
        // The constant distinguishes the empty sum from 0.
        let fingerprint = if last_turn_wins {
            self.paired.wrapping_add(hash_of((2_u64, self.nimber)))
        } else {
            self.added.wrapping_add(hash_of((3_u64, self.single_turns)))
        };
        Sum { fingerprint, guess }
    }
}
