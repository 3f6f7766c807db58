//! Proves a solution: derives again every value that its files have for plausible positions and
//! starts (see `values`).
//!
//! A position that leads to a loss in t turns, and to none that is quicker, is won in t + 1. The rest
//! lead to wins only, or to a draw. Positions that lead to wins only must be exactly the listed losses,
//! with the same depth: a position is lost in t if it leads to no win in more than t − 1 turns. So
//! every value rests on values in fewer turns, down to positions without a push and to ejected pieces.
//! Every remaining position leads to another remaining one and to no loss. Neither player ever has to
//! leave this set, so they are draws.
//!
//! A proof takes about as long as a solve, and trusts no other files. With a horizon, the same holds
//! for positions that end within it, and for the set of undecided positions.

use std::path::Path;

use retrograde_game::Game;
use retrograde_pushfight::PushFight;
use retrograde_solve::{Alone, SolveError};

use crate::config::SolveConfig;
use crate::derive::placements::placements;
use crate::derive::recover_log::unpack_log;
use crate::derive::values::{KnownValues, covers, derive_values};
use crate::files::depth::write::DepthFileInput;
use crate::files::log::{Log, WINS};
use crate::files::log_planes::read_plane;
use crate::files::solution_info::SolutionInfo;
use crate::files::work_folder::{PROOF, clear, make};
use crate::layout::location::positions;
use crate::layout::numbering::Layout;
use crate::layout::scope::Scope;
use crate::layout::sparse::SparseCells;
use crate::layout::superblocks::{SuperblockId, by_superblock};
use crate::phase::count::PhaseCount;
use crate::phase::engine::Engine;
use crate::phase::kinds::{PhaseId, is_loss};
use crate::solution::Solution;
use crate::solve::distributed::{SharedResults, run_logged_phase};
use crate::solve::steps::{Found, run_phase};

/// The maximum number of errors that are listed.
const LISTED: usize = 100;

/// The result of deriving a solution again.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// The number of positions, images under symmetries included.
    pub positions: u64,
    /// Descriptions of errors, up to a limit.
    pub wrong: Vec<String>,
    /// The number of errors.
    pub wrong_count: u64,
}

impl Proof {
    fn error(&mut self, count: u64, error: impl FnOnce() -> String) {
        if count > 0 && self.wrong.len() < LISTED {
            self.wrong.push(error());
        }
        self.wrong_count += count;
    }
}

impl Solution {
    /// Derives all values of the solution in `directory` again, and lists its errors. Work files
    /// are written into a folder there and removed at the end.
    ///
    /// # Errors
    /// If it is stopped, or a file cannot be read or written.
    pub fn prove(
        &self,
        game: &PushFight,
        directory: &Path,
        config: &SolveConfig<'_>,
    ) -> Result<Proof, SolveError> {
        let work = directory.join(PROOF);
        let storage = &*config.storage;
        clear(&work, storage)?;
        make(&work, storage)?;
        let proof = prove(self, game, &work, config);
        // An error of the proof takes precedence over an error of clearing.
        let cleared = clear(&work, storage);
        proof.and_then(|proof| cleared.map(|()| proof))
    }
}

