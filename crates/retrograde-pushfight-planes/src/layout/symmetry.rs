//! The symmetries of a board: images of squares, pushers, lanes and anchors.

use retrograde_game::{Square, Squares};
use retrograde_index::Combinations;
use retrograde_pushfight::PushFight;

use crate::layout::lanes::{GlobalLane, LaneMap};

/// The images of squares and sets under each symmetry of a board. The first symmetry is the
/// identity.
pub(crate) struct SymmetryTables {
    /// The image of each square, for each symmetry.
    images: Vec<Vec<Square>>,
    /// For each symmetry the number of its inverse.
    inverse: Vec<usize>,
    /// For a symmetry and a global lane its image, and the same of sets of pushers.
    lane_image: Vec<GlobalLane>,
    pusher_image: Vec<u32>,
    lanes: usize,
    pusher_sets: usize,
    /// For every square its canonical image as an anchor, and the symmetry that maps the square to it.
    canonical_anchor: Vec<(Square, usize)>,
    /// The number of images of each canonical anchor; the last entry is for no anchor.
    orbit_size: Vec<u64>,
}

impl SymmetryTables {
    /// `None` if the symmetries are not a group.
    pub(super) fn new(
        game: &PushFight,
        sets: &Combinations,
        pusher_sets: &[Squares],
        pawn_sets: &[Squares],
    ) -> Option<SymmetryTables> {
        let count = game.board().square_count();
        let images: Vec<Vec<Square>> = game.square_symmetries().to_vec();
        let ranks = |list: &[Squares]| -> Vec<u64> {
            let sets_and_images = images.iter().flat_map(|images| list.iter().map(move |&set| (images, set)));
            sets_and_images.map(|(images, set)| sets.rank(image_of(images, set).0)).collect()
        };
        let canonical_anchor: Vec<(Square, usize)> = (0..count)
            .map(|square| {
                let images = images.iter().enumerate().map(|(number, images)| (images[square], number));
                images.min().unwrap_or((Square(square as u8), 0))
            })
            .collect();
        let mut orbit_size = vec![0; count + 1];
        canonical_anchor.iter().for_each(|&(square, _)| orbit_size[square.index()] += 1);
        Some(SymmetryTables {
            inverse: inverses(&images)?,
            lane_image: ranks(pawn_sets).into_iter().map(|rank| GlobalLane::new(rank as usize)).collect(),
            pusher_image: ranks(pusher_sets).into_iter().map(|rank| rank as u32).collect(),
            lanes: pawn_sets.len(),
            pusher_sets: pusher_sets.len(),
            images,
            canonical_anchor,
            orbit_size,
        })
    }

    pub(crate) fn count(&self) -> usize {
        self.images.len()
    }

    /// The inverse of a symmetry.
    #[inline(always)]
    pub(crate) fn inverse(&self, symmetry: usize) -> usize {
        self.inverse[symmetry]
    }

    /// The image of a square.
    #[inline(always)]
    pub(crate) fn square_image(&self, symmetry: usize, square: Square) -> Square {
        self.images[symmetry][square.index()]
    }

    /// The image of a set of squares.
    pub(crate) fn set_image(&self, symmetry: usize, set: Squares) -> Squares {
        image_of(&self.images[symmetry], set)
    }

    /// The images of global lanes.
    #[inline(always)]
    pub(crate) fn lane_images(&self, symmetry: usize) -> LaneMap<'_, GlobalLane, GlobalLane> {
        LaneMap::new(&self.lane_image[symmetry * self.lanes..][..self.lanes])
    }

    /// The image of a set of pushers, by number.
    #[inline(always)]
    pub(crate) fn pusher_image(&self, symmetry: usize, pushers: usize) -> usize {
        self.pusher_image[symmetry * self.pusher_sets + pushers] as usize
    }

    /// The canonical image of an anchor's square, and the symmetry that maps the square to it.
    #[inline(always)]
    pub(crate) fn canonical_anchor(&self, square: Square) -> (Square, usize) {
        self.canonical_anchor[square.index()]
    }

    /// The number of images of a canonical anchor.
    pub(crate) fn orbit_size(&self, anchor: Square) -> u64 {
        self.orbit_size[anchor.index()]
    }
}

fn image_of(images: &[Square], set: Squares) -> Squares {
    set.into_iter().map(|square| images[square.index()]).collect()
}

/// The number of the inverse of each symmetry.
fn inverses(images: &[Vec<Square>]) -> Option<Vec<usize>> {
    images
        .iter()
        .map(|one| {
            let undoes = |other: &Vec<Square>| {
                one.iter().enumerate().all(|(square, &image)| other[image.index()].index() == square)
            };
            images.iter().position(undoes)
        })
        .collect()
}
