//! How far a solver is, on standard error: as a bar when that is a terminal, else, for logs of long runs, as a line now and then;
//! and Ctrl-C, which stops it cleanly.

use std::io::{IsTerminal, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use retrograde_solve::Progress;

use crate::output::seconds;

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Lets Ctrl-C stop what is running; a second one ends the program at once. May be called again and again.
pub(crate) fn catch_interrupt() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        // Without a handler Ctrl-C ends the program, which harms nothing either.
        let _ = ctrlc::set_handler(|| {
            if STOPPED.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        });
    });
}

/// Whether Ctrl-C was pressed.
pub(crate) fn interrupted() -> bool {
    STOPPED.load(Ordering::SeqCst)
}

/// Units a second as a whole number: the digits after the point only flicker.
fn rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // A bar that cannot be written is no failure of what it shows.
    let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
}

/// A log has a line at most so often; what is done sooner has none.
const OFTEN: Duration = Duration::from_secs(10);

/// A bar, or lines where there is no terminal.
pub(crate) struct Bar {
    bar: Mutex<ProgressBar>,
    began: Instant,
    /// When the last line was written.
    told: Mutex<Instant>,
}

impl Bar {
    pub(crate) fn new() -> Bar {
        catch_interrupt();
        let now = Instant::now();
        Bar { bar: Mutex::new(ProgressBar::hidden()), began: now, told: Mutex::new(now) }
    }

    pub(crate) fn finish(&self) {
        self.with(ProgressBar::finish_and_clear);
    }

    /// Writes what is begun, if the last line is some time ago.
    fn tell(&self, name: &str) {
        let mut told = self.told.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if told.elapsed() >= OFTEN {
            *told = Instant::now();
            let after = seconds(self.began.elapsed().as_secs_f64());
            // Whoever closed standard error wants no lines.
            let _ = writeln!(std::io::stderr(), "after {after}: {name}");
        }
    }

    fn with(&self, act: impl Fn(&ProgressBar)) {
        // A thread that panicked while it drew has left the bar as good as it was.
        act(&self.bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    }
}

impl Progress for Bar {
    fn stage(&self, name: &str, total: u64) {
        let bar = if std::io::stderr().is_terminal() {
            let form = if total > 0 {
                "{msg} {wide_bar:.cyan/dim} {percent:>3} % {rate}/s {eta} left"
            } else {
                "{msg} {spinner} {human_pos} in {elapsed}"
            };
            let style = ProgressStyle::with_template(form).unwrap_or_else(|_| ProgressStyle::default_bar());
            ProgressBar::with_draw_target((total > 0).then_some(total), ProgressDrawTarget::stderr_with_hz(8))
                .with_style(style.with_key("rate", rate))
                .with_message(name.to_owned())
        } else {
            self.tell(name);
            ProgressBar::hidden()
        };
        let mut held = self.bar.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        held.finish_and_clear();
        *held = bar;
    }

    fn advance(&self, units: u64) {
        self.with(|bar| bar.inc(units));
    }

    fn stopped(&self) -> bool {
        interrupted()
    }
}
