//! A fresh input for each invocation, made before the clock starts. Unlike an iteration set-up it lets many invocations fit
//! into one iteration, so that short bodies can be measured. An input taken by reference is dropped after the clock has stopped.

fn shuffled(n: u32) -> Vec<u32> {
    (0..n).map(|x| x.wrapping_mul(2_654_435_761)).collect()
}

#[tare::bench(n = [10, 100], input = shuffled(n))]
fn sort(values: &mut [u32]) {
    values.sort_unstable();
}

/// By value, the body has to drop it, and the drop is part of the time.
#[tare::bench(n = [10, 100], input = shuffled(n))]
fn consume(values: Vec<u32>) -> u32 {
    values.into_iter().fold(0, u32::wrapping_add)
}

/// A set-up that returns the body: the text is made once, and each call has its own list.
#[tare::bench(n = [10, 100], input = Vec::with_capacity(n))]
fn split(n: usize) -> impl FnMut(&mut Vec<String>) -> usize {
    let text = "word ".repeat(n);
    move |words| {
        words.extend(text.split_whitespace().map(str::to_owned));
        words.len()
    }
}

fn main() {
    tare::main();
}
