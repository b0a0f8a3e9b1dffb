//! For inputs that are JSON: half of them are changed as JSON, the others as bytes.

libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    if seed % 2 == 0 {
        if let Some(size) = tare::tests::fuzz::mutate(data, size, seed / 2) {
            return size;
        }
    }
    libfuzzer_sys::fuzzer_mutate(data, size, max_size)
});
