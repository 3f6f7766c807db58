//! Solves one block: gathers the smallest successors from other blocks, then closes the block's
//! tiles from the fullest to the emptiest.
//!
//! Sixteen tiles are closed at a time, one per lane of the vectors, so that the operations between the words
//! of a tile, and within a word, are the same for all lanes and require no shuffling.
//!
//! All functions here are compiled once per kind of processor. They must be inlined into the entry points at
//! the end, or they would be compiled for the least capable one.

use super::arena::{words, words_mut};
use super::plan::{Line, Plan, Shifted, TILE, TILE_WORDS};
use super::scores::ScoreFormat;
use super::simd::Simd;
#[cfg(target_arch = "x86_64")]
use super::simd::{Avx2, Avx2Token, Avx512, Avx512Token};
use super::vector::{LANES, Vector};

/// The smallest successors of a tile.
type Tile = [Vector; TILE];

/// A run of tiles that contains successors: tile `t` takes them from tile `t | tiles` of the run if `t &
/// tiles` is 0.
#[derive(Clone, Copy)]
struct Source<'a> {
    tiles: usize,
    run: &'a [Vector],
}

/// The successors of a block in other blocks.
#[derive(Default)]
pub(super) struct Sources<'a> {
    plain: Vec<Source<'a>>,
    shifted: Vec<(Source<'a>, &'a Shifted)>,
}

impl<'a> Sources<'a> {
    /// Adds the successors by a line, which are in another block.
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
    /// The tile that contains the successors of a tile, if any.
    #[inline(always)]
    fn tile(&self, tile: usize) -> Option<&'a Tile> {
        if tile & self.tiles != 0 {
            return None;
        }
        self.run.get((tile | self.tiles) * TILE..)?.first_chunk()
    }
}

/// Takes four tiles at once, to load and store the gathered successors less often.
#[inline(always)]
fn take_four<K: ScoreFormat, S: Simd>(token: S::Token, smallest: &mut Tile, four: [&Tile; 4]) {
    for (at, smallest) in smallest.iter_mut().enumerate() {
        let [a, b, c, d] = four.map(|tile| S::load(token, &tile[at]));
        K::min(K::min(S::load(token, smallest), K::min(a, b)), K::min(c, d)).store(smallest);
    }
}

#[inline(always)]
fn take_shifted<K: ScoreFormat, S: Simd>(
    token: S::Token,
    smallest: &mut Tile,
    source: &Tile,
    line: &Shifted,
) {
    let off = S::load(token, &line.off);
    for (at, smallest) in smallest.iter_mut().enumerate() {
        if at & line.vectors == 0 {
            let words = S::load_from(token, &source[(at | line.vectors) % TILE], line.lanes);
            K::min(S::load(token, smallest), words.down(line.bits).or(off)).store(smallest);
        }
    }
}

/// Adds successors in other tiles to the smallest successors of a tile.
#[inline(always)]
fn take<K: ScoreFormat, S: Simd>(token: S::Token, smallest: &mut Tile, tile: usize, sources: &Sources<'_>) {
    let mut four: [&Tile; 4] = [&NOTHING; 4];
    let mut held = 0;
    for source in &sources.plain {
        if let Some(source) = source.tile(tile) {
            four[held] = source;
            held += 1;
            if held == 4 {
                take_four::<K, S>(token, smallest, four);
                held = 0;
            }
        }
    }
    if held > 0 {
        four[held..].fill(&NOTHING);
        take_four::<K, S>(token, smallest, four);
    }
    for (source, line) in &sources.shifted {
        if let Some(source) = source.tile(tile) {
            take_shifted::<K, S>(token, smallest, source, line);
        }
    }
}

/// Closes sixteen tiles, one per lane, word by word from the last one.
#[inline(always)]
fn close<K: ScoreFormat, S: Simd>(
    token: S::Token,
    plan: &Plan,
    tiles: &mut [Vector; TILE_WORDS],
    full: bool,
) {
    for word in (0..TILE_WORDS).rev() {
        let mut smallest = S::load(token, &tiles[word]);
        for &source in &plan.plain[word] {
            smallest = K::min(smallest, S::load(token, &tiles[source % TILE_WORDS]));
        }
        for (source, shift) in &plan.shifts[word] {
            smallest = K::min(smallest, shift.bring(token, S::load(token, &tiles[source % TILE_WORDS])));
        }
        let full = (full && word == plan.full_word)
            .then(|| (S::load(token, &plan.full.0), S::load(token, &plan.full.1)));
        plan.within.close::<K, S>(token, smallest, full).store(&mut tiles[word]);
    }
}

/// Solves a block, which is all ones before. `full`: the last tile contains the full board.
#[inline(always)]
fn solve<K: ScoreFormat, S: Simd>(
    token: S::Token,
    plan: &Plan,
    block: &mut [Vector],
    outer: &Sources<'_>,
    full: bool,
) {
    if !(outer.plain.is_empty() && outer.shifted.is_empty()) {
        for (tile, smallest) in block.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
            let mut gathered = NOTHING;
            take::<K, S>(token, &mut gathered, tile, outer);
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
            take::<K, S>(token, &mut smallest, tile, &inner);
            for (vector, word) in lanes.iter_mut().zip(words(&smallest)) {
                vector.0[lane % LANES] = *word;
            }
        }
        close::<K, S>(token, plan, &mut lanes, full && number == 0);
        for (lane, &tile) in group.iter().enumerate() {
            let out = words_mut(&mut block[tile * TILE..][..TILE]);
            for (word, vector) in out.iter_mut().zip(&lanes) {
                *word = vector.0[lane % LANES];
            }
        }
    }
}

/// The instruction set to use. A variant contains the proof that the processor supports it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Processor {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2Token),
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512Token),
}

impl Processor {
    /// All instruction sets that this processor supports, the best last.
    pub(super) fn all() -> Vec<Processor> {
        #[allow(unused_mut, reason = "other processors have only the first")]
        let mut all = vec![Processor::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            all.extend(Avx2Token::detect().map(Processor::Avx2));
            all.extend(Avx512Token::detect().map(Processor::Avx512));
        }
        all
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
fn solve_avx512<K: ScoreFormat>(
    token: Avx512Token,
    plan: &Plan,
    block: &mut [Vector],
    outer: &Sources<'_>,
    full: bool,
) {
    solve::<K, Avx512>(token, plan, block, outer, full);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn solve_avx2<K: ScoreFormat>(
    token: Avx2Token,
    plan: &Plan,
    block: &mut [Vector],
    outer: &Sources<'_>,
    full: bool,
) {
    solve::<K, Avx2>(token, plan, block, outer, full);
}

/// Calls [`solve`] with the best instructions.
pub(super) fn solve_on<K: ScoreFormat>(
    processor: Processor,
    plan: &Plan,
    block: &mut [Vector],
    outer: &Sources<'_>,
    full: bool,
) {
    match processor {
        Processor::Plain => solve::<K, Vector>((), plan, block, outer, full),
        // SAFETY: the token proves that the processor has the feature.
        #[cfg(target_arch = "x86_64")]
        Processor::Avx2(token) => unsafe { solve_avx2::<K>(token, plan, block, outer, full) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Processor::Avx512(token) => unsafe { solve_avx512::<K>(token, plan, block, outer, full) },
    }
}
