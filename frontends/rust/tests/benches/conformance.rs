//! The conformance benchmarks (spec/protocol.md, section 8) in Rust.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Mutex;

static TRACE: Mutex<String> = Mutex::new(String::new());

/// Leaves the letter of a step, and fails where it is the step that throws.
fn leave(letter: char, throws: char) -> String {
    let trace = {
        let mut trace = TRACE.lock().expect("no panic holds it");
        if trace.len() < 1000 {
            trace.push(letter);
        }
        trace.clone()
    };
    assert!(letter != throws, "it throws");
    trace
}

#[tare::bench(group = "conformance")]
fn count() -> impl FnMut() -> u64 {
    let mut invocations = 0;
    move || {
        invocations += 1;
        invocations
    }
}

struct Operations(u64);

#[tare::bench(group = "conformance")]
impl Operations {
    #[set_up]
    fn new() -> Self {
        Operations(12)
    }

    #[bench(name = "operations", operations = self.0)]
    fn body(&mut self) -> u64 {
        self.0
    }
}

struct IterationOperations(u64);

#[tare::bench(group = "conformance")]
impl IterationOperations {
    #[set_up]
    fn new() -> Self {
        IterationOperations(0)
    }

    #[iteration_set_up]
    fn one_more(&mut self) {
        self.0 += 1;
    }

    #[iteration_operations]
    fn found(&self) -> u64 {
        self.0
    }

    #[bench(name = "iteration-operations")]
    fn body(&mut self) -> u64 {
        self.0
    }
}

static IN_THIS_PROCESS: AtomicU64 = AtomicU64::new(0);

#[tare::bench(group = "conformance", name = "cold-start", cold_start)]
fn cold() -> u64 {
    IN_THIS_PROCESS.fetch_add(1, Ordering::Relaxed) + 1
}

#[tare::bench(group = "conformance", name = "monitoring", monitoring)]
fn monitored() -> u64 {
    IN_THIS_PROCESS.fetch_add(1, Ordering::Relaxed) + 1
}

macro_rules! steps {
    ($($kind:ident $name:literal $throws:literal)*) => {
        $(
            struct $kind;

            #[tare::bench(group = "conformance")]
            impl $kind {
                #[set_up]
                fn new() -> Self {
                    leave('S', $throws);
                    $kind
                }

                #[iteration_set_up]
                fn begin(&mut self) {
                    leave('s', $throws);
                }

                #[bench(name = $name)]
                fn body(&mut self) -> String {
                    leave('b', $throws)
                }

                #[iteration_clean_up]
                fn end(&mut self) {
                    leave('c', $throws);
                }

                #[clean_up]
                fn close(&mut self) {
                    leave('C', $throws);
                }
            }
        )*
    };
}
steps! {
    Trace "trace" '-'
    InSetUp "throws-set-up" 'S'
    InBegin "throws-iteration-set-up" 's'
    InBody "throws-body" 'b'
    InEnd "throws-iteration-clean-up" 'c'
    InCleanUp "throws-clean-up" 'C'
}

#[tare::bench(group = "conformance")]
fn once() -> impl FnMut() -> String {
    let maker = tare::bytes_once_per_run("maker", || std::process::id().to_string());
    move || String::from_utf8_lossy(&maker).into_owned()
}

#[tare::bench(group = "conformance", n = [7])]
fn parameter(n: u32) -> u32 {
    n
}

fn additions(count: u64) -> u64 {
    (0..count).fold(0, |sum, n| tare::keep(sum + n))
}

#[tare::bench(group = "conformance", name = "cost-1")]
fn cost_1() -> u64 {
    additions(100)
}

#[tare::bench(group = "conformance", name = "cost-8")]
fn cost_8() -> u64 {
    additions(800)
}

macro_rules! texts {
    ($($function:ident $name:literal $kind:ty: $value:expr;)*) => {
        $(
            #[tare::bench(group = "conformance", name = $name)]
            fn $function() -> $kind {
                $value
            }
        )*
    };
}
texts! {
    integer "text-integer" i32: -42;
    big "text-big" u64: u64::MAX;
    float "text-float" f64: 0.1;
    whole "text-whole" f32: 2.0;
    exponent "text-exponent" f64: 1e21;
    truth "text-true" bool: true;
    text "text-text" &'static str: "\u{e4} \"\t";
    long "text-long" String: "\u{e4}".repeat(300);
    list "text-list" [u8; 3]: [1, 2, 3];
    texts "text-texts" Vec<&'static str>: vec!["a", "\"\n"];
    nothing "text-nothing" Option<u8>: None;
}

tare::allocator!();

fn main() {
    tare::main();
}
