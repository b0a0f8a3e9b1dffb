//! `--diagnose instructions` and `--diagnose counters`: what a body executes, in a simulated processor and in the one that there is.

use crate::support::{have, json, long, reference, skip, Place};
use serde_json::Value;

const PROGRAM: &str = r#"
#include <cstdint>
#include <cstdlib>
#include <tare.h>
TARE_BENCH("i/hundred", [] { __asm__ volatile(".rept 100\n\tnop\n\t.endr"); });
struct Coin {
    std::uint64_t x = 1;
    void operator()() {
        x = x * 6364136223846793005u + 1442695040888963407u;
        if (x >> 63) __asm__ volatile("nop");
    }
};
TARE_BENCH("i/coin", Coin{});
// An instruction of AVX-512, which no processor needs to know unless callgrind simulates it.
// The front end takes the variable away, so it is read before.
static const bool is_simulated = std::getenv("TARE_CALLGRIND") != nullptr;
TARE_BENCH("i/wide", [] { if (is_simulated) __asm__ volatile(".byte 0x62,0xf1,0x7c,0x48,0x58,0xc0"); });
"#;
const FEW: [&str; 7] = ["--quick", "--launches", "2", "--rounds", "3", "--ascii", "--no-align"];

fn value(report: &Value, case: usize, name: &str) -> Option<f64> {
    let metrics = report["report"]["cases"][case]["outcome"]["metrics"].as_array()?;
    metrics.iter().find(|metric| metric["name"] == name)?["value"].as_f64()
}

/// A run of the program under a diagnoser.
fn run(place: &Place, filter: &str, diagnoser: &str) -> (String, Value) {
    let words = ["run", "program.cpp", "--filter", filter, "--diagnose", diagnoser, "-v", "-o", "r.json"];
    let screen = place.ends_with(0, words.into_iter().chain(FEW));
    (screen, json(&place.read("r.json")))
}

#[test]
fn instructions_are_counted_exactly_and_the_same_each_time() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !have("valgrind") || !have("c++") {
        return skip("--diagnose instructions", "it needs valgrind and a C++ compiler, on Linux on x86-64");
    }
    let place = Place::new("instructions");
    place.write("program.cpp", PROGRAM);
    let (screen, first) = run(&place, "i/", "instructions");
    assert!(screen.contains("instructions/*: measured in a separate pass after the times"), "{screen}");
    let executed = |report: &Value, case| value(report, case, "instructions/executed").expect("a count");
    let hundred = executed(&first, 0);
    // Exactly: the loop around it is that of the empty one.
    assert_eq!(hundred, 100.0);
    // A coin is predicted right every other time, and the loop itself always.
    let mispredicted = |case| value(&first, case, "instructions/mispredicted").expect("a count");
    assert!(mispredicted(0) < 0.05 && (0.3..0.7).contains(&mispredicted(1)), "{first}");
    // What valgrind does not know costs its case alone.
    assert!(screen.contains("not-diagnosed") && screen.contains("valgrind does not know an instruction"), "{screen}");
    let (_, second) = run(&place, "i/", "instructions");
    assert_eq!([0, 1].map(|case| executed(&second, case)), [0, 1].map(|case| executed(&first, case)));
}

/// A visit has as many invocations as fit into its time, and quick bodies are measured in an unrolled loop, in which theirs are fewer.
#[test]
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
fn ten_bodies_have_the_counts_that_are_known() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !have("valgrind") || !have("c++") {
        return skip("--diagnose instructions", "it needs valgrind and a C++ compiler, on Linux on x86-64");
    }
    if !long() {
        return skip("counts of ten bodies", "it takes ten seconds: set TARE_TEST_LONG");
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
    let (_, report) = run(&place, "ten/", "instructions");
    for (case, (code, known)) in bodies.iter().enumerate() {
        let counted = ["executed", "branches", "memory_accesses"]
            .map(|name| value(&report, case, &format!("instructions/{name}")).expect("a count"));
        // The registers that a body uses may cost the loop around it an instruction more or less in each turn, which is several invocations.
        assert!(counted.iter().zip(known).all(|(counted, known)| (counted - known).abs() < 0.5), "{code}: {counted:?}");
    }
}

