//! Parameters: anything that can be iterated, in all combinations. `operations` may use them: here the time is per byte.

const SIZES: [usize; 3] = [16, 256, 4096];

#[tare::bench(size = SIZES, needle = ['x', 'é'], operations = size, unit = "byte")]
fn find(size: usize, needle: char) -> Option<usize> {
    static TEXT: [u8; 4096] = [b'a'; 4096];
    std::str::from_utf8(&TEXT[..size]).unwrap().find(needle)
}

fn main() {
    tare::main();
}
