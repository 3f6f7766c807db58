//! Draws the positions of an evaluation set by rules.
//!
//! A rule sorts positions into strata (the wins in three turns, for example). It takes random positions from
//! the strata in rotation, one from each, until it has its share; exhausted strata are skipped.

use std::collections::HashSet;

use retrograde_game::{Outcome, Random, Seat};

use super::set::{DrawRule, EvaluationOptions, EvaluationRow, TurnRow};
use crate::{
    Count, Error, FindQuery, OpenGame, Positions, PuzzleKind, PuzzleQuery, PuzzleTurns, SearchLimits,
    TurnValue,
};

/// An index and the text of its position.
type Candidate = (Count, String);

/// Draws the positions of a set, in random order. Calls `report` with their number so far; it may stop the
/// work by returning `false`.
///
/// # Errors
/// If there is no table or it is damaged, the table lacks what a rule needs, or the work was stopped.
pub(super) fn draw(
    game: &OpenGame,
    options: &EvaluationOptions,
    report: &mut dyn FnMut(u64) -> bool,
) -> Result<Vec<EvaluationRow>, Error> {
    let mut drawing = Drawing { game, seen: HashSet::new(), rows: Vec::new(), report };
    let mut random = Random::new(options.seed);
    let rules: Vec<DrawRule> = options.rules_in_order().collect();
    for (number, &rule) in (1_u64..).zip(&rules) {
        // The last rule also gets the remainder of the division, and what the others could not draw.
        let until = options.positions * number / rules.len() as u64;
        let left = until.saturating_sub(drawing.rows.len() as u64);
        let strata = strata(game, rule, left, &mut random)?;
        drawing.take_in_turn(rule, strata, until)?;
    }
    let mut rows = drawing.rows;
    random.shuffle(&mut rows);
    Ok(rows)
}

/// Random candidates for each stratum of a rule.
fn strata(
    game: &OpenGame,
    rule: DrawRule,
    wanted: u64,
    random: &mut Random,
) -> Result<Vec<Vec<Candidate>>, Error> {
    // Some are images of others, or already drawn.
    let limit = wanted.saturating_mul(2).saturating_add(64);
    let mut strata = Vec::new();
    match rule {
        DrawRule::Depth => {
            let statistics = game.statistics()?;
            if statistics.by_turns.win.is_empty() && statistics.by_turns.loss.is_empty() {
                let name = game.name();
                return Err(Error::Unsupported(format!(
                    "the rule `depth` needs the turns to the end, and the table of {name} has outcomes only; \
                     the rules `only-move` and `balanced` do not"
                )));
            }
            let sides =
                [(Outcome::Win, &statistics.by_turns.win), (Outcome::Loss, &statistics.by_turns.loss)];
            for (outcome, by_turns) in sides {
                // There is no mover when the game is over.
                for &turns in by_turns.keys().filter(|&&turns| turns > 0) {
                    strata.push(found(game, outcome, Some(turns), limit, random)?);
                }
            }
            strata.push(found(game, Outcome::Draw, None, limit, random)?);
        }
        DrawRule::OnlyMove => {
            for kind in [PuzzleKind::Win, PuzzleKind::Save] {
                let mut candidates = Vec::new();
                let random = Some(random.bits());
                let query = PuzzleQuery { kind, turns: PuzzleTurns::All, random, limit };
                let complete = game.puzzles(&query, &mut |puzzle| {
                    candidates.push((puzzle.index, puzzle.position));
                    Ok(true)
                })?;
                need_all(complete)?;
                strata.push(candidates);
            }
        }
        DrawRule::Balanced => {
            for outcome in Outcome::ALL {
                strata.push(found(game, outcome, None, limit, random)?);
            }
        }
    }
    for candidates in &mut strata {
        random.shuffle(candidates);
    }
    Ok(strata)
}

