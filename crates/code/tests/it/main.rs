//! Reads programs that a compiler builds here.
#![allow(clippy::disallowed_methods, clippy::disallowed_types, missing_docs)]

mod programs;

use programs::{code, file, has, names, Made, PROGRAM};
use tare_code::{collect, compare, listing, Code, Goes, LoopRequest, Sameness};

#[test]
fn instructions_are_those_of_objdump() {
    let Some(made) = Made::new(PROGRAM) else { return };
    if !has("objdump") {
        return println!("skipped: it needs `objdump`");
    }
    let program = made.build("program", &["-mavx2", "-O3"]);
    for function in ["loop", "deep", "deepest"] {
        let read = code(&program, made.address(&program, function), 0);
        let wanted = format!("--disassemble={function}");
        let text = made.run("objdump", &["-d", "-M", "intel", "-w", &wanted, "program"]);
        let lines = text.lines().filter_map(|line| {
            let (address, rest) = line.trim_start().split_once(":\t")?;
            let (bytes, text) = rest.split_once('\t')?;
            let mnemonic = text.split_whitespace().find(|word| !["bnd", "data16", "cs"].contains(word))?;
            Some((u64::from_str_radix(address, 16).ok()?, bytes.replace(' ', ""), mnemonic.to_owned()))
        });
        let theirs: Vec<_> = lines.collect();
        let all = read.functions[0].blocks.iter().flat_map(|block| &block.instructions);
        let mut count = 0;
        for one in all {
            let (_, bytes, mnemonic) = theirs.iter().find(|(address, ..)| *address == one.address).expect("in both");
            let ours = one.text.split(' ').next().unwrap_or_default();
            assert_eq!((&one.bytes, ours), (bytes, mnemonic.as_str()), "{function}");
            count += 1;
        }
        assert!(count >= 3, "{function}: {text}");
    }
}

#[test]
fn calls_are_followed_as_deep_as_wanted_and_cycles_end() {
    let Some(made) = Made::new(PROGRAM) else { return };
    // Prevents inlining and copies of its functions.
    let program = made.build(
        "program",
        &["-g", "-fno-ipa-cp", "-fno-optimize-sibling-calls", "-fno-ipa-ra", "-fno-partial-inlining"],
    );
    let start = made.address(&program, "loop");
    let depths: Vec<Vec<String>> =
        (0..5).map(|depth| names(&code(&program, start, depth)).into_iter().map(str::to_owned).collect()).collect();
    assert_eq!(depths[0], ["body"]);
    assert_eq!(depths[1], ["body", "deep"]);
    assert_eq!(depths[2], ["body", "deep", "deeper"]);
    assert_eq!(depths[3].len(), 4);
    assert_eq!(depths[4], depths[3], "`deeper` calls `deep` again");
    let read = code(&program, start, 1);
    assert!(read.left_out.contains(&"functions behind more than 1 calls: `deeper`".to_owned()), "{:?}", read.left_out);
    // An inlined function is named at its line.
    let text = listing(&read, None, 80).join("\n");
    assert!(text.contains("program.c:12") && text.contains("[twice]") && text.contains("call deep\n"), "{text}");
    assert!(text.lines().all(|line| line.chars().count() <= 80), "{text}");
    let body = &read.functions[0];
    assert_eq!((body.summary.calls, body.summary.branches), (1, 0), "the loop that counts is none of the body\n{text}");
}

#[test]
fn every_kind_of_program_is_read_as_far_as_it_can_be() {
    let Some(made) = Made::new(PROGRAM) else { return };
    // Name, flags, and whether there are lines.
    let kinds: [(&str, &[&str], bool); 6] = [
        ("pie", &["-g", "-pie", "-fPIE"], true),
        ("no-pie", &["-g", "-no-pie", "-fno-pie"], true),
        ("g0", &["-g0"], false),
        ("dwarf4", &["-g", "-gdwarf-4"], true),
        ("split", &["-g", "-gsplit-dwarf"], true),
        ("lto", &["-g", "-flto"], true),
    ];
    for (name, flags, has_lines) in kinds {
        let program = made.build(name, flags);
        let start = made.address(&program, "loop");
        let read = code(&program, start, 2);
        assert!(names(&read).starts_with(&["body", "deep"]), "{name}: {:?}", names(&read));
        assert_eq!(read.no_lines.is_none(), has_lines, "{name}: {:?}", read.no_lines);
        let text = listing(&read, None, 80).join("\n");
        assert_eq!(text.contains("output = deep(twice(input));"), has_lines, "{name}: {text}");
        assert_eq!(text.contains("no source lines: the program has no debug information; build with `-g`"), !has_lines);
        made.run("strip", &["-o", "stripped", name]);
        let stripped = code(&made.path("stripped"), start, 2);
        assert_eq!(names(&stripped)[..2], ["body", "function 1"], "{name}");
        assert_eq!(stripped.functions[0].summary, read.functions[0].summary, "{name}");
        assert!(stripped.left_out.iter().any(|left| left.contains("stripped")), "{name}: {:?}", stripped.left_out);
    }
    // Without its second file, split debug information still has lines.
    for entry in std::fs::read_dir(made.path("")).expect("a folder").flatten() {
        if entry.path().extension().is_some_and(|ending| ending == "dwo") {
            std::fs::remove_file(entry.path()).expect("it goes");
        }
    }
    let program = made.path("split");
    let read = code(&program, made.address(&program, "loop"), 1);
    assert!(read.no_lines.is_none() && read.left_out.iter().any(|left| left.contains(".dwo")), "{:?}", read.left_out);
}

