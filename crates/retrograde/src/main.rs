//! The `retrograde` program: the command line with the three games that come with it.

use std::process::ExitCode;

fn main() -> ExitCode {
    retrograde::run(retrograde::registry(), std::env::args_os())
}
