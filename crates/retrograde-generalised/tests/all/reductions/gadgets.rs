//! Checks every gadget of the reduction of quantified formulas against its lemma, with all play in it.

use retrograde_generalised::reductions::Direction::{East, North, South};
use retrograde_generalised::reductions::gadget::{
    Beyond, Black, Edge, Ending, Gadget, Inside, MANY, Outside, Reached, Survey,
};
use retrograde_generalised::reductions::{Cell, Direction, Position};

fn gadget(text: &str, sizes: &[(&str, usize)]) -> Gadget {
    Gadget::parse(text, sizes).unwrap()
}

/// Surveys all play after the king has entered. A gadget only specifies a lower bound for the room beyond the
/// exit. Checks that the result is the same for any room, and returns the survey for the least.
fn survey(gadget: &Gadget) -> Survey {
    let start = gadget.entered().unwrap();
    let survey = start.survey(Black::Moves).unwrap();
    for (more, beyond) in [(1, Beyond::Unknown), (1, Beyond::Empty), (MANY, Beyond::Empty)] {
        let mut start = start.clone();
        let Some(Edge { side, index }) = gadget.leave else { break };
        let outside = &mut start.outside[side as usize][index];
        *outside = Outside { room: outside.room.saturating_add(more), beyond };
        let other = start.survey(Black::Moves).unwrap();
        let plays = |survey: &Survey| -> Vec<(Ending, String, Position)> {
            survey
                .ends
                .iter()
                .map(|end| (end.ending, end.pushes.clone(), end.inside.position.clone()))
                .collect()
        };
        assert_eq!(plays(&other), plays(&survey));
    }
    survey
}

/// The position in the drawing of an end of play.
fn position(text: &str, sizes: &[(&str, usize)]) -> Position {
    gadget(text, sizes).position
}

const CORE: &str = include_str!("../../../gadgets/core.board");
const CORE_TRUE: &str = include_str!("../../../gadgets/core-true.board");
const CORE_FALSE: &str = include_str!("../../../gadgets/core-false.board");
const EXISTENTIAL: &str = include_str!("../../../gadgets/existential.board");
const UNIVERSAL: &str = include_str!("../../../gadgets/universal.board");
const BRIDGE: &str = include_str!("../../../gadgets/bridge.board");
const CLAUSE: &str = include_str!("../../../gadgets/clause.board");
const REWARD: &str = include_str!("../../../gadgets/reward.board");

fn leaves(side: Direction, index: usize) -> Ending {
    Ending::Leaves(Edge { side, index })
}

/// Lemma 4.4 for the two ways out of a core gadget: (i) the column, (ii) the position and the
/// pieces that were pushed out, and (iii) no pieces except the pawn before the king.
fn assert_lemma_4_4(survey: &Survey, p: usize) {
    let ways: Vec<&Reached> = survey.ways().collect();
    let [truth, falsehood] = ways[..] else { panic!("{} ways out", ways.len()) };
    for (way, row, count, end) in [(truth, 4, p + 1, CORE_TRUE), (falsehood, 3, p, CORE_FALSE)] {
        assert_eq!(way.ending, leaves(North, p + 3));
        assert_eq!(way.inside.position, position(end, &[("p", p)]));
        assert_eq!(way.out_by(East, row), count);
        assert_eq!(way.out_by(North, p + 3), 1);
        assert_eq!(way.inside.out.len(), count + 1);
    }
}

/// Lemma 4.4, with the sequences of pushes in the proof.
#[test]
fn the_core_gadget() {
    for p in 1..=8 {
        let survey = survey(&gadget(CORE, &[("p", p)]));
        assert_lemma_4_4(&survey, p);
        let along = "E".repeat(p + 1);
        let pushes: Vec<String> = survey.ends.iter().map(|end| end.pushes.clone()).collect();
        // The proof has one more N in the second line, without room for it.
        let expected = ["NNEENNN", "NEENNN", "NNWS", "NN"]
            .iter()
            .zip(["", "N", "", "N"])
            .map(|(tail, head)| format!("{head}{along}{tail}"))
            .collect::<Vec<_>>();
        assert_eq!(pushes, expected);
    }
}

/// Once the king has entered it is the core gadget, except for the outside of two edges behind the king.
#[test]
fn the_existential_gadget_becomes_the_core_gadget() {
    for p in 1..=8 {
        let existential = gadget(EXISTENTIAL, &[("p", p)]);
        assert_eq!(existential.entered().unwrap().position, gadget(CORE, &[("p", p)]).position);
        assert_lemma_4_4(&survey(&existential), p);
    }
}

