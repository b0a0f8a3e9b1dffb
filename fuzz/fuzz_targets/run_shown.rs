#![no_main]

mod json;

libfuzzer_sys::fuzz_target!(|data: &[u8]| tare::tests::fuzz::target("run_shown")(data));
