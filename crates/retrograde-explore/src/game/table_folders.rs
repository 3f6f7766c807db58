//! The folders with tables: the ones a user named, or `tables` in the current folder.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use retrograde_game::system_reason;

use crate::store::open::games_in;
use crate::{AnyGame, Error, OpenGame, SolveOptions};

/// Folders with tables, in the order in which they are searched. New tables go to the first one.
#[derive(Clone, Debug)]
pub struct TableFolders {
    /// At least one.
    folders: Vec<PathBuf>,
    /// The option, variable or argument that named them; `None` for the default.
    named_by: Option<&'static str>,
}

impl Default for TableFolders {
    /// The folder `tables` in the current one. It may be missing.
    fn default() -> TableFolders {
        TableFolders::one("tables")
    }
}

impl TableFolders {
    /// The environment variable that names folders, separated as in `PATH`.
    pub const VARIABLE: &'static str = "RETROGRADE_TABLES";

    /// The folders, at least one.
    pub fn all(&self) -> &[PathBuf] {
        &self.folders
    }

    /// A single folder. It may be missing.
    pub fn one(folder: impl Into<PathBuf>) -> TableFolders {
        TableFolders { folders: vec![folder.into()], named_by: None }
    }

    /// The folders in `lists`, each a folder or several separated as in `PATH`. `named_by` is the
    /// option or argument that gave them. Without any, [`TableFolders::VARIABLE`] names them, else it
    /// is `tables`.
    ///
    /// A folder that exists, and the address of a site, is never split.
    pub fn choose<P: AsRef<OsStr>>(lists: &[P], named_by: &'static str) -> TableFolders {
        let folders = lists.iter().flat_map(|list| split(list.as_ref())).collect();
        TableFolders::named(folders, named_by)
    }

    /// As [`TableFolders::choose`], with paths that are never split.
    pub fn named(folders: Vec<PathBuf>, named_by: &'static str) -> TableFolders {
        if !folders.is_empty() {
            return TableFolders { folders, named_by: Some(named_by) };
        }
        match env::var_os(TableFolders::VARIABLE).map(|list| split(&list)) {
            Some(folders) if !folders.is_empty() => {
                TableFolders { folders, named_by: Some(TableFolders::VARIABLE) }
            }
            _ => TableFolders::default(),
        }
    }

    /// The folder that new tables are written to.
    pub fn first(&self) -> &Path {
        &self.folders[0]
    }

    /// Checks that every named folder exists.
    ///
    /// # Errors
    /// Names the folder that does not, and the option or variable it comes from.
    pub fn check(&self) -> Result<(), Error> {
        self.check_from(0)
    }

    /// [`TableFolders::check`] without the folders before number `from`.
    fn check_from(&self, from: usize) -> Result<(), Error> {
        let Some(named_by) = self.named_by else { return Ok(()) };
        for folder in &self.folders[from..] {
            let reason = match fs::metadata(folder) {
                Ok(data) if data.is_dir() => continue,
                Ok(_) => format!("“{}” is not a folder", folder.display()),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    format!("there is no folder “{}”", folder.display())
                }
                Err(error) => format!("cannot open “{}”: {}", folder.display(), system_reason(&error)),
            };
            let text = format!("{named_by}: {reason}");
            return Err(io::Error::new(io::ErrorKind::NotFound, text).into());
        }
        Ok(())
    }

    /// The folder in which to solve a game: the one with its table, or the first one if there is no
    /// table or it is to be replaced. It may be missing.
    ///
    /// # Errors
    /// As [`TableFolders::check`] and [`TableFolders::of`].
    pub fn for_solving(&self, game: &Arc<AnyGame>, options: &SolveOptions) -> Result<&Path, Error> {
        self.check_from(1)?;
        if options.again {
            return Ok(self.first());
        }
        self.of_those(|folder| match game.explore(folder) {
            Ok(open) => Ok(open.has_table()),
            // A solve says what is wrong with this table, and repairs it if possible.
            Err(Error::Table(_)) => Ok(true),
            Err(error) => Err(error),
        })
    }

    /// The folder with the table of a game; the first one if none has it.
    ///
    /// # Errors
    /// As [`AnyGame::explore`].
    pub fn of(&self, game: &Arc<AnyGame>) -> Result<&Path, Error> {
        self.of_those(|folder| Ok(game.explore(folder)?.has_table()))
    }

    /// The first of several folders that has a table; the first one if none has.
    fn of_those(&self, has_table: impl Fn(&Path) -> Result<bool, Error>) -> Result<&Path, Error> {
        if self.folders.len() > 1 {
            for folder in &self.folders {
                if has_table(folder)? {
                    return Ok(folder);
                }
            }
        }
        Ok(self.first())
    }

    /// Opens a game with the first table found.
    ///
    /// # Errors
    /// As [`TableFolders::of`].
    pub fn explore(&self, game: &Arc<AnyGame>) -> Result<OpenGame, Error> {
        game.explore(self.of(game)?)
    }

    /// The names of the games that have tables in any folder. A name may be unknown to the registry.
    pub fn games(&self) -> Vec<String> {
        let mut names: Vec<String> = Vec::new();
        for name in self.folders.iter().flat_map(|folder| games_in(folder)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }
}

/// The folders of a list.
fn split(list: &OsStr) -> Vec<PathBuf> {
    let is_address = list.to_str().is_some_and(|text| text.contains("://"));
    if is_address || Path::new(list).is_dir() {
        return vec![PathBuf::from(list)];
    }
    env::split_paths(list).filter(|folder| !folder.as_os_str().is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_split_as_in_path_unless_the_whole_is_a_folder() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let list = env::join_paths([path("a"), PathBuf::new(), path("b")]).unwrap();
        let folders = TableFolders::choose(&[list, path("c").into()], "--tables");
        assert_eq!(folders.folders, [path("a"), path("b"), path("c")]);
        assert_eq!(folders.first(), path("a"));
        let with_colon = path("pushfight:mini");
        fs::create_dir(&with_colon).unwrap();
        assert_eq!(TableFolders::choose(&[&with_colon], "--tables").folders, [with_colon]);
        let site = "https://example.org:80/x";
        assert_eq!(TableFolders::choose(&[site], "--tables").folders, [Path::new(site)]);
    }

    #[test]
    fn a_folder_that_was_named_must_exist() {
        let folder = retrograde_testkit::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::write(path("file"), "").unwrap();
        for (name, reason) in [("typo", "there is no folder"), ("file", "is not a folder")] {
            let folders = TableFolders::choose(&[folder.path(), &path(name)], "--tables");
            let error = folders.check().unwrap_err().to_string();
            assert!(error.contains(reason) && error.contains(name) && error.contains("--tables"), "{error}");
        }
        assert!(TableFolders::default().check().is_ok(), "the default folder may be missing");
    }
}
