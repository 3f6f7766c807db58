//! Moves. A block is all positions with one configuration of the opponent: a row for each set of the mover's pushers on
//! the squares that the opponent leaves free, a bit for each set of his pawns.
//!
//! A move takes one piece along empty squares. With all other pieces fixed, that is a flood: from square to neighbouring
//! square, in all lanes at once in which the next square is empty. Pawns are flooded in the transposed matrix, where a
//! word has 64 sets of pushers of one set of pawns.

use crate::shape::{Group, Shape, squares};

/// Words of a vector in the transposed matrix.
const TURNED: usize = 4;
/// The place of what lies outside the board: never reached.
const OUTSIDE: u8 = 63;

/// Turns 64 × 64 bits, W matrices at once: bit c of row r becomes bit r of row c.
#[inline(always)]
pub(crate) fn turn<const W: usize>(tile: &mut [[u64; W]; 64]) {
    let (mut width, mut mask) = (32, 0x0000_0000_ffff_ffff_u64);
    while width > 0 {
        for base in (0..64).step_by(2 * width) {
            for row in base..base + width {
                for word in 0..W {
                    let swap = (tile[row][word] >> width ^ tile[row + width][word]) & mask;
                    tile[row][word] ^= swap << width;
                    tile[row + width][word] ^= swap;
                }
            }
        }
        width /= 2;
        mask ^= mask << width;
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
    no_pusher: Vec<[[u64; TURNED]; 64]>,
}

impl<const W: usize> Room<W> {
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
            no_pusher,
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

/// Goes from square to square until nothing changes, into a square only in the lanes in which it is empty.
#[inline(always)]
fn flood<const V: usize>(
    places: &[(u8, u16)],
    at: &mut [[u64; V]; 64],
    beside: &[[u8; 4]; 64],
    empty: &[[u64; V]; 64],
) {
    #[inline(always)]
    fn visit<const V: usize>(
        square: u8,
        at: &mut [[u64; V]; 64],
        beside: &[[u8; 4]; 64],
        empty: &[[u64; V]; 64],
        changed: &mut [u64; V],
    ) {
        let square = usize::from(square & 63);
        let [a, b, c, d] = beside[square].map(|beside| usize::from(beside & 63));
        for word in 0..V {
            let from = at[a][word] | at[b][word] | at[c][word] | at[d][word];
            let before = at[square][word];
            let after = before | from & empty[square][word];
            changed[word] |= before ^ after;
            at[square][word] = after;
        }
    }
    loop {
        let mut changed = [0; V];
        for &(square, _) in places {
            visit(square, at, beside, empty, &mut changed);
        }
        if changed.iter().all(|&word| word == 0) {
            return;
        }
        let mut changed = [0; V];
        for &(square, _) in places.iter().rev() {
            visit(square, at, beside, empty, &mut changed);
        }
        if changed.iter().all(|&word| word == 0) {
            return;
        }
    }
}

/// Floods all groups of a matrix into a result.
#[inline(always)]
fn flood_groups<const V: usize>(
    groups: &[Group],
    from: &[[u64; V]],
    into: &mut [[u64; V]],
    index: impl Fn(u16) -> usize,
    beside: &[[u8; 4]; 64],
    empty: &[[u64; V]; 64],
) {
    let mut at = [[0_u64; V]; 64];
    for group in groups {
        let mut any = [0; V];
        for &(square, set) in &group.places {
            let row = &from[index(set)];
            at[usize::from(square & 63)] = *row;
            for word in 0..V {
                any[word] |= row[word];
            }
        }
        if any.iter().all(|&word| word == 0) {
            continue;
        }
        for square in squares(group.others) {
            at[square & 63] = [0; V];
        }
        flood(&group.places, &mut at, beside, empty);
        for &(square, set) in &group.places {
            let row = &mut into[index(set)];
            for word in 0..V {
                row[word] |= at[usize::from(square & 63)][word];
            }
        }
    }
}

/// Adds everything that reaches with at most so many moves as a turn has what is there.
#[inline(always)]
pub(crate) fn spread<const W: usize>(
    shape: &Shape,
    ground: &Ground<W>,
    bits: &mut [[u64; W]],
    room: &mut Room<W>,
    moves: Option<u32>,
) {
    let mut left = moves.unwrap_or(u32::MAX);
    while left > 0 && bits.iter().flatten().any(|&word| word != 0) {
        room.result.copy_from_slice(bits);
        let same = |set: u16| usize::from(set);
        flood_groups(&shape.pusher_groups, bits, &mut room.result, same, &ground.beside, &ground.no_pawn);
        move_pawns(shape, ground, bits, room);
        left -= 1;
        if moves.is_none() && room.result.as_slice() == &*bits {
            return;
        }
        bits.copy_from_slice(&room.result);
    }
}

#[inline(always)]
fn move_pawns<const W: usize>(shape: &Shape, ground: &Ground<W>, bits: &[[u64; W]], room: &mut Room<W>) {
    if shape.pawns == 0 {
        return;
    }
    let lanes = 64 * W;
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
        let lane = |set: u16| usize::from(ground.lanes[usize::from(set)]);
        flood_groups(&shape.pawn_groups, turned, result, lane, &ground.beside, &room.no_pusher[part]);
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
