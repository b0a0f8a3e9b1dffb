//! What takes longer: the same with other compilers, flags and styles. `./test all` runs them.

use crate::support::{err, have, json, out, skip, Place, SHORT};
use serde_json::Value;

const FEW: [&str; 7] = ["--quick", "--launches", "2", "--rounds", "3", "--ascii", "--no-align"];

fn value(report: &Value, case: usize, name: &str) -> Option<f64> {
    let metrics = report["report"]["cases"][case]["outcome"]["metrics"].as_array()?;
    metrics.iter().find(|metric| metric["name"] == name)?["value"].as_f64()
}

/// Two functions of a known split, which the compiler can neither inline nor remove.
const PROGRAM: &str = r#"
#include <tare.h>
#define NOINLINE __attribute__((noinline))
NOINLINE void heavy() { for (int i = 0; i < 3000; ++i) __asm__ volatile("" ::: "memory"); }
NOINLINE void light() { for (int i = 0; i < 1000; ++i) __asm__ volatile("" ::: "memory"); }
TARE_BENCH("p/both", [] { heavy(); light(); });
TARE_BENCH("p/other", [] { light(); });
"#;

/// A place with a program, and what a first command says; None where samples cannot be taken here, which is said.
fn profiled_program(name: &str, program: &str, words: &[&str]) -> Option<(Place, String)> {
    let what = "--diagnose profile";
    if !cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) || !have("c++") {
        skip(what, "it needs a C++ compiler, and Linux on x86-64 or AArch64");
        return None;
    }
    let place = Place::new(name);
    place.write("program.cpp", program);
    let done = place.tare(words);
    if done.status.code() == Some(2) && err(&done).contains("the diagnoser `profile` cannot be started") {
        skip(what, err(&done).lines().next().unwrap_or_default());
        return None;
    }
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
    Some((place, out(&done) + &err(&done)))
}

#[test]
#[ignore = "compiles several programs"]
fn programs_without_debug_information_or_symbols_are_profiled_too() {
    let jobs = ["--job", "pie: -pie -fPIE", "--job", "fixed: -no-pie -g0", "--job", "stripped: -s"];
    let words = ["run", "program.cpp", "--filter", "both", "--quick", "--launches", "2", "--rounds", "3"];
    // Where machine code can be read the samples are laid over it.
    let has_code = cfg!(target_arch = "x86_64");
    let diagnosers = if has_code { "code,profile" } else { "profile" };
    let more = ["--diagnose", diagnosers, "--diagnose-for", "200ms", "-o", "p.folded", "-o", "p.html"];
    let Some((place, said)) = profiled_program("profile-jobs", PROGRAM, &[&words[..], &more, &jobs].concat()) else {
        return;
    };
    let folded = place.read("p.folded");
    let of = |job: &str| -> Vec<&str> { folded.lines().filter(|line| line.contains(&format!("{job};"))).collect() };
    for job in ["pie", "fixed"] {
        assert!(of(job).iter().any(|stack| stack.contains("heavy()")), "{job}: {folded}{said}");
    }
    // Its functions are known by their places.
    assert!(of("stripped").iter().any(|stack| stack.contains("+0x")), "{folded}{said}");
    assert!(!of("stripped").iter().any(|stack| stack.contains("heavy")), "{folded}");
    if has_code {
        let code = place.ends_with(0, ["show", "--code", "-v", "--ascii"]);
        // Of each job, also of the one without names.
        assert_eq!(code.matches(" are in this code\n").count(), 3, "{code}");
        assert!(code.lines().any(|line| line.starts_with("* ")), "{code}");
        assert!(place.read("p.html").contains("<table class=\"code\">"), "the page has the code");
    }
}

