//! Two ways to do the same thing: a group with a baseline. The first line of the documentation is shown with it.

/// One string for each number, and one for the result.
#[tare::bench(group = "join", baseline)]
fn collect() -> String {
    let numbers = tare::keep([1, 22, 333]);
    numbers.iter().map(i32::to_string).collect::<Vec<_>>().join(",")
}

/// One string that grows.
#[tare::bench(group = "join")]
fn fold() -> String {
    let numbers = tare::keep([1, 22, 333]);
    numbers.iter().fold(String::new(), |text, number| format!("{text}{number},"))
}

fn main() {
    tare::main();
}
