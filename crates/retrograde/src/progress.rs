//! How far a solver is, as a bar on standard error when that is a terminal; and Ctrl-C, which stops it cleanly.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{HumanCount, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use retrograde_solve::Progress;

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

/// Units a second as a whole number: the digits after the point only flicker.
fn rate(state: &ProgressState, out: &mut dyn std::fmt::Write) {
    // A bar that cannot be written is no failure of what it shows.
    let _ = write!(out, "{}", HumanCount(state.per_sec() as u64));
}

/// A bar, or nothing where nobody looks.
pub(crate) struct Bar(Mutex<ProgressBar>);

impl Bar {
    pub(crate) fn new() -> Bar {
        catch_interrupt();
        Bar(Mutex::new(ProgressBar::hidden()))
    }

    pub(crate) fn finish(&self) {
        self.with(ProgressBar::finish_and_clear);
    }

    fn with(&self, act: impl Fn(&ProgressBar)) {
        // A thread that panicked while it drew has left the bar as good as it was.
        act(&self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
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
            ProgressBar::hidden()
        };
        let mut held = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        held.finish_and_clear();
        *held = bar;
    }

    fn advance(&self, units: u64) {
        self.with(|bar| bar.inc(units));
    }

    fn stopped(&self) -> bool {
        STOPPED.load(Ordering::SeqCst)
    }
}
