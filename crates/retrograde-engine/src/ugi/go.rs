//! The parameters of `go`: how long to think, and about which turns.

use std::num::IntErrorKind;
use std::time::Duration;

use retrograde_explore::SearchLimits;
use retrograde_game::Seat;

use crate::tournament::share_of_clock;

/// The parameters of a `go` command.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Go {
    pub(super) time: Option<Duration>,
    pub(super) nodes: Option<u64>,
    /// The depth of a search in turns.
    pub(super) depth: Option<u16>,
    /// Whether the answer waits for `stop`.
    pub(super) waits: bool,
    /// The candidate turns (`searchmoves`), unparsed; empty for all.
    pub(super) among: Vec<String>,
    /// Unknown words and malformed numbers.
    pub(super) skipped: Vec<String>,
}

/// The parameters with a number.
const NUMBERED: [&str; 12] = [
    "movetime",
    "depth",
    "nodes",
    "movestogo",
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
];
/// The parameters without a number.
const PLAIN: [&str; 3] = ["infinite", "ponder", "searchmoves"];

impl Go {
    /// Parses the words after `go`. The clock is the one of the player to move.
    pub(super) fn read(words: &[&str], to_move: Seat) -> Go {
        let mut go = Go::default();
        let mut numbers = [None; NUMBERED.len()];
        let mut rest = words;
        while let [word, after @ ..] = rest {
            rest = after;
            if let Some(place) = NUMBERED.iter().position(|known| known == word) {
                match after.first().and_then(|word| limit(word)) {
                    Some(number) => {
                        numbers[place] = Some(number);
                        rest = &after[1..];
                    }
                    None => go.skipped.push((*word).to_owned()),
                }
                continue;
            }
            match *word {
                "infinite" | "ponder" => go.waits = true,
                "searchmoves" => {
                    let known = |word: &&&str| !NUMBERED.contains(*word) && !PLAIN.contains(*word);
                    let among: Vec<String> =
                        after.iter().take_while(known).map(|word| (*word).to_owned()).collect();
                    rest = &after[among.len()..];
                    go.among = among;
                }
                word => go.skipped.push(word.to_owned()),
            }
        }
        let number = |name: &str| NUMBERED.iter().position(|known| *known == name).and_then(|at| numbers[at]);
        let clock = |names: [&str; 2]| names.into_iter().find_map(number).map(Duration::from_millis);
        let (time, increment) = match to_move {
            Seat::First => (clock(["p1time", "wtime"]), clock(["p1inc", "winc"])),
            Seat::Second => (clock(["p2time", "btime"]), clock(["p2inc", "binc"])),
        };
        let share = time.map(|time| {
            let turns = number("movestogo").and_then(|turns| u32::try_from(turns).ok());
            share_of_clock(time, increment.unwrap_or_default(), turns)
        });
        go.time = number("movetime").map(Duration::from_millis).or(share);
        go.nodes = number("nodes");
        go.depth = number("depth").map(|turns| u16::try_from(turns).unwrap_or(u16::MAX));
        go
    }

    /// Its limits on time and positions, or the defaults if it sets none and does not wait for `stop`.
    pub(super) fn limits(&self, defaults: &SearchLimits) -> SearchLimits {
        let is_limited = self.waits || self.time.is_some() || self.nodes.is_some();
        let otherwise = if is_limited { &SearchLimits::NONE } else { defaults };
        let (nodes, time) = (self.nodes.unwrap_or(otherwise.nodes), self.time.unwrap_or(otherwise.time));
        SearchLimits { nodes, time, depth: None }
    }
}

/// Reads a limit. Clocks that have run out are negative in some programs, and "no limit" may be any
/// large number.
fn limit(word: &str) -> Option<u64> {
    match word.parse::<i64>() {
        Ok(number) => Some(u64::try_from(number).unwrap_or(0)),
        Err(error) => match error.kind() {
            IntErrorKind::PosOverflow => Some(u64::MAX),
            IntErrorKind::NegOverflow => Some(0),
            _ => None,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Go {
        Go::read(&text.split_whitespace().collect::<Vec<_>>(), Seat::Second)
    }

    #[test]
    fn known_words_are_parsed_and_unknown_ones_skipped() {
        let go = read("movetime 250 nodes 1000 depth 4");
        assert_eq!((go.time, go.nodes), (Some(Duration::from_millis(250)), Some(1000)));
        assert_eq!((go.depth, go.waits, go.skipped.len()), (Some(4), false, 0));
        let go = read("searchmoves a1a2 d4d3 infinite");
        assert_eq!((&go.among[..], go.waits), (&["a1a2".to_owned(), "d4d3".to_owned()][..], true));
        assert_eq!(read("mate 3 movetime soon").skipped, ["mate", "3", "movetime", "soon"]);
        let nodes = |text: &str| read(text).limits(&SearchLimits::default()).nodes;
        assert_eq!((nodes("depth 3"), nodes("ponder")), (10_000_000, u64::MAX));
    }

    #[test]
    fn a_clock_lasts_for_the_game() {
        let time = |text: &str| read(text).time.unwrap();
        assert_eq!(time("p1time 1 p2time 60000 p1inc 0 p2inc 1000"), Duration::from_millis(2750));
        assert_eq!(time("wtime 1 btime 60000 movestogo 10"), Duration::from_millis(6000));
        assert_eq!(time("btime 40 binc 1000"), Duration::ZERO, "never more than there is");
        assert_eq!(time("btime -40"), Duration::ZERO);
        assert_eq!(read("depth 99999999999999999999").depth, Some(u16::MAX));
    }
}
