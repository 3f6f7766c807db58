//! The options of `puzzles`.

use std::path::PathBuf;

use clap::Args;
use retrograde_explore::request::{Order, PuzzlesRequest};
use retrograde_explore::{Puzzle, PuzzleKind};
use retrograde_game::Seat;

use crate::files::cards::CardArgs;
use crate::program::args::{number, whole, word};

/// The options of `puzzles`.
#[derive(Args, Debug)]
pub(crate) struct PuzzlesArgs {
    /// A game or variant; `games` lists them
    pub game: String,
    /// win: one turn wins; save: one turn avoids a loss or delays it longest; press: in a draw, one
    /// turn sets the opponent a task
    #[arg(
        long,
        default_value = "win",
        value_parser =
            word([("win", PuzzleKind::Win), ("save", PuzzleKind::Save), ("press", PuzzleKind::Press)])
    )]
    pub kind: PuzzleKind,
    /// Only puzzles that end in N turns [default: any; those of 1 turn only if there are no others]
    #[arg(long, value_name = "N", value_parser = number::<u16>(0..=65_535, "--turns 7"))]
    pub turns: Option<u16>,
    /// Choose puzzles at random with this seed [default: in index order]
    #[arg(long, value_name = "N", value_parser = whole::<u64>("--seed 1"))]
    pub seed: Option<u64>,
    /// Maximum number of puzzles [default: 3; sheet: 6, at most 12; cards: 20]
    #[arg(long, value_name = "N", value_parser = whole::<u64>("--limit 10"))]
    pub limit: Option<u64>,
    /// Also show the solutions
    #[arg(long, conflicts_with_all = ["sheet", "format"])]
    pub solutions: bool,
    /// Draw a page to print (.svg, .png), and the solutions on a second page, FILE-solutions
    #[arg(long, value_name = "FILE", conflicts_with = "format")]
    pub sheet: Option<PathBuf>,
    #[command(flatten)]
    pub cards: CardArgs,
}

impl PuzzlesArgs {
    /// The request that these options describe.
    pub(super) fn request(&self, limit: u64) -> PuzzlesRequest {
        let order = self.seed.map_or(Order::ByIndex, Order::Random);
        let (kind, turns) = (self.kind, self.turns);
        PuzzlesRequest { position: None, to_move: Seat::First, kind, turns, order, limit }
    }
}

/// The effect of the right turn, to follow “that”.
pub(super) fn effect(kind: PuzzleKind) -> &'static str {
    match kind {
        PuzzleKind::Win => "wins",
        PuzzleKind::Save => "saves the game",
        PuzzleKind::Press => "leaves a single reply",
    }
}

/// The task of a puzzle as a sentence.
pub(super) fn task(kind: PuzzleKind, puzzle: &Puzzle) -> String {
    match (kind, puzzle.verdict.outcome, puzzle.verdict.turns) {
        (PuzzleKind::Press, ..) => {
            "Drawn: find the one turn that leaves the opponent a single reply that draws.".to_owned()
        }
        (_, "win", Some(turns)) => format!("Win in {turns}: find the one winning turn."),
        (_, "win", None) => "Won: find the one winning turn.".to_owned(),
        (_, "loss", Some(turns)) => format!("Lost in {turns}: find the one turn that holds out longest."),
        _ => "Drawn: find the one turn that does not lose.".to_owned(),
    }
}
