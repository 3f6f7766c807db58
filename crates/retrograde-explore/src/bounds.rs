//! Bounds for requests from untrusted clients: no request may make a server scan a table for hours or list
//! millions of turns.
//!
//! They belong to the thread that answers, so requests do not have to pass them on. On the command line only
//! the limits of a search apply.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use retrograde_game::interrupt::{Limits, set_limits};
use retrograde_solve::clock::Instant;

use crate::Error;

/// The maximum memory of a search, which is for a single position.
pub(crate) const SEARCH_MEMORY: u64 = 1 << 30;

/// The maximum resources of one request.
#[derive(Clone, Debug)]
pub struct Bounds {
    /// The time at which it ends with [`Error::TimedOut`].
    pub until: Instant,
    /// Set by another thread to end it earlier.
    pub ended: Option<Arc<AtomicBool>>,
    /// The positions that a search may look at before it ends with [`Error::TimedOut`]. Unlike the time,
    /// this limit is the same on every machine.
    pub looks: u64,
    /// Turns in all parts of the answer together. A list of turns that reaches this limit is incomplete.
    pub turns: u64,
    /// Bytes of memory that one loop of the rules, or one search, may use. Beyond that it ends with
    /// [`Error::TooLarge`].
    pub memory: u64,
    /// Whether other threads may work for it.
    pub threads: bool,
}

thread_local! {
    static BOUNDS: RefCell<Option<Bounds>> = const { RefCell::new(None) };
    /// The reason why the rules stopped early, if they did. Later results may be wrong.
    static CUT: Cell<Option<Cut>> = const { Cell::new(None) };
    /// The longest list of turns.
    static MAX_LISTED_TURNS: Cell<u64> = const { Cell::new(u64::MAX) };
    /// Whether a bound was reached.
    static REACHED: Cell<bool> = const { Cell::new(false) };
}

/// Why a loop of the rules stopped early.
#[derive(Clone, Copy)]
enum Cut {
    Time,
    Memory,
    /// The list of turns has the maximum length.
    Turns,
}

impl Cut {
    fn error(self) -> Error {
        REACHED.set(true);
        match self {
            Cut::Time => Error::TimedOut,
            Cut::Memory => {
                let reason = "this position has more turns than fit into the memory for one request";
                Error::TooLarge(reason.to_owned())
            }
            Cut::Turns => too_many_turns(),
        }
    }
}

/// Lets the rules check these bounds.
const LIMITS: Limits = Limits { over: cut_by_time, too_much, enough };

impl Bounds {
    /// Runs `ask` on this thread within these bounds. If a loop of the rules had to stop early, its
    /// result is replaced by an error: it may be wrong, whether it is `Ok` or `Err`.
    ///
    /// # Errors
    /// The errors of `ask`, [`Error::TimedOut`] and [`Error::TooLarge`].
    pub fn within<T, E: From<Error>>(self, ask: impl FnOnce() -> Result<T, E>) -> Result<T, E> {
        match self.cut(ask) {
            (_, Some(cut)) => Err(cut.error().into()),
            (answer, None) => answer,
        }
    }

    /// Runs `ask` on this thread within these bounds; also returns why the rules stopped early.
    fn cut<T>(self, ask: impl FnOnce() -> T) -> (T, Option<Cut>) {
        /// Restores the previous bounds even if `ask` panics.
        struct Before {
            bounds: Option<Bounds>,
            limits: Option<Limits>,
            cut: Option<Cut>,
            longest: u64,
        }
        impl Drop for Before {
            fn drop(&mut self) {
                BOUNDS.replace(self.bounds.take());
                set_limits(self.limits);
                CUT.set(self.cut);
                MAX_LISTED_TURNS.set(self.longest);
            }
        }
        let _before = Before {
            bounds: BOUNDS.replace(Some(self)),
            limits: set_limits(Some(LIMITS)),
            cut: CUT.replace(None),
            longest: MAX_LISTED_TURNS.replace(u64::MAX),
        };
        let answer = ask();
        (answer, CUT.get())
    }

