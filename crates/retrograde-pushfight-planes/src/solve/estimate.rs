//! Estimates the memory for solving a board phase by phase, as a whole or in parts.

use std::cell::OnceCell;

use retrograde_pushfight::PushFight;

use crate::config::HAS_DISK;
use crate::layout::numbering::Layout;
use crate::layout::partition::PusherSetOrder;
use crate::layout::scope::Scope;

/// The most parts into which a board is cut. More would save little memory, because each part still reads
/// the targets of its pushes.
pub const MAX_PARTS: usize = if HAS_DISK { 96 } else { 1 };

/// The memory of a part in proportion to its share of the estimate for the whole board.
const PARTS_SHARE: f64 = 0.8;
/// The bytes per chunk of the indexes of the work files.
const INDEX_BYTES: usize = 320;

/// Bytes of memory that threads need in addition to the results of a phase: blocks and transposed cells
/// for each, and the tables of the board.
pub(crate) fn scratch_memory(layout: &Layout, threads: usize) -> u64 {
    let blocks = layout.lanes * (layout.pusher_count + 1) * layout.rows.len();
    let cells = layout.lanes * layout.pusher_count * layout.cells.len();
    let row = 8 * layout.words as u64;
    threads.max(1) as u64 * (blocks + cells) as u64 * row + (16 << 20)
}

/// An estimate of the memory and time for a board.
pub struct Estimate {
    layout: Layout,
    /// The order in which sets are assigned, the same for any number of parts.
    order: OnceCell<PusherSetOrder>,
    /// Bytes for the whole board.
    whole: u128,
    /// Bytes that are needed for any number of parts.
    overhead: u128,
}

impl Estimate {
    /// Estimates a solve with `threads` threads; `None` if the board is too large to be solved.
    pub fn new(game: &PushFight, threads: usize) -> Option<Estimate> {
        let layout = Layout::new(game, Scope::PlausibleAndStarts)?;
        // The estimate is a share of a plane that stores every row. On the standard board the undecided
        // positions took a seventh of that, and the results of the last two phases less; the peak was
        // 28% in all. Longer rows are seldom empty: on `2k3p`, whose rows have 32 words, the peak was
        // 37%, and on `full` with two pushers, 8 words, 31%.
        let row = 8 * layout.words as u128;
        let rows = layout.superblocks.len() as u128 * (layout.cells.len() * layout.lanes) as u128;
        // Fewer threads hardly take less, and a plan should not depend on a small machine's cores.
        let overhead = u128::from(scratch_memory(&layout, threads.max(4)));
        let percent = match layout.words {
            0..=4 => 30,
            5..=8 => 34,
            _ => 40,
        };
        // With fewer moves fewer positions are won in one turn, which are not stored. The peaks on
        // `onecolumn` were 2.0 GB with two or more moves, 3.7 with one and 8.4 with none.
        let percent = match layout.moves {
            Some(0) => percent * 7 / 2,
            Some(1) => percent * 3 / 2,
            _ => percent,
        };
        Some(Estimate { layout, order: OnceCell::new(), whole: rows * row * percent / 100, overhead })
    }

    /// Bytes of memory that [`crate::solve_logged`] takes with `parts` parts.
    pub fn memory(&self, parts: usize) -> u128 {
        if parts <= 1 {
            return self.whole + self.overhead;
        }
        // The results of a part are written to disk immediately, and nothing is held twice. The peaks
        // with 16 parts were 19% of the share that they hold on `onecolumn`, 25% on `full` with two
        // pushers.
        let tables = self.layout.pusher_sets.len() * self.layout.cells.len() * (16 + parts) / 8;
        let index = self.layout.superblocks.len() * self.order().group_count * INDEX_BYTES;
        (self.whole as f64 * PARTS_SHARE * self.largest_share(parts)) as u128
            + (tables + index) as u128
            + self.overhead
    }

    /// Bytes of memory that [`crate::solve_distributed`] takes in each of `processes` processes.
    pub fn memory_together(&self, processes: usize) -> u128 {
        self.memory_of_share(self.largest_share(processes.max(1)))
    }

    /// Bytes of memory that one of several processes takes, which have these numbers of threads.
    pub(crate) fn memory_of_process(&self, threads: &[u32], process: usize) -> u128 {
        self.memory_of_share(self.order().split(threads).held_share(&self.layout, process))
    }

    /// Bytes of memory that [`crate::Solution::count_implausible`], [`crate::Solution::prove`] and
    /// [`crate::Solution::scores`] take, the scores excluded.
    pub fn derived_memory(&self) -> u128 {
        // On the standard board 17.6 GB, two fifths more than `whole`.
        self.whole * 7 / 5 + self.overhead
    }

