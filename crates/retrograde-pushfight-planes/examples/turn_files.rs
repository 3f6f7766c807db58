//! Turns the files of a solution into the present version, and says how long that takes:
//! `cargo run --release -p retrograde-pushfight-planes --features measure --example turn_files -- GAME DIRECTORY [GB]`.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use retrograde_game::GameSpec;
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{SolveConfig, convert};
use retrograde_solve::Progress;
use retrograde_table::DiskStorage;

/// Prints stages.
struct Stages(Instant);

impl Progress for Stages {
    fn stage(&self, name: &str, total: u64) {
        println!("{:7.1} s  {name}: {total}", self.0.elapsed().as_secs_f64());
    }

    fn advance(&self, _units: u64) {}

    fn stopped(&self) -> bool {
        false
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, directory, rest @ ..] = &arguments[..] else { return Err("GAME DIRECTORY [GB]".into()) };
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(name)?, &load)?;
    let gigabytes: u64 = rest.first().map_or(Ok(4), |text| text.parse())?;
    let progress = Stages(Instant::now());
    let config = SolveConfig {
        threads: std::thread::available_parallelism()?.get(),
        horizon: None,
        progress: &progress,
        storage: Arc::new(DiskStorage),
        parts: 1,
        memory: gigabytes << 30,
    };
    let turned = convert(&game, Path::new(directory), &config)?;
    println!("{:7.1} s  turned: {turned:?}", progress.0.elapsed().as_secs_f64());
    Ok(())
}
