//! `play`: plays a game from the table, or with a search if there is no table.
//!
//! With a strength, the computer looks only that many turns ahead and counts anything later as a
//! draw. It chooses at random among equal turns. Turns are shown, read and saved in the coordinates
//! of the board.

mod dialog;
mod review;
mod session;

use clap::Args;
use retrograde_game::Seat;

use crate::output::{player, plural, print_line, wrapped};
use crate::program::args::{SearchArgs, SeedArgs, number};
use crate::program::context::Context;
use crate::program::exit::{CommandResult, Exit};
use dialog::Dialog;
use session::Session;

/// Play against the computer in the terminal
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde play {game}\n  retrograde play {game} --strength 3 --blue")]
pub(crate) struct PlayArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The first position, Red to move [default: the start]
    position: Option<String>,
    /// Turns that the computer looks ahead; anything later counts as a draw [default: to the end]
    #[arg(long, value_parser = number::<u16>(0..=65_535, 3))]
    strength: Option<u16>,
    /// In draws, the computer presses: it plays the turn that sets you the hardest task
    #[arg(long, conflicts_with = "strength")]
    presses: bool,
    /// Play as Blue, the second player
    #[arg(long)]
    blue: bool,
    /// Do not comment on mistakes
    #[arg(long)]
    no_comments: bool,
    #[command(flatten)]
    seed: SeedArgs,
    #[command(flatten)]
    search: SearchArgs,
}

pub(crate) fn run(context: &Context, args: &PlayArgs) -> CommandResult {
    if context.json {
        return Err(
            "`play` is interactive and does not support --json; use `probe --json` for values and turns"
                .into(),
        );
    }
    let game = &*context.open(&args.game)?;
    let human = if args.blue { Seat::Second } else { Seat::First };
    let mut session = Session::new(game, args.position.as_deref(), human)?;
    session.look(args.strength, args.seed.seed, args.search.limits());
    session.presses = args.presses;
    print_line(introduction(&session))?;
    Dialog::new(context, session, !args.no_comments).run()?;
    Ok(Exit::Success)
}

/// The introduction: the players, and the main commands.
fn introduction(session: &Session<'_>) -> String {
    let game = session.game;
    let machine = match session.strength {
        _ if !game.has_table() => "There is no table of this game, so I search and may miss the best turn; \
                                   `retrograde plan` estimates what a table needs."
            .to_owned(),
        Some(turns) => format!("I look {} ahead.", plural(turns, "turn")),
        None if session.presses => "I play perfectly and press in draws.".to_owned(),
        None => "I play perfectly.".to_owned(),
    };
    let [you, i] = [session.human, session.human.other()].map(|seat| player(game, seat));
    let players = wrapped(&format!("{}: you are {you}, I am {i}. {machine}", game.name()), 0);
    format!(
        "{players}\nType a turn in board coordinates. `hint` shows a best turn, `turns` lists all.\n\
         `?` shows the rules, `help` the other commands."
    )
}
