//! Creates a game from its name: a built-in board or a board file, with options for moves and pieces.

use retrograde_game::{GameSpec, TextError, board_file_stem};

use crate::PushFight;
use crate::board::file::BoardFile;
use crate::board::{self, Board};
use crate::numbering::placements::Placements;
use crate::numbering::ranks::Ranks;
use crate::piece_counts::{PieceCounts, read_counts, sides_text, write_counts};
use crate::position::Position;

/// The default number of moves before the push.
const MOVES: u32 = 2;
/// The most pushers, and the most pawns, of a side.
const MAX_PIECES: u32 = 64;
const GOOD_MOVES: &str = "`moves` must be a number up to 64 or `unlimited`";

/// Parses the number of moves of a turn. `Some(None)` means any number; `None` means that the text is
/// invalid.
fn read_moves(text: &str) -> Option<Option<u32>> {
    match text {
        "unlimited" => Some(None),
        number => number.parse().ok().filter(|&number| number <= 64).map(Some),
    }
}

/// Removes a key whose value is one number for both sides or one for each, and returns the numbers.
fn take_counts(spec: &mut GameSpec, key: &str, least: u32) -> Result<Option<[u32; 2]>, TextError> {
    let Some(value) = spec.take_value(key)? else { return Ok(None) };
    let range = least..=MAX_PIECES;
    match read_counts(&value).filter(|counts| counts.iter().all(|count| range.contains(count))) {
        Some(counts) => Ok(Some(counts)),
        None => Err(spec.error(format!(
            "`{key}` must be a whole number from {least} to {MAX_PIECES}, or two as in `3-2`, one for each \
             side, not `{value}`"
        ))),
    }
}

/// The number of ways to put `codes` on `squares` squares; `None` if it needs more than 128 bits.
fn arrangements(codes: [u32; 6], squares: u32) -> Option<u128> {
    let mut left = squares;
    codes.iter().try_fold(1_u128, |ways, &count| {
        let more = retrograde_index::binomial(left, count)?;
        left -= count;
        ways.checked_mul(more)
    })
}

/// Whether a name belongs to a board from a file ([`Setup::from_file`]).
fn is_label(name: &str) -> bool {
    let hash = name.rsplit_once('-').map_or("", |(_, hash)| hash);
    hash.len() == 8 && hash.chars().all(|c| matches!(c, '0'..='9' | 'a'..='f'))
}

/// A board, with the defaults for the options of a name.
struct Setup {
    board: Board,
    /// The number of pushers of the player who begins, and of the other.
    pushers: [u32; 2],
    /// The number of pawns of the player who begins, and of the other.
    pawns: [u32; 2],
    /// The name of the board in the name of the game.
    label: String,
    /// The most moves of a turn; `None` means any number.
    moves: Option<u32>,
    /// The contents of all squares, if the board was drawn with pieces.
    drawn: Option<String>,
}

impl Setup {
    /// The setup of a board file. Errors name the file and do not repeat its text.
    fn from_file(path: &str, text: &str) -> Result<Setup, TextError> {
        let named = |error: TextError| TextError::impossible("file", path, error.reason());
        Setup::from_text(path, text).map_err(named)
    }

    fn from_text(path: &str, text: &str) -> Result<Setup, TextError> {
        let file = BoardFile::parse(text)?;
        let mut board = Board::from_drawing(&file.drawing, text)?;
        for (half, places) in file.places.iter().enumerate() {
            if let Some(places) = places {
                board.halves[half] = board.squares_at(places);
            }
        }
        let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
        let stem = board_file_stem(name).unwrap_or(name);
        // FNV-1a, so that two files with the same name are two games.
        let hash = text
            .bytes()
            .fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
        let label = format!("{}-{hash:08x}", file.name.as_deref().unwrap_or(stem));
        let moves = match &file.moves {
            Some(moves) => read_moves(moves).ok_or_else(|| {
                TextError::impossible("board", text, format!("`moves = {moves}`: {GOOD_MOVES}"))
            })?,
            None => Some(MOVES),
        };
        let pieces: String = file.drawing.squares().map(|(_, piece)| piece).collect();
        let drawn = pieces.contains(|c| c != '.').then(|| pieces.clone());
        let count = |letters: &str| pieces.chars().filter(|&c| letters.contains(c)).count() as u32;
        // The drawing determines the numbers of pieces unless the file gives them. With `P`, `x` is to move.
        let or_drawn = |given: Option<[u32; 2]>, letters: [&str; 2], usual: u32| {
            let mut counts = letters.map(count);
            if pieces.contains('P') {
                counts.reverse();
            }
            given.unwrap_or(if drawn.is_some() { counts } else { [usual; 2] })
        };
        let pushers = or_drawn(file.pushers, ["OP", "XY"], 3);
        let pawns = or_drawn(file.pawns, ["o", "x"], 2);
        Ok(Setup { board, pushers, pawns, label, moves, drawn })
    }
}