    /// Bytes of memory above which [`crate::solve_logged`] gets no faster.
    pub fn useful_memory(&self) -> u128 {
        // The undecided positions and the push cache, when the cache begins to pay. On the standard
        // board this returns 13.9 GB, and the solve takes 13.
        self.whole * 21 / 20 + self.overhead
    }

    /// The time per position in [`crate::solve_logged`], as a multiple of the time on the standard board:
    /// long rows are not flooded in registers. The phases from 8 to 23 turns took 70 s on `2k3p` and 38 s
    /// on the standard board.
    pub fn relative_effort(&self) -> f64 {
        if self.layout.words > 8 { 2.8 } else { 1.0 }
    }

    /// The disk space per position, in solutions and logs, as a multiple of the space with three moves. On
    /// `twocolumn` losses, wins and logs are 3.2, 3.0 and 4.5 times as large without moves, and 1.4, 1.1
    /// and 1.5 times with one; logs there take half of what is planned.
    pub fn relative_size(&self) -> f64 {
        match self.layout.moves {
            Some(0) => 3.2,
            Some(1) => 1.4,
            _ => 1.0,
        }
    }

    /// The number of parts into which the board has to be cut so that [`crate::solve_logged`] fits into
    /// `memory` bytes; `None` if it never does.
    pub fn parts(&self, memory: u64) -> Option<usize> {
        let cuts = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 40, 48, 64, MAX_PARTS];
        cuts.into_iter().find(|&parts| parts <= MAX_PARTS && self.memory(parts) <= u128::from(memory))
    }

    /// How often a loss phase reads all undecided positions when the board is solved in parts.
    pub fn readings(&self, parts: usize) -> f64 {
        self.order().split_evenly(parts).chunks_read(&self.layout, self.order())
    }

    fn order(&self) -> &PusherSetOrder {
        self.order.get_or_init(|| PusherSetOrder::new(&self.layout))
    }

    /// The largest share of the board that a part holds.
    fn largest_share(&self, parts: usize) -> f64 {
        let cut = self.order().split_evenly(parts);
        (0..cut.count).map(|number| cut.held_share(&self.layout, number)).fold(0.0, f64::max)
    }

    fn memory_of_share(&self, share: f64) -> u128 {
        (self.whole as f64 * share) as u128 + self.overhead
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::game;

    #[test]
    fn the_full_board_fits_into_24_gb() {
        let full = Estimate::new(&game("pushfight:full"), 1).unwrap();
        let parts = full.parts(24_000_000_000).unwrap();
        assert!(parts <= 48, "{parts} parts");
        assert!(full.memory(parts) <= 24_000_000_000 && full.memory(1) > 100_000_000_000);
        let readings = full.readings(parts);
        assert!((2.0..12.0).contains(&readings), "{readings} readings");
    }

    #[test]
    fn fewer_moves_leave_more_to_store() {
        let memory = |name: &str| Estimate::new(&game(name), 1).unwrap().memory(1);
        let [none, one, two, three] =
            ["0", "1", "2", "3"].map(|moves| memory(&format!("pushfight:onecolumn,moves={moves}")));
        // The limits are the measured peaks.
        assert!(none > 8_370_000_000 && none < 10_000_000_000, "{none}");
        assert!(one > 3_670_000_000 && one < 4_500_000_000, "{one}");
        assert!(two > 2_030_000_000 && two == three, "{two} {three}");
    }

    #[test]
    fn more_threads_take_more_memory() {
        let standard = game("pushfight:standard");
        let layout = Layout::new(&standard, Scope::PlausibleAndStarts).unwrap();
        let estimate = |threads| Estimate::new(&standard, threads).unwrap();
        let beside = u128::from(scratch_memory(&layout, 64) - scratch_memory(&layout, 4));
        for parts in [1, 8] {
            assert_eq!(estimate(64).memory(parts), estimate(4).memory(parts) + beside);
        }
        assert_eq!(estimate(64).memory_together(3), estimate(4).memory_together(3) + beside);
        assert_eq!(estimate(64).derived_memory(), estimate(4).derived_memory() + beside);
        assert_eq!(estimate(1).memory(1), estimate(4).memory(1));
    }

    #[test]
    fn more_parts_take_less_memory_and_more_reading() {
        for name in ["pushfight:standard", "pushfight:onecolumn", "pushfight:full"] {
            let estimate = Estimate::new(&game(name), 1).unwrap();
            let cuts = [2, 8, 24, MAX_PARTS];
            let memory = cuts.map(|parts| estimate.memory(parts));
            assert!(memory.is_sorted_by(|more, less| more > less), "{name}: {memory:?}");
            let readings = cuts.map(|parts| estimate.readings(parts));
            assert!(readings.is_sorted() && readings[0] >= 2.0, "{name}: {readings:?}");
        }
    }
}
