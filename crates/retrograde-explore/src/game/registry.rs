//! The games of a program by name: a registry of families, each of which parses names such as
//! `tactics:5x4,line=3`. [`Registry::with`] adds a family.

use std::error::Error as StdError;
use std::io;
use std::path::Path;
use std::sync::Arc;

use retrograde_game::{GameSpec, Grid, Show, TextError, decode_text, joined, system_reason};

use crate::game::names::{nearest, tidied, with_colon};
use crate::{AnyGame, Entry, Error};

/// Reads the files that the name of a game may point to, such as a board. A server uses one that
/// reads nothing.
pub struct Loader {
    read: Box<Read>,
}

type Read = dyn Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync;

impl Loader {
    /// The maximum size of a file in bytes.
    const MAX_BYTES: usize = 1 << 20;

    /// Reads with a function, which should limit the size of its results.
    pub fn new(read: impl Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync + 'static) -> Loader {
        Loader { read: Box::new(read) }
    }

    /// Reads from the disk, from each file at most slightly more than the limit.
    pub fn disk() -> Loader {
        Loader::new(|path| {
            use std::io::Read;
            let mut bytes = Vec::new();
            std::fs::File::open(path)?.take(Loader::MAX_BYTES as u64 + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        })
    }

    /// Does not read files: every name of a file gives an error.
    pub fn none() -> Loader {
        Loader::new(|_| Err(io::Error::new(io::ErrorKind::PermissionDenied, "files are not read here")))
    }

    /// The text of a file.
    ///
    /// # Errors
    /// If it cannot be read, is longer than a mebibyte or is not UTF-8. The error names the file.
    pub fn text(&self, path: &Path) -> Result<String, TextError> {
        let name = path.display().to_string();
        let failed = |reason: String| TextError::impossible("file", &name, reason);
        let bytes = (self.read)(path)
            .map_err(|error| failed(format!("cannot be read: {}", system_reason(&error))))?;
        if bytes.len() > Loader::MAX_BYTES {
            return Err(failed("it is longer than 1 MiB".to_owned()));
        }
        decode_text(bytes).map_err(|error| failed(error.to_string()))
    }
}

/// Makes a game from a name.
type Parse = dyn Fn(GameSpec, &Loader) -> Result<Arc<AnyGame>, TextError> + Send + Sync;

/// Games that share a name before the colon.
#[derive(Clone)]
#[must_use = "`Registry::with` adds it"]
pub struct Family {
    /// The name before the colon: `tactics`.
    pub name: String,
    /// Other names before the colon, which may mean other defaults: `tactix`.
    pub aliases: Vec<String>,
    /// A description in one sentence.
    pub summary: String,
    /// The forms that may follow the name, for help; empty if nothing may follow.
    pub forms: String,
    /// Names to try, canonical or not.
    pub examples: Vec<String>,
    /// Makes a game from a name whose first part is [`Family::name`] or an alias.
    parse: Arc<Parse>,
}

impl Family {
    /// A family; `parse` takes the board and the keys from the name and rejects any others.
    pub fn new(
        name: impl Into<String>,
        summary: impl Into<String>,
        parse: impl Fn(GameSpec, &Loader) -> Result<Arc<AnyGame>, TextError> + Send + Sync + 'static,
    ) -> Family {
        Family {
            name: name.into(),
            aliases: Vec::new(),
            summary: summary.into(),
            forms: String::new(),
            examples: Vec::new(),
            parse: Arc::new(parse),
        }
    }

    /// A family of one game on boards of different sizes, as in `connectfour:5x4`. A name without a
    /// board means `size`, columns and rows. `entry` makes the game for a board, or says why it
    /// cannot. Its title is `title` and the size.
    pub fn grid<G: Show + 'static>(
        name: impl Into<String>,
        title: impl Into<String>,
        summary: impl Into<String>,
        size: (u32, u32),
        entry: impl Fn(Grid) -> Result<Entry<G>, Box<dyn StdError>> + Send + Sync + 'static,
    ) -> Family {
        let title = title.into();
        let parse = move |spec: GameSpec, _: &Loader| {
            let grid = Grid::from_spec(&spec, size)?;
            let entry = entry(grid).map_err(|reason| spec.error(reason.to_string()))?;
            spec.finish(&[])?;
            Ok(entry.title(format!("{title} {} × {}", grid.columns(), grid.rows())).build())
        };
        Family::new(name, summary, parse).forms("[:CxR]   columns and rows")
    }

    /// Sets the forms that may follow the name.
    pub fn forms(mut self, forms: impl Into<String>) -> Family {
        self.forms = forms.into();
        self
    }

    /// Adds another name. `parse` sees in [`GameSpec::name`] which name was used; the games that it makes
    /// have names that begin with [`Family::name`].
    pub fn alias(mut self, name: impl Into<String>) -> Family {
        self.aliases.push(name.into());
        self
    }

    /// The name and the aliases.
    fn names(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.name).chain(&self.aliases).map(String::as_str)
    }

    /// Sets the example names.
    pub fn examples<T: Into<String>>(mut self, examples: impl IntoIterator<Item = T>) -> Family {
        self.examples = examples.into_iter().map(Into::into).collect();
        self
    }
}

