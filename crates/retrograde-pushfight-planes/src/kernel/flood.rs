//! Moves. A block is all positions with one configuration of the opponent: a row for each set of the mover's pushers on
//! the squares that the opponent leaves free, a bit for each set of his pawns.
//!
//! A move takes one piece along empty squares. With all other pieces fixed, that is a flood: from square to neighbouring
//! square, in all lanes at once in which the next square is empty. Pawns are flooded in the transposed matrix, where a
//! word has 64 sets of pushers of one set of pawns.

#[cfg(target_arch = "x86_64")]
use crate::kernel::flood_avx512 as registers;
use crate::kernel::simd::Level;
#[cfg(target_arch = "x86_64")]
use crate::kernel::simd::long_vectors;
use crate::kernel::transpose::turn_all;
use crate::layout::numbering::{Group, Shape};
use crate::layout::sets::{some, squares};

/// Words of a vector in the transposed matrix.
const TURNED: usize = 4;
/// The place of what lies outside the board: never reached.
const OUTSIDE: u8 = 63;

/// Room for floods, kept from block to block.
pub(crate) struct Room<const W: usize> {
    result: Vec<[u64; W]>,
    /// A part of the transposed matrix, 256 sets of pushers wide, a row for each lane; what is flooded of it, and that
    /// turned back.
    turned: Vec<[u64; TURNED]>,
    turned_result: Vec<[u64; TURNED]>,
    back: Vec<[u64; W]>,
    /// For every part and free square the sets without a pusher there.
    no_pusher: Vec<Empty<TURNED, WIDE>>,
    /// What is asked for and not there yet.
    open: Vec<[u64; W]>,
}

impl<const W: usize> Room<W> {
    /// Whether a row is longer than vectors usually are.
    const BEYOND: bool = W > WIDE;

    pub(crate) fn new(shape: &Shape) -> Room<W> {
        let parts = shape.rows.len().div_ceil(64 * TURNED);
        let mut no_pusher = vec![[[0; TURNED]; 64]; parts];
        for (row, set) in shape.rows.iter().enumerate() {
            for square in (0..shape.free).filter(|square| set >> square & 1 == 0) {
                no_pusher[row / (64 * TURNED)][square][row / 64 % TURNED] |= 1 << (row % 64);
            }
        }
        Room {
            result: vec![[0; W]; shape.rows.len()],
            turned: vec![[0; TURNED]; 64 * W],
            turned_result: vec![[0; TURNED]; 64 * W],
            back: vec![[0; W]; 64 * TURNED],
            no_pusher: no_pusher.into_iter().map(Empty::new).collect(),
            open: vec![[0; W]; shape.rows.len()],
        }
    }
}

/// What a block's floods need: its squares, and where a lane has no pawn.
pub(crate) struct Ground<const W: usize> {
    squares: Squares,
    no_pawn: [[u64; W]; 64],
    /// The local lanes of lanes numbered over the free squares.
    lanes: Vec<u16>,
}

/// The squares that the opponent leaves free.
struct Squares {
    /// How they are numbered.
    #[cfg(target_arch = "x86_64")]
    number: [u8; 64],
    /// Those beside each, all by their numbers.
    beside: [[u8; 4]; 64],
}

impl<const W: usize> Ground<W> {
    /// For opposing pushers and pawns; `base` has the local lanes that stand clear of the pawns.
    pub(crate) fn new(shape: &Shape, pushers: u64, pawns: u64, base: &[u64; W]) -> Ground<W> {
        let open = shape.all & !(pushers | pawns);
        let mut beside = [[OUTSIDE; 4]; 64];
        let mut no_pawn = [[0; W]; 64];
        let mut number = [OUTSIDE; 64];
        squares(open).zip(0_u8..).for_each(|(square, at)| number[square] = at);
        for (at, square) in squares(open).enumerate() {
            let local = (!pushers & ((1 << square) - 1)).count_ones() as usize;
            no_pawn[at].copy_from_slice(&shape.without[local]);
            for (beside, next) in beside[at].iter_mut().zip(shape.next[square]) {
                *beside = next.map_or(OUTSIDE, |next| number[usize::from(next)]);
            }
        }
        let lanes = base.iter().enumerate();
        let lanes = lanes.flat_map(|(word, &bits)| squares(bits).map(move |bit| (word * 64 + bit) as u16));
        let squares = Squares {
            #[cfg(target_arch = "x86_64")]
            number,
            beside,
        };
        Ground { squares, no_pawn, lanes: lanes.collect() }
    }
}

