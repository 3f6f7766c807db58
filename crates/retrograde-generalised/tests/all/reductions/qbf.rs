//! The reduction of quantified formulas as a whole. Small formulas are played out by search. Large
//! boards are walked through gadget by gadget, and the edge conditions of each gadget are compared
//! with the current board.

use proptest::prelude::*;
use retrograde_game::Random;
use retrograde_generalised::reductions::gadget::{Beyond, Black, Edge, Inside, MANY, Outside};
use retrograde_generalised::reductions::qbf::{Formula, Literal, Placed, PlayError, Reduction, reduce};
use retrograde_generalised::reductions::{Cell, Direction, Place, Position};

/// A formula with quantifiers as letters, `a` and `e`, and clauses as in DIMACS.
pub fn formula(quantifiers: &str, clauses: &[Vec<i32>]) -> Formula {
    let mut lines = vec![format!("p cnf {} {}", quantifiers.len(), clauses.len())];
    let mut last = ' ';
    for (number, quantifier) in (1..).zip(quantifiers.chars()) {
        match lines.last_mut() {
            Some(block) if quantifier == last => block.push_str(&format!(" {number}")),
            _ => lines.push(format!("{quantifier} {number}")),
        }
        last = quantifier;
    }
    let clause = |clause: &Vec<i32>| clause.iter().map(|literal| format!("{literal} ")).collect();
    lines.extend(clauses.iter().map(clause));
    let text: Vec<String> = lines[1..].iter().map(|line| format!("{line} 0\n")).collect();
    Formula::parse(&format!("{}\n{}", lines[0], text.concat())).unwrap()
}

/// Asserts that White wins if and only if the formula is true, for different numbers of moves.
fn assert_solved(formula: &Formula) {
    for moves in 0..=3 {
        let solved = reduce(formula, moves).unwrap().solve();
        let expected = Ok(formula.evaluate().unwrap());
        assert_eq!(solved.map(|solved| solved.white_wins), expected, "{formula:?}, {moves} moves");
    }
}

#[test]
fn the_formula_of_figure_4_2() {
    let formula = formula("ae", &[vec![1, -2], vec![-1, 2]]);
    assert_eq!(formula.evaluate(), Ok(true));
    assert_solved(&formula);
}

/// Every formula of one variable with at most two clauses, including the empty clause.
#[test]
fn all_formulas_of_one_variable() {
    let clauses = [vec![], vec![1], vec![-1], vec![1, -1]];
    for quantifier in ["a", "e"] {
        assert_solved(&formula(quantifier, &[]));
        for first in &clauses {
            assert_solved(&formula(quantifier, std::slice::from_ref(first)));
            for second in &clauses {
                assert_solved(&formula(quantifier, &[first.clone(), second.clone()]));
            }
        }
    }
}

/// Every formula of two variables with two clauses of two different variables each.
#[test]
fn formulas_of_two_variables() {
    let clauses = [[1, 2], [1, -2], [-1, 2], [-1, -2]].map(Vec::from);
    let mut truths = 0;
    for quantifiers in ["aa", "ae", "ea", "ee"] {
        for first in &clauses {
            for second in &clauses {
                let formula = formula(quantifiers, &[first.clone(), second.clone()]);
                truths += usize::from(formula.evaluate().unwrap());
                assert_solved(&formula);
            }
        }
    }
    assert!((10..54).contains(&truths), "{truths} of 64 are true");
}

/// A formula that takes too long to play out returns an error.
#[test]
fn long_play_is_rejected() {
    assert_eq!(reduce(&formula(&"e".repeat(56), &[]), 2).unwrap().solve(), Err(PlayError::TooLong));
}

/// Formulas of at most `variables` variables and `clauses` clauses, with up to three literals of
/// different variables each.
fn formulas(variables: usize, clauses: usize) -> impl Strategy<Value = Formula> {
    prop::collection::vec(any::<bool>(), 1..=variables).prop_flat_map(move |quantifiers| {
        let n = quantifiers.len();
        let clause = prop::collection::btree_map(1..=n as i32, any::<bool>(), 0..=3.min(n));
        prop::collection::vec(clause, 0..=clauses).prop_map(move |clauses| {
            let quantifiers: String = quantifiers.iter().map(|&all| if all { 'a' } else { 'e' }).collect();
            let literal = |(variable, negated): (i32, bool)| if negated { -variable } else { variable };
            let clauses: Vec<Vec<i32>> =
                clauses.into_iter().map(|clause| clause.into_iter().map(literal).collect()).collect();
            formula(&quantifiers, &clauses)
        })
    })
}

/// The outside of an edge of a rectangle of the board.
fn beyond(position: &Position, corner: Place, inside: &Position, edge: Edge) -> Outside {
    let (row, column) = match edge.side {
        Direction::North => (0, edge.index),
        Direction::South => (inside.rows() - 1, edge.index),
        Direction::West => (edge.index, 0),
        Direction::East => (edge.index, inside.columns() - 1),
    };
    let mut at = Place::new(corner.row + row, corner.column + column);
    let nearest = position.neighbour(at, edge.side);
    let mut room = 0;
    while let Some(next) = position.neighbour(at, edge.side) {
        room += usize::from(position.at(next) == Cell::Empty);
        at = next;
    }
    assert!(position.rail(at, edge.side) || position.find(Cell::is_black).is_some());
    let beyond = match nearest {
        None if position.rail(at, edge.side) => Beyond::Unknown,
        None => Beyond::Nothing,
        Some(next) if position.at(next) == Cell::Empty => Beyond::Empty,
        Some(_) => Beyond::Unknown,
    };
    Outside { room, beyond }
}

