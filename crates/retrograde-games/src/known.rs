//! Known values of the starts of games that come with Retrograde without tables. Each was found by
//! `retrograde solve`.

use retrograde_explore::Known;
use retrograde_game::{Knowledge, Turns, Value};

/// A game, the value of its start for Red, who moves first, and which positions were solved.
struct Solved {
    game: &'static str,
    value: Value,
    positions: &'static str,
}

const fn won(game: &'static str, turns: u16, positions: &'static str) -> Solved {
    Solved { game, value: Value::Win(Turns(turns)), positions }
}

const fn lost(game: &'static str, turns: u16, positions: &'static str) -> Solved {
    Solved { game, value: Value::Loss(Turns(turns)), positions }
}

/// The values. `docs/results` has the values of Push Fight and further results.
const SOLVED: &[Solved] = &[
    lost("tactics:4x4", 15, "65,536"),
    lost("tactics:4x4,normal", 16, "65,536"),
    won("tactics:5x5", 18, "33,554,432"),
    won("touchdown:4x4", 11, "755,591"),
    won("pushfight:mini", 5, "15,135,120"),
    won("pushfight:twocolumn", 7, "3,308,104,800"),
    won("pushfight:onecolumn", 7, "20,436,736,320 plausible"),
];

/// The names of these games.
#[cfg(not(target_family = "wasm"))]
pub fn known_games() -> impl Iterator<Item = &'static str> {
    SOLVED.iter().map(|solved| solved.game)
}

/// The text about the standard board of Push Fight.
const STANDARD: &str = "Push Fight is a draw: all 401,567,166,000 positions of the standard board are solved. 12,246 of \
                        Red's 12,870 placements hold the draw; none wins.";

/// The text about a board of TouchDown of which only the reachable positions were solved.
const REACHABLE: &str = "Blue wins in 22 turns: all 26,280,330 reachable positions are solved.";

/// The known value of a game, by its canonical name.
pub fn known(game: &str) -> Option<Known> {
    match game {
        "pushfight:standard" => return Some(Known::new(Knowledge::Exact(Value::Draw), STANDARD)),
        "touchdown:6x5" => {
            return Some(Known::new(Knowledge::Exact(Value::Loss(Turns(22))), REACHABLE));
        }
        _ => {}
    }
    let Solved { value, positions, .. } = SOLVED.iter().find(|solved| solved.game == game)?;
    let (winner, turns) = match value {
        Value::Win(Turns(turns)) => ("Red", turns),
        Value::Loss(Turns(turns)) => ("Blue", turns),
        Value::Draw => return None,
    };
    let text = format!("{winner} wins in {turns} turns: all {positions} positions are solved.");
    Some(Known::new(Knowledge::Exact(*value), text))
}
