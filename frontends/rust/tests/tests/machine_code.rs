//! The loops as the compiler wrote them: unrolled, in registers, nothing hoisted. Skipped where there is no objdump or
//! another processor.
#![cfg(target_arch = "x86_64")]

mod support;

use std::process::Command;

/// The instructions of all `run` and `empty` loops of a bench: one list for each function, mnemonics and operands.
fn functions() -> Option<Vec<Vec<String>>> {
    let path = support::bench("loops");
    let output = Command::new("objdump").args(["-d", "--no-show-raw-insn", "-C"]).arg(path).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut all: Vec<Vec<String>> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.ends_with(">:") {
            inside = line.contains("<tare::loops::run") || line.contains("<tare::loops::empty");
            if inside {
                all.push(Vec::new());
            }
        } else if let (true, Some((_, instruction))) = (inside, line.split_once('\t')) {
            let words: Vec<&str> = instruction.split_whitespace().collect();
            all.last_mut().unwrap().push(words.join(" "));
        }
    }
    Some(all)
}

/// The longest row of instructions that all fit, in any function.
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
    // x += x: sixteen additions and the counter, four in the rolled loop, one for the rest; twice, as a closure and as a method.
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
    // A result that a local variable holds and that is kept is computed each time, whatever the form.
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
    // An atomic number stays where it is.
    let counts = |function: &&Vec<String>| function.iter().filter(|one| one.starts_with("lock xadd")).count() >= 16;
    let counted = functions.iter().find(counts).expect("a loop with sixteen atomic additions");
    let moved: Vec<_> = counted.iter().filter(|one| one.starts_with("mov") && one.contains("(%r")).collect();
    assert!(moved.len() < 16, "{moved:?}");
    // The empty loop is the counter.
    let empty = |function: &Vec<String>| {
        !function.iter().any(|one| one.contains("(%r") && one.starts_with("mov")) && function.len() < 25
    };
    assert!(functions.iter().any(empty));
}
