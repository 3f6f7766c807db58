//! `new`: creates a crate for a new game that builds, solves and has tests.

use std::fs;
use std::path::{Path, PathBuf};

use clap::Args;
use retrograde_game::TextError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::output::{print_line, show};
use crate::program::context::Context;
use crate::program::exit::{BoxError, CommandResult};

/// The files of the new crate, with placeholders for names.
const FILES: [(&str, &str); 5] = [
    ("Cargo.toml", include_str!("../../template/Cargo.toml.in")),
    (".gitignore", include_str!("../../template/gitignore")),
    ("src/lib.rs", include_str!("../../template/src/lib.rs")),
    ("src/main.rs", include_str!("../../template/src/main.rs")),
    ("tests/promises.rs", include_str!("../../template/tests/promises.rs")),
];
/// A file that identifies the folder of Retrograde.
const MARK: &str = "crates/retrograde/Cargo.toml";
/// The maximum length of a name.
const MAX_LENGTH: usize = 40;
/// Keywords, standard crates and primitive types of Rust.
#[rustfmt::skip]
const RUST: [&str; 73] = [
    "abstract", "alloc", "as", "async", "await", "become", "bool", "box", "break", "char", "const", "continue",
    "core", "crate", "do", "dyn", "else", "enum", "extern", "f32", "f64", "false", "final", "fn", "for", "gen",
    "i128", "i16", "i32", "i64", "i8", "if", "impl", "in", "isize", "let", "loop", "macro", "match", "mod", "move",
    "mut", "override", "priv", "proc_macro", "pub", "ref", "return", "self", "static", "std", "str", "struct",
    "super", "test", "trait", "true", "try", "type", "typeof", "u128", "u16", "u32", "u64", "u8", "unsafe",
    "unsized", "use", "usize", "virtual", "where", "while", "yield",
];
/// Folders in Cargo's build directory.
const CARGO: [&str; 4] = ["build", "deps", "examples", "incremental"];
/// Device names of Windows. The names `com` and `lpt` are followed by a digit.
const WINDOWS: [&str; 4] = ["aux", "con", "nul", "prn"];

/// A new crate (`new`).
#[derive(Serialize, JsonSchema)]
pub(crate) struct NewGame<'a> {
    /// The folder of the crate, which has its name.
    folder: &'a str,
    /// The name of the game in it.
    game: &'a str,
    /// The files, relative to the folder.
    files: Vec<&'static str>,
}

/// Create a crate for your own game, ready to build, solve and test
#[derive(Args, Debug)]
#[command(
    after_help = "The crate contains the game three-in-a-row; docs/write-your-own-game.md explains how to\n\
                  turn it into your own game.\n\n\
                  Examples:\n  retrograde new my-game\n  \
                        retrograde new my-game --path ~/src/retrograde"
)]
pub(crate) struct NewArgs {
    /// The name of the crate and of its folder, such as my-game
    name: String,
    /// Retrograde's source folder [default: the current folder or a parent]
    #[arg(long, value_name = "DIR")]
    path: Option<PathBuf>,
}

pub(crate) fn run(context: &Context, args: &NewArgs) -> CommandResult {
    let names = Names::of(&args.name)?;
    let retrograde = toml_string(&retrograde_folder(args.path.as_deref())?)?;
    let folder = Path::new(&names.crate_name);
    fs::create_dir(folder).map_err(|error| -> BoxError {
        match error.kind() {
            std::io::ErrorKind::AlreadyExists => {
                format!("`{}` already exists; choose another name or remove it", folder.display()).into()
            }
            _ => format!("cannot create the folder `{}`: {error}", folder.display()).into(),
        }
    })?;
    if let Err(error) = write(folder, &names, &retrograde) {
        // The folder is new and contains nothing else.
        let _ = fs::remove_dir_all(folder);
        return Err(error);
    }
    let Names { crate_name, game, .. } = &names;
    let files = FILES.iter().map(|(file, _)| *file).collect();
    show(context, &NewGame { folder: crate_name, game, files }, || {
        print_line(format!(
            "{crate_name}/ contains the game three-in-a-row. Make it your own in src/lib.rs, then run:\n\n  \
         cd {crate_name}\n  \
         cargo test\n  \
         cargo run --release -- solve {game}\n\n\
         docs/write-your-own-game.md explains every part of it."
        ))
    })
}

/// The forms of a name.
struct Names {
    /// `my-game`: the crate and its folder.
    crate_name: String,
    /// `my_game`: the crate in Rust.
    module: String,
    /// `MyGame`: the type.
    type_name: String,
    /// `mygame`: the game.
    game: String,
}

impl Names {
    /// Reads a name.
    fn of(name: &str) -> Result<Names, TextError> {
        let unexpected = |at, expected| Err(TextError::unexpected("name", name, at, expected));
        for (at, letter) in name.chars().enumerate() {
            match letter {
                'a'..='z' => {}
                _ if at == 0 => return unexpected(at, "a lowercase letter, a to z"),
                '0'..='9' | '-' | '_' => {}
                _ => return unexpected(at, "lowercase letters, digits, `-` or `_`"),
            }
        }
        let module = name.replace('-', "_");
        if name.is_empty() {
            return unexpected(0, "a name, such as `my-game`");
        }
        let impossible = |reason: String| Err(TextError::impossible("name", name, reason));
        if name.len() > MAX_LENGTH {
            return impossible(format!("it is longer than {MAX_LENGTH} letters"));
        }
        if RUST.contains(&module.as_str()) {
            return impossible("this word is reserved by Rust".to_owned());
        }
        if CARGO.contains(&name) {
            return impossible("Cargo uses a folder of this name in its build directory".to_owned());
        }
        let numbered = |device: &str| {
            name.strip_prefix(device).is_some_and(|rest| matches!(rest.as_bytes(), [b'1'..=b'9']))
        };
        if WINDOWS.contains(&name) || numbered("com") || numbered("lpt") {
            return impossible("Windows does not allow files of this name".to_owned());
        }
        if module.starts_with("retrograde") {
            return impossible("names that begin with `retrograde` are reserved".to_owned());
        }
        let words = module.split('_').filter(|word| !word.is_empty());
        let capital = |word: &str| word[..1].to_ascii_uppercase() + &word[1..];
        let type_name: String = words.clone().map(capital).collect();
        if names_in_use().any(|used| used == type_name || used == module) {
            return impossible(format!(
                "the code of the new crate already uses the name `{type_name}` or `{module}`"
            ));
        }
        Ok(Names { crate_name: name.to_owned(), type_name, game: words.collect(), module })
    }
}

