//! Moves, for all positions of a block at once.
//!
//! A block is all positions with one configuration of the opponent: a row for each set of the
//! mover's pushers on the squares that the opponent leaves free, a bit for each set of the mover's
//! pawns.
//!
//! A move takes one piece along empty squares. As all other pieces stand still, this is a flood fill
//! from square to neighbouring square, in all lanes at once in which the next square is empty. Pawns
//! are flooded in the transposed matrix, where a word holds 64 sets of pushers for one set of pawns.

use retrograde_game::Squares;

#[cfg(target_arch = "x86_64")]
use crate::kernel::flood_avx512;
use crate::kernel::pext::Pext;
use crate::kernel::simd::{Kernel, SimdLevel};
use crate::kernel::transpose::transpose_bits;
use crate::layout::flood_groups::FloodGroup;
use crate::layout::lanes::LocalLane;
use crate::layout::numbering::Layout;
use crate::layout::sets::{any_bit, bits_of, has_lane, index_in, lanes_of};

/// Words of a vector in the transposed matrix.
const TRANSPOSED_WORDS: usize = 4;
/// The number of squares outside the board, which are never reached.
const OFF_BOARD: u8 = 63;

/// The scratch memory of floods, reused from block to block.
pub(crate) struct FloodScratch<const W: usize> {
    result: Vec<[u64; W]>,
    /// A part of the transposed matrix, 256 sets of pushers wide, a row for each lane; its flooded
    /// lanes, and these transposed back.
    transposed: Vec<[u64; TRANSPOSED_WORDS]>,
    transposed_result: Vec<[u64; TRANSPOSED_WORDS]>,
    back: Vec<[u64; W]>,
    /// For every part and free square the sets without a pusher there.
    no_pusher: Vec<EmptySquares<TRANSPOSED_WORDS, VECTOR_WORDS>>,
    /// Wanted positions that are not reached yet.
    missing_rows: Vec<[u64; W]>,
}

impl<const W: usize> FloodScratch<W> {
    /// Whether a row is longer than vectors usually are.
    const LONGER_THAN_VECTORS: bool = W > VECTOR_WORDS;

    pub(crate) fn new(layout: &Layout) -> FloodScratch<W> {
        let parts = layout.rows.len().div_ceil(64 * TRANSPOSED_WORDS);
        let mut no_pusher = vec![[[0; TRANSPOSED_WORDS]; 64]; parts];
        for (row, set) in layout.rows.iter().enumerate() {
            for square in (0..layout.free).filter(|square| set.0 >> square & 1 == 0) {
                no_pusher[row / (64 * TRANSPOSED_WORDS)][square][row / 64 % TRANSPOSED_WORDS] |=
                    1 << (row % 64);
            }
        }
        FloodScratch {
            result: vec![[0; W]; layout.rows.len()],
            transposed: vec![[0; TRANSPOSED_WORDS]; 64 * W],
            transposed_result: vec![[0; TRANSPOSED_WORDS]; 64 * W],
            back: vec![[0; W]; 64 * TRANSPOSED_WORDS],
            no_pusher: no_pusher.into_iter().map(EmptySquares::new).collect(),
            missing_rows: vec![[0; W]; layout.rows.len()],
        }
    }
}

/// The masks for floods of a block: its squares, and the lanes without a pawn on each.
pub(crate) struct FloodMasks<const W: usize> {
    squares: NeighbourTable,
    no_pawn: [[u64; W]; 64],
    /// The local lanes of lanes numbered over the free squares.
    lanes: Vec<LocalLane>,
}

/// The squares that the opponent leaves free.
struct NeighbourTable {
    /// The number of each square.
    #[cfg(target_arch = "x86_64")]
    number: [u8; 64],
    /// The numbers of the neighbours of each.
    neighbours: [[u8; 4]; 64],
}

impl<const W: usize> FloodMasks<W> {
    /// For opposing pushers and pawns; `base` has the local lanes that stand clear of the pawns.
    pub(crate) fn new(layout: &Layout, pushers: Squares, pawns: Squares, base: &[u64; W]) -> FloodMasks<W> {
        let open = layout.board.all() & !(pushers | pawns);
        let mut neighbours = [[OFF_BOARD; 4]; 64];
        let mut no_pawn = [[0; W]; 64];
        let mut number = [OFF_BOARD; 64];
        open.into_iter().zip(0_u8..).for_each(|(square, at)| number[square.index()] = at);
        for (at, square) in open.into_iter().enumerate() {
            let local = index_in(!pushers, square);
            no_pawn[at].copy_from_slice(&layout.lanes_without_pawn[local]);
            neighbours[at] = std::array::from_fn(|direction| {
                layout.board.neighbour(square, direction).map_or(OFF_BOARD, |next| number[next.index()])
            });
        }
        let squares = NeighbourTable {
            #[cfg(target_arch = "x86_64")]
            number,
            neighbours,
        };
        FloodMasks { squares, no_pawn, lanes: lanes_of(base).collect() }
    }
}

