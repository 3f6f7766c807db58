//! Trees of misère games, each in its simplest form, so that equal games are one number.
//!
//! Two games are *equal* if they have the same outcome together with every third game. In normal play they
//! are equal if their nimbers are. In misère play that does not hold, but a game can still be simplified (J.
//! H. Conway, "On Numbers and Games", chapter 12):
//!
//! Let H be a game all of whose options are options of G, and let every other option of G have H as
//! an option. Then G = H, provided that, if H has no option, the side to move wins G.
//!
//! For let X be any game. If the side to move loses H + X, it loses G + X: an option of H is answered
//! as there; every other option of G is answered by the turn to H + X; a turn in X leads to a G + X′
//! where, by induction, the same player wins as in H + X′. And there is a turn, because there is one
//! in H + X. If it wins H + X by a turn, G + X has that turn or one that is equal by induction. And if
//! it wins because there is no turn, neither H nor X has an option, and it wins G by the proviso.
//!
//! It does not matter here whether the simplest form is unique: equal numbers are equal games.

use std::collections::HashMap;

use crate::hash::FoldHasher;

/// A game in its simplest form, by its number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) struct Tree(pub(super) u32);

/// The game without turns.
pub(super) const ZERO: Tree = Tree(0);
/// The game of one turn.
pub(super) const ONE: Tree = Tree(1);

/// The nimbers of a game in both kinds of play.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Genus {
    /// Its nimber in normal play.
    pub(super) normal: u32,
    /// The same if the last turn loses: 1 without turns, else the least number that no option has. The side
    /// to move loses if it is 0.
    pub(super) misere: u32,
}

impl Genus {
    /// Whether it behaves like a heap of at most one: misère play swaps its nimbers 0 and 1.
    pub(super) fn is_fickle(self) -> bool {
        self.normal <= 1 && self.misere == 1 - self.normal
    }
}

/// All trees created so far.
pub(super) struct Trees {
    options: Vec<Box<[Tree]>>,
    genus: Vec<Genus>,
    numbers: HashMap<Box<[Tree]>, Tree, FoldHasher>,
    sums: HashMap<(Tree, Tree), Tree, FoldHasher>,
    /// The maximum number of trees and of sums.
    most: usize,
}

impl Trees {
    /// Creates a store for at most `most` trees and sums.
    pub(super) fn new(most: usize) -> Trees {
        let mut trees = Trees {
            options: Vec::new(),
            genus: Vec::new(),
            numbers: HashMap::default(),
            sums: HashMap::default(),
            most: most.max(2),
        };
        let zero = trees.of(Vec::new());
        debug_assert_eq!(zero, Some(ZERO));
        let one = trees.of(vec![ZERO]);
        debug_assert_eq!(one, Some(ONE));
        trees
    }

    pub(super) fn genus(&self, tree: Tree) -> Genus {
        self.genus[tree.0 as usize]
    }

    fn options(&self, tree: Tree) -> &[Tree] {
        &self.options[tree.0 as usize]
    }

    /// Returns the game with these options; `None` if there is no room for it.
    pub(super) fn of(&mut self, mut options: Vec<Tree>) -> Option<Tree> {
        options.sort_unstable();
        options.dedup();
        if let Some(&known) = self.numbers.get(options.as_slice()) {
            return Some(known);
        }
        if let Some(simpler) = self.simpler(&options) {
            self.numbers.insert(options.into(), simpler);
            return Some(simpler);
        }
        if self.options.len() >= self.most {
            return None;
        }
        let tree = Tree(u32::try_from(self.options.len()).ok()?);
        let least_without = |number: fn(Genus) -> u32| {
            let taken: Vec<u32> = options.iter().map(|&option| number(self.genus(option))).collect();
            (0..).find(|number| !taken.contains(number)).unwrap_or(0)
        };
        let misere = if options.is_empty() { 1 } else { least_without(|genus| genus.misere) };
        self.genus.push(Genus { normal: least_without(|genus| genus.normal), misere });
        let options: Box<[Tree]> = options.into();
        self.options.push(options.clone());
        self.numbers.insert(options, tree);
        Some(tree)
    }

    /// Returns a simpler game that is equal to the game with these options.
    fn simpler(&self, options: &[Tree]) -> Option<Tree> {
        // If every option stayed, the game would not be simpler. So some option does not, and it has the
        // simpler game as an option.
        let candidates = options.iter().flat_map(|&option| self.options(option).iter().copied());
        let mut seen = Vec::new();
        for simpler in candidates {
            if seen.contains(&simpler) {
                continue;
            }
            seen.push(simpler);
            let kept = self.options(simpler);
            let stay = kept.iter().all(|option| options.binary_search(option).is_ok());
            let lead_back = || {
                let mut others = options.iter().filter(|option| kept.binary_search(option).is_err());
                others.all(|&other| self.options(other).binary_search(&simpler).is_ok())
            };
            let wins = || options.iter().any(|&option| self.genus(option).misere == 0);
            if stay && lead_back() && (simpler != ZERO || wins()) {
                return Some(simpler);
            }
        }
        None
    }

