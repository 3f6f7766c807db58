//! The universal web API of GamesCrafters, so that their programs can show these games. `docs/api.md`
//! documents our choices in the mapping.

pub(crate) mod words;

use axum::extract::State;
use axum::http::StatusCode;
use retrograde_explore::{Bounds, Fields, ListPage, OpenGame, Param};
use retrograde_game::Seat;

use crate::games::stamp;
use crate::limits::client::Client;
use crate::limits::pool::Effort;
use crate::message::answer::Answer;
use crate::message::input::{UrlPath, UrlQuery};
use crate::message::refusal::Refusal;
use crate::state::Server;

use words::{
    UwapiGame, UwapiMove, UwapiPosition, UwapiValue, UwapiVariant, UwapiVariantName, UwapiVariants, arrow,
    autogui, number, read_position, remoteness,
};

/// The variant for a name without a variant.
const REGULAR: &str = "regular";
/// Their class for games that are shown as letters.
const GUI: &str = "v1";

/// The query of a position.
pub(crate) const POSITION: &[Param] =
    &[Param::text("p", "`1_` or `2_`, then the position seen by that side; the start by default.")];

/// The registry's name of a game.
fn name_of(game: &str, variant: &str) -> String {
    match variant {
        REGULAR => game.to_owned(),
        variant if variant.starts_with(',') => format!("{game}{variant}"),
        variant => format!("{game}:{variant}"),
    }
}

/// The part of a name after its family.
fn variant_of<'a>(game: &str, name: &'a str) -> &'a str {
    match name.strip_prefix(game).unwrap_or(name) {
        "" => REGULAR,
        rest => rest.strip_prefix(':').unwrap_or(rest),
    }
}

fn family_of(server: &Server, game: &str) -> Result<(String, Vec<String>), Refusal> {
    let families = &server.games.registry.families;
    let family = families.iter().find(|family| family.name == game);
    let family = family.ok_or_else(|| {
        let detail = format!("there is no game called “{}”", game.chars().take(50).collect::<String>());
        Refusal::new(StatusCode::NOT_FOUND, "game", "There is no such game", detail)
    })?;
    Ok((family.name.clone(), family.examples.clone()))
}

/// The games
pub(crate) async fn games(State(server): State<Server>) -> Result<Answer, Refusal> {
    let families = server.games.registry.families.iter();
    let games: Vec<UwapiGame> = families
        .map(|family| UwapiGame {
            id: family.name.clone(),
            name: family.name.clone(),
            kind: "twoPlayer",
            gui: GUI,
        })
        .collect();
    Answer::json(&games, &stamp(env!("CARGO_PKG_VERSION")))
}

/// A game and its variants
pub(crate) async fn game(
    State(server): State<Server>,
    UrlPath(game): UrlPath<String>,
) -> Result<Answer, Refusal> {
    let (id, examples) = family_of(&server, &game)?;
    let name = |example: &String| {
        let variant = variant_of(&id, example).to_owned();
        UwapiVariantName { id: variant.clone(), name: variant, gui: GUI }
    };
    let variants = examples.iter().map(name).collect();
    let answer = UwapiVariants { id: id.clone(), name: id.clone(), variants, custom: true, win_by: false };
    Answer::json(&answer, &stamp(env!("CARGO_PKG_VERSION")))
}

/// A variant
pub(crate) async fn variant(
    State(server): State<Server>,
    client: Client,
    UrlPath((game, variant)): UrlPath<(String, String)>,
) -> Result<Answer, Refusal> {
    server
        .ask(client, name_of(&game, &variant), Effort::Unknown, move |opened, _| {
            let start = opened.game.start();
            let to_move = opened.game.to_move(&start, Seat::First)?;
            let answer = UwapiVariant {
                name: opened.game.name().to_owned(),
                id: variant.clone(),
                gui: GUI,
                autogui_start_position: shown(&opened.game, &start, to_move)?,
                start_position: format!("{}_{start}", number(to_move)),
            };
            Answer::json(&answer, &opened.stamp)
        })
        .await
}

fn shown(game: &OpenGame, position: &str, to_move: Seat) -> Result<String, Refusal> {
    let scenes = game.scenes(position, to_move, &[])?;
    Ok(scenes.first().map_or_else(String::new, |scene| autogui(&scene.picture, to_move)))
}

/// A position and every turn with their values
pub(crate) async fn position(
    State(server): State<Server>,
    client: Client,
    UrlPath((game, variant)): UrlPath<(String, String)>,
    UrlQuery(query): UrlQuery,
) -> Result<Answer, Refusal> {
    let p = Fields::checked(POSITION, &query, &[])?.text("p").map(str::to_owned);
    server.metrics.probes.inc();
    let most = server.config.limits.requests.page;
    server
        .ask(client, name_of(&game, &variant), Effort::Unknown, move |opened, budget| {
            let game = &opened.game;
            let start = game.start();
            let (seat, text) = p.as_deref().map_or((Seat::First, start.as_str()), read_position);
            let seat = game.to_move(text, seat)?;
            let page = ListPage { offset: 0, limit: most };
            let probe = game.probe_page(text, seat, &[], page, &budget.search())?;
            if probe.page.is_some() {
                let detail =
                    format!("this position has more than {most} turns, and this interface has no pages");
                return Err(Refusal::too_large(StatusCode::UNPROCESSABLE_ENTITY, detail));
            }
            // Turns are sorted, best first, so the first turn with an outcome is the best of these.
            let mut best: [Option<i32>; 2] = [None; 2];
            let mut moves = Vec::with_capacity(probe.turns_available.len());
            for turn in probe.turns_available {
                Bounds::check()?;
                let scenes = game.scenes(&probe.position.text, seat, std::slice::from_ref(&turn.turn))?;
                let [before, after] = scenes.as_slice() else { continue };
                // Placements are not counted as turns.
                let made = i32::from(game.play(&probe.position.text, &turn.turn)?.1);
                let over = game.over(&turn.position)?.is_some();
                let value = UwapiValue::of(turn.verdict, over);
                let remoteness = remoteness(turn.verdict, made);
                let delta = match value {
                    UwapiValue::Win | UwapiValue::Lose if remoteness >= 0 => {
                        let best = best[usize::from(value == UwapiValue::Win)].get_or_insert(remoteness);
                        (remoteness - *best).abs()
                    }
                    _ => 0,
                };
                let then = game.to_move(&turn.position, seat.other())?;
                moves.push(UwapiMove {
                    autogui_move: arrow(&before.picture, &before.marks),
                    position: format!("{}_{}", number(then), turn.position),
                    autogui_position: autogui(&after.picture, then),
                    position_value: if then == seat { value } else { value.flipped() },
                    remoteness,
                    move_value: value,
                    delta_remoteness: delta,
                    turn: turn.turn,
                    move_name: turn.turn_on_board,
                });
            }
            let over = game.over(&probe.position.text)?.is_some();
            let answer = UwapiPosition {
                position: format!("{}_{}", number(seat), probe.position.text),
                autogui_position: shown(game, &probe.position.text, seat)?,
                position_value: UwapiValue::of(probe.position.verdict, over),
                remoteness: remoteness(probe.position.verdict, 0),
                moves,
            };
            Answer::json(&answer, &opened.stamp)
        })
        .await
}
