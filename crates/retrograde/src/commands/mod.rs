//! One file a command, or two that belong together. Each gets what it was asked and writes its answer.

mod annotate;
mod board;
#[cfg(feature = "cluster")]
mod cluster;
mod export;
mod export_page;
mod find;
mod games;
mod numbers;
mod occurring;
mod openings;
mod play;
mod probe;
#[cfg(feature = "cluster")]
mod processes;
mod puzzles;
mod reduce;
mod render;
#[cfg(feature = "serve")]
mod serve;
mod solve;
mod stats;
mod verify;

use std::io::{self, Write};

use clap::CommandFactory;
use retrograde_explore::{AnyGame, Explore};
use serde::Serialize;

use crate::cli::{Cli, Command};
use crate::{Context, Ended, Failure};

/// What a command returns.
pub(crate) type Answer = Result<Ended, Failure>;

pub(crate) fn run(context: &mut Context, command: Command) -> Answer {
    match command {
        Command::Games { game, seed_numbering } => games::list(context, game.as_deref(), seed_numbering),
        #[cfg(feature = "cluster")]
        Command::Plan { game, how, hosts: Some(hosts) } => {
            cluster::plan(context, &game, &games::options(context, &how, false), hosts)
        }
        Command::Plan { game, how, .. } => games::plan(context, &game, &how),
        #[cfg(feature = "cluster")]
        Command::Solve { games, how, again, keep_work, cluster } => {
            solve::solve(context, &games, &how, again, keep_work, &cluster)
        }
        #[cfg(not(feature = "cluster"))]
        Command::Solve { games, how, again, keep_work } => {
            solve::solve(context, &games, &how, again, keep_work)
        }
        Command::Probe { game, position, search, all } => {
            probe::probe(context, &game, position.as_deref(), &search, all)
        }
        Command::Line { game, position, search, boards, most } => {
            probe::line(context, &game, position.as_deref(), &search, boards, most)
        }
        Command::Stats { game, seed_numbering: true, .. } => stats::seed_numbering(context, &game),
        Command::Stats { game, out, all_positions, memory, .. } => {
            stats::stats(context, &game, out.as_deref(), all_positions.then_some(memory))
        }
        Command::Find { game, outcome, turns, random, seed, limit } => {
            find::find(context, &game, outcome, turns, random.then_some(seed), limit)
        }
        Command::Puzzles(asked) => puzzles::puzzles(context, &asked),
        Command::Verify { game, sample, full, memory } => {
            verify::verify(context, &game, sample, full.then_some(memory))
        }
        Command::Index { game, position, numbering } => {
            numbers::index(context, &game, &position, numbering.name())
        }
        Command::Position { game, index, numbering } => {
            numbers::position(context, &game, &index, numbering.name())
        }
        Command::Perft { game, position, depth } => {
            numbers::perft(context, &game, position.as_deref(), depth)
        }
        Command::Render { game, position, turns, out, width, dark } => {
            render::render(context, &game, position.as_deref(), &turns, &out, width, dark)
        }
        Command::Openings { game, placement, limit } => {
            openings::openings(context, &game, placement.as_deref(), limit)
        }
        Command::Occurring { game, memory } => occurring::occurring(context, &game, memory),
        Command::Export { game, out, limit, sample, seed, format, chunk, from, count } => match format {
            Some(form) if form == "html" => export_page::page(context, &game, &out),
            Some(form) => {
                let part = retrograde_explore::export::Part { chunk, from: from.unwrap_or(0), count };
                export::publish(context, &game, &out, &form, part)
            }
            None => {
                let sample = sample.map(|count| (count, seed));
                let selection = retrograde_explore::export::Selection { limit, sample };
                export::export(context, &game, &out, selection)
            }
        },
        Command::Play { game, position, strength, second, seed, search } => {
            let opponent = play::Opponent { strength, second, seed };
            play::play(context, &game, position.as_deref(), &opponent, &search)
        }
        #[cfg(feature = "serve")]
        Command::Serve(how) => serve::serve(context, &how),
        Command::Annotate { game, file, search } => annotate::annotate(context, &game, &file, &search),
        Command::Board { command } => board::run(context, command),
        Command::Mate(asked) => board::mate(context, &asked),
        Command::Reduce { command } => reduce::run(context, command),
        Command::Completions { shell } => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "retrograde", &mut script);
            io::stdout().write_all(&script)?;
            Ok(Ended::Well)
        }
    }
}

/// The game of a name.
pub(crate) fn subject(context: &Context, name: &str) -> Result<Box<dyn AnyGame>, Failure> {
    Ok(context.registry.find(name, &context.loader)?)
}

/// Asks a game, with its table if there is one.
pub(crate) fn with_game<T>(
    context: &Context,
    name: &str,
    ask: impl FnOnce(&dyn Explore) -> Result<T, Failure>,
) -> Result<T, Failure> {
    let subject = subject(context, name)?;
    let game = subject.explore(&context.tables)?;
    ask(&*game)
}

/// One JSON object on a line of its own.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let mut line = serde_json::to_vec(value)?;
    line.push(b'\n');
    io::stdout().write_all(&line)?;
    Ok(())
}

/// A line of text.
pub(crate) fn say(text: impl AsRef<str>) -> Result<(), Failure> {
    let mut out = io::stdout();
    out.write_all(text.as_ref().as_bytes())?;
    out.write_all(b"\n")?;
    Ok(())
}

/// The board of a position, as text for the terminal.
pub(crate) fn board(
    context: &Context,
    game: &dyn Explore,
    position: &str,
    to_move: retrograde_game::Seat,
    turn: Option<&str>,
) -> Result<String, Failure> {
    let turns: Vec<String> = turn.iter().map(|turn| (*turn).to_owned()).collect();
    let scenes = game.scenes(position, to_move, &turns)?;
    Ok(scenes.first().map_or_else(String::new, |scene| {
        retrograde_draw::text::board(&scene.picture, &scene.marks, context.color)
    }))
}
