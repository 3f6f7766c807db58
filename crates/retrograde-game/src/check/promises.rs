//! Checks the promises of the traits at one position or index at a time.
//!
//! Each check returns an error that names the position and the broken promise. The [conformance
//! kit](crate::conformance) panics with it; a solve checks a sample before it starts, and refuses a
//! game that breaks its promises.

use std::collections::HashSet;
use std::ops::Range;

use super::random::Random;
use crate::rules::{Dense, Flow, Game, Graded, Index, Layered, Packed, Staged, Successor};

/// `Ok` if a promise holds, otherwise a description of what is wrong and where.
pub type Promise = Result<(), String>;

/// A sample takes all indices of numberings up to this size, and [`SOME_INDICES`] of larger ones.
const ALL_INDICES: u64 = 1 << 10;
const SOME_INDICES: u64 = 1 << 8;
/// The most turns from the start to the first numbered position.
const BEGINNING: usize = 3;
/// The number of random games in a sample, and the most turns of each.
const GAMES: usize = 8;
const LENGTH: usize = 32;
/// The most successors of one position that a sample checks.
const SUCCESSORS: usize = 1 << 8;
/// The most ranges of layers or stages that a sample checks.
const RANGES: usize = 1 << 20;

/// Returns up to `most` different successors of a position, and whether these are all.
pub(crate) fn successors<G: Game>(game: &G, position: &G::Position, most: usize) -> (Vec<G::Position>, bool) {
    let (mut seen, mut found) = (HashSet::new(), Vec::new());
    let flow = game.each_successor(position, |next| {
        if seen.insert(next.clone()) {
            if found.len() == most {
                return Flow::Break(());
            }
            found.push(next);
        }
        Flow::Continue(())
    });
    (found, flow.is_continue())
}

/// Checks [`Dense`] at a position: it and its successors have indices that lead back to them or to
/// their representatives, the successors are numbered or finished, and [`Dense::each_successor_at`]
/// visits the same ones. Checks up to `most` successors. Ignores positions without an index.
///
/// # Errors
/// If a promise does not hold.
pub fn dense<G: Dense>(game: &G, position: &G::Position, most: usize) -> Promise {
    let Some(index) = game.index(position) else { return Ok(()) };
    round_trip(game, position, index)?;
    let text = || game.position_text(position);
    let (next, all) = successors(game, position, most);
    let in_prelude = u128::from(index.0) >= game.index_count() - u128::from(game.prelude());
    let mut expected = HashSet::new();
    for after in &next {
        if let Some(outcome) = game.result_after(position, after) {
            expected.insert(Successor::Terminal(outcome));
            continue;
        }
        let after_text = || game.position_text(after);
        let Some(after_index) = game.index(after) else {
            return Err(format!(
                "{} follows {} and has no index: `Dense::index` must give it one, unless `Game::result` ends it",
                after_text(),
                text()
            ));
        };
        round_trip(game, after, after_index)?;
        if in_prelude && after_index >= index {
            return Err(format!(
                "{} (index {index}) leads to {} (index {after_index}): before the game proper turns must lead to \
                 smaller indices (`Dense::prelude`)",
                text(),
                after_text()
            ));
        }
        expected.insert(match game.moves_again(position, after) {
            true => Successor::Again(after_index),
            false => Successor::At(after_index),
        });
    }
    if !all {
        return Ok(());
    }
    let mut visited = HashSet::new();
    let _ = game.each_successor_at(index, |reached| {
        visited.insert(reached);
        Flow::Continue(())
    });
    match visited == expected {
        true => Ok(()),
        false => Err(format!("{}: `each_successor_at` visits other positions than `each_successor`", text())),
    }
}

/// Checks that only images of a numbered position share its index.
fn round_trip<G: Dense>(game: &G, position: &G::Position, index: Index) -> Promise {
    let text = || game.position_text(position);
    let count = game.index_count();
    if u128::from(index.0) >= count {
        return Err(format!("{} has index {index}, and `Dense::index_count` is {count}", text()));
    }
    let stands = game.representative(position);
    match game.position(index) {
        Some(found) if found == stands => {}
        Some(found) => {
            return Err(format!(
                "{} has index {index}, but `Dense::position` gives {} for it: two positions must not share an index, \
                 unless `Dense::representative` gives the same for both",
                text(),
                game.position_text(&found)
            ));
        }
        None => {
            return Err(format!("{} has index {index}, but `Dense::position` gives nothing for it", text()));
        }
    }
    if game.seat(&stands) != game.seat(position) {
        return Err(format!("{}: its `Dense::representative` has another player to move", text()));
    }
    match stands == *position || game.index(&stands) == Some(index) {
        true => Ok(()),
        false => {
            Err(format!("{} has index {index}, but its `Dense::representative` has another one", text()))
        }
    }
}

