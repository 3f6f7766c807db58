//! `index` and `position`: the index of a position, and the position with an index.

use clap::Args;
use retrograde_explore::NumberedPosition;

use crate::output::{print_line, show};
use crate::program::args::NumberingArgs;
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// Show the index of a position
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde index touchdown 'OOOO/..../..../XXXX'\n  \
                        retrograde index touchdown --numbering 24-bit '..O./.OX./O..X/X...'")]
pub(crate) struct IndexArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The position
    position: String,
    #[command(flatten)]
    numbering: NumberingArgs,
}

/// Show the position with a given index
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  retrograde position {game} 15\n  \
                        retrograde position touchdown --numbering 24-bit 0x341964")]
pub(crate) struct PositionArgs {
    /// A game or variant; `games` lists them
    game: String,
    /// The index, decimal or hexadecimal with 0x
    index: String,
    #[command(flatten)]
    numbering: NumberingArgs,
}

/// Shows the index of a position.
pub(crate) fn run(context: &Context, args: &IndexArgs) -> CommandResult {
    let game = &*context.open(&args.game)?;
    let numbered = game.index(&args.position, args.numbering.name())?;
    let index =
        numbered.index.map_or_else(|| "This position has no index.".to_owned(), |index| index.0.to_string());
    show_numbered(context, &numbered, &index)
}

/// Shows the position with an index.
pub(crate) fn show_position(context: &Context, args: &PositionArgs) -> CommandResult {
    let index = decimal(&args.index)?;
    let game = &*context.open(&args.game)?;
    let numbered = game.position(&index, args.numbering.name())?;
    show_numbered(context, &numbered, &numbered.position)
}

/// Prints what was asked for, and the additional numbers of the position, one per line.
fn show_numbered(context: &Context, numbered: &NumberedPosition, wanted: &str) -> CommandResult {
    let line = |(name, value): (&String, &serde_json::Value)| match value.as_object() {
        None if value.is_null() => format!("{name}: none"),
        None => format!("{name}: {value}"),
        Some(fields) => {
            // The index comes first.
            let number = fields.get("index").map_or_else(String::new, ToString::to_string);
            let rest = fields.iter().filter(|(field, _)| *field != "index");
            let rest: String = rest.map(|(field, value)| format!(", {field}: {value}")).collect();
            format!("{name}: {number}{rest}")
        }
    };
    show(context, numbered, || {
        print_line(wanted)?;
        numbered.further.iter().try_for_each(|further| print_line(line(further)))
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
