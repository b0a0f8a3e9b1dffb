//! Machine code as values: what the attachment of the diagnoser `code` holds. `docs/reference/code.md` documents the form.

use serde::{Deserialize, Serialize};

/// The machine code of a benchmark's body and of what it calls.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// Of this form: [`Code::VERSION`].
    pub version: u32,
    /// The processor: `x86-64`.
    pub machine: String,
    pub program: String,
    /// The measuring loop, as far as it is the body, and then what it calls, the nearest first.
    pub functions: Vec<Function>,
    /// Where instructions come from; instructions have indices of this list.
    #[serde(default)]
    pub places: Vec<Place>,
    /// Lines of the sources that the places name.
    #[serde(default)]
    pub sources: Vec<Source>,
    /// Why there are no source lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub no_lines: Option<String>,
    /// Of a runtime that compiles for what it has seen so far: why it left the code of the body when something else came, each reason with how often.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deoptimised: Option<String>,
    /// Totals of the body and of what it calls.
    pub total: Summary,
    /// Every function of the program that is called by its name is listed, as far as it does not end the program.
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
    /// The method that a runtime compiled it from, as it writes it: `Parse:ByHand(int):int:this`. Empty: it is in a file.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub method: String,
    /// Calls from the measuring loop to it: 0 for the loop itself.
    pub depth: u32,
    /// Where it begins in the file.
    pub address: u64,
    /// Its blocks by address.
    pub blocks: Vec<Block>,
    /// What it consists of, without what belongs to the measuring loop.
    pub summary: Summary,
    /// Of a measuring loop: instructions that are not shown, such as further copies of the body.
    #[serde(default)]
    pub hidden: u32,
    /// Those of them that are no copy of an instruction that is shown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Other>,
}

/// An instruction that is not shown.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Other {
    /// Where it is in the file.
    pub address: u64,
    /// Where it comes from: an index into [`Code::places`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u32>,
}

/// Instructions that run one after the other.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Block {
    /// The name by which jumps name it; empty: it is only reached from the block before.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// Loops of the body around it.
    #[serde(default)]
    pub loops: u32,
    /// The indices of the blocks that may follow it.
    #[serde(default)]
    pub next: Vec<u32>,
    pub instructions: Vec<Instruction>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Instruction {
    /// Where it is in the file.
    pub address: u64,
    /// Its bytes, hexadecimal.
    pub bytes: String,
    /// As it is written, in Intel's syntax, with names and labels in place of addresses.
    pub text: String,
    /// The same without what differs between two builds: registers only by their kind, places of memory without offsets of the stack.
    pub normal: String,
    /// What it refers to where that is constant: a number or a text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub constant: String,
    /// Where it comes from: an index into [`Code::places`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub place: Option<u32>,
    /// Where it goes, beside the next instruction.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<Target>,
    /// It belongs to the measuring loop: it counts invocations.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_loop: bool,
    /// Where the same instruction is in further copies of the body.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<u64>,
}

/// Where an instruction goes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Target {
    pub kind: Goes,
    /// A function, or a label of this one; empty: it is only known when the program runs.
    pub name: String,
}

/// How an instruction goes somewhere else.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Goes {
    /// It calls a function, which comes back.
    Call,
    /// It jumps into another function, which returns to the caller of this one.
    TailCall,
    /// It jumps within the function.
    Jump,
}

/// Where an instruction comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// The innermost function first, then those in which it was inlined.
    pub frames: Vec<Frame>,
}

/// A function at a line of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Frame {
    /// As it is written; may be empty.
    pub function: String,
    /// As the debug information has it; may be empty.
    pub file: String,
    /// From 1; 0: unknown.
    pub line: u32,
}

/// A line of a source.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// As in [`Frame::file`].
    pub file: String,
    /// From 1.
    pub line: u32,
    pub text: String,
}

/// What code consists of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// Its size, without instructions that do nothing.
    pub bytes: u64,
    /// All of them that do something.
    pub instructions: u32,
    /// Jumps that depend on a condition.
    pub branches: u32,
    /// Calls, with those at its end.
    pub calls: u32,
    pub loops: u32,
    /// Instructions of the hot loop: the largest of the loops with the most loops around them. 0: it has no loop.
    pub hot_loop: u32,
    /// Width of the widest vector instruction in a loop, or anywhere where there is no loop, bits. 0: there is none.
    pub vector_bits: u32,
    /// Divisions and square roots, which take several times as long as others.
    #[serde(default)]
    pub divisions: u32,
    /// Atomic instructions in loops, or anywhere where there is no loop, each of which waits for the memory.
    #[serde(default)]
    pub atomics: u32,
    /// Cycles that a turn of the hot loop takes at least, since it waits for results of the turn before. 0: that is not known.
    #[serde(default)]
    pub chain: u32,
}

impl Code {
    /// Of the form that this writes.
    pub const VERSION: u32 = 1;
    /// The media type of the attachment.
    pub const MEDIA_TYPE: &'static str = "application/vnd.tare.code+json";
    /// The name of the attachment.
    pub const FILE: &'static str = "code.json";

    /// Reads it as it was stored.
    pub fn parse(content: &[u8]) -> Result<Code, String> {
        let code: Code = serde_json::from_slice(content).map_err(|error| error.to_string())?;
        match code.version == Code::VERSION {
            true => Ok(code),
            false => Err(format!("it is of version {}, and this `tare` reads version {}", code.version, Code::VERSION)),
        }
    }

    /// As it is stored.
    pub fn to_json(&self) -> Vec<u8> {
        serde_json::to_vec(self).unwrap_or_default()
    }

    /// The text of a source line.
    pub(crate) fn source(&self, file: &str, line: u32) -> Option<&str> {
        self.sources.iter().find(|source| source.line == line && source.file == file).map(|source| &*source.text)
    }
}

impl Instruction {
    /// It does nothing but to fill a gap.
    pub(crate) fn is_filling(&self) -> bool {
        self.normal == "nop" || self.normal.starts_with("nop ")
    }
}

/// Whether an instruction divides or takes a square root, of whatever numbers.
pub(crate) fn divides(text: &str) -> bool {
    let name = text.split_whitespace().next().unwrap_or_default();
    let is_of_arm = matches!(name, "sdiv" | "udiv");
    let name = name.trim_start_matches(['v', 'f', 'i']);
    is_of_arm || name.starts_with("div") || name.starts_with("sqrt")
}

/// Whether an instruction is atomic, of whatever processor.
pub(crate) fn is_atomic(text: &str) -> bool {
    let name = text.split_whitespace().next().unwrap_or_default();
    let is_exclusive = (name.starts_with("ld") || name.starts_with("st")) && name.contains("xr");
    let is_one = ["cas", "ldadd", "ldclr", "ldset", "ldeor", "swp"].iter().any(|start| name.starts_with(start));
    name == "lock" || name == "xchg" && text.contains('[') || is_exclusive || is_one
}

impl Summary {
    /// Of two functions together.
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
    }
}

#[cfg(test)]
mod tests {
    use super::{divides, is_atomic};

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
