//! The file of what occurs, to be compared with that of another solve.

use std::path::Path;

/// The bytes of the file of what occurs of the only game in a folder of tables.
///
/// # Panics
/// If there is no such file.
pub fn occurring_file(tables: &Path) -> Vec<u8> {
    let game = std::fs::read_dir(tables).unwrap().next().unwrap().unwrap().path();
    std::fs::read(game.join("occurring.rgo")).unwrap()
}
