//! The values of many positions at once, whether pushes lead to them or not, found block by block like everything else, see the
//! module `derived`. Where positions have consecutive numbers a block has many of them, and a look at their turns one by
//! one would look at the same pushes again and again.

use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use retrograde_game::{Dense, Game, Index, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::{SolveError, in_order};

use crate::config::Means;
use crate::derive::values::{Values, derive};
use crate::files::log::{DRAWS, Log, STUCK};
use crate::files::solution_info::About;
use crate::files::work_folder::BULK_VALUES;
use crate::files::work_folder::clear;
use crate::kernel::simd::Level;
use crate::layout::location::{Spot, spot};
use crate::layout::numbering::{Scope, Shape, with_words};
use crate::layout::sparse::Plane;
use crate::layout::sparse::{Cells, Row, merge};
use crate::phase::engine::Engine;
use crate::solution::open::Solution;

/// Indices that a thread looks at in one go.
const PIECE: u64 = 1 << 16;

/// The values of some positions, found before they are looked up.
pub struct Ahead {
    shape: Shape,
    /// Whether nothing is known of what is not decided; else it is drawn.
    undecided: bool,
    found: Box<dyn Found>,
}

impl Ahead {
    /// The value of one of the positions, if it is known.
    pub fn value(&self, game: &PushFight, position: &Position) -> Option<Value> {
        let turns = self.found.turns(spot(&self.shape, game, position)?);
        Some(match turns {
            // Most positions, so they are not kept.
            None => Value::Win(Turns(1)),
            Some(DRAWS) if self.undecided => return None,
            Some(DRAWS) => Value::Draw,
            Some(turns) if turns.is_multiple_of(2) => Value::Loss(Turns(turns)),
            Some(turns) => Value::Win(Turns(turns)),
        })
    }
}

/// What was found, whatever the words of a row are.
trait Found: Send + Sync {
    fn turns(&self, spot: Spot) -> Option<u16>;
}

/// A row of what was found: its place, a cell and opposing pawns; the turns; the positions.
type Decided<const W: usize> = ((u32, u16), u16, [u64; W]);

/// For every superblock what was found, by place. (Planes of all turns would be mostly empty, and take more than what is in them.)
struct Rows<const W: usize>(Vec<Vec<Decided<W>>>);

impl<const W: usize> Rows<W> {
    fn keep(&mut self, turns: u16, plane: &Plane<W>) {
        for (rows, cells) in self.0.iter_mut().zip(plane) {
            cells.each(|cell, lane, bits| rows.push(((cell as u32, lane as u16), turns, *bits)));
        }
    }
}

impl<const W: usize> Found for Rows<W> {
    fn turns(&self, spot: Spot) -> Option<u16> {
        let (rows, place) = (&self.0[spot.superblock], (spot.cell as u32, spot.row as u16));
        let first = rows.partition_point(|row| row.0 < place);
        let mut same = rows[first..].iter().take_while(|row| row.0 == place);
        let has = |bits: &[u64; W]| bits[spot.bit / 64] >> (spot.bit % 64) & 1 == 1;
        same.find(|row| has(&row.2)).map(|row| row.1)
    }
}

impl Solution {
    /// Finds the values of all positions with indices in a range, none before the first push. The solution is in this
    /// directory; without the logs of its solve, work files are written into one within, and go at the end.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or written.
    pub fn ahead(
        &self,
        game: &PushFight,
        directory: &Path,
        means: &Means<'_>,
        indices: Range<u64>,
    ) -> Result<Ahead, SolveError> {
        let too_large = || SolveError::TooLarge { count: game.position_count() };
        let shape = |scope| Shape::new(game, scope).ok_or_else(too_large);
        let shapes = [shape(Scope::All)?, shape(Scope::Game)?];
        let work = directory.join(BULK_VALUES);
        let log = self.logs(game, directory, &work, means)?;
        let run = with_words!(shapes[0], W => found::<W>);
        let ahead = run(game, shapes, &log, means, self.about(), indices)?;
        clear(&work)?;
        Ok(ahead)
    }
}

fn found<const W: usize>(
    game: &PushFight,
    [shape, known]: [Shape; 2],
    log: &Log,
    means: &Means<'_>,
    about: &About,
    indices: Range<u64>,
) -> Result<Ahead, SolveError> {
    let engine = |shape| Engine::<W>::new(shape, Level::best(), means.threads);
    let (mut target, known) = (engine(shape), engine(known));
    target.only = Some(only(game, &target.shape, means, indices)?);
    let mut values = Values { engine: known, log, means, about };
    let mut found = Rows(target.shape.supers.iter().map(|_| Vec::new()).collect());
    derive(&mut target, &mut values, &mut |engine, turns, what| {
        let (plane, _) = crate::solve::steps::done(engine, means, turns, what)?;
        if turns == DRAWS {
            let mut draws = engine.left.clone();
            crate::layout::sparse::subtract(&mut draws, &plane, means.threads);
            found.keep(DRAWS, &draws);
        } else if turns != STUCK {
            found.keep(turns, &plane);
        }
        Ok(plane)
    })?;
    for rows in &mut found.0 {
        rows.sort_unstable_by_key(|row| row.0);
    }
    Ok(Ahead { shape: target.shape, undecided: about.horizon.is_some(), found: Box::new(found) })
}

/// The positions that some indices stand for.
fn only<const W: usize>(
    game: &PushFight,
    shape: &Shape,
    means: &Means<'_>,
    indices: Range<u64>,
) -> Result<Plane<W>, SolveError> {
    let pieces = indices.end.saturating_sub(indices.start).div_ceil(PIECE);
    let rows: Vec<Mutex<Vec<Row<W>>>> = shape.supers.iter().map(|_| Mutex::default()).collect();
    let rows_of = |superblock: usize| rows[superblock].lock().unwrap_or_else(PoisonError::into_inner);
    let act = |piece: usize| {
        let from = indices.start + piece as u64 * PIECE;
        let mut spots: Vec<Spot> = (from..indices.end.min(from + PIECE))
            .filter_map(|index| game.position(Index(index)))
            .filter(|position| position.anchor != 0)
            .filter_map(|position| spot(shape, game, &position))
            .collect();
        spots.sort_unstable();
        for spots in spots.chunk_by(|one, other| one.superblock == other.superblock) {
            let place = |spot: &Spot| (spot.superblock, spot.cell, spot.row);
            let mut rows = rows_of(spots[0].superblock);
            for spots in spots.chunk_by(|one, other| place(one) == place(other)) {
                let mut bits = [0; W];
                for spot in spots {
                    bits[spot.bit / 64] |= 1 << (spot.bit % 64);
                }
                rows.push((spots[0].cell as u32, spots[0].row as u16, bits));
            }
        }
        Ok::<_, SolveError>(())
    };
    means.progress.stage("positions asked for", pieces);
    if !in_order(pieces as usize, means.threads, means.progress, &act, &mut |()| Ok(()))? {
        return Err(SolveError::Stopped);
    }
    let cells = shape.cells.len();
    let finish = |rows: Mutex<Vec<Row<W>>>| {
        let mut rows = rows.into_inner().unwrap_or_else(PoisonError::into_inner);
        merge(&mut rows);
        Cells::new(cells, &rows)
    };
    Ok(rows.into_iter().map(finish).collect())
}

#[cfg(test)]
mod tests {
    use retrograde_game::Knowledge;
    use retrograde_solve::Silent;

    use super::*;
    use crate::run::{Keep, solve_into};
    use crate::testing::{game, means};

    #[test]
    fn values_found_ahead_are_those_that_turns_lead_to() {
        let mut all_draws = 0;
        for (name, wins) in [
            ("pushfight:mini,pushers=2,pawns=1", false),
            ("pushfight:mini,pushers=1,pawns=2,moves=1", true),
            ("pushfight:mini,pushers=2,pawns=2,moves=0", true),
            ("pushfight:x.board,pushers=2,pawns=1,moves=3", false),
        ] {
            let game = game(name);
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path();
            solve_into(&game, path, &means(&Silent), Keep { work: !wins, wins }).unwrap();
            let solution = Solution::open(&game, path).unwrap().unwrap();
            let before = std::fs::read_dir(path).unwrap().count();
            let count = game.index_count() as u64 - game.prelude();
            let mut draws = 0;
            for range in [count / 3..count / 3 + 500, count - 77..count, 5..6, 9..9] {
                let ahead = solution.ahead(&game, path, &means(&Silent), range.clone()).unwrap();
                for index in range {
                    let Some(position) = game.position(Index(index)) else { continue };
                    let expected = solution.value(&game, &position).unwrap().unwrap();
                    let found = ahead.value(&game, &position).unwrap();
                    assert_eq!(Knowledge::Exact(found), expected, "{name}, {index}");
                    draws += u32::from(found == Value::Draw);
                }
            }
            all_draws += draws;
            assert_eq!(std::fs::read_dir(path).unwrap().count(), before);
        }
        assert!(all_draws > 0);
    }

    #[test]
    fn within_a_horizon_they_are_what_follows() {
        let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
        let [whole, directory] = [tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap()];
        solve_into(&game, whole.path(), &means(&Silent), Keep::default()).unwrap();
        let whole = Solution::open(&game, whole.path()).unwrap().unwrap();
        let path = directory.path();
        let count = game.index_count() as u64 - game.prelude();
        let range = count / 3..count / 3 + 3000;
        let positions: Vec<Position> =
            range.clone().filter_map(|index| game.position(Index(index))).collect();
        let (mut known, mut open) = (0, 0);
        for horizon in 0..6 {
            let within = Means { horizon: Some(horizon), ..means(&Silent) };
            solve_into(&game, path, &within, Keep::default()).unwrap();
            let solution = Solution::open(&game, path).unwrap().unwrap();
            let ahead = solution.ahead(&game, path, &means(&Silent), range.clone()).unwrap();
            for position in &positions {
                let Knowledge::Exact(right) = whole.value(&game, position).unwrap().unwrap() else {
                    unreachable!("it is solved to the end")
                };
                let turns = right.turns().map_or(u16::MAX, |turns| turns.0);
                match ahead.value(&game, position) {
                    Some(found) => {
                        assert_eq!(found, right, "{horizon}, {}", game.position_text(position));
                        assert!(turns <= horizon.max(1) + 1);
                        known += 1;
                    }
                    None => {
                        assert!(turns > horizon.max(1), "{horizon}, {}", game.position_text(position));
                        // A look at its turns says no more.
                        let said = solution.value(&game, position).unwrap().unwrap();
                        assert!(!matches!(said, Knowledge::Exact(_)), "{horizon}: {said:?}");
                        open += 1;
                    }
                }
            }
        }
        assert!(known > 0 && open > 0);
    }
}