/// Words of a vector: each square waits for the one before it, so there is time for several groups side by side.
const WIDE: usize = 16;

/// A vector a square.
type Vectors<const K: usize> = [[u64; K]; 64];

/// Where squares are empty, for each of the groups, and as it is without them.
pub(crate) struct Empty<const V: usize, const K: usize> {
    wide: Vectors<K>,
    plain: [[u64; V]; 64],
}

impl<const V: usize, const K: usize> Empty<V, K> {
    fn new(plain: [[u64; V]; 64]) -> Empty<V, K> {
        Empty { wide: plain.map(|plain| std::array::from_fn(|word| plain[word % V])), plain }
    }
}

/// Goes from square to square until nothing changes, into a square only in the lanes in which it is empty.
#[inline(always)]
fn flood<const K: usize>(squares: usize, at: &mut Vectors<K>, beside: &[[u8; 4]; 64], empty: &Vectors<K>) {
    #[inline(always)]
    fn visit<const K: usize>(
        square: usize,
        at: &mut Vectors<K>,
        beside: &[[u8; 4]; 64],
        empty: &Vectors<K>,
        changed: &mut [u64; K],
    ) {
        let square = square & 63;
        let [a, b, c, d] = beside[square].map(|beside| usize::from(beside & 63));
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
            visit(square, at, beside, empty, &mut changed);
        }
        if !some(&changed) {
            return;
        }
        let mut changed = [0; K];
        for square in (0..squares).rev() {
            visit(square, at, beside, empty, &mut changed);
        }
        if !some(&changed) {
            return;
        }
    }
}

/// The part of a vector that is a group's.
#[inline(always)]
fn side<const V: usize, const K: usize>(vector: &mut [u64; K], side: usize) -> &mut [u64; V] {
    &mut vector.as_chunks_mut::<V>().0[side]
}

/// [`flood`], in registers where that can be.
#[inline(always)]
fn flood_at<const K: usize>(
    level: Level,
    shape: &Shape,
    at: &mut Vectors<K>,
    squares: &Squares,
    empty: &Vectors<K>,
) {
    #[cfg(target_arch = "x86_64")]
    if level == Level::V4 && shape.standard && K.is_multiple_of(8) {
        for first in (0..K).step_by(8) {
            // SAFETY: the level has been seen to be there.
            unsafe { registers::flood(at, empty, &squares.number, first) };
        }
        return;
    }
    let _ = level;
    flood(shape.free, at, &squares.beside, empty);
}

