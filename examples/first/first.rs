//! Two ways to add up numbers that take the same time, and a mistake that Tare points out.

#[tare::bench(group = "parse", name = "str::parse")]
fn parse() -> i64 {
    tare::keep("123456789").parse().unwrap()
}

struct Numbers(Vec<f64>);

#[tare::bench(group = "sum")]
impl Numbers {
    #[set_up]
    fn new() -> Self {
        Numbers((0..1000).map(f64::from).collect())
    }

    #[bench(baseline)]
    fn iterator(&self) -> f64 {
        self.0.iter().sum()
    }

    /// Each addition waits for the one before it, however the loop is written.
    #[bench]
    fn for_loop(&self) -> f64 {
        let mut sum = 0.0;
        for number in &self.0 {
            sum += number;
        }
        sum
    }

    /// Nothing is returned, so the compiler removes the work.
    #[bench]
    fn not_returned(&self) {
        let _sum: f64 = self.0.iter().sum();
    }
}

fn main() {
    tare::main();
}
