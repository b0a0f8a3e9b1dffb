//! A trap: the body keeps what it made, so each invocation finds more than the one before, and the time that comes out is
//! the time of no invocation. Tare tells by the memory that grows, and stops it. How to mend it is shown by `grow` in `classics.rs`: empty the vector before each iteration, or ask for a fresh input.
#![allow(missing_docs)]

#[derive(Default)]
struct Trap {
    all: Vec<u64>,
}

#[tare::bench(group = "trap")]
impl Trap {
    #[bench]
    fn push(&mut self) -> usize {
        for number in 0..1000 {
            self.all.push(number);
        }
        self.all.len()
    }
}

fn main() {
    tare::main();
}
