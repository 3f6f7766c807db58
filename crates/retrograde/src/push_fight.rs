//! Push Fight as Retrograde's commands know it: its numbering of positions up to a half turn, and its solver for boards
//! whose values do not fit into memory.

use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use retrograde_explore::{Error, KeepJob, Keeper, Kept, Needs, Number, Numbering, Phase, Seen};
use retrograde_game::{Dense, Game, Index, Outcome, Predecessors, Stored, Turns};
use retrograde_pushfight::{Minimized, PushFight};
use retrograde_pushfight_planes as planes;
use retrograde_solve::{Progress, SolveError};
use retrograde_table::{Count, Counts, Disk, Start, TableError};

/// Push Fight's numbering of the plausible positions up to a half turn, made when it is first asked for.
#[derive(Default)]
pub(crate) struct HalfTurn(OnceLock<Option<Minimized>>);

impl HalfTurn {
    fn of(&self, game: &PushFight) -> Option<&Minimized> {
        self.0.get_or_init(|| game.minimized()).as_ref()
    }
}

impl Numbering<PushFight> for HalfTurn {
    fn name(&self) -> &str {
        "minimized"
    }

    fn beside(&self) -> bool {
        true
    }

    fn number(&self, game: &PushFight, position: &<PushFight as Game>::Position) -> Option<Number> {
        let (number, turned) = self.of(game)?.number(game, position)?;
        let mut number = Number::from(u128::from(number));
        number.details.insert("turned".to_owned(), turned.into());
        Some(number)
    }

    fn position(&self, game: &PushFight, index: u128) -> Option<<PushFight as Game>::Position> {
        self.of(game)?.position(game, u64::try_from(index).ok()?)
    }
}

/// Solves phase by phase, each logged on the disk.
pub(crate) struct PhaseByPhase;

impl Keeper<PushFight> for PhaseByPhase {
    fn needs(&self, game: &PushFight) -> Option<Needs> {
        let memory = planes::logged_memory_needed(game)?;
        let positions = game.plausible_count()? as f64;
        // As on the standard board: bits of solution and of logs, and core-seconds, for each plausible position.
        Some(Needs {
            memory,
            disk: (positions * 0.016) as u128,
            work: (positions * 0.05) as u128,
            seconds: positions / 18e6,
        })
    }

    fn solve(&self, game: &PushFight, job: &KeepJob<'_>) -> Result<(), SolveError> {
        let need = planes::logged_memory_needed(game).unwrap_or(u128::MAX);
        if need > u128::from(job.memory) {
            let need = u64::try_from(need).unwrap_or(u64::MAX);
            return Err(SolveError::Memory { need, limit: job.memory });
        }
        if job.again {
            planes::forget(game, job.directory)?;
        }
        let means = planes::Means {
            threads: job.threads,
            horizon: job.horizon,
            progress: job.progress,
            storage: Arc::new(Disk),
        };
        planes::solve_into(game, job.directory, &means, job.keep_work).map(|_| ())
    }

    fn open(&self, game: &PushFight, directory: &Path) -> Result<Option<Box<dyn Kept>>, TableError> {
        let Some(solution) = planes::Solution::open(game, directory)? else { return Ok(None) };
        let about = solution.about();
        let mut counts = Counts::default();
        for phase in &about.phases {
            let (number, turns) = (u128::from(phase.all), phase.turns);
            let (all, by_turns) = match turns % 2 {
                0 => (&mut counts.losses, &mut counts.by_turns.loss),
                _ => (&mut counts.wins, &mut counts.by_turns.win),
            };
            *all += number;
            if number > 0 {
                by_turns.insert(turns, Count(number));
            }
        }
        match &about.draws {
            Some(draws) => counts.draws += u128::from(draws.all),
            None => {
                let known = counts.losses.0 + counts.wins.0;
                counts.unknown += game.plausible_count().unwrap_or(known).saturating_sub(known);
            }
        }
        counts.positions = Count(counts.losses.0 + counts.wins.0 + counts.draws.0 + counts.unknown.0);
        Ok(Some(Box::new(Solved { game: game.clone(), solution, counts })))
    }
}

/// A board that was solved.
struct Solved {
    game: PushFight,
    solution: planes::Solution,
    counts: Counts,
}

impl Kept for Solved {
    fn get(&self, index: Index) -> Result<Stored, TableError> {
        let Some(position) = self.game.position(index) else { return Ok(Stored::Nothing) };
        Ok(self.solution.get(&self.game, &position)?.map_or(Stored::Nothing, Stored::Known))
    }

    fn counts(&self) -> &Counts {
        &self.counts
    }

    fn counted(&self) -> &str {
        "plausible positions"
    }

    fn start(&self) -> Option<Start> {
        self.solution.about().start
    }

    fn seconds(&self) -> f64 {
        self.solution.about().seconds
    }

    fn horizon(&self) -> Option<u16> {
        self.solution.about().horizon
    }

    fn indices(&self) -> u64 {
        self.game.index_count() as u64 - self.game.prelude()
    }

    fn phases(&self) -> Vec<Phase> {
        let phase = |phase: &planes::PhaseCount| Phase {
            turns: phase.turns,
            positions: retrograde_explore::Count(phase.all.into()),
            up_to_symmetry: retrograde_explore::Count(phase.count.into()),
            starts: retrograde_explore::Count(phase.starts.into()),
            seconds: phase.seconds,
        };
        self.solution.about().phases.iter().map(phase).collect()
    }

    fn candidates(
        &self,
        outcome: Outcome,
        turns: Option<Turns>,
        visit: &mut Seen<'_>,
    ) -> Result<bool, Error> {
        let game = &self.game;
        let there = |number: u16| {
            let known = &self.solution.about().phases;
            known.iter().any(|phase| phase.turns == number && phase.count > 0)
        };
        let wanted = match (outcome, turns) {
            (Outcome::Loss, turns) => turns.map(|turns| turns.0),
            // Most positions are won in one turn, or have a quick win: those are found by looking anywhere.
            (Outcome::Win, Some(turns)) if turns.0 > 4 => Some(turns.0),
            _ => return Ok(false),
        };
        if wanted.is_some_and(|wanted| !there(wanted)) {
            return Ok(true);
        }
        let mut more = true;
        self.solution.losses().each(|position, turns| {
            if position.anchor == 0 {
                return Ok::<_, Error>(true);
            }
            if outcome == Outcome::Loss {
                if wanted.is_none_or(|wanted| wanted == turns)
                    && let Some(index) = game.index(&position)
                {
                    more = visit(index)?;
                }
            } else if wanted == Some(turns + 1) {
                // A win in so many turns has a turn to one of these.
                let mut failed = None;
                let _ = game.each_predecessor(&position, |before| {
                    let Some(index) = game.index(&before).filter(|_| game.is_plausible(&before)) else {
                        return ControlFlow::Continue(());
                    };
                    match visit(index) {
                        Ok(true) => return ControlFlow::Continue(()),
                        Ok(false) => more = false,
                        Err(error) => failed = Some(error),
                    }
                    ControlFlow::Break(())
                });
                if let Some(error) = failed {
                    return Err(error);
                }
            }
            Ok(more)
        })?;
        Ok(true)
    }

    fn check(&self, progress: &dyn Progress) -> Result<(u64, Vec<TableError>), TableError> {
        self.solution.check(progress)
    }
}
