//! Pictures of positions, as the first player sees them.

use axum::extract::State;
use retrograde_draw::{BoardStyle, DrawError, Pace, Shot, Size, Theme, Words, board, film, gif, png};
use retrograde_explore::{Scene, read_turns};
use retrograde_game::Seat;
use serde::Deserialize;

use crate::games::ServedGame;
use crate::limits::client::Client;
use crate::limits::pool::Effort;
use crate::message::answer::Answer;
use crate::message::input::{Player, UrlPath, UrlQuery};
use crate::message::refusal::Refusal;
use crate::state::Server;

/// Pixels of a square of an SVG.
const SQUARE: std::ops::RangeInclusive<u16> = 8..=200;
/// Pixels across of a PNG, at the least.
const NARROW: u32 = 32;

/// Wider pictures take long.
const LARGE: u32 = 800;

/// Light or dark surroundings.
#[derive(Clone, Copy, Deserialize)]
#[cfg_attr(feature = "description", derive(utoipa::ToSchema))]
#[serde(rename_all = "lowercase")]
pub(crate) enum Surroundings {
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// The picture that is asked for.
#[derive(Deserialize)]
#[cfg_attr(feature = "description", derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "description", into_params(parameter_in = Query))]
pub(crate) struct SvgQuery {
    /// The position, seen by the side to move; without it the start.
    position: Option<String>,
    /// The player to move in it; `first` if not given.
    #[cfg_attr(feature = "description", param(inline))]
    to_move: Option<Player>,
    /// A turn to mark, in the coordinates of the player who makes it.
    turn: Option<String>,
    /// `light` or `dark`; light if not given.
    #[cfg_attr(feature = "description", param(inline))]
    theme: Option<Surroundings>,
    /// Pixels of a side of a square, 8 to 200; 60 if not given.
    square: Option<u16>,
}

/// The picture that is asked for.
#[derive(Deserialize)]
#[cfg_attr(feature = "description", derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "description", into_params(parameter_in = Query))]
pub(crate) struct PngQuery {
    /// The position, seen by the side to move; without it the start.
    position: Option<String>,
    /// The player to move in it; `first` if not given.
    #[cfg_attr(feature = "description", param(inline))]
    to_move: Option<Player>,
    /// A turn to mark, in the coordinates of the player who makes it.
    turn: Option<String>,
    /// `light` or `dark`; light if not given.
    #[cfg_attr(feature = "description", param(inline))]
    theme: Option<Surroundings>,
    /// Pixels across, from 32; 640 if not given.
    width: Option<u32>,
}

/// The refusal of a picture that cannot be drawn. Only its size is a matter of the request.
fn undrawn(error: DrawError) -> Refusal {
    match error {
        DrawError::TooLarge { .. } => Refusal::bad("query", error.to_string()),
        error => Refusal::logged(&error),
    }
}

fn style(theme: Option<Surroundings>, square: Option<u16>) -> BoardStyle {
    let theme = match theme {
        Some(Surroundings::Dark) => Theme::Dark,
        Some(Surroundings::Light) | None => Theme::Light,
    };
    let usual = BoardStyle::default();
    BoardStyle { theme, square: square.map_or(usual.square, f64::from), ..usual }
}

/// The picture as SVG, with the columns and rows of the board.
fn drawn(
    opened: &ServedGame,
    position: Option<&str>,
    to_move: Option<Player>,
    turn: Option<&String>,
    mut style: BoardStyle,
) -> Result<(String, (u16, u16)), Refusal> {
    let game = &opened.game;
    let position = position.map_or_else(|| game.start(), str::to_owned);
    let turns: Vec<String> = turn.into_iter().cloned().collect();
    let seat: Seat = to_move.unwrap_or_default().into();
    let scenes = game.scenes(&position, seat, &turns)?;
    let scene = scenes.first().ok_or_else(|| Refusal::logged(&"there is nothing to draw"))?;
    style.turn_marker = game.over(&position)?.is_none();
    let words = Words { title: Some(game.name().to_owned()), description: None, caption: scene.turn.clone() };
    let size = (scene.picture.columns, scene.picture.rows);
    Ok((board::svg(&scene.picture, &style, &scene.marks, &words), size))
}

/// A position, and a turn if one is given, as SVG
#[cfg_attr(
    feature = "description",
    utoipa::path(
        get,
        path = "/api/v1/games/{game}/picture.svg",
        tag = "pictures",
        params(("game" = String, Path, description = "The name of a game"), SvgQuery),
        responses(
            (status = 200, description = "The picture", body = String, content_type = "image/svg+xml"),
            (status = 400, description = "This is no position, no turn or no size", body = ref("#/components/schemas/Problem"), content_type = "application/problem+json"),
            (status = 404, description = "There is no such game", body = ref("#/components/schemas/Problem"), content_type = "application/problem+json"),
        ),
    )
)]
pub(crate) async fn picture_svg(
    State(server): State<Server>,
    client: Client,
    UrlPath(game): UrlPath<String>,
    UrlQuery(query): UrlQuery<SvgQuery>,
) -> Result<Answer, Refusal> {
    if let Some(square) = query.square.filter(|square| !SQUARE.contains(square)) {
        let (least, most) = (SQUARE.start(), SQUARE.end());
        return Err(Refusal::bad("query", format!("`square` is from {least} to {most}, found {square}")));
    }
    server
        .ask(client, game, Effort::Unknown, move |opened, _| {
            let style = style(query.theme, query.square);
            let (svg, _) =
                drawn(opened, query.position.as_deref(), query.to_move, query.turn.as_ref(), style)?;
            Ok(Answer::cacheable("image/svg+xml", svg, &opened.stamp))
        })
        .await
}

