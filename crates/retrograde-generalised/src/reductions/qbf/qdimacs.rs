//! Parses formulas in QDIMACS, strictly. A line is a comment (`c …`), the header (`p cnf variables
//! clauses`), a quantifier block (`a 1 2 0`, `e 3 0`) or a clause (`1 -3 0`). Blocks alternate,
//! come before all clauses, and bind every variable that occurs. Unlike in the format, the
//! innermost block may be universal, which the reduction can handle.

use retrograde_game::clean_text;
use thiserror::Error;

use super::formula::{Formula, Literal, MAX_LITERALS, Quantifier};

/// The most variables in a header.
pub const MAX_VARIABLES: usize = 1000;

/// The most clauses in a header.
pub const MAX_CLAUSES: usize = 1000;

/// The error for a text that is not a formula; lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct QdimacsError {
    /// The line of the error; the line after the last if something is missing.
    pub line: usize,
    /// The problem in this line.
    pub problem: Problem,
}

/// A problem with a line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// The header is missing, or does not come before other lines.
    #[error("expected the header `p cnf variables clauses`")]
    NoHeader,
    /// There is a second header.
    #[error("there is already a header")]
    SecondHeader,
    /// The header exceeds the limits.
    #[error("at most {MAX_VARIABLES} variables and {MAX_CLAUSES} clauses are allowed")]
    TooLarge,
    /// A word is not a valid number.
    #[error("`{0}` is not a valid number here")]
    NoNumber(String),
    /// A line does not end with 0, or has a 0 before its end.
    #[error("a line of numbers must end with 0, and contain no other 0")]
    NoZero,
    /// A variable exceeds the number in the header.
    #[error("variable {0} is beyond the number of variables in the header")]
    Beyond(usize),
    /// A quantifier block comes after clauses.
    #[error("quantifiers must come before all clauses")]
    LateQuantifier,
    /// Two consecutive blocks have the same quantifier.
    #[error("quantifiers must alternate: merge this block with the previous one")]
    SameQuantifier,
    /// A block has no variables.
    #[error("a quantifier block must have at least one variable")]
    EmptyBlock,
    /// A variable is quantified twice.
    #[error("variable {0} is quantified twice")]
    QuantifiedTwice(usize),
    /// A variable has no quantifier, so the formula is not closed.
    #[error("variable {0} is free: it has no quantifier")]
    Free(usize),
    /// A clause has too many literals.
    #[error("a clause has at most {MAX_LITERALS} literals, but this one has {0}")]
    LongClause(usize),
    /// A clause repeats a literal.
    #[error("literal {0} appears twice in the clause")]
    Twice(String),
    /// The number of clauses differs from the header.
    #[error("wrong number of clauses: the header says {promised}, found {found}")]
    Count {
        /// The number in the header.
        promised: usize,
        /// The number found; one more than promised if reading stopped at the first excess clause.
        found: usize,
    },
    /// There are no variables, so there is nothing to play for.
    #[error("a formula must have at least one quantified variable")]
    NoVariables,
}

/// The parts of a formula read so far.
struct Reader {
    variables: usize,
    promised: usize,
    quantifiers: Vec<Quantifier>,
    /// The place of each variable in the order of the quantifiers.
    bound: Vec<Option<usize>>,
    clauses: Vec<Vec<Literal>>,
}

