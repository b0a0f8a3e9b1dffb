//! Set-up and body: a function that returns a closure. The function runs once, unmeasured; the closure is measured. Its
//! captures are its state, and a small state lives in registers while the loop runs.

#[tare::bench(n = [10, 1000])]
fn sum(n: u64) -> impl FnMut() -> u64 {
    let values: Vec<u64> = (0..n).collect();
    move || values.iter().sum()
}

#[tare::bench]
fn random() -> impl FnMut() -> u64 {
    let mut x = 88_172_645_463_325_252_u64;
    move || {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        x
    }
}

fn main() {
    tare::main();
}
