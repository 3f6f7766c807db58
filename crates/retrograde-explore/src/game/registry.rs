//! The games that a program knows, by name: a registry of families, each of which makes a game of a
//! name such as `tactics:5x4,line=3`. A newcomer's game joins by one more [`Registry::with`].

use std::io;
use std::path::Path;

use retrograde_game::{GameSpec, TextError, system_reason};

use crate::game::names::{nearest, tidied, with_colon};
use crate::{AnyGame, Error};

/// Reads the files that the name of a game may point to, such as a board. A server uses one that
/// reads nothing.
pub struct Loader {
    read: Box<Read>,
}

type Read = dyn Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync;

impl Loader {
    /// A longer file is no board.
    const MOST_BYTES: usize = 1 << 20;

    /// Reads with a function, which must not return more than is good for memory.
    pub fn new(read: impl Fn(&Path) -> io::Result<Vec<u8>> + Send + Sync + 'static) -> Loader {
        Loader { read: Box::new(read) }
    }

    /// Reads from the disk, of each file at most a little more than is allowed.
    pub fn disk() -> Loader {
        Loader::new(|path| {
            use std::io::Read;
            let mut bytes = Vec::new();
            std::fs::File::open(path)?.take(Loader::MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
            Ok(bytes)
        })
    }

    /// Reads nothing: every file is refused.
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
            .map_err(|error| failed(format!("it cannot be read: {}", system_reason(&error))))?;
        if bytes.len() > Loader::MOST_BYTES {
            return Err(failed("it is longer than 1 MiB".to_owned()));
        }
        String::from_utf8(bytes).map_err(|_| failed("it is not text (UTF-8)".to_owned()))
    }
}

/// Makes a game of a name.
pub type Parse = dyn Fn(GameSpec, &Loader) -> Result<Box<dyn AnyGame>, TextError> + Send + Sync;

/// Games that share a name before the colon.
pub struct Family {
    /// The name before the colon: `tactics`.
    pub name: String,
    /// A description in one sentence.
    pub summary: String,
    /// The forms that may follow the name, for help; empty if none may.
    pub forms: String,
    /// Names to try, canonical or not.
    pub examples: Vec<String>,
    /// Makes a game of a name whose first part is [`Family::name`].
    pub parse: Box<Parse>,
}

impl Family {
    /// A family; `parse` takes the board and the keys out of the name and refuses any remaining
    /// ones.
    pub fn new(
        name: impl Into<String>,
        summary: impl Into<String>,
        parse: impl Fn(GameSpec, &Loader) -> Result<Box<dyn AnyGame>, TextError> + Send + Sync + 'static,
    ) -> Family {
        Family {
            name: name.into(),
            summary: summary.into(),
            forms: String::new(),
            examples: Vec::new(),
            parse: Box::new(parse),
        }
    }

    /// Says what may follow the name.
    #[must_use]
    pub fn forms(mut self, forms: impl Into<String>) -> Family {
        self.forms = forms.into();
        self
    }

    /// Sets the example names.
    #[must_use]
    pub fn examples<T: Into<String>>(mut self, examples: impl IntoIterator<Item = T>) -> Family {
        self.examples = examples.into_iter().map(Into::into).collect();
        self
    }
}

/// The games that a program knows.
#[derive(Default)]
pub struct Registry {
    families: Vec<Family>,
}

impl Registry {
    /// Knows no game.
    pub fn new() -> Registry {
        Registry::default()
    }

    /// Knows a family too; one that is known by the same name is replaced.
    #[must_use]
    pub fn with(mut self, family: Family) -> Registry {
        match self.families.iter_mut().find(|known| known.name == family.name) {
            Some(known) => *known = family,
            None => self.families.push(family),
        }
        self
    }

    /// The families, in the order in which they joined.
    pub fn families(&self) -> &[Family] {
        &self.families
    }

