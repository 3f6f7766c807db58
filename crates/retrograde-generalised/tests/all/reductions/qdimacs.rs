//! Texts that are parsed as formulas, and texts that are rejected.

use retrograde_generalised::reductions::qbf::{
    Formula, Literal, Quantifier, ReduceError, TooManyVariables, reduce,
};

use crate::reductions::qbf::formula;

#[test]
fn formulas_are_read() {
    let text = "c a comment\n\np cnf 4 3\ne 3 0\na 1 2 0\nc another\n1 -3 0\n  -2   0\n0\n";
    let formula = Formula::parse(text).unwrap();
    let (e, a) = (Quantifier::Exists, Quantifier::ForAll);
    assert_eq!(formula.quantifiers(), [e, a, a]);
    let literal = |variable, negated| Literal { variable, negated };
    assert_eq!(
        formula.clauses(),
        [vec![literal(1, false), literal(0, true)], vec![literal(2, true)], vec![]]
    );
    assert_eq!(formula.evaluate(), Ok(false));
    assert_eq!(formula.occurrences(literal(0, true)), 1);
}

#[test]
fn errors_name_the_line() {
    for (text, reason) in [
        ("", "line 1: expected the header"),
        ("c nothing\n", "line 2: expected the header"),
        ("1 0\n", "line 1: expected the header"),
        ("p cnf 1\n", "line 1: expected the header"),
        ("p dnf 1 1\n", "line 1: expected the header"),
        ("p cnf 1 -1\n", "line 1: `-1` is not a valid number"),
        ("p cnf 1001 1\n", "line 1: at most 1000 variables"),
        ("p cnf 1 99999999999999999999999\n", "is not a valid number"),
        ("p cnf 1 0\np cnf 1 0\n", "line 2: there is already a header"),
        ("p cnf 1 1\ne 1\n1 0\n", "line 2: a line of numbers must end with 0"),
        ("p cnf 2 1\ne 1 0 2 0\n1 0\n", "line 2: a line of numbers must end with 0"),
        ("p cnf 1 1\ne 1 0\n1\n", "line 3: a line of numbers must end with 0"),
        ("p cnf 1 1\ne 0\n", "line 2: a quantifier block must have"),
        ("p cnf 2 1\ne 1 0\ne 2 0\n", "line 3: quantifiers must alternate"),
        ("p cnf 2 1\ne 1 0\n1 0\na 2 0\n", "line 4: quantifiers must come before"),
        ("p cnf 1 1\ne 1 1 0\n", "line 2: variable 1 is quantified twice"),
        ("p cnf 1 1\ne 2 0\n", "line 2: variable 2 is beyond"),
        ("p cnf 1 1\ne 1 0\n-2 0\n", "line 3: variable 2 is beyond"),
        ("p cnf 2 1\ne 1 0\n1 -2 0\n", "line 3: variable 2 is free"),
        ("p cnf 1 1\ne 1 0\n1 1 0\n", "line 3: literal 1 appears twice"),
        (
            "p cnf 4 1\ne 1 2 3 4 0\n1 2 3 4 0\n",
            "line 3: a clause has at most 3 literals, but this one has 4",
        ),
        ("p cnf 1 2\ne 1 0\n1 0\n", "line 4: wrong number of clauses: the header says 2, found 1"),
        ("p cnf 1 1\ne 1 0\n1 0\n1 0\n", "line 4: wrong number of clauses: the header says 1, found 2"),
        ("p cnf 1 1\ne 1 0\n+1 0\n", "line 3: `+1` is not a valid number"),
        ("p cnf 1 1\ne 1 0\n--1 0\n", "line 3: `-1` is not a valid number"),
        ("p cnf 1 1\ne 1 0\n01 0\n", "line 3: `01` is not a valid number"),
        ("p cnf 0 0\n", "line 2: a formula must have at least one quantified variable"),
    ] {
        let error = Formula::parse(text).unwrap_err().to_string();
        assert!(error.contains(reason), "{text:?}: {error}");
    }
}

#[test]
fn large_formulas_are_rejected() {
    let many = formula(&"e".repeat(21), &[]);
    assert_eq!(many.evaluate(), Err(TooManyVariables(21)));
    assert!(reduce(&many, 2).is_ok());
    let one = formula("e", &[]);
    assert!(reduce(&one, 28).is_ok());
    for moves in [30, 1000, usize::MAX] {
        assert!(matches!(reduce(&one, moves), Err(ReduceError::TooLarge { .. })), "{moves}");
    }
    let many = formula(&"e".repeat(200), &[]);
    assert!(matches!(reduce(&many, 2), Err(ReduceError::TooLarge { rows: 1008, .. })));
}
