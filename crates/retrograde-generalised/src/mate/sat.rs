//! Finds the least number of moves with a SAT solver: expresses "mate after exactly k moves" as a
//! formula, for growing k.
//!
//! For every moment and every square not occupied by the opponent there are variables "a pawn is
//! here" and "the pusher is here", and for every move "it begins here", "it ends here", "its path
//! contains this square". A path is a set of squares, empty except for its beginning, in which both
//! ends have one neighbour and all others two. The connected part with one end then contains the
//! other end, and separate cycles do no harm. The shortest path is always such a set.

use batsat::{BasicSolver, Lit, SolverInterface, lbool};

use crate::mate::error::MateError;
use crate::mate::state::{State, Turn};
use crate::mate::targets::{Target, targets};

/// A formula, which the solver receives clause by clause.
#[derive(Default)]
struct Formula(BasicSolver);

impl Formula {
    fn new_lit(&mut self) -> Lit {
        Lit::new(self.0.new_var_default(), true)
    }

    /// Adds a clause: at least one of the literals is true.
    fn add(&mut self, clause: impl IntoIterator<Item = Lit>) {
        self.0.add_clause_reuse(&mut clause.into_iter().collect());
    }
}

/// The variables of one moment.
struct Moment {
    pawn: Vec<Lit>,
    pusher: Vec<Lit>,
}

/// The variables of one move.
struct Move {
    from: Vec<Lit>,
    to: Vec<Lit>,
    way: Vec<Lit>,
    /// Whether the pusher makes it.
    by_pusher: Lit,
}

/// The squares that the opponent does not occupy, and the neighbours of each.
struct Board {
    free: Vec<u32>,
    neighbours: Vec<Vec<usize>>,
}

/// Finds a turn of exactly `moves` moves. There must be no turn with fewer.
///
/// # Errors
/// If the solver stops without an answer.
pub(crate) fn exactly(state: &State, moves: u32) -> Result<Option<Turn>, MateError> {
    let free: Vec<u32> = (0..state.square_count() as u32)
        .filter(|&square| !state.pieces[square as usize].is_other())
        .collect();
    let number = |square: u32| free.binary_search(&square).ok();
    let neighbours = free
        .iter()
        .map(|&square| state.neighbours(square).filter_map(|(_, next)| number(next)).collect())
        .collect();
    let board = Board { free: free.clone(), neighbours };
    let mut formula = Formula::default();
    let moments: Vec<Moment> = (0..=moves).map(|_| board.moment(&mut formula)).collect();
    let made: Vec<Move> = (0..moves).map(|_| board.new_move(&mut formula)).collect();
    board.begin(&mut formula, state, &moments[0]);
    for (at, made) in made.iter().enumerate() {
        board.way(&mut formula, &moments[at], made);
        board.frame(&mut formula, &moments[at], made, &moments[at + 1]);
    }
    for pair in made.windows(2) {
        for square in 0..free.len() {
            // A piece that moves twice in a row could have moved once.
            formula.add([!pair[0].to[square], !pair[1].from[square]]);
        }
    }
    let targets = targets(state);
    let hits = board.end(&mut formula, &targets, &moments[moves as usize]);

    let answer = formula.0.solve_limited(&[]);
    if answer == lbool::FALSE {
        return Ok(None);
    }
    if answer != lbool::TRUE {
        return Err(MateError::Solver("it was interrupted".to_owned()));
    }
    let holds = |&lit: &Lit| formula.0.value_lit(lit) == lbool::TRUE;
    let place = |lits: &[Lit]| lits.iter().position(holds).map(|square| free[square]);
    let moves = made.iter().filter_map(|made| place(&made.from).zip(place(&made.to))).collect();
    let hit = hits.iter().find(|(_, lit)| holds(lit));
    Ok(hit.map(|(target, _)| Turn { moves, push: (target.square, target.direction) }))
}

impl Board {
    fn lits(&self, formula: &mut Formula) -> Vec<Lit> {
        self.free.iter().map(|_| formula.new_lit()).collect()
    }

    fn moment(&self, formula: &mut Formula) -> Moment {
        Moment { pawn: self.lits(formula), pusher: self.lits(formula) }
    }

    fn new_move(&self, formula: &mut Formula) -> Move {
        let [from, to, way] = std::array::from_fn(|_| self.lits(formula));
        Move { from, to, way, by_pusher: formula.new_lit() }
    }

