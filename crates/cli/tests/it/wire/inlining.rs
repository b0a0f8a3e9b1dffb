//! What the compiler inlined on one side and called on the other is said.

use crate::support::{have, out, skip, Place, SHORT};

const BENCH: &str = "#include <tare.h>
static volatile uint64_t input = 3;
static uint64_t mix(uint64_t x) { return x * 7 ^ x >> 3; }
TARE_C_BENCH(\"g/mix\", .visit_ns = 100000, .warmup_ns = 1) { tare_keep(mix(input)); }
TARE_C_BENCH(\"g/none\", .visit_ns = 100000, .warmup_ns = 1) { tare_keep(input); }
";

#[test]
fn a_function_that_one_side_inlines_and_the_other_calls_is_named() {
    if !have("cc") {
        return skip("a function that one side inlines", "no C compiler");
    }
    if !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        return skip("a function that one side inlines", "machine code of another kind");
    }
    let place = Place::new("inlining");
    let called = BENCH.replace("static uint64_t mix", "__attribute__((noinline)) static uint64_t mix");
    place.write("old.c", BENCH);
    place.write("new.c", &called);
    // The same code further down in the file.
    place.write("same.c", &format!("\n\n{BENCH}"));
    let compared = |new: &str| {
        let words = ["compare", "old.c", new, "--layouts", "1", "-v"];
        out(&place.tare(words.iter().chain(&SHORT)))
    };
    let text = compared("new.c");
    let found: Vec<&str> = text.lines().filter(|line| line.contains("inlined-differently")).collect();
    let expected = "inlined-differently  g/mix of `new.c`: called in `new.c`, inlined in `old.c`: `mix`";
    assert!(matches!(found[..], [line] if line.contains(expected)), "{text}");
    let same = compared("same.c");
    assert!(same.contains("g/mix") && !same.contains("inlined-differently"), "{same}");
}
