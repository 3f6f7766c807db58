//! A block of a depth file: all positions of one configuration of the side to move. `file`
//! describes the format.

use std::io;

use retrograde_table::compression::{Compressor, decompress};
use retrograde_table::{put_varint, take_varint};

use crate::layout::by_mover::{ConfigurationPlace, MoverGroups};

/// The parts of a block, which are compressed separately: numbers of sets, anchors, pawns, halves of
/// turns.
const COLUMNS: usize = 4;
/// The maximum length of a column.
const MAX_COLUMN: usize = 1 << 26;
/// Bits of an entry for a set of pawns, and for half of the turns.
const PAWN_BITS: u32 = 11;
const HALF_BITS: u32 = 8;
/// Bits of a key for the anchor, which is at most the number of pieces.
const ANCHOR_BITS: u32 = 6;

/// The sizes that all blocks of a board share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct BlockShape {
    /// The number of pieces of a side.
    pieces: usize,
    /// The number of sets of squares for the opponent's pieces.
    sets: u64,
    /// The number of sets of pawns if there is an anchor, and if there is not.
    pawn_sets: [usize; 2],
}

/// A position of a block with half of its turns, as a number. Blocks are in the order of these numbers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[repr(transparent)]
pub(crate) struct Entry(u64);

impl BlockShape {
    pub(crate) fn new(groups: &MoverGroups) -> BlockShape {
        let anchored = groups.pawn_sets(0).len();
        let &MoverGroups { pieces, sets, .. } = groups;
        BlockShape { pieces, sets, pawn_sets: [anchored, groups.pawn_sets(pieces as u8).len()] }
    }

    /// A set and an anchor as a number.
    #[inline]
    fn key(set: u64, anchor: u8) -> u64 {
        set << ANCHOR_BITS | u64::from(anchor)
    }

    #[inline]
    pub(crate) fn entry(self, place: ConfigurationPlace, half: u8) -> Entry {
        let key = BlockShape::key(place.set, place.anchor);
        Entry((key << PAWN_BITS | u64::from(place.pawns)) << HALF_BITS | u64::from(half))
    }

    fn pawn_sets(self, anchor: u8) -> usize {
        self.pawn_sets[usize::from(usize::from(anchor) == self.pieces)]
    }

    /// Bytes for one bit per set of pawns, and one more.
    fn mask_bytes(self, anchor: u8) -> usize {
        self.pawn_sets(anchor) / 8 + 1
    }

    /// Bytes for one bit per anchor, and one for no anchor.
    fn anchor_bytes(self) -> usize {
        self.pieces / 8 + 1
    }

    /// The most bytes that a column can have.
    fn max_bytes(self, column: usize) -> usize {
        let [anchored, without] = self.pawn_sets;
        let all = |anchored: usize, without: usize| self.pieces * anchored + without;
        let of_set = match column {
            0 => 10,
            1 => self.anchor_bytes(),
            2 => all(anchored / 8 + 1, without / 8 + 1),
            _ => all(anchored, without),
        };
        let sets = usize::try_from(self.sets).unwrap_or(usize::MAX);
        sets.saturating_mul(of_set).min(MAX_COLUMN)
    }
}

impl BlockShape {
    /// The most bytes that a block can have in the file.
    pub(crate) fn max_stored(self) -> u64 {
        // A column that compression does not shorten is stored as it is, after two numbers.
        (0..COLUMNS).map(|column| self.max_bytes(column) as u64 + 20).sum()
    }
}

impl Entry {
    /// The position without its turns.
    fn position(self) -> u64 {
        self.0 >> HALF_BITS
    }

    fn key(self) -> u64 {
        self.0 >> (HALF_BITS + PAWN_BITS)
    }

    fn set(self) -> u64 {
        set_of(self.key())
    }

    fn anchor(self) -> u8 {
        anchor_of(self.key())
    }

    fn pawns(self) -> usize {
        (self.position() & ((1 << PAWN_BITS) - 1)) as usize
    }

    fn half(self) -> u8 {
        self.0 as u8
    }
}

/// The set of a key.
fn set_of(key: u64) -> u64 {
    key >> ANCHOR_BITS
}

/// The anchor of a key.
fn anchor_of(key: u64) -> u8 {
    (key & ((1 << ANCHOR_BITS) - 1)) as u8
}

