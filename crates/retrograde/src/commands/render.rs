//! `render`: draws a position as a picture or a sequence of turns as an animation.

use clap::Args;
use retrograde_draw::{Pace, Shot, Size, Words, board, film, gif, png};
use retrograde_explore::{Scene, read_turns};
use retrograde_game::Seat;

use crate::files::{PictureArgs, ending, pixels, write_file};
use crate::output::{WrittenFiles, print_line, reserve_output, show};
use crate::program::context::Context;
use crate::program::exit::CommandResult;

/// Draw a position (.svg, .png) or a sequence of turns (.gif)
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde render {game} --out start.svg\n  \
                        retrograde render tactics --turns 'a4-c4 b1' --out game.gif")]
#[command(mut_arg("out", |out| out.help("The file to write").required(true)))]
#[command(mut_arg("width", |width| width.help("Width of .png and .gif in pixels [default: 640]")))]
pub(crate) struct RenderArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The position [default: the start]
    position: Option<String>,
    /// Turns to play from the position, separated by spaces, as `line` and `play` show them
    #[arg(long, value_name = "TURNS", num_args = 1..)]
    turns: Vec<String>,
    #[command(flatten)]
    picture: PictureArgs,
}

pub(crate) fn run(context: &Context, args: &RenderArgs) -> CommandResult {
    let out = args.picture.out.as_deref().ok_or("use --out FILE to name the file to write")?;
    reserve_output(Some(out))?;
    let width = pixels(args.picture.width, out)?;
    let words: Vec<String> =
        args.turns.iter().flat_map(|turns| turns.split_whitespace()).map(str::to_owned).collect();
    let game = &*context.open(&args.game)?;
    let start = game.start();
    let position = args.position.as_deref().unwrap_or(&start);
    let turns = read_turns(game, position, Seat::First, &words, None)?;
    let scenes = game.scenes(position, Seat::First, &turns)?;
    let style = args.picture.style();
    let last = scenes.last().ok_or("there is nothing to draw")?;
    let still = || board::svg(&last.picture, &style, &last.marks, &labels(game.entry.title.clone(), last));
    let bytes = match &*ending(out) {
        "svg" => still().into_bytes(),
        "png" => png(&still(), Size::Width(width))?,
        "gif" => {
            let shots: Vec<Shot<'_>> =
                scenes.iter().map(|scene| shot(game.entry.title.clone(), scene)).collect();
            gif(&film(&shots, &game.entry.palette, &style, Pace::default()), width)?
        }
        _ => return Err(format!("“{}” must end in .svg, .png or .gif", out.display()).into()),
    };
    write_file(out, &bytes)?;
    let files = vec![out.display().to_string()];
    let text = format!("The picture is in “{}”.", out.display());
    show(context, &WrittenFiles { game: game.name(), files }, || print_line(text))
}

fn shot(title: String, scene: &Scene) -> Shot<'_> {
    let words = labels(title, scene);
    Shot { picture: &scene.picture, marks: &scene.marks, motions: &scene.motions, words }
}

fn labels(title: String, scene: &Scene) -> Words {
    Words { title: Some(title), description: None, caption: scene.turn.clone() }
}
