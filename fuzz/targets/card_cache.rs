//! See `bodies.rs`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| batt_fuzz::card_cache(bytes));
