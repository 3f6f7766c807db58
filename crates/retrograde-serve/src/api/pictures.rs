//! Pictures of positions, as the first player sees them.

use axum::extract::State;
use retrograde_draw::{BoardStyle, DrawError, Pace, Shot, Size, Theme, Words, board, film, gif, png};
use retrograde_explore::{Fields, Param, Scene, read_turns};
use retrograde_game::Seat;

use crate::games::ServedGame;
use crate::limits::client::Client;
use crate::limits::pool::Effort;
use crate::message::answer::Answer;
use crate::message::input::{Texts, UrlPath, UrlQuery};
use crate::message::refusal::Refusal;
use crate::state::Server;

/// Pixels of a square of an SVG.
const SQUARE: std::ops::RangeInclusive<u32> = 8..=200;
/// The minimum width of a PNG or GIF in pixels.
const MIN_WIDTH: u32 = 32;
/// Wider PNGs count as long work.
const MAX_QUICK_WIDTH: u32 = 800;
/// The maximum width of an animation.
const MAX_GIF_WIDTH: u32 = 800;
/// The maximum number of turns of an animation, since all frames stay in memory until it is complete.
const MAX_GIF_TURNS: usize = 200;
/// The maximum number of frames with moving pieces.
const MAX_MOVING_FRAMES: usize = 400;

const POSITION: Param =
    Param::text("position", "The position, seen by the side to move; the start by default.");
const TO_MOVE: Param = Param::to_move("The player to move; `first` by default.");
const TURN: Param = Param::text("turn", "A turn to mark, in the coordinates of the player who makes it.");
const THEME: Param = Param::word(
    "theme",
    &["light", "dark"],
    "A light or dark background.",
    "The background; `light` by default.",
);
const SQUARE_PARAM: Param =
    Param::number("square", u64::MAX, "The size of a square in pixels, from 8 to 200; 60 by default.");
const TURNS: Param = Param::text("turns", "The turns, separated by semicolons.").required();

/// The parameters of an SVG.
pub(crate) const SVG: &[Param] = &[POSITION, TO_MOVE, TURN, THEME, SQUARE_PARAM];
/// The parameters of a PNG.
pub(crate) const PNG: &[Param] = &[
    POSITION,
    TO_MOVE,
    TURN,
    THEME,
    Param::number("width", u64::MAX, "The width in pixels, at least 32; 640 by default."),
];
/// The parameters of a GIF.
pub(crate) const GIF: &[Param] = &[
    POSITION,
    TO_MOVE,
    TURNS,
    THEME,
    Param::number("width", u64::MAX, "The width in pixels, at least 32; 480 by default."),
];

/// The format of a picture.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Format {
    Svg,
    Png,
    Gif,
}

/// The requested picture.
struct PictureRequest {
    /// `None`: the start.
    position: Option<String>,
    to_move: Seat,
    /// The turns of an animation, or the one to mark.
    turns: Vec<String>,
    theme: Theme,
    format: Format,
    /// The size of a square for SVG, the width of other pictures, in pixels.
    size: u32,
    /// The maximum number of pixels of a PNG.
    most_pixels: u64,
}

impl PictureRequest {
    /// Parses a request; `widest` is the maximum width of a PNG.
    fn read(format: Format, query: &Texts, widest: u32) -> Result<PictureRequest, Refusal> {
        let widest = widest.max(MIN_WIDTH);
        let (params, name, default, sizes) = match format {
            Format::Svg => (SVG, "square", BoardStyle::default().square as u32, SQUARE),
            Format::Png => (PNG, "width", 640.min(widest), MIN_WIDTH..=widest),
            Format::Gif => (GIF, "width", 480, MIN_WIDTH..=MAX_GIF_WIDTH),
        };
        let fields = Fields::checked(params, query, &[])?;
        let size = fields.number(name)?.unwrap_or(default);
        if !sizes.contains(&size) {
            let (least, most) = (sizes.start(), sizes.end());
            return Err(Refusal::bad(
                "query",
                format!("`{name}` must be from {least} to {most}, not {size}"),
            ));
        }
        let turns = fields.text("turns").into_iter().flat_map(|turns| turns.split(';').map(str::trim));
        let turns = turns.filter(|turn| !turn.is_empty()).chain(fields.text("turn"));
        let request = PictureRequest {
            position: fields.text("position").map(str::to_owned),
            to_move: fields.seat(),
            turns: turns.map(str::to_owned).collect(),
            theme: if fields.text("theme") == Some("dark") { Theme::Dark } else { Theme::Light },
            format,
            size,
            // Two squares of the maximum width, since boards may be taller than wide.
            most_pixels: 2 * u64::from(widest) * u64::from(widest),
        };
        few(&request.turns)?;
        Ok(request)
    }