/// A position, and a turn if one is given, as PNG
#[cfg_attr(
    feature = "description",
    utoipa::path(
        get,
        path = "/api/v1/games/{game}/picture.png",
        tag = "pictures",
        params(("game" = String, Path, description = "The name of a game"), PngQuery),
        responses(
            (status = 200, description = "The picture", body = Vec<u8>, content_type = "image/png"),
            (status = 400, description = "This is no position, no turn or no size", body = ref("#/components/schemas/Problem"), content_type = "application/problem+json"),
            (status = 404, description = "There is no such game", body = ref("#/components/schemas/Problem"), content_type = "application/problem+json"),
        ),
    )
)]
pub(crate) async fn picture_png(
    State(server): State<Server>,
    client: Client,
    UrlPath(game): UrlPath<String>,
    UrlQuery(query): UrlQuery<PngQuery>,
) -> Result<Answer, Refusal> {
    let most = server.config.limits.pixels.max(NARROW);
    // Twice a square picture of that width: boards may be higher than wide.
    let most_pixels = 2 * u64::from(most) * u64::from(most);
    let width = query.width.unwrap_or(640.min(most));
    if !(NARROW..=most).contains(&width) {
        return Err(Refusal::bad("query", format!("`width` is from {NARROW} to {most}, found {width}")));
    }
    // Drawing cannot be ended early.
    let effort = if width > LARGE { Effort::Long } else { Effort::Unknown };
    server
        .ask(client, game, effort, move |opened, _| {
            let style = style(query.theme, None);
            let (svg, (columns, rows)) =
                drawn(opened, query.position.as_deref(), query.to_move, query.turn.as_ref(), style)?;
            let pixels = u64::from(width) * u64::from(width) * u64::from(rows) / u64::from(columns.max(1));
            if pixels > most_pixels {
                let detail =
                    format!("this board has {columns} x {rows} squares, and `width` is too large for it");
                return Err(Refusal::bad("query", detail));
            }
            let image = png(&svg, Size::Width(width)).map_err(undrawn)?;
            Ok(Answer::cacheable("image/png", image, &opened.stamp))
        })
        .await
}