/// It measures in a copy of the process.
#[test]
#[ignore = "compiles several programs"]
fn the_quick_style_is_profiled_and_its_code_is_read() {
    const QUICK: &str = r#"
#include <tare/bench.hpp>
__attribute__((noinline)) void heavy() { for (int i = 0; i < 3000; ++i) __asm__ volatile("" ::: "memory"); }
int main() { tare::Bench().run("quick", [] { heavy(); }); }
"#;
    let diagnosers = if cfg!(target_arch = "x86_64") { "code,profile" } else { "profile" };
    let words = ["run", "program.cpp", "--quick", "--launches", "2", "--rounds", "3", "--diagnose", diagnosers];
    let words = [&words[..], &["--diagnose-for", "100ms", "--flags", "-g0", "--ascii"]].concat();
    let Some((place, said)) = profiled_program("profile-quick", QUICK, &words) else { return };
    assert!(said.contains("where the time of quick goes") && said.contains("heavy()"), "{said}");
    if diagnosers.starts_with("code") {
        let code = place.ends_with(0, ["show", "--code", "quick"]);
        assert!(
            code.contains(" are in this code\n") && code.contains("call heavy") && code.contains("heavy(): "),
            "{code}"
        );
    }
}

/// A visit has as many invocations as fit into its time, and quick bodies are measured in an unrolled loop, in which theirs are fewer.
#[test]
#[ignore = "compiles several programs"]
fn instructions_do_not_depend_on_the_length_of_a_visit() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !have("valgrind") || !have("c++") {
        return skip(
            "instructions of visits of two lengths",
            "it needs valgrind and a C++ compiler, on Linux on x86-64",
        );
    }
    let place = Place::new("lengths");
    let body = "TARE_BENCH(\"l/sum\", [] { return std::accumulate(all.begin(), all.end(), 0); });\n";
    place.write(
        "program.cpp",
        &format!(
            "#include <numeric>\n#include <tare.h>\n#include <vector>\nstatic std::vector<int> all(100, 3);\n{body}"
        ),
    );
    let counted = ["64", "5000", "16384"].map(|invocations| {
        let words = ["run", "program.cpp", "--invocations", invocations, "--diagnose", "instructions", "-o", "r.json"];
        place.ends_with(0, words.into_iter().chain(FEW));
        value(&json(&place.read("r.json")), 0, "instructions/executed").expect("a count")
    });
    assert!(counted[0] > 100.0 && counted == [counted[0]; 3], "{counted:?}");
}

/// Ten bodies whose instructions are written down, so that their number is known.
#[test]
#[ignore = "compiles several programs"]
fn ten_bodies_have_the_counts_that_are_known() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !have("valgrind") || !have("c++") {
        return skip("--diagnose instructions", "it needs valgrind and a C++ compiler, on Linux on x86-64");
    }
    // Instructions, branches, and accesses to memory.
    let bodies: [(&str, [f64; 3]); 10] = [
        ("nop", [1.0, 0.0, 0.0]),
        (".rept 7; nop; .endr", [7.0, 0.0, 0.0]),
        (".rept 1000; nop; .endr", [1000.0, 0.0, 0.0]),
        ("add $1, %%eax; add $1, %%eax", [2.0, 0.0, 0.0]),
        // A jump that is always taken is none of the branches.
        ("jmp 1f; 1: nop", [2.0, 0.0, 0.0]),
        ("xor %%eax, %%eax; jne 1f; nop; 1:", [3.0, 1.0, 0.0]),
        ("mov $10, %%eax; 1: dec %%eax; jne 1b", [21.0, 10.0, 0.0]),
        ("mov %%eax, -200(%%rsp); mov -200(%%rsp), %%eax", [2.0, 0.0, 2.0]),
        ("sub $256, %%rsp; push %%rax; pop %%rax; add $256, %%rsp", [4.0, 0.0, 2.0]),
        // Indirect branches have a count of their own.
        ("lea 1f(%%rip), %%rax; jmp *%%rax; 1: nop", [3.0, 0.0, 0.0]),
    ];
    let body = |(at, (code, _)): (usize, &(&str, [f64; 3]))| {
        format!("TARE_BENCH(\"ten/{at}\", [] {{ __asm__ volatile(\"{code}\" ::: \"rax\", \"memory\", \"cc\"); }});\n")
    };
    let place = Place::new("ten");
    let source: String = bodies.iter().enumerate().map(body).collect();
    place.write("program.cpp", &format!("#include <tare.h>\n{source}"));
    let words = ["run", "program.cpp", "--diagnose", "instructions", "-o", "r.json"];
    place.ends_with(0, words.into_iter().chain(FEW));
    let report = json(&place.read("r.json"));
    for (case, (code, known)) in bodies.iter().enumerate() {
        let counted = ["executed", "branches", "memory_accesses"]
            .map(|name| value(&report, case, &format!("instructions/{name}")).expect("a count"));
        // The registers that a body uses may cost the loop around it an instruction more or less in each turn, which is several invocations.
        assert!(counted.iter().zip(known).all(|(counted, known)| (counted - known).abs() < 0.5), "{code}: {counted:?}");
    }
}