/// Random positions with a value.
fn found(
    game: &OpenGame,
    outcome: Outcome,
    turns: Option<u16>,
    limit: u64,
    random: &mut Random,
) -> Result<Vec<Candidate>, Error> {
    let mut candidates = Vec::new();
    let query = FindQuery { outcome, turns, random: Some(random.bits()), limit };
    let complete = game.find(&query, &mut |found| {
        candidates.push((found.index, found.position));
        Ok(true)
    })?;
    need_all(complete)?;
    Ok(candidates)
}

/// An error for a search that a limit ended: a set of a part would not be drawn at random.
fn need_all(complete: bool) -> Result<(), Error> {
    if complete { Ok(()) } else { Err(Error::TimedOut) }
}

/// A set that is being drawn.
struct Drawing<'a> {
    game: &'a OpenGame,
    /// The smallest image of each drawn position.
    seen: HashSet<String>,
    rows: Vec<EvaluationRow>,
    report: &'a mut dyn FnMut(u64) -> bool,
}

impl Drawing<'_> {
    /// Takes one position from each stratum, again and again, until there are `until` positions or no more.
    fn take_in_turn(&mut self, rule: DrawRule, strata: Vec<Vec<Candidate>>, until: u64) -> Result<(), Error> {
        let mut strata: Vec<_> = strata.into_iter().map(Vec::into_iter).collect();
        while !strata.is_empty() {
            let mut failed = None;
            strata.retain_mut(|candidates| {
                if failed.is_some() || self.rows.len() as u64 >= until {
                    return false;
                }
                let mut take = || -> Result<bool, Error> {
                    for (index, position) in candidates.by_ref() {
                        if self.take(rule, index, position)? {
                            return Ok(true);
                        }
                    }
                    Ok(false)
                };
                take().unwrap_or_else(|error| {
                    failed = Some(error);
                    false
                })
            });
            if let Some(error) = failed {
                return Err(error);
            }
        }
        Ok(())
    }

    /// Takes a position, unless the set already has an image of it, the game is over there, or the value of
    /// some turn is unknown.
    fn take(&mut self, rule: DrawRule, index: Count, position: String) -> Result<bool, Error> {
        let orbit = self.game.images(&position)?.into_iter().min().unwrap_or_else(|| position.clone());
        if self.seen.contains(&orbit) {
            return Ok(false);
        }
        // Only the table is used: positions that it omits are not searched.
        let limits = SearchLimits { nodes: 0, time: std::time::Duration::ZERO, depth: None };
        let probe = self.game.probe(&position, Seat::First, &limits)?;
        let turn = |TurnValue { turn, position: turn_position, verdict, .. }| {
            Some(TurnRow { turn, turn_position, turn_outcome: verdict.known()?, turn_turns: verdict.turns })
        };
        let verdict = probe.position.verdict;
        let turns_available: Option<Vec<_>> = probe.turns_available.into_iter().map(turn).collect();
        let (Some(outcome), Some(turns_available)) = (verdict.known(), turns_available) else {
            return Ok(false);
        };
        if turns_available.is_empty() {
            return Ok(false);
        }
        let planes = self.planes(&position)?;
        self.seen.insert(orbit.clone());
        self.rows.push(EvaluationRow {
            index,
            position,
            orbit,
            rule,
            outcome,
            turns: verdict.turns,
            planes,
            turns_available,
        });
        if (self.report)(self.rows.len() as u64) { Ok(true) } else { Err(Error::Stopped) }
    }

    /// The planes of a position, each as a list of rows.
    fn planes(&self, position: &String) -> Result<Vec<Vec<Vec<u8>>>, Error> {
        let shape = self.game.row_shape();
        let mut planes = Vec::new();
        if !shape.planes.is_empty() {
            let one = Positions::Texts(std::slice::from_ref(position));
            self.game.planes_of(&one, Seat::First, &mut |flat| {
                let plane = |plane: &[u8]| plane.chunks(shape.columns).map(<[u8]>::to_vec).collect();
                planes = flat.chunks(shape.rows * shape.columns).map(plane).collect();
            })?;
        }
        Ok(planes)
    }
}
