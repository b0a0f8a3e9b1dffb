//! Inputs in turn, cold caches, and data at many addresses. Fresh inputs are in `06-input`.

/// The branch predictor learns the branches of one text by heart ...
#[tare::bench(group = "parse", baseline)]
fn one_text() -> u64 {
    tare::keep("2654435761").parse().unwrap_or(0)
}

/// ... but not those of 256.
#[tare::bench(group = "parse")]
fn texts_in_turn() -> impl FnMut() -> u64 {
    let mut texts = tare::rotate((0..256_u32).map(|n| n.wrapping_mul(2_654_435_761).to_string()));
    move || texts.next().parse().unwrap_or(0)
}

#[tare::bench(group = "sum", baseline)]
fn warm() -> impl FnMut() -> u64 {
    let values = vec![1_u64; 20_000];
    move || values.iter().sum()
}

/// Before each invocation, all data is removed from the caches, unmeasured.
#[tare::bench(group = "sum", cold_caches)]
fn cold() -> impl FnMut() -> u64 {
    warm()
}

/// Each visit has both arrays at other addresses.
#[tare::bench(group = "copy", memory_randomization)]
fn many_places() -> impl FnMut() -> u8 {
    let (from, mut to) = (vec![1_u8; 8192], vec![0_u8; 8192]);
    move || {
        to.copy_from_slice(&from);
        to[8191]
    }
}

fn main() {
    tare::main();
}
