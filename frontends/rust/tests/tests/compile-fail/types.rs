#[tare::bench(n = ["a"])] //~ expected `usize`, found `&str`
fn wrong_type(n: usize) {}

#[tare::bench(s = [String::new()])]
fn not_copy(s: String) {} //~ the trait bound `String: Copy` is not satisfied
