//! The published values of the standard board's placements, for use without a table.

use std::collections::HashMap;
use std::sync::LazyLock;

use retrograde_game::{Game, Turns, Value};
use retrograde_pushfight::{Position, PushFight};

/// The positions after placements of the first player that lose, as the second player sees them, and the
/// turns to the end. After all other placements the game is a draw. `retrograde probe pushfight --json` with
/// the table lists them; `docs/results/push-fight-openings.json` counts them.
const LOST: &str = include_str!("lost-placements.txt");

/// The turns to the end by position.
static TURNS: LazyLock<HashMap<&str, Turns>> = LazyLock::new(|| {
    let lines = LOST.lines().filter_map(|line| line.split_once(' '));
    lines.filter_map(|(position, turns)| Some((position, Turns(turns.parse().ok()?)))).collect()
});

/// The value of the start and of the positions after the first player's placements.
pub(super) fn value(game: &PushFight, position: &Position) -> Option<Value> {
    if *position == game.start() {
        return Some(Value::Draw);
    }
    let Position { own_pushers, other_pushers, anchor, .. } = position;
    let one_side_is_placed = own_pushers.is_empty() && !other_pushers.is_empty() && anchor.is_empty();
    one_side_is_placed
        .then(|| TURNS.get(&*game.position_text(position)).map_or(Value::Draw, |&turns| Value::Win(turns)))
}