/// Floods the groups of a matrix that matter into a result. `empty` has the same for every side.
#[expect(clippy::too_many_arguments, reason = "all are tables of the caller, whose types differ")]
#[inline(always)]
fn flood_groups<const V: usize, const K: usize>(
    level: Level,
    shape: &Shape,
    groups: &[Group],
    from: &[[u64; V]],
    into: &mut [[u64; V]],
    index: impl Fn(u16) -> usize,
    matters: impl Fn(&Group) -> bool,
    board: &Squares,
    empty: &mut Empty<V, K>,
) {
    let sides = K / V;
    let mut at: Vectors<K> = [[0; K]; 64];
    let mut batch: [usize; K] = [0; K];
    let mut size = 0;
    for (number, group) in groups.iter().enumerate() {
        let mut any = [0; V];
        for &(square, set) in &group.places {
            let row = &from[index(set)];
            *side(&mut at[usize::from(square & 63)], size) = *row;
            for word in 0..V {
                any[word] |= row[word];
            }
        }
        if some(&any) && matters(group) {
            for square in squares(group.others) {
                *side(&mut at[square & 63], size) = [0; V];
                *side(&mut empty.wide[square & 63], size) = [0; V];
            }
            batch[size] = number;
            size += 1;
        }
        if size < sides && (number + 1 < groups.len() || size == 0) {
            continue;
        }
        for at in &mut at[..shape.free] {
            at[size * V..].fill(0);
        }
        flood_at(level, shape, &mut at, board, &empty.wide);
        for (place, &number) in batch[..size].iter().enumerate() {
            let group = &groups[number];
            for &(square, set) in &group.places {
                let (row, from) =
                    (&mut into[index(set)], &*side::<V, K>(&mut at[usize::from(square & 63)], place));
                for word in 0..V {
                    row[word] |= from[word];
                }
            }
            for square in squares(group.others) {
                *side(&mut empty.wide[square & 63], place) = empty.plain[square & 63];
            }
        }
        size = 0;
    }
}

