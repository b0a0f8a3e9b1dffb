//! Machine code as values: the attachment of the diagnoser `code`. `docs/reference/code.md` documents the form.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The machine code of a benchmark's body and its callees.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// The version of this form, [`Code::VERSION`].
    pub version: u32,
    /// The processor: `x86-64`.
    pub machine: String,
    pub program: String,
    /// The body, as the part of the measuring loop, followed by its callees, nearest first.
    pub functions: Vec<Function>,
    /// Places of instructions, which refer to them by index.
    #[serde(default)]
    pub places: Vec<Place>,
    /// Lines of the sources that the places name.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// Why there are no source lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_lines: Option<String>,
    /// Why a runtime that compiles speculatively left the code of the body, each reason with its count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deoptimised: Option<String>,
    /// Totals of the body and of what it calls.
    pub total: Summary,
    /// Whether every function that is called by name is listed, except those that end the program.
    #[serde(default)]
    pub is_whole: bool,
    /// What is not shown, and why.
    #[serde(default)]
    pub left_out: Vec<String>,
}

/// A function, or the part of a measuring loop that is the body.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    pub name: String,
    /// The method that a runtime compiled, as it writes it: `Parse:ByHand(int):int:this`. Empty for code in a file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub method: String,
    /// Number of calls from the measuring loop to it; 0 for the loop itself.
    pub depth: u32,
    /// Its start address in the file.
    pub address: u64,
    /// Its blocks by address.
    pub blocks: Vec<Block>,
    /// Its summary, without the instructions of the measuring loop.
    pub summary: Summary,
    /// Hidden instructions of a measuring loop, such as further copies of the body.
    #[serde(default)]
    pub hidden: u32,
    /// Hidden instructions that are no copy of a shown one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Other>,
}

/// A hidden instruction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    /// Its address in the file.
    pub address: u64,
    /// Its place: an index into [`Code::places`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u32>,
}

/// Instructions that run one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// Its name in jumps; empty if it is only reached from the block before.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Loops of the body around it.
    #[serde(default)]
    pub loops: u32,
    /// The indices of its possible successors.
    #[serde(default)]
    pub next: Vec<u32>,
    pub instructions: Vec<Instruction>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// Its address in the file.
    pub address: u64,
    /// Its bytes, hexadecimal.
    pub bytes: String,
    /// Its text in Intel syntax, with names and labels in place of addresses.
    pub text: String,
    /// The same without what differs between two builds: registers only by kind, no stack offsets.
    pub normal: String,
    /// The constant it refers to: a number or a text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub constant: String,
    /// Its place: an index into [`Code::places`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u32>,
    /// Where it goes, other than to the next instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// Whether it belongs to the measuring loop and counts invocations.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_loop: bool,
    /// Addresses of the same instruction in further copies of the body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    pub kind: Goes,
    /// A function, or a label of this one; empty if only known at run time.
    pub name: String,
}

/// How an instruction goes somewhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goes {
    /// It calls a function, which returns.
    Call,
    /// It jumps into another function, which returns to the caller of this one.
    TailCall,
    /// It jumps within the function.
    Jump,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The innermost function first, then those in which it was inlined.
    pub frames: Vec<Frame>,
}

/// A function at a source line.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Frame {
    /// May be empty.
    pub function: String,
    /// As in the debug information; may be empty.
    pub file: String,
    /// From 1; 0 if unknown.
    pub line: u32,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// As in [`Frame::file`].
    pub file: String,
    /// From 1.
    pub line: u32,
    pub text: String,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Its size, without filling instructions.
    pub bytes: u64,
    /// Instructions, without filling ones.
    pub instructions: u32,
    pub branches: u32,
    /// Calls, including tail calls.
    pub calls: u32,
    pub loops: u32,
    /// Instructions of the hot loop, which is the largest of the most deeply nested loops; 0 without a loop.
    pub hot_loop: u32,
    /// Width of the widest vector instruction in a loop, or anywhere if there is no loop, bits; 0 if there is none.
    pub vector_bits: u32,
    /// Divisions and square roots, which take several times as long as other instructions.
    #[serde(default)]
    pub divisions: u32,
    /// Atomic instructions in loops, or anywhere if there is no loop; each waits for memory.
    #[serde(default)]
    pub atomics: u32,
    /// Bytes that single vector moves take from memory to memory in loops, or anywhere if there is no loop.
    #[serde(default)]
    pub copied: u32,
    /// Fewest cycles of a turn of the hot loop, given that it waits for results of the turn before; 0 if unknown.
    #[serde(default)]
    pub chain: u32,
}

impl Code {
    pub const VERSION: u32 = 1;
    pub const MEDIA_TYPE: &'static str = "application/vnd.tare.code+json";
    pub const FILE: &'static str = "code.json";

