//! The game as the solvers see it: its name, its numbering, its symmetries.
//!
//! The index of a position is the lexicographic rank of its squares' codes in field order, `.` 0, `o` 1, `O` 2, `x`
//! 3, `X` 4, `Y` 5, the numbering of the first complete solve's files. After all permutations come, on boards
//! where they are few, the positions before the first push: see the module on placements.

use std::collections::HashMap;
use std::ops::ControlFlow;

use retrograde_game::{Dense, Game, GameSpec, Index, Outcome, Predecessors, Symmetries, TextError};
use retrograde_index::Multiset;

use crate::board::{self, Board};
use crate::board_file::BoardFile;
use crate::codes::Codes;
use crate::rules::{Position, Step, squares};

/// What one player does until the other is to move.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Turn {
    /// Placing all pieces, before the game proper: pushers and pawns.
    Place(u64, u64),
    /// Moves, and a push at the end.
    Steps(Vec<Step>),
}

/// Push Fight on a board.
#[derive(Clone, Debug)]
pub struct PushFight {
    pub(crate) board: Board,
    name: String,
    pub(crate) pushers: u32,
    pub(crate) pawns: u32,
    /// Moves a turn; `None`: any number.
    pub(crate) moves: Option<u32>,
    /// The squares beside each square.
    pub(crate) beside: Vec<u64>,
    pub(crate) ranks: Option<Multiset>,
    permutations: u128,
    pub(crate) symmetries: Vec<Vec<u8>>,
    /// The position that the board was drawn with; the empty board if it had no pieces.
    start: Position,
    /// The placements on each half, and their numbers; none if they are too many to be listed.
    pub(crate) placements: [Vec<(u64, u64)>; 2],
    pub(crate) placement_numbers: [HashMap<(u64, u64), u64>; 2],
}

const MOVES: u32 = 2;
const GOOD_MOVES: &str = "`moves` is a number up to 64 or `unlimited`";

/// `None` if it is none; otherwise a number, or `None` for any number of moves.
fn read_moves(text: &str) -> Option<Option<u32>> {
    match text {
        "unlimited" => Some(None),
        number => number.parse().ok().filter(|&number| number <= 64).map(Some),
    }
}

const EMPTY: Position =
    Position { own_pushers: 0, own_pawns: 0, other_pushers: 0, other_pawns: 0, anchor: 0 };
/// Start positions that are numbered at the most.
const MOST_STARTS: u64 = 1 << 24;

impl PushFight {
    /// The game of a name such as `pushfight:mini,moves=3`. `load` gives the text of a `.board` file.
    ///
    /// # Errors
    /// If the board or a key cannot be read, or the pieces do not fit the board.
    pub fn from_spec(
        mut spec: GameSpec,
        load: &dyn Fn(&str) -> Result<String, String>,
    ) -> Result<PushFight, TextError> {
        let wanted = spec.board().unwrap_or("standard").to_owned();
        let (board, pushers, pawns, label, own_moves, drawn) = match board::built_in(&wanted) {
            Some((board, pushers, pawns)) => (board, pushers, pawns, wanted, Some(MOVES), None),
            None if wanted.ends_with(".board") => {
                let text = load(&wanted).map_err(|reason| spec.error(reason))?;
                let file = BoardFile::parse(&text)?;
                let mut board = Board::from_drawing(&file.drawing, &text)?;
                for (half, places) in file.places.iter().enumerate() {
                    if let Some(places) = places {
                        board.halves[half] = board.set_of(places);
                    }
                }
                let stem = wanted.rsplit(['/', '\\']).next().unwrap_or(&wanted).trim_end_matches(".board");
                // FNV-1a, so that two files of one name are two games.
                let hash = text
                    .bytes()
                    .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
                let label = format!("{}-{hash:08x}", file.name.as_deref().unwrap_or(stem));
                let moves = match &file.moves {
                    Some(moves) => read_moves(moves).ok_or_else(|| {
                        TextError::impossible("board", &text, format!("`moves = {moves}`: {GOOD_MOVES}"))
                    })?,
                    None => Some(MOVES),
                };
                let pieces: String = file.drawing.squares().map(|(_, piece)| piece).collect();
                let drawn = pieces.contains(|c| c != '.').then(|| pieces.clone());
                let count = |letters: &str| pieces.chars().filter(|&c| letters.contains(c)).count() as u32;
                // What stands there says how many there are, unless the file says it.
                let or_drawn = |given: Option<u32>, letters: &str, usual: u32| match (given, &drawn) {
                    (Some(number), _) => number,
                    (None, Some(_)) => count(letters),
                    (None, None) => usual,
                };
                let pushers = or_drawn(file.pushers, "OP", 3);
                let pawns = or_drawn(file.pawns, "o", 2);
                (board, pushers, pawns, label, moves, drawn)
            }
            None => {
                return Err(spec.error(format!(
                    "there is no board `{wanted}`; built in are standard, mini, twocolumn, onecolumn, 2k3p and \
                     full, and the path of a file ends in .board"
                )));
            }
        };
        let own_pushers = spec.take_number("pushers", 1..=32)?.unwrap_or(pushers);
        let own_pawns = spec.take_number("pawns", 0..=32)?.unwrap_or(pawns);
        let moves = match spec.take_value("moves")? {
            None => own_moves,
            Some(moves) => {
                read_moves(&moves).ok_or_else(|| spec.error(format!("{GOOD_MOVES}, found `{moves}`")))?
            }
        };
        let mut name = format!("pushfight:{label}");
        if own_pushers != pushers {
            name.push_str(&format!(",pushers={own_pushers}"));
        }
        if own_pawns != pawns {
            name.push_str(&format!(",pawns={own_pawns}"));
        }
        match moves {
            moves if moves == own_moves => {}
            Some(moves) => name.push_str(&format!(",moves={moves}")),
            None => name.push_str(",moves=unlimited"),
        }
        let fits = PushFight::new(board, own_pushers, own_pawns, moves, name);
        let mut game = fits.map_err(|reason| spec.error(reason))?;
        if let Some(drawn) = drawn {
            game.start = game.read_position(&drawn)?;
        } else if game.starts() == 0 {
            return Err(spec.error("the pieces do not fit where they are to be placed"));
        }
        spec.finish(&["moves", "pushers", "pawns"])?;
        Ok(game)
    }

