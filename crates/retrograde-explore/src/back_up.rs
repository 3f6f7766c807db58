//! Backing up values: flips them across a turn, orders them by preference, and computes a position's value
//! from the values of its turns.

use retrograde_game::{Knowledge, Outcome, Turns, Value};

/// The value of a turn for the player who makes it, from the value of the position it leads to. `again`:
/// whether the same player moves there.
pub(crate) fn turn_value(after: Knowledge, again: bool, counts: bool) -> Knowledge {
    match after {
        Knowledge::Exact(value) => Knowledge::Exact(value.flipped_if(again).before(counts)),
        Knowledge::Outcome(outcome) => Knowledge::Outcome(outcome.flipped_if(!again)),
        Knowledge::NotLost if again => Knowledge::NotLost,
        // There is no word for "not a win".
        Knowledge::NotLost | Knowledge::Unknown => Knowledge::Unknown,
    }
}

/// The order of preference of the player who makes the turn. The best has the smallest key.
pub(crate) fn preference(knowledge: Knowledge) -> (u8, i32) {
    match knowledge {
        Knowledge::Exact(Value::Win(Turns(turns))) => (0, i32::from(turns)),
        Knowledge::Outcome(Outcome::Win) => (1, 0),
        Knowledge::Exact(Value::Draw) | Knowledge::Outcome(Outcome::Draw) => (2, 0),
        Knowledge::NotLost => (2, 1),
        Knowledge::Unknown => (3, 0),
        Knowledge::Outcome(Outcome::Loss) => (4, 0),
        Knowledge::Exact(Value::Loss(Turns(turns))) => (5, -i32::from(turns)),
    }
}

/// The value of a position from the values of its turns. There must be at least one.
///
/// `unknown_may_win`: whether a turn of unknown value could win faster than the known ones. It
/// could after a search that gave up; it could not in a table of a solve with a limited number of
/// phases.
pub(crate) fn back_up(
    turns: impl IntoIterator<Item = Knowledge>,
    counts: bool,
    unknown_may_win: bool,
) -> Knowledge {
    let (mut fastest, mut slowest): (Option<Turns>, Option<Turns>) = (None, None);
    let (mut won, mut lost, mut drawn, mut unknown) = (false, false, false, false);
    for turn in turns {
        match turn {
            Knowledge::Exact(Value::Win(turns)) => {
                fastest = Some(fastest.map_or(turns, |fastest| fastest.min(turns)));
            }
            Knowledge::Exact(Value::Loss(turns)) => slowest = slowest.max(Some(turns)),
            Knowledge::Outcome(Outcome::Win) => won = true,
            Knowledge::Outcome(Outcome::Loss) => lost = true,
            Knowledge::Exact(Value::Draw) | Knowledge::Outcome(Outcome::Draw) => drawn = true,
            Knowledge::NotLost => (drawn, unknown) = (true, true),
            Knowledge::Unknown => unknown = true,
        }
    }
    match fastest {
        // Nothing is faster than an immediate win.
        Some(turns) if turns <= Turns(u16::from(counts)) || !(won || unknown && unknown_may_win) => {
            Knowledge::Exact(Value::Win(turns))
        }
        Some(_) => Knowledge::Outcome(Outcome::Win),
        None if won => Knowledge::Outcome(Outcome::Win),
        None if unknown && drawn => Knowledge::NotLost,
        None if unknown => Knowledge::Unknown,
        None if drawn => Knowledge::Exact(Value::Draw),
        None => match slowest {
            Some(turns) if !lost => Knowledge::Exact(Value::Loss(turns)),
            _ => Knowledge::Outcome(Outcome::Loss),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WIN: fn(u16) -> Knowledge = |turns| Knowledge::Exact(Value::Win(Turns(turns)));
    const LOSS: fn(u16) -> Knowledge = |turns| Knowledge::Exact(Value::Loss(Turns(turns)));
    const DRAW: Knowledge = Knowledge::Exact(Value::Draw);

    #[test]
    fn the_winner_hurries_and_the_loser_delays() {
        assert_eq!(back_up([WIN(5), WIN(3), DRAW, LOSS(8)], true, true), WIN(3));
        assert_eq!(back_up([LOSS(4), LOSS(6), LOSS(2)], true, true), LOSS(6));
        assert_eq!(back_up([LOSS(4), DRAW], true, true), DRAW);
    }

    #[test]
    fn unknown_values_are_never_claimed() {
        use Knowledge::{NotLost, Outcome as Only, Unknown};
        assert_eq!(back_up([WIN(5), Unknown], true, true), Only(Outcome::Win));
        assert_eq!(back_up([WIN(5), Unknown], true, false), WIN(5));
        assert_eq!(back_up([WIN(1), Unknown], true, true), WIN(1));
        assert_eq!(back_up([WIN(1), Only(Outcome::Win)], true, true), WIN(1));
        assert_eq!(back_up([WIN(3), Only(Outcome::Win)], true, true), Only(Outcome::Win));
        assert_eq!(back_up([DRAW, Unknown], true, true), NotLost);
        assert_eq!(back_up([LOSS(2), Unknown], true, false), Unknown);
        assert_eq!(back_up([LOSS(2), Only(Outcome::Loss)], true, true), Only(Outcome::Loss));
        assert_eq!(turn_value(NotLost, false, true), Unknown);
        assert_eq!(turn_value(NotLost, true, true), NotLost);
        assert_eq!(turn_value(WIN(2), true, true), WIN(3));
        assert_eq!(turn_value(WIN(2), false, true), LOSS(3));
    }

    #[test]
    fn preference_agrees_with_the_order_of_values() {
        let values = [
            Value::Win(Turns(1)),
            Value::Win(Turns(2)),
            Value::Draw,
            Value::Loss(Turns(4)),
            Value::Loss(Turns(2)),
        ];
        assert!(values.is_sorted_by(|a, b| a > b));
        assert!(values.is_sorted_by_key(|&value| preference(Knowledge::Exact(value))));
    }
}
