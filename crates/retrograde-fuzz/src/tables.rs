//! The files of dense tables and of other programs, in memory.

use std::path::Path;
use std::sync::{Arc, OnceLock};

use retrograde_game::{Index, Score};
use retrograde_solve::Checkpoint;
use retrograde_table::{
    ByteFile, CellWidth, CheckpointPace, Counts, DiskStorage, Expectations, GameLock, Manifest,
    MemoryStorage, ReadOptions, Storage, Table, TableKind, TableWriter, WorkFile, WorkIdentity,
    directory_name,
};
use retrograde_testkit::{TempDir, tempdir};

use crate::seal;

const GAME: &str = "tactics:3x3";

/// A table: the text of its manifest and, from the magic on, its values.
pub fn table(bytes: &[u8]) {
    let at = bytes.windows(4).position(|window| window == b"\x89RGT").unwrap_or(bytes.len());
    let (text, values) = bytes.split_at(at);
    read_table(text, values);
    if let Some((text, values)) = sealed(text, values) {
        read_table(text.as_bytes(), &values);
    }
}

/// The same table with correct checksums.
fn sealed(text: &[u8], values: &[u8]) -> Option<(String, Vec<u8>)> {
    let mut fields: serde_json::Map<String, serde_json::Value> = serde_json::from_slice(text).ok()?;
    fields.remove("checksum");
    let mut manifest: Manifest = serde_json::from_value(fields.into()).ok()?;
    let mut header = [0; 60];
    header[..8].copy_from_slice(b"\x89RGT\r\n\x1a\n");
    header[8..12].copy_from_slice(&manifest.format.to_le_bytes());
    header[12] = manifest.cell.bits() as u8;
    header[13] = manifest.kind as u8;
    header[16..24].copy_from_slice(&manifest.index_count.to_le_bytes());
    header[24..28].copy_from_slice(&manifest.block_bytes.to_le_bytes());
    header[28..32].copy_from_slice(&manifest.rules_version.to_le_bytes());
    header[32..36].copy_from_slice(&manifest.index_version.to_le_bytes());
    header[36..].copy_from_slice(&blake3::hash(manifest.game.as_bytes()).as_bytes()[..24]);
    let mut values = values.to_vec();
    let per_block = u64::from(manifest.block_bytes).checked_mul(8)? / u64::from(manifest.cell.bits());
    let blocks = manifest.index_count.checked_div(per_block)?
        + u64::from(!manifest.index_count.is_multiple_of(per_block));
    manifest.values.seal = seal::values(&mut values, &header, blocks)?;
    manifest.values.bytes = values.len() as u64;
    manifest.values.blake3 = blake3::hash(&values).to_string();
    Some((seal::manifest(&serde_json::to_string_pretty(&manifest).ok()?)?, values))
}

/// Opens a table as a program would for a game with the numbers in the manifest, and reads all of it.
fn read_table(text: &[u8], values: &[u8]) {
    let claimed: serde_json::Value = serde_json::from_slice(text).unwrap_or_default();
    let number = |name: &str| claimed[name].as_u64().unwrap_or(0);
    let expected = Expectations {
        rules_version: number("rules_version") as u32,
        index_version: number("index_version") as u32,
        index_count: number("index_count").into(),
    };
    let game = claimed["game"].as_str().unwrap_or(GAME);
    let directory = Path::new(&directory_name(game)).to_owned();
    let storage = MemoryStorage::new()
        .with(directory.join("manifest.json"), text)
        .with(directory.join("values.rgt"), values);
    let options = ReadOptions { storage: Arc::new(storage), hold_bytes: 1 << 16, ..ReadOptions::default() };
    let Ok(table) = Table::open_with(Path::new(""), game, expected, &options) else { return };
    let count = table.manifest().index_count;
    for index in (0..40).chain(count.saturating_sub(10)..count).chain([count]) {
        let read = table.get(Index(index));
        assert!(index < count || read.is_err(), "a value past the end");
    }
    let _ = [count / 2, 0, count.saturating_sub(1), 0].map(|index| table.get(Index(index)));
    let _ = table.check_files(|_, _| ());
    let _ = table.count(1);
}

pub fn table_seeds() -> Vec<Vec<u8>> {
    let kinds = [
        (TableKind::Full, CellWidth::Byte, 2000),
        (TableKind::Outcomes, CellWidth::TwoBits, 5000),
        (TableKind::Losses, CellWidth::Byte, 600),
        (TableKind::Full, CellWidth::TwoBytes, 700),
    ];
    kinds.map(|(kind, cell, count)| written(kind, cell, count)).into()
}

