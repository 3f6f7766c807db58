//! The options of `puzzles`.

use std::path::PathBuf;

use clap::Args;
use retrograde_explore::{Error, OpenGame, Puzzle, PuzzleKind, PuzzleQuery, PuzzleTurns, Verdict};

use crate::files::cards::CardArgs;
use crate::program::args::{number, whole, word};

/// Find positions with exactly one good turn
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde puzzles {game} --turns 7\n  \
                        retrograde puzzles {game} --kind save --solutions\n  \
                        retrograde puzzles {game} --turns 5 --seed 1 --sheet sheet.svg")]
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
    /// Only puzzles that end in N turns [default: any N, but 1 only if there are no others]
    #[arg(long, value_parser = number::<u16>(0..=65_535, 7))]
    pub turns: Option<u16>,
    /// Choose puzzles at random with this seed [default: in index order]
    #[arg(long, value_parser = whole::<u64>(1))]
    pub seed: Option<u64>,
    /// Maximum number of puzzles [default: 3; sheet: 6, at most 12; cards: 20]
    #[arg(long, value_parser = number::<u64>(1..=u64::MAX, 10))]
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
    /// The query that these options describe.
    pub(super) fn query(&self, limit: u64) -> PuzzleQuery {
        let turns = self.turns.map_or(PuzzleTurns::Several, PuzzleTurns::Exactly);
        PuzzleQuery { kind: self.kind, turns, random: self.seed, limit }
    }

    /// The puzzles that these options describe.
    pub(super) fn puzzles(&self, game: &OpenGame, limit: u64) -> Result<Vec<Puzzle>, Error> {
        let mut puzzles = Vec::new();
        game.puzzles(&self.query(limit), &mut |puzzle| {
            puzzles.push(puzzle);
            Ok(true)
        })?;
        Ok(puzzles)
    }
}

/// The effect of the right turn, to follow “that”.
pub(super) fn effect(kind: PuzzleKind, verdict: Verdict) -> &'static str {
    match kind {
        PuzzleKind::Win => "wins",
        PuzzleKind::Save if verdict.outcome == "loss" => "delays the loss longest",
        PuzzleKind::Save => "avoids a loss",
        PuzzleKind::Press => "leaves the opponent a single reply that draws",
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
