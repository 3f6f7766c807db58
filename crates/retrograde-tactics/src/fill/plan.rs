//! The layout of a game's positions, and its lines in that layout.
//!
//! From the lowest cells up, the index of a position consists of its place in a *word* of 64 bits, the word's
//! place in a *tile* of 64 words, the tile's place in a *block* that fits into a level 2 cache, the block's
//! place in a *unit* that one thread solves from its end while its neighbours are still in the level 3 cache,
//! and the number of the unit. A line that contains none of the cells of a word maps words to whole words;
//! the same holds for tiles and blocks. Each line is therefore split once into its effects at every level.

use std::ops::Range;

use super::game::FillGame;
use super::scores::{ScoreFormat, Shift, Within};
use super::vector::{LANES, Vector};

/// The number of cells of a tile, without the cells of a word.
const TILE_CELLS: u32 = 6;
/// The number of words per tile.
pub(super) const TILE_WORDS: usize = 1 << TILE_CELLS;
/// The number of vectors per tile.
pub(super) const TILE: usize = TILE_WORDS / LANES;

/// The largest sizes of blocks and units.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    /// The number of cells of a block, without the cells of a tile.
    pub block_cells: u32,
    /// The number of cells above a unit.
    pub top_cells: u32,
}

/// Blocks of 256 KiB, and 1024 units: enough for many threads, few of which wait at the end of a layer.
/// Measured on grids of 5 × 5 to 6 × 6 squares; one cell more or less of either makes little difference.
pub(super) const SIZES: Sizes = Sizes { block_cells: 9, top_cells: 10 };

/// The shift of a line within a tile, if it contains one of its cells: a number of vectors, of words of a
/// vector, and of bits of a word.
pub(super) struct Shifted {
    pub vectors: usize,
    pub lanes: usize,
    pub bits: u32,
    /// Ones where a cell is already filled.
    pub off: Vector,
}

/// A line that leads out of a tile.
pub(super) struct Line {
    pub blocks: usize,
    pub tiles: usize,
    pub shifted: Option<Shifted>,
}

pub(super) struct Plan {
    /// Lines that lead to another block.
    pub outer: Vec<Line>,
    /// Lines that lead to another tile of the block.
    pub inner: Vec<Line>,
    /// For each word, the lines that lead to another word of the tile: the ones that shift no bits, as words
    /// to read, and the others.
    pub plain: Vec<Vec<usize>>,
    pub shifts: Vec<Vec<(usize, Shift)>>,
    /// Lines within a word.
    pub within: Within,
    /// Tiles of a block that do not depend on each other, up to sixteen together, each after its successors.
    pub groups: Vec<Vec<usize>>,
    /// The number of tiles per block.
    pub tiles: usize,
    unit_cells: u32,
    top_cells: u32,
    /// The full board: its bits in the first of sixteen words, and its score there.
    pub full: (Vector, Vector),
    /// Its word in the tile.
    pub full_word: usize,
}

impl Plan {
    pub(super) fn new<K: ScoreFormat>(game: &FillGame, sizes: Sizes) -> Plan {
        let cells = game.cells;
        // A board smaller than a tile gets extra cells that no line fills, which results in copies of the
        // game.
        let tile_cells = K::WORD_CELLS + TILE_CELLS;
        let above = cells.saturating_sub(tile_cells);
        let block_cells = above.min(sizes.block_cells);
        let top_cells = (above - block_cells).min(sizes.top_cells);
        let tiles = 1 << block_cells;
        let full = (1_u64 << cells) - 1;
        let place = (full & ((1 << K::WORD_CELLS) - 1)) as u32;
        let first = |word| Vector(std::array::from_fn(|lane| if lane == 0 { word } else { 0 }));
        let mut plan = Plan {
            outer: Vec::new(),
            inner: Vec::new(),
            plain: vec![Vec::new(); TILE_WORDS],
            shifts: vec![Vec::new(); TILE_WORDS],
            within: Within::new::<K>(&[]),
            groups: groups(tiles),
            tiles,
            unit_cells: above - block_cells - top_cells,
            top_cells,
            full: (
                first(K::ones(|position| position == place)),
                first(K::over(game.full) << (place * K::BITS)),
            ),
            full_word: (full >> K::WORD_CELLS) as usize % TILE_WORDS,
        };
        let mut within = Vec::new();
        for &line in &game.lines {
            let bits = line as u32 & ((1 << K::WORD_CELLS) - 1);
            let words = (line >> K::WORD_CELLS) as usize % TILE_WORDS;
            let tiles = (line >> tile_cells) as usize % plan.tiles;
            let blocks = (line >> tile_cells >> block_cells) as usize;
            if blocks != 0 || tiles != 0 {
                let shifted = (bits != 0 || words != 0).then(|| Shifted::new::<K>(words, bits));
                let lines = if blocks != 0 { &mut plan.outer } else { &mut plan.inner };
                lines.push(Line { blocks, tiles, shifted });
            } else if words != 0 {
                plan.add_to_words::<K>(words, bits);
            } else {
                within.push(bits);
            }
        }
        plan.within = Within::new::<K>(&within);
        plan
    }

    fn add_to_words<K: ScoreFormat>(&mut self, words: usize, bits: u32) {
        for word in (0..TILE_WORDS).filter(|word| word & words == 0) {
            if bits == 0 {
                self.plain[word].push(word | words);
            } else {
                self.shifts[word].push((word | words, Shift::new::<K>(bits)));
            }
        }
    }

    /// The number of blocks.
    pub(super) fn blocks(&self) -> usize {
        1 << (self.unit_cells + self.top_cells)
    }

    /// The number of layers of units.
    pub(super) fn layers(&self) -> u32 {
        self.top_cells + 1
    }

    /// The units of a layer, as ranges of blocks. They only depend on earlier layers and on their own larger
    /// blocks.
    pub(super) fn layer(&self, layer: u32) -> Vec<Range<usize>> {
        let filled = self.top_cells - layer;
        let units = (0..1_usize << self.top_cells).filter(|unit| unit.count_ones() == filled);
        units.map(|unit| unit << self.unit_cells..(unit + 1) << self.unit_cells).collect()
    }
}

impl Shifted {
    fn new<K: ScoreFormat>(words: usize, bits: u32) -> Shifted {
        let (vectors, lanes) = (words / LANES, words % LANES);
        let Shift { bits, off } = Shift::new::<K>(bits);
        let off = Vector(std::array::from_fn(|lane| if lane & lanes == 0 { off } else { u64::MAX }));
        Shifted { vectors, lanes, bits, off }
    }
}

/// Groups of up to sixteen tiles of a block, by the number of filled cells, the fullest first.
fn groups(tiles: usize) -> Vec<Vec<usize>> {
    let mut groups = Vec::new();
    for filled in (0..=tiles.ilog2()).rev() {
        let layer: Vec<usize> = (0..tiles).filter(|tile| tile.count_ones() == filled).collect();
        groups.extend(layer.chunks(LANES).map(<[usize]>::to_vec));
    }
    groups
}
