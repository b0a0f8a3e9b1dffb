#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tare::tests::fuzz::target("elf")(data));
