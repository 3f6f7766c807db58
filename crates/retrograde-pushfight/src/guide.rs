//! The rules in a few sentences, with example turns on this board, from natural positions a few
//! turns after a start.

use retrograde_game::{Example, Flow, Guide, Random, Squares, counted, number_in_words};

use crate::position::{Arrangement, Position, Step, Turn};
use crate::{PieceCounts, PushFight};

/// The number of positions that are searched for examples.
const TRIES: u64 = 400;

/// A candidate for an example turn, and whether it ejects a piece.
struct Candidate {
    steps: Vec<Step>,
    /// The number of pieces that the push shifts, without the pusher.
    shifted: u32,
    ejects: bool,
}

impl PushFight {
    /// The rules on this board with these pieces.
    pub(crate) fn rules_guide(&self) -> Guide {
        let mut sentences = vec![self.pieces_sentence(), self.turn_sentence()];
        if self.moves != Some(0) {
            let moving = "A move takes one of your pieces to any empty square that it can reach through empty squares, \
                          along rows and columns.";
            sentences.push(moving.to_owned());
        }
        let pawns = self.sides.iter().any(|side| side.pawns > 0);
        let shift = "A push moves one of your pushers one square up, down, left or right onto another piece, and shifts \
                     that piece and the whole row behind it by one square";
        sentences.push(format!("{shift}{}.", if pawns { "; pawns cannot push" } else { "" }));
        sentences.push(
            "The pusher that pushed gets the anchor, and the opponent's next push cannot shift it."
                .to_owned(),
        );
        sentences.push(self.end_sentence());
        Guide { sentences, examples: self.rules_examples() }
    }

    /// The sentence about the pieces and the beginning of the game.
    fn pieces_sentence(&self) -> String {
        let [first, second] = self.sides;
        let pieces = |side: PieceCounts| {
            let pushers = format!("{} (square)", counted(side.pushers, "pusher"));
            match side.pawns {
                0 => pushers,
                pawns => format!("{pushers} and {} (round)", counted(pawns, "pawn")),
            }
        };
        let have = if first == second {
            format!("Red and Blue have {} each", pieces(first))
        } else {
            format!("Red has {}, Blue has {}", pieces(first), pieces(second))
        };
        if self.placing_half(&self.start).is_none() {
            return format!("{have}; they are already on the board, and Red moves first.");
        }
        let [red, blue] = self.board.halves.map(|half| self.side_of(half));
        format!("{have}; Red places its pieces on {red}, then Blue on {blue}, and Red takes the first turn.")
    }

