//! Lets a caller stop long-running code of the rules.
//!
//! A request may come from an untrusted client, so neither its time nor its memory may depend on
//! the position alone. The rules know no clocks and no limits. Instead, the caller sets a
//! [`Limits`] for its thread, and loops that may become long check it: [`interrupted`] in each
//! round, [`too_much`] before they allocate more memory, [`enough`] while they list turns. A loop
//! that is stopped returns what it has so far. The caller must then check whether it was stopped: a
//! list of turns is incomplete, and any other result must be discarded.

use std::cell::Cell;

/// The limits of the work on a thread. Once exceeded, a limit must stay exceeded.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Whether the time is up.
    pub over: fn() -> bool,
    /// Whether this number of bytes is too much for one loop.
    pub too_much: fn(u64) -> bool,
    /// Whether a list with this number of turns is long enough.
    pub enough: fn(u64) -> bool,
}

/// The number of rounds of a loop between two checks of the clock.
const ROUNDS: u32 = 64;

thread_local! {
    static LIMITS: Cell<Option<Limits>> = const { Cell::new(None) };
    static ROUND: Cell<u32> = const { Cell::new(0) };
}

/// Sets the limits of this thread and returns the previous ones. Without limits nothing is stopped.
pub fn set_limits(limits: Option<Limits>) -> Option<Limits> {
    LIMITS.replace(limits)
}

/// Whether the work on this thread should stop now. Cheap enough for every round of a loop.
#[inline]
pub fn interrupted() -> bool {
    LIMITS.get().is_some_and(|limits| {
        let round = ROUND.get().wrapping_add(1);
        ROUND.set(round);
        round.is_multiple_of(ROUNDS) && (limits.over)()
    })
}

/// Whether a loop on this thread should stop instead of allocating `bytes` bytes of memory.
pub fn too_much(bytes: u64) -> bool {
    LIMITS.get().is_some_and(|limits| (limits.too_much)(bytes))
}

/// Whether a list of turns on this thread should end with this number of entries. The list is
/// shown, so its turns must be legal.
pub fn enough(turns: usize) -> bool {
    LIMITS.get().is_some_and(|limits| (limits.enough)(turns as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_stops_only_at_a_limit() {
        let rounds = || (0..1000_u32).find(|_| interrupted());
        assert_eq!(rounds(), None);
        assert!(!too_much(u64::MAX) && !enough(usize::MAX));
        let before = set_limits(Some(Limits {
            over: || true,
            too_much: |bytes| bytes > 10,
            enough: |turns| turns > 3,
        }));
        assert!(before.is_none());
        assert!(rounds().is_some_and(|round| round < ROUNDS));
        assert!(too_much(11) && !too_much(10));
        assert!(enough(4) && !enough(3));
        assert!(set_limits(before).is_some());
        assert_eq!(rounds(), None);
    }
}
