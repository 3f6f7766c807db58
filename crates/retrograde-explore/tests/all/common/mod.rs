//! Two made-up games, and a plain evaluation that shares no code with any solver or table.
#![allow(dead_code, reason = "each test uses a part of this")]

use std::cell::Cell;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::time::Duration;

use retrograde_explore::{Entry, SearchLimits, SolveOptions};
use retrograde_game::{
    Dense, Flow, Game, Graded, GridSquare, Index, Layered, Mark, Outcome, Picture, Predecessors, Random,
    Seat, Show, Staged, TextError, Turns, Value,
};
use retrograde_tactics::fill::{self, FillGame};

pub const LIMITS: SearchLimits = SearchLimits { nodes: 20_000, time: Duration::from_secs(20), depth: None };

pub fn options() -> SolveOptions {
    SolveOptions { threads: 2, memory: Some(1 << 30), ..SolveOptions::default() }
}

thread_local! {
    /// Counts the calls of `Graph::index` and `Graph::position` on this thread.
    pub static NUMBERED: Cell<u64> = const { Cell::new(0) };
}

/// A random graph: positions are its nodes, turns are its edges. The last nodes are a prelude.
pub struct Graph {
    pub name: String,
    /// `None` if no position has this index.
    pub next: Vec<Option<Vec<u32>>>,
    pub over: Vec<Option<Outcome>>,
    pub prelude: u32,
    /// The player to move in each node; empty if the players alternate.
    pub seats: Vec<Seat>,
    /// The result of `Dense::index_memory`.
    pub index_memory: u64,
}

impl Graph {
    /// Edges of an acyclic graph lead to lower nodes.
    pub fn random(seed: u64, nodes: u32, acyclic: bool) -> Graph {
        let mut random = Random::new(seed);
        let prelude = if acyclic { 0 } else { 3 };
        let proper = nodes - prelude;
        let mut next: Vec<Option<Vec<u32>>> = vec![None; nodes as usize];
        let mut over = vec![None; nodes as usize];
        for node in 0..proper {
            // The start is the last proper node. It always has an index and is never over.
            let roll = if node + 1 == proper { 99 } else { random.below(100) };
            if roll < 8 {
                continue;
            }
            next[node as usize] = Some(Vec::new());
            if roll < 18 {
                over[node as usize] = Some(
                    [Outcome::Loss, Outcome::Loss, Outcome::Win, Outcome::Draw][random.below(4) as usize],
                );
            }
        }
        for node in 0..nodes {
            if node >= proper {
                let to = (0..node).filter(|&to| next[to as usize].is_some()).collect::<Vec<_>>();
                next[node as usize] = Some((0..4).map(|_| *random.choose(&to).unwrap()).collect());
            } else if next[node as usize].is_some() && over[node as usize].is_none() {
                let end = if acyclic { node } else { proper };
                let to: Vec<u32> = (0..end).filter(|&to| to != node && next[to as usize].is_some()).collect();
                let edges = random.below(4) + u64::from(node + 1 == proper);
                next[node as usize] = Some((0..edges).filter_map(|_| random.choose(&to).copied()).collect());
            }
            if let Some(edges) = &mut next[node as usize] {
                edges.sort_unstable();
                edges.dedup();
            }
        }
        let kind = if acyclic { "acyclic" } else { "cyclic" };
        Graph {
            name: format!("graph:{seed},{kind}"),
            next,
            over,
            prelude,
            seats: Vec::new(),
            index_memory: 0,
        }
    }

    /// For odd seeds, chooses the player to move at random, so that a player moves several times in a row.
    pub fn some_seated(mut self, seed: u64) -> Graph {
        if seed % 2 == 1 {
            let mut random = Random::new(seed);
            let seats = [Seat::First, Seat::Second];
            self.seats = self.next.iter().map(|_| seats[random.below(2) as usize]).collect();
        }
        self
    }

    pub fn positions(&self) -> Vec<u32> {
        (0..self.next.len() as u32).filter(|&node| self.next[node as usize].is_some()).collect()
    }

    pub fn proper(&self) -> u32 {
        self.next.len() as u32 - self.prelude
    }
}