/// The gadget on the board just after the king has entered, where the survey starts. Checks the
/// edges: there is exactly the room that the gadget specifies, or more where the king leaves.
fn inside(position: &Position, placed: &Placed) -> Inside {
    let Placed { gadget, place: corner } = placed;
    let entered = gadget.entered().unwrap();
    let mut inside = Inside { out: Vec::new(), ..entered.clone() };
    for place in gadget.position.places() {
        let square = position.at(Place::new(corner.row + place.row, corner.column + place.column));
        let plain = if square == Cell::WhiteAnchored { Cell::WhiteKing } else { square };
        inside.position.set(place, plain);
    }
    assert!(
        entered.replies().iter().any(|reply| reply.position == inside.position),
        "{}: \n{}\n{}",
        gadget.name,
        entered.position,
        inside.position
    );
    for side in Direction::ALL {
        for index in 0..gadget.outside[side as usize].len() {
            let edge = Edge { side, index };
            let (specified, found) =
                (gadget.outside(edge).unwrap(), beyond(position, *corner, &gadget.position, edge));
            // A clause has lost room below for every literal that became false.
            let below = side == Direction::South && gadget.name == "clause";
            let agrees = match specified.room {
                MANY => true,
                room if gadget.leave == Some(edge) => room <= found.room,
                room if below => room >= found.room,
                room => room == found.room,
            };
            assert!(agrees, "{} {edge:?}: {specified:?}, {found:?}", gadget.name);
            assert!(
                specified.beyond == Beyond::Unknown || specified.beyond == found.beyond,
                "{} {edge:?}",
                gadget.name
            );
            if below {
                inside.outside[side as usize][index].room = found.room;
            }
        }
    }
    inside
}

/// A walk of the white king through the whole board, with random choices.
struct Walk<'a> {
    reduction: &'a Reduction,
    position: Position,
    random: Random,
    /// Whether there are still clauses ahead of the king, so that no moves may bring it near the reward.
    guarded: bool,
}

impl Walk<'_> {
    /// Plays White's turn with a push and, if it does not win, a random turn of Black. Returns
    /// whether White has won.
    fn turn(&mut self, letter: char) -> bool {
        assert!(!self.guarded || self.reduction.is_far_from_winning(&self.position), "{}", self.position);
        self.position = self.reduction.wasted(&self.position).unwrap();
        let king = self.position.find(|s| matches!(s, Cell::WhiteKing | Cell::WhiteAnchored)).unwrap();
        if self.position.push(king, Direction::ALL["NESW".find(letter).unwrap()]).unwrap().is_some() {
            return true;
        }
        let mut turns = self.reduction.black_turns(&self.position);
        assert!(turns.iter().all(|(_, ejected)| ejected.is_none()));
        let chosen = self.random.below(turns.len() as u64) as usize;
        self.position = turns.swap_remove(chosen).0;
        false
    }

    /// Follows the ways out that the surveys find. Returns the values of the variables and whether
    /// White has won.
    fn through(&mut self) -> (Vec<bool>, bool) {
        let mut values = Vec::new();
        self.turn('N');
        for placed in &self.reduction.gadgets {
            let mut inside = inside(&self.position, placed);
            let name = placed.gadget.name.as_str();
            self.guarded &= name != "reward";
            if name == "universal" {
                // Black has chosen; this push fixes the choice.
                self.turn('E');
                inside = inside.pushed(Direction::East).unwrap().0;
            }
            let survey = inside.survey(Black::Waits).unwrap();
            let ways: Vec<_> = survey.ways().collect();
            if ways.is_empty() {
                assert_eq!(name, "clause");
                return (values, false);
            }
            let way = self.random.choose(&ways).unwrap();
            for letter in way.pushes.chars() {
                if self.turn(letter) {
                    assert_eq!(name, "reward");
                    return (values, true);
                }
            }
            if name == "universal" || name == "existential" {
                values.push(way.out_by(Direction::East, 4) > 0);
            }
        }
        panic!("the reward is the last gadget")
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn white_wins_if_and_only_if_the_formula_is_true(formula in formulas(3, 3)) {
        assert_solved(&formula);
    }

    /// On boards of any size the king passes exactly the clauses that its own and Black's choices
    /// make true, and every gadget has the edge conditions that its lemma assumes.
    #[test]
    fn values_are_kept(formula in formulas(8, 8), moves in 1..=4_usize, seed in any::<u64>()) {
        let reduction = reduce(&formula, moves).unwrap();
        let guarded = !formula.clauses().is_empty();
        let mut walk = Walk { reduction: &reduction, position: reduction.position.clone(), random: Random::new(seed), guarded };
        let (values, reached) = walk.through();
        prop_assert_eq!(values.len(), formula.quantifiers().len());
        let holds = |literal: &Literal| values[literal.variable] != literal.negated;
        prop_assert_eq!(reached, formula.clauses().iter().all(|clause| clause.iter().any(holds)));
    }
}