/// Encodes a block; no bytes if it has no positions.
///
/// # Errors
/// If it is too large, or has a position twice with different turns.
pub(crate) fn encode(
    shape: BlockShape,
    entries: &mut Vec<Entry>,
    compressor: &mut Compressor,
) -> io::Result<Vec<u8>> {
    entries.sort_unstable();
    entries.dedup();
    if entries.is_empty() {
        return Ok(Vec::new());
    }
    if entries.windows(2).any(|pair| pair[0].position() == pair[1].position()) {
        return Err(io::Error::new(io::ErrorKind::InvalidData, "a position has two values"));
    }
    let (mut out, mut packed) = (Vec::new(), Vec::new());
    for column in columns(shape, entries) {
        if column.len() > MAX_COLUMN {
            let reason = "too many positions have one configuration of the side to move";
            return Err(io::Error::new(io::ErrorKind::InvalidInput, reason));
        }
        compressor.compress(&column, &mut packed)?;
        let stored = if packed.len() < column.len() { &packed } else { &column };
        put_varint(&mut out, column.len() as u64);
        put_varint(&mut out, stored.len() as u64);
        out.extend(stored);
    }
    Ok(out)
}

fn columns(shape: BlockShape, entries: &[Entry]) -> [Vec<u8>; COLUMNS] {
    let [mut gaps, mut anchors, mut pawns, mut halves] = [const { Vec::new() }; COLUMNS];
    let mut next = 0;
    for of_set in entries.chunk_by(|one, other| one.set() == other.set()) {
        let set = of_set[0].set();
        put_varint(&mut gaps, set - next);
        next = set + 1;
        let first = anchors.len();
        anchors.resize(first + shape.anchor_bytes(), 0_u8);
        for of_anchor in of_set.chunk_by(|one, other| one.key() == other.key()) {
            let anchor = of_anchor[0].anchor();
            anchors[first + usize::from(anchor / 8)] |= 1 << (anchor % 8);
            let mask = pawns.len();
            pawns.resize(mask + shape.mask_bytes(anchor), 0_u8);
            for entry in of_anchor {
                pawns[mask + entry.pawns() / 8] |= 1 << (entry.pawns() % 8);
            }
            let half = of_anchor[0].half();
            if of_anchor.iter().all(|entry| entry.half() == half) {
                let flag = shape.pawn_sets(anchor);
                pawns[mask + flag / 8] |= 1 << (flag % 8);
                halves.push(half);
            } else {
                halves.extend(of_anchor.iter().map(|entry| entry.half()));
            }
        }
    }
    [gaps, anchors, pawns, halves]
}

/// A decoded block.
pub(crate) struct MoverBlock {
    shape: BlockShape,
    /// The sets with their anchors, ascending, and the offsets of their pawns and halves.
    keys: Vec<u64>,
    at: Vec<[u32; 2]>,
    pawns: Vec<u8>,
    halves: Vec<u8>,
}

