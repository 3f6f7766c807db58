//! The `retrograde` program: the command line with the built-in games.

use std::process::ExitCode;

use retrograde_solve::memory::{Memory, report_aborts};

/// Reports an error instead of aborting when memory runs out.
#[global_allocator]
static MEMORY: Memory = Memory;

fn main() -> ExitCode {
    report_aborts();
    retrograde::run(retrograde::registry(), std::env::args_os())
}
