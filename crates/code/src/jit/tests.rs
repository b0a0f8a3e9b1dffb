use super::*;
use crate::listing::listing;
use crate::{compare, Sameness};

const LISTING: &str = "\
; Assembly listing for method App.Sums:All():int:this (Tier0)
; Emitting BLENDED_CODE for X64 with AVX512 - Unix
; Tier0 code

G_M000_IG01:                ;; offset=0x0000
       C3                   ret

; Total bytes of code 112

; Assembly listing for method App.Sums:Twice(int):int (Tier1)
G_M000_IG01:                ;; offset=0x0000
       8D043F               lea      eax, [rdi+rdi]
       C3                   ret
; Total bytes of code 4

; Assembly listing for method App.Sums:All():int:this (Tier1)
; Tier1 code
; optimized using Dynamic PGO

G_M000_IG01:                ;; offset=0x0000
       55                   push     rbp
       33C0                 xor      eax, eax
       align    [4 bytes for IG02]

G_M000_IG02:                ;; offset=0x0007
       488B7DF8             mov      rdi, qword ptr [rbp-0x08]
       E800000000           call     [App.Sums:Twice(int):int]
       FF5020               call     [rax+0x20]App.Shape:Area():int:this
       48BF00E4B4C1197F0000 mov      rdi, 0x7F19C1B4E400      ; 'a text'
       03C7                 add      eax, edi
       83F840               cmp      eax, 64
       7CE7                 jl       SHORT G_M000_IG02

G_M000_IG03:                ;; offset=0x0024
       E800000000           call     [System.Number:Max[char,int](System.Span`1[char]):int]
       E800000000           call     CORINFO_HELP_RNGCHKFAIL
       5D                   pop      rbp
       C3                   ret

; Total bytes of code 48
";

fn read(text: &str, depth: u32) -> Result<Code, String> {
    of_runtime(text, &Method { class: "App.Sums", name: "All" }, "app.dll", depth)
}

#[test]
fn the_last_code_of_a_method_is_its_body_with_its_tier() {
    let code = read(LISTING, 2).expect("its code");
    let names: Vec<&str> = code.functions.iter().map(|function| function.name.as_str()).collect();
    assert_eq!(names, ["body (Tier1)", "App.Sums:Twice(int):int (Tier1)"]);
    let text = listing(&code, None, 100).join("\n");
    let wanted = [
        "body (Tier1): 13 instructions, 48 bytes, 1 branch, 4 calls, a loop of 7 instructions",
        "  │ L1:",
        "  │  7  mov rdi, qword ptr [rbp-0x08]",
        "  │  b  call App.Sums:Twice",
        "  │ 10  call [rax+0x20]App.Shape:Area():int:this  ; known only when it runs",
        "  │ 13  mov rdi, 0x7F19C1B4E400  ; 'a text'",
        "  │ 22  jl L1 ↑",
        "not shown: what the body was compiled to before: Tier0, 112 bytes",
        "no source lines: the runtime lists its code without them",
    ];
    for line in wanted {
        assert!(text.lines().any(|found| found == line), "{line:?} is not in\n{text}");
    }
    let others =
        "functions of other files: `CORINFO_HELP_RNGCHKFAIL`, `System.Number:Max[char,int](System.Span`1[char]):int`";
    assert_eq!(code.left_out[0], others);
    assert_eq!(read(LISTING, 0).expect("its code").functions.len(), 1);
}

#[test]
fn two_processes_have_the_same_code_where_only_registers_and_addresses_differ() {
    let other = LISTING.replace("0x7F19C1B4E400", "0x7FA0C1B4E400").replace("rbp-0x08", "rbp-0x10");
    let (base, new) = (read(LISTING, 2).expect("code"), read(&other, 2).expect("code"));
    assert_eq!(compare(&base, &new).sameness, Sameness::Registers);
    let (removed, changed) = (LISTING.replace("cmp      eax, 64", "cmp      eax, 32"), read(LISTING, 2).expect("code"));
    assert_eq!(compare(&changed, &read(&removed, 2).expect("code")).sameness, Sameness::Different);
}

#[test]
fn what_is_not_in_the_listing_is_said() {
    assert!(read("", 2).is_err_and(|why| why.contains("listed none")));
    let other = Method { class: "App.Sums", name: "None" };
    assert!(of_runtime(LISTING, &other, "p", 2).is_err_and(|why| why.contains("no method `App.Sums.None`")));
    // Another form of the class name, as for a generic class.
    let generic = LISTING.replace("App.Sums:", "App.Outer+Sums`1[int]:");
    assert!(of_runtime(&generic, &Method { class: "App.Outer+Sums<int>", name: "All" }, "p", 2).is_ok());
    // .NET 7 has neither a tier in the head nor bytes.
    let old = "; Assembly listing for method App.Sums:All()\n; Tier-1 compilation\nG_M1_IG01:        ;; offset=0000H\n       ret      \n";
    assert_eq!(read(old, 2).expect("its code").functions[0].name, "body (Tier1)");
    for cut in (0..LISTING.len()).step_by(7) {
        let _ = read(&LISTING[..cut], 2);
    }
}

#[test]
fn vectors_are_told_from_single_numbers() {
    for (code, bits) in [
        ("vaddps ymm0, ymm0, ymmword ptr [rdi]", 256),
        ("vaddss xmm0, xmm0, xmm1", 0),
        ("vxorps xmm0, xmm0, xmm0", 0),
        ("vmovaps xmm0, xmm1", 0),
        ("vmovdqu xmmword ptr [rbp-0x48], xmm8", 128),
        ("vzeroupper", 0),
        ("add eax, ebx", 0),
    ] {
        assert_eq!(text::vector_bits(code), bits, "{code}");
    }
}
