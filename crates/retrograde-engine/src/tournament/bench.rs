//! Scores a player on an evaluation set, by the values that the set has. The measures are those of
//! `retrograde.judge` in Python.

use std::sync::Arc;
use std::time::Duration;

use retrograde_explore::export::{EvaluationRow, TurnRow};
use retrograde_explore::{Error, OpenGame};
use retrograde_game::{Outcome, Seat};
use schemars::JsonSchema;
use serde::Serialize;

use super::clock::{Clocks, TimeControl};
use super::player::{Entrant, Forfeit};
use super::referee::make_turn;
use super::score::{Z, wilson};
use super::series::player;
use crate::PlayedGame;

/// A share or a mean, with its 95% confidence interval over the choice of positions.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, JsonSchema)]
pub struct Measure {
    /// The share or the mean.
    pub value: f64,
    /// The lower end of the interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The quality of a player's turns in the positions of a set; null if there is nothing to measure.
#[derive(Clone, PartialEq, Debug, Serialize, JsonSchema)]
pub struct BenchScores {
    /// The number of positions.
    pub positions: usize,
    /// Positions without a legal turn in time; these count as lost.
    pub failures: usize,
    /// The share of best turns: the same outcome as with perfect play, in the same number of turns. Null if
    /// the set has only outcomes.
    pub optimal_rate: Option<Measure>,
    /// The same for won positions only.
    pub optimal_rate_won: Option<Measure>,
    /// The share of turns that keep the outcome.
    pub outcome_kept_rate: Option<Measure>,
    /// The same for won positions only.
    pub outcome_kept_rate_won: Option<Measure>,
    /// The same for drawn positions only.
    pub outcome_kept_rate_drawn: Option<Measure>,
    /// The average loss of outcome, where a win is 1, a draw 0 and a loss -1.
    pub outcome_regret: Option<Measure>,
    /// The average number of turns by which wins come later and losses sooner than necessary, over turns that
    /// keep the outcome.
    pub turns_regret: Option<Measure>,
}

/// Observations with their weights.
#[derive(Default)]
struct Sample(Vec<(f64, f64)>);

impl Sample {
    fn add(&mut self, value: f64) {
        self.0.push((value, 1.0));
    }

    /// The mean of shares without weights, with Wilson's interval.
    fn share(&self) -> Option<Measure> {
        let trials = self.0.len() as f64;
        // Rounding must not make it more than all.
        let points = self.0.iter().map(|(value, _)| value).sum::<f64>().min(trials);
        let (low, high) = (trials > 0.0).then(|| wilson(points, trials))?;
        Some(Measure { value: points / trials, low, high })
    }

    /// The weighted mean, which is not negative, with the normal interval of a ratio.
    fn mean(&self) -> Option<Measure> {
        let (count, weight) = (self.0.len(), self.0.iter().map(|(_, weight)| weight).sum::<f64>());
        if weight <= 0.0 {
            return None;
        }
        let value = self.0.iter().map(|(value, weight)| value * weight).sum::<f64>() / weight;
        let squares = self.0.iter().map(|(one, weight)| ((one - value) * weight).powi(2)).sum::<f64>();
        let few = count as f64 / (count as f64 - 1.0).max(1.0);
        let half = Z * (squares * few).sqrt() / weight;
        Some(Measure { value, low: (value - half).max(0.0), high: value + half })
    }
}

/// The rank of an outcome: a win is 1, a draw 0, a loss -1.
fn rank(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win => 1.0,
        Outcome::Draw => 0.0,
        Outcome::Loss => -1.0,
    }
}

