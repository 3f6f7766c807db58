//! The numbering of positions by the pieces of the side to move.
//!
//! A turn only changes the opponent's pieces that its push displaces. After a turn the opponent is to
//! move. So the successors of one position have very few configurations of the side to move, and files
//! that store each configuration in one place are read in few places.
//!
//! A *group* has the positions with one set of the mover's pushers. A *configuration* of the group has
//! the positions with one set of the mover's pawns. Within a configuration, a position is identified by
//! the squares of the opponent's pieces, the anchor among them, and the pawns among the others.
//! (Positions that differ only in the last two often have the same value.)
//!
//! One of the images of a position is canonical: the one with the lowest set of pushers. If symmetries
//! map that set to itself, the lowest configuration decides, and then the lowest place within it.

use retrograde_game::Squares;
use retrograde_index::Combinations;
use retrograde_pushfight::{Position, PushFight};

use crate::layout::lanes::LocalLane;
use crate::layout::location::is_on_halves;
use crate::layout::numbering::Layout;
use crate::layout::sets::{PackedSquares, compress, expand, index_in};

/// A position within a configuration of the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct ConfigurationPlace {
    /// The number of the set of all squares with opposing pieces.
    pub set: u64,
    /// The index of the anchor among these squares; their number if there is no anchor.
    pub anchor: u8,
    /// The number of the set of pawns among the squares without the anchor.
    pub pawns: u16,
}

/// The place of a position in depth files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct MoverLocation {
    pub group: usize,
    /// The mover's pawns, local to the pushers of the group.
    pub configuration: LocalLane,
    pub place: ConfigurationPlace,
}

/// The groups of a layout, and the tables for finding them.
#[derive(Default)]
pub(crate) struct MoverGroups {
    /// The set of pushers of each group.
    pushers: Vec<u32>,
    /// For each set of pushers its group.
    group: Vec<u32>,
    /// For each set of pushers the start of its symmetries in the list; one more at the end.
    first: Vec<u32>,
    /// The symmetries that map a set of pushers to the set of its group.
    symmetries: Vec<u8>,
    /// The sets of pawns among the opposing pieces without the anchor, and among all of them.
    pawns: [Vec<PackedSquares>; 2],
    /// The number of pieces of a side.
    pub pieces: usize,
    /// The number of sets of squares for the opponent's pieces in a configuration.
    pub sets: u64,
}

/// Finds sets by number, see [`Layout::sets_in_order`].
pub(crate) struct SetsInOrder<'a> {
    sets: &'a Combinations,
    pieces: u32,
    last: Option<(u64, u64)>,
}

impl SetsInOrder<'_> {
    /// The set with a number, see [`ConfigurationPlace::set`]. Faster if the number is a little larger than
    /// the one before.
    #[inline]
    pub(crate) fn find(&mut self, number: u64) -> PackedSquares {
        let set = match self.last {
            Some((last, set)) if number >= last && number - last < 8 => {
                (last..number).fold(set, |set, _| next_set(set))
            }
            _ => self.sets.unrank(self.pieces, number).unwrap_or(0),
        };
        self.last = Some((number, set));
        PackedSquares(set)
    }
}

/// The next larger set of the same size, by Gosper's method.
#[inline]
fn next_set(set: u64) -> u64 {
    let carried = set.wrapping_add(set & set.wrapping_neg());
    // What the carry removed moves to the lowest bits, without the one that was carried.
    carried | ((set ^ carried) >> 2) >> (set.trailing_zeros() & 63)
}