    /// Like [`Bounds::within`]; also returns whether a bound was reached. If so, wider bounds may give
    /// another answer even if this one is not an error, because a batch has an error for each of its items.
    pub fn watched<T, E: From<Error>>(self, ask: impl FnOnce() -> Result<T, E>) -> (Result<T, E>, bool) {
        let before = REACHED.replace(false);
        let answer = self.within(ask);
        (answer, REACHED.replace(before))
    }

    /// Whether a bound was reached since [`Bounds::watched`] began.
    pub fn reached() -> bool {
        REACHED.get()
    }

    /// Checks whether the request that this thread answers still has time; without bounds it does. A
    /// [`ValueStore`](crate::ValueStore) that reads much between two visits calls this.
    ///
    /// # Errors
    /// [`Error::TimedOut`], or [`Error::TooLarge`] if the rules ran out of memory.
    pub fn check() -> Result<(), Error> {
        check()
    }
}

/// The bounds of this thread, for other threads that work for it.
pub(crate) fn current() -> Option<Bounds> {
    BOUNDS.with_borrow(Clone::clone)
}

/// Calls a function within bounds, if there are any.
pub(crate) fn within<T>(bounds: &Option<Bounds>, ask: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    match bounds {
        Some(bounds) => bounds.clone().within(ask),
        None => ask(),
    }
}

/// The bounds of this thread, ending at `until` if that is earlier. Without bounds, a loop of the rules may
/// use [`SEARCH_MEMORY`].
fn bounds_until(until: Instant) -> Bounds {
    match current() {
        Some(outer) => Bounds { until: until.min(outer.until), ..outer },
        None => Bounds {
            until,
            looks: u64::MAX,
            ended: None,
            turns: u64::MAX,
            memory: SEARCH_MEMORY,
            threads: true,
        },
    }
}

/// Like [`Bounds::within`] with the bounds of this thread, ending at `until` if that is earlier.
///
/// # Errors
/// The errors of [`Bounds::within`]. [`unless_ended`] distinguishes the end of a search from a bound of the
/// request.
pub(crate) fn until<T>(until: Instant, ask: impl FnOnce() -> Result<T, Error>) -> Result<T, Error> {
    let mut left = None;
    let answer = bounds_until(until).within(|| {
        let answer = ask();
        left = current();
        answer
    });
    BOUNDS.with_borrow_mut(|bounds| {
        if let (Some(bounds), Some(left)) = (bounds, left) {
            (bounds.turns, bounds.looks) = (left.turns, left.looks);
        }
    });
    answer
}

/// Runs a search that hands over its results one by one. It ends after three quarters of this thread's time, so
/// that the results can still be sent even if a step takes long. Returns whether it was complete.
///
/// # Errors
/// The errors of the search, except those of its limits.
pub(crate) fn in_part(search: impl FnOnce() -> Result<(), Error>) -> Result<bool, Error> {
    let Some(end) = BOUNDS.with_borrow(|bounds| bounds.as_ref().map(|bounds| bounds.until)) else {
        return search().map(|()| true);
    };
    let now = Instant::now();
    let left = end.saturating_duration_since(now);
    Ok(unless_ended(until(now + (left - left / 4), search))?.is_some())
}

/// A time later than any limit.
pub(crate) fn far_future() -> Instant {
    Instant::now() + Duration::from_secs(3_000_000_000)
}

/// The instant after this time from now.
pub(crate) fn after(time: Duration) -> Instant {
    // A time that the clock cannot represent is no limit.
    Instant::now().checked_add(time).unwrap_or_else(far_future)
}