    /// A description of the squares to place on.
    pub(crate) fn side_of(&self, half: Squares) -> &'static str {
        match half {
            half if half == self.board.half(true) => "the left half of the board",
            half if half == self.board.half(false) => "the right half",
            _ => "separate squares",
        }
    }

    fn turn_sentence(&self) -> String {
        match self.moves {
            Some(0) => "A turn is one push; passing is not allowed.".to_owned(),
            Some(1) => "A turn is an optional move and then a mandatory push.".to_owned(),
            Some(moves) => {
                let most = number_in_words(moves);
                format!("A turn is up to {most} moves and then a mandatory push.")
            }
            None => "A turn is any number of moves and then a mandatory push.".to_owned(),
        }
    }

    fn end_sentence(&self) -> String {
        let any = |is: fn((bool, bool)) -> bool| {
            let sides = self.board.next.iter().zip(&self.board.rail);
            sides.flat_map(|(next, rail)| (0..4).map(|d| (next[d].is_some(), rail[d]))).any(is)
        };
        let (railed, open) = (any(|(_, rail)| rail), any(|(next, rail)| !next && !rail));
        let rails = if railed { "Nothing is pushed over a rail (a thick edge). " } else { "" };
        let loses = "a player who cannot push loses";
        if !open {
            return format!("{rails}No piece can leave this board: {loses}.");
        }
        let edge = if railed { "an edge without a rail" } else { "an edge" };
        format!(
            "{rails}To win, push an opponent's piece over {edge}; you may not push off your own pieces, and \
             {loses}."
        )
    }

    /// Up to three turns from different positions: a move and a push, a push of several pieces, and
    /// a push that wins.
    fn rules_examples(&self) -> Vec<Example> {
        let mut random = Random::new(1);
        let mut found: [Option<Example>; 3] = [None, None, None];
        for number in 0..TRIES {
            // With few pieces the game may be over after one turn; then uses starts.
            let turns = if number < TRIES / 2 { 2 } else { 0 };
            let Some(position) = self.natural_position(turns, &mut random) else { continue };
            let mut pushes = self.candidates(&position, position.own(), &[]);
            pushes.sort_by_key(|candidate| std::cmp::Reverse(candidate.shifted));
            let moved = self.candidates_after_a_move(&position, &mut random);
            let quiet = |turn: &&Candidate| !turn.ejects;
            let candidates = [
                match self.moves {
                    Some(0) => ("A turn is one push: the piece ahead is shifted.", pushes.iter().find(quiet)),
                    _ => ("A turn: a move, then the push.", moved.iter().find(quiet)),
                },
                ("A push shifts the whole row.", pushes.iter().find(|turn| !turn.ejects && turn.shifted > 1)),
                (
                    "Red pushes one of Blue's pieces off the board and wins.",
                    pushes.iter().chain(&moved).find(|candidate| candidate.ejects),
                ),
            ];
            let new = found
                .iter_mut()
                .zip(candidates)
                .find(|(known, (_, candidate))| known.is_none() && candidate.is_some());
            if let Some((place, (caption, Some(candidate)))) = new {
                let turn = self.write_turn(&position, &Turn::Steps(candidate.steps.clone()));
                *place = Some(Example::new(caption, self.write_position(&position), turn));
            }
            if found.iter().all(Option::is_some) {
                break;
            }
        }
        // On a board with few pieces some kinds may not occur.
        found.into_iter().flatten().collect()
    }

    /// A position with Red to move: a random start, followed by an even number of turns.
    fn natural_position(&self, turns: u32, random: &mut Random) -> Option<Position> {
        let mut position = self.start;
        for half in 0..2 {
            if self.placing_half(&position) == Some(half) {
                let placements = &self.placements[half];
                let number = random.below(placements.len().max(1));
                position = self.placed(&position, placements.placement(number)?);
            }
        }
        if self.placing_half(&position).is_some() || self.ejected(&position) {
            return None;
        }
        for _ in 0..turns {
            let moved = self.candidates_after_a_move(&position, random);
            let turns =
                if moved.is_empty() { self.candidates(&position, position.own(), &[]) } else { moved };
            let quiet: Vec<&Candidate> = turns.iter().filter(|turn| !turn.ejects).collect();
            position = self.played(&position, &random.choose(&quiet)?.steps).ok()?;
        }
        Some(position)
    }

    /// The pushes after a random move; empty if there are no moves.
    fn candidates_after_a_move(&self, position: &Position, random: &mut Random) -> Vec<Candidate> {
        let mut moves = Vec::new();
        if self.moves == Some(0) {
            return Vec::new();
        }
        let _ = self.each_move(position, position.own(), &mut |step, own| {
            moves.push((step, own));
            Flow::Continue(())
        });
        random.choose(&moves).map_or_else(Vec::new, |(step, own)| self.candidates(position, *own, &[*step]))
    }

    /// The pushes after some moves.
    fn candidates(&self, position: &Position, own: Arrangement, moves: &[Step]) -> Vec<Candidate> {
        let mut candidates = Vec::new();
        let _ = self.each_push(position, own, &mut |push, after| {
            let ejects = self.ejected(&after);
            let now = own.squares() | position.other_pushers | position.other_pawns;
            let shifted = self.row_length(now, push);
            candidates.push(Candidate { steps: [moves, &[push]].concat(), shifted, ejects });
            Flow::Continue(())
        });
        candidates
    }

    /// The number of pieces ahead of a pusher, up to the first empty square.
    fn row_length(&self, occupied: Squares, push: Step) -> u32 {
        let Some(d) = self.board.direction(push) else { return 0 };
        let mut ahead = Some(push.to);
        let mut length = 0;
        while let Some(square) = ahead.filter(|&square| occupied.contains(square)) {
            length += 1;
            ahead = self.board.next[square.index()][d];
        }
        length
    }
}