impl MoverGroups {
    /// The groups of a layout that is complete otherwise.
    pub(super) fn new(layout: &Layout) -> MoverGroups {
        let pieces = layout.pusher_count + layout.pawn_count;
        let all = 0..layout.symmetries.count();
        let (mut pushers, mut first, mut symmetries) = (Vec::new(), vec![0], Vec::new());
        let mut group = vec![0; layout.pusher_sets.len()];
        for number in 0..layout.pusher_sets.len() {
            let image = |symmetry: usize| layout.symmetries.pusher_image(symmetry, number);
            let least = all.clone().map(image).min().unwrap_or(number);
            if least == number {
                group[number] = pushers.len() as u32;
                pushers.push(number as u32);
            } else {
                group[number] = group[least];
            }
            symmetries.extend(all.clone().filter(|&s| image(s) == least).map(|s| s as u8));
            first.push(symmetries.len() as u32);
        }
        let pawns = [pieces - 1, pieces].map(|among| {
            let count = retrograde_index::binomial(among as u32, layout.pawn_count as u32).unwrap_or(0);
            let set = |rank| layout.sets.unrank(layout.pawn_count as u32, rank);
            (0..count as u64).filter_map(set).map(PackedSquares).collect()
        });
        let sets = retrograde_index::binomial(layout.free as u32, pieces as u32).unwrap_or(0) as u64;
        MoverGroups { pushers, group, first, symmetries, pawns, pieces, sets }
    }

    /// The number of groups.
    pub(crate) fn len(&self) -> usize {
        self.pushers.len()
    }

    /// The set of pushers of a group, by number.
    pub(crate) fn pushers(&self, group: usize) -> usize {
        self.pushers[group] as usize
    }

    /// The group of a set of pushers.
    pub(crate) fn group_of(&self, pushers: usize) -> usize {
        self.group[pushers] as usize
    }

    /// The symmetries that take a set of pushers to that of its group.
    fn symmetries_to_group(&self, pushers: usize) -> impl Iterator<Item = usize> {
        let (from, to) = (self.first[pushers] as usize, self.first[pushers + 1] as usize);
        self.symmetries[from..to].iter().map(|&symmetry| symmetry.into())
    }

    /// The sets of pawns among the opponent's squares without the anchor, which is given as in
    /// [`ConfigurationPlace::anchor`].
    pub(crate) fn pawn_sets(&self, anchor: u8) -> &[PackedSquares] {
        &self.pawns[usize::from(usize::from(anchor) == self.pieces)]
    }

    /// The opponent's pawns, from the squares of its pieces, the anchor's square and index, and
    /// [`ConfigurationPlace::pawns`].
    #[inline]
    pub(crate) fn opponent_pawns(
        &self,
        occupied: Squares,
        (square, anchor): (Squares, u8),
        pawns: u16,
    ) -> Squares {
        expand(self.pawn_sets(anchor)[usize::from(pawns)], occupied & !square)
    }

    /// Whether a symmetry other than the identity maps the pushers of a group to themselves.
    pub(crate) fn is_symmetric(&self, group: usize) -> bool {
        self.symmetries_to_group(self.pushers(group)).nth(1).is_some()
    }
}

impl Layout {
    /// The numbers of a board's shape in the description of a solution: groups, blocks of each, and
    /// pieces of a side.
    pub(crate) fn file_shape(&self) -> [usize; 3] {
        [self.groups.len(), self.lanes, self.groups.pieces]
    }

    /// The location of the canonical image of a position; `None` if the position is outside the
    /// layout's scope.
    pub(crate) fn locate(&self, game: &PushFight, position: &Position) -> Option<MoverLocation> {
        if !is_covered(self, game, position) {
            return None;
        }
        let pushers = self.pushers(position.own_pushers);
        let group = self.groups.group_of(pushers);
        let symmetries = self.groups.symmetries_to_group(pushers);
        let locations = symmetries.map(|symmetry| {
            let image = image(self, symmetry, position);
            let (configuration, place) = place_of(self, self.groups.pushers(group), &image);
            MoverLocation { group, configuration, place }
        });
        locations.min()
    }

    /// The squares of a configuration: the mover's pushers, its pawns, and the remaining squares.
    pub(crate) fn squares(&self, group: usize, configuration: LocalLane) -> [Squares; 3] {
        let pushers = self.groups.pushers(group);
        let own_pushers = self.pusher_sets[pushers];
        let own_pawns = self.local_pawns(pushers, configuration);
        [own_pushers, own_pawns, self.board.all() & !own_pushers & !own_pawns]
    }