impl MoverBlock {
    /// Decodes a block. The bytes are not trusted: all lengths must fit, and all numbers must belong to
    /// positions of the board.
    pub(crate) fn decode(shape: BlockShape, mut bytes: &[u8]) -> Result<MoverBlock, &'static str> {
        let mut block =
            MoverBlock { shape, keys: Vec::new(), at: Vec::new(), pawns: Vec::new(), halves: Vec::new() };
        if bytes.is_empty() {
            return Ok(block);
        }
        let mut columns = [const { Vec::new() }; COLUMNS];
        for (number, column) in columns.iter_mut().enumerate() {
            *column = take_column(&mut bytes, shape.max_bytes(number))?;
        }
        if !bytes.is_empty() {
            return Err("it is too long");
        }
        let [gaps, anchors, pawns, halves] = columns;
        (block.pawns, block.halves) = (pawns, halves);
        block.fill(&gaps, &anchors).ok_or("its lengths do not fit")?;
        Ok(block)
    }

    /// Finds the offsets; `None` if the columns do not fit together.
    fn fill(&mut self, mut gaps: &[u8], anchors: &[u8]) -> Option<()> {
        let shape = self.shape;
        let (mut next, mut mask_at, mut half_at) = (0_u64, 0_usize, 0_usize);
        let mut anchors = anchors.chunks(shape.anchor_bytes());
        while !gaps.is_empty() {
            let set = next.checked_add(take_varint(&mut gaps)?).filter(|&set| set < shape.sets)?;
            next = set + 1;
            let there = anchors.next().filter(|there| there.len() == shape.anchor_bytes())?;
            let last = there[shape.pieces / 8];
            if last >> (shape.pieces % 8) > 1 || there.iter().all(|&byte| byte == 0) {
                return None;
            }
            for anchor in 0..=shape.pieces as u8 {
                if there[usize::from(anchor / 8)] >> (anchor % 8) & 1 == 0 {
                    continue;
                }
                let mask = self.pawns.get(mask_at..mask_at + shape.mask_bytes(anchor))?;
                let flag = shape.pawn_sets(anchor);
                let (tail, ones) = (mask[flag / 8] >> (flag % 8), ones_before(mask, flag));
                if tail > 1 || ones == 0 {
                    return None;
                }
                self.keys.push(BlockShape::key(set, anchor));
                self.at.push([mask_at as u32, half_at as u32]);
                mask_at += mask.len();
                half_at += if tail == 1 { 1 } else { ones };
            }
        }
        (anchors.next().is_none() && mask_at == self.pawns.len() && half_at == self.halves.len())
            .then_some(())
    }

    /// Half of the turns of a position; `None` if it is not in the block.
    #[inline]
    pub(crate) fn half(&self, place: ConfigurationPlace) -> Option<u8> {
        let found = self.keys.binary_search(&BlockShape::key(place.set, place.anchor)).ok()?;
        let [mask, half] = self.at[found].map(|at| at as usize);
        let mask = &self.pawns[mask..mask + self.shape.mask_bytes(place.anchor)];
        let (bit, flag) = (usize::from(place.pawns), self.shape.pawn_sets(place.anchor));
        if bit >= flag || mask[bit / 8] >> (bit % 8) & 1 == 0 {
            return None;
        }
        let uniform = mask[flag / 8] >> (flag % 8) & 1 == 1;
        Some(self.halves[half + if uniform { 0 } else { ones_before(mask, bit) }])
    }

    /// The sets of squares with their anchors, in order.
    pub(crate) fn anchors(&self) -> impl Iterator<Item = AnchorEntry<'_>> {
        self.keys.iter().zip(&self.at).map(|(&key, at)| {
            let (set, anchor) = (set_of(key), anchor_of(key));
            let pawn_sets = self.shape.pawn_sets(anchor);
            let mask = &self.pawns[at[0] as usize..];
            AnchorEntry { set, anchor, pawn_sets, mask, halves: &self.halves[at[1] as usize..] }
        })
    }
}

/// The positions of a block that differ only in the opponent's pawns.
#[derive(Clone, Copy)]
pub(crate) struct AnchorEntry<'a> {
    pub set: u64,
    pub anchor: u8,
    pawn_sets: usize,
    mask: &'a [u8],
    halves: &'a [u8],
}

impl AnchorEntry<'_> {
    /// The sets of pawns in order, each with half of the turns.
    pub(crate) fn pawns(&self) -> impl Iterator<Item = (u16, u8)> {
        let &AnchorEntry { pawn_sets: flag, mask, halves, .. } = self;
        let step = usize::from(mask[flag / 8] >> (flag % 8) & 1 == 0);
        let present = (0..flag).filter(|&pawns| mask[pawns / 8] >> (pawns % 8) & 1 == 1);
        present.enumerate().map(move |(number, pawns)| (pawns as u16, halves[number * step]))
    }
}

/// Removes a column from the front of a block.
fn take_column(bytes: &mut &[u8], most: usize) -> Result<Vec<u8>, &'static str> {
    let mut length = || take_varint(bytes).and_then(|number| usize::try_from(number).ok());
    let (Some(length), Some(stored)) = (length(), length()) else { return Err("its lengths do not fit") };
    if length > most {
        return Err("it is too long");
    }
    let Some((column, rest)) = bytes.split_at_checked(stored) else { return Err("its lengths do not fit") };
    *bytes = rest;
    if stored == length {
        return Ok(column.to_vec());
    }
    let column = decompress(column, length).map_err(|_| "it cannot be decompressed")?;
    if column.len() == length { Ok(column) } else { Err("its lengths do not fit") }
}

