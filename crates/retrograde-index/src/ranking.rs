//! The numberings that a game can return from `Numbered::numbering`.

use std::ops::Range;

use retrograde_game::{Flow, Ranking, Squares};

use crate::{Arrangements, Listed, Stacks};

impl<const K: usize> Ranking<[Squares; K]> for Arrangements<K> {
    fn number_count(&self) -> u64 {
        self.count()
    }
    #[inline]
    fn number_of(&self, sets: &[Squares; K]) -> Option<u64> {
        self.rank(sets.map(|set| set.0))
    }
    #[inline]
    fn position_at(&self, number: u64) -> Option<[Squares; K]> {
        self.unrank(number).map(|sets| sets.map(Squares))
    }
    #[inline]
    fn positions_down(&self, range: Range<u64>, mut visit: impl FnMut(u64, [Squares; K]) -> Flow) -> Flow {
        self.walk_down(range, |number, sets| visit(number, sets.map(Squares)))
    }
}

impl Ranking<Squares> for Arrangements<1> {
    fn number_count(&self) -> u64 {
        self.count()
    }
    #[inline]
    fn number_of(&self, set: &Squares) -> Option<u64> {
        self.rank([set.0])
    }
    #[inline]
    fn position_at(&self, number: u64) -> Option<Squares> {
        self.unrank(number).map(|[set]| Squares(set))
    }
    #[inline]
    fn positions_down(&self, range: Range<u64>, mut visit: impl FnMut(u64, Squares) -> Flow) -> Flow {
        self.positions_down(range, |number, [set]: [Squares; 1]| visit(number, set))
    }
}

impl Ranking<[Squares; 2]> for Stacks {
    fn number_count(&self) -> u64 {
        self.count()
    }
    #[inline]
    fn number_of(&self, discs: &[Squares; 2]) -> Option<u64> {
        self.rank(discs.map(|set| set.0))
    }
    #[inline]
    fn position_at(&self, number: u64) -> Option<[Squares; 2]> {
        self.unrank(number).map(|discs| discs.map(Squares))
    }
    #[inline]
    fn positions_down(&self, range: Range<u64>, mut visit: impl FnMut(u64, [Squares; 2]) -> Flow) -> Flow {
        self.walk_down(range, |number, discs| visit(number, discs.map(Squares)))
    }
}

impl<P: Ord + Clone> Ranking<P> for Listed<P> {
    fn number_count(&self) -> u64 {
        self.count()
    }
    fn number_of(&self, position: &P) -> Option<u64> {
        self.0.binary_search(position).ok().map(|number| number as u64)
    }
    fn position_at(&self, number: u64) -> Option<P> {
        self.0.get(usize::try_from(number).ok()?).cloned()
    }
}
