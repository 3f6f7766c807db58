//! The conformance kit for registries, like the one for games in `retrograde-game`. For tests: its check
//! panics with a description of the problem.

use std::collections::BTreeMap;

use crate::{Loader, Registry};

/// Checks a registry and all its examples. Call it in a test of the program with the registry:
///
/// - names are unique ([`Registry::check`]), and each family has an example, for error messages and for
///   commands without the name of a game;
/// - each example is found, also by the game's own name (`Game::name`), which tables and users use;
/// - no two examples are the same game.
///
/// ```
/// use retrograde_explore::{Registry, conformance};
///
/// conformance::check_registry(&Registry::new());
/// ```
///
/// # Panics
/// If any of these does not hold.
pub fn check_registry(registry: &Registry) {
    if let Err(fault) = registry.check() {
        panic!("{fault}");
    }
    let mut names = BTreeMap::new();
    for family in &registry.families {
        assert!(!family.examples.is_empty(), "the family `{}` has no example", family.name);
        for example in &family.examples {
            let game = match registry.find(example, &Loader::none()) {
                Ok(game) => game,
                Err(error) => panic!("the example `{example}` of `{}` is not found: {error}", family.name),
            };
            let about = game.about();
            match registry.find(&about.game, &Loader::none()) {
                Ok(again) => assert_eq!(
                    again.about(),
                    about,
                    "`{example}` calls itself `{}`, and this name finds another game",
                    about.game
                ),
                Err(error) => panic!(
                    "`{example}` calls itself `{}` (`Game::name`), a name that finds no game: {error}",
                    about.game
                ),
            }
            if let Some(other) = names.insert(about.game.clone(), example.clone()) {
                panic!("the examples `{other}` and `{example}` are one game, `{}`", about.game);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::catch_unwind;
    use std::sync::Arc;

    use retrograde_game::{GameSpec, TextError};

    use super::*;
    use crate::testing::Heaps;
    use crate::{AnyGame, Entry, Family};

    /// A family whose games have the given names; boards other than `1` and `2` are rejected.
    fn heaps(examples: &[&str], called: fn(&GameSpec) -> String) -> Registry {
        let parse = move |spec: GameSpec, _: &Loader| -> Result<Arc<AnyGame>, TextError> {
            if !matches!(spec.board(), None | Some("1" | "2")) {
                return Err(spec.error("there is one heap or two"));
            }
            Ok(Entry::new(Heaps { name: called(&spec) }, "").build())
        };
        Registry::new().with(Family::new("heaps", "", parse).examples(examples.iter().copied()))
    }

    fn complaint(registry: Registry) -> Option<String> {
        let checked = catch_unwind(std::panic::AssertUnwindSafe(|| check_registry(&registry)));
        checked.err().map(|message| message.downcast_ref::<String>().cloned().unwrap_or_default())
    }

    #[test]
    fn names_find_their_games() {
        let as_asked = |spec: &GameSpec| spec.text().to_owned();
        assert_eq!(complaint(heaps(&["heaps", "heaps:1"], as_asked)), None);
        for (registry, expected) in [
            (heaps(&[], as_asked), "no example"),
            (heaps(&["heaps", "Heaps"], as_asked), "the same example twice"),
            (heaps(&["heaps:3"], as_asked), "`heaps:3` of `heaps` is not found"),
            (heaps(&["heaps:1"], |_| "heap".to_owned()), "calls itself `heap` (`Game::name`)"),
            (heaps(&["heaps:1", "heaps:2"], |_| "heaps".to_owned()), "are one game, `heaps`"),
            (
                heaps(&["heaps:1"], |spec| match spec.board() {
                    Some("1") => "heaps:2".to_owned(),
                    _ => "heaps:1".to_owned(),
                }),
                "finds another game",
            ),
        ] {
            let message = complaint(registry).expect(expected);
            assert!(message.contains(expected), "{message}");
        }
    }
}