/// [`spread`] with the instructions of a level. It is compiled once for each, whoever uses it.
pub(crate) fn spread_at<const W: usize>(
    level: Level,
    shape: &Shape,
    ground: &Ground<W>,
    bits: &mut [[u64; W]],
    asked: &[[u64; W]],
    room: &mut Room<W>,
) {
    match level {
        Level::Portable => spread(Level::Portable, shape, ground, bits, asked, room),
        // SAFETY: the level has been seen to be there.
        #[cfg(target_arch = "x86_64")]
        Level::V4 if long_vectors(W) => unsafe { spread_v4(shape, ground, bits, asked, room) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::V3 | Level::V4 => unsafe { spread_v3(shape, ground, bits, asked, room) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn spread_v3<const W: usize>(
    shape: &Shape,
    ground: &Ground<W>,
    bits: &mut [[u64; W]],
    asked: &[[u64; W]],
    room: &mut Room<W>,
) {
    spread(Level::V3, shape, ground, bits, asked, room);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx512vbmi,gfni,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn spread_v4<const W: usize>(
    shape: &Shape,
    ground: &Ground<W>,
    bits: &mut [[u64; W]],
    asked: &[[u64; W]],
    room: &mut Room<W>,
) {
    spread(Level::V4, shape, ground, bits, asked, room);
}

/// Adds everything that reaches with at most so many moves as a turn has what is there, as far as it is `asked` for.
#[inline(always)]
fn spread<const W: usize>(
    level: Level,
    shape: &Shape,
    ground: &Ground<W>,
    bits: &mut [[u64; W]],
    asked: &[[u64; W]],
    room: &mut Room<W>,
) {
    if Room::<W>::BEYOND {
        spread_in::<W, W>(level, shape, ground, bits, asked, room);
    } else {
        spread_in::<W, WIDE>(level, shape, ground, bits, asked, room);
    }
}

#[inline(always)]
fn spread_in<const W: usize, const K: usize>(
    level: Level,
    shape: &Shape,
    ground: &Ground<W>,
    bits: &mut [[u64; W]],
    asked: &[[u64; W]],
    room: &mut Room<W>,
) {
    let mut left = shape.moves.unwrap_or(u32::MAX);
    let mut empty = Empty::<W, K>::new(ground.no_pawn);
    while left > 0 {
        let mut something = 0;
        let mut missing = [0; W];
        for ((bits, asked), open) in bits.iter().zip(asked).zip(&mut room.open) {
            for word in 0..W {
                something |= bits[word];
                open[word] = asked[word] & !bits[word];
                missing[word] |= open[word];
            }
        }
        if something == 0 || !some(&missing) {
            return;
        }
        let all = left > 1;
        let open = &room.open;
        let matters =
            |group: &Group| all || group.places.iter().any(|&(_, row)| some(&open[usize::from(row)]));
        room.result.copy_from_slice(bits);
        let same = |set: u16| usize::from(set);
        flood_groups(
            level,
            shape,
            &shape.pusher_groups,
            bits,
            &mut room.result,
            same,
            matters,
            &ground.squares,
            &mut empty,
        );
        if all {
            missing = [u64::MAX; W];
        }
        move_pawns(level, shape, ground, bits, &missing, room);
        left -= 1;
        if shape.moves.is_none() && room.result.as_slice() == &*bits {
            return;
        }
        bits.copy_from_slice(&room.result);
    }
}

#[inline(always)]
fn move_pawns<const W: usize>(
    level: Level,
    shape: &Shape,
    ground: &Ground<W>,
    bits: &[[u64; W]],
    missing: &[u64; W],
    room: &mut Room<W>,
) {
    if shape.pawns == 0 {
        return;
    }
    let lane = |set: u16| usize::from(ground.lanes[usize::from(set)]);
    let matters = |group: &Group| {
        group.places.iter().any(|&(_, set)| missing[lane(set) / 64] >> (lane(set) % 64) & 1 == 1)
    };
    for (part, no_pusher) in room.no_pusher.iter_mut().enumerate() {
        let first = part * 64 * TURNED;
        let rows = &bits[first..bits.len().min(first + 64 * TURNED)];
        let (turned, result) = (&mut room.turned, &mut room.turned_result);
        turn_all(level, rows, turned);
        result.fill([0; TURNED]);
        flood_groups(
            level,
            shape,
            &shape.pawn_groups,
            turned,
            result,
            lane,
            matters,
            &ground.squares,
            no_pusher,
        );
        turn_all(level, result, &mut room.back);
        for (row, back) in room.result[first..][..rows.len()].iter_mut().zip(&room.back) {
            for word in 0..W {
                row[word] |= back[word];
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::numbering::Scope;
    use crate::layout::pusher_set_job::Unit;
    use crate::testing::game;

    /// Floods in registers, in long vectors and in none give the same on the standard board.
    #[test]
    fn every_level_floods_the_standard_board_alike() {
        let mut seed = 1_u64;
        let mut random = || {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed ^ seed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15)
        };
        for (name, standard) in
            [("pushfight", true), ("pushfight:standard,moves=1", true), ("pushfight:onecolumn", false)]
        {
            let shape = Shape::new(&game(name), Scope::Plausible).unwrap();
            #[cfg(target_arch = "x86_64")]
            assert_eq!(shape.standard, standard);
            let _ = standard;
            let mut room = Room::<4>::new(&shape);
            for round in 0..60 {
                let pushers = shape.pusher_sets[random() as usize % shape.pusher_sets.len()];
                let free: Vec<u64> =
                    shape.pawn_sets.iter().copied().filter(|set| set & pushers == 0).collect();
                let pawns = free[random() as usize % free.len()];
                let unit = Unit::<4>::new(&shape, shape.pushers(pushers), |_| [0; 4]);
                let base = unit.lanes(0, pawns);
                let ground = Ground::new(&shape, pushers, pawns, &base);
                let mut thin = || (0..round % 10).fold(u64::MAX, |bits, _| bits & random());
                let bits: Vec<[u64; 4]> = (shape.rows.iter())
                    .map(|&row| {
                        let own = crate::layout::sets::expand(row, shape.all & !(pushers | pawns));
                        let lanes = unit.lanes(0, own | pawns);
                        std::array::from_fn(|word| lanes[word] & thin())
                    })
                    .collect();
                let mut at_level = |level| {
                    let mut bits = bits.clone();
                    let asked = vec![[u64::MAX; 4]; bits.len()];
                    spread_at(level, &shape, &ground, &mut bits, &asked, &mut room);
                    bits
                };
                let expected = at_level(Level::Portable);
                assert_eq!(expected, at_level(Level::best()), "{name}, round {round}");
                assert!(round % 10 == 0 || expected != bits, "{name}, round {round}: nothing moved");
            }
        }
    }
}