#[test]
#[ignore = "compiles several programs"]
fn a_program_that_loads_no_library_is_named() {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) || !have("gcc") {
        return skip("diagnosers of static programs", "they need Linux with glibc and gcc");
    }
    let place = Place::new("inside-static");
    place.write("s.c", "#include <tare.h>\nTARE_C_BENCH(\"s/one\") { tare_keep(1); }\nTARE_MAIN()\n");
    let words = ["run", "s.c", "--flags=-static", "--diagnose", "syscalls,exceptions"];
    let screen = place.ends_with(0, words.into_iter().chain(FEW));
    // Lines are broken anywhere.
    let screen = screen.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(
        screen.contains("the program is linked statically") && screen.contains("raw_syscalls:sys_enter"),
        "{screen}"
    );
    assert!(screen.contains("no library can count its exceptions"), "{screen}");
}

const POOL_IN_CPP: &str = r#"#include <tare.h>
#include <cstdlib>
#include <new>
static void* kept = nullptr;
void* operator new(std::size_t size) {
    if (size > 8) return std::malloc(size);
    void* block = kept == nullptr ? std::malloc(8) : kept;
    kept = nullptr;
    return block;
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t size) noexcept {
    if (size > 8 || kept != nullptr) std::free(block);
    else kept = block;
}
TARE_BENCH("pool/new", [] { delete tare::opaque(new long); });
"#;

#[test]
#[ignore = "compiles several programs"]
fn a_program_with_an_allocator_of_its_own_has_no_counts_of_it() {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) || !have("c++") {
        return skip("counts of allocations", "they need a C++ compiler, and Linux with glibc");
    }
    let place = Place::new("pool");
    place.write("pool.cpp", POOL_IN_CPP);
    let reported = place.fails_with(2, ["run", "pool.cpp", "--diagnose", "memory"].iter().chain(&FEW));
    assert!(reported.contains("no program here has the diagnoser `memory`"), "{reported}");
}

#[test]
#[ignore = "compiles several programs"]
fn a_compiler_for_another_c_library_is_a_job_that_says_so() {
    if !have("musl-gcc") {
        return skip("jobs of two C libraries", "musl-gcc is not installed (Debian: apt-get install musl-tools)");
    }
    let place = Place::new("musl");
    place.write("a.c", "#include <tare.h>\nTARE_C_BENCH(\"a/b\") { tare_keep(strlen(__FILE__)); }\n");
    let jobs = ["run", "a.c", "--job", "musl-gcc", "--job", "gcc", "-o", "r.json"];
    place.ends_with(0, jobs.iter().chain(&SHORT));
    let result = json(&place.read("r.json"));
    let programs = result["report"]["programs"].as_array().expect("programs").iter();
    let compilers: Vec<bool> =
        programs.map(|p| p["compiler"].as_str().expect("a compiler").ends_with(" with musl")).collect();
    assert_eq!(compilers, [true, false], "{}", result["report"]["programs"]);
}
