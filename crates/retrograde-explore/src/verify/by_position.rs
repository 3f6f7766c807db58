//! Checks the values of an archive: a sample or all, derived again from turns with nothing but the
//! rules and the files.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use parking_lot::Mutex;
use retrograde_game::{Game, Index, Knowledge, Outcome, Random, Show, Stored, Turns, Value};
use retrograde_solve::Progress;

use crate::Archive;
use crate::Error;
use crate::Findings;
use crate::back_up::{back_up, turn_value};
use crate::game::open::OpenGame;
use crate::query::lookup::{complete, known_value};

/// Random looks for a position that the files know, for each one wanted.
const LOOKS: usize = 1000;

pub(crate) fn derive_archive<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    archive: &dyn Archive,
    sample: Option<u64>,
    threads: usize,
    progress: &dyn Progress,
) -> Result<Findings, Error> {
    let places = sample.unwrap_or(archive.indices());
    progress.stage("deriving values again", places);
    let next = AtomicU64::new(0);
    let stopped = AtomicBool::new(false);
    let all = Mutex::new(Ok(Findings::default()));
    let work = || {
        let mut findings = Findings::default();
        let mut result = Ok(());
        while result.is_ok() && !stopped.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= places {
                break;
            }
            result = if sample.is_none() {
                derive_one(open, archive, Index(number), &mut findings).map(|_| ())
            } else {
                // Each number has places of its own, whichever thread looks there.
                let mut random = Random::new(number);
                (0..LOOKS)
                    .map(|_| derive_one(open, archive, Index(random.below(archive.indices())), &mut findings))
                    .find(|known| !matches!(known, Ok(false)))
                    .map_or(Ok(()), |known| known.map(|_| ()))
            };
            progress.advance(1);
            stopped.fetch_or(progress.stopped(), Ordering::Relaxed);
        }
        let mut all = all.lock();
        match (&mut *all, result) {
            (Ok(all), Ok(())) => all.merge(findings),
            (all @ Ok(_), Err(error)) => *all = Err(error),
            (Err(_), _) => {}
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads.max(1) {
            scope.spawn(work);
        }
        work();
    });
    if stopped.into_inner() {
        return Err(Error::Stopped);
    }
    all.into_inner()
}

/// Derives a value again; `false` if the files know nothing of the position.
fn derive_one<G: Game + Show + 'static>(
    open: &OpenGame<'_, G>,
    archive: &dyn Archive,
    index: Index,
    findings: &mut Findings,
) -> Result<bool, Error> {
    let Stored::Known(stored) = archive.get(index)? else { return Ok(false) };
    findings.positions += 1;
    let game = &open.entry.game;
    let position = open.position_at(index)?;
    let turns = game.turns(&position);
    if turns.is_empty() {
        if stored.outcome() != Some(game.outcome_without_turns()) {
            findings.error(|| format!("{}: it has no turn", game.position_text(&position)));
        }
        return Ok(true);
    }
    let value = complete(open, stored, &position)?;
    let counts = game.turn_is_counted(&position);
    let derived = if stored == Knowledge::NotLost {
        if value.outcome() == Some(Outcome::Win) {
            // That a turn leads to a loss, or ends the game, has just been seen.
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
        let mut values = Vec::with_capacity(turns.len());
        // Nothing is faster than at once.
        let fastest = Knowledge::Exact(Value::Win(Turns(u16::from(counts))));
        for (_, next) in &turns {
            let value = match known_value(open, next)? {
                Some(after) => turn_value(after.knowledge, counts),
                None => Knowledge::Unknown,
            };
            values.push(value);
            if value == fastest {
                break;
            }
        }
        back_up(values, counts, true)
    };
    if derived != value && archive.horizon().is_none() {
        findings.error(|| {
            format!(
                "{}: the files say {}, its turns give {}",
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