    pub fn parse(content: &[u8]) -> Result<Code, String> {
        let code: Code = serde_json::from_slice(content).map_err(|error| error.to_string())?;
        match code.version == Code::VERSION {
            true => Ok(code),
            false => Err(format!("it is of version {}, and this `tare` reads version {}", code.version, Code::VERSION)),
        }
    }

    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    pub(crate) fn source(&self, file: &str, line: u32) -> Option<&str> {
        self.sources.iter().find(|source| source.line == line && source.file == file).map(|source| &*source.text)
    }
}

impl Instruction {
    /// Whether it only fills a gap.
    pub(crate) fn is_filling(&self) -> bool {
        self.normal == "nop" || self.normal.starts_with("nop ")
    }
}

/// Whether an instruction divides or takes a square root, for any kind of number.
pub(crate) fn divides(text: &str) -> bool {
    let name = text.split_whitespace().next().unwrap_or_default();
    let is_of_arm = matches!(name, "sdiv" | "udiv");
    let name = name.trim_start_matches(['v', 'f', 'i']);
    is_of_arm || name.starts_with("div") || name.starts_with("sqrt")
}

/// Bytes that x86 instructions take from memory to memory through a vector register that nothing else uses.
pub(crate) fn copied<'t>(texts: impl Iterator<Item = &'t str>) -> u32 {
    let (mut bytes, mut loaded) = (0, BTreeSet::new());
    for text in texts {
        let (name, operands) = text.split_once(' ').unwrap_or((text, ""));
        let is_move = ["movup", "movap", "movdq"].iter().any(|start| name.trim_start_matches('v').starts_with(start));
        match operands.split_once(", ") {
            Some((register, from)) if is_move && from.contains('[') => _ = loaded.insert(register),
            Some((to, register)) if is_move && to.contains('[') && loaded.remove(register) => {
                bytes += match register.as_bytes().first() {
                    Some(b'x') => 16,
                    Some(b'y') => 32,
                    _ => 64,
                };
            }
            _ => operands.split(", ").for_each(|operand| _ = loaded.remove(operand)),
        }
    }
    bytes
}

/// Whether an instruction is atomic, on any processor.
pub(crate) fn is_atomic(text: &str) -> bool {
    let name = text.split_whitespace().next().unwrap_or_default();
    let is_exclusive = (name.starts_with("ld") || name.starts_with("st")) && name.contains("xr");
    let is_one = ["cas", "ldadd", "ldclr", "ldset", "ldeor", "swp"].iter().any(|start| name.starts_with(start));
    name == "lock" || name == "xchg" && text.contains('[') || is_exclusive || is_one
}

impl Summary {
    /// Adds the summary of another function.
    pub(crate) fn add(&mut self, other: &Summary) {
        self.bytes += other.bytes;
        self.instructions += other.instructions;
        self.branches += other.branches;
        self.calls += other.calls;
        self.loops += other.loops;
        if other.hot_loop > self.hot_loop {
            (self.hot_loop, self.chain) = (other.hot_loop, other.chain);
        }
        self.vector_bits = self.vector_bits.max(other.vector_bits);
        self.divisions += other.divisions;
        self.atomics += other.atomics;
        self.copied += other.copied;
    }
}

#[cfg(test)]
mod tests {
    use super::{copied, divides, is_atomic};

    #[test]
    fn what_is_loaded_and_stored_as_it_is_was_copied() {
        let of = |lines: &str| copied(lines.split("; "));
        assert_eq!(of("movups xmm1, [rcx]; vmovdqu ymm0, [rcx+0x10]; movups [r8], xmm1; vmovdqu [r8+0x10], ymm0"), 48);
        assert_eq!(of("movups xmm1, [rcx]; paddd xmm1, xmm0; movups [r8], xmm1"), 0);
        assert_eq!(of("pxor xmm0, xmm0; movups [r8], xmm0; mov rax, [rcx]; mov [rdx], rax"), 0);
    }

    #[test]
    fn atomic_instructions_are_known() {
        assert!(["lock cmpxchg [rdi], rax", "xchg eax, [rdi]", "ldaxr x0, [x1]", "ldaddal x0, x1, [x2]"]
            .into_iter()
            .all(is_atomic));
        assert!(!["xchg rax, rbx", "add [rdi], 1", "ldr x0, [x1]", "str x0, [x1]"].into_iter().any(is_atomic));
    }

    #[test]
    fn divisions_and_roots_of_all_kinds_of_numbers_are_known() {
        assert!([
            "div rcx",
            "idiv ecx",
            "vdivsd xmm0, xmm1, xmm2",
            "fidiv m32",
            "sqrtsd xmm0, xmm1",
            "vsqrtps ymm0, ymm1"
        ]
        .into_iter()
        .all(divides));
        assert!(!["imul eax, 3", "shr rax, 3", "movdqa xmm0, xmm1", "", "inc eax"].into_iter().any(divides));
    }
}
