//! Lemma 3.17 of the paper as printed: "if the king move does not change the number of connected
//! components of the pawnspace, the signature is left unchanged". A search with that rule is wrong
//! on these boards, in both directions.

use std::collections::{BTreeSet, HashSet};

use retrograde_generalised::mate::{State, exhaustive};

/// A board, and the letters of its squares.
struct Board<'a> {
    state: &'a State,
    letters: Vec<char>,
}

impl Board<'_> {
    fn new(state: &State) -> Board<'_> {
        Board { state, letters: state.drawing().squares().map(|(_, letter)| letter).collect() }
    }

    fn next(&self, square: usize, direction: usize) -> Option<usize> {
        self.state.neighbour(square as u32, direction).map(|next| next as usize)
    }

    fn other(&self, square: usize) -> bool {
        matches!(self.letters[square], 'x' | 'X' | 'Y')
    }

    /// The components of the pawnspace in the order of their first squares.
    fn components(&self, king: usize) -> Vec<BTreeSet<usize>> {
        let mut found: Vec<BTreeSet<usize>> = Vec::new();
        for root in (0..self.letters.len()).filter(|&at| at != king && !self.other(at)) {
            if found.iter().any(|component| component.contains(&root)) {
                continue;
            }
            let mut component = BTreeSet::new();
            let mut todo = vec![root];
            while let Some(at) = todo.pop() {
                if component.insert(at) {
                    let next = (0..4).filter_map(|d| self.next(at, d));
                    todo.extend(next.filter(|&next| next != king && !self.other(next)));
                }
            }
            found.push(component);
        }
        found
    }

    /// Lemma 3.18.
    fn wins(&self, king: usize, signature: &[usize]) -> bool {
        let components = self.components(king);
        (0..4).any(|direction| {
            let step = |&at: &usize| self.next(at, direction);
            let line: Vec<usize> = std::iter::successors(step(&king), step).collect();
            let Some(&end) = line.last() else { return false };
            !self.state.drawing().has_rail(self.state.place(end as u32), direction)
                && matches!(self.letters[end], 'x' | 'X')
                && line.iter().all(|&at| self.letters[at] != 'Y')
                && components.iter().zip(signature).all(|(component, &pawns)| {
                    line.iter().filter(|at| component.contains(at)).count() <= pawns
                })
        })
    }

    /// Lemma 3.17 as printed.
    fn neighbours(&self, king: usize, signature: &[usize]) -> Vec<(usize, Vec<usize>)> {
        let before = self.components(king);
        let mut found = Vec::new();
        for to in (0..4).filter_map(|d| self.next(king, d)).filter(|&to| !self.other(to)) {
            let entered = before.iter().position(|component| component.contains(&to)).unwrap();
            if signature[entered] >= before[entered].len() {
                continue;
            }
            let after = self.components(to);
            if after.len() == before.len() {
                found.push((to, signature.to_vec()));
            } else if after.len() < before.len() {
                let of = |component: &BTreeSet<usize>| {
                    let from = before.iter().zip(signature).filter(|(old, _)| !old.is_disjoint(component));
                    from.map(|(_, &pawns)| pawns).sum()
                };
                found.push((to, after.iter().map(of).collect()));
            } else {
                let mut partial: Vec<(Vec<usize>, usize)> = vec![(Vec::new(), signature[entered])];
                for component in &after {
                    let mut longer = Vec::new();
                    for (counts, left) in partial {
                        let part = component.contains(&king) || !before[entered].is_disjoint(component);
                        let kept = before.iter().position(|old| !old.is_disjoint(component));
                        let choices: Vec<(usize, usize)> = match kept {
                            Some(old) if !part => vec![(signature[old], left)],
                            _ => (0..=left.min(component.len())).map(|pawns| (pawns, left - pawns)).collect(),
                        };
                        for (pawns, left) in choices {
                            longer.push(([counts.clone(), vec![pawns]].concat(), left));
                        }
                    }
                    partial = longer;
                }
                found.extend(
                    partial.into_iter().filter(|(_, left)| *left == 0).map(|(counts, _)| (to, counts)),
                );
            }
        }
        found
    }

    fn mate(&self) -> bool {
        let own = |at: usize| matches!(self.letters[at], 'o' | 'O');
        (0..self.letters.len()).filter(|&at| self.letters[at] == 'O').any(|king| {
            let pawns = |component: &BTreeSet<usize>| component.iter().filter(|&&at| own(at)).count();
            let first = (king, self.components(king).iter().map(pawns).collect::<Vec<_>>());
            let mut known = HashSet::from([first.clone()]);
            let mut todo = vec![first];
            while let Some((king, signature)) = todo.pop() {
                if self.wins(king, &signature) {
                    return true;
                }
                for class in self.neighbours(king, &signature) {
                    if known.insert(class.clone()) {
                        todo.push(class);
                    }
                }
            }
            false
        })
    }
}

#[test]
fn the_printed_rule_is_wrong() {
    let mut wrong = Vec::new();
    for line in include_str!("../data/mate-in-one.tsv").lines().skip(3) {
        let [id, moves, board] = line.split('\t').collect::<Vec<_>>()[..] else { panic!("{line}") };
        let state = State::parse(board).unwrap();
        let (truth, printed) = (exhaustive::least(&state).is_some(), Board::new(&state).mate());
        assert_eq!(truth, moves != "never", "{id}");
        if truth != printed {
            wrong.push((id, truth));
        }
    }
    let never = ["t005", "t010", "t015", "t020", "u001"].map(|id| (id, false));
    let expected = [&[("t000", true)][..], &never, &[("u011", true)]].concat();
    assert_eq!(wrong, expected);
}
