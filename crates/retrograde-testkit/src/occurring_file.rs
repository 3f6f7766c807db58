//! The file of what occurs, to be compared with that of another solve.

use std::path::Path;

use serde_json::Value;

/// The file of what occurs of the only game in a folder of tables: its description without the time, its blocks, and its directory, in which
/// the places of blocks are counted from the first, since the length of the time moves them.
///
/// # Panics
/// If there is no such file.
pub fn occurring_file(tables: &Path) -> (Value, Vec<u8>, Vec<u8>) {
    let game = std::fs::read_dir(tables).unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::read(game.join("occurring.rgo")).unwrap();
    let number = |at: usize| u64::from_le_bytes(bytes[at..at + 8].try_into().unwrap()) as usize;
    let length = u32::from_le_bytes(bytes[12..16].try_into().unwrap()) as usize;
    let mut about: Value = serde_json::from_slice(&bytes[16..16 + length]).unwrap();
    assert!(about.as_object_mut().unwrap().remove("seconds").is_some());
    let (blocks, directory) = (20 + length, number(bytes.len() - 32));
    let entries = bytes[directory..bytes.len() - 32].chunks(24).flat_map(|entry| {
        let place = u64::from_le_bytes(entry[8..16].try_into().unwrap()) - blocks as u64;
        [&entry[..8], &place.to_le_bytes(), &entry[16..]].concat()
    });
    (about, bytes[blocks..directory].to_vec(), entries.collect())
}
