//! A played game as frames of an animation. Each position is shown with the arrows of the next
//! turn, then the pieces move step by step. The squares of the last turn stay tinted.

use std::time::Duration;

use retrograde_game::{Mark, Motion, Picture, Piece};

use crate::board::moving::{Moment, moments};
use crate::board::{Overlay, svg_with};
use crate::{BoardStyle, Words};

/// How long the last position is shown.
const END: Duration = Duration::from_secs(3);
/// How long a moment of a step is shown, and the number of moments in a step.
const MOMENT: Duration = Duration::from_millis(40);
const MOMENTS: u32 = 6;

/// The pace of a film.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    /// How long each position is shown, with the arrows of the next turn.
    pub still: Duration,
    /// The approximate maximum number of frames with moving pieces. In a long game each step has fewer of
    /// them, or none.
    pub most_moving: usize,
}

impl Default for Pace {
    fn default() -> Pace {
        Pace { still: Duration::from_millis(1400), most_moving: 1200 }
    }
}

/// A position of a played game, as the first player sees it, with the turn played there.
#[derive(Clone, Debug)]
pub struct Shot<'a> {
    /// The position.
    pub picture: &'a Picture,
    /// The marks of the turn; empty at the end.
    pub marks: &'a [Mark],
    /// The motions of the pieces in the turn, step by step.
    pub motions: &'a [Vec<Motion>],
    /// The words below the board.
    pub words: Words,
}

/// The frames of a game, each with its duration, for [`gif()`](crate::gif).
///
/// `palette` contains the pieces with and without the anchor.
pub fn film(
    shots: &[Shot<'_>],
    palette: &[Piece],
    style: &BoardStyle,
    pace: Pace,
) -> Vec<(String, Duration)> {
    let tray = shots.iter().any(|shot| !shot.picture.off_board.is_empty());
    let steps: usize = shots.iter().map(|shot| shot.motions.len()).sum();
    let count = pace.most_moving.checked_div(steps).map_or(0, |most| most.min(MOMENTS as usize)) as u32;
    let mut frames = Vec::new();
    let mut last: &[Mark] = &[];
    for (at, shot) in shots.iter().enumerate() {
        let still = Overlay { marks: shot.marks, last, tray, ..Overlay::default() };
        let time = if at + 1 == shots.len() { END } else { pace.still };
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gif;
    use retrograde_game::{GridSquare, PieceShape, Seat};

    #[test]
    fn an_animation_shows_positions_and_turns_and_becomes_a_gif() {
        let pawn =
            |owner| Piece { shape: PieceShape::Pawn, owner: Some(owner), anchored: false, letter: 'x' };
        let at = |row| GridSquare { column: 0, row };
        let mut before = Picture::grid(2, 3, Seat::First);
        before.put(at(2), Some(pawn(Seat::First)));
        before.put(at(1), Some(pawn(Seat::Second)));
        let motions = [vec![
            Motion::Leave { from: at(1), toward: None },
            Motion::Slide { from: at(2), via: Vec::new(), to: at(1) },
        ]];
        let marks = [Mark::Push(at(2), at(1))];
        let mut after = before.clone();
        after.play(&motions[0], &[]);
        let shots = [
            Shot { picture: &before, marks: &marks, motions: &motions, words: Words::default() },
            Shot { picture: &after, marks: &[], motions: &[], words: Words::default() },
        ];
        let style = BoardStyle::default();
        let pace = Pace { still: Duration::from_millis(500), most_moving: 100 };
        let frames = film(&shots, &[], &style, pace);
        let times: Vec<u128> = frames.iter().map(|(_, time)| time.as_millis()).collect();
        assert_eq!(times, [500, 40, 40, 40, 40, 40, 40, 3000]);
        // The last turn is tinted, but only after it was played.
        let tinted: Vec<bool> = frames.iter().map(|(svg, _)| svg.contains("#f3dc9a")).collect();
        assert_eq!(tinted, [false, true, true, true, true, true, true, true]);
        // All frames are as high as the one with the captured pawn in the tray.
        let height = |svg: &str| svg.split_once("viewBox=\"").map(|(_, rest)| rest[..14].to_owned());
        assert!(frames.iter().all(|(svg, _)| height(svg) == height(&frames[0].0)));
        let pictures: Vec<(&str, Duration)> =
            frames.iter().map(|(svg, time)| (svg.as_str(), *time)).collect();
        assert!(gif(&pictures, 120).unwrap().starts_with(b"GIF89a"));
        // With room for only a few frames, turns are not animated.
        let none = film(&shots, &[], &style, Pace { most_moving: 0, ..pace });
        assert_eq!(none.len(), 2);
    }
}