/// Checks [`Dense`] at an index: its position, if it has one, has this index.
///
/// # Errors
/// If the promise does not hold.
pub fn index<G: Dense>(game: &G, index: Index) -> Promise {
    let Some(position) = game.position(index) else { return Ok(()) };
    let found = game.index(&position);
    if found == Some(index) {
        return Ok(());
    }
    Err(format!(
        "`Dense::position` gives {} for index {index}, but `Dense::index` gives {} for it",
        game.position_text(&position),
        found.map_or("none".to_owned(), |found| found.to_string())
    ))
}

/// Checks [`Graded`] at a position: every turn lowers the grade. Checks up to `most` turns.
///
/// # Errors
/// If the promise does not hold.
pub fn graded<G: Graded>(game: &G, position: &G::Position, most: usize) -> Promise {
    let grade = game.grade(position);
    match successors(game, position, most).0.into_iter().find(|next| game.grade(next) >= grade) {
        None => Ok(()),
        Some(next) => Err(format!(
            "{} of grade {grade} is followed by {} of grade {}: every turn must lower `Graded::grade`",
            game.position_text(position),
            game.position_text(&next),
            game.grade(&next)
        )),
    }
}

/// Checks [`Packed`] at an unfinished position: its code leads back to it.
///
/// # Errors
/// If the promise does not hold.
pub fn packed<G: Packed>(game: &G, position: &G::Position) -> Promise {
    let code = game.pack(position);
    if game.unpack(code) == *position {
        return Ok(());
    }
    Err(format!(
        "{} has code {code}, which `Packed::unpack` turns into another position",
        game.position_text(position)
    ))
}

/// The layers or stages of a numbering.
#[derive(Debug)]
pub struct Order {
    /// "layer" or "stage".
    kind: &'static str,
    /// Ranges of indices with their layer or stage and the number of the range, in ascending order.
    ranges: Vec<(Range<u64>, usize, usize)>,
}

impl Order {
    /// The layers of a game; `None` if they have more than `most` ranges.
    ///
    /// # Errors
    /// If an index is in two ranges or in no range.
    pub fn of_layers<G: Layered>(game: &G, most: usize) -> Result<Option<Order>, String> {
        Order { kind: "layer", ranges: Vec::new() }.of(game, game.layer_count(), |n| game.layer(n), most)
    }

    /// The stages of a game; `None` if they have more than `most` ranges.
    ///
    /// # Errors
    /// If an index is in two ranges or in no range.
    pub fn of_stages<G: Staged>(game: &G, most: usize) -> Result<Option<Order>, String> {
        Order { kind: "stage", ranges: Vec::new() }.of(game, game.stage_count(), |n| game.stage(n), most)
    }

    fn of<G: Dense>(
        mut self,
        game: &G,
        parts: usize,
        ranges: impl Fn(usize) -> Vec<Range<Index>>,
        most: usize,
    ) -> Result<Option<Order>, String> {
        for part in 0..parts {
            let number = self.ranges.len();
            let filled = ranges(part).into_iter().map(|range| range.start.0..range.end.0);
            let filled = filled.filter(|range| !range.is_empty()).enumerate();
            self.ranges.extend(filled.map(|(more, range)| (range, part, number + more)));
            if self.ranges.len() > most {
                return Ok(None);
            }
        }
        self.ranges.sort_by_key(|(range, ..)| range.start);
        let (kind, mut end) = (self.kind, 0);
        for (range, ..) in &self.ranges {
            match range.start {
                start if start < end => return Err(format!("index {start} is in two ranges of {kind}s")),
                start if start > end => return Err(format!("index {end} is in no {kind}")),
                _ => end = range.end,
            }
        }
        let count = game.index_count() - u128::from(game.prelude());
        match u128::from(end) == count {
            true => Ok(Some(self)),
            false => Err(format!("the {kind}s have {end} indices, and the numbering has {count}")),
        }
    }

    /// The layer or stage of an index, and the number of its range.
    pub fn part(&self, index: Index) -> Option<(usize, usize)> {
        let after = self.ranges.partition_point(|(range, ..)| range.start <= index.0);
        let (range, part, number) = self.ranges.get(after.checked_sub(1)?)?;
        range.contains(&index.0).then_some((*part, *number))
    }

