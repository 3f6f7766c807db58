//! Morris: men are placed and then moved along the lines of a board; three in a row are a mill.
//!
//! The rules of Nine Men's Morris follow R. Gasser, "Solving Nine Men's Morris" (Games of No
//! Chance, MSRI Publications 29, 1996). A player who closes a mill takes an opposing man that is
//! not in a mill, or any man if all are in mills. Two mills closed at once take one man. A player
//! with three men left moves them to any empty point. A player with two men left, or who cannot
//! move, loses. Six Men's Morris has the same rules on a smaller board. In Three Men's Morris a
//! mill wins; men move to neighbouring points along the rows and columns (H. J. R. Murray, "A
//! History of Chess", 1913, p. 614), with `diagonals` also between the middle and the corners, with
//! `flying` to any empty point.

mod board;
mod notation;
mod numbering;
mod rules;
mod show;

use retrograde::{Entry, Family};
use retrograde_game::*;

pub use board::Board as MorrisBoard;
pub use rules::{Position, Turn};

use board::Board;
use numbering::Numbering;
use rules::{Flying, Rules};

/// A Morris game.
#[derive(Clone, Debug)]
pub struct Morris {
    /// The number of men of the game that the board is for.
    board: u32,
    diagonals: bool,
    rules: Rules,
    numbering: Numbering,
}

impl Morris {
    /// Creates the game of a name such as `morris:9`, `morris:9,men=5` or `morris:3,flying`.
    ///
    /// # Errors
    /// If there is no such game.
    pub fn from_spec(mut spec: GameSpec) -> Result<Morris, TextError> {
        let name = match spec.board() {
            None | Some("9") => 9,
            Some("6") => 6,
            Some("3") => 3,
            Some(other) => {
                return Err(spec.error(format!("Morris is played with 3, 6 or 9 men, found `{other}`")));
            }
        };
        let (diagonals, flying) = match name {
            3 => (spec.take_flag("diagonals")?, spec.take_flag("flying")?),
            _ => (false, false),
        };
        let Some(board) = Board::of_game(name, diagonals) else {
            return Err(spec.error("there is no such board"));
        };
        // At least one point stays empty.
        let men = spec.take_number("men", 3..=(board.points() - 1) / 2)?.unwrap_or(name);
        spec.finish(if name == 3 { &["men", "diagonals", "flying"] } else { &["men"] })?;
        let flying = match (name, flying) {
            (3, true) => Flying::Always,
            (3, false) => Flying::Never,
            _ => Flying::WithThree,
        };
        let rules = Rules { board, men, mill_wins: name == 3, flying };
        let numbering = Numbering::new(&rules);
        Ok(Morris { board: name, diagonals, rules, numbering })
    }

    /// Visits the successors of a numbered position. Without `quiet`, leaves out those after a move
    /// that takes no man and does not win.
    #[inline]
    fn each_numbered_after(
        &self,
        position: &Position,
        quiet: bool,
        mut visit: impl FnMut(Successor) -> Flow,
    ) -> Flow {
        if self.result(position).is_some() {
            return Flow::Continue(());
        }
        let (rules, last_three) = (&self.rules, self.rules.last_three(position));
        let numbering = self.numbering.of_hands(position.in_hands.saturating_sub(1));
        // Few turns take a man; after all others the opponent's men are the same.
        let men = position.own.len() + u32::from(position.in_hands > 0);
        let fixed = if quiet { numbering.fixing(position.other, men) } else { None };
        rules.each_board_after(position, |own, other, taken| {
            if rules.wins_by(other, taken, last_three) {
                return visit(Successor::Terminal(Outcome::Loss));
            }
            let index = match (taken, &fixed) {
                (false, _) if !quiet => return Flow::Continue(()),
                (false, Some(fixed)) => fixed.rank(other),
                _ => numbering.rank(own, other),
            };
            match index {
                Some(index) => visit(Successor::At(Index(index))),
                None => unreachable!("{own:?} and {other:?} follow {position:?} but have no number"),
            }
        })
    }

    /// The display name.
    fn title(&self) -> String {
        let game = match self.board {
            3 => "Three Men's Morris",
            6 => "Six Men's Morris",
            _ => "Nine Men's Morris",
        };
        let name = self.name();
        let keys =
            name.split_once(',').map_or(String::new(), |(_, keys)| format!(", {}", keys.replace(',', ", ")));
        game.to_owned() + &keys
    }
}

