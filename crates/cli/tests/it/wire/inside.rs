//! What diagnosers see that look from within the process: who allocates, system calls, exceptions; and what threads wait for. All are counts of
//! what the body does, so no check depends on a time.

use crate::support::{have, json, skip, Place};
use serde_json::Value;

/// Bodies whose counts are known.
const PROGRAM: &str = r#"
#include <tare.h>
#include <cstdlib>
#include <ctime>
#include <sys/syscall.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline))
NOINLINE void one_large() { std::free(tare::opaque(std::malloc(100))); }
NOINLINE void two_small() { for (int i = 0; i < 2; ++i) delete[] tare::opaque(new char[28]); }
TARE_BENCH("in/sites", [] { one_large(); two_small(); });
TARE_BENCH("in/calls", [] { for (int i = 0; i < 3; ++i) syscall(SYS_getppid); });
TARE_BENCH("in/throws", [] { try { throw tare::opaque(1); } catch (int) {} }).diagnose("exceptions").diagnose("no-such");
TARE_BENCH("in/sleeps", [] { const timespec time = {0, 200000}; nanosleep(&time, nullptr); });
"#;

const FEW: [&str; 7] = ["--quick", "--launches", "2", "--rounds", "2", "--ascii", "--no-align"];

fn value(report: &Value, case: &str, metric: &str) -> Option<f64> {
    let named = |all: &Value, name: &str| all.as_array()?.iter().find(|of| of["name"].as_str() == Some(name)).cloned();
    named(&named(&report["report"]["cases"], case)?["outcome"]["metrics"], metric)?["value"].as_f64()
}

#[test]
fn what_the_body_does_is_counted_from_within_its_process() {
    if !cfg!(all(target_os = "linux", target_env = "gnu")) || !have("g++") || !have("cc") {
        return skip("diagnosers within the process", "they need Linux with glibc, g++ and cc");
    }
    let place = Place::new("inside");
    place.write("in.cpp", PROGRAM);
    let words = ["run", "in.cpp", "--diagnose", "allocations,syscalls,threads", "-o", "r.json", "-o", "a.folded"];
    let screen = place.ends_with(0, words.into_iter().chain(FEW));
    let report = json(&place.read("r.json"));
    let of = |case: &str, metric: &str| value(&report, case, metric);
    // Where no process may be traced that is said.
    if !screen.contains("does not allow to trace") {
        assert_eq!((of("calls", "syscalls/made"), of("sites", "syscalls/made")), (Some(3.0), Some(0.0)), "{screen}");
        assert_eq!(of("sleeps", "syscalls/made"), Some(1.0), "{screen}");
        assert_eq!(of("calls", "syscalls/futex_waits"), Some(0.0), "{screen}");
    }
    // A declaration asks for its own benchmark alone; what there is not is said by name.
    assert_eq!((of("throws", "exceptions/thrown"), of("calls", "exceptions/thrown")), (Some(1.0), None), "{screen}");
    let findings = report["report"]["findings"].as_array().expect("findings");
    let lacks: Vec<&Value> = findings.iter().filter(|of| of["code"] == "not-diagnosed").collect();
    assert!(lacks.iter().any(|of| of["evidence"].to_string().contains("no-such")), "{screen}");
    assert!(of("sleeps", "threads/voluntary").is_none_or(|switches| switches > 0.5), "{screen}");
    // Both tables name the functions that want the memory.
    assert!(screen.contains("who allocates in in/sites"), "{screen}");
    for part in ["one_large()", "two_small()", "100", "56"] {
        assert!(screen.contains(part), "{part:?} is not in\n{screen}");
    }
    let folded = place.read("a.folded");
    let count = |what: &str, function: &str| -> u64 {
        let its =
            folded.lines().filter(|line| line.contains("in/sites") && line.contains(what) && line.contains(function));
        its.filter_map(|line| line.rsplit(' ').next()?.parse::<u64>().ok()).sum()
    };
    let blocks = count(", allocated blocks", "one_large()");
    assert!(blocks > 0, "{folded}");
    assert_eq!(count(", allocated bytes", "one_large()"), 100 * blocks, "{folded}");
    assert_eq!(count(", allocated blocks", "two_small()"), 2 * blocks, "{folded}");
    assert_eq!(count(", allocated bytes", "two_small()"), 56 * blocks, "{folded}");
    assert!(!folded.contains("operator new") && !folded.contains("tare_"), "{folded}");

    // Two sides, from the store: a function that allocates more is marked, and the other is not.
    place.write("new.cpp", &PROGRAM.replace("malloc(100)", "malloc(300)"));
    let words = ["compare", "in.cpp", "new.cpp", "--filter", "in/sites", "--layouts", "1", "--diagnose", "allocations"];
    place.ends_with(0, words.into_iter().chain(FEW));
    let tree = place.ends_with(0, ["show", "latest", "--flame", "--ascii"]);
    let line = |name: &str| tree.lines().find(|line| line.contains(name)).unwrap_or_default().to_owned();
    assert!(line("one_large()").contains(" + ") && line("one_large()").contains(" 300 "), "{tree}");
    assert!(!line("two_small()").contains(" + ") && !line("two_small()").contains(" - "), "{tree}");
}

#[test]
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
