// Which way to parse a number is faster? `tare run` measures both and says so.

// `keep` hides the text, or the compiler would compute the result itself.
#[tare::bench(group = "parse", baseline)]
fn library() -> u64 {
    tare::keep("123456789").parse().unwrap()
}

#[tare::bench(group = "parse")]
fn by_hand() -> u64 {
    tare::keep("123456789").bytes().fold(0, |number, digit| number * 10 + u64::from(digit - b'0'))
}

fn main() {
    tare::main();
}
