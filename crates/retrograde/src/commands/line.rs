//! `line`: shows one best line to the end.

use clap::Args;
use retrograde_explore::{Line, OpenGame};
use retrograde_game::Seat;

use crate::output::{board, painted_verdict, player, print_line, sentence, show, wrapped};
use crate::program::args::{SearchArgs, whole};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult, Exit};

/// Show one best line to the end
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde line {game}\n  retrograde line {game} --boards")]
pub(crate) struct LineArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The first position [default: the start]
    position: Option<String>,
    #[command(flatten)]
    search: SearchArgs,
    /// Draw the board after every turn
    #[arg(long)]
    boards: bool,
    /// Maximum number of turns to show
    #[arg(long, default_value_t = 200, value_parser = whole::<usize>(20))]
    limit: usize,
}

pub(crate) fn run(context: &Context, args: &LineArgs) -> CommandResult {
    let limits = args.search.limits();
    let game = &*context.open(&args.game)?;
    let position = args.position.clone().unwrap_or_else(|| game.start());
    let line = game.line(&position, Seat::First, args.limit, &limits)?;
    show(context, &line, || print(context, args, game, &line))?;
    Ok(Exit::of_value(line.verdict))
}

fn print(context: &Context, args: &LineArgs, game: &OpenGame, line: &Line) -> Result<(), BoxError> {
    print_line(board(context, game, &line.position, Seat::First, None)?)?;
    let to_move = game.to_move(&line.position, Seat::First)?;
    print_line(wrapped(&sentence(game, &player(game, to_move), line.verdict), 0))?;
    let wide = line.line.iter().map(|step| step.turn_on_board.chars().count()).max().unwrap_or(0);
    for (number, step) in line.line.iter().enumerate() {
        let seat = Seat::from(step.to_move);
        let value = painted_verdict(context, step.verdict, 0);
        print_line(format!("{:>4}. {:<4}  {:<wide$}  {value}", number + 1, seat.name(), step.turn_on_board))?;
        if args.boards {
            print_line(board(context, game, &step.position, seat, Some(&step.turn))?)?;
        }
    }
    print_line(match line.ends {
        "over" if line.verdict.turns.is_some_and(|turns| usize::from(turns) < line.line.len()) => {
            "      The game is over. (Placing pieces does not count as a turn.)"
        }
        "over" => "      The game is over.",
        "repeats" => "      The position repeats: a draw.",
        "limit" if line.line.len() < args.limit => "      … (out of time: raise --time)",
        "limit" => "      … (raise --limit to see more)",
        _ => "      The rest is unknown.",
    })
}
