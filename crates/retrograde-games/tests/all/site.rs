//! Writes a site while every file system call fails, one after the other. `site.json` never names a missing
//! file, and the next export completes the site.

use std::path::Path;
use std::sync::Arc;

use retrograde_explore::{AnyGame, Loader, Resources, SolveOptions};
use retrograde_solve::Silent;
use retrograde_table::site::{OpenedFiles, SITE_FORMAT, SiteFolder, SiteGame, SiteIndex};
use retrograde_table::testing::{Fault, FaultyStorage};
use retrograde_table::{DiskStorage, Storage, TableError, directory_name};

const GAMES: [&str; 2] = ["touchdown:3x3", "touchdown:4x3"];

fn game(name: &str) -> Arc<AnyGame> {
    retrograde_games::registry().find(name, &Loader::none()).unwrap()
}

/// Writes a site of one game, as the command does.
fn export(tables: &Path, out: &Path, name: &str, storage: Arc<dyn Storage>) -> Result<(), TableError> {
    let opened = OpenedFiles::of(Arc::new(DiskStorage));
    assert!(game(name).explore_in(Arc::new(opened.clone()), tables).unwrap().has_table());
    let sources = opened.in_directory(&tables.join(directory_name(name)));
    let folder = SiteFolder::new(storage, out);
    let files = folder.write_game(name, &sources, Some(4096), false, &mut |_| true)?;
    let game = SiteGame {
        game: name.to_owned(),
        board: None,
        folder: files.folder,
        files: files.files,
        puzzles: None,
        ahead: None,
        answers: Vec::new(),
        opening: None,
        summary: serde_json::Value::Null,
    };
    folder.write("a-0123456789abcdef.wasm", b"module")?;
    let module = "a-0123456789abcdef.wasm".to_owned();
    let program = "test".to_owned();
    let index = SiteIndex { format: SITE_FORMAT, program, module, workshop: None, games: vec![game] };
    folder.write_index(&index)?;
    folder.prune(&index, &[])?;
    Ok(())
}

/// Reads everything that the index of a site names. Returns the name of its game, if there is a site.
fn read(out: &Path) -> Option<String> {
    let folder = SiteFolder::new(Arc::new(DiskStorage), out);
    let index = Arc::new(folder.index().unwrap()?);
    let name = index.games[0].game.clone();
    let read = game(&name).explore_in(Arc::new(folder.games(index)), Path::new("")).unwrap();
    assert_eq!(read.verify(None, &Resources::new(1, None, &Silent)).unwrap().errors, Vec::<String>::new());
    Some(name)
}

#[test]
fn after_any_failure_a_site_names_only_files_that_exist() {
    let tables = retrograde_testkit::tempdir().unwrap();
    for name in GAMES {
        game(name).solve(tables.path(), &SolveOptions::default(), &Silent).unwrap();
    }
    for fault in [Fault::Once as fn(u64) -> Fault, Fault::Forever, Fault::Full] {
        let mut call = 0;
        loop {
            let out = retrograde_testkit::tempdir().unwrap();
            export(tables.path(), out.path(), GAMES[0], Arc::new(DiskStorage)).unwrap();
            let faulty = FaultyStorage::new(fault(call));
            let exported = export(tables.path(), out.path(), GAMES[1], Arc::new(faulty.clone()));
            let found = read(out.path()).expect("there was a site before");
            assert!(exported.is_err() || found == GAMES[1], "call {call}: an export that did nothing");
            export(tables.path(), out.path(), GAMES[1], Arc::new(DiskStorage)).unwrap();
            assert_eq!(read(out.path()).as_deref(), Some(GAMES[1]));
            if faulty.fired().is_none() {
                break;
            }
            call += 1;
        }
        assert!(call > 20, "only {call} calls");
    }
}

#[test]
fn other_files_of_the_folder_are_never_removed() {
    let tables = retrograde_testkit::tempdir().unwrap();
    game(GAMES[0]).solve(tables.path(), &SolveOptions::default(), &Silent).unwrap();
    let out = retrograde_testkit::tempdir().unwrap();
    let mine = [
        "CNAME",
        "mine.wasm.zst",
        "ahead/mine.json.gz",
        "assets/mine.js",
        "puzzles/mine.json",
        "tables/mine",
        "assets/a.b",
        "assets/team-pictures.png",
        "draft.tmp",
        "tables/x-0123456789abcdef",
    ];
    let old = [
        "b-0123456789abcdef.wasm.zst",
        "ahead/x-0123456789abcdef.json.gz",
        "openings/x-0123456789abcdef.bin.gz",
        "assets/page-AbCd_-12.js",
        "puzzles/x-0123456789abcdef.json",
        "site.json.tmp",
    ];
    for name in mine.iter().chain(&old) {
        let path = out.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, name).unwrap();
    }
    std::fs::create_dir_all(out.path().join("tables/old_game-0123456789abcdef")).unwrap();
    std::fs::create_dir(out.path().join("site.json.tmp.tmp")).unwrap();
    export(tables.path(), out.path(), GAMES[0], Arc::new(DiskStorage)).unwrap();
    assert!(mine.iter().all(|name| out.path().join(name).exists()));
    assert!(old.iter().all(|name| !out.path().join(name).exists()));
    assert!(!out.path().join("tables/old_game-0123456789abcdef").exists());
    assert_eq!(read(out.path()).as_deref(), Some(GAMES[0]));
}
