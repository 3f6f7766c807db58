//! A made-up game: random graphs with every unusual feature that the traits allow.

use std::ops::Range;

use retrograde_game::{
    Dense, Flow, Game, Graded, Index, Layered, Outcome, Packed, Predecessors, Random, Seat, Staged,
    Successor, Symmetries, TextError,
};

/// A game on a random graph. Positions are numbers; some indices have no position, and in some
/// positions the game is over.
///
/// With a mirror, the graph exists twice: the successors of p + half are those of p, up to mirroring.
pub struct Graph {
    /// Whether an index has a position.
    pub exists: Vec<bool>,
    /// The outcome where the rules end the game.
    pub over: Vec<Option<Outcome>>,
    /// The successors.
    pub next: Vec<Vec<usize>>,
    /// The number of positions before the game proper, which come last.
    pub prelude: usize,
    /// Whether the second half is an image of the first.
    pub mirrored: bool,
    /// The outcome for a player without a turn.
    pub outcome_without_turns: Outcome,
    /// The stage of each position of the game proper; empty if there is only one stage.
    pub stages: Vec<usize>,
    /// The player to move in each position; empty if the players alternate.
    pub seats: Vec<Seat>,
}

impl Graph {
    /// Creates a random graph. With `forward`, every turn leads to a smaller number, so positions
    /// cannot repeat.
    pub fn random(seed: u64, forward: bool, mirrored: bool) -> Graph {
        let mut random = Random::new(seed);
        let half = 1 + random.below(40) as usize;
        let most = 1 + random.below(4);
        let outcomes = [Outcome::Loss, Outcome::Loss, Outcome::Win, Outcome::Draw];
        let exists: Vec<bool> = (0..half).map(|_| random.below(8) > 0).collect();
        let over: Vec<Option<Outcome>> = (0..half)
            .map(|_| (random.below(5) == 0).then(|| *random.choose(&outcomes).expect("not empty")))
            .collect();
        let copies = if mirrored { 2 } else { 1 };
        let mut next: Vec<Vec<usize>> = Vec::new();
        for copy in 0..copies {
            for from in 0..half {
                let mut to = Vec::new();
                // The mirror image copies the turns of the first half.
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
        let outcome_without_turns =
            *random.choose(&[Outcome::Loss, Outcome::Loss, Outcome::Draw, Outcome::Win]).expect("not empty");
        let mut graph = Graph {
            exists: doubled(&exists),
            over: over.repeat(copies),
            next,
            prelude: 0,
            mirrored,
            outcome_without_turns,
            stages: Vec::new(),
            seats: Vec::new(),
        };
        graph.add_prelude(&mut random);
        graph
    }

    /// Creates a random graph with stages. Leaves out turns to later stages.
    pub fn staged(seed: u64, mirrored: bool) -> Graph {
        let mut graph = Graph::random(seed, false, mirrored);
        let mut random = Random::new(seed ^ 0x57A6E);
        let main = graph.next.len() - graph.prelude;
        let count = 1 + random.below(4);
        let half = if mirrored { main / 2 } else { main };
        // Neighbours are often in the same stage, so that stages have ranges of several positions.
        let mut stage = 0;
        for at in 0..half {
            if at == 0 || random.below(5) == 0 {
                stage = random.below(count) as usize;
            }
            graph.stages.push(stage);
        }
        graph.stages.extend_from_within(..main - half);
        for from in 0..main {
            let stages = &graph.stages;
            graph.next[from].retain(|&to| stages[to] <= stages[from]);
        }
        graph
    }

    /// Creates a chain of `length` turns, for values with many turns.
    pub fn chain(length: usize) -> Graph {
        let mut over = vec![None; length + 1];
        over[0] = Some(Outcome::Loss);
        let next = (0..=length).map(|at| if at == 0 { vec![] } else { vec![at - 1] }).collect();
        let exists = vec![true; length + 1];
        Graph {
            exists,
            over,
            next,
            prelude: 0,
            mirrored: false,
            outcome_without_turns: Outcome::Loss,
            stages: Vec::new(),
            seats: Vec::new(),
        }
    }

    /// Gives two of five graphs random players to move, so that a player can move several times in
    /// a row. Images have the same player.
    #[must_use]
    pub fn some_seated(mut self, seed: u64) -> Graph {
        if seed % 5 < 2 {
            let mut random = Random::new(seed ^ 0x5EA7);
            let count = self.next.len();
            self.seats = (0..count).map(|_| [Seat::First, Seat::Second][random.below(2) as usize]).collect();
            if self.mirrored {
                let half = self.half();
                self.seats.copy_within(..half, half);
            }
        }
        self
    }

    /// Removes the positions before the game proper.
    #[must_use]
    pub fn without_prelude(mut self) -> Graph {
        let main = self.next.len() - std::mem::take(&mut self.prelude);
        self.exists.truncate(main);
        self.over.truncate(main);
        self.next.truncate(main);
        self.seats.truncate(main);
        self
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
    fn seat(&self, position: &usize) -> Option<Seat> {
        self.seats.get(*position).copied()
    }
    fn outcome_without_turns(&self) -> Outcome {
        self.outcome_without_turns
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
        text.parse().map_err(|_| TextError::impossible("position", text, "not a number"))
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
    fn each_predecessor(&self, position: &usize, mut visit: impl FnMut(usize) -> Flow) -> Flow {
        let main = self.next.len() - self.prelude;
        (0..main).filter(|&from| self.next[from].contains(position)).try_for_each(&mut visit)
    }
}

impl Symmetries for Graph {
    fn symmetry_count(&self) -> usize {
        if self.mirrored { 2 } else { 1 }
    }
    fn image(&self, symmetry: usize, position: &usize) -> usize {
        // Positions before the game proper are their own images.
        let both = 2 * self.half();
        if symmetry == 0 || *position >= both { *position } else { (position + self.half()) % both }
    }
}

impl Graded for Graph {
    /// The number itself, or the number of its image in the first half.
    fn grade(&self, position: &usize) -> u64 {
        let image = self.mirrored && (self.half()..2 * self.half()).contains(position);
        (if image { position - self.half() } else { *position }) as u64
    }
}

/// Codes spread over all 64 bits, including 0.
impl Packed for Graph {
    fn pack(&self, position: &usize) -> u64 {
        (*position as u64).wrapping_sub(1).wrapping_mul(PACKED)
    }
    fn unpack(&self, code: u64) -> usize {
        code.wrapping_mul(UNPACKED).wrapping_add(1) as usize
    }
}

/// The product of the two numbers is 1 modulo 2⁶⁴.
const PACKED: u64 = u64::MAX / 3 * 2 + 1;
const UNPACKED: u64 = 3;

/// Only for graphs that cannot repeat and have no mirror: every position is a layer.
impl Layered for Graph {
    fn layer_count(&self) -> usize {
        self.next.len() - self.prelude
    }
    fn layer(&self, layer: usize) -> Vec<Range<Index>> {
        vec![Index(layer as u64)..Index(layer as u64 + 1)]
    }
}

impl Staged for Graph {
    fn stage_count(&self) -> usize {
        self.stages.iter().max().map_or(1, |last| last + 1)
    }
    fn stage(&self, stage: usize) -> Vec<Range<Index>> {
        let main = self.next.len() - self.prelude;
        if self.stages.is_empty() {
            return vec![Index(0)..Index(main as u64)];
        }
        let mut ranges: Vec<Range<Index>> = Vec::new();
        for index in (0..main).filter(|&index| self.stages[index] == stage).map(|index| index as u64) {
            match ranges.last_mut() {
                Some(range) if range.end.0 == index => range.end = Index(index + 1),
                _ => ranges.push(Index(index)..Index(index + 1)),
            }
        }
        ranges
    }
    const LISTS_EARLIER: bool = true;

    /// Also visits every third of the other successors.
    fn each_earlier_successor(&self, &position: &usize, mut visit: impl FnMut(Successor) -> Flow) -> Flow {
        let stage = |at: usize| self.stages.get(at);
        self.each_numbered_successor(&position, |next| match next {
            Successor::At(Index(to)) | Successor::Again(Index(to))
                if to % 3 > 0 && stage(to as usize) == stage(position) =>
            {
                Flow::Continue(())
            }
            next => visit(next),
        })
    }

    fn stages_after(&self, stage: usize) -> Vec<usize> {
        let main = self.next.len() - self.prelude;
        let of_stage = (0..main).filter(|&index| self.stages.get(index) == Some(&stage));
        let mut after: Vec<usize> =
            of_stage.flat_map(|index| &self.next[index]).map(|&to| self.stages[to]).collect();
        after.sort_unstable();
        after.dedup();
        after
    }
}