/// The games that a program knows.
#[derive(Clone, Default)]
#[must_use]
pub struct Registry {
    /// The families, in the order in which they were added.
    pub families: Vec<Family>,
}

impl Registry {
    /// An empty registry.
    pub fn new() -> Registry {
        Registry::default()
    }

    /// Adds a family. Families need distinct names, which [`Registry::check`] verifies.
    pub fn with(mut self, family: Family) -> Registry {
        self.families.push(family);
        self
    }

    /// Checks that no name is ambiguous: neither two families (`TicTac` and `tic-tac` are the same
    /// name), nor two examples, nor an example and another family. Programs call this first.
    ///
    /// # Errors
    /// If a name is ambiguous; the error names both meanings.
    pub fn check(&self) -> Result<(), String> {
        let mut seen: Vec<(String, &str, &Family)> = Vec::new();
        let names = |family| Family::names(family).map(move |name| (name, family));
        for (name, family) in self.families.iter().flat_map(names) {
            let summary = &family.summary;
            let tidy = tidied(name);
            if tidy.is_empty() || tidy.contains([':', ',']) {
                return Err(format!(
                    "`{name}` ({summary}) cannot be the name of a game: a name needs letters or \
                     digits, and has no colon or comma, which begin the board and the options"
                ));
            }
            if let Some((_, first, known)) = seen.iter().find(|(known, ..)| *known == tidy) {
                return Err(format!(
                    "two games have the same name: `{first}` ({}) and `{name}` ({summary}); the name is the \
                     first argument of `Family::new`",
                    known.summary
                ));
            }
            seen.push((tidy, name, family));
        }
        self.families.iter().try_for_each(Registry::check_examples)
    }

    /// Checks that the examples of a family belong to it and are distinct.
    fn check_examples(Family { name: family, examples, .. }: &Family) -> Result<(), String> {
        for (number, example) in examples.iter().enumerate() {
            let tidy = tidied(example);
            let head = &tidy[..tidy.find([':', ',']).unwrap_or(tidy.len())];
            if head != tidied(family) {
                return Err(format!(
                    "`{example}` is an example of the game `{family}`, but its name does not begin with `{family}`"
                ));
            }
            if let Some(known) = examples[..number].iter().find(|known| tidied(known) == tidy) {
                return Err(format!(
                    "the game `{family}` has the same example twice: `{known}` and `{example}`"
                ));
            }
        }
        Ok(())
    }

    /// Finds a game by name. Other spellings are accepted: `TOUCHDOWN:5x4`, `push fight`,
    /// `TouchDown 5 × 4`.
    ///
    /// # Errors
    /// If the name is invalid or unknown. For an unknown name, the error lists the known
    /// names and suggests a similar one.
    pub fn find(&self, name: &str, loader: &Loader) -> Result<Arc<AnyGame>, Error> {
        let failed = match self.find_exactly(name, loader) {
            Ok(game) => return Ok(game),
            Err(error) => error,
        };
        let tidied = tidied(name);
        // The error refers to the name as typed, unless it has no family.
        let mut error = if tidied != name && self.family(&tidied).is_some() {
            match self.find_exactly(&tidied, loader) {
                Ok(game) => return Ok(game),
                Err(error) if self.family(name).is_none() => error,
                Err(_) => failed,
            }
        } else {
            failed
        };
        let names = self.families.iter().flat_map(Family::names);
        let titles = names.filter_map(|name| with_colon(&tidied, name));
        if let Some(game) = titles.filter_map(|title| self.find_exactly(&title, loader).ok()).next() {
            return Ok(game);
        }
        if error.suggestion.is_none() {
            error = error.meant(self.meant(&tidied));
        }
        Err(error.into())
    }

    /// The family that a name begins with.
    fn family(&self, name: &str) -> Option<&Family> {
        let name = &name[..name.find([':', ',']).unwrap_or(name.len())];
        let called = |is: &dyn Fn(&str) -> bool| self.families.iter().find(|family| family.names().any(is));
        called(&|known| known == name).or_else(|| called(&|known| tidied(known) == name))
    }

    /// The game with exactly this name.
    fn find_exactly(&self, name: &str, loader: &Loader) -> Result<Arc<AnyGame>, TextError> {
        let spec = GameSpec::parse(name)?;
        if let Some(family) = self.family(spec.name()) {
            return (family.parse)(spec, loader);
        }
        let known: Vec<String> = self.families.iter().map(|family| format!("`{}`", family.name)).collect();
        // The message begins with the whole text, so it does not repeat the name.
        Err(spec.error(match known.is_empty() {
            true => "there is no such game".to_owned(),
            false => format!("there is no such game; the games are {}", joined(&known, "and")),
        }))
    }