/// Names that the code of the new crate uses and that a game must not shadow: types, imports, and
/// the traits of the methods it calls.
fn names_in_use() -> impl Iterator<Item = &'static str> {
    const TRAITS: [&str; 4] = ["DoubleEndedIterator", "Into", "IntoIterator", "Iterator"];
    let sources = FILES.iter().filter(|(file, _)| file.ends_with(".rs")).map(|(_, text)| text);
    let code =
        sources.flat_map(|text| text.lines()).map(str::trim_start).filter(|line| !line.starts_with("//"));
    let named = code.flat_map(|line| {
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let used =
            move |word: &&str| line.starts_with("use ") || word.starts_with(|c: char| c.is_ascii_uppercase());
        words.filter(used).filter(|word| !["MyGame", "my_game"].contains(word))
    });
    named.chain(TRAITS)
}

/// The folder of Retrograde.
fn retrograde_folder(path: Option<&Path>) -> Result<PathBuf, BoxError> {
    let here = std::env::current_dir()?;
    match path {
        Some(path) if path.join(MARK).is_file() => Ok(std::path::absolute(path)?),
        Some(path) => Err(format!(
            "--path {}: this is not Retrograde's source folder: it has no `{MARK}`",
            path.display()
        )
        .into()),
        None => match here.ancestors().find(|folder| folder.join(MARK).is_file()) {
            Some(folder) => Ok(folder.to_owned()),
            None => Err(
                "Retrograde's source folder was not found; name it, as in `--path ../retrograde`. The new \
                         crate refers to it, because Retrograde's crates are not published in a registry"
                    .into(),
            ),
        },
    }
}

/// Escapes a path for a string in `Cargo.toml`.
fn toml_string(path: &Path) -> Result<String, BoxError> {
    match path.to_str() {
        Some(text) if !text.chars().any(char::is_control) => {
            Ok(text.replace('\\', "\\\\").replace('"', "\\\""))
        }
        _ => Err(format!("`{}` cannot be used in Cargo.toml", path.display()).into()),
    }
}

/// Writes the files with the names filled in.
fn write(folder: &Path, names: &Names, retrograde: &str) -> Result<(), BoxError> {
    // Names may contain placeholders, so these first become characters that no name has.
    let placeholders = [
        ("my-game", "\u{1}", &*names.crate_name),
        ("my_game", "\u{2}", &names.module),
        ("MyGame", "\u{3}", &names.type_name),
        ("mygame", "\u{4}", &names.game),
        ("RETROGRADE", "\u{5}", retrograde),
    ];
    for (file, text) in FILES {
        let mut text = (*text).to_owned();
        placeholders.iter().for_each(|(word, mark, _)| text = text.replace(word, mark));
        placeholders.iter().for_each(|(_, mark, name)| text = text.replace(mark, name));
        let path = folder.join(file);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_names_have_all_their_forms_and_others_give_a_reason() {
        let names = Names::of("my-2nd_game").unwrap();
        let forms = [&names.crate_name, &names.module, &names.type_name, &names.game];
        assert_eq!(forms, ["my-2nd_game", "my_2nd_game", "My2ndGame", "my2ndgame"]);
        for (name, reason) in [
            ("", "a name, such as"),
            ("My-game", "found 'M' at character 1"),
            ("2048", "found '2' at character 1"),
            ("my game", "found ' ' at character 3"),
            ("my/game", "found '/' at character 3"),
            ("spiel\u{e9}", "at character 6"),
            ("match", "reserved by Rust"),
            ("yield", "reserved by Rust"),
            ("proc-macro", "reserved by Rust"),
            ("u64", "reserved by Rust"),
            ("deps", "Cargo uses a folder"),
            ("incremental", "Cargo uses a folder"),
            ("com7", "Windows does not allow"),
            ("retrograde-game", "begin with `retrograde`"),
            ("option", "already uses the name `Option` or `option`"),
            ("grid", "already uses the name `Grid` or `grid`"),
            ("iterator", "already uses the name `Iterator` or `iterator`"),
            ("conformance", "or `conformance`"),
            ("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "longer than 40"),
        ] {
            let error = Names::of(name).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(reason), "{error}");
        }
    }

    #[test]
    fn valid_names_are_accepted() {
        for name in ["nim", "com", "com10", "builder", "my-deps", "tests", "pictures", "clap", "go", "chess"]
        {
            assert!(Names::of(name).is_ok(), "{name}");
        }
    }

    #[test]
    fn paths_are_quoted() {
        assert_eq!(toml_string(Path::new(r#"C:\a "b""#)).unwrap(), r#"C:\\a \"b\""#);
        assert!(toml_string(Path::new("a\nb")).is_err());
    }
}
