//! Signals that the process ignores, for example because of `nohup`.

/// Returns whether the process ignores a signal, such as SIGHUP (1) after `nohup`.
#[cfg(unix)]
pub fn is_ignored(signal: i32) -> bool {
    // SAFETY: a zeroed `sigaction` is valid, and without a new action the call only fills it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}

/// There are no such signals on this platform.
#[cfg(not(unix))]
pub fn is_ignored(_signal: i32) -> bool {
    false
}
