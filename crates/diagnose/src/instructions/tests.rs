use super::callgrind::{explain, newest, parse};
use super::*;

/// As written by valgrind 3.19.
const FILE: &str = "\
# callgrind format
version: 1
creator: callgrind-3.19.0
pid: 7
cmd:  ./a
part: 3


desc: I1 cache: 32768 B, 64 B, 8-way associative
desc: Trigger: Client Request

positions: instr
events: Ir Dr Dw I1mr D1mr D1mw ILmr DLmr DLmw Bc Bcm Bi Bim
summary: 1200 300 100 1 20 3 0 4 0 90 5 10 2

fn=(1) main
0x10 1200

totals: 1200 300 100 1 20 3 0 4 0 90 5 10 2
";

#[test]
fn totals_are_summed_by_their_names() {
    // Instructions, branches, mispredictions, indirect branches, accesses, misses of the first and of the last cache.
    assert_eq!(parse(FILE), Ok([1200.0, 100.0, 7.0, 10.0, 400.0, 24.0, 4.0]));
    // Callgrind leaves out trailing zeros.
    assert_eq!(parse("events: Ir Dr Dw Bc\ntotals: 5 1\n"), Ok([5.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0]));
    for wrong in ["", "events: Ir", "events: Dr\ntotals: 5\n"] {
        assert!(parse(wrong).is_err(), "{wrong}");
    }
}

#[test]
fn counts_are_read_loop_by_loop_and_one_that_is_missing_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |number: u64, executed: u64| {
        let text = format!("events: Ir\ntotals: {executed}\n");
        std::fs::write(folder.path().join(format!("out.{number}")), text).expect("written");
    };
    let mut pass = Callgrind { folder: folder.path().to_owned(), last: 0, rounds: Rounds::default() };
    write(1, 1);
    // The lead.
    pass.last = newest(folder.path());
    let part = Part { iteration: 0, which: Loop::Overhead, invocations: 3 };
    assert_eq!(
        pass.take(&part, 0.0).expect_err("nothing new"),
        "callgrind wrote 0 counts of the empty loop instead of one"
    );
    write(2, 40);
    pass.take(&part, 0.0).expect("it is there");
    assert_eq!((pass.rounds.is_empty(), pass.last), (false, 2));
}

#[test]
fn an_instruction_that_valgrind_does_not_know_is_a_sentence() {
    let log = "==7== valgrind: Unrecognised instruction at address 0x10.\nvex amd64->IR: unhandled instruction bytes: 0x62 0xF1 0x7C\n";
    let killed = |signal| tare_model::FailureKind::Signal { signal, name: String::new() };
    let said = explain(&killed(4), log).expect("known");
    assert!(
        said.starts_with("valgrind does not know an instruction of the program (0x62 0xF1 0x7C), such as"),
        "{said}"
    );
    assert_eq!(explain(&killed(11), log), None);
    assert_eq!(explain(&killed(4), ""), None);
    let exited = tare_model::FailureKind::EarlyExit { status: 1 };
    let said = explain(&exited, "Valgrind: debuginfo reader: Possibly corrupted debuginfo file.").expect("known");
    assert!(said.contains("-gdwarf-4"), "{said}");
    assert_eq!(explain(&exited, ""), None);
}

#[test]
fn programs_that_callgrind_cannot_count_are_named() {
    let child = |capabilities: &[&str], compiles_late| Artifact {
        name: "p".to_owned(),
        child: Some(tare_model::ChildFacts {
            capabilities: capabilities.iter().map(|name| (*name).to_owned()).collect(),
            compiles_late,
            ..tare_model::ChildFacts::default()
        }),
        ..Artifact::default()
    };
    let instructions = Instructions::default();
    assert_eq!(instructions.lacks(&child(&["callgrind"], false)), None);
    let of = |program| instructions.lacks(&program).expect("it lacks them").reason;
    assert!(of(child(&["cpu"], true)).contains("compiled while it runs"));
    assert!(of(child(&[], false)).contains("does not tell callgrind"));
    // A runtime that produces machine code is followed if it reads its thread's clock, and is not exact.
    let late = |capabilities: &[&str]| Artifact { language: "c#".to_owned(), ..child(capabilities, true) };
    assert_eq!(instructions.lacks(&late(&["cpu"])).is_none(), stepped::lacks().is_none());
    assert!(of(late(&[])).contains("compiled while it runs"));
    assert!(!instructions.pass(&late(&["cpu"])).is_exact && instructions.pass(&child(&["callgrind"], false)).is_exact);
}

#[test]
fn caches_of_a_machine_are_simulated_if_they_can_be() {
    let cache = |level, kind: &str, size_bytes| Cache { level, kind: kind.to_owned(), size_bytes };
    let of = |data: u64, last: u64| {
        sizes(&[
            cache(1, "data", data),
            cache(1, "instruction", 32 << 10),
            cache(2, "unified", 1 << 20),
            cache(3, "unified", last),
        ])
    };
    assert_eq!(of(48 << 10, 32 << 20), Some([32 << 10, 48 << 10, 32 << 20]));
    assert_eq!((of(48 << 10, 100), sizes(&[])), (None, None));
    assert_eq!([32 << 10, 48 << 10, 8 << 20, 36 << 20].map(ways), [[8, 64], [12, 64], [8, 64], [9, 64]].map(Some));
    assert!(processor(CACHES).contains("of 32 KiB for code and of 32 KiB for data, and one of 8 MiB"));
}
