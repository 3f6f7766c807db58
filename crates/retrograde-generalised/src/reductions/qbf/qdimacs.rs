//! Formulas as text: QDIMACS, read strictly. A line is a comment (`c …`), the header
//! (`p cnf variables clauses`), a quantifier block (`a 1 2 0`, `e 3 0`) or a clause (`1 -3 0`);
//! blocks alternate, come before all clauses, and bind every variable that occurs. Unlike the
//! format, the innermost block may be universal: the reduction does not mind.

use retrograde_game::clean_text;
use thiserror::Error;

use super::formula::{Formula, FormulaError, Literal, MAX_LITERALS, Quantifier};

/// The most variables that a header may promise.
pub const MAX_VARIABLES: usize = 1000;

/// The most clauses that a header may promise.
pub const MAX_CLAUSES: usize = 1000;

/// A text that is no formula; lines count from 1.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct QdimacsError {
    /// The line; the line after the last where something is missing.
    pub line: usize,
    /// The problem there.
    pub problem: Problem,
}

/// A problem with a line.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum Problem {
    /// No header before other lines, or none at all.
    #[error("expected the header `p cnf variables clauses`")]
    NoHeader,
    /// A second header.
    #[error("there is a header already")]
    SecondHeader,
    /// A header that promises more than the limits.
    #[error("at most {MAX_VARIABLES} variables and {MAX_CLAUSES} clauses are allowed")]
    TooLarge,
    /// A word that is no number.
    #[error("`{0}` is no number that may stand here")]
    NoNumber(String),
    /// A line without the 0 at its end, or with one before it.
    #[error("the numbers of a line end with the only 0")]
    NoZero,
    /// A variable beyond the number that the header gives.
    #[error("variable {0} is beyond the header's number of variables")]
    Beyond(usize),
    /// A quantifier block after clauses.
    #[error("quantifiers come before all clauses")]
    LateQuantifier,
    /// Two blocks of the same quantifier in a row.
    #[error("quantifiers alternate: this block belongs to the one before")]
    SameQuantifier,
    /// A block without variables.
    #[error("a quantifier block has at least one variable")]
    EmptyBlock,
    /// A variable that two quantifiers bind.
    #[error("variable {0} is quantified twice")]
    QuantifiedTwice(usize),
    /// A variable without a quantifier: the formula is not closed.
    #[error("variable {0} is free: no quantifier binds it")]
    Free(usize),
    /// A clause with too many literals.
    #[error("a clause has at most {MAX_LITERALS} literals, this has {0}")]
    LongClause(usize),
    /// A literal twice in a clause.
    #[error("literal {0} stands twice in the clause")]
    Twice(String),
    /// More or fewer clauses than promised.
    #[error("the header promises {promised} clauses, there are {found}")]
    Count {
        /// The number in the header.
        promised: usize,
        /// The number found; at the first clause too many, one more than promised.
        found: usize,
    },
    /// A problem of the formula as a whole.
    #[error(transparent)]
    Formula(#[from] FormulaError),
}

/// The parts of a formula read so far.
struct Reader {
    variables: usize,
    promised: usize,
    quantifiers: Vec<Quantifier>,
    /// For each variable, by its number: its place in the order of the quantifiers.
    bound: Vec<Option<usize>>,
    clauses: Vec<Vec<Literal>>,
}

impl Formula {
    /// Reads QDIMACS.
    ///
    /// # Errors
    /// With the line and what is wrong with it.
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
        Formula::new(reader.quantifiers, reader.clauses).map_err(|error| at(error.into()))
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

/// The numbers of a line without the 0 at its end.
fn before_zero<'a>(words: &'a [&'a str]) -> Result<&'a [&'a str], Problem> {
    match words.split_last() {
        Some((&"0", numbers)) if !numbers.contains(&"0") => Ok(numbers),
        _ => Err(Problem::NoZero),
    }
}

/// A number without sign and without leading zeros; 0 itself only in headers, since lists end
/// before it.
fn digits(word: &str) -> Result<usize, Problem> {
    let plain = word.bytes().all(|b| b.is_ascii_digit()) && (word == "0" || !word.starts_with('0'));
    let number = if plain { word.parse().ok() } else { None };
    // Numbers too long for the machine are beyond every limit, too, and are shown as they begin.
    number.ok_or_else(|| Problem::NoNumber(word.chars().take(30).collect()))
}
