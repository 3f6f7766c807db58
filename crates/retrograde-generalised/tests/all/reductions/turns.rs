//! All of White's turns on whole boards: each is the forced one of the move-wasting gadget with a
//! push of the king, or wins immediately because the king has reached the reward, or loses to
//! Black's next turn. This is why the search in `Reduction::solve` only needs the forced ones.

use std::collections::{HashMap, HashSet};

use retrograde_generalised::reductions::qbf::{Formula, Reduction, reduce};
use retrograde_generalised::reductions::{Cell, Position, Side};

/// All positions with White to move that forced play reaches.
fn positions(reduction: &Reduction) -> Vec<Position> {
    let mut all = vec![reduction.position.clone()];
    let mut seen: HashSet<Position> = all.iter().cloned().collect();
    let mut next = 0;
    while let Some(position) = all.get(next) {
        next += 1;
        let pushed = reduction.wasted(position).unwrap().pushes(Side::White);
        let goes_on = pushed.iter().filter(|(_, ejected)| ejected.is_none());
        for (after, _) in goes_on.flat_map(|(position, _)| reduction.black_turns(position)) {
            if seen.insert(after.clone()) {
                all.push(after);
            }
        }
    }
    all
}

/// Checks all of White's turns in every position whose number is a multiple of `every`.
///
/// Whether Black wins is computed once for each content of the columns of the move-wasting gadget:
/// the only edges where a black king can eject something are there.
fn assert_forced(text: &str, moves: usize, every: usize) {
    let reduction = reduce(&Formula::parse(text).unwrap(), moves).unwrap();
    let right = |position: &Position| -> Vec<Cell> {
        position
            .places()
            .filter(|place| place.column >= reduction.width)
            .map(|place| position.at(place))
            .collect()
    };
    let mut known: HashMap<Vec<Cell>, bool> = HashMap::new();
    for position in positions(&reduction).iter().step_by(every) {
        let wasted = reduction.wasted(position).unwrap();
        let forced = right(&wasted);
        let by_push = wasted.pushes(Side::White).iter().any(|(_, ejected)| ejected.is_some());
        for moved in position.after_moves(Side::White, moves) {
            let is_forced = right(&moved) == forced;
            assert!(!is_forced || moved == wasted);
            for (after, ejected) in moved.pushes(Side::White) {
                if ejected.is_some() {
                    // A side that wins with moves now also wins by pushes alone, now or in one of
                    // the next turns.
                    assert!(by_push || !reduction.is_far_from_winning(position), "{position}");
                } else if !is_forced {
                    let loses = *known.entry(right(&after)).or_insert_with(|| {
                        after.turns(Side::Black, moves).iter().any(|(_, ejected)| ejected.is_some())
                    });
                    assert!(loses, "{after}");
                }
            }
        }
    }
}

/// A true formula and a false one.
const FORMULAS: [&str; 2] = ["p cnf 1 1\ne 1 0\n1 0\n", "p cnf 1 2\ne 1 0\n1 0\n-1 0\n"];

#[test]
fn all_other_turns_of_one_move_lose() {
    for text in
        FORMULAS.into_iter().chain(["p cnf 1 1\na 1 0\n1 0\n", "p cnf 2 2\na 1 0\ne 2 0\n1 -2 0\n-1 2 0\n"])
    {
        assert_forced(text, 1, 1);
    }
}

#[test]
#[ignore = "takes long: more than 10⁵ turns in each of a hundred positions"]
fn all_other_turns_of_two_moves_lose() {
    for text in FORMULAS {
        assert_forced(text, 2, 1);
    }
}
