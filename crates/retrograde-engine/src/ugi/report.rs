//! Values in UCI's format, which UGI adopts: `score mate` counts the winner's moves to the end, not plies;
//! `wdl` is the outcome in thousandths.

use retrograde_explore::{Source, Verdict};

/// A value for the player to move: `score mate 6 wdl 1000 0 0`; empty if it is unknown.
pub(super) fn score(value: Verdict) -> Option<String> {
    // A win with an unknown number of turns, in centipawns, as in chess programs.
    const WIN_CENTIPAWNS: i32 = 10_000;
    // Converts turns of both players to moves of one player, including the current one.
    let moves = |turns: u16| turns.div_ceil(2);
    Some(match (value.outcome, value.turns) {
        ("win", Some(turns)) => format!("score mate {} wdl 1000 0 0", moves(turns)),
        ("win", None) => format!("score cp {WIN_CENTIPAWNS} wdl 1000 0 0"),
        ("draw", _) => "score cp 0 wdl 0 1000 0".to_owned(),
        ("loss", Some(turns)) => format!("score mate -{} wdl 0 0 1000", moves(turns)),
        ("loss", None) => format!("score cp -{WIN_CENTIPAWNS} wdl 0 0 1000"),
        _ => return None,
    })
}

/// A value in words: "win in 11, from the table".
pub(super) fn in_words(value: Verdict, source: Source) -> String {
    let turns = value.turns.map_or_else(String::new, |turns| format!(" in {turns}"));
    let from = match source {
        Source::Table => "from the table",
        Source::Search => "from a search",
        Source::Rules => "the game is over",
        Source::Published => "published",
    };
    format!("{}{turns}, {from}", value.outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_count_moves_of_one_player() {
        let score = |outcome, turns| score(Verdict { outcome, turns });
        for (turns, moves) in [(1, 1), (2, 1), (3, 2), (10, 5), (11, 6)] {
            assert_eq!(score("win", Some(turns)), Some(format!("score mate {moves} wdl 1000 0 0")));
            assert_eq!(score("loss", Some(turns)), Some(format!("score mate -{moves} wdl 0 0 1000")));
        }
        assert_eq!(score("draw", None).unwrap(), "score cp 0 wdl 0 1000 0");
        assert_eq!(score("loss", None).unwrap(), "score cp -10000 wdl 0 0 1000");
        assert_eq!(score("unknown", None), None);
    }
}