/// Lists at most `longest` turns, within the bounds of this thread and until a time. Returns the turns found
/// by then, and whether these are all.
pub(crate) fn list_until<T>(
    until: Instant,
    longest: u64,
    list: impl FnOnce(u64) -> Vec<T>,
) -> (Vec<T>, bool) {
    let longest = longest.min(turns_left().unwrap_or(u64::MAX));
    let (mut listed, cut) = bounds_until(until).cut(|| {
        MAX_LISTED_TURNS.set(longest);
        list(longest)
    });
    let complete = cut.is_none() && listed.len() as u64 <= longest;
    if !complete {
        record_reached();
    }
    listed.truncate(usize::try_from(longest).unwrap_or(usize::MAX));
    (listed, complete)
}

/// The answer, or `None` if a limit of the search ended it.
///
/// # Errors
/// Any other error, or the error of a bound of the request.
pub(crate) fn unless_ended<T>(answer: Result<T, Error>) -> Result<Option<T>, Error> {
    match answer {
        Err(Error::TimedOut | Error::TooLarge(_)) => check().map(|()| None),
        answer => answer.map(Some),
    }
}

/// Whether the rules must stop because the list of turns has its maximum length.
fn enough(turns: u64) -> bool {
    let enough = turns > MAX_LISTED_TURNS.get();
    if enough {
        CUT.set(Some(Cut::Turns));
    }
    enough
}

/// Whether the time is over.
pub(crate) fn is_over() -> bool {
    BOUNDS.with_borrow(|bounds| {
        bounds.as_ref().is_some_and(|bounds| {
            bounds.ended.as_ref().is_some_and(|ended| ended.load(Ordering::Relaxed))
                || Instant::now() >= bounds.until
        })
    })
}

/// Whether the rules must stop because the time is over.
fn cut_by_time() -> bool {
    let over = is_over();
    if over {
        CUT.set(Some(Cut::Time));
    }
    over
}

/// Whether the rules must stop rather than allocate `bytes`.
fn too_much(bytes: u64) -> bool {
    let refused = bytes > memory();
    if refused {
        CUT.set(Some(Cut::Memory));
    }
    refused
}

/// Checks that time remains and that the rules had enough memory. Call it after the rules and before using
/// their result, because they end early when the time is over.
pub(crate) fn check() -> Result<(), Error> {
    if let Some(cut) = CUT.get() {
        return Err(cut.error());
    }
    if is_over() {
        REACHED.set(true);
        return Err(Error::TimedOut);
    }
    Ok(())
}

/// Bytes that one loop or search may use.
pub(crate) fn memory() -> u64 {
    BOUNDS.with_borrow(|bounds| bounds.as_ref().map_or(u64::MAX, |bounds| bounds.memory))
}

/// Whether other threads may work for this one.
pub(crate) fn may_use_other_threads() -> bool {
    BOUNDS.with_borrow(|bounds| bounds.as_ref().is_none_or(|bounds| bounds.threads))
}

/// Records that more time could have changed the answer.
pub(crate) fn record_reached() {
    REACHED.set(true);
}

/// The error for a request that needs all turns of a position when there are more than may be listed.
pub(crate) fn too_many_turns() -> Error {
    REACHED.set(true);
    Error::TooLarge("this position has more turns than may be listed in one request".to_owned())
}

/// The number of turns that may still be listed; `None` means any number.
pub(crate) fn turns_left() -> Option<u64> {
    BOUNDS.with_borrow(|bounds| bounds.as_ref().map(|bounds| bounds.turns))
}

/// Subtracts `count` from the number of turns that may still be listed.
pub(crate) fn spend_turns(count: u64) {
    BOUNDS.with_borrow_mut(|bounds| {
        if let Some(bounds) = bounds {
            bounds.turns = bounds.turns.saturating_sub(count);
        }
    });
}

/// Subtracts `count` from the number of positions that a search may still look at.
fn spend_looks(count: u32) -> Result<(), Error> {
    BOUNDS.with_borrow_mut(|bounds| {
        let Some(bounds) = bounds else { return Ok(()) };
        bounds.looks = bounds.looks.saturating_sub(count.into());
        if bounds.looks == 0 {
            REACHED.set(true);
            return Err(Error::TimedOut);
        }
        Ok(())
    })
}

