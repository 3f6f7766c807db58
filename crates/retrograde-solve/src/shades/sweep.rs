//! Follows the definition word by word: all positions are examined again and again until nothing changes. It
//! is slow and simple, and used to check the fast solver.

use retrograde_game::{Dense, Index, Outcome, Turns};

use super::shade::Shade;

/// The kind of a successor.
enum Destination {
    /// Not a draw.
    Away,
    /// A finished draw.
    Over,
    /// A drawn position.
    Drawn(usize),
}

/// The shades of all indices. `drawn` marks the drawn positions.
///
/// # Panics
/// If a turn leads to a position that is neither finished nor numbered.
pub fn solve<G: Dense>(game: &G, drawn: &[bool]) -> Vec<Option<Shade>> {
    let turns_of = |index: usize| -> Vec<Destination> {
        let Some(position) = game.position(Index(index as u64)) else { return Vec::new() };
        if game.result(&position).is_some() {
            return Vec::new();
        }
        let next = |next: &G::Position| match game.result(next) {
            Some(Outcome::Draw) => Destination::Over,
            Some(_) => Destination::Away,
            None => {
                let index = game.index(next).expect("positions that are not over are numbered").0 as usize;
                if drawn[index] { Destination::Drawn(index) } else { Destination::Away }
            }
        };
        game.turns(&position).iter().map(|(_, position)| next(position)).collect()
    };
    let mut shades: Vec<Option<Shade>> = vec![None; drawn.len()];
    for level in 1.. {
        // The draws that no earlier level has taken.
        let stays: Vec<bool> = (0..drawn.len()).map(|at| drawn[at] && shades[at].is_none()).collect();
        let holds = |next: &Destination| match next {
            Destination::Away => false,
            Destination::Over => true,
            Destination::Drawn(at) => stays[*at],
        };
        let is_task = |at: usize| {
            let turns = turns_of(at);
            let holding = turns.iter().filter(|next| holds(next)).count();
            holding == 1 && turns.len() > 1
        };
        let task = Shade::Pressed { level, turns: Turns(0) };
        let tasks: Vec<usize> = (0..drawn.len()).filter(|&at| stays[at] && is_task(at)).collect();
        if tasks.is_empty() {
            break;
        }
        tasks.iter().for_each(|&at| shades[at] = Some(task));
        for turns in (1..).map(Turns) {
            let presses = Shade::Presses { level, turns };
            let pressed = Shade::Pressed { level, turns };
            let decide = |at: usize| -> Option<Shade> {
                let after: Vec<Option<Shade>> = turns_of(at)
                    .iter()
                    .filter(|next| holds(next))
                    .map(|next| if let Destination::Drawn(at) = next { shades[*at] } else { None })
                    .collect();
                let is = |shade: &Option<Shade>| matches!(shade, Some(Shade::Pressed { .. }));
                let was = |shade: &Option<Shade>| matches!(shade, Some(Shade::Presses { .. }));
                if after.iter().any(is) {
                    Some(presses)
                } else if !after.is_empty() && after.iter().all(was) {
                    Some(pressed)
                } else {
                    None
                }
            };
            let open = (0..drawn.len()).filter(|&at| stays[at] && shades[at].is_none());
            let found: Vec<(usize, Shade)> = open.filter_map(|at| Some((at, decide(at)?))).collect();
            if found.is_empty() {
                break;
            }
            found.into_iter().for_each(|(at, shade)| shades[at] = Some(shade));
        }
    }
    let quiet = |(at, shade): (usize, &Option<Shade>)| shade.or(drawn[at].then_some(Shade::Quiet));
    shades.iter().enumerate().map(quiet).collect()
}
