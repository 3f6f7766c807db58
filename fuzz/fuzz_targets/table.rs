#![no_main]
use retrograde_fuzz::{run, write_seeds_if_asked};

libfuzzer_sys::fuzz_target!(init: write_seeds_if_asked("table"), |bytes: &[u8]| run("table", bytes));
