//! Notation: positions with one character per square, turns as moves and a push, placements as
//! lists of squares.

use retrograde_game::{Picture, Seat, Square, Squares, TextError};

use crate::piece_counts::sides_text;
use crate::position::{Arrangement, Position, Step, Turn};
use crate::{Drawing, PushFight};

impl PushFight {
    /// Formats all squares in field order, row by row from the top.
    pub(crate) fn write_position(&self, position: &Position) -> String {
        let squares = self.board.all().into_iter();
        squares
            .map(|square| {
                let on = |set: Squares| set.contains(square);
                match () {
                    () if on(position.own_pushers) => 'O',
                    () if on(position.own_pawns) => 'o',
                    () if on(position.anchor) => 'Y',
                    () if on(position.other_pushers) => 'X',
                    () if on(position.other_pawns) => 'x',
                    () => '.',
                }
            })
            .collect()
    }

    /// Parses all squares in field order, with or without `/` between rows; or rows as lines, with
    /// or without coordinates; or a drawing of the board with its pieces. `P`, an anchored pusher
    /// of the own side, means that the other side is to move.
    pub(crate) fn read_position(&self, text: &str) -> Result<Position, TextError> {
        self.read_board(text, Seat::First)
    }

    /// Parses the same with `O` for the first player, whoever is to move. An anchor, if there is one,
    /// says who that is.
    pub(crate) fn read_board(&self, text: &str, to_move: Seat) -> Result<Position, TextError> {
        let impossible = |reason: String| Err(TextError::impossible("position", text, reason));
        let found = if text.trim_start().starts_with('+') {
            self.squares_of_drawing(text)?
        } else if text.trim_end().contains('\n') {
            self.squares_of_rows(text)?
        } else {
            self.squares_of_line(text)?
        };
        let mut sets = [Squares::EMPTY; 4];
        let (mut anchor, mut own_anchor) = (Squares::EMPTY, Squares::EMPTY);
        for (square, (at, found)) in found.into_iter().enumerate() {
            let bit = Square(square as u8).set();
            match found {
                '.' => {}
                'O' => sets[0] |= bit,
                'o' => sets[1] |= bit,
                'X' => sets[2] |= bit,
                'x' => sets[3] |= bit,
                'Y' => (sets[2], anchor) = (sets[2] | bit, anchor | bit),
                'P' => (sets[0], own_anchor) = (sets[0] | bit, own_anchor | bit),
                _ => {
                    let expected = "one of `.oOxXYP`, or `/` after a row";
                    return Err(TextError::unexpected("position", text, at, expected));
                }
            }
        }
        if (anchor | own_anchor).len() > 1 {
            return impossible("there are two anchors; only one is possible".to_owned());
        }
        let first = Arrangement { pushers: sets[0], pawns: sets[1] };
        let second = Arrangement { pushers: sets[2], pawns: sets[3] };
        let own_first = own_anchor.is_empty() && (to_move == Seat::First || !anchor.is_empty());
        let position = if own_first {
            Position::of(first, second, anchor)
        } else {
            Position::of(second, first, own_anchor)
        };
        let (own, other) = (position.own().counts(), position.other().counts());
        let after_push = self.opposing(other).is_some_and(|whole| own.is_one_fewer_than(whole));
        // Before the game proper: no player has placed, or only the first.
        let placed = !self.placements[0].is_empty() && !self.placements[1].is_empty();
        let placing = placed && own.all() == 0 && (other.all() == 0 || other == self.sides[0]);
        let half_placed = placing && position.anchor.is_empty() && other.all() > 0;
        if half_placed && self.placements[0].number(&position.other()).is_none() {
            return impossible("the player who begins must place all pieces on its half".to_owned());
        }
        let incomplete = if position.anchor.is_empty() { placing } else { after_push };
        if incomplete || self.opposing(other) == Some(own) {
            return Ok(position);
        }
        // Uses the letters as they were written, not by the side to move.
        let [pushers, pawns, other_pushers, other_pawns] = sets.map(Squares::len);
        let own_letters = if own_anchor.is_empty() { "O" } else { "O or P" };
        impossible(format!(
            "{}; found {pushers} {own_letters}, {pawns} o, {other_pushers} X or Y, and {other_pawns} x",
            sides_text(self.sides)
        ))
    }

