//! Compares two solutions of a board, such as one before and after its files were turned: values of
//! random positions until so many stand in the files, and with `all` the numbers of all positions by
//! turns with those of the description:
//! `cargo run --release -p retrograde-pushfight-planes --features measure --example compare_files -- GAME ONE OTHER 20000 all`.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use retrograde_game::{Dense, GameSpec, Index};
use retrograde_pushfight::PushFight;
use retrograde_pushfight_planes::{DepthFile, Lookup, Solution};
use retrograde_table::TableError;

/// Whether a file has as many positions of each number of turns as its description says. On a board
/// whose symmetries leave no square as it is, every position is there once.
fn has_its_counts(file: &DepthFile) -> Result<bool, TableError> {
    let mut found = BTreeMap::new();
    file.for_each(|_, turns| {
        *found.entry(turns).or_insert(0_u64) += 1;
        Ok::<_, TableError>(true)
    })?;
    let odd = found.keys().any(|turns| turns % 2 == 1);
    // The wins in one turn are not all there.
    found.remove(&1);
    let phases = file.info().phases.iter().filter(|phase| (phase.turns % 2 == 1) == odd && phase.turns != 1);
    let expected = phases.map(|phase| (phase.turns, phase.count + phase.starts));
    println!("{} positions", found.values().sum::<u64>());
    Ok(found.into_iter().eq(expected.filter(|(_, count)| *count > 0)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, one, other, count, rest @ ..] = &arguments[..] else {
        return Err("GAME ONE OTHER COUNT [all]".into());
    };
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(name)?, &load)?;
    let open = |path: &String| -> Result<Solution, Box<dyn Error>> {
        let solution = Solution::open(&game, Path::new(path))?.ok_or("there is no solution")?;
        if solution.wins().is_none() {
            return Err("it has no wins".into());
        }
        Ok(solution)
    };
    let (one, other) = (open(one)?, open(other)?);
    let (wanted, all) = (count.parse::<u64>()?, game.index_count() as u64 - game.prelude());
    let (mut seed, mut asked, mut stored) = (1_u64, 0, 0);
    while stored < wanted {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        let Some(position) = game.position(Index((seed >> 20) % all)) else { continue };
        asked += 1;
        let lookups = |solution: &Solution| -> Result<[Lookup; 2], TableError> {
            let losses = solution.losses().lookup(&game, &position)?;
            Ok([losses, solution.wins().map_or(Ok(Lookup::Outside), |wins| wins.lookup(&game, &position))?])
        };
        let (found, expected) = (lookups(&other)?, lookups(&one)?);
        if found != expected || one.get(&game, &position)? != other.get(&game, &position)? {
            return Err(format!("they differ in {position:?}").into());
        }
        stored += u64::from(found.iter().any(|found| matches!(found, Lookup::Found(_))));
    }
    println!("{asked} random positions have the same values, {stored} of them in the files");
    if rest.iter().any(|word| word == "all") {
        let right = std::thread::scope(|scope| {
            let files = [Some(other.losses()), other.wins()].into_iter().flatten();
            let threads: Vec<_> = files.map(|file| scope.spawn(|| has_its_counts(file))).collect();
            let join = |thread: std::thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or(Ok(false));
            threads.into_iter().map(join).collect::<Result<Vec<bool>, TableError>>()
        })?;
        if !right.iter().all(|&right| right) {
            return Err("the numbers of positions are not those of the description".into());
        }
        println!("the numbers of positions by turns are those of the description");
    }
    Ok(())
}
