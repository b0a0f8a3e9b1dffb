//! `--diagnose code` and `tare show --code`: the machine code of a body, and how that of two sides differs.

use crate::support::{err, have, out, reference, skip, Place};

const FEW: [&str; 6] = ["--quick", "--launches", "2", "--rounds", "3", "--ascii"];

/// Whether code can be read here with a compiler of this name.
fn can(what: &str, compiler: &str) -> bool {
    let is_here = cfg!(all(target_os = "linux", target_arch = "x86_64"));
    if !is_here || !have(compiler) {
        skip(what, "it needs a compiler, and Linux on x86-64");
    }
    is_here && have(compiler)
}

#[test]
fn the_body_of_cpp_is_shown_with_its_lines_and_what_it_calls() {
    if !can("--diagnose code, C++", "c++") {
        return;
    }
    let place = Place::new("code-cpp");
    place.write(
        "program.cpp",
        "#include <tare.h>\n\
         int numbers[64];\n\
         template <class T> __attribute__((noinline)) T mixed(T x) { return x * 7 ^ x >> 3; }\n\
         static int twice(int x) { return x + x; }\n\
         TARE_BENCH(\"c/sum\", [] {\n\
             int sum = 0;\n\
             for (int i = 0; i < 64; ++i) sum += twice(numbers[i]);\n\
             return sum;\n\
         });\n\
         TARE_BENCH(\"c/call\", [] { return mixed<long>(tare::opaque(5L)); });\n",
    );
    let words = ["run", "program.cpp", "--diagnose", "code,inlining", "-v", "-o", "page.html"];
    let screen = place.ends_with(0, words.into_iter().chain(FEW));
    assert!(screen.contains("the diagnoser `code` says: the body is"), "{screen}");
    assert!(screen.contains("the diagnoser `inlining` says: the body has"), "{screen}");
    let calls = place.ends_with(0, ["show", "--inlining", "c/call"]);
    assert!(calls.starts_with("c/call\n\nbody\n") && calls.contains("  called    mixed<long>"), "{calls}");
    assert!(place.fails_with(2, ["show", "--inlining", "c/x"]).contains("no case with list of calls matches"));
    // A page has it in a fold.
    assert!(place.read("page.html").contains("call mixed&lt;long&gt;"), "the page has the code");
    let call = place.ends_with(0, ["show", "--code", "c/call"]);
    assert!(call.starts_with("c/call\n\nbody: "), "{call}");
    assert!(call.contains("\nmixed<long>(long): ") && !call.contains("sum"), "{call}");
    assert!(call.contains("; program.cpp:3  template"), "{call}");
    let sum = place.ends_with(0, ["show", "--code", "c/sum", "--ascii"]);
    assert!(sum.contains("; program.cpp:4  [twice]") && sum.contains("a loop of"), "{sum}");
    assert!(sum.contains("  ; of the measuring loop") && sum.is_ascii(), "{sum}");
    for text in [&call, &sum] {
        assert!(text.lines().all(|line| line.chars().count() <= 120), "{text}");
    }
    let wrong = place.tare(["show", "--code", "c/nothing"]);
    assert!(err(&wrong).contains("no case with machine code matches `c/nothing`"), "{}", err(&wrong));
    assert!(err(&wrong).contains("those that have it are `c/sum`, `c/call`"), "{}", err(&wrong));
}

#[test]
fn the_body_of_rust_is_cut_out_of_its_loop() {
    if !can("--diagnose code, Rust", "cargo") {
        return;
    }
    let place = Place::new("code-rust");
    place.write(
        "program.rs",
        "#[inline(never)]\n\
         fn mixed(x: u64) -> u64 { x.wrapping_mul(7) ^ x >> 3 }\n\
         #[tare::bench(group = \"r\")]\n\
         fn called() -> u64 { mixed(tare::keep(5)) }\n\
         fn main() { tare::main() }\n",
    );
    let words = ["run", "program.rs", "--diagnose", "code", "--quick", "--launches", "2", "--rounds", "3", "--ascii"];
    let screen = place.ends_with(0, words);
    let flat = screen.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(flat.contains("with 1 function that it calls"), "{screen}");
    let code = place.ends_with(0, ["show", "--code"]);
    assert_eq!(code.matches("call program::mixed").count(), 1, "one copy of the body: {code}");
    assert!(code.contains("\nprogram::mixed: ") && code.contains(", 1 call\n"), "{code}");
}

#[test]
fn two_sides_with_the_same_code_are_called_so_and_others_are_shown_line_by_line() {
    if !can("--diagnose code, two sides", "cc") {
        return;
    }
    let place = Place::new("code-sides");
    let program = |body: &str| {
        format!(
            "#include <tare.h>\n\
             static volatile uint64_t input = 3;\n\
             static uint64_t mix(uint64_t x) {{ return {body}; }}\n\
             TARE_C_BENCH(\"g/mix\", .visit_ns = 100000, .warmup_ns = 1) {{ tare_keep(mix(input)); }}\n"
        )
    };
    place.write("old.c", &program("x * 7 ^ x >> 3"));
    place.write("same.c", &format!("/* moved\n   down */\n{}", program("x * 7 ^ x >> 3")));
    place.write("new.c", &program("x * 9 ^ x >> 5"));
    let compared = |new: &str| {
        let words = ["compare", "old.c", new, "--layouts", "1", "--diagnose", "code,remarks", "-v", "-o", "page.html"];
        out(&place.tare(words.into_iter().chain(FEW)))
    };
    let same = compared("same.c");
    assert!(same.contains("the machine code is the same"), "{same}");
    let shown = place.ends_with(0, ["show", "--code"]);
    assert!(shown.contains("\nthe machine code is the same\nboth: ") && !shown.contains("L1:"), "{shown}");
    let different = compared("new.c");
    assert!(different.contains("the machine code differs: "), "{different}");
    // Both sides beside each other on the page, and what the compiler says.
    let page = place.read("page.html");
    assert!(page.contains("machine code of both sides") && page.contains("<td class=\"sign\">≠</td>"), "{page}");
    assert!(different.contains("says of the sources of `new.c`") || !have("gcc"), "{different}");
    let shown = place.ends_with(0, ["show", "--code", "--ascii"]);
    assert!(shown.contains("\n-   shr ") && shown.contains("\n+   shr ") && shown.contains("\nbase: "), "{shown}");
    // Both sides as a whole.
    let whole = place.ends_with(0, ["show", "--code", "-v"]);
    assert!(whole.contains("g/mix (old.c)\n\nbody: ") && whole.contains("g/mix (new.c)\n\nbody: "), "{whole}");
}

#[test]
fn what_has_no_code_to_show_is_named() {
    if !can("what has no code", "cc") {
        return;
    }
    let place = Place::new("code-none");
    let words = ["run", reference(), "--diagnose", "code", "--ascii"];
    let said = place.fails_with(2, words);
    assert!(said.contains("the front end of `reference-child` does not say where its loops are"), "{said}");
    assert!(said.contains("`tare help code` explains what it needs"), "{said}");
    place.ends_with(0, ["run", reference(), "--quick", "--launches", "2", "--rounds", "3", "--filter", "sum"]);
    let none = place.fails_with(2, ["show", "--code"]);
    assert!(none.contains("has no machine code") && none.contains("`--diagnose code`"), "{none}");
}
