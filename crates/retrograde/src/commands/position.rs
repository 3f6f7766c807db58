//! `position`: shows the position with a given index.

use clap::Args;

use crate::args::NumberingArgs;
use crate::context::Context;
use crate::exit::{BoxError, CommandResult, Exit};
use crate::output::{further_lines, print_json, print_line};

/// The options of `position`.
#[derive(Args, Debug)]
pub(crate) struct PositionArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The index, decimal or hexadecimal with 0x
    index: String,
    #[command(flatten)]
    numbering: NumberingArgs,
}

pub(crate) fn run(context: &Context, args: &PositionArgs) -> CommandResult {
    let index = decimal(&args.index)?;
    context.with_game(&args.game, |game| {
        let numbered = game.position(&index, args.numbering.name())?;
        if context.json {
            print_json(&numbered)?;
        } else {
            print_line(&numbered.position)?;
            for line in further_lines(&numbered) {
                print_line(line)?;
            }
        }
        Ok(Exit::Success)
    })
}

/// Converts a decimal or hexadecimal number to decimal digits.
fn decimal(text: &str) -> Result<String, BoxError> {
    let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else {
        return Ok(text.to_owned());
    };
    // `from_str_radix` would accept a sign.
    if let Some(at) = digits.chars().position(|c| !c.is_ascii_hexdigit()) {
        let found = digits.chars().nth(at).unwrap_or(' ');
        return Err(format!(
            "index “{text}”: found '{found}' at character {}, expected a hexadecimal digit",
            at + 3
        )
        .into());
    }
    match u128::from_str_radix(digits, 16) {
        Ok(number) => Ok(number.to_string()),
        Err(_) if digits.is_empty() => {
            Err(format!("index “{text}”: ends too early, expected a hexadecimal digit").into())
        }
        Err(_) => Err(format!("index “{text}”: it is too large").into()),
    }
}
