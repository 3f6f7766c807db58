//! Compares files on a site, whole and split, with the same bytes in memory.

use std::collections::BTreeMap;
use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use parking_lot::Mutex;
use proptest::prelude::*;

use super::*;
use crate::error::TableError;
use crate::site::{SITE_FORMAT, SiteExtra};
use crate::storage::read_up_to;

/// A site in memory that records requests.
#[derive(Debug, Default)]
struct Host {
    files: BTreeMap<String, Vec<u8>>,
    prepared: Mutex<Vec<(Piece, Range<u64>)>>,
}

impl Fetch for Host {
    fn fetch(&self, piece: &Piece, range: Range<u64>) -> io::Result<Vec<u8>> {
        assert!(range.start < range.end && range.end <= piece.bytes, "{range:?} of {piece:?}");
        let missing = || io::Error::new(io::ErrorKind::NotFound, format!("404 for {}", piece.path));
        let file = self.files.get(&piece.path).ok_or_else(missing)?;
        let end = file.len().min(range.end as usize);
        Ok(file.get(range.start as usize..end).unwrap_or_default().to_vec())
    }

    fn prepare(&self, ranges: &[(Piece, Range<u64>)]) -> io::Result<()> {
        self.prepared.lock().extend_from_slice(ranges);
        Ok(())
    }
}

const FOLDER: &str = "tables/nim_3-0123456789abcdef";

fn file(name: &str, bytes: u64, piece: Option<u64>) -> SiteFile {
    SiteFile { name: name.to_owned(), bytes, piece, digest: "0".repeat(64) }
}

fn index(files: Vec<SiteFile>) -> SiteIndex {
    let game = SiteGame {
        game: "nim:3".to_owned(),
        board: None,
        folder: FOLDER.to_owned(),
        files,
        puzzles: None,
        ahead: None,
        answers: Vec::new(),
        opening: None,
        summary: serde_json::Value::Null,
    };
    SiteIndex {
        format: SITE_FORMAT,
        program: "0.1.0".to_owned(),
        module: "a-0123.wasm".to_owned(),
        workshop: None,
        games: vec![game],
    }
}

/// A site with one file, split into pieces of `piece` bytes. Does not use the code under test.
fn site(bytes: &[u8], piece: Option<u64>) -> (SiteStorage, Arc<Host>) {
    let mut host = Host::default();
    match piece {
        None => drop(host.files.insert(format!("{FOLDER}/values"), bytes.to_vec())),
        Some(piece) => {
            let count = bytes.len().div_ceil(piece as usize);
            let digits = if count > 1000 { 4 } else { 3 };
            for (number, part) in bytes.chunks(piece as usize).enumerate() {
                host.files.insert(format!("{FOLDER}/values.{number:0digits$}"), part.to_vec());
            }
        }
    }
    let host = Arc::new(host);
    let index = index(vec![file("values", bytes.len() as u64, piece)]);
    (SiteStorage::new(Arc::new(index), host.clone()), host)
}

