//! A type-erased impartial game: its outcomes, nimbers and strategies as a sum of parts.

use retrograde_game::{Graded, Impartial, Knowledge, Outcome, Show};
use retrograde_solve::clock::Instant;
use retrograde_solve::proof::Limits;
use retrograde_solve::sums::{Ended, KnownLost, Nimbers, Strategy, sum_outcome, winning_strategy};

use crate::game::rules::{Position, Typed};
use crate::game::solvers::{proof_limits, search};
use crate::{Error, SearchLimits};

/// Queries that only impartial games support.
pub(crate) trait Sums: Send + Sync {
    /// Whether the player who makes the last turn wins.
    fn last_turn_wins(&self) -> bool;

    /// The nimbers of positions in order, as far as the limits allow.
    fn nimbers(&self, positions: &[Position], limits: &SearchLimits) -> Vec<Option<u32>>;

    /// The strategy of the player who wins from the start, with positions as text. `known` looks outcomes up
    /// in a table.
    fn strategy(
        &self,
        known: &KnownLost<'_, Position>,
        max_positions: u64,
        limits: &Limits<'_>,
    ) -> Result<Strategy<String>, Ended>;
}

impl<G: Impartial + Graded + Show + 'static> Sums for Typed<G> {
    fn last_turn_wins(&self) -> bool {
        self.game.last_turn_wins()
    }

    fn nimbers(&self, positions: &[Position], limits: &SearchLimits) -> Vec<Option<u32>> {
        let limits = Limits { depth: None, ..proof_limits(limits) };
        let mut nimbers = Nimbers::new(&*self.game, &limits);
        positions.iter().map(|position| nimbers.of(position.get()).ok().map(|nimber| nimber.0)).collect()
    }

    fn strategy(
        &self,
        known: &KnownLost<'_, Position>,
        max_positions: u64,
        limits: &Limits<'_>,
    ) -> Result<Strategy<String>, Ended> {
        let game = &*self.game;
        let known = |position: &G::Position| known(&Position::new(position.clone()));
        let Strategy { first, positions, nodes } =
            winning_strategy(game, &game.start(), &known, max_positions, limits)?;
        let positions = positions.iter().map(|position| game.position_text(position)).collect();
        Ok(Strategy { first, positions, nodes })
    }
}

/// The outcome that mirror images decide.
fn mirrored_outcome<G: Impartial>(game: &G, position: &G::Position) -> Option<Outcome> {
    if !game.last_turn_wins() || game.result(position).is_some() {
        None
    } else if game.is_mirrored(position) {
        Some(Outcome::Loss)
    } else {
        game.mirroring_turn(position).map(|_| Outcome::Win)
    }
}

/// Searches one position of an impartial game: first for the value by a search of positions, which
/// also finds turns, then for the outcome by a search of sums. Returns the result and the number of
/// positions visited.
pub(crate) fn search_sums<G: Impartial + Graded>(
    game: &G,
    position: &G::Position,
    limits: &SearchLimits,
) -> Result<(Knowledge, u64), Error> {
    /// A search of the turns of positions with a higher grade takes too long.
    const MAX_GRADE: u64 = 16;
    if let Some(outcome) = mirrored_outcome(game, position)
        && game.grade(position) > MAX_GRADE
    {
        return Ok((Knowledge::Outcome(outcome), 1));
    }
    let began = Instant::now();
    let half = SearchLimits { nodes: limits.nodes / 2, time: limits.time / 2, ..*limits };
    let (knowledge, nodes) = search(game, position, &half)?;
    // A search of sums finds outcomes without turns.
    if knowledge.outcome().is_some() || limits.depth.is_some() {
        return Ok((knowledge, nodes));
    }
    let left = Limits {
        nodes: limits.nodes.saturating_sub(nodes),
        time: limits.time.saturating_sub(began.elapsed()),
        ..proof_limits(limits)
    };
    let (knowledge, more) = sum_outcome(game, position, &left);
    if began.elapsed() >= limits.time {
        crate::bounds::record_reached();
    }
    Ok((knowledge, nodes + more))
}