    /// The characters of all squares, with their places in the text.
    fn squares_of_line(&self, text: &str) -> Result<Vec<(usize, char)>, TextError> {
        let count = self.board.square_count();
        let row = |square: usize| self.board.places[square].row;
        let mut found: Vec<(usize, char)> = Vec::new();
        let mut slash_before = false;
        for (at, character) in text.chars().enumerate() {
            let square = found.len();
            if square == count {
                let expected = format!("the end after {count} squares");
                return Err(TextError::unexpected("position", text, at, expected));
            }
            if character == '/' && square > 0 && row(square) != row(square - 1) && !slash_before {
                slash_before = true;
                continue;
            }
            slash_before = false;
            if !".oOxXYP".contains(character) {
                let expected = "one of `.oOxXYP`, or `/` after a row";
                return Err(TextError::unexpected("position", text, at, expected));
            }
            found.push((at, character));
        }
        if found.len() < count {
            let missing = count - found.len();
            let expected = format!("{missing} more square{}", if missing == 1 { "" } else { "s" });
            return Err(TextError::unexpected("position", text, text.chars().count(), expected));
        }
        Ok(found)
    }

    /// The same for rows as lines from the top, with or without the names of columns above or below
    /// and of rows at the sides. A blank or `#` means no square.
    fn squares_of_rows(&self, text: &str) -> Result<Vec<(usize, char)>, TextError> {
        let columns: String = (0..self.board.columns).map(Picture::column_label).collect();
        let mut found = Vec::new();
        let (mut row, mut start) = (0, 0);
        for line in text.split('\n') {
            let here: Vec<(usize, char)> =
                (start..).zip(line.chars()).filter(|(_, c)| !c.is_whitespace()).collect();
            start += line.chars().count() + 1;
            if here.is_empty() || here.iter().map(|&(_, c)| c).eq(columns.chars()) {
                continue;
            }
            let (first, last) = (here[0].0, here[here.len() - 1].0);
            if row == self.board.rows {
                let expected = format!("the end after {row} rows");
                return Err(TextError::unexpected("position", text, first, expected));
            }
            let label: Vec<char> = (self.board.rows - row).to_string().chars().collect();
            let labelled = |part: Option<&[(usize, char)]>| {
                part.is_some_and(|part| part.iter().map(|&(_, c)| c).eq(label.iter().copied()))
            };
            let mut squares = &here[..];
            if labelled(squares.get(..label.len())) {
                squares = &squares[label.len()..];
            }
            if labelled(squares.len().checked_sub(label.len()).and_then(|at| squares.get(at..))) {
                squares = &squares[..squares.len() - label.len()];
            }
            let squares = squares.iter().copied().filter(|&(_, c)| c != '#');
            let before = found.len();
            found.extend(squares);
            let count = self.board.places.iter().filter(|place| place.row == row).count();
            if found.len() - before != count {
                let expected = format!("{count} squares in row {}", self.board.rows - row);
                let at = if found.len() - before > count { found[before + count].0 } else { last + 1 };
                return Err(TextError::unexpected("position", text, at, expected));
            }
            row += 1;
        }
        if row < self.board.rows {
            let missing = self.board.rows - row;
            let expected = format!("{missing} more row{}", if missing == 1 { "" } else { "s" });
            return Err(TextError::unexpected("position", text, text.chars().count(), expected));
        }
        Ok(found)
    }

    /// The same for a drawing, as separate lines or joined by `/`.
    fn squares_of_drawing(&self, text: &str) -> Result<Vec<(usize, char)>, TextError> {
        let drawing = Drawing::parse(text)?;
        if drawing.emptied() != self.board.drawing("") {
            return Err(TextError::impossible("position", text, "this is a drawing of another board"));
        }
        Ok(drawing.squares().map(|(_, found)| (0, found)).collect())
    }

    pub(crate) fn write_turn(&self, position: &Position, turn: &Turn) -> String {
        match turn {
            Turn::Steps(steps) => self.board.steps_text(steps),
            Turn::Place(Arrangement { pushers, pawns }) => {
                let list = |set: &Squares| {
                    set.into_iter().map(|square| self.board.label(square)).collect::<Vec<_>>().join(",")
                };
                let second = self.placing_half(position) == Some(1);
                let (pusher, pawn) = if second { ('X', 'x') } else { ('O', 'o') };
                if pawns.is_empty() {
                    format!("{pusher}:{}", list(pushers))
                } else {
                    format!("{pusher}:{} {pawn}:{}", list(pushers), list(pawns))
                }
            }
        }
    }

    /// Parses a square at the beginning of a text.
    fn read_square(&self, whole: &str, from: usize) -> Result<(Square, usize), TextError> {
        let rest: Vec<char> = whole.chars().skip(from).collect();
        let letters = rest.iter().take_while(|c| c.is_ascii_lowercase()).count();
        let digits = rest[letters..].iter().take_while(|c| c.is_ascii_digit()).count();
        let label: String = rest[..letters + digits].iter().collect();
        match self.board.labelled(&label) {
            Some(square) => Ok((square, from + letters + digits)),
            None => Err(TextError::unexpected("turn", whole, from, "a square of the board, such as b2")),
        }
    }

