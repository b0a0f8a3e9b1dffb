//! A trap: the body keeps what it made, so each invocation works on more data than the one before, and the time is not that
//! of any invocation. Tare detects the growing memory and stops the launch: `tare run traps` ends with exit
//! code 100. The fix is `grow` in `examples/rust/benches/classics.rs`: empty the vector before each iteration, or ask for
//! a fresh input.

#[derive(Default)]
struct Trap {
    all: Vec<u64>,
}

#[tare::bench(group = "trap")]
impl Trap {
    #[bench]
    fn push(&mut self) -> usize {
        for number in 0..100_000 {
            self.all.push(number);
        }
        self.all.len()
    }
}

fn main() {
    tare::main();
}
