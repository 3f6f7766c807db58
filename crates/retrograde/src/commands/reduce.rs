//! `reduce`: reduces Steiner trees and quantified formulas to Push Fight boards.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use retrograde_generalised::reductions::qbf::{Formula, MAX_EVALUATED, Reduction};
use retrograde_generalised::reductions::steiner::Instance;
use schemars::JsonSchema;
use serde::Serialize;

use crate::files::{read_text, write_file};
use crate::output::terminal::say;
use crate::output::{plural, print_line, reserve_output, show};
use crate::program::args::whole;
use crate::program::context::Context;
use crate::program::exit::CommandResult;

/// The maximum size of a list of points or a formula in bytes; no board is large enough for more.
const MAX_BYTES: u64 = 4_000_000;

/// Reduce Steiner trees and quantified formulas to Push Fight boards
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde reduce steiner '0,0 2,3 4,1'\n  \
                        retrograde reduce qbf formula.qdimacs --out formula.board")]
pub(crate) struct ReduceArgs {
    /// The action
    #[command(subcommand)]
    command: ReduceCommand,
}

/// The problems that `reduce` can convert to boards.
#[derive(Subcommand, Debug)]
pub(crate) enum ReduceCommand {
    /// Reduce points to a board where mate in one takes 3 moves more than the length of their
    /// shortest tree
    #[command(
        after_help = "Points must be distinct, with coordinates up to 1,000,000, and need a board of\n\
                      at most 1,000 rows and columns. Without --length there can be at most 14 points.\n\n\
                      Examples:\n  retrograde reduce steiner '0,0 2,3 4,1' --out points.board\n  \
                            retrograde reduce steiner '0,0 2,3' --length 4"
    )]
    Steiner {
        /// Points such as '0,0 2,3', a file with them, or `-` for standard input
        #[arg(allow_hyphen_values = true, value_parser = parse_points)]
        points: String,
        /// Ask whether there is a tree of length N; the board allows N + 3 moves [default: the length
        /// of the shortest tree]
        #[arg(long, value_parser = whole::<u64>(4))]
        length: Option<u64>,
        /// Write a .board file instead of printing it
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
    },
    /// Reduce a quantified formula to a position that the side to move wins if and only if the formula is
    /// true
    #[command(
        after_help = "Every variable needs a quantifier. A clause can have at most three different literals.\n\
                      There can be at most 1,000 variables, 1,000 clauses, and 1,000 rows and columns.\n\n\
                      Examples:\n  retrograde reduce qbf formula.qdimacs --out formula.board\n  \
                            retrograde reduce qbf formula.qdimacs --solve"
    )]
    Qbf {
        /// A .qdimacs file with at most three literals per clause, or `-` for standard input
        formula: String,
        /// Maximum number of moves in a turn before the push
        #[arg(long, default_value_t = 2, value_parser = whole::<usize>(2))]
        moves: usize,
        /// Write a .board file instead of printing it
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        /// Search for the winner of the position; only for small formulas
        #[arg(long)]
        solve: bool,
    },
}

/// Points may begin with a minus sign, but a mistyped option must not be read as points.
fn parse_points(text: &str) -> Result<String, String> {
    match text.strip_prefix('-') {
        Some(rest) if rest.starts_with(|c: char| c == '-' || c.is_alphabetic()) => {
            Err("unknown option; this command has --length and --out".to_owned())
        }
        _ => Ok(text.to_owned()),
    }
}

pub(crate) fn run(context: &Context, args: &ReduceArgs) -> CommandResult {
    match &args.command {
        ReduceCommand::Steiner { points, length, out } => steiner(context, points, *length, out.as_deref()),
        ReduceCommand::Qbf { formula, moves, out, solve } => {
            qbf(context, formula, *moves, out.as_deref(), *solve)
        }
    }
}

fn steiner(context: &Context, points: &str, length: Option<u64>, out: Option<&Path>) -> CommandResult {
    // Text with commas that begins like a number is a list of points, not a file name.
    let listed = points.trim().is_empty()
        || points.contains(',')
            && points.trim_start().starts_with(|c: char| c.is_ascii_digit() || "+-".contains(c))
            && !Path::new(points).exists();
    let text = if listed { points.to_owned() } else { read_text("list of points", points, MAX_BYTES)? };
    let instance = Instance::parse(&text)?;
    let shortest = length.is_none();
    let length = length.map_or_else(|| instance.least_length(), Ok)?;
    let reduced = instance.reduce(length)?;
    let points = plural(instance.points().len(), "point");
    let moves = plural(reduced.moves, "move");
    let description = if shortest {
        format!("{points}: the shortest tree has length {length}, so mate in one takes {moves}.")
    } else {
        format!(
            "{points}: mate in one takes up to {moves} if and only if there is a tree of length up to {length}."
        )
    };
    let (points, moves) = (instance.points().len(), reduced.moves);
    let answer = |place| Reduced::Steiner(ReducedSteiner { points, length, moves, place });
    finish(context, &reduced.board_file(), out, answer, &description)
}

