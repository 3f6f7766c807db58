#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| retrograde_fuzz::run("sparse_table", bytes));
