//! Shows the cost of solving a board in parts: bytes of memory, and how often a loss phase reads all
//! undecided positions:
//! `cargo run --release -p retrograde-pushfight-planes --features measure --example cuts -- pushfight:full`.

use std::error::Error;

use retrograde_game::GameSpec;
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{Estimate, MAX_PARTS};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "pushfight:full".to_owned());
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(&name)?, &load)?;
    let estimate = Estimate::new(&game, 4).ok_or("the board is too large")?;
    println!("parts  memory in GB  readings");
    for parts in [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48, 64, MAX_PARTS] {
        let gigabytes = estimate.memory(parts) as f64 / 1e9;
        println!("{parts:5} {gigabytes:13.2} {:9.2}", estimate.readings(parts));
    }
    Ok(())
}