    /// One of the pushers makes the push; the other own pieces are pawns.
    fn begin(&self, formula: &mut Formula, state: &State, moment: &Moment) {
        let pushers: Vec<u32> = state.pushers().collect();
        let choices: Vec<Lit> = (0..self.free.len())
            .filter(|&square| pushers.contains(&self.free[square]))
            .map(|square| moment.pusher[square])
            .collect();
        formula.add(choices.iter().copied());
        at_most_one(formula, &choices);
        for (square, &at) in self.free.iter().enumerate() {
            let (pawn, pusher) = (moment.pawn[square], moment.pusher[square]);
            if pushers.contains(&at) {
                formula.add([pawn, pusher]);
                formula.add([!pawn, !pusher]);
            } else {
                formula.add([!pusher]);
                let own = state.pieces[at as usize].is_own();
                formula.add([if own { pawn } else { !pawn }]);
            }
        }
    }

    /// A move begins at a piece and passes empty squares to another square.
    fn way(&self, formula: &mut Formula, moment: &Moment, made: &Move) {
        for ends in [&made.from, &made.to] {
            formula.add(ends.iter().copied());
            at_most_one(formula, ends);
        }
        for square in 0..self.free.len() {
            let (from, to, way) = (made.from[square], made.to[square], made.way[square]);
            let (pawn, pusher) = (moment.pawn[square], moment.pusher[square]);
            formula.add([!from, pawn, pusher]);
            formula.add([!from, way]);
            formula.add([!to, way]);
            formula.add([!from, !to]);
            formula.add([!way, from, !pawn]);
            formula.add([!way, from, !pusher]);
            let near: Vec<Lit> = self.neighbours[square].iter().map(|&next| made.way[next]).collect();
            for end in [from, to] {
                formula.add(near.iter().copied().chain([!end]));
                for (at, &one) in near.iter().enumerate() {
                    for &other in &near[at + 1..] {
                        formula.add([!end, !one, !other]);
                    }
                }
            }
            // Squares between the ends have two neighbours: at least two, and no three.
            for (without, _) in near.iter().enumerate() {
                let others = near.iter().enumerate().filter(|&(at, _)| at != without).map(|(_, &lit)| lit);
                formula.add(others.chain([!way, from, to]));
            }
            if near.is_empty() {
                formula.add([!way]);
            }
            for without in 0..near.len().saturating_sub(2) {
                for second in without + 1..near.len() {
                    for third in second + 1..near.len() {
                        formula.add([!way, from, to, !near[without], !near[second], !near[third]]);
                    }
                }
            }
        }
    }

    /// After a move the piece is where the move ends, and all other pieces are where they were.
    fn frame(&self, formula: &mut Formula, before: &Moment, made: &Move, after: &Moment) {
        for square in 0..self.free.len() {
            let (from, to) = (made.from[square], made.to[square]);
            formula.add([!from, !before.pusher[square], made.by_pusher]);
            formula.add([!from, !before.pawn[square], !made.by_pusher]);
            let kinds = [
                (before.pawn[square], after.pawn[square], !made.by_pusher),
                (before.pusher[square], after.pusher[square], made.by_pusher),
            ];
            for (was, is, moves) in kinds {
                formula.add([!from, !is]);
                formula.add([!to, !moves, is]);
                formula.add([!to, moves, !is]);
                formula.add([from, !was, is]);
                formula.add([to, was, !is]);
            }
        }
    }

    /// At the end some target is complete. Returns a literal for each target.
    fn end<'t>(
        &self,
        formula: &mut Formula,
        targets: &'t [Target],
        moment: &Moment,
    ) -> Vec<(&'t Target, Lit)> {
        let number = |square: u32| self.free.binary_search(&square).ok();
        let mut hits = Vec::new();
        for target in targets {
            let hit = formula.new_lit();
            let needed = target.fill.iter().filter_map(|&square| number(square)).map(|at| moment.pawn[at]);
            let place = number(target.square).map(|at| moment.pusher[at]);
            for lit in needed.chain(place) {
                formula.add([!hit, lit]);
            }
            hits.push((target, hit));
        }
        formula.add(hits.iter().map(|&(_, hit)| hit));
        hits
    }
}

/// At most one of some literals is true, by a chain of "one of the first n is true".
fn at_most_one(formula: &mut Formula, lits: &[Lit]) {
    let mut before: Option<Lit> = None;
    for &lit in lits {
        let so_far = formula.new_lit();
        formula.add([!lit, so_far]);
        if let Some(before) = before {
            formula.add([!before, so_far]);
            formula.add([!before, !lit]);
        }
        before = Some(so_far);
    }
}
