//! Moving pieces: their places at moments of a step, and how they are drawn.

use retrograde_game::{Edge, GridSquare, Motion, Picture, Piece, PieceShape, Seat};

use super::layout::Layout;
use super::pieces;
use crate::style::{Colors, UNIT};
use crate::svg::{Num, put};

/// The tray for pieces that have left the board: its middle and its lower end, in squares below the board.
pub(crate) const TRAY: (f64, f64) = (0.85, 1.15);
/// The scale of pieces in the tray.
const TRAY_SCALE: f64 = 0.5;
/// The part of a fall after which the piece is over the edge, and how far beyond the edge it is
/// then, in squares.
const OVER: f64 = 0.5;
const BEYOND: f64 = 0.7;
/// The height of the anchor's hop, in squares.
const HOP: f64 = 0.55;

/// A moving piece. Places are in squares from the upper left corner of the grid.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moving {
    piece: Piece,
    at: (f64, f64),
    scale: f64,
    part: Part,
}

/// The part of a piece that is drawn.
#[derive(Clone, Copy, Debug)]
enum Part {
    Whole,
    Anchor,
    /// This share of the pencil strokes.
    Strokes(f64),
}

/// A moment of a step: the standing pieces, and the moving ones.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    pub picture: Picture,
    pub moving: Vec<Moving>,
}

/// `count` evenly spaced moments between the beginning and the end of a step, and half that number
/// in which the anchor hops.
pub(crate) fn moments(picture: &Picture, step: &[Motion], palette: &[Piece], count: u32) -> Vec<Moment> {
    let share = |at: u32, count: u32| f64::from(at) / f64::from(count + 1);
    let mut moments: Vec<Moment> = Vec::new();
    let (hops, goes): (Vec<&Motion>, Vec<&Motion>) =
        step.iter().partition(|motion| matches!(motion, Motion::Anchor { .. }));
    if !goes.is_empty() {
        moments.extend((1..=count).map(|at| moment_at(picture, &goes, share(at, count))));
    }
    if !hops.is_empty() {
        let mut stand = picture.clone();
        stand.play(&goes.into_iter().cloned().collect::<Vec<_>>(), palette);
        let count = count.div_ceil(2);
        moments.extend((1..=count).map(|at| hopping(&stand, &hops, palette, share(at, count))));
    }
    moments
}

/// The moment at which pieces have gone the share `time` of their way.
fn moment_at(picture: &Picture, step: &[&Motion], time: f64) -> Moment {
    let mut stand = picture.clone();
    let mut moving = Vec::new();
    let filled = step.iter().filter(|motion| matches!(motion, Motion::Appear { .. })).count() as f64;
    let mut squares = 0.0;
    for motion in step {
        match motion {
            Motion::Slide { from, via, to } => {
                let Some(piece) = lift(&mut stand, *from) else { continue };
                let way: Vec<_> =
                    [from].into_iter().chain(via).chain([to]).map(|place| center(*place)).collect();
                moving.push(Moving { piece, at: along(&way, eased(time)), scale: 1.0, part: Part::Whole });
            }
            Motion::Leave { from, toward } => {
                let Some(piece) = lift(&mut stand, *from) else { continue };
                let slot = picture.off_board.iter().filter(|other| other.owner == piece.owner).count();
                let lies = tray_place(picture, piece, slot);
                moving.push(falling(piece, center(*from), lies, *toward, time));
            }
            Motion::Appear { to, piece } => {
                // Squares are filled one after the other.
                let own = (time * filled - squares).clamp(0.0, 1.0);
                squares += 1.0;
                let strokes = piece.shape == PieceShape::Cross;
                let (scale, part) =
                    if strokes { (1.0, Part::Strokes(own)) } else { (between(1.5, 1.0, own), Part::Whole) };
                if own > 0.0 {
                    moving.push(Moving { piece: *piece, at: center(*to), scale, part });
                }
            }
            Motion::Anchor { .. } => {}
        }
    }
    Moment { picture: stand, moving }
}