    /// Parses a move or a push at a place in a text. Returns it with its end.
    fn read_step_at(&self, text: &str, at: usize) -> Result<(Step, usize), TextError> {
        let (from, end) = self.read_square(text, at)?;
        if text.chars().nth(end) != Some('-') {
            let expected = "`-` and the square that the piece goes to";
            return Err(TextError::unexpected("turn", text, end, expected));
        }
        let (to, end) = self.read_square(text, end + 1)?;
        Ok((Step { from, to }, end))
    }

    /// Parses one move or push.
    pub(crate) fn read_step(&self, text: &str) -> Result<Step, TextError> {
        let (step, end) = self.read_step_at(text, 0)?;
        if text.chars().nth(end).is_some() {
            return Err(TextError::unexpected("turn", text, end, "the end of the step"));
        }
        Ok(step)
    }

    pub(crate) fn read_turn(&self, position: &Position, text: &str) -> Result<Turn, TextError> {
        if let Some(half) = self.placing_half(position) {
            return self.read_placement(text, half);
        }
        let mut steps = Vec::new();
        let mut at = 0;
        loop {
            let (step, end) = self.read_step_at(text, at)?;
            steps.push(step);
            match text.chars().nth(end) {
                None => break,
                Some(',') => at = end + 1,
                Some(_) => {
                    return Err(TextError::unexpected("turn", text, end, "`,` or the end of the turn"));
                }
            }
        }
        match self.played(position, &steps) {
            Ok(_) => Ok(Turn::Steps(steps)),
            Err(reason) => Err(TextError::impossible("turn", text, reason)),
        }
    }

    fn read_placement(&self, text: &str, half: usize) -> Result<Turn, TextError> {
        let (mut pushers, mut pawns) = (Squares::EMPTY, Squares::EMPTY);
        let mut at = 0;
        loop {
            let set = match text.chars().nth(at) {
                Some('O' | 'X') => &mut pushers,
                Some('o' | 'x') => &mut pawns,
                _ => return Err(TextError::unexpected("turn", text, at, "a placement as in `O:a2,b3 o:b2`")),
            };
            if text.chars().nth(at + 1) != Some(':') {
                return Err(TextError::unexpected("turn", text, at + 1, "`:` and squares"));
            }
            at += 2;
            loop {
                let (square, end) = self.read_square(text, at)?;
                if set.contains(square) {
                    return Err(TextError::impossible(
                        "turn",
                        text,
                        format!("{} appears twice", self.board.label(square)),
                    ));
                }
                set.insert(square);
                at = end;
                if text.chars().nth(at) != Some(',') {
                    break;
                }
                at += 1;
            }
            match text.chars().nth(at) {
                None => break,
                Some(' ') => at += 1,
                Some(_) => return Err(TextError::unexpected("turn", text, at, "`,`, a blank or the end")),
            }
        }
        let placement = Arrangement { pushers, pawns };
        if self.placements[half].number(&placement).is_none() {
            let side = if half == 0 { "left" } else { "right" };
            return Err(TextError::impossible(
                "turn",
                text,
                format!("place {}, each on a different square of the {side} half", self.sides[half]),
            ));
        }
        Ok(Turn::Place(placement))
    }

    /// The position after moves and a push, or the reason why that is not a turn.
    pub(crate) fn played(&self, position: &Position, steps: &[Step]) -> Result<Position, String> {
        let Some((push, moves)) = steps.split_last() else {
            return Err("a turn ends with a push".to_owned());
        };
        let own = self.moved(position, moves)?;
        let (name, target) = (self.board.label(push.from), self.board.label(push.to));
        if !own.pushers.contains(push.from) {
            return Err(format!("the side to move has no pusher on {name}"));
        }
        let d = self.board.direction(*push);
        let d = d.ok_or_else(|| format!("a push goes one square, but {target} is not next to {name}"))?;
        self.pushed(position, own, push.from, d).ok_or_else(|| {
            format!(
                "{name}-{target} is not a push: it must shift a piece, and cannot shift the anchored piece, \
                 push against a rail or push one of your own pieces off the board"
            )
        })
    }

    /// The mover's pieces after moves, or the reason why the moves are not legal.
    pub(crate) fn moved(&self, position: &Position, moves: &[Step]) -> Result<Arrangement, String> {
        if let Some(most) = self.moves.filter(|&most| moves.len() > most as usize) {
            return Err(format!("a turn has at most {most} moves before the push"));
        }
        if self.ejected(position) {
            return Err("the game is over".to_owned());
        }
        let mut own = position.own();
        for &step in moves {
            let name = self.board.label(step.from);
            if !own.squares().contains(step.from) {
                return Err(format!("the side to move has no piece on {name}"));
            }
            let empty = self.board.all() & !(own.squares() | position.other().squares());
            if !(self.reachable(step.from, empty) & empty).contains(step.to) {
                return Err(format!("the piece on {name} cannot move to {}", self.board.label(step.to)));
            }
            own = own.with_move(step);
        }
        Ok(own)
    }
}
