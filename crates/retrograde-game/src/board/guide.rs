//! The rules of a game for beginners: a few sentences, and turns on small boards.

/// The rules of a game in a few sentences, with examples. The players are called Red, who begins, and Blue.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Guide {
    /// About five sentences, the first about the board.
    pub sentences: Vec<String>,
    /// Turns that show the rules.
    pub examples: Vec<Example>,
}

/// A turn of Red that shows a rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example {
    /// A sentence about the turn.
    pub caption: String,
    /// The position, in which Red is to move.
    pub position: String,
    /// The turn.
    pub turn: String,
}

impl Example {
    /// A turn of Red in a position.
    pub fn new(caption: &str, position: impl Into<String>, turn: impl Into<String>) -> Example {
        Example { caption: caption.to_owned(), position: position.into(), turn: turn.into() }
    }
}

/// A number for a sentence; small ones are spelled out.
pub fn number_in_words(number: u32) -> String {
    const WORDS: [&str; 13] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    WORDS.get(number as usize).map_or_else(|| number.to_string(), |word| (*word).to_owned())
}

/// A number of things whose plural ends in "s": "one pawn", "two pawns".
pub fn counted(number: u32, name: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {name}{plural}", number_in_words(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_out_up_to_twelve() {
        assert_eq!(counted(0, "pawn"), "no pawns");
        assert_eq!(counted(1, "pawn"), "one pawn");
        assert_eq!(counted(12, "pawn"), "twelve pawns");
        assert_eq!(counted(13, "pawn"), "13 pawns");
    }
}
