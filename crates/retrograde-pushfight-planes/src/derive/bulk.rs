//! Finds the values of many positions at once, implausible ones included (see `values`).
//!
//! Positions with consecutive numbers share blocks. Searching their turns one by one would make the
//! same pushes again and again; here each block is visited once.

use std::ops::Range;
use std::path::Path;

use parking_lot::Mutex;
use retrograde_game::{Dense, Index, Turns, Value};
use retrograde_pushfight::{Position, PushFight};
use retrograde_solve::{SolveError, in_order};

use crate::config::SolveConfig;
use crate::derive::values::{KnownValues, derive_positions};
use crate::files::log::Log;
use crate::files::solution_info::SolutionInfo;
use crate::files::work_folder::{BULK_VALUES, clear};
use crate::layout::lanes::LocalLane;
use crate::layout::location::{Location, locate};
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::layout::sets::has_lane;
use crate::layout::sparse::{Plane, SparseCells};
use crate::phase::engine::Engine;
use crate::phase::kinds::{PhaseId, value_in};
use crate::solution::open::Solution;

/// Indices that a thread handles in one task.
const INDICES_PER_TASK: u64 = 1 << 16;

/// The values of some positions, found together before they are looked up.
pub struct BulkValues {
    layout: Layout,
    /// Whether positions that no phase decided are unknown; otherwise they are drawn.
    undecided: bool,
    found: DecidedRows,
}

impl BulkValues {
    /// The value of one of the positions, if it is known.
    pub fn value(&self, game: &PushFight, position: &Position) -> Option<Value> {
        let phase = self.found.phase(locate(&self.layout, game, position)?);
        Some(match phase {
            // Most positions have this value, so it is not stored.
            None | Some(PhaseId::WonByNoPush) => Value::Win(Turns(1)),
            Some(PhaseId::Draws) if self.undecided => return None,
            Some(PhaseId::Draws) => Value::Draw,
            Some(PhaseId::Turns(turns)) => value_in(turns),
        })
    }
}

/// A row of results: its place (a cell and opposing pawns), the phase, the positions.
type DecidedRow = ((u32, LocalLane), PhaseId, Box<[u64]>);

/// The results of every superblock, sorted by place. (Planes of all turns would be mostly empty, and
/// take more memory than their contents.)
struct DecidedRows(Vec<Vec<DecidedRow>>);

impl DecidedRows {
    fn record(&mut self, phase: PhaseId, plane: &Plane) {
        for (rows, cells) in self.0.iter_mut().zip(plane) {
            cells.for_each_row(|cell, lane, bits| rows.push(((cell as u32, lane), phase, bits.into())));
        }
    }

    fn phase(&self, location: Location) -> Option<PhaseId> {
        let (rows, place) = (&self.0[location.superblock], (location.cell as u32, location.row));
        let first = rows.partition_point(|row| row.0 < place);
        let mut same = rows[first..].iter().take_while(|row| row.0 == place);
        same.find(|row| has_lane(&row.2, location.bit)).map(|row| row.1)
    }
}

impl Solution {
    /// Finds the values of all positions with indices in a range, which must not include positions
    /// before the first push. `directory` contains the solution. If it has no logs of the solve, work
    /// files are written into a folder there and removed at the end.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or written.
    pub fn bulk_values(
        &self,
        game: &PushFight,
        directory: &Path,
        config: &SolveConfig<'_>,
        indices: Range<u64>,
    ) -> Result<BulkValues, SolveError> {
        let work = directory.join(BULK_VALUES);
        let log = self.logs(game, directory, &work, config)?;
        let bulk = found(game, &log, config, self.info(), indices)?;
        clear(&work, &*config.storage)?;
        Ok(bulk)
    }
}

fn found(
    game: &PushFight,
    log: &Log,
    config: &SolveConfig<'_>,
    info: &SolutionInfo,
    indices: Range<u64>,
) -> Result<BulkValues, SolveError> {
    let mut target = Engine::of_board(game, Scope::All, config.threads)?;
    target.restriction = Some(requested_positions(game, &target.layout, config, indices)?);
    let mut found = DecidedRows(target.layout.superblocks.iter().map(|_| Vec::new()).collect());
    let values = &mut KnownValues::new(game, log, config, info)?;
    derive_positions(&mut target, values, &mut |_, id, plane| {
        found.record(id, plane);
        Ok(())
    })?;
    for rows in &mut found.0 {
        rows.sort_unstable_by_key(|row| row.0);
    }
    Ok(BulkValues { layout: target.layout, undecided: info.horizon.is_some(), found })
}

