//! Solves a board twice, on planes in memory and by the plain retrograde solver, and compares every position:
//! `cargo run --release -p retrograde-pushfight-planes --features measure --example compare -- pushfight:mini`.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use retrograde_game::{Dense, Game, GameSpec, Index, Score};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{Retention, Solution, SolveConfig, solve_into};
use retrograde_solve::{Job, NoCheckpoint, Silent, retrograde::Retrograde};
use retrograde_table::{MemoryStorage, Storage};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "pushfight:mini".to_owned());
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(&name)?, &load)?;
    let threads = std::thread::available_parallelism()?.get();
    println!("{}: {} positions, {threads} threads", game.name(), game.position_count());

    let directory = Path::new("board");
    let storage: Arc<dyn Storage> = Arc::new(MemoryStorage::new());
    let config = SolveConfig { threads, storage: storage.clone(), ..SolveConfig::default() };
    let start = Instant::now();
    solve_into(&game, directory, &config, Retention::default())?;
    println!("planes: {:.2?}", start.elapsed());
    let start = Instant::now();
    let solution = Solution::open_in(&game, directory, &storage)?.ok_or("there is no solution")?;
    let count = game.index_count() as u64 - game.prelude();
    let scores = solution.scores(&game, directory, &config, 0..count)?;
    println!("scores of all positions after the first push: {:.2?}", start.elapsed());

    let start = Instant::now();
    let mut job =
        Job { threads, memory: u64::MAX, horizon: None, progress: &Silent, checkpoint: &mut NoCheckpoint };
    let plain = Retrograde::new(&game).predecessors().symmetries().solve(&mut job)?;
    println!("retrograde: {:.2?}", start.elapsed());

    let count = scores.len() as u64;
    let differ = |&index: &u64| {
        game.position(Index(index)).is_some() && scores[index as usize].stored() != plain.stored(Index(index))
    };
    match (0..count).find(differ) {
        None => println!("all {count} values are equal"),
        Some(index) => return Err(format!("index {index} differs").into()),
    }
    Ok(())
}
