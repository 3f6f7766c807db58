//! Made-up games for tests: random graphs with every oddity that the traits allow, and random filling games.

#![allow(dead_code, reason = "every test takes what it needs of these games")]

use std::ops::{ControlFlow, Range};

use retrograde_game::{
    Dense, Fill, Game, Graded, Index, Layered, Outcome, Predecessors, Random, Symmetries, TextError,
};
use retrograde_solve::{Checkpoint, Job, Progress, SavedState};

/// A game on a random graph: positions are numbers, some indices have none, some positions are over.
///
/// With a mirror, the graph stands there twice: position p and p + half have the same successors up to that.
pub struct Graph {
    pub exists: Vec<bool>,
    pub over: Vec<Option<Outcome>>,
    pub next: Vec<Vec<usize>>,
    pub prelude: usize,
    pub mirrored: bool,
    pub stuck: Outcome,
}

impl Graph {
    /// `forward`: every turn leads to a smaller number, so that the game cannot repeat.
    pub fn random(seed: u64, forward: bool, mirrored: bool) -> Graph {
        let mut random = Random::new(seed);
        let half = 1 + random.below(40) as usize;
        let most = 1 + random.below(4);
        let outcomes = [Outcome::Loss, Outcome::Loss, Outcome::Win, Outcome::Draw];
        let exists: Vec<bool> = (0..half).map(|_| random.below(8) > 0).collect();
        let over: Vec<Option<Outcome>> =
            (0..half).map(|_| (random.below(5) == 0).then(|| *random.choose(&outcomes).unwrap())).collect();
        let copies = if mirrored { 2 } else { 1 };
        let mut next: Vec<Vec<usize>> = Vec::new();
        for copy in 0..copies {
            for from in 0..half {
                let mut to = Vec::new();
                // The mirror image of a turn is drawn from the first copy.
                if copy == 1 {
                    to = next[from].iter().map(|&to| (to + half) % (2 * half)).collect();
                } else if exists[from] && over[from].is_none() {
                    for _ in 0..random.below(most + 1) {
                        let reach = if forward { from } else { half };
                        let target = if reach == 0 { continue } else { random.below(reach as u64) as usize };
                        if exists[target] {
                            let other = if mirrored && random.below(3) == 0 { half } else { 0 };
                            to.push(target + other);
                        }
                    }
                    to.sort_unstable();
                    to.dedup();
                }
                next.push(to);
            }
        }
        let doubled = |list: &Vec<bool>| list.repeat(copies);
        let stuck = *random.choose(&[Outcome::Loss, Outcome::Loss, Outcome::Draw, Outcome::Win]).unwrap();
        let mut graph =
            Graph { exists: doubled(&exists), over: over.repeat(copies), next, prelude: 0, mirrored, stuck };
        graph.add_prelude(&mut random);
        graph
    }

    /// A chain of so many turns, so that values get long.
    pub fn chain(length: usize) -> Graph {
        let mut over = vec![None; length + 1];
        over[0] = Some(Outcome::Loss);
        let next = (0..=length).map(|at| if at == 0 { vec![] } else { vec![at - 1] }).collect();
        let exists = vec![true; length + 1];
        Graph { exists, over, next, prelude: 0, mirrored: false, stuck: Outcome::Loss }
    }

    fn add_prelude(&mut self, random: &mut Random) {
        let main = self.next.len();
        self.prelude = random.below(5) as usize;
        for number in 0..self.prelude {
            let targets: Vec<usize> =
                (0..main + number).filter(|&to| self.exists[to] && random.below(3) == 0).collect();
            self.exists.push(true);
            self.over.push(None);
            self.next.push(targets);
        }
    }

    fn half(&self) -> usize {
        (self.next.len() - self.prelude) / 2
    }
}

impl Game for Graph {
    type Position = usize;
    type Turn = usize;
    const RULES_VERSION: u32 = 1;
    fn name(&self) -> String {
        "graph".to_owned()
    }
    fn position_count(&self) -> u128 {
        self.next.len() as u128
    }
    fn start(&self) -> usize {
        self.next.len() - 1
    }
    fn result(&self, position: &usize) -> Option<Outcome> {
        self.over[*position]
    }
    fn outcome_without_turns(&self) -> Outcome {
        self.stuck
    }
    fn turns(&self, position: &usize) -> Vec<(usize, usize)> {
        self.next[*position].iter().map(|&to| (to, to)).collect()
    }
    fn play(&self, _position: &usize, turn: &usize) -> usize {
        *turn
    }
    fn turn_is_counted(&self, position: &usize) -> bool {
        *position < self.next.len() - self.prelude
    }
    fn parse_position(&self, text: &str) -> Result<usize, TextError> {
        text.parse().map_err(|_| TextError::impossible("position", text, "no number"))
    }
    fn position_text(&self, position: &usize) -> String {
        position.to_string()
    }
    fn parse_turn(&self, _position: &usize, text: &str) -> Result<usize, TextError> {
        self.parse_position(text)
    }
    fn turn_text(&self, _position: &usize, turn: &usize) -> String {
        turn.to_string()
    }
}

impl Dense for Graph {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        self.next.len() as u128
    }
    fn index(&self, position: &usize) -> Option<Index> {
        Some(Index(*position as u64))
    }
    fn position(&self, index: Index) -> Option<usize> {
        let position = usize::try_from(index.0).ok()?;
        self.exists.get(position)?.then_some(position)
    }
    fn prelude(&self) -> u64 {
        self.prelude as u64
    }
}

