//! Known values of the starts of games that come with Retrograde without tables. Each was found by
//! `retrograde solve`.

use retrograde_explore::Known;
use retrograde_game::{Knowledge, Outcome, Turns, Value};

/// A game, the value of its start for Red, who moves first, and which positions were solved.
struct Solved(&'static str, Value, &'static str);

const fn won(turns: u16) -> Value {
    Value::Win(Turns(turns))
}

const fn lost(turns: u16) -> Value {
    Value::Loss(Turns(turns))
}

/// The values. `docs/results` has the values of Push Fight and further results.
const SOLVED: &[Solved] = &[
    Solved("tactics:4x4", lost(15), "65,536 positions"),
    Solved("tactics:4x4,normal", lost(16), "65,536 positions"),
    Solved("tactics:5x5", won(18), "33,554,432 positions"),
    Solved("touchdown:4x4", won(11), "755,591 positions"),
    Solved("pushfight:mini", won(5), "15,135,120 positions"),
    Solved("pushfight:twocolumn", won(7), "3,308,104,800 positions"),
    Solved("pushfight:onecolumn", won(7), "20,436,736,320 plausible positions"),
    Solved("touchdown:6x5", lost(22), "26,280,330 reachable positions"),
];

/// The names of these games.
#[cfg(not(target_family = "wasm"))]
pub fn known_games() -> impl Iterator<Item = &'static str> {
    SOLVED.iter().map(|Solved(game, ..)| *game)
}

/// The text about the standard board of Push Fight.
const STANDARD: &str = "Push Fight is a draw: all 401,567,166,000 positions of the standard board are solved. 12,246 of \
                        Red's 12,870 placements hold the draw; none wins.";

/// The known value of a game, by its canonical name.
pub fn known(game: &str) -> Option<Known> {
    if game == "pushfight:standard" {
        return Some(Known { verdict: Knowledge::Exact(Value::Draw).into(), text: STANDARD.to_owned() });
    }
    let Solved(_, value, positions) = SOLVED.iter().find(|solved| solved.0 == game)?;
    let winner = if value.outcome() == Outcome::Win { "Red" } else { "Blue" };
    let text = format!("{winner} wins in {} turns: all {positions} are solved.", value.turns()?);
    Some(Known { verdict: Knowledge::Exact(*value).into(), text })
}
