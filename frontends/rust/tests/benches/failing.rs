//! Benchmarks that fail in different steps, between ones that succeed.

#[tare::bench]
fn good() -> i32 {
    tare::keep(1) + 1
}

#[tare::bench]
fn body() -> i32 {
    let nothing: Option<i32> = tare::keep(None);
    nothing.expect("the body has no value")
}

#[tare::bench]
fn set_up() -> impl FnMut() -> i32 {
    let values: Vec<i32> = Vec::new();
    let first = values[tare::keep(0)];
    move || first
}

struct Refuses;

#[tare::bench(group = "refuses")]
impl Refuses {
    #[set_up]
    fn new() -> Result<Self, std::num::ParseIntError> {
        "x".parse::<i32>().map(|_| Refuses)
    }

    #[bench]
    fn never(&self) {}
}

struct Hooks(u32);

#[tare::bench]
impl Hooks {
    #[set_up]
    fn new() -> Self {
        Hooks(0)
    }

    #[iteration_set_up]
    fn before(&mut self) -> Result<(), String> {
        self.0 += 1;
        if self.0 == 3 {
            Err("the third time".to_owned())
        } else {
            Ok(())
        }
    }

    #[iteration_clean_up]
    fn after(&mut self) {
        assert!(self.0 < 5, "five times");
    }

    #[clean_up]
    fn done(self) {
        panic!("clean-up {}", 7);
    }

    #[bench]
    fn step(&mut self) -> u32 {
        self.0
    }
}

/// Panics in the middle of a loop, with a state that owns memory: it must be dropped once.
#[tare::bench]
fn midway() -> impl FnMut() -> usize {
    let mut all = vec![String::from("x")];
    move || {
        all.push(String::from("y"));
        assert!(all.len() < 500, "enough");
        all.len()
    }
}

#[tare::bench]
fn also_good() -> i32 {
    tare::keep(2) + 1
}

fn main() {
    tare::main();
}
