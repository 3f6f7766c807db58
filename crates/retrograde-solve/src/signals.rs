//! Signals that a program was told to ignore, as by `nohup`.

/// Whether the process ignores a signal, such as SIGHUP (1) after `nohup`.
#[cfg(unix)]
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: a `sigaction` of zeros is one; without a new action the call only fills it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// Elsewhere there are no such signals.
#[cfg(not(unix))]
pub fn is_ignored(_signal: i32) -> bool {
    false
}
