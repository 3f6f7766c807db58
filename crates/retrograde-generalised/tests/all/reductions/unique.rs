//! Searches all fillings of the rectangle for core gadgets with exactly the play in the proof of
//! Lemma 4.4. It has its own rules, so it also checks the survey.
//!
//! Squares stay open until a push needs them; then both fillings are tried. No gadget has the play
//! as printed. With one upward push fewer in the second line there is exactly one, which is ours.

use std::collections::BTreeSet;

use retrograde_generalised::reductions::Cell;
use retrograde_generalised::reductions::gadget::Gadget;

/// The number of rows of the gadget.
const ROWS: usize = 5;

/// The required play: the legal pushes, and the play after each.
enum Play {
    /// The king leaves with this push.
    Out,
    /// Exactly these pushes are legal.
    Then(Vec<(char, Play)>),
}

/// A sequence of forced pushes, followed by `end`.
fn forced(pushes: &str, end: Play) -> Play {
    pushes.chars().rev().fold(end, |after, push| Play::Then(vec![(push, after)]))
}

/// A sequence of forced pushes, of which the last takes the king out.
fn exit(pushes: &str) -> Play {
    let (last, before) = (pushes.chars().last().unwrap(), &pushes[..pushes.len() - 1]);
    forced(before, Play::Then(vec![(last, Play::Out)]))
}

fn dead() -> Play {
    Play::Then(Vec::new())
}

/// The play of the proof. `ups` are the upward pushes at the end of the second line, before the
/// choice; `second_exit` are its pushes after the first one to the right.
fn proof(p: usize, ups: &str, second_exit: &str) -> Play {
    let along = "E".repeat(p + 1);
    let first = Play::Then(vec![('W', forced("S", dead())), ('E', exit("ENNN"))]);
    let second = Play::Then(vec![('N', dead()), ('E', exit(second_exit))]);
    Play::Then(vec![
        ('E', forced(&(along.clone() + "NN")[1..], first)),
        ('N', forced(&(along + ups), second)),
    ])
}

/// A position: the known squares, and the room beyond the edges.
#[derive(Clone)]
struct State {
    columns: usize,
    /// Whether there is a pawn; `None` if still open.
    pawn: Vec<Option<bool>>,
    king: (usize, usize),
    /// The room beyond the top of the column in which the king leaves.
    exit: usize,
    /// The room to the right, by row.
    east: [usize; ROWS],
}

/// The reason why a filling does not have the play, or is undecided.
enum Stop {
    Wrong,
    Open(usize),
}

impl State {
    fn start(p: usize, pawn: Vec<Option<bool>>) -> State {
        State { columns: p + 5, pawn, king: (ROWS - 1, 0), exit: 2, east: [0, 0, 0, p, p + 1] }
    }

    /// The state after a push, and whether the king is out; `None` if the push is illegal.
    fn push(&self, way: char) -> Result<Option<(State, bool)>, Stop> {
        let (dr, dc): (isize, isize) = match way {
            'N' => (-1, 0),
            'E' => (0, 1),
            'S' => (1, 0),
            _ => (0, -1),
        };
        let step = |(r, c): (usize, usize)| {
            let (r, c) = (r.wrapping_add_signed(dr), c.wrapping_add_signed(dc));
            (r < ROWS && c < self.columns).then_some((r, c))
        };
        let mut after = self.clone();
        let mut line = Vec::new();
        let mut at = self.king;
        let out = loop {
            let Some(next) = step(at) else { break true };
            at = next;
            match self.pawn[at.0 * self.columns + at.1] {
                None => return Err(Stop::Open(at.0 * self.columns + at.1)),
                Some(false) => break false,
                Some(true) => line.push(at),
            }
        };
        if !out && line.is_empty() {
            return Ok(None);
        }
        if out {
            let room = match way {
                'E' => &mut after.east[self.king.0],
                'N' if self.king.1 + 2 == self.columns => &mut after.exit,
                _ => return Ok(None),
            };
            // The king can only push out a pawn that went before it, and only at the exit.
            if *room == 0 || (line.is_empty() && (way != 'N' || *room == 2)) {
                return Ok(None);
            }
            *room -= 1;
        } else {
            after.pawn[at.0 * self.columns + at.1] = Some(true);
        }
        let Some(&first) = line.first() else { return Ok(Some((after, true))) };
        after.pawn[first.0 * self.columns + first.1] = Some(false);
        after.king = first;
        Ok(Some((after, false)))
    }