/// The moment at which the pieces stand and the anchor is between them.
fn hopping(stand: &Picture, hops: &[&Motion], palette: &[Piece], time: f64) -> Moment {
    let mut after = stand.clone();
    let step: Vec<Motion> = hops.iter().copied().cloned().collect();
    after.play(&step, palette);
    // No piece has the anchor until it arrives.
    let mut picture = after.clone();
    let mut moving = Vec::new();
    for motion in &step {
        let Motion::Anchor { from, to } = motion else { continue };
        let (Some(Some(piece)), Some(Some(bare))) = (after.at(*to), stand.at(*to)) else { continue };
        picture.put(*to, Some(bare));
        let end = center(*to);
        let begin = from.map_or((end.0, end.1 - 1.0), center);
        let (x, y) = along(&[begin, end], eased(time));
        let at = (x, y - HOP * (time * std::f64::consts::PI).sin());
        moving.push(Moving { piece, at, scale: 1.0, part: Part::Anchor });
    }
    Moment { picture, moving }
}

/// A piece that leaves: over the edge, if it falls, then to its place in the tray.
fn falling(piece: Piece, from: (f64, f64), lies: (f64, f64), toward: Option<Edge>, time: f64) -> Moving {
    let (dx, dy) = match toward {
        Some(Edge::Top) => (0.0, -BEYOND),
        Some(Edge::Right) => (BEYOND, 0.0),
        Some(Edge::Bottom) => (0.0, BEYOND),
        Some(Edge::Left) => (-BEYOND, 0.0),
        None => (0.0, 0.0),
    };
    let edge = (from.0 + dx, from.1 + dy);
    let over = if toward.is_some() { OVER } else { 0.0 };
    let (at, scale) = if time < over {
        let done = time / over;
        (along(&[from, edge], eased(done)), between(1.0, 1.3 * TRAY_SCALE, done * done))
    } else {
        let done = (time - over) / (1.0 - over);
        let first = if toward.is_some() { 1.3 * TRAY_SCALE } else { 1.0 };
        (along(&[edge, lies], eased(done)), between(first, TRAY_SCALE, done))
    };
    Moving { piece, at, scale, part: Part::Whole }
}

/// The pieces that have left the board, in the tray.
pub(crate) fn captured(picture: &Picture) -> Vec<Moving> {
    let slot = |at: usize, piece: &Piece| {
        picture.off_board[..at].iter().filter(|other| other.owner == piece.owner).count()
    };
    let lying = picture.off_board.iter().enumerate();
    lying
        .map(|(at, piece)| Moving {
            piece: *piece,
            at: tray_place(picture, *piece, slot(at, piece)),
            scale: TRAY_SCALE,
            part: Part::Whole,
        })
        .collect()
}

/// The place of a piece in the tray: the first player's from the left, the second's from the right.
fn tray_place(picture: &Picture, piece: Piece, slot: usize) -> (f64, f64) {
    let inward = 0.27 + 0.5 * slot as f64;
    let x = if piece.owner == Some(Seat::Second) { f64::from(picture.columns) - inward } else { inward };
    (x, f64::from(picture.rows) + TRAY.0)
}

fn lift(picture: &mut Picture, place: GridSquare) -> Option<Piece> {
    let piece = picture.at(place).flatten()?;
    picture.put(place, None);
    Some(piece)
}

fn center(place: GridSquare) -> (f64, f64) {
    (f64::from(place.column) + 0.5, f64::from(place.row) + 0.5)
}

fn between(from: f64, to: f64, part: f64) -> f64 {
    from + (to - from) * part
}

/// An easing curve: slow at both ends.
fn eased(part: f64) -> f64 {
    if part < 0.5 { 2.0 * part * part } else { 1.0 - 2.0 * (1.0 - part) * (1.0 - part) }
}

/// The point at a share of the length of a path.
fn along(way: &[(f64, f64)], part: f64) -> (f64, f64) {
    let length = |ends: &[(f64, f64)]| (ends[1].0 - ends[0].0).hypot(ends[1].1 - ends[0].1);
    let mut left = part * way.windows(2).map(length).sum::<f64>();
    for ends in way.windows(2) {
        let here = length(ends);
        if left <= here && here > 0.0 {
            return (between(ends[0].0, ends[1].0, left / here), between(ends[0].1, ends[1].1, left / here));
        }
        left -= here;
    }
    way.last().copied().unwrap_or_default()
}

