//! Complete turns: the positions they lead to, and one turn for each.

use std::collections::hash_map::Entry;

use retrograde_game::Flow;
use retrograde_game::interrupt::{enough, interrupted, too_much};
use rustc_hash::FxHashMap;

use crate::PushFight;
use crate::position::{Arrangement, Position, Step};

impl PushFight {
    /// The distinct turns with at most `most` moves, with the positions they lead to; `None` means any number.
    /// Of several turns to the same position, takes the one with the fewest moves, then the alphabetically
    /// first. If interrupted, returns the turns found so far, in order of the number of moves.
    pub(crate) fn all_turns(&self, position: &Position, most: Option<u32>) -> Vec<(Vec<Step>, Position)> {
        let start = position.own();
        // For every arrangement the fewest moves to it, and the alphabetically first of those.
        let mut known: FxHashMap<Arrangement, Vec<Step>> = [(start, Vec::new())].into_iter().collect();
        let mut found: FxHashMap<Position, Vec<Step>> = FxHashMap::default();
        let mut layer = vec![start];
        let mut moves = 0;
        // Each entry of both maps has a list of steps.
        let refused = |entries: usize| too_much((entries * 4 * size_of::<Position>()) as u64);
        'layers: loop {
            let mut pushes = FxHashMap::default();
            for own in &layer {
                let count = found.len() + pushes.len();
                if interrupted() || enough(count) || refused(known.len() + count) {
                    found.extend(pushes);
                    break 'layers;
                }
                let way = &known[own];
                let _ = self.each_push(position, *own, &mut |push, next| {
                    if !found.contains_key(&next) {
                        self.keep_first(&mut pushes, next, way, push);
                    }
                    Flow::Continue(())
                });
            }
            found.extend(pushes);
            if most.is_some_and(|most| moves >= most) {
                break;
            }
            let mut next_layer = FxHashMap::default();
            for own in &layer {
                if interrupted() || refused(known.len() + next_layer.len() + found.len()) {
                    break 'layers;
                }
                let way = &known[own];
                let _ = self.each_move(position, *own, &mut |step, next| {
                    if !known.contains_key(&next) {
                        self.keep_first(&mut next_layer, next, way, step);
                    }
                    Flow::Continue(())
                });
            }
            if next_layer.is_empty() {
                break;
            }
            layer = next_layer.keys().copied().collect();
            known.extend(next_layer);
            moves += 1;
        }
        let mut turns: Vec<(Vec<Step>, Position)> =
            found.into_iter().map(|(next, steps)| (steps, next)).collect();
        turns.sort_unstable_by(|(one, _), (other, _)| {
            self.board.places_of(one).cmp(self.board.places_of(other))
        });
        turns
    }

    /// Records the steps `before` and `last` as the way to `key`, unless an alphabetically earlier
    /// way is known.
    fn keep_first<K: std::hash::Hash + Eq>(
        &self,
        ways: &mut FxHashMap<K, Vec<Step>>,
        key: K,
        before: &[Step],
        last: Step,
    ) {
        let steps = || [before, &[last]].concat();
        match ways.entry(key) {
            Entry::Vacant(place) => {
                place.insert(steps());
            }
            Entry::Occupied(mut old) => {
                let way = self.board.places_of(before.iter().chain([&last]));
                if way.lt(self.board.places_of(old.get())) {
                    old.insert(steps());
                }
            }
        }
    }
}
