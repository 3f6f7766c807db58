//! The formats in which the first complete solution of Push Fight was published, for any board.
//! `docs/data-sets.md` describes them.

use std::path::Path;

use retrograde_explore::export::{Digits, Published, PublishedPart};
use retrograde_explore::{Error, Position, ValueLookup, ValueStore};
use retrograde_game::{Dense, Game, Index, Knowledge, Turns, Value};
use retrograde_table::TableError;

use super::archive::MINIMIZED;
use super::half_turn::HalfTurn;
use super::published::Files;

/// The number of positions in a published chunk.
const CHUNK: u64 = 54_054_000;

/// The forms, and the numbering that `minimized` needs.
pub(crate) struct FirstSolution {
    pub minimized: HalfTurn,
}

/// The meaning of a form's digits.
#[derive(Clone, Copy)]
enum Says {
    /// 1: won in one turn.
    Wins,
    /// 1: lost, 2: won, within a number of turns.
    Up(u16),
    /// 0: drawn; otherwise the turns plus one.
    Turns,
}

impl FirstSolution {
    /// The meaning of a form's digits, and whether it uses the `minimized` numbering.
    fn of(form: &str) -> Option<(Says, bool)> {
        match form {
            "phase0" => Some((Says::Wins, false)),
            "merged" => Some((Says::Turns, false)),
            MINIMIZED => Some((Says::Turns, true)),
            _ => {
                let phase: u16 = form.strip_prefix("phase:")?.parse().ok()?;
                Some((if phase == 0 { Says::Wins } else { Says::Up(phase.checked_add(1)?) }, false))
            }
        }
    }
}

impl Published for FirstSolution {
    fn names(&self) -> &'static str {
        "phase0, phase:N, merged and minimized"
    }

    fn digits(&self, form: &str, part: PublishedPart) -> Result<Option<Digits>, Error> {
        let Some((says, minimized)) = FirstSolution::of(form) else { return Ok(None) };
        let end = match minimized {
            false => self.minimized.game.index_count() as u64 - self.minimized.game.prelude(),
            true => match self.minimized.numbering() {
                Some(minimized) => minimized.count(),
                None => {
                    return Err(Error::Unsupported(format!(
                        "{} has no minimized numbering",
                        self.minimized.game.name()
                    )));
                }
            },
        };
        let (from, count) = match part.chunk {
            Some(chunk) => (chunk.saturating_mul(CHUNK), Some(CHUNK)),
            None => (part.from, part.count),
        };
        if from >= end {
            return Err(Error::Unsupported(match part.chunk {
                Some(chunk) => format!("there is no chunk {chunk}: the last is {}", (end - 1) / CHUNK),
                None => format!("there is no number {from}: the last is {}", end - 1),
            }));
        }
        let count = count.unwrap_or(u64::MAX).min(end - from);
        let (per_byte, base, reach) = match says {
            Says::Wins => (8, 2, Some(Turns(1))),
            Says::Up(most) => (5, 3, Some(Turns(most))),
            Says::Turns => (1, 256, None),
        };
        let asks = !matches!(says, Says::Wins) && !minimized;
        let indices = asks.then_some(from..from + count);
        Ok(Some(Digits { from, count, per_byte, base, indices, reach }))
    }

    fn digit(&self, form: &str, number: u64, values: &ValueLookup<'_>) -> Result<u8, Error> {
        let Some((says, minimized)) = FirstSolution::of(form) else { return Ok(0) };
        let position = match minimized {
            false => self.minimized.game.position(Index(number)),
            true => {
                self.minimized.numbering().and_then(|numbers| numbers.position(&self.minimized.game, number))
            }
        };
        let Some(position) = position else { return Ok(0) };
        let wins = self.minimized.game.wins_now(&position);
        if wins || matches!(says, Says::Wins) {
            return Ok(match says {
                Says::Wins => u8::from(wins),
                Says::Up(_) | Says::Turns => 2,
            });
        }
        let value = match values(&Position::new(position))? {
            Knowledge::Exact(value) => value,
            known => {
                let text = self.minimized.game.position_text(&position);
                return Err(Error::Unsupported(format!("the table has no value for {text}, only {known:?}")));
            }
        };
        Ok(match (says, value) {
            (_, Value::Draw) => 0,
            (Says::Up(most), Value::Win(turns)) => {
                if turns.0 <= most {
                    2
                } else {
                    0
                }
            }
            (Says::Up(most), Value::Loss(turns)) => u8::from(turns.0 <= most),
            (_, Value::Win(turns) | Value::Loss(turns)) => u8::try_from(turns.0 + 1)
                .map_err(|_| Error::Unsupported(format!("{} turns do not fit a byte", turns.0)))?,
        })
    }

    fn check(
        &self,
        form: &str,
        digits: &Digits,
        counts: &[u64],
        values: &dyn ValueStore,
    ) -> Result<(), Error> {
        let numbers = self.minimized.numbering().map(|minimized| minimized.count());
        if form != MINIMIZED || digits.from > 0 || Some(digits.count) != numbers {
            return Ok(());
        }
        for phase in values.phases() {
            let Some(counted) = phase.up_to_symmetry else { continue };
            let found = counts.get(usize::from(phase.turns) + 1).copied().unwrap_or(0);
            if u128::from(found) != counted.0 {
                let (turns, counted) = (phase.turns, counted.0);
                return Err(Error::Unsupported(format!(
                    "{found} positions end in {turns} turns, but the solve counted {counted}: `retrograde verify {} --full` shows which is wrong",
                    self.minimized.game.name()
                )));
            }
        }
        Ok(())
    }

    fn open(&self, directory: &Path) -> Result<Option<Box<dyn ValueStore>>, TableError> {
        let files =
            Files::open(&self.minimized.game, || self.minimized.numbering().cloned(), CHUNK, directory)?;
        Ok(files.map(|files| Box::new(files) as Box<dyn ValueStore>))
    }
}