#[test]
fn what_is_equal_but_for_addresses_is_the_same() {
    let Some(made) = Made::new(PROGRAM) else { return };
    let base = made.build("base", &["-g"]);
    let moved = format!("__attribute__((used)) static int other(int x) {{ return x * 77; }}\n{PROGRAM}");
    let other = |name: &str, source: &str, flags: &[&str]| {
        std::fs::write(made.path("program.c"), source).expect("it is written");
        let program = made.build(name, flags);
        code(&program, made.address(&program, "loop"), 2)
    };
    let first = code(&base, made.address(&base, "loop"), 2);
    let moved = other("moved", &moved, &["-g0", "-falign-functions=64"]);
    assert!(first.functions[1].address != moved.functions[1].address);
    let same = compare(&first, &moved);
    assert_eq!(same.sameness, Sameness::Same, "{}", same.lines(80).join("\n"));
    assert_eq!(same.lines(80)[0], "the machine code is the same as far as it is listed");
    assert!(!first.is_whole && code(&base, made.address(&base, "loop"), 3).is_whole);
    let changed = other("changed", &PROGRAM.replace("x * 5", "x * 7 + 3").replace("> 100", "> 200"), &[]);
    let differs = compare(&first, &changed);
    assert_eq!(differs.sameness, Sameness::Different);
    let text = differs.lines(80).join("\n");
    assert!(text.contains("\n- ") && text.contains("\n+ ") && text.contains("0xc8"), "{text}");
    assert!(!text.contains("body:"), "what is the same is not shown: {text}");
    let called = other(
        "called",
        &PROGRAM.replace(
            "static inline __attribute__((always_inline)) long twice",
            "static __attribute__((noipa)) long twice",
        ),
        &["-g"],
    );
    assert!(first.inlining().inlined.contains("twice") && called.inlining().called.contains("twice"));
    let lines = compare(&first, &called).lines(80);
    assert!(lines.contains(&"inlined in the base and called now: `twice`".to_owned()), "{lines:?}");
    let back = compare(&called, &first).inlined_differently();
    assert_eq!(back, ["called in the base and inlined now: `twice`"]);
}

#[test]
fn tail_calls_imports_and_constants_are_named() {
    let source = r#"
#include <string.h>
#include <stdio.h>
volatile double number = 1; volatile int size = 3; char a[64], b[64];
double (*volatile by_pointer)(double);
__attribute__((noinline)) double scale(double x) { __asm__ volatile(""); return x * 1.5; }
__attribute__((noinline)) double pass(double x) { number = x; return scale(x + 0.25); }
__attribute__((noinline)) void loop(unsigned long turns) {
    while (turns != 0) {
        number = pass(number);
        memcpy(a, b, size);
        number = by_pointer(number);
        puts("a text that is constant");
        --turns;
        __asm__ volatile("" : "+r"(turns));
    }
}
int main(void) { by_pointer = scale; loop(1); return 0; }
"#;
    let Some(made) = Made::new(source) else { return };
    for flags in [&["-fPIE", "-pie"][..], &["-no-pie", "-fno-pie"], &["-fPIE", "-pie", "-fno-plt"]] {
        let program = made.build("program", flags);
        let read = code(&program, made.address(&program, "loop"), 2);
        let text = listing(&read, None, 100).join("\n");
        assert!(text.contains("memcpy") && text.contains("puts"), "{flags:?}: {text}");
        assert!(text.contains("not shown: functions of other files: `memcpy"), "{flags:?}: {text}");
        assert!(text.contains("one call by an address that is only known when the program runs"), "{flags:?}: {text}");
        assert!(text.contains("jmp scale  ; tail call"), "{flags:?}: {text}");
        assert!(text.contains("; 1.5") && text.contains("; 0.25"), "{flags:?}: {text}");
        assert_eq!(names(&read), ["body", "pass", "scale"], "{flags:?}");
        let all = read.functions.iter().flat_map(|of| &of.blocks).flat_map(|block| &block.instructions);
        let tails = all.filter(|one| one.target.as_ref().is_some_and(|target| target.kind == Goes::TailCall));
        assert_eq!(tails.count(), 1, "{flags:?}: {text}");
    }
}

