//! `probe` and `line`: the value of a position and its turns, and a best line.

use std::io::{BufRead, Write};

use retrograde_explore::{Explore, Probe, SearchLimits, Source};
use retrograde_game::Seat;

use super::{Answer, board, print_json, say, with_game};
use crate::cli::Search;
use crate::output::{count, limits, player, sentence, thousands, verdict, wrapped};
use crate::{Context, Ended, Failure};

/// Turns listed when not all are asked for.
const LISTED: usize = 20;

pub(super) fn probe(
    context: &Context,
    name: &str,
    position: Option<&str>,
    search: &Search,
    all: bool,
) -> Answer {
    let limits = limits(search);
    with_game(context, name, |game| {
        if position == Some("-") {
            return probe_lines(context, game, &limits);
        }
        let start = game.start();
        let probe = game.probe(position.unwrap_or(&start), Seat::First, &limits)?;
        if context.json {
            print_json(&probe)?;
        } else {
            describe(context, game, &probe, all)?;
        }
        Ok(Ended::Well)
    })
}

/// One position a line from standard input; a line that cannot be read is told and passed over.
fn probe_lines(context: &Context, game: &dyn Explore, limits: &SearchLimits) -> Answer {
    let mut ended = Ended::Well;
    for (number, line) in std::io::stdin().lock().lines().enumerate() {
        let line = line.map_err(|error| format!("line {}: {error}", number + 1))?;
        let text = line.trim();
        if text.is_empty() {
            continue;
        }
        let answered = if context.json {
            game.probe(text, Seat::First, limits).map(|probe| print_json(&probe))
        } else {
            game.value(text, limits).map(|(value, _)| say(format!("{text}\t{}", verdict(value))))
        };
        match answered {
            Ok(printed) => printed?,
            Err(error) => {
                writeln!(std::io::stderr(), "error: line {}: {error}", number + 1)?;
                ended = Ended::Badly;
            }
        }
    }
    Ok(ended)
}

fn describe(context: &Context, game: &dyn Explore, probe: &Probe, all: bool) -> Result<(), Failure> {
    say(board(context, game, &probe.position, Seat::First, None)?)?;
    say(&probe.position)?;
    let from = match probe.source {
        Source::Table => "from the table".to_owned(),
        Source::Search => {
            let nodes =
                probe.nodes.map_or_else(String::new, |n| format!(" of {} positions", thousands(n.into())));
            format!("from a search{nodes}")
        }
        Source::Rules => "the game is over".to_owned(),
    };
    say(wrapped(&format!("{} ({from})", sentence("The side to move", probe.verdict)), 0))?;
    if probe.verdict.outcome == "unknown" && !game.has_table() {
        say(wrapped(
            &format!("There is no table of it below “{}”; see `retrograde plan`.", context.tables.display()),
            0,
        ))?;
    }
    let turns = &probe.turns_available;
    if turns.is_empty() {
        return Ok(());
    }
    say(format!("\n{}:", count(turns.len() as u128, "turn", "turns")))?;
    let shown = if all { turns.len() } else { LISTED.min(turns.len()) };
    let wide = turns[..shown].iter().map(|turn| turn.turn.chars().count()).max().unwrap_or(0);
    for turn in &turns[..shown] {
        say(format!("  {:<wide$}  {}", turn.turn, verdict(turn.verdict)))?;
    }
    if shown < turns.len() {
        say(format!("  … and {} more (--all)", thousands((turns.len() - shown) as u128)))?;
    }
    Ok(())
}

pub(super) fn line(
    context: &Context,
    name: &str,
    position: Option<&str>,
    search: &Search,
    boards: bool,
    most: usize,
) -> Answer {
    let limits = limits(search);
    with_game(context, name, |game| {
        let start = game.start();
        let line = game.line(position.unwrap_or(&start), Seat::First, most, &limits)?;
        if context.json {
            print_json(&line)?;
            return Ok(Ended::Well);
        }
        say(board(context, game, &line.position, Seat::First, None)?)?;
        say(wrapped(&sentence(&player("first"), line.verdict), 0))?;
        let wide = line.line.iter().map(|step| step.turn_on_board.chars().count()).max().unwrap_or(0);
        for (number, step) in line.line.iter().enumerate() {
            let value = format!("{} for the {} player", verdict(step.verdict), step.to_move);
            say(format!("{:>4}. {:<wide$}  {value}", number + 1, step.turn_on_board))?;
            if boards {
                let seat = if step.to_move == "second" { Seat::Second } else { Seat::First };
                say(board(context, game, &step.position, seat, Some(&step.turn))?)?;
            }
        }
        say(match line.ends {
            "over" => "      The game is over.",
            "repeats" => "      The position repeats: a draw.",
            "limit" => "      … (--most shows more)",
            _ => "      Nothing more is known.",
        })?;
        Ok(Ended::Well)
    })
}
