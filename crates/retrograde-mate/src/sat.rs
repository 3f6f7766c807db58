//! The least number of moves by a SAT solver: "mate after exactly k moves" as a formula, for
//! growing k.
//!
//! For every moment and every square that the opponent leaves there are variables "a pawn stands
//! here" and "the pusher stands here", and for every move "it begins here", "it ends here", "its
//! way touches this square". A way is a set of squares, empty but for its beginning, in which both
//! ends have one neighbour and all others two: what hangs together with one end then holds the
//! other, and circles beside it do no harm. The shortest way is always such a set.

use rustsat::clause;
use rustsat::instances::SatInstance;
use rustsat::solvers::{Solve, SolverResult};
use rustsat::types::{Lit, TernaryVal};
use rustsat_batsat::BasicSolver;

use crate::MateError;
use crate::state::{State, Turn};
use crate::targets::{Target, targets};

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

/// The squares that the opponent leaves, and those beside each.
struct Board {
    free: Vec<u32>,
    beside: Vec<Vec<usize>>,
}

/// Finds a turn of exactly so many moves; there must be none with fewer.
///
/// # Errors
/// If the solver ends without an answer.
pub(crate) fn exactly(state: &State, moves: u32) -> Result<Option<Turn>, MateError> {
    let free: Vec<u32> = (0..state.square_count() as u32)
        .filter(|&square| !state.pieces[square as usize].is_other())
        .collect();
    let number = |square: u32| free.binary_search(&square).ok();
    let beside = free
        .iter()
        .map(|&square| state.beside(square).filter_map(|(_, next)| number(next)).collect())
        .collect();
    let board = Board { free: free.clone(), beside };
    let mut formula: SatInstance = SatInstance::new();
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
            formula.add_clause(clause![!pair[0].to[square], !pair[1].from[square]]);
        }
    }
    let targets = targets(state);
    let hits = board.end(&mut formula, &targets, &moments[moves as usize]);

    let mut solver = BasicSolver::default();
    let (formula, _) = formula.into_cnf();
    solver.add_cnf(formula).map_err(|error| MateError::Solver(error.to_string()))?;
    match solver.solve().map_err(|error| MateError::Solver(error.to_string()))? {
        SolverResult::Unsat => return Ok(None),
        SolverResult::Sat => {}
        SolverResult::Interrupted => return Err(MateError::Solver("it was interrupted".to_owned())),
    }
    let holds = |lit: &Lit| solver.lit_val(*lit).is_ok_and(|value| value == TernaryVal::True);
    let place = |lits: &[Lit]| lits.iter().position(holds).map(|square| free[square]);
    let moves = made.iter().filter_map(|made| place(&made.from).zip(place(&made.to))).collect();
    let hit = hits.iter().find(|(_, lit)| holds(lit));
    Ok(hit.map(|(target, _)| Turn { moves, push: (target.square, target.direction) }))
}

impl Board {
    fn lits(&self, formula: &mut SatInstance) -> Vec<Lit> {
        self.free.iter().map(|_| formula.new_lit()).collect()
    }

    fn moment(&self, formula: &mut SatInstance) -> Moment {
        Moment { pawn: self.lits(formula), pusher: self.lits(formula) }
    }

    fn new_move(&self, formula: &mut SatInstance) -> Move {
        let [from, to, way] = std::array::from_fn(|_| self.lits(formula));
        Move { from, to, way, by_pusher: formula.new_lit() }
    }

    /// One of the pushers is the one that will push; the other own pieces are pawns.
    fn begin(&self, formula: &mut SatInstance, state: &State, moment: &Moment) {
        let pushers: Vec<u32> = state.pushers().collect();
        let choices: Vec<Lit> = (0..self.free.len())
            .filter(|&square| pushers.contains(&self.free[square]))
            .map(|square| moment.pusher[square])
            .collect();
        formula.add_clause(choices.iter().copied().collect());
        at_most_one(formula, &choices);
        for (square, &at) in self.free.iter().enumerate() {
            let (pawn, pusher) = (moment.pawn[square], moment.pusher[square]);
            if pushers.contains(&at) {
                formula.add_clause(clause![pawn, pusher]);
                formula.add_clause(clause![!pawn, !pusher]);
            } else {
                formula.add_clause(clause![!pusher]);
                let own = state.pieces[at as usize].is_own();
                formula.add_clause(clause![if own { pawn } else { !pawn }]);
            }
        }
    }

