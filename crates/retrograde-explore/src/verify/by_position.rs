//! Checks the values of an archive position by position, a sample or all, using only the rules and
//! the files.

use retrograde_game::{Knowledge, Outcome, Random, Stored, Turns, Value};

use crate::back_up::{back_up, turn_value};
use crate::query::lookup::{complete, known_value};
use crate::verify::places::check_places;
use crate::{Error, Findings, OpenGame, Resources, ValueStore};

/// The number of random tries to find a position that the files know.
const MAX_TRIES: usize = 1000;

pub(crate) fn derive_by_position(
    open: &OpenGame,
    values: &dyn ValueStore,
    sample: Option<u64>,
    resources: &Resources<'_>,
) -> Result<Findings, Error> {
    let places = values.facts().place_count + values.facts().prelude_count;
    check_places((sample.unwrap_or(places), 1), resources, |numbers, findings| {
        numbers.into_iter().try_for_each(|number| {
            if sample.is_none() {
                return derive_one(open, values, number, findings).map(|_| ());
            }
            // The place depends only on the number, not on the thread.
            let mut random = Random::new(number);
            for _ in 0..MAX_TRIES {
                if derive_one(open, values, random.below(places), findings)? {
                    break;
                }
            }
            Ok(())
        })
    })
}

/// Recomputes the value at a place. Returns false if the files do not know the position.
fn derive_one(
    open: &OpenGame,
    values: &dyn ValueStore,
    place: u64,
    findings: &mut Findings,
) -> Result<bool, Error> {
    let (index, Stored::Known(stored)) = values.at(place)? else { return Ok(false) };
    findings.positions += 1;
    let game = &*open.entry.game;
    let position = open.position_at(index)?;
    if let Some(other) = open.index_of(&position).filter(|&other| other != index) {
        let text = game.position_text(&position);
        findings.error(|| format!("index {index} is the position {text}, whose index is {other}"));
    }
    let turns = game.turns(&position);
    if turns.is_empty() {
        let over = game.result(&position).unwrap_or(game.facts().outcome_without_turns);
        if stored.outcome() != Some(over) {
            findings.error(|| {
                format!(
                    "{}: the files say {}, but the game is over there: {over}",
                    game.position_text(&position),
                    words(stored)
                )
            });
        }
        return Ok(true);
    }
    let value = complete(open, stored, &position)?;
    let counts = game.turn_is_counted(&position);
    let derived = if stored == Knowledge::NotLost {
        if value.outcome() == Some(Outcome::Win) {
            // The check above found a turn that leads to a loss or ends the game.
            return Ok(true);
        }
        // Some turn must lead to a draw.
        let mut derived = Knowledge::Exact(Value::Draw);
        let mut drawn = false;
        for (_, next) in &turns {
            drawn = match game.result(next) {
                Some(outcome) => outcome == Outcome::Draw,
                None => known_value(open, next)?.is_some_and(|after| after.knowledge == derived),
            };
            if drawn {
                break;
            }
        }
        if !drawn {
            derived = Knowledge::Outcome(Outcome::Loss);
        }
        derived
    } else {
        let mut after_turns = Vec::with_capacity(turns.len());
        // No win is faster than one in this turn.
        let fastest = Knowledge::Exact(Value::Win(Turns(u16::from(counts))));
        for (_, next) in &turns {
            let value = match known_value(open, next)? {
                Some(after) => turn_value(after.knowledge, game.moves_again(&position, next), counts),
                None => Knowledge::Unknown,
            };
            after_turns.push(value);
            if value == fastest {
                break;
            }
        }
        back_up(after_turns, counts, true)
    };
    if derived != value && values.facts().horizon.is_none() {
        findings.error(|| {
            format!(
                "{}: the files say {}, but its turns give {}",
                game.position_text(&position),
                words(value),
                words(derived)
            )
        });
    }
    Ok(true)
}

fn words(knowledge: Knowledge) -> String {
    match knowledge {
        Knowledge::Exact(value) => value.to_string(),
        Knowledge::Outcome(outcome) => outcome.to_string(),
        Knowledge::NotLost => "not lost".to_owned(),
        Knowledge::Unknown => "unknown".to_owned(),
    }
}
