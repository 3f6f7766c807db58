//! Solves a board twice, on planes and by the plain retrograde solver, and compares every position:
//! `cargo run --release -p retrograde-pushfight-planes --features measure --example compare -- pushfight:mini`.

use std::error::Error;
use std::time::Instant;

use retrograde_game::{Dense, Game, GameSpec, Index};
use retrograde_pushfight::PushFight;
use retrograde_solve::{Job, NoCheckpoint, Silent, retrograde::Retrograde};

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "pushfight:mini".to_owned());
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(&name)?, &load)?;
    let threads = std::thread::available_parallelism()?.get();
    let (mut first, mut second) = (NoCheckpoint, NoCheckpoint);
    let job = |checkpoint| Job { threads, memory: u64::MAX, horizon: None, progress: &Silent, checkpoint };

    let start = Instant::now();
    let planes = retrograde_pushfight_planes::solve(&game, &mut job(&mut first))?;
    println!("{}: {} positions, {threads} threads", game.name(), game.position_count());
    println!("planes: {:.2?}", start.elapsed());
    let start = Instant::now();
    let plain = Retrograde::new(&game).predecessors().symmetries().solve(&mut job(&mut second))?;
    println!("retrograde: {:.2?}", start.elapsed());

    let count = u64::try_from(game.index_count())?;
    let differ = |&index: &u64| planes.stored(Index(index)) != plain.stored(Index(index));
    match (0..count).find(differ) {
        None => println!("all {count} values are equal"),
        Some(index) => return Err(format!("index {index} differs").into()),
    }
    Ok(())
}
