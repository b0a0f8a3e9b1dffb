//! Two ways to add up the digits of a number. Try `tare run hello.rs`, or `cargo run --release --bin hello`.

/// By division.
#[tare::bench(group = "digits", baseline)]
fn arithmetic() -> u64 {
    let mut number = tare::keep(123_456_789_u64);
    let mut sum = 0;
    while number != 0 {
        sum += number % 10;
        number /= 10;
    }
    sum
}

/// Via a string.
#[tare::bench(group = "digits")]
fn text() -> u64 {
    tare::keep(123_456_789_u64).to_string().bytes().map(|digit| u64::from(digit - b'0')).sum()
}

fn main() {
    tare::main();
}
