//! A game as a graph: its nodes are positions, numbered in the order of a search from the start, and its
//! edges are turns. This lets the library solve and query any game with enumerable turns.

use retrograde_game::{
    Dense, Flow, Game, Index, Mark, Outcome, Picture, Predecessors, Seat, Show, TextError,
};
use rustc_hash::FxHashSet;

/// The number of a position.
pub(crate) type Node = u32;

/// A turn, by its place in the list of turns of its position.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place(pub u32);

/// A list for each node, stored in one array.
#[derive(Debug)]
pub(crate) struct Lists {
    /// The offsets of the lists, and the end of the last one.
    begins: Vec<u32>,
    nodes: Vec<Node>,
}

impl Default for Lists {
    fn default() -> Lists {
        Lists { begins: vec![0], nodes: Vec::new() }
    }
}

impl Lists {
    /// Adds the list of the next node; `None` if there are more entries than 32 bits can count.
    pub(crate) fn push(&mut self, list: impl IntoIterator<Item = Node>) -> Option<()> {
        self.nodes.extend(list);
        self.begins.push(u32::try_from(self.nodes.len()).ok()?);
        Some(())
    }

    /// The lists with these offsets and entries; `None` if they do not fit together.
    pub(crate) fn from_parts(begins: Vec<u32>, nodes: Vec<Node>) -> Option<Lists> {
        let ordered = begins.first() == Some(&0) && begins.is_sorted();
        let whole = begins.last().is_some_and(|&end| end as usize == nodes.len());
        let count = begins.len().saturating_sub(1);
        let inside = nodes.iter().all(|&node| (node as usize) < count);
        (ordered && whole && inside).then_some(Lists { begins, nodes })
    }

    /// The offsets and the entries.
    pub(crate) fn into_parts(self) -> (Vec<u32>, Vec<Node>) {
        (self.begins, self.nodes)
    }

    fn of(&self, node: Node) -> &[Node] {
        let node = node as usize;
        &self.nodes[self.begins[node] as usize..self.begins[node + 1] as usize]
    }

    pub(crate) fn len(&self) -> usize {
        self.begins.len() - 1
    }

    /// The reversed edges.
    fn reversed(&self) -> Lists {
        let mut begins = vec![0; self.len() + 1];
        for &to in &self.nodes {
            begins[to as usize + 1] += 1;
        }
        for node in 0..self.len() {
            begins[node + 1] += begins[node];
        }
        let (mut next, mut nodes) = (begins.clone(), vec![0; self.nodes.len()]);
        for from in 0..self.len() as Node {
            for &to in self.of(from) {
                let place = &mut next[to as usize];
                nodes[*place as usize] = from;
                *place += 1;
            }
        }
        Lists { begins, nodes }
    }
}

/// A game as a graph. Node 0 is the start.
pub(crate) struct Graph {
    name: String,
    /// The positions after the turns of each node, in the game's order.
    after: Lists,
    before: Lists,
    /// The outcome at a node if the game is over there by its rules.
    over: Vec<Option<Outcome>>,
    /// The player to move at each node; empty if the players alternate.
    seats: Vec<Seat>,
    without_turns: Outcome,
}

impl Graph {
    /// `over`, and `seats` unless it is empty, have an entry for each list of `after`, and each node in
    /// these lists has a list.
    pub(crate) fn new(
        name: String,
        after: Lists,
        over: Vec<Option<Outcome>>,
        mut seats: Vec<Seat>,
        without_turns: Outcome,
    ) -> Graph {
        // Seats are only needed if a player can move twice in a row.
        let moves_again =
            |node: usize| after.of(node as Node).iter().any(|&next| seats[next as usize] == seats[node]);
        if !(0..seats.len()).any(moves_again) {
            seats = Vec::new();
        }
        let before = after.reversed();
        Graph { name, after, before, over, seats, without_turns }
    }

    fn number(&self, what: &'static str, text: &str) -> Result<u32, TextError> {
        text.parse().map_err(|_| TextError::unexpected(what, text, 0, "a number"))
    }
}

impl Game for Graph {
    type Position = Node;
    type Turn = Place;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn position_count(&self) -> u128 {
        self.after.len() as u128
    }

    fn start(&self) -> Node {
        0
    }

    fn result(&self, &node: &Node) -> Option<Outcome> {
        self.over[node as usize]
    }

    fn seat(&self, &node: &Node) -> Option<Seat> {
        self.seats.get(node as usize).copied()
    }

    fn outcome_without_turns(&self) -> Outcome {
        self.without_turns
    }

    fn turns(&self, &node: &Node) -> Vec<(Place, Node)> {
        let mut met = FxHashSet::default();
        let all = (0..).map(Place).zip(self.after.of(node).iter().copied());
        all.filter(|&(_, next)| met.insert(next)).collect()
    }

    fn play(&self, &node: &Node, turn: &Place) -> Node {
        self.after.of(node)[turn.0 as usize]
    }

    fn each_successor(&self, &node: &Node, visit: impl FnMut(Node) -> Flow) -> Flow {
        self.after.of(node).iter().copied().try_for_each(visit)
    }

    fn parse_position(&self, text: &str) -> Result<Node, TextError> {
        let node = self.number("position", text)?;
        let is_node = (node as usize) < self.after.len();
        is_node
            .then_some(node)
            .ok_or_else(|| TextError::impossible("position", text, "there is no position with this number"))
    }

    fn position_text(&self, node: &Node) -> String {
        node.to_string()
    }

    fn parse_turn(&self, &node: &Node, text: &str) -> Result<Place, TextError> {
        let place = self.number("turn", text)?;
        let is_turn = (place as usize) < self.after.of(node).len();
        is_turn
            .then_some(Place(place))
            .ok_or_else(|| TextError::impossible("turn", text, "this position has fewer turns"))
    }

    /// All texts have the same length, so that they sort in the game's order.
    fn turn_text(&self, _: &Node, turn: &Place) -> String {
        format!("{:010}", turn.0)
    }
}

impl Dense for Graph {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        self.after.len() as u128
    }

    fn index(&self, &node: &Node) -> Option<Index> {
        Some(Index(node.into()))
    }

    fn position(&self, index: Index) -> Option<Node> {
        Node::try_from(index.0).ok().filter(|&node| (node as usize) < self.after.len())
    }
}

impl Predecessors for Graph {
    fn each_predecessor(&self, &node: &Node, visit: impl FnMut(Node) -> Flow) -> Flow {
        self.before.of(node).iter().copied().try_for_each(visit)
    }
}

/// Nodes have no picture; the caller draws its positions.
impl Show for Graph {
    fn picture(&self, _: &Node, to_move: Seat) -> Picture {
        Picture::grid(1, 1, to_move)
    }

    fn marks(&self, _: &Node, _: &Place, _: Seat) -> Vec<Mark> {
        Vec::new()
    }
}
