//! A type with set-ups and several benchmarks. Each benchmark has its own instance.

struct Sort {
    shuffled: Vec<u32>,
    work: Vec<u32>,
}

#[tare::bench(n = [100, 10_000], operations = n, unit = "element")]
impl Sort {
    /// Runs once; takes the parameters.
    #[set_up]
    fn new(n: u32) -> Self {
        Sort { shuffled: (0..n).map(|x| x.wrapping_mul(2_654_435_761)).collect(), work: Vec::new() }
    }

    /// Runs before each iteration, unmeasured, so that the body has work to do.
    #[iteration_set_up]
    fn shuffle(&mut self) {
        self.work.clone_from(&self.shuffled);
    }

    #[bench(baseline)]
    fn stable(&mut self) {
        self.work.sort();
    }

    #[bench]
    fn unstable(&mut self) {
        self.work.sort_unstable();
    }

    /// Runs at the end.
    #[clean_up]
    fn done(self) {
        assert!(self.work.windows(2).all(|pair| pair[0] <= pair[1]));
    }
}

fn main() {
    tare::main();
}
