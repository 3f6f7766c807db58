//! Adapts the help to the games of the program: your own program has other games than Retrograde, so
//! its help must not mention Retrograde's.

use clap::{Arg, Command, CommandFactory};
use retrograde_explore::Registry;

use crate::cli::Cli;
use crate::output::{program_name, with_program_name};
use crate::welcome;

/// The families that the help of [`Cli`] mentions.
const MENTIONED: [&str; 3] = ["touchdown", "tactics", "pushfight"];
/// Sentences about these games, each with the text that replaces it if one of the games is missing.
const SENTENCES: [(&str, &str); 3] = [
    (
        "Without GAMES it solves tactics, touchdown and pushfight:mini.",
        "Without GAMES it solves some examples.",
    ),
    (" In Push Fight, a position counts if it or one of its\nsymmetric images can be reached.", ""),
    ("; or a format of the first complete solution of Push Fight: phase0, phase:N, merged or minimized", ""),
];

/// The command line of this program.
pub(crate) fn command(registry: &Registry) -> Command {
    let games = Games::of(registry);
    let command = Cli::command().name(program_name());
    if games.missing.is_empty() {
        return command;
    }
    let examples = welcome::aligned(&[
        (format!("retrograde solve {}", games.first), "solve it and show who wins"),
        (format!("retrograde probe {}", games.first), "the value of the start and of every turn"),
        (format!("retrograde play {}", games.first), "play against perfect play"),
    ]);
    let examples = with_program_name(&format!("Examples:\n{}", examples.trim_end()));
    games.describe(command).after_help(examples)
}

/// The games of a program, for its help.
struct Games {
    /// The families of [`MENTIONED`] that it does not have.
    missing: Vec<&'static str>,
    /// Names of two games for examples. They are equal if there is only one game.
    first: String,
    second: String,
}

impl Games {
    fn of(registry: &Registry) -> Games {
        let families = registry.families();
        let has = |name: &&str| families.iter().any(|family| family.name == *name);
        let mut examples =
            families.iter().map(|family| family.examples.first().unwrap_or(&family.name).clone());
        let first = examples.next().unwrap_or_else(|| "GAME".to_owned());
        let second = examples.next().unwrap_or_else(|| first.clone());
        Games { missing: MENTIONED.into_iter().filter(|name| !has(name)).collect(), first, second }
    }

    /// Adapts a command and its subcommands to these games.
    fn describe(&self, command: Command) -> Command {
        let after = command.get_after_help().map(ToString::to_string).unwrap_or_default();
        let about = command.get_about().map(ToString::to_string).unwrap_or_default();
        let about_board = [&about, &after].iter().any(|text| text.contains("Push Fight board"));
        // Commands for Push Fight boards still work, but are not listed.
        let hidden = about_board && self.missing.contains(&"pushfight");
        let command = if hidden { command.hide(true) } else { command };
        let command = match after.is_empty() {
            true => command,
            false => command.after_help(with_program_name(&self.examples(&after))),
        };
        command.mut_args(|arg| self.argument(arg)).mut_subcommands(|command| self.describe(command))
    }

    /// Adapts an option: its example becomes one of these games. Hides it if it is about a missing game.
    fn argument(&self, arg: Arg) -> Arg {
        let Some(help) = arg.get_help().map(ToString::to_string) else { return arg };
        let text = self.replaced(&self.sentences(&help));
        match self.is_about_missing(&text) {
            true => arg.hide(true),
            false if text == help => arg,
            false => arg.help(text),
        }
    }

    fn is_about_missing(&self, text: &str) -> bool {
        let names = if self.missing.contains(&"pushfight") { &["Push Fight"][..] } else { &[] };
        names.iter().chain(&self.missing).any(|name| text.contains(name))
    }

    /// Replaces the [`SENTENCES`] in a text that mentions a missing game.
    fn sentences(&self, text: &str) -> String {
        match self.is_about_missing(text) {
            true => SENTENCES.iter().fold(text.to_owned(), |text, (old, new)| text.replace(old, new)),
            false => text.to_owned(),
        }
    }

    /// Adapts the text after the options: examples of missing games become examples of these games, or
    /// are left out if they contain positions or turns.
    fn examples(&self, text: &str) -> String {
        let mut lines: Vec<String> = Vec::new();
        for line in self.sentences(text).lines() {
            let special =
                line.contains(['\'', '/']) || line.contains("--numbering") || line.contains("phase0");
            if self.is_about_missing(line) && special {
                continue;
            }
            let line = self.replaced(line);
            if line.is_empty() || !lines.contains(&line) {
                lines.push(line);
            }
        }
        let text = lines.join("\n");
        text.trim_end().trim_end_matches("Examples:").trim_end().to_owned()
    }

    /// Replaces the names of missing games in a line by names of these games.
    fn replaced(&self, line: &str) -> String {
        let mut words: Vec<String> = Vec::new();
        for word in line.split(' ') {
            let (name, after) = word.split_at(word.find([';', ' ']).unwrap_or(word.len()));
            let family = name.split([':', '.', ',']).next().unwrap_or_default();
            let word = match self.missing.contains(&family) {
                true if name.starts_with(&format!("{family}.")) => {
                    // A file: `touchdown.svg`.
                    name.replacen(family, self.first.split([':', ',']).next().unwrap_or_default(), 1)
                }
                true if family == "tactics" => format!("{}{after}", self.second),
                true => format!("{}{after}", self.first),
                false => word.to_owned(),
            };
            if word.is_empty() || words.last() != Some(&word) {
                words.push(word);
            }
        }
        words.join(" ")
    }
}