/// The positions of a range of indices.
fn requested_positions(
    game: &PushFight,
    layout: &Layout,
    config: &SolveConfig<'_>,
    indices: Range<u64>,
) -> Result<Plane, SolveError> {
    let pieces = indices.end.saturating_sub(indices.start).div_ceil(INDICES_PER_TASK);
    let found: Vec<Mutex<Vec<_>>> = layout.superblocks.iter().map(|_| Mutex::default()).collect();
    let act = |piece: usize| {
        let from = indices.start + piece as u64 * INDICES_PER_TASK;
        let mut spots: Vec<Location> = (from..indices.end.min(from + INDICES_PER_TASK))
            .filter_map(|index| game.position(Index(index)))
            .filter(|position| !position.anchor.is_empty())
            .filter_map(|position| locate(layout, game, &position))
            .collect();
        spots.sort_unstable();
        for spots in spots.chunk_by(|one, other| one.superblock == other.superblock) {
            let positions = spots.iter().map(|spot| (spot.cell as u32, spot.row, spot.bit));
            found[spots[0].superblock].lock().extend(positions);
        }
        Ok::<_, SolveError>(())
    };
    config.progress.stage("positions asked for", pieces);
    if !in_order(pieces as usize, config.threads, config.progress, &act, &mut |()| Ok(()))? {
        return Err(SolveError::Stopped);
    }
    let cells =
        |positions: Mutex<Vec<_>>| SparseCells::of_positions(layout.cell_shape(), &positions.into_inner());
    Ok(found.into_iter().map(cells).collect())
}

#[cfg(test)]
mod tests {
    use retrograde_game::{Game, Knowledge};
    use retrograde_solve::Silent;

    use super::*;
    use crate::run::{Retention, solve_into};
    use crate::testing::{config, config_within, game, write_solution};

    #[test]
    fn bulk_values_agree_with_searched_values() {
        let mut all_draws = 0;
        for (name, wins) in [
            ("pushfight:mini,pushers=2,pawns=1", false),
            ("pushfight:mini,pushers=1,pawns=2,moves=1", true),
            ("pushfight:mini,pushers=2,pawns=2,moves=0", true),
            ("pushfight:x.board,pushers=2,pawns=1,moves=3", false),
        ] {
            let game = game(name);
            let directory = retrograde_testkit::tempdir().unwrap();
            let path = directory.path();
            write_solution(&game, path, Retention { logs: !wins, wins });
            let solution = Solution::open(&game, path).unwrap().unwrap();
            let before = std::fs::read_dir(path).unwrap().count();
            let count = game.index_count() as u64 - game.prelude();
            let mut draws = 0;
            for range in [count / 3..count / 3 + 500, count - 77..count, 5..6, 9..9] {
                let bulk = solution.bulk_values(&game, path, &config(&Silent), range.clone()).unwrap();
                for index in range {
                    let Some(position) = game.position(Index(index)) else { continue };
                    let expected = solution.value(&game, &position).unwrap().unwrap();
                    let found = bulk.value(&game, &position).unwrap();
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
    fn bulk_values_with_a_horizon_are_what_follows_from_it() {
        let game = game("pushfight:mini,pushers=1,pawns=2,moves=1");
        let [whole, directory] =
            [retrograde_testkit::tempdir().unwrap(), retrograde_testkit::tempdir().unwrap()];
        write_solution(&game, whole.path(), Retention::default());
        let whole = Solution::open(&game, whole.path()).unwrap().unwrap();
        let path = directory.path();
        let count = game.index_count() as u64 - game.prelude();
        let range = count / 3..count / 3 + 3000;
        let positions: Vec<Position> =
            range.clone().filter_map(|index| game.position(Index(index))).collect();
        let (mut known, mut open) = (0, 0);
        for horizon in 0..6 {
            let within = config_within(&Silent, Some(horizon));
            solve_into(&game, path, &within, Retention::default()).unwrap();
            let solution = Solution::open(&game, path).unwrap().unwrap();
            let bulk = solution.bulk_values(&game, path, &config(&Silent), range.clone()).unwrap();
            for position in &positions {
                let Knowledge::Exact(right) = whole.value(&game, position).unwrap().unwrap() else {
                    unreachable!("it is solved to the end")
                };
                let turns = right.turns().map_or(u16::MAX, |turns| turns.0);
                match bulk.value(&game, position) {
                    Some(found) => {
                        assert_eq!(found, right, "{horizon}, {}", game.position_text(position));
                        assert!(turns <= horizon.max(1) + 1);
                        known += 1;
                    }
                    None => {
                        assert!(turns > horizon.max(1), "{horizon}, {}", game.position_text(position));
                        // A search of its turns finds no other value.
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