/// The number of bits of a mask that are set below a bit.
#[inline]
fn ones_before(mask: &[u8], bit: usize) -> usize {
    let whole: u32 = mask[..bit / 8].iter().map(|byte| byte.count_ones()).sum();
    (whole + (mask[bit / 8] & ((1_u16 << (bit % 8)) - 1) as u8).count_ones()) as usize
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::testing::random;

    const SHAPES: [BlockShape; 4] = [
        BlockShape { pieces: 5, sets: 20349, pawn_sets: [6, 10] },
        BlockShape { pieces: 2, sets: 45, pawn_sets: [1, 1] },
        BlockShape { pieces: 8, sets: 300, pawn_sets: [35, 70] },
        BlockShape { pieces: 7, sets: 9, pawn_sets: [7, 8] },
    ];

    fn any(shape: BlockShape, seed: &mut u64, count: usize) -> BTreeMap<ConfigurationPlace, u8> {
        let place = |seed: &mut u64| {
            let anchor = (random(seed) % (shape.pieces as u64 + 1)) as u8;
            let pawns = (random(seed) % shape.pawn_sets(anchor) as u64) as u16;
            ConfigurationPlace { set: random(seed) % shape.sets, anchor, pawns }
        };
        (0..count).map(|_| (place(seed), (random(seed) % 3) as u8)).collect()
    }

    fn encoded(shape: BlockShape, positions: &BTreeMap<ConfigurationPlace, u8>) -> Vec<u8> {
        let mut entries: Vec<Entry> =
            positions.iter().rev().map(|(&place, &half)| shape.entry(place, half)).collect();
        encode(shape, &mut entries, &mut Compressor::new(3).unwrap()).unwrap()
    }

    fn decoded(block: &MoverBlock) -> impl Iterator<Item = (ConfigurationPlace, u8)> {
        block.anchors().flat_map(|entry| {
            let AnchorEntry { set, anchor, .. } = entry;
            let place = move |(pawns, half)| (ConfigurationPlace { set, anchor, pawns }, half);
            entry.pawns().map(place).collect::<Vec<_>>()
        })
    }

    #[test]
    fn blocks_decode_to_what_was_encoded() {
        let mut seed = 7;
        for shape in SHAPES {
            for count in [0, 1, 2, 10, 100, 3000] {
                let positions = any(shape, &mut seed, count);
                let block = MoverBlock::decode(shape, &encoded(shape, &positions)).unwrap();
                let mut all = BTreeMap::new();
                for (place, half) in decoded(&block) {
                    assert_eq!(block.half(place), Some(half));
                    all.insert(place, half);
                }
                assert_eq!(all, positions, "{shape:?}");
                for (place, _) in any(shape, &mut seed, 500) {
                    assert_eq!(block.half(place), positions.get(&place).copied());
                }
            }
        }
    }

    #[test]
    fn two_values_of_one_position_are_rejected() {
        let shape = SHAPES[0];
        let place = ConfigurationPlace { set: 3, anchor: 1, pawns: 2 };
        let mut compressor = Compressor::new(1).unwrap();
        let same = &mut vec![shape.entry(place, 4), shape.entry(place, 4)];
        assert!(encode(shape, same, &mut compressor).is_ok());
        let two = &mut vec![shape.entry(place, 4), shape.entry(place, 5)];
        assert!(encode(shape, two, &mut compressor).is_err());
    }

    #[test]
    fn arbitrary_bytes_never_panic_or_decode_to_invalid_places() {
        let mut seed = 11;
        for shape in SHAPES {
            let right = encoded(shape, &any(shape, &mut seed, 60));
            for round in 0..4000 {
                let mut bytes = right.clone();
                for _ in 0..=round % 3 {
                    let at = random(&mut seed) as usize % bytes.len();
                    bytes[at] = random(&mut seed) as u8;
                }
                bytes.truncate(bytes.len() - (random(&mut seed) % 3) as usize);
                let Ok(block) = MoverBlock::decode(shape, &bytes) else { continue };
                for (place, _) in decoded(&block) {
                    assert!(place.set < shape.sets && usize::from(place.anchor) <= shape.pieces);
                    assert!(usize::from(place.pawns) < shape.pawn_sets(place.anchor));
                }
            }
        }
        let long = [&[0xff_u8; 8][..], &[0x7f, 1, 0]].concat();
        assert!(MoverBlock::decode(SHAPES[0], &long).is_err());
    }
}