    fn new(
        board: Board,
        pushers: u32,
        pawns: u32,
        moves: Option<u32>,
        name: String,
    ) -> Result<PushFight, String> {
        let all = board.squares() as u32;
        if pushers == 0 {
            return Err("each side needs a pusher".to_owned());
        }
        if pushers > 32 || pawns > 32 || 2 * (pushers + pawns) > all {
            return Err(format!("{pushers} pushers and {pawns} pawns a side do not fit {all} squares"));
        }
        let counts = [all - 2 * (pushers + pawns), pawns, pushers, pawns, pushers - 1, 1];
        let mut permutations = 1_u128;
        let mut left = all;
        for count in counts {
            permutations = retrograde_index::binomial(left, count)
                .and_then(|ways| permutations.checked_mul(ways))
                .ok_or("the board has too many positions to be counted")?;
            left -= count;
        }
        let beside = board
            .next
            .iter()
            .map(|next| next.iter().flatten().fold(0_u64, |set, &square| set | 1 << square))
            .collect();
        let mut game = PushFight {
            ranks: Multiset::new(&counts).ok(),
            symmetries: board.symmetries(),
            board,
            name,
            pushers,
            pawns,
            moves,
            beside,
            permutations,
            start: EMPTY,
            placements: [Vec::new(), Vec::new()],
            placement_numbers: [HashMap::new(), HashMap::new()],
        };
        game.list_placements();
        Ok(game)
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Pushers a side.
    pub fn pushers(&self) -> u32 {
        self.pushers
    }

    /// Pawns a side.
    pub fn pawns(&self) -> u32 {
        self.pawns
    }

    /// Moves of a turn at the most; `None`: any number.
    pub fn moves(&self) -> Option<u32> {
        self.moves
    }

    /// Where the symmetries of the board take each square, the identity first.
    pub fn square_symmetries(&self) -> &[Vec<u8>] {
        &self.symmetries
    }

    /// The board, drawn as a board file has it.
    pub fn board_drawing(&self) -> String {
        self.board.drawing("").to_string()
    }

    /// Whether positions have indices of 64 bits.
    pub fn has_numbering(&self) -> bool {
        self.ranks.is_some()
    }

    fn starts(&self) -> u64 {
        self.placements[0].len() as u64 * self.placements[1].len() as u64
    }

    /// The first index past the permutations; `None` if positions before the first push have no indices.
    fn first_start(&self) -> Option<u64> {
        let numbered = self.starts() > 0 && self.starts() <= MOST_STARTS;
        u64::try_from(self.permutations).ok().filter(|_| numbered)
    }

    pub(crate) fn complete(&self, position: &Position) -> bool {
        [position.own_pushers, position.other_pushers].iter().all(|set| set.count_ones() == self.pushers)
            && [position.own_pawns, position.other_pawns].iter().all(|set| set.count_ones() == self.pawns)
    }
}

impl Game for PushFight {
    type Position = Position;
    type Turn = Turn;
    const RULES_VERSION: u32 = 1;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn position_count(&self) -> u128 {
        self.permutations
    }

