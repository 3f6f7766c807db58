//! Completes the help with a game of the program. Your own program has other games than Retrograde, so
//! its help must not mention Retrograde's.

use clap::Command;
use retrograde_explore::Registry;

use super::args::with_value_name;
use super::cli;
use super::welcome;
use crate::output::{program_name, with_program_name};

/// The families that the help mentions, as it writes them.
const MENTIONED: [(&str, &[&str]); 3] =
    [("touchdown", &["touchdown"]), ("tactics", &["tactics"]), ("pushfight", &["pushfight", "Push Fight"])];

/// The command line of this program.
pub(crate) fn command(registry: &Registry) -> Command {
    let game = welcome::example(registry);
    let examples = welcome::aligned(&[
        ("retrograde solve {game}".to_owned(), "solve it and show who wins"),
        ("retrograde probe {game}".to_owned(), "the value of the start and of every turn"),
        ("retrograde play {game}".to_owned(), "play against perfect play"),
    ]);
    let has = |name: &str| registry.families.iter().any(|family| family.name == name);
    let missing = MENTIONED.iter().filter(|(name, _)| !has(name)).flat_map(|(_, words)| *words);
    let missing: Vec<&str> = missing.copied().collect();
    let command = cli::program().name(program_name()).after_help(format!("Examples:\n{examples}"));
    complete(command, &game, &missing)
}

/// Completes the examples of a command and its subcommands with the game. Leaves out lines that mention
/// missing games, and does not list commands and options that are about them; they still work.
fn complete(command: Command, game: &str, missing: &[&str]) -> Command {
    let is_about_missing = |text: &str| missing.iter().any(|word| text.contains(word));
    let text = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let lines: Vec<&str> = text.lines().filter(|line| !is_about_missing(line)).collect();
    let text = lines.join("\n").replace("{game}", game);
    // There may be no example left.
    let text = text.trim_end().trim_end_matches("Examples:").trim_end();
    let mut command = command.after_help(with_program_name(text));
    if command.get_about().is_some_and(|about| is_about_missing(&about.to_string())) {
        command = command.hide(true);
    }
    let complete_argument = |arg: clap::Arg| {
        // A negative number is a value, perhaps a wrong one, rather than an unknown option.
        let takes_values = arg.get_action().takes_values();
        let arg = with_value_name(arg).allow_negative_numbers(takes_values);
        let hidden = arg.get_help().is_some_and(|help| is_about_missing(&help.to_string()));
        if hidden { arg.hide(true) } else { arg }
    };
    command.mut_args(complete_argument).mut_subcommands(|command| complete(command, game, missing))
}
