//! Queries about many positions at once, given by index, planes or text: their values, indices,
//! planes and texts, and random positions. They neither list turns nor search, so a table answers
//! millions of positions per second.

use std::collections::HashSet;

use retrograde_game::{Index, Knowledge, Random, Seat, Stored, TextError};

use crate::bounds::Watch;
use crate::query::lookup::{complete, stored_or_rules};
use crate::query::written;
use crate::{Error, OpenGame, Position};

/// The positions of a query: all as indices, as planes or as texts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Positions<'a> {
    /// Indices of the game's own numbering.
    Indices(&'a [u64]),
    /// Planes of 0 and 1 as in a data set, position after position: seen by the side to move, rows from the
    /// top.
    Planes(&'a [u8]),
    /// Texts, each seen by the side to move.
    Texts(&'a [String]),
}

/// The number of positions between two checks of the clock.
const CHECK_EVERY: u32 = 1 << 8;

impl OpenGame {
    /// Visits the values of many positions in order, from the table and the rules, or unknown.
    /// There is no search, and turns are not listed if the table has the value.
    ///
    /// # Errors
    /// [`Error::NoTable`], a damaged table, or [`Error::Item`] about the first invalid position.
    pub fn values_of(
        &self,
        positions: &Positions<'_>,
        visit: &mut dyn FnMut(Knowledge),
    ) -> Result<(), Error> {
        self.stored()?;
        if let Positions::Indices(indices) = positions {
            let mut watch = Watch::default();
            for (number, &index) in indices.iter().enumerate() {
                watch.tick(CHECK_EVERY)?;
                visit(value_at(self, number, index)?);
            }
            return Ok(());
        }
        each_position(self, positions, &mut |position| {
            visit(stored_or_rules(self, &position)?);
            Ok(())
        })
    }

    /// Visits the indices of many positions in order; `None` if the numbering omits a position.
    ///
    /// # Errors
    /// [`Error::Item`] about the first invalid position.
    pub fn indices_of(
        &self,
        positions: &Positions<'_>,
        visit: &mut dyn FnMut(Option<u64>),
    ) -> Result<(), Error> {
        each_position(self, positions, &mut |position| {
            visit(self.entry.index(&position).map(|index| index.0));
            Ok(())
        })
    }

    /// Visits the planes of many positions in order, from the first player's view;
    /// [`OpenGame::row_shape`] has their shape. With [`Seat::First`] to move, that is the view of
    /// the side to move; with [`Seat::Second`], the view of the opponent.
    ///
    /// # Errors
    /// [`Error::Item`] about the first invalid position, or if the game describes no planes.
    pub fn planes_of(
        &self,
        positions: &Positions<'_>,
        to_move: Seat,
        visit: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Error> {
        let mut planes = vec![0; planes_size(self)?];
        each_position(self, positions, &mut |position| {
            let game = &*self.entry.game;
            game.planes(&position, to_move, &mut planes);
            visit(&planes);
            Ok(())
        })
    }

    /// Visits the printed forms of many positions in order.
    ///
    /// # Errors
    /// [`Error::Item`] about the first invalid position.
    pub fn texts_of(&self, positions: &Positions<'_>, visit: &mut dyn FnMut(String)) -> Result<(), Error> {
        each_position(self, positions, &mut |position| {
            visit(self.entry.game.position_text(&position));
            Ok(())
        })
    }

    /// Chooses `count` different indices of positions with values in the table, or fewer if there
    /// are no more; every set is equally likely.
    ///
    /// # Errors
    /// [`Error::NoTable`], or a damaged table.
    pub fn random_indices(&self, count: u64, seed: u64) -> Result<Vec<u64>, Error> {
        /// The number of tries per requested position before all places are scanned.
        const MAX_TRIES: u64 = 32;
        let values = self.stored()?;
        let (places, mut random, mut watch) =
            (values.facts().place_count, Random::new(seed), Watch::default());
        if count <= places / 4 {
            let (mut seen, mut found) = (HashSet::new(), Vec::new());
            for _ in 0..count.saturating_mul(MAX_TRIES) {
                watch.tick(CHECK_EVERY)?;
                let (index, stored) = values.at(random.below(places))?;
                if found.len() as u64 == count {
                    break;
                }
                if matches!(stored, Stored::Known(_)) && seen.insert(index) {
                    found.push(index.0);
                }
            }
            if found.len() as u64 == count {
                return Ok(found);
            }
        }
        let mut all = Vec::new();
        values.scan(0, &mut |index, _| {
            watch.tick(CHECK_EVERY)?;
            all.push(index.0);
            Ok(true)
        })?;
        let count = count.min(all.len() as u64) as usize;
        for at in 0..count {
            random.draw(&mut all, at);
        }
        all.truncate(count);
        Ok(all)
    }
}

/// The value at an index. The position is only constructed if the table lacks the value.
fn value_at(open: &OpenGame, number: usize, index: u64) -> Result<Knowledge, Error> {
    let is_index = u128::from(index) < index_count(open);
    if is_index && let Stored::Known(knowledge) = open.stored()?.value(Index(index))? {
        return match knowledge {
            Knowledge::NotLost => complete(open, knowledge, &position_at(open, number, index)?),
            known => Ok(known),
        };
    }
    stored_or_rules(open, &position_at(open, number, index)?)
}

/// Visits positions in order.
fn each_position(
    open: &OpenGame,
    positions: &Positions<'_>,
    visit: &mut dyn FnMut(Position) -> Result<(), Error>,
) -> Result<(), Error> {
    let game = &*open.entry.game;
    let mut watch = Watch::default();
    let mut next = |number: usize, position: Result<Position, Error>| {
        watch.tick(CHECK_EVERY)?;
        visit(position.map_err(|error| at_number(number, error))?)
    };
    match positions {
        Positions::Indices(indices) => {
            let mut numbered = indices.iter().enumerate();
            numbered.try_for_each(|(number, &index)| next(number, position_at(open, number, index)))
        }
        Positions::Planes(planes) => {
            let mut numbered = planes.chunks(planes_size(open)?).enumerate();
            numbered.try_for_each(|(number, planes)| {
                next(number, game.position_of_planes(planes).map_err(Error::from))
            })
        }
        Positions::Texts(texts) => {
            let mut numbered = texts.iter().enumerate();
            numbered.try_for_each(|(number, text)| {
                next(number, written::position(game, text).map_err(Error::from))
            })
        }
    }
}

/// The error about one position of many.
fn at_number(number: usize, error: Error) -> Error {
    match error {
        Error::Text(error) => Error::Item { number, error: Box::new(error) },
        error => error,
    }
}

fn index_count(open: &OpenGame) -> u128 {
    open.entry.index_counts().map_or(0, |(_, all)| all)
}

/// The position at an index that the caller gave.
fn position_at(open: &OpenGame, number: usize, index: u64) -> Result<Position, Error> {
    let dense = open
        .entry
        .dense()
        .ok_or_else(|| Error::Unsupported(format!("{} has no numbering of its positions", open.name())))?;
    let count = dense.index_count();
    let position = (u128::from(index) < count).then(|| dense.position(Index(index)));
    position.flatten().ok_or_else(|| {
        let reason = match u128::from(index) < count {
            true => format!("{} has no position with this index", open.name()),
            false => format!("indices of {} are below {count}", open.name()),
        };
        at_number(number, TextError::impossible("index", &index.to_string(), reason).into())
    })
}

/// The size of the planes of a position in bytes.
fn planes_size(open: &OpenGame) -> Result<usize, Error> {
    match open.row_shape().size() {
        0 => Err(Error::Unsupported(format!("{} describes no planes", open.name()))),
        size => Ok(size),
    }
}