proptest! {
    #[test]
    fn reads_equal_those_of_the_plain_file(
        bytes in prop::collection::vec(any::<u8>(), 0..3000),
        piece in prop::option::of(1_u64..200),
        reads in prop::collection::vec((0_u64..3100, 0_usize..700), 1..20),
    ) {
        let (storage, host) = site(&bytes, piece);
        let source = storage.open(Path::new("nim_3/values")).unwrap();
        prop_assert_eq!(source.length().unwrap(), bytes.len() as u64);
        for (from, length) in reads {
            let mut buffer = vec![0; length];
            let read = read_up_to(&*source, &mut buffer, from).unwrap();
            let start = bytes.len().min(from as usize);
            let expected = &bytes[start..bytes.len().min(start + length)];
            prop_assert_eq!(&buffer[..read], expected);
            // A read announces the ranges that it fetches, each piece once.
            host.prepared.lock().clear();
            source.prepare(std::slice::from_ref(&(from..from + length as u64))).unwrap();
            let announced: Vec<u8> = host.prepared.lock().iter()
                .flat_map(|(piece, range)| host.fetch(piece, range.clone()).unwrap()).collect();
            prop_assert_eq!(&announced[..], expected);
        }
        prop_assert_eq!(source.read_at(&mut [0; 9], u64::MAX).unwrap(), 0);
        source.prepare(&[u64::MAX - 1..u64::MAX, 0..0]).unwrap();
    }

    #[test]
    fn truncated_extended_and_missing_pieces_are_named(
        bytes in prop::collection::vec(any::<u8>(), 1..600),
        piece in 1_u64..200,
        damage in 0..2,
        pick in any::<prop::sample::Index>(),
    ) {
        let (storage, host) = site(&bytes, Some(piece));
        let mut files = host.files.clone();
        let name = files.keys().nth(pick.index(files.len())).unwrap().clone();
        match damage {
            0 => drop(files.remove(&name)),
            _ => drop(files.get_mut(&name).unwrap().pop()),
        }
        let damaged = Arc::new(Host { files, ..Host::default() });
        let storage = SiteStorage::new(storage.index.clone(), damaged);
        let source = storage.open(Path::new("nim_3/values")).unwrap();
        let mut buffer = vec![0; bytes.len()];
        let error = read_up_to(&*source, &mut buffer, 0).unwrap_err();
        prop_assert!(error.to_string().contains(&name), "{error}");
    }

    #[test]
    fn an_index_is_read_back_and_every_altered_byte_is_detected(
        files in prop::collection::btree_map("[a-z]{1,8}", (0_u64..1 << 50, prop::option::of(1_u64 << 31..1 << 50)), 0..5),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let files = files.iter().map(|(name, &(bytes, piece))| file(name, bytes, piece)).collect();
        let index = index(files);
        let text = index.write().unwrap().into_bytes();
        let place = Path::new("site.json");
        prop_assert_eq!(SiteIndex::read(&text, place).unwrap(), index);
        let mut altered = text.clone();
        let at = at.index(text.len());
        altered[at] = byte;
        prop_assert_eq!(SiteIndex::read(&altered, place).is_ok(), byte == text[at]);
        prop_assert!(SiteIndex::read(&text[..at], place).is_err());
    }

    #[test]
    fn reading_an_index_never_panics(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        prop_assert!(SiteIndex::read(&bytes, Path::new("site.json")).is_err());
    }
}

/// The reason why an index is rejected, even with a correct checksum.
fn refusal(change: impl FnOnce(&mut SiteIndex)) -> String {
    let mut index = index(vec![file("values.rgt", 10_000, Some(4096)), file("manifest.json", 10, None)]);
    change(&mut index);
    assert!(index.write().is_err());
    let text = crate::seal_json(&index).unwrap();
    let error = SiteIndex::read(text.as_bytes(), Path::new("a/site.json")).unwrap_err().to_string();
    assert!(error.contains("a/site.json"), "{error}");
    error
}

