//! Ten thousand cases: a product of four parameters, or the same number added in a loop if MANY is set.

#[tare::bench(a = 0..10, b = 0..10, c = 0..10, d = 0..10, skip_if = std::env::var_os("MANY").is_some())]
fn product(a: u32, b: u32, c: u32, d: u32) -> u32 {
    a + b + c + d
}

fn main() {
    let many = std::env::var("MANY").ok().and_then(|many| many.parse().ok());
    for i in 0..many.unwrap_or(0_u32) {
        tare::add(format!("added {}", i * 7919 % 10_007), move || move || i).group("added");
    }
    tare::main();
}
