//! Moves. A block is all positions with one configuration of the opponent: a row for each set of the mover's pushers on
//! the squares that the opponent leaves free, a bit for each set of his pawns.
//!
//! A move takes one piece along empty squares. With all other pieces fixed, that is a flood: from square to neighbouring
//! square, in all lanes at once in which the next square is empty. Pawns are flooded in the transposed matrix, where a
//! word has 64 sets of pushers of one set of pawns.

use crate::engine::Level;
#[cfg(target_arch = "x86_64")]
use crate::engine::long_vectors;
use crate::shape::{Group, Shape, some, squares};

/// Words of a vector in the transposed matrix.
const TURNED: usize = 4;
/// The place of what lies outside the board: never reached.
const OUTSIDE: u8 = 63;

/// Turns 64 × 64 bits, W matrices at once: bit c of row r becomes bit r of row c.
#[inline(always)]
pub(crate) fn turn<const W: usize>(tile: &mut [[u64; W]; 64]) {
    // Eight rows at a time stay in registers for three of the six steps.
    for first in 0..8 {
        let mut rows: [[u64; W]; 8] = std::array::from_fn(|row| tile[first + 8 * row]);
        swap_all::<W, 32, 0x0000_0000_ffff_ffff>(&mut rows, 4);
        swap_all::<W, 16, 0x0000_ffff_0000_ffff>(&mut rows, 2);
        swap_all::<W, 8, 0x00ff_00ff_00ff_00ff>(&mut rows, 1);
        for row in 0..8 {
            tile[first + 8 * row] = rows[row];
        }
    }
    for rows in tile.as_chunks_mut::<8>().0 {
        swap_all::<W, 4, 0x0f0f_0f0f_0f0f_0f0f>(rows, 4);
        swap_all::<W, 2, 0x3333_3333_3333_3333>(rows, 2);
        swap_all::<W, 1, 0x5555_5555_5555_5555>(rows, 1);
    }
}

/// Swaps the upper parts of rows with the lower ones of those that stand so far behind.
#[inline(always)]
fn swap_all<const W: usize, const WIDTH: u32, const MASK: u64>(rows: &mut [[u64; W]; 8], behind: usize) {
    for row in (0..8).filter(|row| row & behind == 0) {
        for word in 0..W {
            let swap = (rows[row][word] >> WIDTH ^ rows[row + behind][word]) & MASK;
            rows[row][word] ^= swap << WIDTH;
            rows[row + behind][word] ^= swap;
        }
    }
}

/// Room for floods, kept from block to block.
pub(crate) struct Room<const W: usize> {
    result: Vec<[u64; W]>,
    /// Parts of the transposed matrix, one below the other: 256 sets of pushers wide, a row for each lane.
    turned: Vec<[u64; TURNED]>,
    turned_result: Vec<[u64; TURNED]>,
    parts: usize,
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
            turned: vec![[0; TURNED]; parts * 64 * W],
            turned_result: vec![[0; TURNED]; parts * 64 * W],
            parts,
            no_pusher: no_pusher.into_iter().map(Empty::new).collect(),
            open: vec![[0; W]; shape.rows.len()],
        }
    }
}

/// What a block's floods need: its squares, and where a lane has no pawn.
pub(crate) struct Ground<const W: usize> {
    /// Free squares beside each free square, all numbered among the free ones.
    beside: [[u8; 4]; 64],
    no_pawn: [[u64; W]; 64],
    /// The local lanes of lanes numbered over the free squares.
    lanes: Vec<u16>,
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
        Ground { beside, no_pawn, lanes: lanes.collect() }
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

/// Floods the groups of a matrix that matter into a result. `empty` has the same for every side.
#[expect(clippy::too_many_arguments, reason = "all are tables of the caller, whose types differ")]
#[inline(always)]
fn flood_groups<const V: usize, const K: usize>(
    shape: &Shape,
    groups: &[Group],
    from: &[[u64; V]],
    into: &mut [[u64; V]],
    index: impl Fn(u16) -> usize,
    matters: impl Fn(&Group) -> bool,
    beside: &[[u8; 4]; 64],
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
        flood(shape.free, &mut at, beside, &empty.wide);
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
        Level::Portable => spread(shape, ground, bits, asked, room),
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
    spread(shape, ground, bits, asked, room);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512vl,avx512bw,avx512dq,avx2,bmi1,bmi2,lzcnt,popcnt")]
fn spread_v4<const W: usize>(
    shape: &Shape,
    ground: &Ground<W>,
    bits: &mut [[u64; W]],
    asked: &[[u64; W]],
    room: &mut Room<W>,
) {
    spread(shape, ground, bits, asked, room);
}

/// Adds everything that reaches with at most so many moves as a turn has what is there, as far as it is `asked` for.
#[inline(always)]
fn spread<const W: usize>(
    shape: &Shape,
    ground: &Ground<W>,
    bits: &mut [[u64; W]],
    asked: &[[u64; W]],
    room: &mut Room<W>,
) {
    if Room::<W>::BEYOND {
        spread_in::<W, W>(shape, ground, bits, asked, room);
    } else {
        spread_in::<W, WIDE>(shape, ground, bits, asked, room);
    }
}

#[inline(always)]
fn spread_in<const W: usize, const K: usize>(
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
            shape,
            &shape.pusher_groups,
            bits,
            &mut room.result,
            same,
            matters,
            &ground.beside,
            &mut empty,
        );
        if all {
            missing = [u64::MAX; W];
        }
        move_pawns(shape, ground, bits, &missing, room);
        left -= 1;
        if shape.moves.is_none() && room.result.as_slice() == &*bits {
            return;
        }
        bits.copy_from_slice(&room.result);
    }
}

#[inline(always)]
fn move_pawns<const W: usize>(
    shape: &Shape,
    ground: &Ground<W>,
    bits: &[[u64; W]],
    missing: &[u64; W],
    room: &mut Room<W>,
) {
    if shape.pawns == 0 {
        return;
    }
    let lanes = 64 * W;
    let lane = |set: u16| usize::from(ground.lanes[usize::from(set)]);
    let matters = |group: &Group| {
        group.places.iter().any(|&(_, set)| missing[lane(set) / 64] >> (lane(set) % 64) & 1 == 1)
    };
    for part in 0..room.parts {
        let first = part * 64 * TURNED;
        let turned = &mut room.turned[part * lanes..][..lanes];
        for block in 0..TURNED {
            let from = (first + 64 * block).min(bits.len());
            let rows = &bits[from..bits.len().min(from + 64)];
            let mut tile = [[0; W]; 64];
            tile[..rows.len()].copy_from_slice(rows);
            if !rows.is_empty() {
                turn(&mut tile);
            }
            for word in 0..W {
                for bit in 0..64 {
                    turned[64 * word + bit][block] = tile[bit][word];
                }
            }
        }
        let result = &mut room.turned_result[part * lanes..][..lanes];
        result.fill([0; TURNED]);
        let no_pusher = &mut room.no_pusher[part];
        flood_groups(shape, &shape.pawn_groups, turned, result, lane, matters, &ground.beside, no_pusher);
        for word in 0..W {
            let mut tile = [[0; TURNED]; 64];
            tile.copy_from_slice(&result[64 * word..][..64]);
            turn(&mut tile);
            for block in 0..TURNED {
                let from = (first + 64 * block).min(bits.len());
                let rows = bits.len().min(from + 64) - from;
                for (row, tile) in room.result[from..from + rows].iter_mut().zip(&tile) {
                    row[word] |= tile[block];
                }
            }
        }
    }
}
