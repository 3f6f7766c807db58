//! The games that a page can hold. They are only looked at here, so no solver comes with them.

use std::sync::Arc;

use retrograde_explore::{Entry, Error, Family, Loader, Registry, Subject};
use retrograde_pushfight::PushFight;
use retrograde_tactics::Tactics;
use retrograde_touchdown::TouchDown;

/// The game of a name.
pub(crate) fn named(name: &str) -> Result<Arc<dyn Subject>, Error> {
    let registry = Registry::new()
        .with(Family::new("tactics", "", |spec, _| {
            Ok(Entry::new(Tactics::from_spec(spec)?, "").dense().graded().boxed())
        }))
        .with(Family::new("touchdown", "", |spec, _| {
            let game = TouchDown::from_spec(spec)?;
            let numbered = game.has_numbering();
            let entry = Entry::new(game, "").graded();
            Ok(if numbered { entry.dense() } else { entry }.boxed())
        }))
        .with(Family::new("pushfight", "", |spec, loader| {
            let load =
                |path: &str| loader.text(std::path::Path::new(path)).map_err(|error| error.to_string());
            let game = PushFight::from_spec(spec, &load)?;
            let numbered = game.has_numbering();
            let entry = Entry::new(game, "");
            Ok(if numbered { entry.dense() } else { entry }.boxed())
        }));
    Ok(Arc::from(registry.find(name, &Loader::none())?))
}
