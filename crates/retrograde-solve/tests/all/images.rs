//! Numberings in which all images of a position share an index: the values must be the ones found with
//! separate indices.

use retrograde_game::conformance::{check_counts, check_dense, check_predecessors};
use retrograde_game::{Dense, Flow, Game, Index, Knowledge, Outcome, Predecessors, Stored, TextError};
use retrograde_index::{Arrangements, ReducedArrangements, SymmetryGroup};
use retrograde_solve::retrograde::Retrograde;
use retrograde_solve::{Job, NoCheckpoint, Scores, Silent, sweep};

/// The pieces of the side to move, and the other pieces.
type Sets = [u64; 2];

/// Two sides on 3 × 3 squares. A turn moves a piece one square along a row or a column. A side with three in
/// a line has won.
struct Slide {
    counts: [u32; 2],
    all: Arrangements<2>,
    /// If set, this is the numbering.
    reduced: Option<ReducedArrangements<2>>,
}

const LINES: [u64; 8] = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// The squares of a set.
fn squares(set: u64) -> impl Iterator<Item = u64> {
    (0..9).map(|square| 1 << square).filter(move |square| set & square != 0)
}

fn neighbours(square: u64) -> u64 {
    (square & !0o444) << 1 | (square & !0o111) >> 1 | (square << 3 | square >> 3) & 0o777
}

fn wins(set: u64) -> bool {
    LINES.iter().any(|line| set & line == *line)
}

impl Slide {
    fn new(counts: [u32; 2], up_to_symmetry: bool) -> Slide {
        let quarter_turn = [2, 5, 8, 1, 4, 7, 0, 3, 6];
        let mirror = [2, 1, 0, 5, 4, 3, 8, 7, 6];
        let group = SymmetryGroup::generated_by(9, &[quarter_turn, mirror]).unwrap();
        // The sides take turns, and each keeps its pieces.
        let [a, b] = counts;
        let blocks = if a == b { vec![[a, b]] } else { vec![[a, b], [b, a]] };
        let reduced = ReducedArrangements::of_counts(group, &blocks).unwrap();
        let all = Arrangements::of_counts(9, &blocks).unwrap();
        Slide { counts, all, reduced: up_to_symmetry.then_some(reduced) }
    }

    fn moves([own, other]: Sets) -> impl Iterator<Item = Sets> {
        squares(own).flat_map(move |from| {
            squares(neighbours(from) & !(own | other)).map(move |to| [other, own ^ from ^ to])
        })
    }
}

impl Game for Slide {
    type Position = Sets;
    type Turn = Sets;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        "slide".to_owned()
    }
    fn position_count(&self) -> u128 {
        self.reduced.as_ref().map_or(u128::from(self.all.count()), |all| all.orbits().unwrap())
    }
    fn start(&self) -> Sets {
        self.all.unrank(self.all.block(self.counts).unwrap().start).unwrap()
    }
    fn result(&self, &[own, other]: &Sets) -> Option<Outcome> {
        match (wins(other), wins(own)) {
            (true, _) => Some(Outcome::Loss),
            (false, true) => Some(Outcome::Win),
            (false, false) => None,
        }
    }
    fn turns(&self, position: &Sets) -> Vec<(Sets, Sets)> {
        let over = self.result(position).is_some();
        Slide::moves(*position).filter(|_| !over).map(|next| (next, next)).collect()
    }
    fn play(&self, _position: &Sets, turn: &Sets) -> Sets {
        *turn
    }
    fn parse_position(&self, text: &str) -> Result<Sets, TextError> {
        Err(TextError::impossible("position", text, "these tests read none"))
    }
    fn position_text(&self, position: &Sets) -> String {
        format!("{position:?}")
    }
    fn parse_turn(&self, _position: &Sets, text: &str) -> Result<Sets, TextError> {
        Err(TextError::impossible("turn", text, "these tests read none"))
    }
    fn turn_text(&self, _position: &Sets, turn: &Sets) -> String {
        format!("{turn:?}")
    }
}

impl Dense for Slide {
    const INDEX_VERSION: u32 = 1;
    const UP_TO_SYMMETRY: bool = true;

    fn index_count(&self) -> u128 {
        u128::from(self.reduced.as_ref().map_or(self.all.count(), ReducedArrangements::count))
    }
    fn index(&self, position: &Sets) -> Option<Index> {
        match &self.reduced {
            Some(reduced) => reduced.rank(*position).map(Index),
            None => self.all.rank(*position).map(Index),
        }
    }
    fn position(&self, index: Index) -> Option<Sets> {
        match &self.reduced {
            Some(reduced) => reduced.unrank(index.0),
            None => self.all.unrank(index.0),
        }
    }
    fn representative(&self, position: &Sets) -> Sets {
        self.reduced.as_ref().and_then(|reduced| reduced.canonical(*position)).unwrap_or(*position)
    }
}

impl Predecessors for Slide {
    fn each_predecessor(&self, &[own, other]: &Sets, mut visit: impl FnMut(Sets) -> Flow) -> Flow {
        // Moves go both ways, so this is a turn with the sides exchanged.
        Slide::moves([other, own])
            .map(|[own, other]| [other, own])
            .filter(|previous| self.result(previous).is_none())
            .try_for_each(&mut visit)
    }
}

fn job(checkpoint: &mut NoCheckpoint) -> Job<'_> {
    Job { threads: 2, memory: 1 << 30, horizon: None, progress: &Silent, checkpoint }
}

fn known(scores: &Scores, game: &Slide, position: &Sets) -> Knowledge {
    match scores.stored(game.index(position).unwrap()) {
        Stored::Known(known) => known,
        Stored::Nothing => panic!("{position:?} has no value"),
    }
}

#[test]
fn images_that_share_an_index_have_the_values_of_their_positions() {
    for counts in [[3, 3], [4, 3], [4, 4], [3, 2], [1, 5], [5, 4]] {
        let (all, reduced) = (Slide::new(counts, false), Slide::new(counts, true));
        let positions: Vec<Sets> = (0..all.all.count()).filter_map(|index| all.all.unrank(index)).collect();
        for game in [&all, &reduced] {
            check_dense(game, &positions);
            check_counts(game);
            check_predecessors(game, &positions, 3);
        }
        let expected = sweep::solve(&all, &mut job(&mut NoCheckpoint)).unwrap();
        let solved = [
            Retrograde::new(&reduced).solve(&mut job(&mut NoCheckpoint)).unwrap(),
            Retrograde::new(&reduced).predecessors().solve(&mut job(&mut NoCheckpoint)).unwrap(),
            Retrograde::new(&reduced).predecessors().shard(7).solve(&mut job(&mut NoCheckpoint)).unwrap(),
        ];
        for (way, scores) in solved.iter().enumerate() {
            for position in &positions {
                let (found, slowly) = (known(scores, &reduced, position), known(&expected, &all, position));
                assert_eq!(found, slowly, "{counts:?}, way {way}: {position:?}");
            }
        }
    }
}
