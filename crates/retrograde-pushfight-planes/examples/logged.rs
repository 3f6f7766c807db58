//! Solves a board phase by phase, with logs in a directory from which it goes on:
//! `cargo run --release -p retrograde-pushfight-planes --example logged -- pushfight DIRECTORY [TURNS]`.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use retrograde_game::{Game, GameSpec};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{Means, solve_logged};
use retrograde_solve::Silent;
use retrograde_table::Disk;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "pushfight:mini".to_owned());
    let directory = arguments.next().ok_or("where are the logs to be?")?;
    let horizon = arguments.next().map(|turns| turns.parse()).transpose()?;
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(&name)?, &load)?;
    std::fs::create_dir_all(&directory)?;
    let threads = std::thread::available_parallelism()?.get();
    let means = Means { threads, horizon, progress: &Silent, storage: Arc::new(Disk) };
    println!("{}, {threads} threads", game.name());
    println!("turns       up to symmetry              all       starts  undecided blocks     GB   seconds");
    let mut start = Instant::now();
    solve_logged(&game, Path::new(&directory), &means, &mut |phase| {
        println!(
            "{:5} {:20} {:16} {:12} {:17} {:6.2} {:9.2}",
            phase.turns,
            phase.count,
            phase.all,
            phase.starts,
            phase.blocks,
            phase.bytes as f64 / 1e9,
            start.elapsed().as_secs_f64()
        );
        start = Instant::now();
    })?;
    Ok(())
}
