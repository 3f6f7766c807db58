//! The rows of a data set: every position of the table with its value.

use retrograde_game::Knowledge;

use crate::query::lookup::complete;
use crate::{Error, OpenGame};

/// A row of an exported data set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row<'a> {
    /// The index.
    pub index: u64,
    /// The position, seen by the side to move.
    pub position: &'a str,
    /// Planes of 0/1, one after the other.
    pub planes: &'a [u8],
    /// Its value.
    pub knowledge: Knowledge,
}

/// The shape of a data set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowShape {
    /// Names of the planes.
    pub planes: Vec<String>,
    /// Rows of a plane.
    pub rows: usize,
    /// Columns of a plane.
    pub columns: usize,
}

impl RowShape {
    /// The bytes of the planes of a position.
    pub fn size(&self) -> usize {
        self.planes.len() * self.rows * self.columns
    }
}

impl OpenGame {
    /// The shape of the rows that [`OpenGame::rows`] visits.
    pub fn row_shape(&self) -> RowShape {
        let game = &*self.entry.game;
        let (rows, columns) = game.facts().plane_shape;
        RowShape {
            planes: game.facts().plane_names.iter().map(|&name| name.to_owned()).collect(),
            rows,
            columns,
        }
    }

    /// The number of rows.
    ///
    /// # Errors
    /// [`Error::NoTable`].
    pub fn row_count(&self) -> Result<u64, Error> {
        let values = self.stored()?;
        if let Some(count) = values.scanned_positions() {
            return Ok(count);
        }
        let left_out: u128 = match values.facts().has_all_positions {
            true => self.entry.left_out().iter().map(|(_, count)| count).sum(),
            false => 0,
        };
        Ok(values.facts().counts.positions.0.saturating_sub(left_out).try_into().unwrap_or(u64::MAX))
    }

    /// Visits every numbered position of the table with its value, by index.
    ///
    /// # Errors
    /// [`Error::NoTable`], a damaged table, or an error of `visit`.
    pub fn rows(&self, visit: &mut dyn FnMut(Row<'_>) -> Result<bool, Error>) -> Result<(), Error> {
        self.chosen_rows(&mut || true, visit)
    }

    /// The same for positions that `choose` selects. It is called once for each position, in order,
    /// before the row is made.
    ///
    /// # Errors
    /// As [`OpenGame::rows`].
    pub(crate) fn chosen_rows(
        &self,
        choose: &mut dyn FnMut() -> bool,
        visit: &mut dyn FnMut(Row<'_>) -> Result<bool, Error>,
    ) -> Result<(), Error> {
        let mut planes = vec![0; self.row_shape().size()];
        self.stored()?.scan(0, &mut |index, knowledge| {
            if !choose() {
                return Ok(true);
            }
            let text = self.text_at(index, Some(&mut planes))?;
            let knowledge = match knowledge {
                Knowledge::NotLost => complete(self, knowledge, &self.position_at(index)?)?,
                known => known,
            };
            visit(Row { index: index.0, position: &text, planes: &planes, knowledge })
        })
    }
}
