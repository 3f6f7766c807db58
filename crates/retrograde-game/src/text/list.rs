//! Lists of words in sentences.

/// Joins items for a sentence, with a word such as "and" before the last: "a, b and c".
pub fn joined(items: &[String], before_last: &str) -> String {
    match items.split_last() {
        Some((last, rest)) if !rest.is_empty() => format!("{} {before_last} {last}", rest.join(", ")),
        _ => items.concat(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_word_comes_before_the_last_item() {
        let items = ["a", "b", "c"].map(str::to_owned);
        let texts = [0, 1, 2, 3].map(|count| joined(&items[..count], "or"));
        assert_eq!(texts, ["", "a", "a or b", "a, b or c"]);
    }
}