    /// Returns the sum of two games; `None` if there is no room for it.
    pub(super) fn sum(&mut self, one: Tree, other: Tree) -> Option<Tree> {
        let (less, more) = (one.min(other), one.max(other));
        if less == ZERO {
            return Some(more);
        }
        if let Some(&known) = self.sums.get(&(less, more)) {
            return Some(known);
        }
        if self.sums.len() >= self.most {
            return None;
        }
        let mut options = Vec::new();
        for option in self.options(less).to_vec() {
            options.push(self.sum(option, more)?);
        }
        for option in self.options(more).to_vec() {
            options.push(self.sum(less, option)?);
        }
        let sum = self.of(options)?;
        self.sums.insert((less, more), sum);
        Some(sum)
    }

    /// The number of trees.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.options.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heap(trees: &mut Trees, size: u32) -> Tree {
        let options = (0..size).map(|less| heap(trees, less)).collect();
        trees.of(options).unwrap()
    }

    #[test]
    fn sums_of_nim_heaps_are_won_as_in_misere_nim() {
        let mut trees = Trees::new(1 << 20);
        for a in 0..5 {
            for b in 0..5 {
                for c in 0..4 {
                    let heaps = [a, b, c].map(|size| heap(&mut trees, size));
                    let two = trees.sum(heaps[0], heaps[1]).unwrap();
                    let sum = trees.sum(two, heaps[2]).unwrap();
                    let small = [a, b, c].iter().all(|&size| size <= 1);
                    let lost = if small { a ^ b ^ c == 1 } else { a ^ b ^ c == 0 };
                    assert_eq!(trees.genus(sum).misere == 0, lost, "{a} {b} {c}");
                    assert_eq!(trees.genus(sum).normal, a ^ b ^ c);
                    assert_eq!(trees.genus(sum).is_fickle(), small);
                }
            }
        }
    }

    #[test]
    fn single_turns_cancel_and_larger_heaps_do_not() {
        let mut trees = Trees::new(1 << 10);
        let two = heap(&mut trees, 2);
        assert_eq!(trees.sum(ONE, ONE), Some(ZERO));
        assert_eq!(trees.sum(two, ONE), Some(heap(&mut trees, 3)));
        assert_ne!(trees.sum(two, two), Some(ZERO));
        // The proviso: the only option is a heap of two, from which one turn leads to nothing. But the side
        // to move loses, so it is not the game without turns.
        let behind = trees.of(vec![two]).unwrap();
        assert_ne!(behind, ZERO);
    }

    /// The outcome of a sum of trees without simplification, for comparison.
    fn wins(plain: &[Vec<usize>], sum: &mut Vec<usize>) -> bool {
        let mut moved = false;
        for at in 0..sum.len() {
            let whole = sum[at];
            for &option in &plain[whole] {
                moved = true;
                sum[at] = option;
                let won = !wins(plain, sum);
                sum[at] = whole;
                if won {
                    return true;
                }
            }
        }
        !moved
    }

    #[test]
    fn a_game_and_its_simplest_form_have_the_same_outcome_in_every_sum() {
        // All games of up to three turns, as sets of options, and some deeper ones.
        let mut plain: Vec<Vec<usize>> = vec![vec![], vec![0]];
        for (first, last) in [(0, 2), (0, 4), (2, 10)] {
            for set in 1..1_usize << (last - first).min(4) {
                let options: Vec<usize> =
                    (0..4).filter(|at| set >> at & 1 == 1).map(|at| first + at).collect();
                if options.iter().all(|&option| option < plain.len()) && !plain.contains(&options) {
                    plain.push(options);
                }
            }
        }
        let mut trees = Trees::new(1 << 16);
        let mut simplest: Vec<Tree> = Vec::new();
        for options in &plain {
            let options = options.iter().map(|&option| simplest[option]).collect();
            simplest.push(trees.of(options).unwrap());
        }
        assert!(trees.len() < plain.len(), "something was simplified");
        for a in 0..plain.len() {
            for b in 0..=a {
                for c in 0..=b.min(6) {
                    let two = trees.sum(simplest[a], simplest[b]).unwrap();
                    let sum = trees.sum(two, simplest[c]).unwrap();
                    let won = wins(&plain, &mut vec![a, b, c]);
                    assert_eq!(
                        trees.genus(sum).misere != 0,
                        won,
                        "{:?} {:?} {:?}",
                        plain[a],
                        plain[b],
                        plain[c]
                    );
                }
            }
        }
    }

    #[test]
    fn without_room_there_is_no_tree() {
        let mut trees = Trees::new(3);
        let two = heap(&mut trees, 2);
        assert_eq!(trees.of(vec![two]), None);
    }
}
