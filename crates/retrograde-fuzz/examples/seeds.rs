//! Writes the valid inputs of every target into a corpus: `cargo run -p retrograde-fuzz --example
//! seeds -- fuzz/corpus`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let corpus = std::env::args().nth(1).unwrap_or_else(|| "fuzz/corpus".to_owned());
    retrograde_fuzz::TARGETS
        .iter()
        .try_for_each(|target| retrograde_fuzz::write_seeds(target, Path::new(&corpus)))
}