    /// Whether all play from here is as required.
    fn plays(&self, play: &Play) -> Result<(), Stop> {
        let Play::Then(legal) = play else { return Err(Stop::Wrong) };
        for way in ['N', 'E', 'S', 'W'] {
            let next = legal.iter().find(|&&(other, _)| other == way);
            match (self.push(way)?, next) {
                (None, None) => {}
                (Some((_, true)), Some((_, Play::Out))) => {}
                (Some((after, false)), Some((_, play))) => after.plays(play)?,
                _ => return Err(Stop::Wrong),
            }
        }
        Ok(())
    }
}

/// All fillings with the play. Squares that no push needs stay open.
fn fillings(p: usize, play: &Play) -> Vec<Vec<Option<bool>>> {
    let mut start = vec![None; ROWS * (p + 5)];
    start[(ROWS - 1) * (p + 5)] = Some(false);
    let mut found = Vec::new();
    let mut waiting = vec![start];
    while let Some(filling) = waiting.pop() {
        match State::start(p, filling.clone()).plays(play) {
            Ok(()) => found.push(filling),
            Err(Stop::Wrong) => {}
            Err(Stop::Open(square)) => {
                for pawn in [false, true] {
                    let mut next = filling.clone();
                    next[square] = Some(pawn);
                    waiting.push(next);
                }
            }
        }
    }
    found
}

/// A filling as text, row by row; `?` if a square is open.
fn drawn(p: usize, filling: &[Option<bool>]) -> Vec<String> {
    let letter = |pawn: &Option<bool>| pawn.map_or('?', |pawn| if pawn { 'o' } else { '.' });
    filling.chunks(p + 5).map(|row| row.iter().map(letter).collect()).collect()
}

/// The play of the proof leaves two squares open, the upper two of the rightmost column. Section
/// 4.7 needs that column to be full at the end, which decides them and gives our gadget.
#[test]
fn there_is_one_core_gadget_and_it_is_ours() {
    for p in 1..=3 {
        let gadget =
            Gadget::parse(include_str!("../../../gadgets/core.board"), &[("p", p)]).unwrap().position;
        let ours: Vec<Option<bool>> =
            gadget.places().map(|place| Some(gadget.at(place) == Cell::WhitePawn)).collect();
        let found = fillings(p, &proof(p, "N", "ENNN"));
        let mut free = vec![ours.clone()];
        for corner in [p + 4, 2 * (p + 5) - 1] {
            for mut filling in free.clone() {
                filling[corner] = Some(false);
                free.push(filling);
            }
        }
        let sorted = |fillings: &[Vec<Option<bool>>]| {
            fillings.iter().map(|filling| drawn(p, filling)).collect::<BTreeSet<Vec<String>>>()
        };
        assert_eq!(found.len(), 4);
        assert_eq!(sorted(&found), sorted(&free));
        // Four of the pawns at the end are there from the beginning; the fifth square, in the
        // middle row, is filled on the way.
        let full = |filling: &&Vec<Option<bool>>| {
            (0..ROWS).filter(|&row| row != 2).all(|row| filling[row * (p + 5) + p + 4] == Some(true))
        };
        assert_eq!(found.iter().filter(full).collect::<Vec<_>>(), [&ours]);
    }
}

/// The second line as printed goes up twice before the choice and three times after it. With two
/// upward pushes before the choice, or two at the end, there is no gadget.
#[test]
fn no_gadget_has_the_printed_sequences() {
    for p in 1..=3 {
        for (ups, second_exit) in [("NN", "ENNN"), ("NN", "ENN"), ("N", "ENN"), ("", "ENNN")] {
            assert!(fillings(p, &proof(p, ups, second_exit)).is_empty(), "{ups} {second_exit}");
        }
    }
}