/// A table from the writer.
fn written(kind: TableKind, cell: CellWidth, count: u64) -> Vec<u8> {
    let folder = tempdir().expect("a folder");
    let manifest = Manifest { block_bytes: 512, ..Manifest::new(GAME, 1, 1, kind, cell, count) };
    let mut writer = TableWriter::create(folder.path(), manifest).expect("a writer");
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ 0x55;
        [0, u8::MAX - 1, u8::DRAW, 2, u8::MAX - 3][(state % 5) as usize]
    };
    let scores: Vec<u8> = (0..count).map(|index| if index < 512 { 0 } else { next() }).collect();
    if cell == CellWidth::TwoBytes {
        let wide: Vec<u16> = scores.iter().map(|&score| score.into()).collect();
        writer.write_wide(&wide).expect("scores");
    } else {
        writer.write_scores(&scores).expect("scores");
    }
    writer.set_counts(Counts::of_scores(&scores));
    writer.finish().expect("a table");
    let file =
        |name: &str| std::fs::read(folder.path().join(directory_name(GAME)).join(name)).expect("a file");
    [file("manifest.json"), file("values.rgt")].concat()
}

/// The shared work file, over a storage.
fn work(storage: impl Storage + 'static) -> WorkFile {
    static LOCK: OnceLock<(TempDir, GameLock)> = OnceLock::new();
    let (_, lock) = LOCK.get_or_init(|| {
        let folder = tempdir().expect("a folder");
        let lock = GameLock::acquire(folder.path(), GAME).expect("a lock");
        (folder, lock)
    });
    let identity = WorkIdentity { rules_version: 1, index_version: 1, solver: "a solver".to_owned() };
    WorkFile::new(lock, &identity, CheckpointPace::default(), Arc::new(storage))
}

/// The checkpoint of an interrupted solve. An accepted state can be saved again.
pub fn work_file(bytes: &[u8]) {
    let mut right = bytes.to_vec();
    let right = seal::block_log(&mut right).map(|()| right);
    for bytes in [Some(bytes.to_vec()), right].into_iter().flatten() {
        let storage = MemoryStorage::new();
        let mut work = work(storage.clone());
        let _ = storage.with(work.path(), bytes);
        if let Ok(Some(state)) = work.load() {
            work.save(state.stage, &[&state.bytes]).expect("memory is never full here");
            let again = work.load().expect("readable").expect("there");
            assert!(again.stage == state.stage && again.bytes == state.bytes);
        }
    }
}

pub fn work_file_seeds() -> Vec<Vec<u8>> {
    let mut work = work(DiskStorage);
    work.save(17, &[b"what a solver", b" knows so far"]).expect("saved");
    vec![std::fs::read(work.path()).expect("a file")]
}

/// The size of a byte file after decompression.
const UNPACKED: u64 = 3000;

/// A byte file compressed by another program: the header, the index and the blocks of xz.
pub fn xz(bytes: &[u8]) {
    let mut right = bytes.to_vec();
    let right = seal::xz(&mut right).map(|()| right);
    for bytes in [Some(bytes), right.as_deref()].into_iter().flatten() {
        let storage = MemoryStorage::new().with("merged.bin.xz", bytes);
        let Ok(Some(file)) = ByteFile::open(&storage, Path::new("merged.bin.xz"), UNPACKED) else { continue };
        for place in [0, 1, 999, 1000, 1024, 2048, UNPACKED - 1] {
            let _ = file.at(place);
        }
        for piece in 0..file.pieces().min(100) {
            let _ = file.piece(piece);
        }
    }
}

/// Bytes compressed with xz in blocks of one kibibyte.
pub fn packed(bytes: &[u8]) -> Vec<u8> {
    use std::io::Write;
    let mut options = lzma_rust2::XzOptions::with_preset(0);
    options.set_block_size(std::num::NonZeroU64::new(1024));
    let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).expect("a writer");
    writer.write_all(bytes).expect("memory");
    writer.finish().expect("memory")
}

pub fn xz_seeds() -> Vec<Vec<u8>> {
    let bytes: Vec<u8> = (0..UNPACKED).map(|place| (place * place / 7 % 5) as u8).collect();
    vec![packed(&bytes)]
}
