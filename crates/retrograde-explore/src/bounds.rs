//! Bounds for questions that strangers ask: a server must not scan a table for hours, nor list
//! millions of turns, because someone asks for it.
//!
//! They belong to the thread that answers, so that no question has to carry them to all the places
//! that look: on the command line there are none.

use std::cell::Cell;

use retrograde_solve::clock::Instant;

use crate::Error;

/// The most that one question may take, in all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// When it is given up with [`Error::TimedOut`].
    pub until: Instant,
    /// Turns in all answers to the question together; beyond them it is [`Error::TooLarge`], before
    /// they are listed. Where they are counted several may be of the same position.
    pub turns: u64,
}

thread_local! {
    static BOUNDS: Cell<Option<Bounds>> = const { Cell::new(None) };
}

impl Bounds {
    /// Asks on this thread within these bounds: whatever meets one answers [`Error::TimedOut`] or
    /// [`Error::TooLarge`].
    pub fn within<T>(self, ask: impl FnOnce() -> T) -> T {
        /// Restores the previous bounds even if `ask` panics.
        struct Before(Option<Bounds>);
        impl Drop for Before {
            fn drop(&mut self) {
                BOUNDS.set(self.0);
            }
        }
        let _before = Before(BOUNDS.replace(Some(self)));
        ask()
    }

    /// Whether the question that this thread answers still has time; it always has without bounds.
    /// For a [`ValueStore`](crate::ValueStore) that reads much between two visits.
    ///
    /// # Errors
    /// [`Error::TimedOut`].
    pub fn check() -> Result<(), Error> {
        check()
    }
}

/// The bounds of a thread, for others that work for it.
#[derive(Clone, Copy)]
pub(crate) struct Carried(Option<Bounds>);

/// The bounds of this thread.
pub(crate) fn carried() -> Carried {
    Carried(BOUNDS.get())
}

impl Carried {
    /// Asks within the bounds, if there are any.
    pub fn within<T>(self, ask: impl FnOnce() -> T) -> T {
        match self.0 {
            Some(bounds) => bounds.within(ask),
            None => ask(),
        }
    }
}

/// Whether any time remains.
pub(crate) fn check() -> Result<(), Error> {
    match BOUNDS.get() {
        Some(bounds) if Instant::now() >= bounds.until => Err(Error::TimedOut),
        _ => Ok(()),
    }
}

/// Turns that may still be listed; `None`: any number.
pub(crate) fn turns_left() -> Option<u64> {
    BOUNDS.get().map(|bounds| bounds.turns)
}

/// Takes what was listed from what may be.
pub(crate) fn spend_turns(count: u64) {
    if let Some(bounds) = BOUNDS.get() {
        BOUNDS.set(Some(Bounds { turns: bounds.turns.saturating_sub(count), ..bounds }));
    }
}

/// For loops whose rounds are too short to ask for the time in each.
#[derive(Default)]
pub(crate) struct Watch(u32);

impl Watch {
    /// [`check`], now and then.
    pub fn tick(&mut self, every: u32) -> Result<(), Error> {
        self.0 = self.0.wrapping_add(1);
        if self.0.is_multiple_of(every) { check() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn bounds_hold_within_and_only_there() {
        let over = Bounds { until: Instant::now(), turns: 5 };
        let result = over.within(|| {
            spend_turns(3);
            assert_eq!(turns_left(), Some(2));
            let wider = Bounds { until: Instant::now() + Duration::from_secs(60), turns: 9 };
            wider.within(check).unwrap();
            assert_eq!(turns_left(), Some(2));
            check()
        });
        assert!(matches!(result, Err(Error::TimedOut)));
        assert_eq!(turns_left(), None);
        assert!(check().is_ok());
    }
}
