//! The versions of a numbered game as text that every program with the game contains literally. A
//! program that cannot be run can be searched for it: the module of a page must have the same rules
//! and numbering as the table that it gets.

use std::marker::PhantomData;

use retrograde_game::Dense;

/// The text before, between and after the versions.
const PARTS: [&str; 3] = ["retrograde game: rules ", ", numbering ", ";"];
/// The number of digits of a version.
const DIGITS: usize = 10;
const LENGTH: usize = PARTS[0].len() + PARTS[1].len() + PARTS[2].len() + 2 * DIGITS;

/// The text of a game.
struct Stamp<G>(PhantomData<G>);

impl<G: Dense> Stamp<G> {
    const BYTES: [u8; LENGTH] = text(G::RULES_VERSION, G::INDEX_VERSION);
}

/// The text of the versions of a game.
pub(crate) fn version_stamp<G: Dense>() -> &'static str {
    // Only ASCII was written.
    std::str::from_utf8(&Stamp::<G>::BYTES).unwrap_or_default()
}

const fn text(rules: u32, numbering: u32) -> [u8; LENGTH] {
    let mut text = [0; LENGTH];
    let at = put(&mut text, 0, PARTS[0].as_bytes());
    let at = put(&mut text, at, &digits(rules));
    let at = put(&mut text, at, PARTS[1].as_bytes());
    let at = put(&mut text, at, &digits(numbering));
    put(&mut text, at, PARTS[2].as_bytes());
    text
}

/// Writes a part into the text and returns the offset of the next.
const fn put(text: &mut [u8; LENGTH], at: usize, part: &[u8]) -> usize {
    let mut next = 0;
    while next < part.len() {
        text[at + next] = part[next];
        next += 1;
    }
    at + next
}

const fn digits(number: u32) -> [u8; DIGITS] {
    let (mut digits, mut rest, mut place) = ([b'0'; DIGITS], number, DIGITS);
    while rest > 0 {
        place -= 1;
        digits[place] += (rest % 10) as u8;
        rest /= 10;
    }
    digits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stamps_write_versions_with_all_digits() {
        let stamp = |rules, numbering| String::from_utf8(text(rules, numbering).to_vec()).unwrap();
        assert_eq!(stamp(1, 20), "retrograde game: rules 0000000001, numbering 0000000020;");
        assert_eq!(stamp(u32::MAX, 0), "retrograde game: rules 4294967295, numbering 0000000000;");
    }
}