impl Formula {
    /// Parses QDIMACS.
    ///
    /// # Errors
    /// With the line and the problem.
    pub fn parse(text: &str) -> Result<Formula, QdimacsError> {
        let mut reader: Option<Reader> = None;
        let mut lines = 0;
        for line in clean_text(text).lines() {
            lines += 1;
            let words: Vec<&str> = line.split_whitespace().collect();
            let at = |problem| QdimacsError { line: lines, problem };
            match (words.first(), &mut reader) {
                (None | Some(&"c"), _) => {}
                (Some(&"p"), None) => reader = Some(Reader::new(&words).map_err(at)?),
                (Some(&"p"), Some(_)) => return Err(at(Problem::SecondHeader)),
                (Some(_), None) => return Err(at(Problem::NoHeader)),
                (Some(&"a"), Some(reader)) => reader.block(Quantifier::ForAll, &words[1..]).map_err(at)?,
                (Some(&"e"), Some(reader)) => reader.block(Quantifier::Exists, &words[1..]).map_err(at)?,
                (Some(_), Some(reader)) => reader.clause(&words).map_err(at)?,
            }
        }
        let at = |problem| QdimacsError { line: lines + 1, problem };
        let reader = reader.ok_or_else(|| at(Problem::NoHeader))?;
        let (promised, found) = (reader.promised, reader.clauses.len());
        if promised != found {
            return Err(at(Problem::Count { promised, found }));
        }
        if reader.quantifiers.is_empty() {
            return Err(at(Problem::NoVariables));
        }
        Ok(Formula::new(reader.quantifiers, reader.clauses))
    }
}

impl Reader {
    fn new(words: &[&str]) -> Result<Reader, Problem> {
        let &["p", "cnf", variables, clauses] = words else { return Err(Problem::NoHeader) };
        let (variables, promised) = (digits(variables)?, digits(clauses)?);
        if variables > MAX_VARIABLES || promised > MAX_CLAUSES {
            return Err(Problem::TooLarge);
        }
        Ok(Reader {
            variables,
            promised,
            quantifiers: Vec::new(),
            bound: vec![None; variables + 1],
            clauses: Vec::new(),
        })
    }

    fn block(&mut self, quantifier: Quantifier, words: &[&str]) -> Result<(), Problem> {
        if !self.clauses.is_empty() {
            return Err(Problem::LateQuantifier);
        }
        if self.quantifiers.last() == Some(&quantifier) {
            return Err(Problem::SameQuantifier);
        }
        let words = before_zero(words)?;
        if words.is_empty() {
            return Err(Problem::EmptyBlock);
        }
        for word in words {
            let variable = self.variable(word)?;
            if self.bound[variable].replace(self.quantifiers.len()).is_some() {
                return Err(Problem::QuantifiedTwice(variable));
            }
            self.quantifiers.push(quantifier);
        }
        Ok(())
    }

    fn clause(&mut self, words: &[&str]) -> Result<(), Problem> {
        let words = before_zero(words)?;
        if words.len() > MAX_LITERALS {
            return Err(Problem::LongClause(words.len()));
        }
        let mut clause = Vec::new();
        for &word in words {
            let (negated, plain) = word.strip_prefix('-').map_or((false, word), |plain| (true, plain));
            let number = self.variable(plain)?;
            let variable = self.bound[number].ok_or(Problem::Free(number))?;
            let literal = Literal { variable, negated };
            if clause.contains(&literal) {
                return Err(Problem::Twice(word.to_owned()));
            }
            clause.push(literal);
        }
        self.clauses.push(clause);
        let (promised, found) = (self.promised, self.clauses.len());
        if found > promised { Err(Problem::Count { promised, found }) } else { Ok(()) }
    }

    fn variable(&self, word: &str) -> Result<usize, Problem> {
        let variable = digits(word)?;
        if variable > self.variables { Err(Problem::Beyond(variable)) } else { Ok(variable) }
    }
}

/// The numbers of a line before the 0 at its end.
fn before_zero<'a>(words: &'a [&'a str]) -> Result<&'a [&'a str], Problem> {
    match words.split_last() {
        Some((&"0", numbers)) if !numbers.contains(&"0") => Ok(numbers),
        _ => Err(Problem::NoZero),
    }
}

/// Parses a number without sign and leading zeros; 0 itself only occurs in headers, since lists end
/// before it.
fn digits(word: &str) -> Result<usize, Problem> {
    let plain = word.bytes().all(|b| b.is_ascii_digit()) && (word == "0" || !word.starts_with('0'));
    let number = if plain { word.parse().ok() } else { None };
    // Numbers that overflow exceed every limit, too. The error shows their beginning.
    number.ok_or_else(|| Problem::NoNumber(word.chars().take(30).collect()))
}
