//! Writes the valid inputs of every target into a corpus: `cargo run -p retrograde-fuzz --example
//! seeds -- fuzz/corpus`.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let corpus = std::env::args().nth(1).unwrap_or_else(|| "fuzz/corpus".to_owned());
    for target in retrograde_fuzz::TARGETS {
        let folder = Path::new(&corpus).join(target.name);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in (target.seeds)().iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number}")), seed)?;
        }
    }
    Ok(())
}