impl Predecessors for Graph {
    fn each_predecessor<F>(&self, position: &usize, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(usize) -> ControlFlow<()>,
    {
        let main = self.next.len() - self.prelude;
        (0..main).filter(|&from| self.next[from].contains(position)).try_for_each(&mut visit)
    }
}

impl Symmetries for Graph {
    fn symmetry_count(&self) -> usize {
        if self.mirrored { 2 } else { 1 }
    }
    fn image(&self, symmetry: usize, position: &usize) -> usize {
        if symmetry == 0 { *position } else { (position + self.half()) % (2 * self.half()) }
    }
}

impl Graded for Graph {
    fn grade(&self, position: &usize) -> u64 {
        *position as u64
    }
}

/// Only of graphs that cannot repeat and have no mirror: every position is a layer.
impl Layered for Graph {
    fn layer_count(&self) -> usize {
        self.next.len() - self.prelude
    }
    fn layer(&self, layer: usize) -> Vec<Range<Index>> {
        vec![Index(layer as u64)..Index(layer as u64 + 1)]
    }
}

/// A filling game with random lines.
pub struct Filling {
    pub cells: u32,
    pub lines: Vec<u64>,
    pub full: Outcome,
}

impl Filling {
    pub fn random(seed: u64) -> Filling {
        let mut random = Random::new(seed);
        let cells = 1 + random.below(13) as u32;
        let mut lines: Vec<u64> = (0..cells).map(|cell| 1 << cell).collect();
        for _ in 0..random.below(30) {
            let line = (random.bits() & random.bits() & random.bits()) & ((1 << cells) - 1);
            lines.extend((line != 0).then_some(line));
        }
        lines.sort_unstable();
        lines.dedup();
        Filling { cells, lines, full: *random.choose(&[Outcome::Win, Outcome::Loss]).unwrap() }
    }

    /// Lines of a grid, as in Tactics.
    pub fn grid(columns: u32, rows: u32, longest: u32) -> Filling {
        let mut lines = Vec::new();
        for row in 0..rows {
            for column in 0..columns {
                for length in 1..=longest {
                    let square = |c: u32, r: u32| 1_u64 << (r * columns + c);
                    if column + length <= columns {
                        lines.push((0..length).map(|i| square(column + i, row)).sum());
                    }
                    if row + length <= rows {
                        lines.push((0..length).map(|i| square(column, row + i)).sum());
                    }
                }
            }
        }
        lines.sort_unstable();
        lines.dedup();
        Filling { cells: columns * rows, lines, full: Outcome::Win }
    }
}

impl Game for Filling {
    type Position = u64;
    type Turn = u64;
    const RULES_VERSION: u32 = 1;
    fn name(&self) -> String {
        "filling".to_owned()
    }
    fn position_count(&self) -> u128 {
        1 << self.cells
    }
    fn start(&self) -> u64 {
        0
    }
    fn result(&self, position: &u64) -> Option<Outcome> {
        (*position == (1 << self.cells) - 1).then_some(self.full)
    }
    fn turns(&self, position: &u64) -> Vec<(u64, u64)> {
        self.lines.iter().filter(|&line| line & position == 0).map(|line| (*line, line | position)).collect()
    }
    fn play(&self, position: &u64, turn: &u64) -> u64 {
        position | turn
    }
    fn parse_position(&self, text: &str) -> Result<u64, TextError> {
        text.parse().map_err(|_| TextError::impossible("position", text, "no number"))
    }
    fn position_text(&self, position: &u64) -> String {
        position.to_string()
    }
    fn parse_turn(&self, _position: &u64, text: &str) -> Result<u64, TextError> {
        self.parse_position(text)
    }
    fn turn_text(&self, _position: &u64, turn: &u64) -> String {
        turn.to_string()
    }
}

impl Dense for Filling {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        1 << self.cells
    }
    fn index(&self, position: &u64) -> Option<Index> {
        Some(Index(*position))
    }
    fn position(&self, index: Index) -> Option<u64> {
        (index.0 < 1 << self.cells).then_some(index.0)
    }
}

impl Graded for Filling {
    fn grade(&self, position: &u64) -> u64 {
        u64::from(self.cells - position.count_ones())
    }
}

impl Layered for Filling {
    fn layer_count(&self) -> usize {
        1
    }
    fn layer(&self, _layer: usize) -> Vec<Range<Index>> {
        vec![Index(0)..Index(1 << self.cells)]
    }
}

impl Fill for Filling {
    fn cells(&self) -> u32 {
        self.cells
    }
    fn lines(&self) -> Vec<u64> {
        self.lines.clone()
    }
    fn full(&self) -> Outcome {
        self.full
    }
}

/// Keeps what is saved in memory, and always thinks it due.
#[derive(Default)]
pub struct Memory(pub Option<SavedState>);

impl Checkpoint for Memory {
    fn load(&mut self) -> std::io::Result<Option<SavedState>> {
        Ok(self.0.clone())
    }
    fn due(&self) -> bool {
        true
    }
    fn save(&mut self, stage: u64, parts: &[&[u8]]) -> std::io::Result<()> {
        self.0 = Some(SavedState { stage, bytes: parts.concat() });
        Ok(())
    }
}

/// Stops when it has been asked so many times.
pub struct Patience(pub std::sync::atomic::AtomicI64);

impl Progress for Patience {
    fn stage(&self, _name: &str, _total: u64) {}
    fn advance(&self, _units: u64) {}
    fn stopped(&self) -> bool {
        self.0.fetch_sub(1, std::sync::atomic::Ordering::Relaxed) <= 0
    }
}

pub fn job<'a>(threads: usize, progress: &'a dyn Progress, checkpoint: &'a mut dyn Checkpoint) -> Job<'a> {
    Job { threads, memory: 1 << 30, horizon: None, progress, checkpoint }
}
