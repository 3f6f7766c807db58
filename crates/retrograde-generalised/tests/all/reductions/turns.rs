//! All of White's turns on whole boards: each is the forced one of the move-wasting gadget with a
//! push of the king, or wins immediately because the king has reached the reward, or loses to
//! Black's next turn. This is why the search in `Reduction::solve` only needs the forced ones.

use std::collections::{HashMap, HashSet};

use retrograde_generalised::reductions::qbf::{Formula, Reduction, reduce};
use retrograde_generalised::reductions::{Cell, Direction, Position, Side};

fn reduction(text: &str) -> Reduction {
    reduce(&Formula::parse(text).unwrap()).unwrap()
}

/// The positions after every push of the white king, and whether it ejected a piece.
fn pushes(position: &Position) -> Vec<(Position, bool)> {
    let king = position.find(|s| matches!(s, Cell::WhiteKing | Cell::WhiteAnchored)).unwrap();
    let push = |direction| {
        let mut pushed = position.clone();
        pushed.push(king, direction).map(|ejected| (pushed, ejected.is_some()))
    };
    Direction::ALL.into_iter().filter_map(push).collect()
}

/// Whether Black can eject a white piece in this turn. Tries few moves first, since they are almost
/// always enough.
fn black_wins(position: &Position) -> bool {
    (0..=2).any(|moves| {
        position.after_moves(Side::Black, moves).iter().any(|moved| {
            let king = moved.find(|square| square == Cell::BlackKing).unwrap();
            Direction::ALL
                .into_iter()
                .any(|direction| moved.clone().push(king, direction).flatten().is_some())
        })
    })
}

/// All positions with White to move that forced play reaches.
fn positions(reduction: &Reduction) -> Vec<Position> {
    let mut all = vec![reduction.position.clone()];
    let mut seen: HashSet<Position> = all.iter().cloned().collect();
    let mut next = 0;
    while let Some(position) = all.get(next) {
        next += 1;
        let pushed = pushes(&reduction.wasted(position).unwrap());
        for (after, _) in
            pushed.iter().filter(|(_, won)| !won).flat_map(|(position, _)| position.turns(Side::Black))
        {
            if seen.insert(after.clone()) {
                all.push(after);
            }
        }
    }
    all
}

/// Checks White's turns of at most `moves` moves in every position whose number is a multiple of `every`.
///
/// Whether Black wins is computed once for each content of the columns of the move-wasting gadget:
/// the only edges where the black king can eject something are above and below the middle two, and
/// no path between those squares is shorter or freer outside.
fn assert_forced(reduction: &Reduction, moves: usize, every: usize) {
    let right = |position: &Position| -> Vec<Cell> {
        position
            .places()
            .filter(|place| place.column >= reduction.width)
            .map(|place| position.at(place))
            .collect()
    };
    let mut known: HashMap<Vec<Cell>, bool> = HashMap::new();
    for position in positions(reduction).iter().step_by(every) {
        let wasted = reduction.wasted(position).unwrap();
        let forced = right(&wasted);
        let by_push = pushes(&wasted).iter().any(|(_, won)| *won);
        for moved in position.after_moves(Side::White, moves) {
            let is_forced = right(&moved) == forced;
            assert!(!is_forced || moved == wasted);
            for (after, won) in pushes(&moved) {
                if won {
                    // A side that wins with moves now also wins by pushes alone, now or in one of
                    // the next turns.
                    assert!(by_push || !reduction.is_far_from_winning(position), "{position}");
                } else if !is_forced {
                    let loses = *known.entry(right(&after)).or_insert_with(|| black_wins(&after));
                    assert!(loses, "{after}");
                }
            }
        }
    }
}

/// A true formula and a false one.
const FORMULAS: [&str; 2] = ["p cnf 1 1\ne 1 0\n1 0\n", "p cnf 1 2\ne 1 0\n1 0\n-1 0\n"];

#[test]
fn turns_of_one_move_lose() {
    for text in FORMULAS.into_iter().chain(["p cnf 1 1\na 1 0\n1 0\n"]) {
        assert_forced(&reduction(text), 1, 3);
    }
}

#[test]
#[ignore = "takes 15 minutes and 1.5 GB: more than 10⁵ turns in each of a hundred positions"]
fn all_other_turns_lose() {
    for text in FORMULAS {
        assert_forced(&reduction(text), 2, 1);
    }
}