    /// The game that has a name. Names may be written as people write them: `TOUCHDOWN:5x4`,
    /// `push fight`, `TouchDown 5 × 4`.
    ///
    /// # Errors
    /// If the name cannot be read, or no family has it: then with the names that are known, and the
    /// one that was perhaps meant.
    pub fn find(&self, name: &str, loader: &Loader) -> Result<Box<dyn AnyGame>, Error> {
        let failed = match self.find_exactly(name, loader) {
            Ok(game) => return Ok(game),
            Err(error) => error,
        };
        let tidied = tidied(name);
        // The error is about the name as it was typed, unless that has no family.
        let mut error = if tidied != name && self.family(&tidied).is_some() {
            match self.find_exactly(&tidied, loader) {
                Ok(game) => return Ok(game),
                Err(error) if self.family(name).is_none() => error,
                Err(_) => failed,
            }
        } else {
            failed
        };
        let titles = self.families.iter().filter_map(|family| with_colon(&tidied, &family.name));
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
        self.families.iter().find(|family| family.name == name)
    }

    /// The game that has exactly this name.
    fn find_exactly(&self, name: &str, loader: &Loader) -> Result<Box<dyn AnyGame>, TextError> {
        let spec = GameSpec::parse(name)?;
        if let Some(family) = self.family(spec.name()) {
            return (family.parse)(spec, loader);
        }
        let known: Vec<String> = self.families.iter().map(|family| format!("`{}`", family.name)).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        Err(spec.error(format!("no game is called `{}`; the games are {known}", spec.name())))
    }

    /// The name that was probably meant by one that no game has: a family that differs little, or,
    /// where the family is right, a board of its examples.
    fn meant(&self, name: &str) -> Option<String> {
        let is_game = |name: &String| self.find_exactly(name, &Loader::none()).is_ok();
        let head = name.find([':', ',']).unwrap_or(name.len());
        let (family, rest) = name.split_at(head);
        let Some(known) = self.family(family) else {
            let near = nearest(family, self.families.iter().map(|family| family.name.as_str()))?;
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
        let refuse = |spec: GameSpec, _: &Loader| -> Result<Box<dyn AnyGame>, TextError> {
            Err(spec.error(format!("{} is only named here", spec.text())))
        };
        Registry::new()
            .with(Family::new("tactics", "", refuse))
            .with(Family::new("touchdown", "", refuse).forms("WxH").examples(["touchdown:4x4"]))
            .with(Family::new("pushfight", "", refuse))
    }

    fn complaint(name: &str) -> String {
        registry().find(name, &Loader::none()).err().expect("an error").to_string()
    }

    #[test]
    fn near_misses_are_guessed() {
        for (miss, meant) in [
            ("tactic", "tactics"),
            ("TACTIC:4x4", "tactics"),
            ("toudhcown", "touchdown"),
            ("pusfight", "pushfight"),
        ] {
            let complaint = complaint(miss);
            assert!(complaint.contains(&format!("did you mean `{meant}`?")), "{complaint}");
        }
        let complaint = complaint("chess");
        assert!(complaint.contains("`tactics`, `touchdown`, `pushfight`"), "{complaint}");
        assert!(!complaint.contains("did you mean"), "{complaint}");
    }

    #[test]
    fn names_are_read_as_people_write_them() {
        for (typed, name) in [
            ("TOUCHDOWN:5x4", "touchdown:5x4"),
            ("Push Fight", "pushfight"),
            ("push-fight,moves=3", "pushfight,moves=3"),
        ] {
            let complaint = complaint(typed);
            assert!(complaint.contains(&format!("{name} is only named here")), "{complaint}");
        }
    }

    #[test]
    fn a_family_reads_its_own_names_and_the_last_of_a_name_stays() {
        assert!(complaint("tactics:4x4").contains("only named here"));
        assert!(complaint("tactics:").contains("after the colon"));
        let registry = registry().with(Family::new("tactics", "another", |spec, _| Err(spec.error("new"))));
        assert_eq!(registry.families().len(), 3);
        assert_eq!(registry.families()[0].summary, "another");
    }

    #[test]
    fn files_are_read_with_care() {
        let none = Loader::none().text(Path::new("a.board")).unwrap_err().to_string();
        assert!(none.contains("a.board") && none.contains("not read here"), "{none}");
        let long = Loader::new(|_| Ok(vec![b' '; (1 << 20) + 1]));
        assert!(long.text(Path::new("a")).unwrap_err().to_string().contains("longer"));
        let binary = Loader::new(|_| Ok(vec![0xff]));
        assert!(binary.text(Path::new("a")).unwrap_err().to_string().contains("UTF-8"));
        assert!(Loader::disk().text(Path::new("/surely/not/there")).is_err());
    }
}
