//! The `retrograde` program: the command line with the three games that come with it.

use std::process::ExitCode;

use retrograde_solve::memory::{Memory, explain_aborts};

/// Without memory the program ends with an error, and does not abort.
#[global_allocator]
static MEMORY: Memory = Memory;

fn main() -> ExitCode {
    explain_aborts();
    retrograde::run(retrograde::registry(), std::env::args_os())
}
