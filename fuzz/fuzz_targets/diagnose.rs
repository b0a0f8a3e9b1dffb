#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tare_diagnose::fuzz::read(data));