/// The animation that is asked for.
#[derive(Deserialize)]
#[cfg_attr(feature = "description", derive(utoipa::IntoParams))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "description", into_params(parameter_in = Query))]
pub(crate) struct GifQuery {
    /// The position that it begins with, seen by the side to move; without it the start.
    position: Option<String>,
    /// The player to move in it; `first` if not given.
    #[cfg_attr(feature = "description", param(inline))]
    to_move: Option<Player>,
    /// The turns, with semicolons between them.
    turns: String,
    /// `light` or `dark`; light if not given.
    #[cfg_attr(feature = "description", param(inline))]
    theme: Option<Surroundings>,
    /// Pixels across, from 32; 480 if not given.
    width: Option<u32>,
}

/// The maximum number of turns of an animation, and its width in pixels: all frames are in memory
/// until the last one is drawn.
const FRAMES: usize = 200;
const WIDE: u32 = 800;
/// The most frames in which pieces are on their way.
const MOVING: usize = 400;

fn shot<'a>(game: &str, scene: &'a Scene) -> Shot<'a> {
    let (title, caption) = (Some(game.to_owned()), scene.turn.clone());
    let words = Words { title, description: None, caption };
    Shot { picture: &scene.picture, marks: &scene.marks, motions: &scene.motions, words }
}

/// Turns one after the other, as an animated GIF
#[cfg_attr(
    feature = "description",
    utoipa::path(
        get,
        path = "/api/v1/games/{game}/picture.gif",
        tag = "pictures",
        params(("game" = String, Path, description = "The name of a game"), GifQuery),
        responses(
            (status = 200, description = "The animation", body = Vec<u8>, content_type = "image/gif"),
            (status = 400, description = "This is no position, no turn or no size", body = ref("#/components/schemas/Problem"), content_type = "application/problem+json"),
            (status = 404, description = "There is no such game", body = ref("#/components/schemas/Problem"), content_type = "application/problem+json"),
            (status = 503, description = "It was not drawn in time", body = ref("#/components/schemas/Problem"), content_type = "application/problem+json"),
        ),
    )
)]
pub(crate) async fn picture_gif(
    State(server): State<Server>,
    client: Client,
    UrlPath(game): UrlPath<String>,
    UrlQuery(query): UrlQuery<GifQuery>,
) -> Result<Answer, Refusal> {
    let width = query.width.unwrap_or(480);
    if !(NARROW..=WIDE).contains(&width) {
        let detail = format!("`width` is from {NARROW} to {WIDE}, found {width}");
        return Err(Refusal::bad("query", detail));
    }
    let turns: Vec<String> =
        query.turns.split(';').map(str::trim).filter(|turn| !turn.is_empty()).map(str::to_owned).collect();
    let few = |turns: &[String]| match turns.len() {
        0..=FRAMES => Ok(()),
        found => Err(Refusal::bad("query", format!("`turns` has at most {FRAMES} turns, found {found}"))),
    };
    few(&turns)?;
    server
        .ask(client, game, Effort::Long, move |opened, _| {
            let game = &opened.game;
            let position = query.position.clone().unwrap_or_else(|| game.start());
            let seat: Seat = query.to_move.unwrap_or_default().into();
            let turns = read_turns(game, &position, seat, &turns)?;
            few(&turns)?;
            let scenes = game.scenes(&position, seat, &turns)?;
            let style = style(query.theme, None);
            let shots: Vec<Shot<'_>> = scenes.iter().map(|scene| shot(game.name(), scene)).collect();
            let pace = Pace { most_moving: MOVING, ..Pace::default() };
            let image = gif(&film(&shots, &game.palette(), &style, pace), width).map_err(undrawn)?;
            Ok(Answer::cacheable("image/gif", image, &opened.stamp))
        })
        .await
}