fn number(what: &'static str, text: &str, prefix: char) -> Result<u32, TextError> {
    let digits = text
        .strip_prefix(prefix)
        .ok_or_else(|| TextError::unexpected(what, text, 0, format!("`{prefix}`")))?;
    digits.parse().map_err(|_| TextError::unexpected(what, text, 1, "a number"))
}

impl Game for Graph {
    type Position = u32;
    type Turn = u32;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        self.name.clone()
    }
    fn position_count(&self) -> u128 {
        self.next[..self.proper() as usize].iter().flatten().count() as u128
    }
    fn start(&self) -> u32 {
        self.next.len() as u32 - 1
    }
    fn result(&self, &position: &u32) -> Option<Outcome> {
        self.over[position as usize]
    }
    fn seat(&self, &position: &u32) -> Option<Seat> {
        self.seats.get(position as usize).copied()
    }
    fn turns(&self, &position: &u32) -> Vec<(u32, u32)> {
        self.next[position as usize].iter().flatten().map(|&to| (to, to)).collect()
    }
    fn play(&self, _: &u32, &turn: &u32) -> u32 {
        turn
    }
    fn turn_is_counted(&self, &position: &u32) -> bool {
        position < self.proper()
    }
    fn parse_position(&self, text: &str) -> Result<u32, TextError> {
        let node = number("position", text, 'p')?;
        match self.next.get(node as usize) {
            Some(Some(_)) => Ok(node),
            _ => Err(TextError::impossible("position", text, "there is no such node")),
        }
    }
    fn position_text(&self, position: &u32) -> String {
        format!("p{position}")
    }
    fn parse_turn(&self, &position: &u32, text: &str) -> Result<u32, TextError> {
        let to = number("turn", text, '>')?;
        match &self.next[position as usize] {
            Some(edges) if edges.contains(&to) => Ok(to),
            _ => Err(TextError::impossible("turn", text, "there is no such edge")),
        }
    }
    fn turn_text(&self, _: &u32, turn: &u32) -> String {
        format!(">{turn}")
    }
}

impl Dense for Graph {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        self.next.len() as u128
    }
    fn index(&self, &position: &u32) -> Option<Index> {
        NUMBERED.set(NUMBERED.get() + 1);
        Some(Index(position.into()))
    }
    fn index_memory(&self) -> u64 {
        self.index_memory
    }
    fn position(&self, index: Index) -> Option<u32> {
        NUMBERED.set(NUMBERED.get() + 1);
        self.next.get(usize::try_from(index.0).ok()?)?.as_ref().map(|_| index.0 as u32)
    }
    fn prelude(&self) -> u64 {
        self.prelude.into()
    }
}

impl Predecessors for Graph {
    fn each_predecessor(&self, position: &u32, mut visit: impl FnMut(u32) -> Flow) -> Flow {
        for node in 0..self.proper() {
            if self.next[node as usize].as_ref().is_some_and(|edges| edges.contains(position)) {
                visit(node)?;
            }
        }
        Flow::Continue(())
    }
}

/// Only acyclic graphs are registered as graded.
impl Graded for Graph {
    fn grade(&self, &position: &u32) -> u64 {
        position.into()
    }
}

impl Layered for Graph {
    fn layer_count(&self) -> usize {
        self.next.len()
    }
    fn layer(&self, layer: usize) -> Vec<Range<Index>> {
        vec![Index(layer as u64)..Index(layer as u64 + 1)]
    }
}

/// Two positions can lead to each other only within a stage, since no turn leads from a stage to a higher
/// one.
impl Staged for Graph {
    fn stage_count(&self) -> usize {
        self.stages().len()
    }
    fn stage(&self, stage: usize) -> Vec<Range<Index>> {
        let Range { start, end } = self.stages()[stage];
        vec![Index(start.into())..Index(end.into())]
    }
}

impl Graph {
    /// The shortest ranges out of which no turn leads to a higher index.
    fn stages(&self) -> Vec<Range<u32>> {
        let (mut stages, mut start, mut last) = (Vec::new(), 0, 0);
        for node in 0..self.proper() {
            let highest = self.next[node as usize].iter().flatten().max();
            last = last.max(node).max(highest.copied().unwrap_or(0));
            if last == node {
                stages.push(start..node + 1);
                start = node + 1;
            }
        }
        stages
    }
}

