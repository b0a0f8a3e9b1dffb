//! The machine code of the loops: unrolled, in registers, nothing hoisted. Skipped without objdump, and on other processors.
#![cfg(target_arch = "x86_64")]

mod support;

use std::path::Path;
use std::process::Command;

/// The functions of a program by name, with their instructions (mnemonics and operands).
fn disassembly(program: &Path) -> Option<Vec<(String, Vec<String>)>> {
    let output = Command::new("objdump").args(["-d", "--no-show-raw-insn", "-C"]).arg(program).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut all: Vec<(String, Vec<String>)> = Vec::new();
    for line in text.lines() {
        if let Some((_, name)) = line.strip_suffix(">:").and_then(|line| line.split_once('<')) {
            all.push((name.to_owned(), Vec::new()));
        } else if let (Some((_, own)), Some((_, instruction))) = (all.last_mut(), line.split_once('\t')) {
            let words: Vec<&str> = instruction.split_whitespace().collect();
            own.push(words.join(" "));
        }
    }
    Some(all)
}

/// The instructions of each `run` and `empty` loop of a bench.
fn functions() -> Option<Vec<Vec<String>>> {
    let is_loop = |name: &str| name.starts_with("tare::loops::run") || name.starts_with("tare::loops::empty");
    let all = disassembly(&support::bench("loops"))?;
    Some(all.into_iter().filter(|(name, _)| is_loop(name)).map(|(_, instructions)| instructions).collect())
}

/// The length of the longest run of matching instructions in each function.
fn runs(functions: &[Vec<String>], fits: impl Fn(&str) -> bool) -> Vec<usize> {
    let mut lengths = Vec::new();
    for function in functions {
        let mut length = 0;
        for instruction in function {
            if fits(instruction) {
                length += 1;
            } else if length != 0 {
                lengths.push(std::mem::take(&mut length));
            }
        }
    }
    lengths
}

#[test]
fn loops_are_what_one_would_write_by_hand() {
    let Some(functions) = functions() else {
        eprintln!("skipped: no objdump");
        return;
    };
    // x += x: sixteen additions and the counter, four in the rolled loop, one for the rest. Twice: as a closure and as a method.
    let additions = |bits: &str, registers: [&str; 4]| {
        let same = |one: &str| registers.iter().any(|r| one == format!("add %{r},%{r}"));
        let lengths = runs(&functions, same);
        let count = |length: usize| lengths.iter().filter(|&&other| other == length).count();
        assert!(count(16) >= 1 && count(4) >= 1, "{bits}: {lengths:?}");
        assert!(lengths.iter().all(|length| [16, 4, 1].contains(length)), "{bits}: {lengths:?}");
    };
    additions("u64", ["rax", "rcx", "rdx", "rbx"]);
    additions("u32", ["eax", "ecx", "edx", "ebx"]);
    // A floating-point state stays in a floating-point register.
    let lengths = runs(&functions, |one| one.starts_with("mulsd %xmm"));
    assert!(lengths.contains(&16) && lengths.contains(&4), "mulsd: {lengths:?}");
    // A pure function of a parameter is computed sixteen times.
    let multiplications = |function: &Vec<String>| function.iter().filter(|one| one.starts_with("imul")).count();
    assert!(functions.iter().any(|function| multiplications(function) == 17), "16 and 1 multiplications");
    // A result that is held in a local variable and kept is computed each time, in every form.
    let products = |function: &Vec<String>| function.iter().filter(|one| one.starts_with("mul ")).count();
    let counts: Vec<usize> = functions.iter().map(products).filter(|&count| count != 0).collect();
    let all = |wanted: usize| counts.iter().filter(|&&count| count == wanted).count();
    assert_eq!((all(17), all(5), counts.len()), (7, 7, 14), "long multiplications: {counts:?}");
    // The generator's four words stay in registers: no memory in its loop.
    let turns = |function: &&Vec<String>| function.iter().filter(|one| one.starts_with("rol $0x2d")).count() == 17;
    let xoshiro = functions.iter().find(turns).expect("a loop with 16 and 1 rotations");
    let first = xoshiro.iter().position(|one| one.starts_with("rol")).unwrap();
    let last = xoshiro.iter().rposition(|one| one.starts_with("rol")).unwrap();
    let memory: Vec<&String> = xoshiro[first..last]
        .iter()
        .filter(|one| one.contains('(') && !one.starts_with("nop") && !one.contains("nopw") && !one.starts_with("lea"))
        .collect();
    assert!(memory.is_empty(), "{memory:?}");
    // An atomic stays in memory.
    let counts = |function: &&Vec<String>| function.iter().filter(|one| one.starts_with("lock xadd")).count() >= 16;
    let counted = functions.iter().find(counts).expect("a loop with sixteen atomic additions");
    let moved: Vec<_> = counted.iter().filter(|one| one.starts_with("mov") && one.contains("(%r")).collect();
    assert!(moved.len() < 16, "{moved:?}");
    // The empty loop is only the counter.
    let empty = |function: &Vec<String>| {
        !function.iter().any(|one| one.contains("(%r") && one.starts_with("mov")) && function.len() < 25
    };
    assert!(functions.iter().any(empty));
}

