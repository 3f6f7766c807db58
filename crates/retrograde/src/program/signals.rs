//! Signals. Long work stops cleanly and keeps its checkpoint on Ctrl-C (SIGINT), SIGTERM (sent by
//! service managers and batch systems) and SIGHUP (sent when a terminal closes); a second signal
//! ends the program immediately. Other work ends at the first signal. In both cases temporary files
//! are removed. If SIGHUP is ignored, as after `nohup`, it stays ignored. Writing more than `ulimit
//! -f` allows makes the write fail instead of killing the program.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use retrograde_explore::export::remove_temporaries;

use crate::output::terminal::say;

/// The signal that was caught, or 0.
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// A signal that asks the program to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EndSignal(i32);

impl EndSignal {
    /// The exit status, as in shells: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.
    pub(crate) fn exit_status(self) -> u8 {
        u8::try_from(128 + self.0).unwrap_or(u8::MAX)
    }

    /// Forwards the signal to another process, which may already have ended.
    #[cfg(all(unix, feature = "cluster"))]
    pub(crate) fn pass_on(self, child: &std::process::Child) {
        use rustix::process::{Pid, Signal, kill_process};
        let signal = if self.0 == SIGINT { Signal::INT } else { Signal::TERM };
        let _ = kill_process(Pid::from_child(child), signal);
    }

    /// On other systems, all processes of a console receive Ctrl-C.
    #[cfg(all(not(unix), feature = "cluster"))]
    pub(crate) fn pass_on(self, _child: &std::process::Child) {}
}

const SIGINT: i32 = 2;
#[cfg(unix)]
const SIGTERM: i32 = 15;
const SIGHUP: i32 = 1;

/// Whether the running work polls [`end_signal`] and stops by itself.
static STOPS_ITSELF: AtomicBool = AtomicBool::new(false);

impl std::fmt::Display for EndSignal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.0 {
            SIGINT => "Ctrl-C",
            SIGHUP => "SIGHUP",
            _ => "SIGTERM",
        })
    }
}

/// The signal that was received, if any.
pub(crate) fn end_signal() -> Option<EndSignal> {
    Some(CAUGHT.load(Ordering::SeqCst)).filter(|&signal| signal != 0).map(EndSignal)
}

/// Records the first signal and prints a message.
fn note(signal: i32) {
    CAUGHT.store(signal, Ordering::SeqCst);
    say(format!("{}: stopping (repeat to quit immediately)", EndSignal(signal)));
}

/// Lets end signals stop long work cleanly. Later calls do nothing.
pub(crate) fn catch_end_signals() {
    STOPS_ITSELF.store(true, Ordering::SeqCst);
    remove_temporaries_at_end();
}

/// Makes end signals remove temporary files before the program ends. Later calls do nothing.
pub(crate) fn remove_temporaries_at_end() {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(watch);
}

#[cfg(unix)]
fn watch() {
    use std::time::{Duration, Instant};
    // A parent forwards a signal to its processes, which may have received it from a service
    // manager already. Within this time it counts once.
    const ONE_SIGNAL: Duration = Duration::from_secs(1);
    let (sender, ready) = std::sync::mpsc::channel::<()>();
    // Without this thread a signal ends the program immediately, which is harmless.
    let _ = std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let hangup = (!retrograde_solve::signals::is_ignored(SIGHUP)).then_some(SIGHUP);
        let wanted = [SIGINT, SIGTERM].into_iter().chain(hangup);
        let Ok(mut signals) = signal_hook::iterator::Signals::new(wanted) else { return };
        drop(sender);
        let mut first = None;
        for signal in signals.forever() {
            if !STOPS_ITSELF.load(Ordering::SeqCst) {
                remove_temporaries();
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
            match first {
                None => {
                    note(signal);
                    first = Some(Instant::now());
                }
                Some(first) if first.elapsed() < ONE_SIGNAL => {}
                Some(_) => {
                    remove_temporaries();
                    std::process::exit(EndSignal(signal).exit_status().into());
                }
            }
        }
    });
    let _ = ready.recv();
}

#[cfg(not(unix))]
fn watch() {
    // Without a handler Ctrl-C ends the program, which is harmless.
    let _ = ctrlc::set_handler(|| {
        if end_signal().is_some() || !STOPS_ITSELF.load(Ordering::SeqCst) {
            remove_temporaries();
            std::process::exit(EndSignal(SIGINT).exit_status().into());
        }
        note(SIGINT);
    });
}

/// Makes writes beyond `ulimit -f` fail. By default the system's signal would kill the program
/// without a message.
#[cfg(unix)]
pub(crate) fn ignore_file_size_signal() {
    // The flag is unused: catching the signal makes the write fail.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

#[cfg(not(unix))]
pub(crate) fn ignore_file_size_signal() {}
