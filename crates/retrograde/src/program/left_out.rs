//! Errors for commands and options that this program was built without, with the feature to enable.

use clap::error::{ContextKind, ContextValue, ErrorKind};

/// Commands and options that need a feature, and whether it is enabled.
const WORDS: [(&[&str], &str, bool); 3] = [
    (&["board", "mate", "reduce"], "games", cfg!(feature = "games")),
    (&["serve"], "serve", cfg!(feature = "serve")),
    (&["--hosts", "--key", "--process", "--processes", "--workers"], "cluster", cfg!(feature = "cluster")),
];

/// Explains a usage error if it comes from a missing feature.
pub(crate) fn reason(error: &clap::Error) -> Option<String> {
    let kind = match error.kind() {
        ErrorKind::InvalidSubcommand => ContextKind::InvalidSubcommand,
        ErrorKind::UnknownArgument => ContextKind::InvalidArg,
        _ => return None,
    };
    let Some(ContextValue::String(typed)) = error.get(kind) else { return None };
    let name = typed.split('=').next().unwrap_or(typed);
    let (_, feature, _) = WORDS.iter().find(|(words, _, enabled)| !enabled && words.contains(&name))?;
    Some(format!(
        "this program was built without `{typed}`: it needs the feature `{feature}` of the crate retrograde, \
         as in `cargo run --release --features retrograde/{feature} -- {typed}`"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::cli;

    #[test]
    fn only_missing_features_are_named() {
        for (words, feature) in [
            (&["retrograde", "serve"][..], "serve"),
            (&["retrograde", "mate", "a.board"], "games"),
            (&["retrograde", "solve", "nim", "--processes=2"], "cluster"),
        ] {
            let message = cli::program().try_get_matches_from(words).err().and_then(|error| reason(&error));
            let enabled = WORDS.iter().any(|(_, known, enabled)| *known == feature && *enabled);
            assert_eq!(message.is_some(), !enabled, "{words:?}: {message:?}");
            assert!(
                message.is_none_or(|message| message.contains(&format!("the feature `{feature}`"))),
                "{words:?}"
            );
        }
        let unknown = cli::program().try_get_matches_from(["retrograde", "sovle"]).unwrap_err();
        assert_eq!(reason(&unknown), None, "a typing error stays one");
    }
}