/// The instructions in the loops of the body with this mark, without addresses; empty if the loops call it.
fn loops_of(functions: &[(String, Vec<String>)], mark: u32) -> Vec<Vec<String>> {
    let number = format!("$0x{mark:x}");
    let has_mark = |own: &[String]| own.iter().any(|one| one.contains(&number));
    assert!(functions.iter().any(|(_, own)| has_mark(own)), "{number} is nowhere");
    let is_loop = |name: &str| ["run", "feed"].iter().any(|kind| name.starts_with(&format!("tare::loops::{kind}")));
    let loops = functions.iter().filter(|(name, own)| is_loop(name) && has_mark(own));
    let mut found: Vec<Vec<String>> =
        loops.map(|(_, own)| own.iter().filter_map(|one| without_place(one)).collect()).collect();
    found.sort();
    found
}

/// An instruction without its addresses; `None` for padding.
fn without_place(instruction: &str) -> Option<String> {
    let fills = ["nop", "cs nop", "data16", "xchg %ax,%ax"].iter().any(|one| instruction.starts_with(one));
    let jump = instruction.split_once(" <").and_then(|(head, _)| head.rsplit_once(' ')).map(|(kind, _)| kind);
    let data = instruction.split_once("(%rip)").and_then(|(head, _)| head.rsplit_once(' ')).map(|(kind, _)| kind);
    (!fills).then(|| data.or(jump).unwrap_or(instruction).to_owned())
}

/// The code of a body does not depend on the harness: whether it is inlined into the loops is decided once, where the loops call
/// it, equally for all forms and regardless of the rest of the file.
fn inlining_is_the_bodys_own(settings: &[(&str, &str)]) {
    let program = |name: &str| disassembly(&support::bench_with(name, settings));
    let (Some(many), Some(one)) = (program("inlining_many"), program("inlining_one")) else {
        eprintln!("skipped: no objdump");
        return;
    };
    let mut was_called = false;
    for size in 1..=5 {
        let forms: Vec<Vec<Vec<String>>> =
            (1..=5).map(|form| loops_of(&many, 0x5a00_0000 + size * 0x1000 + form)).collect();
        let called: Vec<bool> = forms.iter().map(Vec::is_empty).collect();
        assert!(called.iter().all(|one| *one == called[0]), "{settings:?}: size {size}, by form: {called:?}");
        // Larger bodies are more likely to be called.
        assert!(called[0] || !was_called, "{settings:?}: size {size} is inlined, and a smaller one is called");
        was_called = called[0];
        // The unrolled loop and the rolled one.
        assert!(called[0] || forms.iter().all(|loops| loops.len() == 2), "{settings:?}: {size}");
    }
    assert!(loops_of(&many, 0x5a00_1001).len() == 2 && was_called, "{settings:?}: 5 steps are inlined, 200 called");
    for form in 1..=5 {
        let mark = 0x5a00_3000 + form;
        assert!(loops_of(&many, mark) == loops_of(&one, mark), "{settings:?}: form {form} alone has other code");
    }
}

#[test]
fn what_else_is_in_the_file_changes_no_loop() {
    inlining_is_the_bodys_own(&[]);
}

#[test]
#[ignore = "builds with other optimisation, for half a minute each"]
fn what_else_is_in_the_file_changes_no_loop_however_it_is_optimised() {
    for level in ["2", "s"] {
        inlining_is_the_bodys_own(&[("CARGO_PROFILE_BENCH_OPT_LEVEL", level)]);
    }
    for lto in ["thin", "fat"] {
        inlining_is_the_bodys_own(&[("CARGO_PROFILE_BENCH_LTO", lto)]);
    }
    inlining_is_the_bodys_own(&[("CARGO_PROFILE_BENCH_CODEGEN_UNITS", "1")]);
}