    /// Checks that the turns from an index lead where the order allows.
    ///
    /// # Errors
    /// If one does not.
    pub fn check<G: Dense>(&self, game: &G, index: Index) -> Promise {
        let Some((part, range)) = self.part(index) else { return Ok(()) };
        let (kind, mut fault) = (self.kind, None);
        let _ = game.each_successor_at(index, |next| {
            let Some(next) = next.index() else { return Flow::Continue(()) };
            let other = self.part(next);
            let allowed = other.is_some_and(|(other, other_range)| {
                other < part || other == part && (kind == "stage" || other_range == range && next > index)
            });
            if allowed {
                return Flow::Continue(());
            }
            fault = Some((next, other));
            Flow::Break(())
        });
        let Some((next, other)) = fault else { return Ok(()) };
        let text = |index| {
            let text = game.position(index).map(|position| game.position_text(&position));
            text.unwrap_or_else(|| "no position".to_owned())
        };
        let other = other.map_or_else(|| format!("no {kind}"), |(other, _)| format!("{kind} {other}"));
        let rule = match kind {
            "stage" => "no turn may lead to a later stage (`Staged::stage`)",
            _ => {
                "turns must lead to an earlier layer, or to a larger index of the same range (`Layered::layer`)"
            }
        };
        let (from, to) = (text(index), text(next));
        Err(format!("{from} (index {index}, {kind} {part}) leads to {to} (index {next}, {other}): {rule}"))
    }
}

/// Checks that the start has an index, or that the game proper begins within [`BEGINNING`] turns.
/// (Push Fight does not number placements if there are too many.)
fn numbered_soon<G: Dense>(game: &G) -> Promise {
    let mut position = game.start();
    for _ in 0..=BEGINNING {
        if game.index(&position).is_some() || game.result(&position).is_some() {
            return Ok(());
        }
        let (next, _) = successors(game, &position, 1);
        match next.into_iter().next() {
            Some(next) => position = next,
            // The game is over before it begins.
            None => return Ok(()),
        }
    }
    let text = game.position_text(&game.start());
    Err(format!("the start, {text}, has no index: `Dense::index` must give it one"))
}

/// Checks [`Dense`] at the start, at positions of random games and at a sample of the indices.
///
/// # Errors
/// If a promise does not hold there.
pub fn dense_sample<G: Dense>(game: &G) -> Promise {
    let (count, prelude) = (game.index_count(), game.prelude());
    if u128::from(prelude) > count {
        return Err(format!("`Dense::prelude` is {prelude}, and `Dense::index_count` only {count}"));
    }
    numbered_soon(game)?;
    played(game).iter().try_for_each(|position| dense(game, position, SUCCESSORS))?;
    indices(game).try_for_each(|at| {
        index(game, at)?;
        game.position(at).map_or(Ok(()), |position| dense(game, &position, SUCCESSORS))
    })
}

/// Checks [`Graded`] at positions of random games.
///
/// # Errors
/// If the promise does not hold there.
pub fn graded_sample<G: Graded>(game: &G) -> Promise {
    played(game).iter().try_for_each(|position| graded(game, position, SUCCESSORS))
}

/// Checks [`Packed`] at positions of random games.
///
/// # Errors
/// If the promise does not hold there.
pub fn packed_sample<G: Packed>(game: &G) -> Promise {
    let unfinished = played(game).into_iter().filter(|position| game.result(position).is_none());
    let mut unfinished = unfinished.filter(|_| game.is_packed());
    unfinished.try_for_each(|position| packed(game, &position))
}

/// Checks the order of the layers at a sample of the indices.
///
/// # Errors
/// If the promise does not hold there.
pub fn layer_sample<G: Layered>(game: &G) -> Promise {
    let order = Order::of_layers(game, RANGES)?;
    order.map_or(Ok(()), |order| indices(game).try_for_each(|index| order.check(game, index)))
}

/// Checks the order of the stages at a sample of the indices.
///
/// # Errors
/// If the promise does not hold there.
pub fn stage_sample<G: Staged>(game: &G) -> Promise {
    let order = Order::of_stages(game, RANGES)?;
    order.map_or(Ok(()), |order| indices(game).try_for_each(|index| order.check(game, index)))
}

/// Indices of a numbering: all of them if there are few, otherwise some, evenly spread.
fn indices<G: Dense>(game: &G) -> impl Iterator<Item = Index> + use<G> {
    let count = u64::try_from(game.index_count()).unwrap_or(u64::MAX);
    let taken = if count <= ALL_INDICES { count } else { SOME_INDICES };
    let last = u128::from(count.saturating_sub(1));
    (0..taken).map(move |n| Index((last * u128::from(n) / u128::from(taken.max(2) - 1)) as u64))
}

/// Positions of random games, beginning with the start.
fn played<G: Game>(game: &G) -> Vec<G::Position> {
    let mut random = Random::new(1);
    let (mut seen, mut positions) = (HashSet::new(), Vec::new());
    for _ in 0..GAMES {
        let mut next = Some(game.start());
        for _ in 0..LENGTH {
            let Some(position) = next.take() else { break };
            let mut met = 0;
            let _ = game.each_successor(&position, |after| {
                met += 1;
                if random.below(met) == 0 {
                    next = Some(after);
                }
                if met < SUCCESSORS as u64 { Flow::Continue(()) } else { Flow::Break(()) }
            });
            if seen.insert(position.clone()) {
                positions.push(position);
            }
        }
    }
    positions
}