/// The left part of a universal gadget, without its first column.
fn core_of(universal: &Position, p: usize) -> Vec<Cell> {
    universal
        .places()
        .filter(|place| (1..p + 6).contains(&place.column))
        .map(|place| universal.at(place))
        .collect()
}

/// All squares of a gadget drawn in a file.
fn squares(text: &str, p: usize) -> Vec<Cell> {
    let position = position(text, &[("p", p)]);
    position.places().map(|place| position.at(place)).collect()
}

/// Black chooses and White has no choice: the only way out has the value that Black chose, and on
/// that way the black pawn cannot move again.
#[test]
fn the_universal_gadget() {
    for (p, g) in [(1, 1), (2, 0), (3, 4), (6, 2)] {
        let entered = gadget(UNIVERSAL, &[("p", p), ("g", g)]).entered().unwrap();
        let replies = entered.replies();
        assert_eq!(replies.len(), 3);
        let mut truths = 0;
        for reply in replies {
            let pushes: Vec<Direction> =
                Direction::ALL.into_iter().filter(|&d| reply.pushed(d).is_some()).collect();
            assert_eq!(pushes, [East]);
            let (chosen, _) = reply.pushed(East).unwrap();
            assert_eq!(core_of(&chosen.position, p), squares(CORE, p));
            // Squares that White cannot reach while Black waits cannot be reached at all.
            let survey = chosen.survey(Black::Waits).unwrap();
            let ways: Vec<&Reached> = survey.ways().collect();
            let [way] = ways[..] else { panic!("{} ways out", ways.len()) };
            assert_eq!(way.ending, leaves(North, p + 4));
            let truth = reply.position.find(Cell::is_black).unwrap().row == 3;
            truths += usize::from(truth);
            let (row, count, end) = if truth { (4, p, CORE_TRUE) } else { (3, p - 1, CORE_FALSE) };
            assert_eq!(core_of(&way.inside.position, p), squares(end, p));
            assert_eq!((way.out_by(East, row), way.inside.out.len()), (count, count + 1));
            // The right part is full at the end, whatever Black chose.
            let mut right = way.inside.position.places().filter(|place| place.column >= p + 6);
            assert!(right.all(|place| way.inside.position.at(place) != Cell::Empty));
            assert_black_waits(chosen, &way.pushes);
        }
        assert_eq!(truths, 1);
    }
}

/// Asserts that Black has no moves along a sequence of pushes.
fn assert_black_waits(mut inside: Inside, pushes: &str) {
    for letter in pushes.chars() {
        assert_eq!(inside.replies().len(), 1, "before {letter} of {pushes}");
        let direction = Direction::ALL["NESW".find(letter).unwrap()];
        inside = inside.pushed(direction).unwrap().0;
    }
    assert_eq!(inside.replies().len(), 1, "after {pushes}");
}

/// Everything is forced, for any length and height.
#[test]
fn the_bridge_gadget() {
    for (w, h) in [(1, 1), (4, 3), (7, 2), (3, 9)] {
        let survey = survey(&gadget(BRIDGE, &[("w", w), ("h", h)]));
        let [way] = &survey.ends[..] else { panic!("{} ends", survey.ends.len()) };
        assert_eq!(way.ending, leaves(East, 1));
        assert_eq!((way.out_by(East, 1), way.inside.out.len()), (1, 1));
        assert_eq!(way.pushes, "N".repeat(h + 1) + &"E".repeat(w + 2));
    }
}

/// The king passes if and only if there is room below the middle column, and takes one square of it.
#[test]
fn the_clause_gadget() {
    for k in 0..=3 {
        let survey = survey(&gadget(CLAUSE, &[("k", k)]));
        let ways: Vec<&Reached> = survey.ways().collect();
        assert_eq!(ways.len(), usize::from(k > 0));
        for way in ways {
            assert_eq!(way.ending, leaves(East, 1));
            assert_eq!((way.out_by(South, 1), way.out_by(East, 1), way.inside.out.len()), (1, 1, 2));
            assert_eq!(way.pushes, "ESEE");
        }
    }
}

/// The king has entered, pushes until it is below the black pawn, and ejects it.
#[test]
fn the_reward_gadget() {
    for (h, w) in [(1, 1), (2, 1), (5, 1), (2, 2), (3, 4)] {
        let gadget = gadget(REWARD, &[("h", h), ("w", w)]);
        let survey = survey(&gadget);
        let [way] = &survey.ends[..] else { panic!("{} ends", survey.ends.len()) };
        assert_eq!(way.ending, Ending::Ejects(Edge { side: North, index: w }));
        assert_eq!(way.pushes, "E".repeat(w) + "N");
        assert_black_waits(gadget.entered().unwrap(), &"E".repeat(w));
    }
}
