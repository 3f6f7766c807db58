//! The games that a program knows, by name: a registry of families, each of which makes a game of a
//! name such as `tactics:5x4,line=3`. A newcomer's game joins by one more [`Registry::with`].

use std::io;
use std::path::Path;

use retrograde_game::{GameSpec, TextError, system_reason};

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

    /// The game that has a name.
    ///
    /// # Errors
    /// If the name cannot be read, or no family has it: then with the names that are known, and the
    /// one that was perhaps meant.
    pub fn find(&self, name: &str, loader: &Loader) -> Result<Box<dyn AnyGame>, Error> {
        let spec = GameSpec::parse(name)?;
        if let Some(family) = self.families.iter().find(|family| family.name == spec.name()) {
            return Ok((family.parse)(spec, loader)?);
        }
        let known: Vec<String> = self.families.iter().map(|family| format!("`{}`", family.name)).collect();
        let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
        let meant = self.nearest(spec.name()).map(|near| format!("; did you mean `{near}`?"));
        let reason = format!(
            "no game is called `{}`; the games are {known}{}",
            spec.name(),
            meant.unwrap_or_default()
        );
        Err(spec.error(reason).into())
    }

    /// The name that differs least, if it differs little.
    fn nearest(&self, name: &str) -> Option<&str> {
        let (distance, near) = self
            .families
            .iter()
            .map(|family| (distance(&name.to_lowercase(), &family.name), family.name.as_str()))
            .min()?;
        (distance <= near.chars().count().div_ceil(3)).then_some(near)
    }
}

/// The least number of letters to put in, leave out, replace or swap with the next to make one word
/// of the other (Damerau and Levenshtein, each letter touched once).
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().take(64).collect(), b.chars().take(64).collect());
    let mut table = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            table[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let mut least = (table[i - 1][j] + 1)
                    .min(table[i][j - 1] + 1)
                    .min(table[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    least = least.min(table[i - 2][j - 2] + 1);
                }
                least
            };
        }
    }
    table[a.len()][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry {
        let refuse = |spec: GameSpec, _: &Loader| -> Result<Box<dyn AnyGame>, TextError> {
            Err(spec.error("it is only named here"))
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
            ("Tactics:4x4", "tactics"),
            ("toudhcown", "touchdown"),
            ("push-fight,moves=3", "pushfight"),
        ] {
            let complaint = complaint(miss);
            assert!(complaint.contains(&format!("did you mean `{meant}`?")), "{complaint}");
        }
        let complaint = complaint("chess");
        assert!(complaint.contains("`tactics`, `touchdown`, `pushfight`"), "{complaint}");
        assert!(!complaint.contains("did you mean"), "{complaint}");
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
