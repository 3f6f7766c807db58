//! Positions by value, and puzzles: `find` and `puzzles`, by index or at random.

use std::hash::{BuildHasher, RandomState};

use axum::extract::State;
use retrograde_explore::{Found, Puzzle, PuzzleKind};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::message::answer::Answer;
use crate::message::input::{UrlPath, UrlQuery, Wish, bounded};
use crate::message::problem::Problem;
use crate::state::Server;

/// Which positions.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct FindQuery {
    /// The outcome for the side to move.
    #[param(inline)]
    outcome: Wish,
    /// The turns to the end; any if not given.
    turns: Option<u16>,
    /// `true`: at random; otherwise by index.
    random: Option<bool>,
    /// Where random choices begin: the same seed finds the same. Without it each answer is another.
    seed: Option<u32>,
    /// How many; 10 if not given.
    limit: Option<u64>,
}

/// Positions with a value.
#[derive(Serialize, ToSchema)]
pub(crate) struct FoundList {
    /// The canonical name of the game.
    game: String,
    /// The seed of random choices; null if there were none.
    seed: Option<u32>,
    /// The positions; fewer than wanted if there are no more.
    #[schema(schema_with = crate::message::schemas::found_list)]
    positions: Vec<Found>,
}

/// Which puzzles.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(crate) enum PuzzleWish {
    /// Exactly one turn wins.
    Win,
    /// Exactly one turn does not lose, or delays the end as long as possible.
    Save,
}

/// Which puzzles.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct PuzzleQuery {
    /// What the one turn does; it wins if not given.
    #[param(inline)]
    kind: Option<PuzzleWish>,
    /// The turns to the end; any if not given.
    turns: Option<u16>,
    /// `true`: at random; otherwise by index.
    random: Option<bool>,
    /// Where random choices begin: the same seed finds the same. Without it each answer is another.
    seed: Option<u32>,
    /// How many; 3 if not given.
    limit: Option<u64>,
}

/// Puzzles with their solutions.
#[derive(Serialize, ToSchema)]
pub(crate) struct PuzzleList {
    /// The canonical name of the game.
    game: String,
    /// The seed of random choices; null if there were none.
    seed: Option<u32>,
    /// The puzzles; fewer than wanted if there are no more.
    #[schema(schema_with = crate::message::schemas::puzzle_list)]
    puzzles: Vec<Puzzle>,
}

/// The seed of random choices, and whether the same question has the same answer.
fn seed(random: Option<bool>, seed: Option<u32>) -> Result<(Option<u32>, bool), Problem> {
    match (random, seed) {
        (Some(false), Some(_)) => Err(Problem::bad("query", "`seed` is for `random=true`")),
        (None | Some(true), Some(seed)) => Ok((Some(seed), true)),
        // Every state of the standard library's hasher is another.
        (Some(true), None) => Ok((Some(RandomState::new().hash_one(0) as u32), false)),
        (None | Some(false), None) => Ok((None, true)),
    }
}

fn given(answer: &impl Serialize, stamp: &str, same: bool) -> Result<Answer, Problem> {
    let answer = Answer::json(answer, stamp)?;
    Ok(if same { answer } else { answer.uncached() })
}

/// Positions with a given value. Needs a table
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}/find",
    tag = "positions",
    params(("game" = String, Path, description = "The name of a game"), FindQuery),
    responses(
        (status = 200, description = "The positions", body = FoundList),
        (status = 400, description = "The query cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game, or no table", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "They were not found in time", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn find(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
    UrlQuery(query): UrlQuery<FindQuery>,
) -> Result<Answer, Problem> {
    let limit = bounded("limit", query.limit, 10, server.config.limits.found)?;
    let (seed, same) = seed(query.random, query.seed)?;
    server
        .ask(game, move |opened, _| {
            let (outcome, turns, random) = (query.outcome.into(), query.turns, seed.map(u64::from));
            let mut positions = Vec::new();
            opened.game.find(
                &retrograde_explore::FindQuery { outcome, turns, random, limit },
                &mut |found| {
                    positions.push(found);
                    Ok(true)
                },
            )?;
            given(&FoundList { game: opened.game.name().to_owned(), seed, positions }, &opened.stamp, same)
        })
        .await
}

/// Positions with exactly one good turn. Needs a table
#[utoipa::path(
    get,
    path = "/api/v1/games/{game}/puzzles",
    tag = "positions",
    params(("game" = String, Path, description = "The name of a game"), PuzzleQuery),
    responses(
        (status = 200, description = "The puzzles", body = PuzzleList),
        (status = 400, description = "The query cannot be read", body = Problem, content_type = "application/problem+json"),
        (status = 404, description = "There is no such game, or no table", body = Problem, content_type = "application/problem+json"),
        (status = 503, description = "They were not found in time", body = Problem, content_type = "application/problem+json"),
    ),
)]
pub(crate) async fn puzzles(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
    UrlQuery(query): UrlQuery<PuzzleQuery>,
) -> Result<Answer, Problem> {
    let limit = bounded("limit", query.limit, 3, server.config.limits.puzzles)?;
    let (seed, same) = seed(query.random, query.seed)?;
    server
        .ask(game, move |opened, _| {
            let kind = match query.kind {
                Some(PuzzleWish::Save) => PuzzleKind::Save,
                Some(PuzzleWish::Win) | None => PuzzleKind::Win,
            };
            let mut puzzles = Vec::new();
            if limit > 0 {
                opened.game.puzzles(kind, query.turns, seed.map(u64::from), &mut |puzzle| {
                    puzzles.push(puzzle);
                    Ok((puzzles.len() as u64) < limit)
                })?;
            }
            given(&PuzzleList { game: opened.game.name().to_owned(), seed, puzzles }, &opened.stamp, same)
        })
        .await
}
