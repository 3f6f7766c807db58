//! `index`, `position` and `perft`: numberings, and the counting of turns.

use retrograde_explore::Numbered;
use serde_json::json;

use super::{Answer, print_json, say, with_game};
use crate::output::thousands;
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

pub(super) fn position(context: &Context, name: &str, index: &str, numbering: Option<&str>) -> Answer {
    let decimal = match index.strip_prefix("0x").map(|digits| u128::from_str_radix(digits, 16)) {
        Some(Ok(number)) => number.to_string(),
        _ => index.to_owned(),
    };
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
            say(format!("{} leaves at depth {depth}", thousands(leaves)))?;
        }
        Ok(Ended::Well)
    })
}