/// Words of a vector: each square waits for the one before it, so there is time to process several
/// groups together.
const VECTOR_WORDS: usize = 16;

/// One vector per square.
type Vectors<const K: usize> = [[u64; K]; 64];

/// The lanes in which each square is empty, for each group of a batch, and without the pieces of
/// groups.
pub(crate) struct EmptySquares<const V: usize, const K: usize> {
    wide: Vectors<K>,
    plain: [[u64; V]; 64],
}

impl<const V: usize, const K: usize> EmptySquares<V, K> {
    fn new(plain: [[u64; V]; 64]) -> EmptySquares<V, K> {
        EmptySquares { wide: plain.map(|plain| std::array::from_fn(|word| plain[word % V])), plain }
    }
}

/// Repeats steps from square to square until nothing changes. A square is only entered in lanes where it is
/// empty.
#[inline(always)]
fn flood<const K: usize>(
    squares: usize,
    at: &mut Vectors<K>,
    neighbours: &[[u8; 4]; 64],
    empty: &Vectors<K>,
) {
    #[inline(always)]
    fn visit<const K: usize>(
        square: usize,
        at: &mut Vectors<K>,
        neighbours: &[[u8; 4]; 64],
        empty: &Vectors<K>,
        changed: &mut [u64; K],
    ) {
        let square = square & 63;
        let [a, b, c, d] = neighbours[square].map(|neighbours| usize::from(neighbours & 63));
        let mut after = at[square];
        for word in 0..K {
            let from = at[a][word] | at[b][word] | at[c][word] | at[d][word];
            let more = from & empty[square][word] & !after[word];
            changed[word] |= more;
            after[word] |= more;
        }
        at[square] = after;
    }
    loop {
        let mut changed = [0; K];
        for square in 0..squares {
            visit(square, at, neighbours, empty, &mut changed);
        }
        if !any_bit(&changed) {
            return;
        }
        let mut changed = [0; K];
        for square in (0..squares).rev() {
            visit(square, at, neighbours, empty, &mut changed);
        }
        if !any_bit(&changed) {
            return;
        }
    }
}

/// The part of a vector that belongs to a group.
#[inline(always)]
fn group_part<const V: usize, const K: usize>(vector: &mut [u64; K], group: usize) -> &mut [u64; V] {
    &mut vector.as_chunks_mut::<V>().0[group]
}

/// Runs [`flood`], with the longest vectors, and in registers if possible.
#[inline(always)]
fn flood_at<const K: usize>(board: FloodBoard<'_>, at: &mut Vectors<K>, empty: &Vectors<K>) {
    let FloodBoard { level, layout, squares } = board;
    #[cfg(target_arch = "x86_64")]
    if level == SimdLevel::V4 {
        if !layout.standard || !K.is_multiple_of(8) {
            // SAFETY: the level has been seen to be there.
            return unsafe { flood_v4(layout.free, at, &squares.neighbours, empty) };
        }
        for first in (0..K).step_by(8) {
            // SAFETY: as above.
            unsafe { flood_avx512::flood(at, empty, &squares.number, first) };
        }
        return;
    }
    let _ = level;
    flood(layout.free, at, &squares.neighbours, empty);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl")]
fn flood_v4<const K: usize>(
    squares: usize,
    at: &mut Vectors<K>,
    neighbours: &[[u8; 4]; 64],
    empty: &Vectors<K>,
) {
    flood(squares, at, neighbours, empty);
}

/// The board of floods, and the instructions for them.
#[derive(Clone, Copy)]
struct FloodBoard<'a> {
    level: SimdLevel,
    layout: &'a Layout,
    squares: &'a NeighbourTable,
}

/// Groups of a matrix: the row of each set, and whether the group is used.
struct MatrixGroups<'a, I, M> {
    groups: &'a [FloodGroup],
    row: I,
    matters: M,
}

