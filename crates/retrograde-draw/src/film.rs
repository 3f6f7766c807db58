//! A played game as frames of an animation: each position stands still with the arrows of the turn to
//! come, then the pieces go, step by step; the squares of the last turn stay tinted.

use std::time::Duration;

use retrograde_game::{Mark, Motion, Picture, Piece};

use crate::board::moving::{Moment, moments};
use crate::board::{Overlay, svg_with};
use crate::{BoardStyle, Words};

/// The time that a position is shown: time to see a turn, and longer for the end.
const STILL: Duration = Duration::from_millis(1400);
const END: Duration = Duration::from_secs(3);
/// The time that a moment of a step is shown, and the moments of a step.
const MOMENT: Duration = Duration::from_millis(40);
const MOMENTS: u32 = 6;

/// A position of a played game, as the first player sees it, and the turn made there.
#[derive(Clone, Debug)]
pub struct Shot<'a> {
    /// The position.
    pub picture: &'a Picture,
    /// The marks of the turn; none at the end.
    pub marks: &'a [Mark],
    /// How the pieces go in the turn, step by step.
    pub motions: &'a [Vec<Motion>],
    /// Written below the board.
    pub words: Words,
}

/// The frames of a played game, each with its duration, for [`gif()`](crate::gif).
///
/// `palette` has the pieces with and without the anchor. There are about so many frames at the most
/// beside those that stand still: in a long game there are fewer of each step, or none.
pub fn film(
    shots: &[Shot<'_>],
    palette: &[Piece],
    style: &BoardStyle,
    most_moving: usize,
) -> Vec<(String, Duration)> {
    let tray = shots.iter().any(|shot| !shot.picture.off_board.is_empty());
    let steps: usize = shots.iter().map(|shot| shot.motions.len()).sum();
    let count = most_moving.checked_div(steps).map_or(0, |most| most.min(MOMENTS as usize)) as u32;
    let mut frames = Vec::new();
    let mut last: &[Mark] = &[];
    for (at, shot) in shots.iter().enumerate() {
        let still = Overlay { marks: shot.marks, last, tray, ..Overlay::default() };
        let time = if at + 1 == shots.len() { END } else { STILL };
        frames.push((svg_with(shot.picture, style, &still, &shot.words), time));
        let mut now = shot.picture.clone();
        for step in shot.motions {
            for Moment { picture, moving } in moments(&now, step, palette, count) {
                let overlay = Overlay { last: shot.marks, moving: &moving, tray, marks: &[] };
                frames.push((svg_with(&picture, style, &overlay, &shot.words), MOMENT));
            }
            now.play(step, palette);
        }
        last = shot.marks;
    }
    frames
}
