#[tare::bench]
fn no_values(n: usize) {} //~ `n` has no values: `#[tare::bench(n = [...])]`

#[tare::bench(group = "an option that is fine")]
fn no_values_but_a_group(n: usize) {} //~ `n` has no values: `#[tare::bench(n = [...])]`

#[tare::bench(m = [1])] //~ `m` is neither an option nor a parameter of this benchmark
fn other_name(n: usize) {}

#[tare::bench]
fn generic<T: Default>() -> T { //~ say what `T` is: `#[tare::bench(T = [u32, u64])]`
    T::default()
}

#[tare::bench]
async fn later() {} //~ an async body needs something that waits for it

#[tare::bench]
fn once() -> impl FnOnce() -> u32 { //~ a body runs many times: return `impl FnMut()`
    || 1
}

#[tare::bench]
fn argument() -> impl FnMut(u32) -> u32 { //~ a body takes no arguments
    |n| n
}

#[tare::bench(input = 1)]
fn no_argument() -> impl FnMut() -> u32 { //~ with `input = ...` the closure takes the input: return `impl FnMut(&mut T)`
    || 1
}

#[tare::bench(input = 1)]
fn arguments() -> impl FnMut(u32, Vec<(u8, u8)>) -> u32 { //~ the closure takes only the input: put several values into a tuple
    |n, _| n
}

#[tare::bench(args = [1, 2])]
fn of_divan(n: u32) -> u32 {
    n
}

#[tare::bench(args = [(1, 2)])]
fn of_a_pattern((a, b): (u32, u32)) -> u32 {
    a + b
}

#[tare::bench(args = [1, 2], input = vec![0; n])]
fn with_input(n: usize, v: &mut Vec<u8>) -> usize {
    v.len() + n
}

#[tare::bench(args = [1])]
fn two_patterns((a,): (u32,), (b,): (u32,)) {} //~ give this parameter a name: two patterns cannot be distinguished

#[tare::bench]
fn bencher(bencher: divan::Bencher) {} //~ return the closure to measure: `fn bencher() -> impl FnMut()`

#[tare::bench(input = 1)] //~ `input` needs a parameter of the function that has no values
fn no_input() {}

#[tare::bench]
struct NotAFunction; //~ `#[tare::bench]` goes before a function or an `impl` block
