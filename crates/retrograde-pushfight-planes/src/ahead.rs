//! The values of many positions at once, whether pushes lead to them or not: those of all blocks that they are in, found like
//! everything else, see the module `derived`. Where positions have consecutive numbers a block has many of them, and a look
//! at their turns one by one would look at the same pushes again and again.

use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use retrograde_game::{Dense, Game, Index, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::SolveError;

use crate::cells::Cells;
use crate::derived::{Values, derive};
use crate::engine::{Engine, Level, Plane};
use crate::log::{DRAWS, Log, STUCK};
use crate::logged::Means;
use crate::others::{longest, whole};
use crate::restore::clear;
use crate::shape::{Scope, Shape, with_words};
use crate::solution::Solution;
use crate::turns_file::{About, Spot, spot};

/// Where logs are, within the game's directory.
pub(crate) const WORK: &str = "ahead";
/// Indices that a thread looks at in one go.
const PIECE: u64 = 1 << 16;

/// Values that were found ahead of being asked for.
pub struct Ahead {
    shape: Shape,
    found: Box<dyn Found>,
}

impl Ahead {
    /// The value of a position that is in one of the blocks.
    pub fn value(&self, game: &PushFight, position: &Position) -> Option<Value> {
        let turns = self.found.turns(spot(&self.shape, game, position)?);
        Some(match turns {
            // Most positions, so they are not kept.
            None => Value::Win(Turns(1)),
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

/// For every superblock the turns in which there is something, and what.
struct Planes<const W: usize>(Vec<Vec<(u16, Cells<W>)>>);

impl<const W: usize> Found for Planes<W> {
    fn turns(&self, spot: Spot) -> Option<u16> {
        let there = |cells: &Cells<W>| {
            cells.row(spot.cell, spot.row).is_some_and(|row| row[spot.bit / 64] >> (spot.bit % 64) & 1 == 1)
        };
        self.0[spot.superblock].iter().find(|(_, cells)| there(cells)).map(|(turns, _)| *turns)
    }
}

impl Solution {
    /// Finds the values of all positions with indices in a range, none before the first push. The solution is in this
    /// directory; without the logs of its solve, work files are written into one within, and go at the end.
    ///
    /// # Errors
    /// If not everything is decided, it is stopped, or a file cannot be read or written.
    pub fn ahead(
        &self,
        game: &PushFight,
        directory: &Path,
        means: &Means<'_>,
        indices: Range<u64>,
    ) -> Result<Ahead, SolveError> {
        whole(game, self.about())?;
        let too_large = || SolveError::TooLarge { count: game.position_count() };
        let shape = |scope| Shape::new(game, scope).ok_or_else(too_large);
        let shapes = [shape(Scope::All)?, shape(Scope::Game)?];
        let work = directory.join(WORK);
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
    target.blocks = Some(blocks(game, &target.shape, means, indices)?);
    let mut values = Values { engine: known, log, means, longest: longest(about) };
    let mut found: Vec<Vec<(u16, Cells<W>)>> = target.shape.supers.iter().map(|_| Vec::new()).collect();
    let mut keep = |turns: u16, plane: &Plane<W>| {
        for (found, cells) in found.iter_mut().zip(plane).filter(|(_, cells)| !cells.is_empty()) {
            found.push((turns, cells.clone()));
        }
    };
    derive(&mut target, &mut values, &mut |engine, turns, what| {
        let (plane, _) = crate::logged::done(engine, means, turns, what)?;
        if turns == DRAWS {
            let mut draws = engine.left.clone();
            crate::engine::subtract(&mut draws, &plane, means.threads);
            keep(DRAWS, &draws);
        } else if turns != STUCK {
            keep(turns, &plane);
        }
        Ok(plane)
    })?;
    Ok(Ahead { shape: target.shape, found: Box::new(Planes(found)) })
}

/// The blocks that positions with some indices are in: opposing pawns by superblock.
fn blocks<const W: usize>(
    game: &PushFight,
    shape: &Shape,
    means: &Means<'_>,
    indices: Range<u64>,
) -> Result<Vec<[u64; W]>, SolveError> {
    let pieces = (indices.end.saturating_sub(indices.start)).div_ceil(PIECE);
    means.progress.stage("blocks of positions", pieces);
    let next = std::sync::atomic::AtomicU64::new(0);
    let all = Mutex::new(vec![[0_u64; W]; shape.supers.len()]);
    let work = || {
        let mut own = vec![[0_u64; W]; shape.supers.len()];
        loop {
            let piece = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if piece >= pieces || means.progress.stopped() {
                break;
            }
            let from = indices.start + piece * PIECE;
            for index in from..indices.end.min(from + PIECE) {
                let position = game.position(Index(index)).filter(|position| position.anchor != 0);
                if let Some(spot) = position.and_then(|position| spot(shape, game, &position)) {
                    own[spot.superblock][spot.row / 64] |= 1 << (spot.row % 64);
                }
            }
            means.progress.advance(1);
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        for (all, own) in all.iter_mut().zip(own) {
            all.iter_mut().zip(own).for_each(|(all, own)| *all |= own);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..means.threads {
            scope.spawn(work);
        }
        work();
    });
    if means.progress.stopped() {
        return Err(SolveError::Stopped);
    }
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(test)]
mod tests {
    use retrograde_game::Knowledge;
    use retrograde_solve::Silent;

    use super::*;
    use crate::solution::{Keep, solve_into};
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
}
