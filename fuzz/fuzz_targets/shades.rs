#![no_main]
use retrograde_fuzz::{run, write_seeds_if_asked};

libfuzzer_sys::fuzz_target!(init: write_seeds_if_asked("shades"), |bytes: &[u8]| run("shades", bytes));