/// Floods the groups of a matrix that are used into a result. `empty` is the same for both sides.
#[inline(always)]
fn flood_groups<const V: usize, const K: usize, I: Fn(u16) -> usize, M: Fn(&FloodGroup) -> bool>(
    board: FloodBoard<'_>,
    matrix: MatrixGroups<'_, I, M>,
    from: &[[u64; V]],
    into: &mut [[u64; V]],
    empty: &mut EmptySquares<V, K>,
) {
    let MatrixGroups { groups, row: index, matters } = matrix;
    let sides = K / V;
    let mut at: Vectors<K> = [[0; K]; 64];
    let mut batch: [usize; K] = [0; K];
    let mut size = 0;
    for (number, group) in groups.iter().enumerate() {
        let mut any = [0; V];
        for &(square, set) in &group.places {
            let row = &from[index(set)];
            *group_part(&mut at[usize::from(square & 63)], size) = *row;
            for word in 0..V {
                any[word] |= row[word];
            }
        }
        if any_bit(&any) && matters(group) {
            for square in bits_of(group.fixed.0) {
                *group_part(&mut at[square & 63], size) = [0; V];
                *group_part(&mut empty.wide[square & 63], size) = [0; V];
            }
            batch[size] = number;
            size += 1;
        }
        if size < sides && (number + 1 < groups.len() || size == 0) {
            continue;
        }
        for at in &mut at[..board.layout.free] {
            at[size * V..].fill(0);
        }
        flood_at(board, &mut at, &empty.wide);
        for (place, &number) in batch[..size].iter().enumerate() {
            let group = &groups[number];
            for &(square, set) in &group.places {
                let (row, from) =
                    (&mut into[index(set)], &*group_part::<V, K>(&mut at[usize::from(square & 63)], place));
                for word in 0..V {
                    row[word] |= from[word];
                }
            }
            for square in bits_of(group.fixed.0) {
                *group_part(&mut empty.wide[square & 63], place) = empty.plain[square & 63];
            }
        }
        size = 0;
    }
}

/// Adds every `wanted` position from which the moves of one turn lead to a position of the block.
pub(crate) struct Flood<'a, const W: usize> {
    pub level: SimdLevel,
    pub layout: &'a Layout,
    pub masks: &'a FloodMasks<W>,
    /// The positions of the block.
    pub bits: &'a mut [[u64; W]],
    pub wanted: &'a [[u64; W]],
    pub scratch: &'a mut FloodScratch<W>,
}

impl<const W: usize> Kernel for Flood<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self, _pext: impl Pext) {
        if FloodScratch::<W>::LONGER_THAN_VECTORS {
            self.run_in::<W>();
        } else {
            self.run_in::<VECTOR_WORDS>();
        }
    }
}

impl<const W: usize> Flood<'_, W> {
    #[inline(always)]
    fn run_in<const K: usize>(self) {
        let Flood { level, layout, masks, bits, wanted, scratch } = self;
        let board = FloodBoard { level, layout, squares: &masks.squares };
        let mut moves_left = layout.moves.unwrap_or(u32::MAX);
        let mut empty = EmptySquares::<W, K>::new(masks.no_pawn);
        while moves_left > 0 {
            let mut something = 0;
            let mut missing = [0; W];
            for ((bits, wanted), missing_rows) in bits.iter().zip(wanted).zip(&mut scratch.missing_rows) {
                for word in 0..W {
                    something |= bits[word];
                    missing_rows[word] = wanted[word] & !bits[word];
                    missing[word] |= missing_rows[word];
                }
            }
            if something == 0 || !any_bit(&missing) {
                return;
            }
            let all = moves_left > 1;
            let missing_rows = &scratch.missing_rows;
            let matters = |group: &FloodGroup| {
                all || group.places.iter().any(|&(_, row)| any_bit(&missing_rows[usize::from(row)]))
            };
            scratch.result.copy_from_slice(bits);
            let same = |set: u16| usize::from(set);
            let groups = MatrixGroups { groups: &layout.pusher_groups, row: same, matters };
            flood_groups(board, groups, bits, &mut scratch.result, &mut empty);
            if all {
                missing = [u64::MAX; W];
            }
            move_pawns(board, masks, bits, &missing, scratch);
            moves_left -= 1;
            if layout.moves.is_none() && scratch.result.as_slice() == &*bits {
                return;
            }
            bits.copy_from_slice(&scratch.result);
        }
    }
}