impl Show for Graph {
    fn picture(&self, _: &u32, to_move: Seat) -> Picture {
        Picture::grid(1, 1, to_move)
    }
    fn marks(&self, _: &u32, _: &u32, _: Seat) -> Vec<Mark> {
        vec![Mark::Fill(vec![GridSquare { column: 0, row: 0 }])]
    }
    fn board_text(&self, position: &u32, to_move: Seat) -> String {
        format!("{}{position}", if to_move == Seat::First { 'P' } else { 'p' })
    }
    fn turn_on_board(&self, _: &u32, turn: &u32, to_move: Seat) -> String {
        format!("{}>{turn}", if to_move == Seat::First { "first" } else { "second" })
    }
    fn plane_names(&self) -> Vec<&'static str> {
        vec!["bits"]
    }
    fn plane_shape(&self) -> (usize, usize) {
        (1, 16)
    }
    fn planes(&self, &position: &u32, out: &mut [u8]) {
        out.iter_mut().enumerate().for_each(|(bit, out)| *out = (position >> bit) as u8 & 1);
    }
}

/// A strip of squares. A turn fills one or two adjacent squares; the player who fills the last one loses.
pub struct Strip(pub u32);

impl Game for Strip {
    type Position = u64;
    type Turn = u64;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        format!("strip:{}", self.0)
    }
    fn position_count(&self) -> u128 {
        1 << self.0
    }
    fn start(&self) -> u64 {
        0
    }
    fn result(&self, &position: &u64) -> Option<Outcome> {
        (position == (1 << self.0) - 1).then_some(Outcome::Win)
    }
    fn turns(&self, &position: &u64) -> Vec<(u64, u64)> {
        let lines = self.lines().into_iter().filter(|line| line & position == 0);
        lines.map(|line| (line, line | position)).collect()
    }
    fn play(&self, &position: &u64, &turn: &u64) -> u64 {
        position | turn
    }
    fn parse_position(&self, text: &str) -> Result<u64, TextError> {
        if text.chars().count() != self.0 as usize {
            return Err(TextError::impossible("position", text, format!("{} squares are wanted", self.0)));
        }
        text.chars().enumerate().try_fold(0, |position, (at, c)| match c {
            'X' => Ok(position | 1 << at),
            '_' => Ok(position),
            _ => Err(TextError::unexpected("position", text, at, "`X` or `_`")),
        })
    }
    fn position_text(&self, &position: &u64) -> String {
        (0..self.0).map(|at| if position >> at & 1 == 1 { 'X' } else { '_' }).collect()
    }
    fn parse_turn(&self, position: &u64, text: &str) -> Result<u64, TextError> {
        let found = self.turns(position).into_iter().find(|(turn, _)| self.turn_text(position, turn) == text);
        found.map(|(turn, _)| turn).ok_or_else(|| TextError::impossible("turn", text, "it is not legal"))
    }
    fn turn_text(&self, _: &u64, &turn: &u64) -> String {
        (0..self.0).filter(|at| turn >> at & 1 == 1).map(|at| char::from(b'a' + at as u8)).collect()
    }
}

impl Dense for Strip {
    const INDEX_VERSION: u32 = 1;
    fn index_count(&self) -> u128 {
        1 << self.0
    }
    fn index(&self, &position: &u64) -> Option<Index> {
        Some(Index(position))
    }
    fn position(&self, index: Index) -> Option<u64> {
        (index.0 < 1 << self.0).then_some(index.0)
    }
}

impl Graded for Strip {
    fn grade(&self, position: &u64) -> u64 {
        position.count_zeros().into()
    }
}

impl Layered for Strip {
    fn layer_count(&self) -> usize {
        1
    }
    fn layer(&self, _: usize) -> Vec<Range<Index>> {
        vec![Index(0)..Index(1 << self.0)]
    }
}

impl Strip {
    /// Declares the bit-parallel solvers.
    pub fn fill(entry: Entry<Strip>) -> Entry<Strip> {
        entry.fill(
            |strip, job| fill::solve(&strip.fill_game(), job),
            |strip, job| fill::outcomes(&strip.fill_game(), job),
        )
    }

    fn lines(&self) -> Vec<u64> {
        (0..self.0).map(|at| 1 << at).chain((1..self.0).map(|at| 3 << (at - 1))).collect()
    }

