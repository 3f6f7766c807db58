//! The message of `retrograde` without a command: three things to try.

use retrograde_explore::Registry;

/// A game that takes a second to solve.
const SMALL: &str = "touchdown";

/// A game of the program, for examples.
pub(crate) fn example(registry: &Registry) -> String {
    let families = &registry.families;
    let small = families.iter().any(|family| family.name == SMALL).then(|| SMALL.to_owned());
    let first = || families.iter().find_map(|family| family.examples.first()).cloned();
    small.or_else(first).unwrap_or_else(|| "GAME".to_owned())
}

/// The message for the games of a program.
pub(crate) fn welcome(registry: &Registry) -> String {
    let game = example(registry);
    let third = match cfg!(feature = "serve") {
        true => ("retrograde serve".to_owned(), "explore all games in the browser"),
        false => (format!("retrograde probe {game}"), "the value of every turn at the start"),
    };
    let to_try = [
        (format!("retrograde solve {game}"), "decide every position: who wins, and how"),
        (format!("retrograde play {game}"), "play against perfect play"),
        third,
    ];
    format!(
        "Retrograde finds perfect play in board games. Three things to try:\n\n{}\n\
         `retrograde games` lists the games, `retrograde --help` all commands.",
        aligned(&to_try)
    )
}

/// Lines with commands and what they do, in two columns.
pub(crate) fn aligned(commands: &[(String, &str)]) -> String {
    let wide = commands.iter().map(|(command, _)| command.chars().count()).max().unwrap_or(0);
    commands.iter().map(|(command, does)| format!("  {command:<wide$}   {does}\n")).collect()
}