#[inline(always)]
fn move_pawns<const W: usize>(
    board: FloodBoard<'_>,
    masks: &FloodMasks<W>,
    bits: &[[u64; W]],
    missing: &[u64; W],
    scratch: &mut FloodScratch<W>,
) {
    let FloodBoard { level, layout, .. } = board;
    if layout.pawn_count == 0 {
        return;
    }
    for (part, no_pusher) in scratch.no_pusher.iter_mut().enumerate() {
        let first = part * 64 * TRANSPOSED_WORDS;
        let rows = &bits[first..bits.len().min(first + 64 * TRANSPOSED_WORDS)];
        let (from, into) = (&mut scratch.transposed, &mut scratch.transposed_result);
        transpose_bits(level, rows, from);
        into.fill([0; TRANSPOSED_WORDS]);
        level.run(PawnFlood { board, lanes: &masks.lanes, missing, from, into, no_pusher });
        transpose_bits(level, into, &mut scratch.back);
        for (row, back) in scratch.result[first..][..rows.len()].iter_mut().zip(&scratch.back) {
            for word in 0..W {
                row[word] |= back[word];
            }
        }
    }
}

/// The flood of pawns in a part of the transposed matrix, whose rows have the same length for all boards.
struct PawnFlood<'a> {
    board: FloodBoard<'a>,
    lanes: &'a [LocalLane],
    missing: &'a [u64],
    from: &'a [[u64; TRANSPOSED_WORDS]],
    into: &'a mut [[u64; TRANSPOSED_WORDS]],
    no_pusher: &'a mut EmptySquares<TRANSPOSED_WORDS, VECTOR_WORDS>,
}

impl Kernel for PawnFlood<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self, _pext: impl Pext) {
        let PawnFlood { board, lanes, missing, from, into, no_pusher } = self;
        let lane = |set: u16| lanes[usize::from(set)].index();
        let matters = |group: &FloodGroup| {
            group.places.iter().any(|&(_, set)| has_lane(missing, lanes[usize::from(set)]))
        };
        let groups = MatrixGroups { groups: &board.layout.pawn_groups, row: lane, matters };
        flood_groups(board, groups, from, into, no_pusher);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::pusher_set_job::PusherSetJob;
    use crate::layout::scope::Scope;
    use crate::testing::{game, random};

    /// Floods in registers, in long vectors and in none give the same on the standard board.
    #[test]
    fn every_level_floods_the_standard_board_alike() {
        let mut seed = 1_u64;
        let mut random = || random(&mut seed);
        for (name, standard) in
            [("pushfight", true), ("pushfight:standard,moves=1", true), ("pushfight:onecolumn", false)]
        {
            let layout = Layout::new(&game(name), Scope::PlausibleAndStarts).unwrap();
            #[cfg(target_arch = "x86_64")]
            assert_eq!(layout.standard, standard);
            let _ = standard;
            let mut scratch = FloodScratch::<4>::new(&layout);
            for round in 0..60 {
                let pushers = layout.pusher_sets[random() as usize % layout.pusher_sets.len()];
                let free: Vec<Squares> =
                    layout.pawn_sets.iter().copied().filter(|set| !set.intersects(pushers)).collect();
                let pawns = free[random() as usize % free.len()];
                let job = PusherSetJob::<4>::new(&layout, layout.pushers(pushers), &mut |_| [0; 4]);
                let base = job.lanes_clear_of(pawns);
                let masks = FloodMasks::new(&layout, pushers, pawns, &base);
                let mut thin = || (0..round % 10).fold(u64::MAX, |bits, _| bits & random());
                let bits: Vec<[u64; 4]> = (layout.rows.iter())
                    .map(|&row| {
                        let own = crate::layout::sets::expand(row, layout.board.all() & !(pushers | pawns));
                        let lanes = job.lanes_clear_of(own | pawns);
                        std::array::from_fn(|word| lanes[word] & thin())
                    })
                    .collect();
                let mut at_level = |level: SimdLevel| {
                    let mut bits = bits.clone();
                    let wanted = vec![[u64::MAX; 4]; bits.len()];
                    let (layout, masks, scratch) = (&layout, &masks, &mut scratch);
                    level.run(Flood { level, layout, masks, bits: &mut bits, wanted: &wanted, scratch });
                    bits
                };
                let expected = at_level(SimdLevel::Portable);
                assert_eq!(expected, at_level(SimdLevel::best()), "{name}, round {round}");
                assert!(round % 10 == 0 || expected != bits, "{name}, round {round}: nothing moved");
            }
        }
    }
}
