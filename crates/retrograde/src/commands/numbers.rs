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
        say(format!("{name}: {value}"))?;
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
