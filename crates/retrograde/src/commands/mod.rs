//! One file per command: its description and options for `--help`, and the function that runs it and prints
//! the answer.

pub(crate) mod annotate;
pub(crate) mod bench;
#[cfg(feature = "games")]
pub(crate) mod board;
pub(crate) mod certificate;
pub(crate) mod completions;
pub(crate) mod engine;
pub(crate) mod export;
pub(crate) mod find;
pub(crate) mod games;
pub(crate) mod index;
pub(crate) mod line;
#[cfg(feature = "manual")]
pub(crate) mod manual;
pub(crate) mod matches;
#[cfg(feature = "games")]
pub(crate) mod mate;
pub(crate) mod new;
pub(crate) mod openings;
pub(crate) mod perft;
pub(crate) mod plan;
pub(crate) mod play;
pub(crate) mod probe;
pub(crate) mod puzzles;
pub(crate) mod reachable;
#[cfg(feature = "games")]
pub(crate) mod reduce;
pub(crate) mod render;
pub(crate) mod rules;
#[cfg(feature = "serve")]
pub(crate) mod serve;
pub(crate) mod shades;
pub(crate) mod solve;
pub(crate) mod stats;
pub(crate) mod survey;
pub(crate) mod verify;

use crate::program::cli::Command;

/// The commands, in the order of `--help`.
pub(crate) fn all() -> Vec<Command> {
    Vec::from([
        Command::new("games", games::run),
        Command::new("rules", rules::run),
        Command::new("plan", plan::run).needs_folder("checks the disk that tables are written to"),
        Command::new("solve", solve::run).needs_folder("writes tables"),
        Command::new("probe", probe::run),
        Command::new("line", line::run),
        Command::new("stats", stats::run),
        Command::new("survey", survey::run).needs_folder("solves games"),
        Command::new("shades", shades::run),
        Command::new("openings", openings::run),
        Command::new("reachable", reachable::run),
        Command::new("find", find::run),
        Command::new("puzzles", puzzles::run),
        Command::new("verify", verify::run).needs_folder("reads all of a table"),
        Command::new("certificate", certificate::run).needs_folder("reads most of a table"),
        Command::new("index", index::run),
        Command::new("position", index::show_position),
        Command::new("perft", perft::run),
        Command::new("render", render::run),
        Command::new("export", export::run).needs_folder("reads all of a table"),
        Command::new("play", play::run),
        Command::new("engine", engine::run),
        Command::new("match", matches::run),
        Command::new("bench", bench::run),
        #[cfg(feature = "serve")]
        Command::new("serve", serve::run).needs_folder("would load from the site for every client"),
        Command::new("annotate", annotate::run),
        #[cfg(feature = "games")]
        Command::new("board", board::run),
        #[cfg(feature = "games")]
        Command::new("mate", mate::run),
        #[cfg(feature = "games")]
        Command::new("reduce", reduce::run),
        Command::new("new", new::run),
        Command::new("completions", completions::run),
        #[cfg(feature = "manual")]
        Command::new("manual", manual::run),
    ])
}
