#[tare::bench]
fn no_values(n: usize) {} //~ `n` has no values: `#[tare::bench(n = [...])]`

#[tare::bench(m = [1])] //~ `m` is neither an option nor a parameter of this benchmark
fn other_name(n: usize) {}

#[tare::bench]
fn generic<T: Default>() -> T { //~ say what `T` is: `#[tare::bench(T = [u32, u64])]`
    T::default()
}

#[tare::bench]
async fn later() {} //~ an async body cannot be measured

#[tare::bench]
fn once() -> impl FnOnce() -> u32 { //~ a body runs many times: return `impl FnMut()`
    || 1
}

#[tare::bench(input = 1)] //~ `input` needs a parameter of the function that has no values
fn no_input() {}

#[tare::bench]
struct NotAFunction; //~ `#[tare::bench]` goes before a function or an `impl` block