/// Checks the time in loops with short rounds, but not in each round.
#[derive(Default)]
pub(crate) struct Watch(u32);

impl Watch {
    /// Calls [`check`] every `every` rounds.
    pub(crate) fn tick(&mut self, every: u32) -> Result<(), Error> {
        self.0 = self.0.wrapping_add(1);
        if !self.0.is_multiple_of(every) {
            return Ok(());
        }
        spend_looks(every)?;
        check()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bounds(until: Instant, turns: u64) -> Bounds {
        Bounds { until, ended: None, looks: u64::MAX, turns, memory: 1000, threads: false }
    }

    #[test]
    fn bounds_apply_only_inside_their_scope() {
        let result = bounds(Instant::now(), 5).within(|| {
            spend_turns(3);
            assert_eq!(turns_left(), Some(2));
            let wider = bounds(Instant::now() + Duration::from_secs(60), 9);
            wider.within(check).unwrap();
            assert_eq!(turns_left(), Some(2));
            check()
        });
        assert!(matches!(result, Err(Error::TimedOut)));
        assert_eq!(turns_left(), None);
        assert!(check().is_ok() && may_use_other_threads());
    }

    #[test]
    fn a_search_ends_after_the_same_number_of_lookups_everywhere() {
        let later = Instant::now() + Duration::from_secs(60);
        let few = Bounds { looks: 10, ..bounds(later, 1) };
        let mut looks = 0;
        let searched = few.within(|| {
            let mut watch = Watch::default();
            loop {
                watch.tick(4)?;
                looks += 1;
            }
        });
        let searched: Result<(), Error> = searched;
        assert!(matches!(searched, Err(Error::TimedOut)));
        assert_eq!(looks, 11, "the third group of four spends the last of ten");
    }

    #[test]
    fn a_question_can_be_ended_from_outside() {
        let ended = Arc::new(AtomicBool::new(false));
        let later = Instant::now() + Duration::from_secs(60);
        let question = Bounds { ended: Some(Arc::clone(&ended)), ..bounds(later, 1) };
        let (before, reached) = question.clone().watched(check);
        assert!(before.is_ok() && !reached);
        ended.store(true, Ordering::Relaxed);
        let (after, reached) = question.watched(|| Ok::<_, Error>(check().is_err()));
        assert!(after.unwrap() && reached, "a bound was reached, even though the answer is not an error");
    }

    #[test]
    fn answers_after_an_interrupted_loop_of_the_rules_are_dropped() {
        use retrograde_game::interrupt;
        /// A loop of the rules that notices the end of the time, or finishes.
        fn rounds() -> usize {
            (0..1000).take_while(|_| !interrupt::interrupted()).count()
        }
        let wrong = || Error::Unsupported("not a legal turn".to_owned());
        for answer in [Ok("no puzzle here"), Err(wrong())] {
            let (dropped, reached) = bounds(Instant::now(), 1).watched(|| {
                assert!(rounds() < 1000);
                answer
            });
            assert!(matches!(dropped, Err(Error::TimedOut)) && reached);
        }
        let later = Instant::now() + Duration::from_secs(60);
        let (kept, reached) = bounds(later, 1).watched(|| Ok::<_, Error>(rounds()));
        assert_eq!((kept.unwrap(), reached), (1000, false));
    }

    #[test]
    fn results_of_rules_that_ran_out_of_memory_are_discarded() {
        use retrograde_game::interrupt;
        let later = Instant::now() + Duration::from_secs(60);
        let (answer, reached) = bounds(later, 1).watched(|| {
            assert!(!interrupt::too_much(1000));
            check().unwrap();
            assert!(interrupt::too_much(1001));
            check()
        });
        assert!(matches!(answer, Err(Error::TooLarge(_))) && reached);
        assert!(check().is_ok() && !interrupt::too_much(u64::MAX));
    }
}