/// Draws moving pieces and those in the tray.
pub(super) fn draw(out: &mut String, moving: &[Moving], layout: &Layout, colors: &Colors) {
    for Moving { piece, at, scale, part } in moving {
        let center = (layout.left + UNIT * at.0, layout.top + UNIT * at.1);
        match part {
            Part::Anchor => pieces::anchor(out, *piece, center, colors),
            Part::Strokes(drawn) => pieces::part_filled(out, center, *drawn, colors),
            Part::Whole if *scale == 1.0 => pieces::draw(out, &[(*piece, center)], colors),
            Part::Whole => {
                let (x, y, scale) = (Num(center.0), Num(center.1), Num(*scale));
                put!(*out, "<g transform=\"translate({x} {y}) scale({scale})\">\n");
                pieces::draw(out, &[(*piece, (0.0, 0.0))], colors);
                out.push_str("</g>\n");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn piece(owner: Seat) -> Piece {
        Piece { shape: PieceShape::Square, owner: Some(owner), anchored: false, letter: 'x' }
    }

    fn at(column: u16) -> GridSquare {
        GridSquare { column, row: 0 }
    }

    #[test]
    fn a_row_moves_together_and_its_last_piece_falls_to_its_place() {
        let mut picture = Picture::grid(3, 1, Seat::First);
        picture.put(at(1), Some(piece(Seat::First)));
        picture.put(at(2), Some(piece(Seat::Second)));
        let step = [
            Motion::Slide { from: at(1), via: Vec::new(), to: at(2) },
            Motion::Leave { from: at(2), toward: Some(Edge::Right) },
            Motion::Anchor { from: None, to: at(2) },
        ];
        let moments = moments(&picture, &step, &[], 6);
        assert_eq!(moments.len(), 9, "six for the row, three for the anchor");
        for moment in &moments[..6] {
            assert!(moment.picture.squares.iter().all(|square| *square == Some(None)));
            let [pusher, fallen] = &moment.moving[..] else { panic!("{moment:?}") };
            assert!((1.5..2.5).contains(&pusher.at.0) && pusher.at.1 == 0.5, "{pusher:?}");
            assert!(fallen.at.0 > 2.5 && fallen.scale < 1.0, "{fallen:?}");
        }
        let falls: Vec<f64> = moments[..6].iter().map(|moment| moment.moving[1].scale).collect();
        assert!(falls.is_sorted_by(|one, next| one > next), "{falls:?}");
        for moment in &moments[6..] {
            assert!(moment.picture.at(at(2)).flatten().is_some_and(|piece| !piece.anchored));
            assert!(matches!(moment.moving[..], [Moving { part: Part::Anchor, .. }]), "{moment:?}");
            assert_eq!(captured(&moment.picture).len(), 1);
        }
    }

    #[test]
    fn a_path_passes_its_squares_and_squares_are_filled_in_order() {
        assert_eq!(along(&[(0.0, 0.0), (2.0, 0.0), (2.0, 2.0)], 0.5), (2.0, 0.0));
        let picture = Picture::grid(2, 1, Seat::First);
        let cross = Piece { shape: PieceShape::Cross, owner: None, ..piece(Seat::First) };
        let step = [0, 1].map(|column| Motion::Appear { to: at(column), piece: cross });
        let moments = moments(&picture, &step, &[], 3);
        let strokes = |moment: &Moment| -> Vec<f64> {
            let part = |moving: &Moving| match moving.part {
                Part::Strokes(drawn) => drawn,
                _ => panic!("{moving:?}"),
            };
            moment.moving.iter().map(part).collect()
        };
        assert_eq!(moments.iter().map(strokes).collect::<Vec<_>>(), [vec![0.5], vec![1.0], vec![1.0, 0.5]]);
    }
}
