//! Measures lookups of a position and all its turns: ranges and bytes of files that are read when
//! nothing is cached, and time when everything is. The positions are random:
//! `cargo run --release -p retrograde-pushfight-planes --features measure --example probe_cost -- GAME DIRECTORY [COUNT]`.

use std::collections::BTreeSet;
use std::error::Error;
use std::io;
use std::ops::{ControlFlow, Range};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use parking_lot::Mutex;
use retrograde_game::{Dense, Game, GameSpec, Index};
use retrograde_pushfight::{Position, PushFight};
use retrograde_pushfight_planes::Solution;
use retrograde_table::{DiskStorage, Source, Storage};

/// The parts of all files that were read.
type Parts = Arc<Mutex<Vec<(u64, Range<u64>)>>>;

/// The disk, with a record of what is read.
#[derive(Debug, Default)]
struct Counting {
    parts: Parts,
    files: AtomicU64,
}

struct CountingSource(Box<dyn Source>, u64, Parts);

impl Source for CountingSource {
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        let read = self.0.read_at(buffer, offset)?;
        self.2.lock().push((self.1, offset..offset + read as u64));
        Ok(read)
    }
    fn length(&self) -> io::Result<u64> {
        self.0.length()
    }
}

impl Storage for Counting {
    fn open(&self, path: &Path) -> io::Result<Box<dyn Source>> {
        let number = self.files.fetch_add(1, Ordering::Relaxed);
        Ok(Box::new(CountingSource(DiskStorage.open(path)?, number, self.parts.clone())))
    }
    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        DiskStorage.names(path)
    }
}

/// Ranges and bytes; adjacent ranges count as one.
fn sum(parts: &Parts) -> (usize, u64) {
    let mut parts = std::mem::take(&mut *parts.lock());
    parts.retain(|(_, range)| !range.is_empty());
    parts.sort_by_key(|(file, range)| (*file, range.start));
    let (mut ranges, mut bytes, mut last) = (0, 0, (u64::MAX, 0));
    for (file, range) in parts {
        ranges += usize::from(last != (file, range.start));
        bytes += range.end - range.start;
        last = (file, range.end);
    }
    (ranges, bytes)
}

fn show(name: &str, mut figures: Vec<f64>) {
    figures.sort_by(f64::total_cmp);
    let mean = figures.iter().sum::<f64>() / figures.len() as f64;
    let (most, late) = (figures[figures.len() - 1], figures[figures.len() * 95 / 100]);
    println!("{name:<34} mean {mean:10.2}   95% {late:10.2}   most {most:10.2}");
}

fn ask(game: &PushFight, solution: &Solution, positions: &[Position]) -> Result<(), Box<dyn Error>> {
    solution.prepare(game, positions)?;
    for position in positions {
        if game.result(position).is_none() {
            solution.get(game, position)?;
        }
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [name, directory, rest @ ..] = &arguments[..] else { return Err("GAME DIRECTORY [COUNT]".into()) };
    let load = |path: &str| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let game = PushFight::from_spec(GameSpec::parse(name)?, &load)?;
    let count: usize = rest.first().map_or(Ok(200), |text| text.parse())?;
    let all = game.index_count() as u64 - game.prelude();
    let mut seed = 1_u64;
    let mut random = move || {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        seed >> 20
    };
    let [mut turns, mut ranges, mut kilobytes, mut opening, mut cold, mut warm, mut configurations] =
        [const { Vec::new() }; 7];
    while turns.len() < count {
        let Some(position) = game.position(Index(random() % all)).filter(|at| game.is_plausible(at)) else {
            continue;
        };
        let mut asked = vec![position];
        let _ = game.each_successor(&position, |next| {
            asked.push(next);
            ControlFlow::Continue(())
        });
        let storage = Arc::new(Counting::default());
        let files: Arc<dyn Storage> = storage.clone();
        let Some(solution) = Solution::open_in(&game, Path::new(directory), &files)? else {
            return Err("there is no solution".into());
        };
        let (opened, _) = sum(&storage.parts);
        let start = Instant::now();
        ask(&game, &solution, &asked)?;
        cold.push(start.elapsed().as_secs_f64() * 1e3);
        let (parts, bytes) = sum(&storage.parts);
        let start = Instant::now();
        ask(&game, &solution, &asked)?;
        warm.push(start.elapsed().as_secs_f64() * 1e3);
        let sides: BTreeSet<(u64, u64)> =
            asked[1..].iter().map(|next| (next.own_pushers.0, next.own_pawns.0)).collect();
        turns.push((asked.len() - 1) as f64);
        configurations.push(sides.len() as f64);
        opening.push(opened as f64);
        ranges.push(parts as f64);
        kilobytes.push(bytes as f64 / 1e3);
    }
    println!("{count} random positions of {}", game.name());
    show("turns", turns);
    show("configurations after them", configurations);
    show("ranges for opening", opening);
    show("ranges", ranges);
    show("kilobytes", kilobytes);
    show("ms, files in the system's memory", cold);
    show("ms, all in memory", warm);
    Ok(())
}
