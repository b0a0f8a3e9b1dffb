//! The smallest benchmark: a function. `cargo bench --bench 01-hello`
//!
//! Its return value has to be computed. Values known at compile time go through `tare::keep`, or else the compiler
//! would parse the number itself.

#[tare::bench]
fn parse() -> i64 {
    tare::keep("123456789").parse().unwrap()
}

fn main() {
    tare::main();
}
