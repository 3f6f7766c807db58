//! Signals. Long work stops cleanly and keeps its checkpoint on Ctrl-C (SIGINT), SIGTERM (sent by service
//! managers and batch systems) and SIGHUP (sent when a terminal closes); a second signal ends the program
//! at once. Other work ends at the first signal. In both cases temporary files are removed. If SIGHUP is
//! ignored, as after `nohup`, it stays ignored. Writing more than `ulimit -f` allows is an error of the
//! write, and does not kill the program.

use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use retrograde_explore::export::remove_temporaries;

use crate::terminal::say;

/// The signal that was caught; 0: none so far.
static CAUGHT: AtomicI32 = AtomicI32::new(0);

/// A signal that asks the program to end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct EndSignal(i32);

impl EndSignal {
    /// The exit status, as in shells: 130 for Ctrl-C, 143 for SIGTERM, 129 for SIGHUP.
    pub(crate) fn exit_status(self) -> u8 {
        u8::try_from(128 + self.0).unwrap_or(u8::MAX)
    }

    /// Sends the signal on to another process. One that has ended meanwhile needs none.
    #[cfg(all(unix, feature = "cluster"))]
    pub(crate) fn pass_on(self, child: &std::process::Child) {
        use rustix::process::{Pid, Signal, kill_process};
        let signal = if self.0 == SIGINT { Signal::INT } else { Signal::TERM };
        let _ = kill_process(Pid::from_child(child), signal);
    }

    /// Elsewhere the processes of a console get Ctrl-C together.
    #[cfg(all(not(unix), feature = "cluster"))]
    pub(crate) fn pass_on(self, _child: &std::process::Child) {}
}

const SIGINT: i32 = 2;
#[cfg(unix)]
const SIGTERM: i32 = 15;
const SIGHUP: i32 = 1;

/// Whether work looks at [`end_signal`] and stops by itself.
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

/// The signal that asked for the end, if one did.
pub(crate) fn end_signal() -> Option<EndSignal> {
    Some(CAUGHT.load(Ordering::SeqCst)).filter(|&signal| signal != 0).map(EndSignal)
}

/// Takes note of the first signal, and says so.
fn note(signal: i32) {
    CAUGHT.store(signal, Ordering::SeqCst);
    say(format!("{}: stopping (repeat to quit immediately)", EndSignal(signal)));
}

/// Lets the signals that ask for the end stop long work. Later calls change nothing.
pub(crate) fn catch_end_signals() {
    STOPS_ITSELF.store(true, Ordering::SeqCst);
    remove_temporaries_at_end();
}

/// Removes temporary files before such a signal ends the program. Later calls change nothing.
pub(crate) fn remove_temporaries_at_end() {
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
    // Without a handler Ctrl-C ends the program, which does no harm either.
    let _ = ctrlc::set_handler(|| {
        if end_signal().is_some() || !STOPS_ITSELF.load(Ordering::SeqCst) {
            remove_temporaries();
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