/// Compilers load the address of a loop's callee before the loop. After it, the register may hold something else.
#[test]
fn what_is_called_by_a_register_is_named_where_one_instruction_sets_it() {
    let body = |sets: &str| {
        format!(
            "static int near_by(int x) {{ return x + 1; }}\n\
             int (*use_it)(int) = near_by;\n\
             int puts(const char*);\n\
             __asm__(\".globl loop\\n.type loop, @function\\nloop:\\n.cfi_startproc\\n\"\n\
             \"push %r15\\npush %r14\\npush %rbx\\nmov %rdi, %rbx\\nmov puts@GOTPCREL(%rip), %r15\\nlea near_by(%rip), %r14\\n{sets}\"\n\
             \"1: call *%r15\\ncall *%r14\\ncall *%rax\\ndec %rbx\\njne 1b\\nmov %rdi, %r15\\npop %rbx\\npop %r14\\npop %r15\\nret\\n\"\n\
             \".cfi_endproc\\n.size loop, .-loop\\n\");\n\
             int loop(long);\n\
             int main(void) {{ return puts == 0 || loop(0); }}\n"
        )
    };
    let Some(made) = Made::new(&body("")) else { return };
    let program = made.build("program", &["-fPIE", "-pie"]);
    let text = listing(&code(&program, made.address(&program, "loop"), 1), None, 100).join("\n");
    assert!(text.contains("call puts\n") && text.contains("call near_by\n"), "{text}");
    assert!(text.contains("call rax  ; known only when it runs") && text.contains("near_by: "), "{text}");
    // If it is set on one of two paths to the call, it may be either.
    let Some(made) = Made::new(&body("test %rsi, %rsi\\nje 1f\\nmov %rsi, %r15\\n")) else { return };
    let program = made.build("program", &["-fPIE", "-pie"]);
    let text = listing(&code(&program, made.address(&program, "loop"), 1), None, 100).join("\n");
    assert!(text.contains("call r15  ; known only when it runs") && text.contains("call near_by\n"), "{text}");
}

#[test]
fn vectors_and_hot_loops_are_seen() {
    let source = r#"
float a[1024], b[1024]; volatile float sum;
__attribute__((noinline)) void loop(unsigned long turns) {
    while (turns != 0) {
        for (int i = 0; i < 1024; ++i) a[i] = a[i] * 3 + b[i];
        __asm__ volatile("" : : : "memory");
        --turns;
        __asm__ volatile("" : "+r"(turns));
    }
}
int main(void) { loop(1); return 0; }
"#;
    let Some(made) = Made::new(source) else { return };
    let widths = [("-fno-tree-vectorize", 0), ("-ftree-vectorize", 128), ("-mavx2", 256)];
    for (flag, bits) in widths {
        let program = made.build("program", &["-O3", flag]);
        let summary = code(&program, made.address(&program, "loop"), 0).functions[0].summary;
        assert_eq!((summary.vector_bits, summary.loops), (bits, 1), "{flag}: {summary:?}");
        assert!(summary.hot_loop >= 4 && summary.hot_loop < summary.instructions, "{flag}: {summary:?}");
    }
}

#[test]
fn what_is_stored_is_read_again_and_damage_is_said() {
    let Some(made) = Made::new(PROGRAM) else { return };
    let program = made.build("program", &["-g"]);
    let start = made.address(&program, "loop");
    let read = code(&program, start, 2);
    assert_eq!(Code::parse(&read.to_json()), Ok(read.clone()));
    let later = String::from_utf8(read.to_json()).expect("text").replace("\"version\":1", "\"version\":2");
    assert!(Code::parse(later.as_bytes()).is_err_and(|why| why.contains("version 2")));
    assert!(Code::parse(b"{").is_err());
    let content = std::fs::read(&program).expect("a program");
    let request = LoopRequest { program: "p\x1b[2J", start, depth: 2, leaves: true, is_last: false, own_files: &[] };
    let wrong = |content: &[u8]| collect(content, &request, &file).expect_err("it is not read");
    assert!(wrong(b"#!/bin/sh").contains("is not an ELF program") && !wrong(b"").contains('\x1b'));
    let mut other = content.clone();
    // RISC-V, and this processor's code read as AArch64.
    other[18..20].copy_from_slice(&243_u16.to_le_bytes());
    assert!(wrong(&other).contains("this processor cannot be read"));
    other[18..20].copy_from_slice(&183_u16.to_le_bytes());
    let _ = collect(&other, &request, &file);
    // Hostile names, truncated and corrupted files give an error or another result, but never a panic.
    let at = content.windows(6).position(|bytes| bytes == b"deeper").expect("a name");
    let mut named = content.clone();
    named[at..at + 6].copy_from_slice(b"\x1b[31m\n");
    if let Ok(code) = collect(&named, &request, &file) {
        assert!(!listing(&code, None, 80).join("").contains('\x1b'));
    }
    let mut random = 1_u64;
    for length in (0..content.len()).step_by(content.len() / 10) {
        let _ = collect(&content[..length], &request, &file);
        let mut changed = content.clone();
        for _ in 0..20 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = (random >> 33) as usize % changed.len();
            changed[at] = (random >> 20) as u8;
        }
        let _ = collect(&changed, &request, &file);
    }
}
