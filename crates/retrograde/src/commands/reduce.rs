//! `reduce`: Steiner trees and quantified formulas become boards.

use std::path::Path;

use retrograde_reductions::qbf::{Formula, MOST_EVALUATED, Reduction};
use retrograde_reductions::steiner::Instance;
use serde_json::json;

use super::board::{read, said};
use super::stats::write_file;
use super::{Answer, say};
use crate::cli::general::ReduceCommand;
use crate::output::plural;
use crate::{Context, Ended, Failure};

/// Bytes of a list of points, or of a formula: far more than a board has room for.
const LONGEST: u64 = 4_000_000;

pub(super) fn run(context: &Context, command: ReduceCommand) -> Answer {
    match command {
        ReduceCommand::Steiner { points, length, out } => steiner(context, &points, length, out.as_deref()),
        ReduceCommand::Qbf { formula, out, solve } => qbf(context, &formula, out.as_deref(), solve),
    }
}

fn steiner(context: &Context, points: &str, length: Option<u64>, out: Option<&Path>) -> Answer {
    // No file's name has a comma between numbers only.
    let listed = points.trim().is_empty()
        || points.contains(',') && points.chars().all(|c| c.is_ascii_digit() || "+-, \t\n".contains(c));
    let text = if listed { points.to_owned() } else { read("list of points", points, LONGEST)? };
    let instance = Instance::parse(&text)?;
    let shortest = length.is_none();
    let length = length.map_or_else(|| instance.least_length(), Ok)?;
    let reduced = instance.reduce(length)?;
    let points = plural(instance.points().len(), "point");
    let moves = plural(usize::try_from(reduced.moves)?, "move");
    let said = if shortest {
        format!("{points}: the shortest tree has length {length}, so mate in one takes {moves}.")
    } else {
        format!(
            "{points}: mate in one takes up to {moves} if and only if there is a tree of length up to {length}."
        )
    };
    let facts = json!({"points": instance.points().len(), "length": length, "moves": reduced.moves});
    finish(context, &reduced.board_file(), out, facts, &said)
}

fn qbf(context: &Context, path: &str, out: Option<&Path>, solve: bool) -> Answer {
    let formula = Formula::parse(&read("formula", path, LONGEST)?)?;
    let reduction: Reduction = retrograde_reductions::qbf::reduce(&formula)?;
    let (rows, columns) = (reduction.field.rows(), reduction.field.columns());
    let [variables, clauses] =
        [(formula.quantifiers().len(), "variable"), (formula.clauses().len(), "clause")]
            .map(|(n, what)| plural(n, what));
    let mut said = format!("{variables}, {clauses}: a board of {rows} × {columns}.");
    let mut facts = json!({"variables": formula.quantifiers().len(), "clauses": formula.clauses().len(),
        "rows": rows, "columns": columns});
    if solve {
        let wins = reduction.solve()?.white_wins;
        facts["white_wins"] = wins.into();
        said.push_str(if wins {
            " White wins: the formula is true."
        } else {
            " White does not win: the formula is false."
        });
        if formula.quantifiers().len() <= MOST_EVALUATED {
            let holds = formula.evaluate()?;
            facts["true"] = holds.into();
            if holds != wins {
                return Err(format!("{said} But it is {holds}: this is a fault of the reduction").into());
            }
        }
    }
    finish(context, &reduction.board_file(), out, facts, &said)
}

/// Prints the board, or writes it and says what it is.
fn finish(
    context: &Context,
    board: &str,
    out: Option<&Path>,
    mut facts: serde_json::Value,
    said_of_it: &str,
) -> Answer {
    match out {
        Some(out) => {
            write_file(out, board.as_bytes())?;
            facts["file"] = out.display().to_string().into();
            said(context, || facts, format!("{said_of_it}\nWritten to “{}”.", out.display()))
        }
        None if context.json => {
            facts["board"] = board.into();
            said(context, || facts, String::new())
        }
        None => {
            // The board alone goes to standard output, so that it can be piped into `mate`.
            eprint_line(said_of_it)?;
            say(board.trim_end())?;
            Ok(Ended::Well)
        }
    }
}

fn eprint_line(text: &str) -> Result<(), Failure> {
    use std::io::Write;
    Ok(writeln!(std::io::stderr(), "{text}")?)
}
