//! Spellings of game names that people type: with capitals, spaces and hyphens, and titles such as
//! "TouchDown 5 × 4".

use retrograde_game::board_file_stem;
use strsim::osa_distance;

/// The normalised name: in lowercase, without spaces, with `x` for `×`, and without hyphens before
/// the colon. File paths are not changed.
pub(crate) fn tidied(name: &str) -> String {
    let head = name.find([':', ',']).unwrap_or(name.len());
    let (family, rest) = name.split_at(head);
    let family: String = plain(family).chars().filter(|c| !matches!(c, '-' | '_')).collect();
    let end = rest.find(',').unwrap_or(rest.len());
    let (board, keys) = rest.split_at(end);
    let board = if board_file_stem(board).is_some() { board.to_owned() } else { plain(board) };
    format!("{family}{board}{}", plain(keys))
}

fn plain(text: &str) -> String {
    let letters = text.chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase);
    letters.map(|c| if c == '×' { 'x' } else { c }).collect()
}

/// Inserts the colon after the family in a normalised name such as `touchdown5x4`.
pub(crate) fn with_colon(name: &str, family: &str) -> Option<String> {
    let rest = name.strip_prefix(family)?;
    (!rest.is_empty() && !rest.starts_with([':', ','])).then(|| format!("{family}:{rest}"))
}

/// The word that is most similar to a text, if it is similar enough.
pub(crate) fn nearest<'a>(text: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The time grows with the product of the lengths.
    let text: String = text.chars().take(64).collect();
    let (distance, near) = words.into_iter().map(|word| (osa_distance(&text, word), word)).min()?;
    (distance <= near.chars().count().div_ceil(3)).then_some(near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_tidied_and_files_left_alone() {
        for (typed, name) in [
            ("TOUCHDOWN:5x4", "touchdown:5x4"),
            (" Push Fight : Mini , Moves = 3 ", "pushfight:mini,moves=3"),
            ("push-fight,moves=3", "pushfight,moves=3"),
            ("TouchDown 5 × 4", "touchdown5x4"),
            ("Push_Fight:My Boards/A.board,MOVES=1", "pushfight:My Boards/A.board,moves=1"),
            ("tactics:4x4,normal", "tactics:4x4,normal"),
            ("", ""),
        ] {
            assert_eq!(tidied(typed), name, "{typed}");
        }
        assert_eq!(with_colon("touchdown5x4", "touchdown").as_deref(), Some("touchdown:5x4"));
        for whole in ["touchdown", "touchdown:5x4", "touchdown,x", "tactics5x4"] {
            assert_eq!(with_colon(whole, "touchdown"), None);
        }
    }

    #[test]
    fn similar_words_are_near() {
        let words = ["tactics", "touchdown", "pushfight"];
        for (miss, near) in [
            ("tactic", Some("tactics")),
            ("toudhcown", Some("touchdown")),
            ("pushfihgt", Some("pushfight")),
            ("chess", None),
            ("", None),
        ] {
            assert_eq!(nearest(miss, words), near, "{miss}");
        }
        assert_eq!(nearest("a", []), None);
    }
}
