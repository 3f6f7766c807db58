//! Closed quantified formulas in conjunctive normal form with at most three literals per clause,
//! evaluated by trying all values.

use thiserror::Error;

/// The most variables of a formula that can be evaluated: 2²⁰ assignments.
pub const MAX_EVALUATED: usize = 20;

/// The most literals of a clause: the problem is Q3SAT.
pub const MAX_LITERALS: usize = 3;

/// The quantifier that binds a variable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Quantifier {
    /// White chooses the value.
    Exists,
    /// Black chooses the value.
    ForAll,
}

/// A variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Literal {
    /// The variable: its place in the order of the quantifiers, counted from 0.
    pub variable: usize,
    /// Whether it is negated.
    pub negated: bool,
}

/// The error for a formula with too many variables to try all values.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("formulas with at most {MAX_EVALUATED} variables can be evaluated, but this one has {0}")]
pub struct TooManyVariables(pub usize);

/// A closed formula: quantifiers, outermost first, and clauses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formula {
    quantifiers: Vec<Quantifier>,
    clauses: Vec<Vec<Literal>>,
}

impl Formula {
    /// Creates a formula from parts that [`Formula::parse`] has checked.
    pub(super) fn new(quantifiers: Vec<Quantifier>, clauses: Vec<Vec<Literal>>) -> Formula {
        Formula { quantifiers, clauses }
    }

    /// The quantifiers, one per variable, outermost first.
    #[must_use]
    pub fn quantifiers(&self) -> &[Quantifier] {
        &self.quantifiers
    }

    /// The clauses.
    #[must_use]
    pub fn clauses(&self) -> &[Vec<Literal>] {
        &self.clauses
    }

    /// The number of clauses that contain a literal.
    #[must_use]
    pub fn occurrences(&self, literal: Literal) -> usize {
        self.clauses.iter().filter(|clause| clause.contains(&literal)).count()
    }

    /// Whether the formula is true. Tries all values.
    ///
    /// # Errors
    /// If it has more than [`MAX_EVALUATED`] variables.
    pub fn evaluate(&self) -> Result<bool, TooManyVariables> {
        if self.quantifiers.len() > MAX_EVALUATED {
            return Err(TooManyVariables(self.quantifiers.len()));
        }
        Ok(self.holds(&mut Vec::new()))
    }

    /// The same with given values of the outermost variables.
    fn holds(&self, values: &mut Vec<bool>) -> bool {
        let Some(quantifier) = self.quantifiers.get(values.len()) else {
            let satisfied = |literal: &Literal| values[literal.variable] != literal.negated;
            return self.clauses.iter().all(|clause| clause.iter().any(satisfied));
        };
        let mut with = |value| {
            values.push(value);
            let holds = self.holds(values);
            values.pop();
            holds
        };
        match quantifier {
            Quantifier::Exists => with(true) || with(false),
            Quantifier::ForAll => with(true) && with(false),
        }
    }
}
