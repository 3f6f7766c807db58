//! Solves the reachable positions and prints the costs: `reachable GAME [WAY] [MEMORY]`. GAME is a board of
//! TouchDown, COLUMNSxROWS, or one of Push Fight, `pushfight:mini,pawns=1`. MEMORY is in MB.
//!
//! Ways: `hashed` (positions in a hash table, with their turns), `index` (numbers of the dense numbering; the
//! default in Push Fight), in TouchDown also `packed` (its own codes) and `orbits` (one per orbit; the default).

use std::time::Instant;

use retrograde_game::{Dense, Game, Index, Predecessors, Score};
use retrograde_solve::reachable::{
    ByIndex, ByPack, Coding, Orbits, Reachable, hashed, solve, solve_repeating_numbered,
};
use retrograde_solve::retrograde::Capabilities;
use retrograde_solve::{Job, NoCheckpoint, Silent, SolveError};
use retrograde_touchdown::TouchDown;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |at: usize, default: &str| arguments.get(at).cloned().unwrap_or(default.to_owned());
    let board = word(0, "5x4");
    let memory = word(2, "3000").parse::<u64>()? * 1_000_000;
    let mut checkpoint = NoCheckpoint;
    let mut job = Job { threads: 1, memory, horizon: None, progress: &Silent, checkpoint: &mut checkpoint };
    let began = Instant::now();
    if board.starts_with("pushfight") {
        let game = retrograde_testkit::push_fight(&board);
        repeating(&game, &word(1, "index"), &mut job)?;
        println!("{:.2} s, at most {:?} kB", began.elapsed().as_secs_f64(), peak_memory());
        return Ok(());
    }
    let (columns, rows) = board.split_once('x').ok_or("a board such as 5x4")?;
    let game = TouchDown::new(columns.parse()?, rows.parse()?)?;
    match word(1, "orbits").as_str() {
        "hashed" => {
            let values = hashed::solve(&game, &game.start(), &mut job)?;
            println!("{} positions, start {:?}", values.len(), values.value(&game, &game.start()));
        }
        "packed" => coded(&game, ByPack, &mut job)?,
        "index" => coded(&game, ByIndex, &mut job)?,
        _ => coded(&game, Orbits(ByPack), &mut job)?,
    }
    println!("{:.2} s, at most {:?} kB", began.elapsed().as_secs_f64(), peak_memory());
    Ok(())
}

fn coded<C: Coding<TouchDown>>(
    game: &TouchDown,
    coding: C,
    job: &mut Job<'_>,
) -> Result<(), Box<dyn std::error::Error>> {
    let scores = solve(&Reachable::graded(game, coding, &game.start()), job)?;
    let start = game.index(&game.start()).map_or(Ok(None), |Index(start)| scores.score(start))?;
    let len = scores.counts().values().sum::<u64>();
    println!("{len} positions, start {:?}", start.and_then(Score::value));
    Ok(())
}

/// A game that can repeat, from the first position with an index.
fn repeating<G: Predecessors>(game: &G, way: &str, job: &mut Job<'_>) -> Result<(), SolveError> {
    let mut start = game.start();
    while game.index(&start).is_none() {
        start = game.turns(&start).swap_remove(0).1;
    }
    match way {
        "hashed" => {
            let values = hashed::solve(game, &start, job)?;
            println!("{} positions, start {:?}", values.len(), values.value(game, &start));
        }
        _ => {
            let at = game.index(&start).map_or(0, |Index(index)| index);
            let scores = solve_repeating_numbered(game, &start, Capabilities::default(), job)?;
            let (len, score) = (scores.counts().values().sum::<u64>(), scores.score(at)?);
            println!("{len} positions, start {:?}", score.and_then(Score::value));
        }
    }
    Ok(())
}

/// The peak memory of this process, if the system reports it.
fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().strip_suffix("kB")?.trim().parse().ok()
}
