#[derive(Default)]
struct A;

#[tare::bench]
impl A { //~ nothing to measure: put `#[bench]` before a method
    fn f(&self) {}
}

struct B;

#[tare::bench]
impl B {
    #[set_up]
    fn new(n: usize) -> Self { //~ `n` has no values
        B
    }
    #[bench]
    fn f(&self) {}
}

#[derive(Default)]
struct C;

#[tare::bench]
impl C {
    #[bench]
    fn f(&self, n: usize) {} //~ only the set-up gets the parameters
}

#[derive(Default)]
struct D;

#[tare::bench(baseline)] //~ `baseline` belongs to one benchmark
impl D {
    #[bench]
    fn f(&self) {}
}

#[derive(Default)]
struct E;

#[tare::bench]
impl Clone for E { //~ not of a trait
    fn clone(&self) -> E {
        E
    }
}

#[derive(Default)]
struct F;

#[tare::bench]
impl F {
    #[iteration_set_up]
    fn before(self) {} //~ `#[iteration_set_up]` goes before a method that takes `&mut self`
    #[bench]
    fn f(&self) {}
}

#[derive(Default)]
struct G;

#[tare::bench]
impl G {
    #[bench]
    fn f(&self) {}
    #[bench(baselin)] //~ `baselin` is neither an option nor a parameter of this benchmark; did you mean `baseline`?
    fn g(&self) {}
}

struct H;

#[tare::bench]
impl H {
    #[tare::bench]
    fn new() -> H {
        H
    }
    #[set_up]
    fn make() -> H {
        H
    }
    #[set_up]
    fn again() -> H { //~ there is another one of these
        H
    }
}

struct Shared;

#[tare::bench(in_threads = [1, 2])]
impl Shared {
    #[set_up]
    fn new() -> Self {
        Shared
    }

    #[bench]
    fn changes(&mut self) {} //~ threads share the instance: with `in_threads` a method takes `&self`
}

struct Later;

#[tare::bench]
impl Later {
    #[set_up]
    async fn new() -> Self { //~ an async body needs something that waits for it
        Later
    }

    #[bench]
    fn body(&self) {}
}

struct Timed;

#[tare::bench]
impl Timed {
    #[bench(own_time)]
    fn says(&self) -> std::time::Duration { //~ with `own_time` a method takes the number of invocations
        std::time::Duration::ZERO
    }
}
