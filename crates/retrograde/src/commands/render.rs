//! `render`: a position as a picture, a sequence of turns as an animation.

use std::path::Path;

use retrograde_draw::{BoardStyle, Size, Theme, Words, board, gif, paced, png};
use retrograde_game::Seat;
use serde_json::json;

use retrograde_explore::read_turns;

use super::stats::write_file;
use super::{Answer, print_json, say, with_game};
use crate::{Context, Ended};

pub(super) fn render(
    context: &Context,
    name: &str,
    position: Option<&str>,
    turns: &[String],
    out: &Path,
    width: u32,
    dark: bool,
) -> Answer {
    let words: Vec<String> =
        turns.iter().flat_map(|turns| turns.split_whitespace()).map(str::to_owned).collect();
    with_game(context, name, |game| {
        let start = game.start();
        let position = position.unwrap_or(&start);
        let turns = read_turns(game, position, Seat::First, &words)?;
        let scenes = game.scenes(position, Seat::First, &turns)?;
        let style =
            BoardStyle { theme: if dark { Theme::Dark } else { Theme::Light }, ..BoardStyle::default() };
        let captions = |scene: &retrograde_explore::Scene| Words {
            title: Some(game.name().to_owned()),
            description: None,
            caption: scene.turn.clone(),
        };
        let frames: Vec<String> = scenes
            .iter()
            .map(|scene| board::svg(&scene.picture, &style, &scene.marks, &captions(scene)))
            .collect();
        let last = frames.last().ok_or("there is nothing to draw")?;
        let bytes = match out.extension().and_then(|ending| ending.to_str()) {
            Some("svg") => last.clone().into_bytes(),
            Some("png") => png(last, Size::Width(width))?,
            Some("gif") => gif(&paced(frames), width)?,
            _ => return Err(format!("“{}” ends neither in .svg nor .png nor .gif", out.display()).into()),
        };
        write_file(out, &bytes)?;
        if context.json {
            print_json(&json!({"game": game.name(), "files": [out.display().to_string()]}))?;
        } else {
            say(format!("Drawn to “{}”.", out.display()))?;
        }
        Ok(Ended::Well)
    })
}
