//! See `batt_testing::fuzz`.

#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| batt_testing::fuzz::card_cache(bytes));
