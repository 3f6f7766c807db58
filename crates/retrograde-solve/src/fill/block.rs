//! Solves one block: gathers the smallest successors from other blocks, then closes the block's tiles from
//! the fullest to the emptiest.
//!
//! Tiles are closed sixteen at a time, each in one lane of the vectors, so that what goes on between the words
//! of a tile, and within a word, is the same for all lanes and needs no shuffling.
//!
//! Everything here is compiled anew for each kind of processor and must be inlined into the entry points at
//! the end, or it would be compiled for the least of them.

use super::arena::{words, words_mut};
use super::plan::{Line, Plan, Shifted, TILE, TILE_WORDS};
use super::simd::Simd;
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx512};
use super::vector::{Kind, LANES, Vector};

/// A tile's smallest successors.
type Tile = [Vector; TILE];

/// A run of tiles that successors are taken from: tile `t` takes them from tile `t | tiles` of the run
/// wherever `t & tiles` is 0.
#[derive(Clone, Copy)]
struct Source<'a> {
    tiles: usize,
    run: &'a [Vector],
}

/// What a block takes from others.
#[derive(Default)]
pub(super) struct Sources<'a> {
    plain: Vec<Source<'a>>,
    shifted: Vec<(Source<'a>, &'a Shifted)>,
}

impl<'a> Sources<'a> {
    /// Takes what a line leads to in a block.
    pub(super) fn add(&mut self, line: &'a Line, run: &'a [Vector]) {
        let source = Source { tiles: line.tiles, run };
        match &line.shifted {
            None => self.plain.push(source),
            Some(shifted) => self.shifted.push((source, shifted)),
        }
    }
}

const NOTHING: Tile = [Vector::ONES; TILE];

impl<'a> Source<'a> {
    /// The tile that a tile takes from, if any.
    #[inline(always)]
    fn tile(&self, tile: usize) -> Option<&'a Tile> {
        if tile & self.tiles != 0 {
            return None;
        }
        self.run.get((tile | self.tiles) * TILE..)?.first_chunk()
    }
}

/// Takes four tiles at once, so that the successors gathered so far are loaded and stored less often.
#[inline(always)]
fn take_four<K: Kind, S: Simd>(smallest: &mut Tile, four: [&Tile; 4]) {
    for (at, smallest) in smallest.iter_mut().enumerate() {
        let [a, b, c, d] = four.map(|tile| S::load(&tile[at]));
        K::min(K::min(S::load(smallest), K::min(a, b)), K::min(c, d)).store(smallest);
    }
}

#[inline(always)]
fn take_shifted<K: Kind, S: Simd>(smallest: &mut Tile, source: &Tile, line: &Shifted) {
    let off = S::load(&line.off);
    for (at, smallest) in smallest.iter_mut().enumerate() {
        if at & line.vectors == 0 {
            let words = S::load_from(&source[(at | line.vectors) % TILE], line.lanes);
            K::min(S::load(smallest), words.down(line.bits).or(off)).store(smallest);
        }
    }
}

/// Adds to a tile's smallest successors those in other tiles.
#[inline(always)]
fn take<K: Kind, S: Simd>(smallest: &mut Tile, tile: usize, sources: &Sources<'_>) {
    let mut four: [&Tile; 4] = [&NOTHING; 4];
    let mut held = 0;
    for source in &sources.plain {
        if let Some(source) = source.tile(tile) {
            four[held] = source;
            held += 1;
            if held == 4 {
                take_four::<K, S>(smallest, four);
                held = 0;
            }
        }
    }
    if held > 0 {
        four[held..].fill(&NOTHING);
        take_four::<K, S>(smallest, four);
    }
    for (source, line) in &sources.shifted {
        if let Some(source) = source.tile(tile) {
            take_shifted::<K, S>(smallest, source, line);
        }
    }
}

/// Closes sixteen tiles, one a lane: word by word, the last word first.
#[inline(always)]
fn close<K: Kind, S: Simd>(plan: &Plan, tiles: &mut [Vector; TILE_WORDS], full: bool) {
    for word in (0..TILE_WORDS).rev() {
        let mut smallest = S::load(&tiles[word]);
        for &source in &plan.plain[word] {
            smallest = K::min(smallest, S::load(&tiles[source % TILE_WORDS]));
        }
        for (source, shift) in &plan.shifts[word] {
            smallest = K::min(smallest, shift.bring(S::load(&tiles[source % TILE_WORDS])));
        }
        let full = (full && word == plan.full_word).then(|| (S::load(&plan.full.0), S::load(&plan.full.1)));
        plan.within.close::<K, S>(smallest, full).store(&mut tiles[word]);
    }
}

/// Solves a block, which is all ones before. `full`: the last tile holds the full board.
#[inline(always)]
fn solve<K: Kind, S: Simd>(plan: &Plan, block: &mut [Vector], outer: &Sources<'_>, full: bool) {
    if !(outer.plain.is_empty() && outer.shifted.is_empty()) {
        for (tile, smallest) in block.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            let mut gathered = NOTHING;
            take::<K, S>(&mut gathered, tile, outer);
            *smallest = gathered;
        }
    }
    let mut lanes = [Vector::ONES; TILE_WORDS];
    for (number, group) in plan.groups.iter().enumerate() {
        let mut inner = Sources::default();
        for line in &plan.inner {
            inner.add(line, block);
        }
        for (lane, &tile) in group.iter().enumerate() {
            let mut smallest: Tile = NOTHING;
            smallest.copy_from_slice(&block[tile * TILE..][..TILE]);
            take::<K, S>(&mut smallest, tile, &inner);
            for (vector, word) in lanes.iter_mut().zip(words(&smallest)) {
                vector.0[lane % LANES] = *word;
            }
        }
        close::<K, S>(plan, &mut lanes, full && number == 0);
        for (lane, &tile) in group.iter().enumerate() {
            let out = words_mut(&mut block[tile * TILE..][..TILE]);
            for (word, vector) in out.iter_mut().zip(&lanes) {
                *word = vector.0[lane % LANES];
            }
        }
    }
}

/// What the processor can do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Processor {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Processor {
    /// All that this one can be told to be, the best last.
    pub(super) fn all() -> Vec<Processor> {
        #[allow(unused_mut)]
        let mut all = vec![Processor::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") {
                all.push(Processor::Avx2);
            }
            if has!("avx512f") && has!("avx512bw") && has!("avx512dq") && has!("avx512vl") {
                all.push(Processor::Avx512);
            }
        }
        all
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn solve_avx512<K: Kind>(plan: &Plan, block: &mut [Vector], outer: &Sources<'_>, full: bool) {
    solve::<K, Avx512>(plan, block, outer, full);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn solve_avx2<K: Kind>(plan: &Plan, block: &mut [Vector], outer: &Sources<'_>, full: bool) {
    solve::<K, Avx2>(plan, block, outer, full);
}

/// [`solve`] as the processor does it best. `processor` comes from [`Processor::all`].
pub(super) fn solve_on<K: Kind>(
    processor: Processor,
    plan: &Plan,
    block: &mut [Vector],
    outer: &Sources<'_>,
    full: bool,
) {
    match processor {
        Processor::Plain => solve::<K, Vector>(plan, block, outer, full),
        // SAFETY: `Processor::all` lists this one only where it has the feature.
        #[cfg(target_arch = "x86_64")]
        Processor::Avx2 => unsafe { solve_avx2::<K>(plan, block, outer, full) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Processor::Avx512 => unsafe { solve_avx512::<K>(plan, block, outer, full) },
    }
}