    /// A move begins at a piece and goes over empty squares to another square.
    fn way(&self, formula: &mut SatInstance, moment: &Moment, made: &Move) {
        for ends in [&made.from, &made.to] {
            formula.add_clause(ends.iter().copied().collect());
            at_most_one(formula, ends);
        }
        for square in 0..self.free.len() {
            let (from, to, way) = (made.from[square], made.to[square], made.way[square]);
            let (pawn, pusher) = (moment.pawn[square], moment.pusher[square]);
            formula.add_clause(clause![!from, pawn, pusher]);
            formula.add_clause(clause![!from, way]);
            formula.add_clause(clause![!to, way]);
            formula.add_clause(clause![!from, !to]);
            formula.add_clause(clause![!way, from, !pawn]);
            formula.add_clause(clause![!way, from, !pusher]);
            let near: Vec<Lit> = self.beside[square].iter().map(|&next| made.way[next]).collect();
            for end in [from, to] {
                formula.add_clause(near.iter().copied().chain([!end]).collect());
                for (at, &one) in near.iter().enumerate() {
                    for &other in &near[at + 1..] {
                        formula.add_clause(clause![!end, !one, !other]);
                    }
                }
            }
            // Between the ends: two neighbours, so not all but one are missing, and no three are
            // there.
            for (without, _) in near.iter().enumerate() {
                let others = near.iter().enumerate().filter(|&(at, _)| at != without).map(|(_, &lit)| lit);
                formula.add_clause(others.chain([!way, from, to]).collect());
            }
            if near.is_empty() {
                formula.add_clause(clause![!way]);
            }
            for without in 0..near.len().saturating_sub(2) {
                for second in without + 1..near.len() {
                    for third in second + 1..near.len() {
                        formula.add_clause(clause![
                            !way,
                            from,
                            to,
                            !near[without],
                            !near[second],
                            !near[third]
                        ]);
                    }
                }
            }
        }
    }

    /// After a move the piece stands where it ends, and everything else where it stood.
    fn frame(&self, formula: &mut SatInstance, before: &Moment, made: &Move, after: &Moment) {
        for square in 0..self.free.len() {
            let (from, to) = (made.from[square], made.to[square]);
            formula.add_clause(clause![!from, !before.pusher[square], made.by_pusher]);
            formula.add_clause(clause![!from, !before.pawn[square], !made.by_pusher]);
            let kinds = [
                (before.pawn[square], after.pawn[square], !made.by_pusher),
                (before.pusher[square], after.pusher[square], made.by_pusher),
            ];
            for (was, is, moves) in kinds {
                formula.add_clause(clause![!from, !is]);
                formula.add_clause(clause![!to, !moves, is]);
                formula.add_clause(clause![!to, moves, !is]);
                formula.add_clause(clause![from, !was, is]);
                formula.add_clause(clause![to, was, !is]);
            }
        }
    }

    /// At the end some target is fulfilled; gives a literal for each.
    fn end<'t>(
        &self,
        formula: &mut SatInstance,
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
                formula.add_clause(clause![!hit, lit]);
            }
            hits.push((target, hit));
        }
        formula.add_clause(hits.iter().map(|&(_, hit)| hit).collect());
        hits
    }
}

/// At most one of some literals holds, by a chain of "one of the first so many holds".
fn at_most_one(formula: &mut SatInstance, lits: &[Lit]) {
    let mut before: Option<Lit> = None;
    for &lit in lits {
        let so_far = formula.new_lit();
        formula.add_clause(clause![!lit, so_far]);
        if let Some(before) = before {
            formula.add_clause(clause![!before, so_far]);
            formula.add_clause(clause![!before, !lit]);
        }
        before = Some(so_far);
    }
}