    fn start(&self) -> Position {
        self.start
    }

    /// Whose piece was ejected has lost.
    fn result(&self, position: &Position) -> Option<Outcome> {
        (self.ejected(position) && self.to_place(position).is_none()).then_some(Outcome::Loss)
    }

    fn turns(&self, position: &Position) -> Vec<(Turn, Position)> {
        if self.result(position).is_some() {
            return Vec::new();
        }
        match self.to_place(position) {
            Some(half) => self.placing(position, half),
            None => {
                let turns = self.all_turns(position).into_iter();
                turns.map(|(steps, next)| (Turn::Steps(steps), next)).collect()
            }
        }
    }

    fn play(&self, position: &Position, turn: &Turn) -> Position {
        match turn {
            Turn::Place(pushers, pawns) => self.placed(position, (*pushers, *pawns)),
            // A legal turn has a push; a position that is asked for an illegal one stays what it is.
            Turn::Steps(steps) => self.after(position, steps).unwrap_or(*position),
        }
    }

    fn each_successor<F>(&self, position: &Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Position) -> ControlFlow<()>,
    {
        if let Some(half) = self.to_place(position) {
            return self.placing(position, half).into_iter().try_for_each(|(_, next)| visit(next));
        }
        if self.ejected(position) {
            return ControlFlow::Continue(());
        }
        self.each_turn(position, &mut visit)
    }

    fn wins_now(&self, position: &Position) -> bool {
        self.to_place(position).is_none() && !self.ejected(position) && self.ejects_now(position)
    }

    fn counts(&self, position: &Position) -> bool {
        self.to_place(position).is_none()
    }

    fn parse_position(&self, text: &str) -> Result<Position, TextError> {
        self.read_position(text)
    }

    fn position_text(&self, position: &Position) -> String {
        self.write_position(position)
    }

    fn parse_turn(&self, position: &Position, text: &str) -> Result<Turn, TextError> {
        self.read_turn(position, text)
    }

    fn turn_text(&self, position: &Position, turn: &Turn) -> String {
        self.write_turn(position, turn)
    }

    fn each_step(
        &self,
        position: &Position,
        begun: &[String],
        visit: &mut dyn FnMut(retrograde_game::Step<'_, Position>) -> ControlFlow<()>,
    ) -> Result<(), TextError> {
        self.each_step_after(position, begun, visit)
    }
}

impl Dense for PushFight {
    const INDEX_VERSION: u32 = 1;

    fn index_count(&self) -> u128 {
        self.permutations + u128::from(self.prelude())
    }

    fn index(&self, position: &Position) -> Option<Index> {
        if position.anchor == 0 {
            return self.start_number(position).and_then(|n| Some(Index(self.first_start()? + n)));
        }
        if !self.complete(position) {
            return None;
        }
        let ranks = self.ranks.as_ref()?;
        let codes = Codes::of(position);
        let pieces = squares(position.occupied()).map(|square| (u32::from(square), codes.at(square)));
        Some(Index(ranks.rank_sparse(ranks.start(), pieces)))
    }

    fn position(&self, index: Index) -> Option<Position> {
        if u128::from(index.0) >= self.permutations {
            return self.start_of_number(index.0.checked_sub(self.first_start()?)?);
        }
        Some(Codes::from_digits(self.ranks.as_ref()?.unrank_digits(index.0)).position())
    }

    /// Both have placed, one has, none has.
    fn prelude(&self) -> u64 {
        self.first_start().map_or(0, |_| self.starts() + self.placements[0].len() as u64 + 1)
    }
}

impl Predecessors for PushFight {
    fn each_predecessor<F>(&self, position: &Position, mut visit: F) -> ControlFlow<()>
    where
        F: FnMut(Position) -> ControlFlow<()>,
    {
        self.each_before(position, &mut visit)
    }
}

/// The symmetries of the board, for positions in which the anchor is in play. The others remember which half
/// is whose, so they are their own images.
impl Symmetries for PushFight {
    fn symmetry_count(&self) -> usize {
        self.symmetries.len()
    }

    fn image(&self, symmetry: usize, position: &Position) -> Position {
        if position.anchor == 0 {
            return *position;
        }
        let map = |set: u64| {
            squares(set).fold(0_u64, |image, at| image | 1 << self.symmetries[symmetry][usize::from(at)])
        };
        Position {
            own_pushers: map(position.own_pushers),
            own_pawns: map(position.own_pawns),
            other_pushers: map(position.other_pushers),
            other_pawns: map(position.other_pawns),
            anchor: map(position.anchor),
        }
    }
}