    /// For finding sets of opposing pieces, among the squares without the mover's, that come in order.
    pub(crate) fn sets_in_order(&self) -> SetsInOrder<'_> {
        SetsInOrder { sets: &self.sets, pieces: self.groups.pieces as u32, last: None }
    }

    /// The images of a position before the first push that are also valid before the first push,
    /// without duplicates.
    pub(crate) fn start_images(&self, position: &Position) -> Vec<Position> {
        let mut images: Vec<Position> = Vec::new();
        for symmetry in 0..self.symmetries.count() {
            let image = image(self, symmetry, position);
            if is_on_halves(self, &image) && !images.contains(&image) {
                images.push(image);
            }
        }
        images
    }

    /// Whether a position with the pushers of a group is canonical.
    pub(crate) fn is_canonical(&self, group: usize, position: &Position) -> bool {
        let pushers = self.groups.pushers(group);
        let own = place_of(self, pushers, position);
        // The first symmetry is the identity.
        let mut symmetries = self.groups.symmetries_to_group(pushers).skip(1);
        symmetries.all(|symmetry| own <= place_of(self, pushers, &image(self, symmetry, position)))
    }
}

/// Whether the files of a layout cover a position: all pieces are on the board, and a push can have led
/// to it or it is before the first push.
pub(crate) fn is_covered(layout: &Layout, game: &PushFight, position: &Position) -> bool {
    let counts = [
        (position.own_pushers, layout.pusher_count),
        (position.other_pushers, layout.pusher_count),
        (position.own_pawns, layout.pawn_count),
        (position.other_pawns, layout.pawn_count),
    ];
    if counts.iter().any(|&(set, count)| set.len() as usize != count) {
        return false;
    }
    if position.anchor.is_empty() {
        return is_on_halves(layout, position);
    }
    game.is_plausible(position)
}

/// The image of a position, which may be before the first push.
pub(crate) fn image(layout: &Layout, symmetry: usize, position: &Position) -> Position {
    position.map(|set| layout.symmetries.set_image(symmetry, set))
}

/// The configuration of a position with these pushers of the mover, and the place in it.
fn place_of(layout: &Layout, pushers: usize, position: &Position) -> (LocalLane, ConfigurationPlace) {
    let free = layout.board.all() & !position.own_pushers & !position.own_pawns;
    let occupied = position.other_pushers | position.other_pawns;
    let place = ConfigurationPlace {
        set: layout.sets.rank(compress(occupied, free).0),
        anchor: position
            .anchor
            .first()
            .map_or(occupied.len() as u8, |anchor| index_in(occupied, anchor) as u8),
        pawns: layout.sets.rank(compress(position.other_pawns, occupied & !position.anchor).0) as u16,
    };
    (layout.locals(pushers)[layout.lane(position.own_pawns)], place)
}

#[cfg(test)]
mod tests {
    use retrograde_game::{Dense, Index};

    use super::*;
    use crate::layout::scope::Scope;
    use crate::testing::game;

    #[test]
    fn positions_with_a_piece_missing_have_no_location() {
        let game = game("pushfight:mini,pushers=2,pawns=1");
        let layout = Layout::new(&game, Scope::PlausibleAndStarts).unwrap();
        let mut positions = (0..).filter_map(|index| game.position(Index(index)));
        let position = positions.find(|position| game.is_plausible(position)).unwrap();
        assert!(layout.locate(&game, &position).is_some());
        for less in [
            Position { own_pawns: Squares::EMPTY, ..position },
            Position { other_pawns: Squares::EMPTY, ..position },
            Position {
                own_pushers: position.own_pushers.without(position.own_pushers.first().unwrap()),
                ..position
            },
        ] {
            assert_eq!(layout.locate(&game, &less), None);
        }
    }
}