fn prove(
    solution: &Solution,
    game: &PushFight,
    work: &Path,
    config: &SolveConfig<'_>,
) -> Result<Proof, SolveError> {
    let log = Log::new(game, work, &config.storage);
    let info = solution.info();
    unpack_log(solution.losses(), &log, config, &[])?;
    let wins = match solution.wins() {
        Some(wins) => {
            let log = log.sibling(WINS);
            unpack_log(wins, &log, config, &[PhaseId::WonByNoPush])?;
            Some(log)
        }
        None => None,
    };
    let mut target = Engine::of_board(game, Scope::PlausibleAndStarts, config.threads)?;
    let mut values = KnownValues::new(game, &log, config, info)?;
    let mut proof = Proof::default();
    let mut phases = Vec::new();
    let unlogged = derive_values(&mut target, &mut values, &mut |engine, id, phase| {
        if !covers(info, id) {
            return Ok(run_phase(engine, config.progress, id, phase)?.0);
        }
        let won = match id {
            PhaseId::Turns(turns) => !is_loss(turns),
            PhaseId::WonByNoPush => true,
            PhaseId::Draws => false,
        };
        let (plane, count) = if won {
            // The log has nothing yet, so the phase is computed.
            run_logged_phase(engine, &log, config, id, phase)?
        } else {
            run_phase(engine, config.progress, id, phase)?
        };
        if id == PhaseId::Draws {
            let mut alone = Alone([1]);
            let mut results = SharedResults::new(&engine.layout, Some(&log), config, &mut alone);
            results.record(&engine.layout, id, drawn_starts(engine, &plane))?;
            return Ok(plane);
        }
        let said = if won { wins.as_ref() } else { Some(&log) };
        if let Some(said) = said {
            let said = read_plane(&engine.layout, &said.open(id)?, config.threads)?;
            compare_positions(game, &engine.layout, id, [&plane, &said], &mut proof);
        }
        if matches!(id, PhaseId::Turns(_)) {
            phases.push(count);
        }
        Ok(plane)
    })?;
    let layout = &target.layout;
    proof.error(crate::layout::sparse::count_positions(&target.undecided, config.threads), || {
        "there are positions from which every turn leads to a win, none of them the slowest".to_owned()
    });
    phases.extend(unlogged);
    compare_counts(info, &phases, &mut proof);
    if proof.wrong_count == 0
        && let Some(start) = info.start
    {
        let input = DepthFileInput { layout, log: &log, directory: work, info, config };
        let derived = placements(game, &input)?;
        proof.error(u64::from(derived != start), || {
            "the value of the empty board does not follow from the placements".to_owned()
        });
        let same = solution.has_placements_of(game, work, &config.storage)?;
        proof.error(u64::from(!same), || {
            "the table of placements does not have the values that follow from the losses".to_owned()
        });
    }
    Ok(proof)
}

/// The draws before the first push: positions that are undecided and not lost.
fn drawn_starts(engine: &Engine, lost: &[SparseCells]) -> Vec<Found> {
    let starts = engine.layout.superblocks.ids().filter(|&superblock| engine.layout.is_start(superblock));
    let draws = |superblock: SuperblockId| {
        let mut draws = engine.undecided[superblock].clone();
        draws.subtract(&lost[superblock], |_, _| ());
        (superblock, draws.count(), draws)
    };
    starts.map(draws).collect()
}

/// Compares the derived positions of a phase with the solution.
fn compare_positions(
    game: &PushFight,
    layout: &Layout,
    id: PhaseId,
    [derived, said]: [&[SparseCells]; 2],
    proof: &mut Proof,
) {
    let minus = |one: &SparseCells, other: &SparseCells| {
        let mut rest = one.clone();
        rest.subtract(other, |_, _| ());
        rest
    };
    let value = match id {
        PhaseId::WonByNoPush => "won in 1 turn".to_owned(),
        _ => id.title(),
    };
    for (superblock, (derived, said)) in by_superblock(derived.iter().zip(said)) {
        // The file of wins has no wins before the first push that leave the opponent without a push.
        if derived == said || id == PhaseId::WonByNoPush && layout.is_start(superblock) {
            continue;
        }
        let mut tell = |cells: SparseCells, how: &str| {
            if proof.wrong.len() < LISTED {
                positions(layout, superblock, &cells, |position| {
                    proof.error(1, || format!("{}: {value} {how}", game.position_text(&position)));
                });
            } else {
                proof.wrong_count += cells.count();
            }
        };
        tell(minus(derived, said), "by its turns, but not by the files");
        tell(minus(said, derived), "by the files, but not by its turns");
    }
}

/// Compares the counts.
fn compare_counts(info: &SolutionInfo, phases: &[PhaseCount], proof: &mut Proof) {
    for phase in phases {
        proof.positions += phase.all + phase.starts;
        let id = phase.id();
        let said = match id {
            // The description does not have the number of undecided positions.
            PhaseId::Draws if info.horizon.is_some() => continue,
            PhaseId::Draws => info.draws.as_ref(),
            _ => info.phases.iter().find(|said| said.turns == phase.turns),
        };
        let numbers = |phase: &PhaseCount| [phase.count, phase.all, phase.starts];
        let said = said.map_or([0; 3], numbers);
        proof.error(u64::from(said != numbers(phase)), || {
            let what = if id == PhaseId::Draws { "drawn".to_owned() } else { id.title() };
            format!("the description counts {said:?} positions {what}, there are {:?}", numbers(phase))
        });
    }
}

#[cfg(test)]
mod tests;
