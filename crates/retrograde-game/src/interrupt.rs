//! Lets long work of the rules be ended by whoever asked for it.
//!
//! A question may come from a stranger, and then neither its time nor its memory may be whatever
//! the position makes it. Rules know no clock and no limits, so the asker sets a [`Patience`] for
//! its thread, and loops that may become long look there: [`interrupted`] in each round,
//! [`too_much`] before they take more memory, [`enough`] while they list turns. A loop that is ended
//! returns what it has. That is not the truth, so the asker has to check afterwards whether it was
//! ended: a list of turns is then incomplete, and any other result is dropped.

use std::cell::Cell;

/// Says whether work goes on. Once it says no, it must go on saying no.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Whether the time is over.
    pub over: fn() -> bool,
    /// Whether so many bytes for one loop are too much.
    pub too_much: fn(u64) -> bool,
    /// Whether a list with this number of turns is long enough.
    pub enough: fn(u64) -> bool,
}

/// Rounds of a loop between two looks at the clock.
const ROUNDS: u32 = 64;

thread_local! {
    static PATIENCE: Cell<Option<Patience>> = const { Cell::new(None) };
    static ROUND: Cell<u32> = const { Cell::new(0) };
}

/// Sets the patience of this thread; returns what it was. Without any nothing is ever ended.
pub fn set_patience(patience: Option<Patience>) -> Option<Patience> {
    PATIENCE.replace(patience)
}

/// Whether the work on this thread is to end now. Cheap enough for every round of a loop.
#[inline]
pub fn interrupted() -> bool {
    PATIENCE.get().is_some_and(|patience| {
        let round = ROUND.get().wrapping_add(1);
        ROUND.set(round);
        round.is_multiple_of(ROUNDS) && (patience.over)()
    })
}

/// Whether a loop on this thread is to end rather than take so many bytes of memory.
pub fn too_much(bytes: u64) -> bool {
    PATIENCE.get().is_some_and(|patience| (patience.too_much)(bytes))
}

/// Whether a list of turns on this thread has to end with this number of entries. The list is shown,
/// so its turns must be legal.
pub fn enough(turns: usize) -> bool {
    PATIENCE.get().is_some_and(|patience| (patience.enough)(turns as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_ends_only_for_the_impatient() {
        let rounds = || (0..1000_u32).find(|_| interrupted());
        assert_eq!(rounds(), None);
        assert!(!too_much(u64::MAX) && !enough(usize::MAX));
        let before = set_patience(Some(Patience {
            over: || true,
            too_much: |bytes| bytes > 10,
            enough: |turns| turns > 3,
        }));
        assert!(before.is_none());
        assert!(rounds().is_some_and(|round| round < ROUNDS));
        assert!(too_much(11) && !too_much(10));
        assert!(enough(4) && !enough(3));
        assert!(set_patience(before).is_some());
        assert_eq!(rounds(), None);
    }
}
