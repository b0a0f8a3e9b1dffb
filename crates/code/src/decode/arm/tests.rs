use super::*;
use crate::{collect, compare, listing, Code, LoopRequest, Sameness};

const PROGRAM: &[u8] = include_bytes!("../../../../../fixtures/code/aarch64.so");

/// The code of a function and its callees.
fn code(name: &str) -> Code {
    let elf = crate::elf::Elf::read(PROGRAM).expect("ELF");
    let start = elf.functions().into_iter().find(|function| function.name == name).expect("a function").address;
    let request = LoopRequest { program: "aarch64.so", start, depth: 2, leaves: true, is_last: false, own_files: &[] };
    collect(PROGRAM, &request, &|_| None).expect("code")
}

fn lines(name: &str) -> String {
    listing(&code(name), None, 100).join("\n")
}

#[test]
fn the_body_is_cut_out_of_its_measuring_loop() {
    let code = code("body_loop");
    assert_eq!(code.machine, "aarch64");
    let body = &code.functions[0];
    let of_body = |one: &&crate::Instruction| !one.is_of_loop;
    let texts: Vec<&str> =
        body.blocks.iter().flat_map(|block| &block.instructions).filter(of_body).map(|one| one.text.as_str()).collect();
    let turn = ["ldr w3, [x1], #0x4", "eor w0, w0, w3", "add w0, w0, w0, lsl #1", "cmp x1, x2", "b.ne L2"];
    assert!(texts.windows(turn.len()).any(|window| window == turn), "{texts:#?}");
    assert_eq!((body.summary.loops, body.summary.hot_loop), (1, 5), "{texts:#?}");
    // Four copies of the body, one of them shown.
    assert!(body.hidden > 12 && body.summary.instructions < 14, "{body:?}");
}

#[test]
fn calls_divisions_and_constants_are_read() {
    let text = lines("calls");
    assert!(text.contains("bl outside") && text.contains("br x16  ; tail call"), "{text}");
    assert!(text.contains("stp x29, x30, [sp"), "{text}");
    let text = lines("summed");
    assert!(
        text.contains("b sum") && text.contains("tail call") && text.contains("ldr w2, [x4, x1, lsl #2]"),
        "{text}"
    );
    assert!(text.contains("add x4, x4, values"), "the page and the offset make the place: {text}");
    let text = lines("scaled");
    assert!(text.contains("  ; 3.14159"), "{text}");
    let divided = code("divided");
    assert_eq!((divided.total.divisions, divided.total.bytes), (1, 8));
    assert_eq!(compare(&divided, &divided.clone()).sameness, Sameness::Same);
}

#[test]
fn what_differs_between_two_builds_is_left_out() {
    let elf = crate::elf::Elf::read(PROGRAM).expect("ELF");
    let symbols = Symbols::new(&elf);
    let of = |word: u32| normal(&Instruction { address: 0, word, refers: None }, &symbols, None);
    // add w0, w1, w2; ldr x19, [sp, #16]; ldr x3, [x4, #8]; b.ne; fadd v0.4s, v1.4s, v2.4s
    assert_eq!(of(0x0b02_0020), "add w, w, w");
    assert_eq!(of(0xf940_0bf3), "ldr x, [stack]");
    assert_eq!(of(0xf940_0483), "ldr x, [x, #0x8]");
    assert_eq!(of(0x5400_0041), "b.ne label");
    assert_eq!(of(0x4e22_d420), "fadd v.4s, v.4s, v.4s");
    let bits = |word: u32| Instruction { address: 0, word, refers: None }.vector_bits();
    // A vector, a half of one, a scalar, a register set to zero, and a load of a whole vector.
    let found = [0x4e22_d420, 0x0e22_d420, 0x1e62_2820, 0x4f00_0400, 0x3dc0_0000].map(bits);
    assert_eq!(found, [Some(128), Some(64), None, None, Some(128)]);
}

#[test]
fn control_goes_on_as_the_bits_say() {
    let flow = |word: u32| Instruction { address: 0x1000, word, refers: None }.flow();
    assert_eq!(flow(0x1400_0002), Flow::To(0x1008));
    assert_eq!(flow(0x17ff_ffff), Flow::To(0xffc));
    assert_eq!(flow(0x9400_0001), Flow::Call(0x1004));
    assert_eq!(flow(0x54ff_ffe1), Flow::Maybe(0xffc));
    assert_eq!(flow(0xb400_0040), Flow::Maybe(0x1008));
    assert_eq!(flow(0x3707_ffe0), Flow::Maybe(0xffc));
    assert_eq!(
        [0xd61f_0040, 0xd61f_0200, 0xd63f_0040, 0xd65f_03c0].map(flow),
        [Flow::JumpBy, Flow::LeaveBy, Flow::CallBy, Flow::Out]
    );
    assert_eq!([0xd420_0020, 0, 0xd503_201f].map(flow), [Flow::Out, Flow::Out, Flow::On]);
}

/// Any bytes can be written.
#[test]
fn any_word_is_written() {
    let elf = crate::elf::Elf::read(PROGRAM).expect("ELF");
    let symbols = Symbols::new(&elf);
    let mut word = 1_u32;
    for _ in 0..100_000 {
        word = word.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let one = decode(&word.to_le_bytes(), 0x1000)[0];
        assert!(!text(&one, &symbols, None).is_empty() && !normal(&one, &symbols, Some("f")).is_empty());
        let _ = (one.vector_bits(), constant(&one, &symbols));
    }
}
