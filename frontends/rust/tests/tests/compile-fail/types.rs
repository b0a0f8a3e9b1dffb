#[tare::bench(n = ["a"])] //~ expected `usize`, found `&str`
fn wrong_type(n: usize) {}

#[tare::bench(input = 1, s = [String::new()])]
fn not_copy(n: u32, s: String) {} //~ the trait bound `String: Copy` is not satisfied

#[tare::bench(n = [1.5], operations = n)] //~ Operations` is not satisfied
fn fraction(n: f64) {}