    /// The kind of work: drawing cannot be interrupted.
    fn effort(&self) -> Effort {
        match self.format {
            Format::Gif => Effort::Long,
            Format::Png if self.size > MAX_QUICK_WIDTH => Effort::Long,
            Format::Png | Format::Svg => Effort::Unknown,
        }
    }

    fn draw(&self, opened: &ServedGame) -> Result<Answer, Refusal> {
        let position = self.position.clone().unwrap_or_else(|| opened.game.start());
        let stamp = &opened.stamp;
        match self.format {
            Format::Svg => Ok(Answer::cacheable("image/svg+xml", self.still(opened, &position)?.0, stamp)),
            Format::Png => {
                let (svg, (columns, rows)) = self.still(opened, &position)?;
                let pixels = u64::from(self.size).pow(2) * u64::from(rows) / u64::from(columns.max(1));
                if pixels > self.most_pixels {
                    let detail = format!("`width` is too large for this board of {columns} x {rows} squares");
                    return Err(Refusal::bad("query", detail));
                }
                let image = png(&svg, Size::Width(self.size)).map_err(draw_refusal)?;
                Ok(Answer::cacheable("image/png", image, stamp))
            }
            Format::Gif => Ok(Answer::cacheable("image/gif", self.animation(opened, &position)?, stamp)),
        }
    }

    /// The position with a marked turn as SVG, and the numbers of columns and rows of the board.
    fn still(&self, opened: &ServedGame, position: &str) -> Result<(String, (u16, u16)), Refusal> {
        let game = &opened.game;
        let scenes = game.scenes(position, self.to_move, &self.turns)?;
        let scene = scenes.first().ok_or_else(|| Refusal::logged(&"there is nothing to draw"))?;
        let mut style = BoardStyle { theme: self.theme, ..BoardStyle::default() };
        if self.format == Format::Svg {
            style.square = f64::from(self.size);
        }
        style.turn_marker = game.over(position)?.is_none();
        let words =
            Words { title: Some(game.entry.title.clone()), description: None, caption: scene.turn.clone() };
        let size = (scene.picture.columns, scene.picture.rows);
        Ok((board::svg(&scene.picture, &style, &scene.marks, &words), size))
    }

    /// The turns as an animated GIF.
    fn animation(&self, opened: &ServedGame, position: &str) -> Result<Vec<u8>, Refusal> {
        let game = &opened.game;
        let turns = read_turns(game, position, self.to_move, &self.turns, None)?;
        few(&turns)?;
        let scenes = game.scenes(position, self.to_move, &turns)?;
        let style = BoardStyle { theme: self.theme, ..BoardStyle::default() };
        let shots: Vec<Shot<'_>> = scenes.iter().map(|scene| shot(game.entry.title.clone(), scene)).collect();
        let pace = Pace { most_moving: MAX_MOVING_FRAMES, ..Pace::default() };
        gif(&film(&shots, &game.entry.palette, &style, pace), self.size).map_err(draw_refusal)
    }
}

/// Rejects too many turns for an animation.
fn few(turns: &[String]) -> Result<(), Refusal> {
    match turns.len() {
        0..=MAX_GIF_TURNS => Ok(()),
        found => {
            Err(Refusal::bad("query", format!("`turns` can have at most {MAX_GIF_TURNS} turns, not {found}")))
        }
    }
}

/// The refusal for a picture that cannot be drawn. Only an excessive size is a client error.
fn draw_refusal(error: DrawError) -> Refusal {
    match error {
        DrawError::TooLarge { .. } => Refusal::bad("query", error.to_string()),
        error => Refusal::logged(&error),
    }
}

fn shot(title: String, scene: &Scene) -> Shot<'_> {
    let words = Words { title: Some(title), description: None, caption: scene.turn.clone() };
    Shot { picture: &scene.picture, marks: &scene.marks, motions: &scene.motions, words }
}

/// Draws a picture.
pub(crate) async fn picture(
    format: Format,
    State(server): State<Server>,
    client: Client,
    UrlPath(game): UrlPath<String>,
    UrlQuery(query): UrlQuery,
) -> Result<Answer, Refusal> {
    let request = PictureRequest::read(format, &query, server.config.limits.pixels)?;
    server.ask(client, game, request.effort(), move |opened, _| request.draw(opened)).await
}