fn qbf(context: &Context, path: &str, moves: usize, out: Option<&Path>, solve: bool) -> CommandResult {
    let formula = Formula::parse(&read_text("formula", path, MAX_BYTES)?)?;
    let reduction: Reduction = retrograde_generalised::reductions::qbf::reduce(&formula, moves)?;
    let (rows, columns) = (reduction.position.rows(), reduction.position.columns());
    let [variables, clauses] =
        [(formula.quantifiers().len(), "variable"), (formula.clauses().len(), "clause")]
            .map(|(n, what)| plural(n, what));
    let mut description = format!("{variables}, {clauses}: a board of {rows} rows and {columns} columns.");
    let (mut white_wins, mut is_true) = (None, None);
    if solve {
        let wins = reduction.solve()?.white_wins;
        white_wins = Some(wins);
        description.push_str(if wins {
            " The side to move wins: the formula is true."
        } else {
            " The side to move does not win: the formula is false."
        });
        if formula.quantifiers().len() <= MAX_EVALUATED {
            let holds = formula.evaluate()?;
            is_true = Some(holds);
            if holds != wins {
                return Err(format!(
                    "{description} But the formula is {holds}: this is a bug in the reduction"
                )
                .into());
            }
        }
    }
    let (variables, clauses) = (formula.quantifiers().len(), formula.clauses().len());
    let answer = |place| {
        Reduced::Formula(ReducedFormula {
            variables,
            clauses,
            moves,
            rows,
            columns,
            white_wins,
            is_true,
            place,
        })
    };
    finish(context, &reduction.board_file(), out, answer, &description)
}

/// A problem that was reduced to a board (`reduce`).
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub(crate) enum Reduced {
    /// A Steiner tree of points.
    Steiner(ReducedSteiner),
    /// A quantified formula.
    Formula(ReducedFormula),
}

/// The points that were reduced to a board (`reduce steiner`).
#[derive(Serialize, JsonSchema)]
#[schemars(extend("oneOf" = [{"required": ["board"]}, {"required": ["file"]}]))]
pub(crate) struct ReducedSteiner {
    /// The number of points.
    points: usize,
    /// The length of the tree in question.
    length: u64,
    /// Moves before the push: `length` + 3.
    moves: u64,
    /// The board.
    #[serde(flatten)]
    place: BoardPlace,
}

/// The quantified formula that was reduced to a board (`reduce qbf`).
#[derive(Serialize, JsonSchema)]
#[schemars(extend("oneOf" = [{"required": ["board"]}, {"required": ["file"]}]))]
pub(crate) struct ReducedFormula {
    /// The number of variables.
    variables: usize,
    /// The number of clauses.
    clauses: usize,
    /// The maximum number of moves in a turn before the push.
    moves: usize,
    /// Rows of the board.
    rows: usize,
    /// Columns of the board.
    columns: usize,
    /// With `--solve`: whether a search finds that the side to move wins.
    #[serde(skip_serializing_if = "Option::is_none")]
    white_wins: Option<bool>,
    /// With `--solve`: whether the formula is true, by trying all values.
    #[serde(rename = "true", skip_serializing_if = "Option::is_none")]
    is_true: Option<bool>,
    /// The board.
    #[serde(flatten)]
    place: BoardPlace,
}

/// Where the board is: here or in a file.
#[derive(Serialize, JsonSchema)]
pub(crate) struct BoardPlace {
    /// The text of the board file, unless it was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    /// The board file that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
}

/// Prints the board, or writes it to a file and prints a description.
fn finish(
    context: &Context,
    board: &str,
    out: Option<&Path>,
    answer: impl FnOnce(BoardPlace) -> Reduced,
    description: &str,
) -> CommandResult {
    reserve_output(out)?;
    match out {
        Some(out) => {
            write_file(out, board.as_bytes())?;
            let answer = answer(BoardPlace { board: None, file: Some(out.display().to_string()) });
            show(context, &answer, || print_line(format!("{description}\nWritten to “{}”.", out.display())))
        }
        None => show(context, &answer(BoardPlace { board: Some(board.to_owned()), file: None }), || {
            // Only the board goes to standard output, so that it can be piped into `mate`.
            say(description);
            print_line(board.trim_end())
        }),
    }
}