impl PushFight {
    /// Creates the game of a name such as `pushfight:mini,moves=3`. `load` returns the text of a
    /// `.board` file.
    ///
    /// # Errors
    /// If the board or an option cannot be read, or the pieces do not fit on the board.
    pub fn from_spec(
        mut spec: GameSpec,
        load: &dyn Fn(&str) -> Result<String, String>,
    ) -> Result<PushFight, TextError> {
        let wanted = spec.board().unwrap_or("standard").to_owned();
        let setup = match board::built_in(&wanted) {
            Some((board, pushers, pawns)) => Setup {
                board,
                pushers: [pushers; 2],
                pawns: [pawns; 2],
                label: wanted,
                moves: Some(MOVES),
                drawn: None,
            },
            None if board_file_stem(&wanted).is_some() => {
                let text = load(&wanted).map_err(|reason| spec.error(reason))?;
                Setup::from_file(&wanted, &text)?
            }
            None if is_label(&wanted) => {
                return Err(spec.error(format!(
                    "`{wanted}` is the internal name of a board from a file; name the file itself, which ends in .board"
                )));
            }
            None => {
                return Err(spec.error(format!(
                    "there is no board `{wanted}`; the built-in boards are standard, mini, twocolumn, onecolumn, \
                     2k3p and full, and the path of a file must end in .board"
                )));
            }
        };
        let Setup { board, pushers, pawns, label, moves: own_moves, drawn } = setup;
        let own_pushers = take_counts(&mut spec, "pushers", 1)?.unwrap_or(pushers);
        let own_pawns = take_counts(&mut spec, "pawns", 0)?.unwrap_or(pawns);
        let moves = match spec.take_value("moves")? {
            None => own_moves,
            Some(moves) => {
                read_moves(&moves).ok_or_else(|| spec.error(format!("{GOOD_MOVES}, not `{moves}`")))?
            }
        };
        let mut name = format!("pushfight:{label}");
        if own_pushers != pushers {
            name.push_str(&format!(",pushers={}", write_counts(own_pushers)));
        }
        if own_pawns != pawns {
            name.push_str(&format!(",pawns={}", write_counts(own_pawns)));
        }
        match moves {
            moves if moves == own_moves => {}
            Some(moves) => name.push_str(&format!(",moves={moves}")),
            None => name.push_str(",moves=unlimited"),
        }
        let sides = [0, 1].map(|side| PieceCounts { pushers: own_pushers[side], pawns: own_pawns[side] });
        let fits = PushFight::new(board, sides, moves, name);
        let mut game = fits.map_err(|reason| spec.error(reason))?;
        if let Some(drawn) = drawn {
            game.start = game.read_position(&drawn)?;
            let other = game.start.other().counts();
            if game.placing_half(&game.start).is_none() && other != sides[1] {
                return Err(spec.error(format!(
                    "the side to move must have {}, the other side {}: the drawing has it the other way round",
                    sides[0], sides[1]
                )));
            }
        } else if game.starts() == 0 {
            game.start = game.read_position(&game.first_position())?;
        }
        spec.finish(&["moves", "pushers", "pawns"])?;
        Ok(game)
    }

    /// The first position of the numbering: all pieces on the last squares. The game begins with it
    /// if the pieces cannot be placed on their halves or there are too many ways to place them.
    fn first_position(&self) -> String {
        let [first, second] = self.sides;
        let free = self.board.square_count() - self.piece_count as usize;
        let letters =
            [('o', first.pawns), ('O', first.pushers), ('x', second.pawns), ('X', second.pushers - 1)];
        let pieces: String = letters.iter().flat_map(|&(c, n)| std::iter::repeat_n(c, n as usize)).collect();
        format!("{}{pieces}Y", ".".repeat(free))
    }

    fn new(
        board: Board,
        sides: [PieceCounts; 2],
        moves: Option<u32>,
        name: String,
    ) -> Result<PushFight, String> {
        let all = board.square_count() as u32;
        if sides.iter().any(|side| side.pushers == 0) {
            return Err("each side needs a pusher".to_owned());
        }
        // Numbers from a file may be so large that their sum overflows.
        let in_range = sides.iter().all(|side| side.pushers <= MAX_PIECES && side.pawns <= MAX_PIECES);
        if !in_range || sides[0].all() + sides[1].all() > all {
            return Err(format!("{}: too many for {all} squares", sides_text(sides)));
        }
        let [first, second] = sides;
        let codes = first.codes(second, all);
        let too_many = "the board has too many positions to be counted";
        let mut permutations = arrangements(codes, all).ok_or(too_many)?;
        let mut ranks = Ranks::new(vec![(0, codes)]);
        if first != second {
            let other_codes = second.codes(first, all);
            let at = u64::try_from(permutations).ok();
            let others = arrangements(other_codes, all).ok_or(too_many)?;
            permutations = permutations.checked_add(others).ok_or(too_many)?;
            // Indices need 64 bits for both or for neither.
            let fits = u64::try_from(permutations).is_ok();
            let at = at.filter(|_| fits);
            ranks = at.and_then(|at| Ranks::new(vec![(0, codes), (at, other_codes)]));
        }
        let neighbours = board.next.iter().map(|next| next.iter().flatten().copied().collect()).collect();
        let placements = [0, 1].map(|half| Placements::new(board.halves[half], sides[half]));
        Ok(PushFight {
            ranks,
            symmetries: board.symmetries(),
            board,
            name,
            piece_count: first.all() + second.all(),
            sides,
            moves,
            neighbours,
            permutations,
            start: Position::default(),
            placements,
        })
    }
}
