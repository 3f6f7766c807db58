//! `index`, `position` and `perft`: numberings, and the counting of turns.

use retrograde_explore::Numbered;
use serde_json::json;

use super::{Answer, print_json, say, with_game};
use crate::output::count;
use crate::progress::Bar;
use crate::{Context, Ended, Failure};

fn show(context: &Context, numbered: &Numbered, position_first: bool) -> Result<(), Failure> {
    if context.json {
        return print_json(numbered);
    }
    let index = numbered.index.map_or_else(|| "no index".to_owned(), |index| index.0.to_string());
    say(if position_first { numbered.position.clone() } else { index })?;
    for (name, value) in &numbered.further {
        say(match value.as_object() {
            None if value.is_null() => format!("{name}: none"),
            None => format!("{name}: {value}"),
            Some(fields) => {
                // A number and what belongs to it.
                let number = fields.get("index").map_or_else(String::new, ToString::to_string);
                let rest = fields.iter().filter(|(field, _)| *field != "index");
                let rest: String = rest.map(|(field, value)| format!(", {field}: {value}")).collect();
                format!("{name}: {number}{rest}")
            }
        })?;
    }
    Ok(())
}

pub(super) fn index(context: &Context, name: &str, position: &str, numbering: Option<&str>) -> Answer {
    with_game(context, name, |game| {
        show(context, &game.index(position, numbering)?, false)?;
        Ok(Ended::Well)
    })
}

/// A number as it was typed, decimal or hexadecimal, in decimal digits.
fn decimal(text: &str) -> Result<String, Failure> {
    let Some(digits) = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) else {
        return Ok(text.to_owned());
    };
    // Rust's own reading would take a sign too.
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

pub(super) fn position(context: &Context, name: &str, index: &str, numbering: Option<&str>) -> Answer {
    let decimal = decimal(index)?;
    with_game(context, name, |game| {
        show(context, &game.position(&decimal, numbering)?, true)?;
        Ok(Ended::Well)
    })
}

pub(super) fn perft(context: &Context, name: &str, position: Option<&str>, depth: u32) -> Answer {
    with_game(context, name, |game| {
        let position = game.canonical(position.unwrap_or(&game.start()))?;
        let bar = Bar::new();
        let leaves = game.perft(&position, depth, &bar)?;
        if context.json {
            let leaves = retrograde_explore::Count(leaves);
            print_json(
                &json!({"game": game.name(), "position": position, "depth": depth, "leaves": leaves}),
            )?;
        } else {
            say(format!("{} at depth {depth}", count(leaves, "leaf", "leaves")))?;
        }
        Ok(Ended::Well)
    })
}
