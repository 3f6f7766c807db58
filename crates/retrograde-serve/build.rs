//! Lists the files of the explorer, whose names change with their contents, as Rust: an array of
//! paths and bytes, which `site/pages.rs` includes. A macro that does it brings a parser of Rust and
//! fifteen more libraries.

use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

/// All files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            files(&entry.path(), found)?;
        } else {
            found.push(entry.path());
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=page");
    let page = Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("page");
    let mut found = Vec::new();
    files(&page, &mut found).map_err(|error| format!("{}: {error}", page.display()))?;
    found.sort();
    let mut list = "&[\n".to_owned();
    for file in found {
        let name = file.strip_prefix(&page)?.to_str().ok_or("a name is no text")?.replace('\\', "/");
        writeln!(
            list,
            "    ({name:?}, include_bytes!({:?}) as &[u8]),",
            file.to_str().ok_or("a path is no text")?
        )?;
    }
    list.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("page.rs"), list)?;
    Ok(())
}
