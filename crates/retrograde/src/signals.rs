//! Signals. Ctrl-C (SIGINT) and SIGTERM, by which service managers and batch systems end a program,
//! let long work stop cleanly and keep what it has saved; a second one ends the program at once. A
//! file that grows beyond `ulimit -f` is an error of the write, and no signal that kills.

use std::io::Write;
use std::sync::atomic::{AtomicI32, Ordering};

/// The signal that was caught; 0: none so far.
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// A signal that asks the program to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EndSignal(i32);

impl EndSignal {
    /// The exit status by which shells tell it: 130 for Ctrl-C, 143 for SIGTERM.
    pub(crate) fn exit_status(self) -> u8 {
        u8::try_from(128 + self.0).unwrap_or(u8::MAX)
    }

    /// Sends the signal on to another process. One that has ended meanwhile needs none.
    #[cfg(all(unix, feature = "cluster"))]
    pub(crate) fn pass_on(self, child: &std::process::Child) {
        use rustix::process::{Pid, Signal, kill_process};
        let signal = if self.0 == SIGTERM { Signal::TERM } else { Signal::INT };
        let _ = kill_process(Pid::from_child(child), signal);
    }

    /// Elsewhere the processes of a console get Ctrl-C together.
    #[cfg(all(not(unix), feature = "cluster"))]
    pub(crate) fn pass_on(self, _child: &std::process::Child) {}
}

const SIGINT: i32 = 2;
#[cfg(unix)]
const SIGTERM: i32 = 15;

impl std::fmt::Display for EndSignal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.0 == SIGINT { "Ctrl-C" } else { "SIGTERM" })
    }
}

/// The signal that asked for the end, if one did.
pub(crate) fn end_signal() -> Option<EndSignal> {
    Some(CAUGHT.load(Ordering::SeqCst)).filter(|&signal| signal != 0).map(EndSignal)
}

/// Takes note of the first signal, and says so.
fn note(signal: i32) {
    CAUGHT.store(signal, Ordering::SeqCst);
    let text = format!("{}: stopping; a second one ends the program at once", EndSignal(signal));
    // A closed standard error wants no lines.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Lets Ctrl-C and SIGTERM stop long work. Later calls change nothing.
pub(crate) fn catch_end_signals() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(watch);
}

#[cfg(unix)]
fn watch() {
    use std::time::{Duration, Instant};
    // A program that starts several processes passes a signal on to each, and a service manager may
    // have sent it to all of them already: within this time it counts once.
    const ONE_SIGNAL: Duration = Duration::from_secs(1);
    let (sender, ready) = std::sync::mpsc::channel::<()>();
    // Without this thread a signal ends the program at once, which does no harm either.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let Ok(mut signals) = signal_hook::iterator::Signals::new([SIGINT, SIGTERM]) else { return };
        drop(sender);
        let mut first = None;
        for signal in signals.forever() {
            match first {
                None => {
                    note(signal);
                    first = Some(Instant::now());
                }
                Some(first) if first.elapsed() < ONE_SIGNAL => {}
                Some(_) => std::process::exit(EndSignal(signal).exit_status().into()),
            }
        }
    });
    let _ = ready.recv();
}

#[cfg(not(unix))]
fn watch() {
    // Without a handler Ctrl-C ends the program, which does no harm either.
    let _ = ctrlc::set_handler(|| {
        if end_signal().is_some() {
            std::process::exit(EndSignal(SIGINT).exit_status().into());
        }
        note(SIGINT);
    });
}

/// Makes a write beyond the longest file that is allowed (`ulimit -f`) fail, where the system's
/// signal would end the program without a word.
#[cfg(unix)]
pub(crate) fn survive_long_files() {
    // The flag is of no interest: catching the signal is enough for the write to fail.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

#[cfg(not(unix))]
pub(crate) fn survive_long_files() {}