impl Game for Morris {
    type Position = Position;
    type Turn = Turn;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        let men =
            if self.rules.men == self.board { String::new() } else { format!(",men={}", self.rules.men) };
        let diagonals = if self.diagonals { ",diagonals" } else { "" };
        let flying = if self.rules.flying == Flying::Always { ",flying" } else { "" };
        format!("morris:{}{men}{diagonals}{flying}", self.board)
    }

    fn position_count(&self) -> u128 {
        self.numbering.position_count(&self.rules)
    }

    fn start(&self) -> Position {
        self.rules.start()
    }

    fn result(&self, position: &Position) -> Option<Outcome> {
        self.rules.result(position)
    }

    fn each_turn(&self, position: &Position, visit: impl FnMut(Turn, Position) -> Flow) -> Flow {
        if self.result(position).is_some() {
            Flow::Continue(())
        } else {
            self.rules.each_turn(position, visit)
        }
    }

    fn wins_now(&self, position: &Position) -> bool {
        let (rules, last_three) = (&self.rules, self.rules.last_three(position));
        let wins = |_, mine, taken| match rules.wins_by(mine, taken, last_three) {
            true => Flow::Break(()),
            false => Flow::Continue(()),
        };
        // Only a mill can win.
        let may_win = rules.mill_wins || last_three;
        may_win && self.result(position).is_none() && rules.each_board_after(position, wins).is_break()
    }

    fn play(&self, position: &Position, turn: &Turn) -> Position {
        self.rules.play(position, turn)
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        notation::parse_board(&self.rules, text, Seat::First)
    }

    fn position_text(&self, position: &Position) -> String {
        notation::board(&self.rules.board, position.own, position.other, position.in_hands)
    }

    fn turn_text(&self, _position: &Position, turn: &Turn) -> String {
        notation::turn(&self.rules.board, turn)
    }

    fn step_kind(&self, position: &Position, _ends: bool) -> StepKind {
        if position.in_hands > 0 { StepKind::Place } else { StepKind::Move }
    }
}

impl Dense for Morris {
    const INDEX_VERSION: u32 = 2;
    const UP_TO_SYMMETRY: bool = true;

    fn index_count(&self) -> u128 {
        self.numbering.count().into()
    }

    fn index_memory(&self) -> u64 {
        self.numbering.memory()
    }

    fn index(&self, position: &Position) -> Option<Index> {
        // Positions with an impossible number of men have no index.
        self.numbering.index(position).filter(|_| !self.rules.has_won(position)).map(Index)
    }

    fn position(&self, index: Index) -> Option<Position> {
        self.numbering.position(index.0).filter(|position| !self.rules.has_won(position))
    }

    fn representative(&self, position: &Position) -> Position {
        self.numbering.representative(position).unwrap_or(*position)
    }

    fn walk_down(&self, indices: Range<Index>, mut visit: impl FnMut(Index, Position) -> Flow) -> Flow {
        self.numbering.walk_down(numbers(indices), |index, position| {
            if self.rules.has_won(&position) { Flow::Continue(()) } else { visit(Index(index), position) }
        })
    }

    /// Successors of legal positions are legal, so only their indices have to be found.
    fn each_numbered_successor(&self, position: &Position, visit: impl FnMut(Successor) -> Flow) -> Flow {
        self.each_numbered_after(position, true, visit)
    }

    fn unnumbered(&self) -> Vec<(Outcome, u128)> {
        vec![(Outcome::Loss, self.numbering.unnumbered_count(&self.rules))]
    }
}

impl Staged for Morris {
    /// A stage is all positions with the same numbers of men in hand and on the board.
    fn stage_count(&self) -> usize {
        self.numbering.stages().len()
    }

    fn stage(&self, stage: usize) -> Vec<Range<Index>> {
        let range = self.numbering.stages().get(stage);
        range.map(|range| Index(range.start)..Index(range.end)).into_iter().collect()
    }

    fn stages_after(&self, stage: usize) -> Vec<usize> {
        self.numbering.stages_after(stage)
    }

    const LISTS_EARLIER: bool = true;

    /// Without men in hand, only turns that take a man or win lead out of a stage.
    fn each_earlier_successor(&self, position: &Position, visit: impl FnMut(Successor) -> Flow) -> Flow {
        self.each_numbered_after(position, position.in_hands > 0, visit)
    }
}

impl Unmoves for Morris {
    const EXACT: bool = true;

    fn each_unmove(&self, position: &Position, visit: impl FnMut(Position) -> Flow) -> Flow {
        if self.rules.fault(position, Seat::First).is_some() {
            return Flow::Continue(());
        }
        self.rules.each_before(position, visit)
    }

    /// Stages differ in the numbers of men on the board.
    fn each_unmove_within_stage(&self, position: &Position, visit: impl FnMut(Position) -> Flow) -> Flow {
        if position.in_hands > 0 { Flow::Continue(()) } else { self.rules.each_move_before(position, visit) }
    }
}

const SUMMARY: &str =
    "with three, six or nine men each: three in a row take a man; a player with two left loses";

pub(crate) fn family() -> Family {
    Family::new("morris", SUMMARY, |spec, _| {
        let game = Morris::from_spec(spec)?;
        let title = game.title();
        let entry = Entry::new(game, SUMMARY).title(title).predecessors().staged().reachable();
        // Turns need two bytes. On disk, a position took 0.53 bytes with nine men and 0.43 with six.
        Ok(entry.with(|game| game.packed = 0.55).build())
    })
    .forms("[:3|6|9][,men=N]   the board for that number of men; with 3 also [,diagonals][,flying]")
    .examples(["morris:3", "morris:6", "morris:9", "morris:3,diagonals", "morris:9,men=4"])
}