#[test]
fn invalid_claims_of_an_index_are_rejected() {
    for name in [
        "",
        ".",
        "..",
        "../x",
        "/etc/passwd",
        "a/../b",
        "a/b/c",
        "a/",
        "/a",
        "a\\b",
        "c:x",
        "a b",
        "a\0",
        "é",
        ".hidden",
        "%2e",
    ] {
        let reason = refusal(|index| index.games[0].files[0].name = name.to_owned());
        assert!(reason.contains("is not a file name"), "{name}: {reason}");
    }
    for address in
        ["", "/x", "x/", "x//y", "../x", "x/../y", "https://x", "//x", "x?y", "x#y", &"x".repeat(301)]
    {
        assert!(
            refusal(|index| index.games[0].folder = address.to_owned()).contains("is not an address"),
            "{address}"
        );
        assert!(
            refusal(|index| index.module = address.to_owned()).contains("is not an address"),
            "{address}"
        );
        let puzzles = SiteExtra { path: address.to_owned(), bytes: 1 };
        assert!(
            refusal(|index| index.games[0].puzzles = Some(puzzles)).contains("is not an address"),
            "{address}"
        );
    }
    let twice = |index: &mut SiteIndex| index.games[0].files[1].name = "values.rgt".to_owned();
    assert!(refusal(twice).contains("twice"));
    let like_a_piece = |index: &mut SiteIndex| index.games[0].files[1].name = "values.rgt.007".to_owned();
    assert!(refusal(like_a_piece).contains("has the name of a piece"));
    assert!(refusal(|index| index.games.push(index.games[0].clone())).contains("twice"));
    let same_folder = |index: &mut SiteIndex| {
        index.games.push(SiteGame { game: "nim:4".to_owned(), ..index.games[0].clone() });
    };
    assert!(refusal(same_folder).contains("two games"));
    assert!(refusal(|index| index.games[0].files[0].bytes = u64::MAX).contains("bytes long"));
    assert!(refusal(|index| index.games[0].files[0].piece = Some(0)).contains("pieces of 0 bytes"));
    let crumbs = |index: &mut SiteIndex| index.games[0].files[0] = file("values.rgt", 1 << 40, Some(1));
    assert!(refusal(crumbs).contains("pieces of 1 bytes"));
    assert!(refusal(|index| index.games[0].files[0].digest = "0".repeat(63)).contains("digest"));
    assert!(refusal(|index| index.games[0].files[0].digest = "A".repeat(64)).contains("digest"));
    assert!(refusal(|index| index.games[0].board = Some("x".repeat(70_000))).contains("board"));
    let many = |index: &mut SiteIndex| {
        index.games[0].files = (0..1001).map(|n| file(&n.to_string(), 1, None)).collect()
    };
    assert!(refusal(many).contains("1001 files"));
    assert!(refusal(|index| index.format = 2).contains("version 2"));
    let page = SiteIndex::read(b"<!doctype html>", Path::new("site.json")).unwrap_err();
    assert!(matches!(page, TableError::Foreign { .. }), "{page}");
}

#[test]
fn subfolders_are_listed_as_on_a_disk() {
    let names = ["values", "placements/values.rgt", "placements/manifest.json"];
    let index = index(names.map(|name| file(name, 3, None)).to_vec());
    let mut host = Host::default();
    host.files.insert(format!("{FOLDER}/placements/values.rgt"), b"abc".to_vec());
    let storage = SiteStorage::new(Arc::new(index), Arc::new(host));
    assert_eq!(storage.names(Path::new("nim_3")).unwrap(), ["placements", "values"]);
    assert_eq!(storage.names(Path::new("nim_3/placements")).unwrap(), ["manifest.json", "values.rgt"]);
    assert!(
        storage.names(Path::new("nim_3/values")).is_err() && storage.names(Path::new("nim_3/pl")).is_err()
    );
    assert!(storage.open(Path::new("nim_3/placements")).is_err());
    let source = storage.open(Path::new("nim_3/placements/values.rgt")).unwrap();
    let mut buffer = [0; 3];
    assert_eq!(read_up_to(&*source, &mut buffer, 0).unwrap(), 3);
    assert_eq!(&buffer, b"abc");
}

#[test]
fn directories_are_listed_as_on_a_disk_and_are_read_only() {
    let (storage, _) = site(b"hello", Some(2));
    let storage = storage.below("https://example.org/games");
    let root = Path::new("https://example.org/games");
    assert_eq!(storage.names(root).unwrap(), ["nim_3"]);
    assert_eq!(storage.names(&root.join("nim_3")).unwrap(), ["values"]);
    assert_eq!(storage.open(&root.join("nim_3/values")).unwrap().length().unwrap(), 5);
    for wrong in ["nim_3", "nim_3/other", "nim_4/values", "nim_3/../nim_3/values", "nim_3/values/x", ""] {
        let error = storage.open(&root.join(wrong)).err().unwrap();
        assert_eq!(error.kind(), io::ErrorKind::NotFound, "{wrong}");
    }
    assert!(storage.open(Path::new("nim_3/values")).is_err() && storage.names(Path::new("/")).is_err());
    let path = root.join("nim_3/values");
    for refused in [storage.create(&path).err(), storage.append(&path).err()] {
        assert!(refused.unwrap().to_string().contains("read-only"));
    }
    let refused = [
        storage.rename(&path, &path),
        storage.remove(&path),
        storage.create_directory(&path),
        storage.remove_directory(&path),
        storage.sync_directory(&path),
    ];
    assert!(
        refused.into_iter().all(|result| result.unwrap_err().kind() == io::ErrorKind::ReadOnlyFilesystem)
    );
}