    fn fill_game(&self) -> FillGame {
        FillGame { cells: self.0, lines: self.lines(), full: Outcome::Win }
    }
}

impl Show for Strip {
    fn picture(&self, _: &u64, to_move: Seat) -> Picture {
        Picture::grid(self.0 as u16, 1, to_move)
    }
    fn marks(&self, _: &u64, turn: &u64, _: Seat) -> Vec<Mark> {
        let places = (0..self.0 as u16).filter(|at| turn >> at & 1 == 1);
        vec![Mark::Fill(places.map(|column| GridSquare { column, row: 0 }).collect())]
    }
    fn board_text(&self, position: &u64, _: Seat) -> String {
        self.position_text(position)
    }
    fn turn_on_board(&self, position: &u64, turn: &u64, _: Seat) -> String {
        self.turn_text(position, turn)
    }
    fn plane_names(&self) -> Vec<&'static str> {
        vec!["filled"]
    }
    fn plane_shape(&self) -> (usize, usize) {
        (1, self.0 as usize)
    }
    fn planes(&self, &position: &u64, out: &mut [u8]) {
        out.iter_mut().enumerate().for_each(|(at, out)| *out = (position >> at) as u8 & 1);
    }
}

/// A value after a turn, from the perspective of the opponent of the player who made it.
pub fn to_opponent<G: Game>(game: &G, position: &G::Position, next: &G::Position, value: Value) -> Value {
    let same = game.seat(position).is_some() && game.seat(position) == game.seat(next);
    if same { value.flipped() } else { value }
}

/// The values of positions and everything reachable from them, by definition: first values of 0 turns, then
/// 1, 2, … until there are no more; all remaining positions are drawn. Positions whose turns do not count
/// follow at the end.
pub fn evaluate<G: Game>(
    game: &G,
    from: impl IntoIterator<Item = G::Position>,
) -> HashMap<G::Position, Value> {
    let mut all: Vec<G::Position> = from.into_iter().collect();
    let mut seen: HashSet<G::Position> = all.iter().cloned().collect();
    let mut at = 0;
    while at < all.len() {
        for (_, next) in game.turns(&all[at]) {
            if seen.insert(next.clone()) {
                all.push(next);
            }
        }
        at += 1;
    }
    let turns: HashMap<_, Vec<_>> = all
        .iter()
        .map(|position| (position.clone(), game.turns(position).into_iter().map(|(_, next)| next).collect()))
        .collect();
    let mut values: HashMap<G::Position, Value> = HashMap::new();
    for position in &all {
        let stuck = || turns[position].is_empty().then(|| game.outcome_without_turns());
        if let Some(outcome) = game.result(position).or_else(stuck) {
            values.insert(position.clone(), Value::over(outcome));
        }
    }
    let after = |position: &G::Position, next: &G::Position, values: &HashMap<G::Position, Value>| {
        values.get(next).map(|&value| to_opponent(game, position, next, value))
    };
    for length in 1..=all.len() as u16 + 1 {
        let mut found = Vec::new();
        for position in all.iter().filter(|p| !values.contains_key(p) && game.turn_is_counted(p)) {
            let seen: Vec<Option<Value>> =
                turns[position].iter().map(|next| after(position, next, &values)).collect();
            let value = if seen.iter().any(|value| *value == Some(Value::Loss(Turns(length - 1)))) {
                Value::Win(Turns(length))
            } else if seen.iter().all(|value| matches!(value, Some(Value::Win(_)))) {
                Value::Loss(Turns(length))
            } else {
                continue;
            };
            found.push((position.clone(), value));
        }
        if found.is_empty() {
            break;
        }
        values.extend(found);
    }
    for position in all.iter().filter(|position| game.turn_is_counted(position)) {
        values.entry(position.clone()).or_insert(Value::Draw);
    }
    // Positions of the prelude, after their successors.
    while values.len() < all.len() {
        for position in all.iter().filter(|position| !game.turn_is_counted(position)) {
            if let Some(best) =
                turns[position].iter().map(|next| after(position, next, &values)).collect::<Option<Vec<_>>>()
            {
                let best = best.into_iter().map(|value| value.flipped()).max();
                values.entry(position.clone()).or_insert(best.expect("a turn"));
            }
        }
    }
    values
}
