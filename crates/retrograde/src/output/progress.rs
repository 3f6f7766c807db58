//! Shows progress on standard error: a bar on a terminal, otherwise a line now and then, for the
//! logs of long runs. Ctrl-C and SIGTERM stop the solver cleanly.

use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use parking_lot::Mutex;
use retrograde_game::printable;
use retrograde_solve::Progress;

use crate::output::seconds;
use crate::output::terminal::{self, say};
use crate::program::signals::{catch_end_signals, end_signal};

/// Formats the units per second as a whole number; more digits would only flicker.
fn rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // An error of the bar must not stop the work.
    let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
}

/// Minimum time between two log lines.
const LOG_INTERVAL: Duration = Duration::from_secs(10);

/// A bar on a terminal, otherwise lines.
pub(crate) struct ProgressDisplay {
    bar: Mutex<ProgressBar>,
    started: Instant,
    /// Time of the last line.
    last_line: Mutex<Instant>,
}

impl ProgressDisplay {
    /// Shows progress while `work` runs.
    pub(crate) fn during<T>(work: impl FnOnce(&ProgressDisplay) -> T) -> T {
        catch_end_signals();
        let (bar, now) = (Mutex::new(ProgressBar::hidden()), Instant::now());
        let display = ProgressDisplay { bar, started: now, last_line: Mutex::new(now) };
        let done = work(&display);
        display.with(ProgressBar::finish_and_clear);
        done
    }

    /// Advances to the number of units that are done; returns whether to continue.
    pub(crate) fn counter(&self) -> impl FnMut(u64) -> bool {
        let mut reported = 0;
        move |done| {
            self.advance(done - reported);
            reported = done;
            !self.stopped()
        }
    }

    /// Advances by one unit and shows `state`.
    pub(crate) fn advance_saying(&self, state: &str) {
        self.log(state);
        self.with(|bar| {
            bar.set_message(printable(state).into_owned());
            bar.inc(1);
        });
    }

    /// Writes a line with the name of the stage, unless the last one is recent.
    fn log(&self, name: &str) {
        let mut last_line = self.last_line.lock();
        if last_line.elapsed() >= LOG_INTERVAL {
            *last_line = Instant::now();
            let after = seconds(self.started.elapsed().as_secs_f64());
            say(format!("after {after}: {name}"));
        }
    }

    fn with(&self, act: impl Fn(&ProgressBar)) {
        act(&self.bar.lock());
    }
}

/// Shows that a search without a known end is running, on a terminal. Ctrl-C ends the program as usual.
pub(crate) fn spinner(text: &'static str) -> ProgressBar {
    if !terminal::redraws() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner().with_message(text);
    bar.enable_steady_tick(Duration::from_millis(125));
    bar
}

impl Progress for ProgressDisplay {
    fn stage(&self, name: &str, total: u64) {
        let bar = if terminal::redraws() {
            let form = if total > 0 {
                "{msg} {wide_bar:.cyan/dim} {percent:>3}% {rate}/s {eta} left"
            } else {
                "{msg} {spinner} {human_pos} in {elapsed}"
            };
            let style = ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar());
            let style = match terminal::is_ascii() {
                true => style.progress_chars("#>-").tick_chars("|/-\\ "),
                false => style,
            };
            ProgressBar::with_draw_target((total > 0).then_some(total), ProgressDrawTarget::stderr_with_hz(8))
                .with_style(style.with_key("rate", rate))
                .with_message(printable(name).into_owned())
        } else {
            self.log(name);
            ProgressBar::hidden()
        };
        let mut held = self.bar.lock();
        held.finish_and_clear();
        *held = bar;
    }

    fn advance(&self, units: u64) {
        self.with(|bar| bar.inc(units));
    }

    fn note(&self, text: &str) {
        self.with(|bar| bar.suspend(|| say(format!("note: {text}"))));
    }

    fn stopped(&self) -> bool {
        end_signal().is_some()
    }
}