#[test]
fn a_limit_asks_for_what_it_is_about_and_exact_counts_have_verdicts_of_their_own() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !have("valgrind") || !have("c++") {
        return skip("limits of instructions", "it needs valgrind and a C++ compiler, on Linux on x86-64");
    }
    let place = Place::new("exact");
    // A comment, one instruction more, and what depends on the process.
    let program = |comment: &str, count: u32| {
        format!(
            "// {comment}\n#include <tare.h>\n#include <unistd.h>\n\
             TARE_BENCH(\"i/body\", [] {{ __asm__ volatile(\".rept {count}\\n\\tnop\\n\\t.endr\"); }});\n\
             const int pid = getpid();\n\
             TARE_BENCH(\"i/seed\", [] {{ for (int i = 0; i < pid % 1000 + 5; ++i) __asm__ volatile(\"nop\"); }});\n"
        )
    };
    place.write("old/bench.cpp", &program("old", 1000));
    place.write("new/bench.cpp", &program("another comment", 1000));
    place.write("more/bench.cpp", &program("old", 1001));
    let few = [
        "--quick",
        "--launches",
        "2",
        "--layouts",
        "1",
        "--rounds",
        "3",
        "--ascii",
        "--diagnose",
        "instructions",
        "-o",
        "r.json",
    ];
    let compared = |new: &str, filter: &str, code: i32, flags: &[&str]| {
        let words = ["compare", "old/bench.cpp", new, "--filter", filter];
        place.ends_with(code, words.into_iter().chain(few).chain(flags.iter().copied()));
        let rows = json(&place.read("r.json"))["comparison"]["rows"].clone();
        let is_its = |row: &&Value| row["metric"]["unit"] == "instructions/executed/op";
        rows.as_array().expect("rows").iter().find(is_its).unwrap_or_else(|| panic!("{rows}")).clone()
    };
    let row = compared("new/bench.cpp", "i/body", 0, &["--fail-on", "counts"]);
    assert_eq!((row["verdict"].as_str(), row["ratio"].as_f64()), (Some("same"), Some(1.0)), "{row}");
    let row = compared("more/bench.cpp", "i/body", 10, &["--fail-on", "counts"]);
    assert_eq!((row["verdict"].as_str(), row["ratio"].as_f64()), (Some("slower"), Some(1.001)), "{row}");
    place.ends_with(0, ["show", "latest", "--fail-on", "counts:0.2%"]);
    let row = compared("new/bench.cpp", "i/seed", 11, &["--fail-on", "counts"]);
    assert!(row["verdict"] == "unclear" && row["remark"].to_string().contains("random hash seed"), "{row}");
    let limited = |limit: &str, code: i32| {
        let words = ["run", "old/bench.cpp", "--filter", "i/body", "--limit", limit];
        place.ends_with(code, words.into_iter().chain(FEW))
    };
    limited("instructions <= 1000", 0);
    limited("i/*: instructions <= 999", 10);
}

#[test]
fn a_tool_or_a_language_that_is_missing_is_named() {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) || !have("python3") {
        return skip("diagnosers that cannot be used", "they need python3 here, and Linux on x86-64");
    }
    let place = Place::new("no-valgrind");
    let words = ["run", reference(), "--diagnose", "instructions"];
    let run = |path: &str| {
        let done = place.command(words).env("PATH", path).output().expect("it starts");
        (done.status.code(), String::from_utf8_lossy(&done.stderr).into_owned())
    };
    let (code, said) = run("/nowhere");
    assert!(code == Some(2) && said.contains("program `valgrind` not found"), "{said}");
    assert!(said.contains("hint: `tare help instructions` explains what it needs") && !said.contains("tare.toml"));
    if have("valgrind") {
        let (code, said) = run(&std::env::var("PATH").expect("a path"));
        assert!(code == Some(2) && said.contains("does not tell callgrind where its loops are"), "{said}");
    }
}

#[test]
fn what_cannot_be_counted_is_named_with_what_can() {
    if !cfg!(target_os = "linux") || !have("c++") {
        return skip("--diagnose counters", "it needs a C++ compiler and Linux");
    }
    let place = Place::new("counters");
    place.write("program.cpp", PROGRAM);
    let words = ["run", "program.cpp", "--filter", "i/hundred", "--diagnose", "counters", "-o", "r.json"];
    let done = place.tare(words.into_iter().chain(FEW));
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    if !done.status.success() {
        // A container that forbids all of it.
        assert!(said.contains("cannot be counted"), "{said}");
        return skip("--diagnose counters", &said);
    }
    let report = json(&place.read("r.json"));
    let counted = ["cycles", "page_faults"].map(|name| value(&report, 0, &format!("counters/{name}")));
    let remarks = report["report"]["findings"].to_string();
    assert!(counted.iter().any(Option::is_some), "{report}");
    for (name, counted) in ["cycles", "page_faults"].iter().zip(counted) {
        assert!(counted.is_some() || remarks.contains(name), "{name} is neither counted nor named: {report}");
    }
    // Where the processor counts, it counts what was executed.
    if let Some(instructions) = value(&report, 0, "counters/instructions") {
        assert!((100.0..110.0).contains(&instructions), "{report}");
    }
}
