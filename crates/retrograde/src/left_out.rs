//! Errors for commands and options that this program was built without, with the feature to enable.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// A word of the command line, and the feature that provides it.
type Word = (&'static str, &'static str);

/// Commands that need a feature.
const COMMANDS: [Word; 4] = [("board", "games"), ("mate", "games"), ("reduce", "games"), ("serve", "serve")];
/// Options that need a feature.
const OPTIONS: [Word; 5] = [
    ("--hosts", "cluster"),
    ("--key", "cluster"),
    ("--process", "cluster"),
    ("--processes", "cluster"),
    ("--workers", "cluster"),
];

/// The features of [`COMMANDS`] and [`OPTIONS`], and whether they are enabled.
const FEATURES: [(&str, bool); 3] = [
    ("games", cfg!(feature = "games")),
    ("serve", cfg!(feature = "serve")),
    ("cluster", cfg!(feature = "cluster")),
];

/// Whether a feature is enabled.
fn is_enabled(feature: &str) -> bool {
    FEATURES.contains(&(feature, true))
}

/// The feature that a word needs, if it is not enabled.
fn missing_feature(words: &[Word], typed: &str) -> Option<&'static str> {
    let typed = typed.split('=').next().unwrap_or(typed);
    words.iter().find(|(word, feature)| *word == typed && !is_enabled(feature)).map(|(_, feature)| *feature)
}

/// Explains a usage error if it comes from a missing feature.
pub(crate) fn reason(error: &clap::Error) -> Option<String> {
    let (kind, words) = match error.kind() {
        ErrorKind::InvalidSubcommand => (ContextKind::InvalidSubcommand, &COMMANDS[..]),
        ErrorKind::UnknownArgument => (ContextKind::InvalidArg, &OPTIONS[..]),
        _ => return None,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return None };
    let feature = missing_feature(words, typed)?;
    Some(format!(
        "this program was built without `{typed}`: it needs the feature `{feature}` of the crate retrograde, \
         as in `cargo run --release --features retrograde/{feature} -- {typed}`"
    ))
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::cli::Cli;

    #[test]
    fn only_missing_features_are_named() {
        for (words, feature) in [
            (&["retrograde", "serve"][..], "serve"),
            (&["retrograde", "mate", "a.board"], "games"),
            (&["retrograde", "solve", "nim", "--processes=2"], "cluster"),
        ] {
            let message = Cli::try_parse_from(words).err().and_then(|error| reason(&error));
            assert_eq!(message.is_some(), !is_enabled(feature), "{words:?}: {message:?}");
            assert!(
                message.is_none_or(|message| message.contains(&format!("the feature `{feature}`"))),
                "{words:?}"
            );
        }
        let unknown = Cli::try_parse_from(["retrograde", "sovle"]).unwrap_err();
        assert_eq!(reason(&unknown), None, "a typing error stays one");
    }
}