    /// Suggests a name for an unknown one: a similar family or, if the family is right, a board of
    /// its examples.
    fn meant(&self, name: &str) -> Option<String> {
        let is_game = |name: &String| self.find_exactly(name, &Loader::none()).is_ok();
        let head = name.find([':', ',']).unwrap_or(name.len());
        let (family, rest) = name.split_at(head);
        let Some(known) = self.family(family) else {
            let near = nearest(family, self.families.iter().flat_map(Family::names))?;
            return Some(format!("{near}{rest}")).filter(is_game).or_else(|| Some(near.to_owned()));
        };
        let board = rest.strip_prefix(':')?;
        let (board, keys) = board.split_at(board.find(',').unwrap_or(board.len()));
        let boards = known.examples.iter().filter_map(|example| {
            let board = example.strip_prefix(family)?.strip_prefix(':')?;
            (!board.contains(',')).then_some(board)
        });
        let near = nearest(board, boards)?;
        Some(format!("{family}:{near}{keys}")).filter(is_game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry {
        let refuse = |spec: GameSpec, _: &Loader| -> Result<Arc<AnyGame>, TextError> {
            Err(spec.error(format!("{} is only named here", spec.text())))
        };
        Registry::new()
            .with(Family::new("tactics", "", refuse).alias("tactix"))
            .with(Family::new("touchdown", "", refuse).forms("WxH").examples(["touchdown:4x4"]))
            .with(Family::new("pushfight", "", refuse))
    }

    fn complaint(name: &str) -> String {
        registry().find(name, &Loader::none()).err().expect("an error").to_string()
    }

    #[test]
    fn near_misses_get_a_suggestion() {
        for (miss, meant) in [
            ("tactic", "tactics"),
            ("TACTIC:4x4", "tactics"),
            ("toudhcown", "touchdown"),
            ("pusfight", "pushfight"),
        ] {
            let complaint = complaint(miss);
            assert!(complaint.contains(&format!("did you mean `{meant}`?")), "{complaint}");
        }
        assert!(complaint("taktix").contains("did you mean `tactix`?"));
        let complaint = complaint("chess");
        assert!(complaint.contains("`tactics`, `touchdown` and `pushfight`"), "{complaint}");
        assert!(!complaint.contains("did you mean"), "{complaint}");
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        for (typed, name) in [
            ("TOUCHDOWN:5x4", "touchdown:5x4"),
            ("Tac-Tix:6x6", "tactix:6x6"),
            ("Push Fight", "pushfight"),
            ("push-fight,moves=3", "pushfight,moves=3"),
        ] {
            let complaint = complaint(typed);
            assert!(complaint.contains(&format!("{name} is only named here")), "{complaint}");
        }
    }

    #[test]
    fn a_family_reads_its_own_names() {
        assert!(complaint("tactics:4x4").contains("only named here"));
        assert!(complaint("tactics:").contains("after the colon"));
        assert_eq!(registry().check(), Ok(()));
    }

    #[test]
    fn no_name_means_two_things() {
        let another = |name: &str| {
            Family::new(name, "another", |spec, _| -> Result<Arc<AnyGame>, TextError> {
                Err(spec.error("new"))
            })
        };
        for (known, same) in [("touchdown", "touchdown"), ("touchdown", "TouchDown"), ("tactix", "Tac-Tix")] {
            let message = registry().with(another(same)).check().unwrap_err();
            assert!(
                message.contains(&format!("`{known}`")) && message.contains(&format!("`{same}` (another)")),
                "{message}"
            );
        }
        for no_name in ["", " ", "go:9x9", "go,komi"] {
            let message = registry().with(another(no_name)).check().unwrap_err();
            assert!(message.contains("cannot be the name of a game"), "{message}");
        }
        let examples =
            |names: &[&str]| registry().with(another("go").examples(names.iter().copied())).check().err();
        assert_eq!(examples(&["go", "Go:9x9", "go,komi=7"]), None);
        assert!(examples(&["go", "touchdown:4x4"]).unwrap().contains("`touchdown:4x4` is an example"));
        assert!(examples(&["go:5x5", "go", "Go:5×5"]).unwrap().contains("`go:5x5` and `Go:5×5`"));
    }

    #[test]
    fn a_name_with_a_hyphen_is_found_as_people_write_it() {
        let family = Family::new("my-game", "", |spec, _| -> Result<Arc<AnyGame>, TextError> {
            Err(spec.error("it is mine"))
        });
        let registry = Registry::new().with(family);
        for typed in ["my-game", "mygame", "My Game", "MY-GAME"] {
            let message = registry.find(typed, &Loader::none()).err().expect("an error").to_string();
            assert!(message.contains("it is mine"), "{typed}: {message}");
        }
    }

    #[test]
    fn board_files_are_validated_when_read() {
        let none = Loader::none().text(Path::new("a.board")).unwrap_err().to_string();
        assert!(none.contains("a.board") && none.contains("not read here"), "{none}");
        let long = Loader::new(|_| Ok(vec![b' '; (1 << 20) + 1]));
        assert!(long.text(Path::new("a")).unwrap_err().to_string().contains("longer"));
        let binary = Loader::new(|_| Ok(vec![0xff]));
        assert!(binary.text(Path::new("a")).unwrap_err().to_string().contains("UTF-8"));
        assert!(Loader::disk().text(Path::new("/surely/not/there")).is_err());
    }
}