/// Scores turns: for each position the probabilities of turns, by their places in its list; an empty list is a
/// failure.
pub fn score<'a>(turns: impl Iterator<Item = (&'a EvaluationRow, Vec<(usize, f64)>)>) -> BenchScores {
    let [mut optimal, mut optimal_won, mut kept, mut kept_won, mut kept_drawn, mut lost, mut slower] =
        std::array::from_fn(|_| Sample::default());
    let (mut positions, mut failures, mut knows_turns) = (0, 0, true);
    for (position, chosen) in turns {
        positions += 1;
        failures += usize::from(chosen.is_empty());
        let best = &position.turns_available[0];
        let [mut best_share, mut kept_share, mut given_away, mut turns_lost] = [0.0; 4];
        if chosen.is_empty() {
            given_away = rank(best.turn_outcome) - rank(Outcome::Loss);
        }
        for (place, share) in chosen {
            let TurnRow { turn_outcome: outcome, turn_turns: turns, .. } = &position.turns_available[place];
            given_away += share * (rank(best.turn_outcome) - rank(*outcome));
            if *outcome == best.turn_outcome {
                kept_share += share;
                best_share += if *turns == best.turn_turns { share } else { 0.0 };
                match turns.zip(best.turn_turns) {
                    Some((turns, best)) => turns_lost += share * f64::from(turns.abs_diff(best)),
                    None => knows_turns &= best.turn_outcome == Outcome::Draw,
                }
            }
        }
        optimal.add(best_share);
        kept.add(kept_share);
        lost.add(given_away);
        match best.turn_outcome {
            Outcome::Win => {
                optimal_won.add(best_share);
                kept_won.add(kept_share);
            }
            Outcome::Draw => kept_drawn.add(kept_share),
            Outcome::Loss => {}
        }
        if kept_share > 0.0 && best.turn_turns.is_some() {
            slower.0.push((turns_lost / kept_share, kept_share));
        }
    }
    let known = |sample: &Sample| sample.share().filter(|_| knows_turns);
    BenchScores {
        positions,
        failures,
        optimal_rate: known(&optimal),
        optimal_rate_won: known(&optimal_won),
        outcome_kept_rate: kept.share(),
        outcome_kept_rate_won: kept_won.share(),
        outcome_kept_rate_drawn: kept_drawn.share(),
        outcome_regret: lost.mean(),
        turns_regret: slower.mean(),
    }
}

/// The expected scores of random turns: every turn of a position's list is equally likely.
pub fn expected_of_random(set: &[EvaluationRow]) -> BenchScores {
    score(set.iter().map(|position| {
        let count = position.turns_available.len();
        (position, (0..count).map(|place| (place, 1.0 / count as f64)).collect())
    }))
}

/// How players are asked for turns.
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// The time per turn.
    pub time: Duration,
    /// The tolerance for exceeding it.
    pub margin: Duration,
    /// The time for a program to start and to get ready.
    pub timeout: Duration,
    /// The seed of built-in players.
    pub seed: u64,
}

/// The places of a player's turns in the list of each position, or why there is none. `next` is called before
/// each position and may stop the work by returning `false`.
///
/// # Errors
/// If a program cannot be started, the game cannot be queried, or the work was stopped.
pub fn bench(
    game: &Arc<OpenGame>,
    entrant: &Entrant,
    set: &[EvaluationRow],
    rules: &Bench,
    next: &dyn Fn() -> bool,
) -> Result<Vec<Result<usize, String>>, Error> {
    let mut player = player(game, entrant, rules.seed, rules.timeout)?;
    let mut answers = Vec::with_capacity(set.len());
    for (number, position) in (1..).zip(set) {
        if !next() {
            return Err(Error::Stopped);
        }
        let mut played = PlayedGame::begin(game, Some(&position.position), Seat::First)?;
        let mut clocks = Clocks::new(TimeControl::Turn(rules.time), rules.margin);
        let forfeit = match player.begin(number) {
            Ok(()) => make_turn(game, &mut *player, &mut played, &mut clocks)?,
            Err(forfeit) => Some(forfeit),
        };
        let place = position.turns_available.iter().position(|turn| turn.turn_position == played.position());
        answers.push(match (forfeit, place) {
            (Some(Forfeit(_, detail)), _) => Err(detail),
            (None, Some(place)) => Ok(place),
            (None, None) => Err("a turn that the set lacks".to_owned()),
        });
    }
    Ok(answers)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(found: Option<Measure>, [value, low, high]: [f64; 3]) {
        let Measure { value: v, low: l, high: h } = found.unwrap();
        for (found, expected) in [(v, value), (l, low), (h, high)] {
            assert!((found - expected).abs() < 5e-4, "{found} {expected}");
        }
    }

    #[test]
    fn intervals_are_those_of_the_textbook() {
        // Wilson for shares.
        let mut shares = Sample::default();
        (0..10).for_each(|at| shares.add(f64::from(at % 2)));
        near(shares.share(), [0.5, 0.2366, 0.7634]);
        // The mean of 1, 2, 3, 4 has the standard error sqrt(5/3)/2.
        let mut mean = Sample::default();
        (1..=4).for_each(|at| mean.add(f64::from(at)));
        let half = 1.959_964 * (5.0_f64 / 3.0).sqrt() / 2.0;
        near(mean.mean(), [2.5, 2.5 - half, 2.5 + half]);
        // Weights that are all equal change nothing.
        let scaled = Sample(mean.0.iter().map(|(value, _)| (*value, 0.25)).collect());
        near(scaled.mean(), [2.5, 2.5 - half, 2.5 + half]);
        assert_eq!((Sample::default().share(), Sample::default().mean()), (None, None));
    }
}
