//! AArch64: what the instructions of a function do and how they are written. Each has 32 bits, from which the control flow is read; the
//! text comes from a decoder.

use super::is_label;
use crate::flow::Goes;
use crate::symbols::{Reached, Symbols};
use std::collections::HashMap;
use yaxpeax_arch::{Arch, Decoder, U8Reader};
use yaxpeax_arm::armv8::a64::ARMv8;

/// Bytes of an instruction.
pub(crate) const SIZE: usize = 4;
/// Number of the zero register or the stack pointer.
const ZERO: u32 = 31;
/// The registers through which functions of other files are called.
const CALLED_BY: [u32; 2] = [16, 17];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Instruction {
    pub address: u64,
    pub word: u32,
    /// The place in memory that it refers to, if known: by its own address, or together with an earlier instruction.
    pub refers: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Flow {
    /// It may jump.
    Maybe(u64),
    To(u64),
    Call(u64),
    CallBy,
    /// A jump through a register: by a table to another part of the function.
    JumpBy,
    /// The same to another function, through the two registers that stubs and calls use.
    LeaveBy,
    Out,
    On,
}

/// The consecutive instructions from an address on.
pub(crate) fn decode(bytes: &[u8], address: u64) -> Vec<Instruction> {
    let words = bytes.chunks_exact(SIZE).map(|word| word.iter().rev().fold(0, |all, byte| all << 8 | u32::from(*byte)));
    let mut pages = Pages::default();
    (address..).step_by(SIZE).zip(words).map(|(address, word)| pages.instruction(address, word)).collect()
}

/// The slot through which a stub of the procedure linkage table jumps.
pub(crate) fn slot_of_stub(bytes: &[u8], address: u64) -> Option<u64> {
    const STUB: usize = 6;
    let code = decode(bytes.get(..(STUB * SIZE).min(bytes.len()))?, address);
    let jump = code.iter().position(|one| one.flow() == Flow::LeaveBy)?;
    code[..jump].iter().rev().find(|one| is_load(one.word)).and_then(|one| one.refers)
}

/// Partial addresses in registers: a place is a page, plus an offset in a later instruction.
#[derive(Default)]
struct Pages(HashMap<u32, u64>);

impl Pages {
    fn instruction(&mut self, address: u64, word: u32) -> Instruction {
        let (rd, rn) = (bits(word, 0, 5), bits(word, 5, 5));
        let base = self.0.get(&rn).copied();
        let offset = u64::from(bits(word, 10, 12));
        let mut one = Instruction { address, word, refers: None };
        // Whatever it writes, it may be one of these.
        self.0.remove(&rd);
        self.0.remove(&bits(word, 10, 5));
        let relative = u64::from(bits(word, 29, 2)) | u64::from(bits(word, 5, 19)) << 2;
        if word & 0x9f00_0000 == 0x9000_0000 {
            let page = (address & !0xfff).wrapping_add((signed(relative, 21) << 12) as u64);
            self.0.insert(rd, page);
        } else if word & 0x9f00_0000 == 0x1000_0000 {
            one.refers = Some(address.wrapping_add(signed(relative, 21) as u64));
        } else if word & 0xffc0_0000 == 0x9100_0000 {
            one.refers = base.map(|base| base.wrapping_add(offset));
        } else if word & 0x3b00_0000 == 0x3900_0000 {
            one.refers = base.map(|base| base.wrapping_add(offset << scale(word)));
        } else if word & 0x3b00_0000 == 0x1800_0000 {
            one.refers = Some(address.wrapping_add(jump(word, 5, 19)));
        }
        // Code after a jump is reached from elsewhere, and a call preserves few registers.
        if !matches!(one.flow(), Flow::On | Flow::Maybe(_)) {
            self.0.clear();
        }
        one
    }
}

fn bits(word: u32, from: u32, count: u32) -> u32 {
    word >> from & ((1 << count) - 1)
}

/// Sign-extends a number of `count` bits.
fn signed(number: u64, count: u32) -> i64 {
    (number << (64 - count)) as i64 >> (64 - count)
}

/// The distance of a jump, given in instructions by these bits.
fn jump(word: u32, from: u32, count: u32) -> u64 {
    (signed(u64::from(bits(word, from, count)), count) * SIZE as i64) as u64
}

/// The power of two that scales the offset of a load or store.
fn scale(word: u32) -> u32 {
    let is_vector = bits(word, 26, 1) == 1;
    if is_vector && bits(word, 23, 1) == 1 {
        4
    } else {
        bits(word, 30, 2)
    }
}

/// A load from a register with an offset.
fn is_load(word: u32) -> bool {
    word & 0x3b00_0000 == 0x3900_0000 && bits(word, 22, 2) != 0
}

impl Instruction {
    fn flow(&self) -> Flow {
        let Instruction { word, address, .. } = *self;
        let to = |distance: u64| address.wrapping_add(distance);
        match word {
            _ if word & 0xfc00_0000 == 0x1400_0000 => Flow::To(to(jump(word, 0, 26))),
            _ if word & 0xfc00_0000 == 0x9400_0000 => Flow::Call(to(jump(word, 0, 26))),
            // By a condition, by zero, and by a bit.
            _ if word & 0xff00_0000 == 0x5400_0000 => Flow::Maybe(to(jump(word, 5, 19))),
            _ if word & 0x7e00_0000 == 0x3400_0000 => Flow::Maybe(to(jump(word, 5, 19))),
            _ if word & 0x7e00_0000 == 0x3600_0000 => Flow::Maybe(to(jump(word, 5, 14))),
            _ if word & 0xfe00_0000 == 0xd600_0000 => match bits(word, 21, 4) & 7 {
                0 if CALLED_BY.contains(&bits(word, 5, 5)) => Flow::LeaveBy,
                0 => Flow::JumpBy,
                1 => Flow::CallBy,
                _ => Flow::Out,
            },
            // `udf` and `brk`.
            _ if word & 0xffff_0000 == 0 || word & 0xffe0_001f == 0xd420_0000 => Flow::Out,
            _ => Flow::On,
        }
    }

    /// Target of a jump or call if the instruction has it, else 0.
    pub(crate) fn target(&self) -> u64 {
        match self.flow() {
            Flow::Maybe(to) | Flow::To(to) | Flow::Call(to) => to,
            _ => 0,
        }
    }

    pub(crate) fn is_call(&self) -> bool {
        matches!(self.flow(), Flow::Call(_) | Flow::CallBy)
    }

    /// A jump to an address in the instruction.
    pub(crate) fn is_jump(&self) -> bool {
        matches!(self.flow(), Flow::Maybe(_) | Flow::To(_))
    }

    pub(crate) fn is_conditional(&self) -> bool {
        matches!(self.flow(), Flow::Maybe(_))
    }

    pub(crate) fn is_padding(&self) -> bool {
        const NOP: u32 = 0xd503_201f;
        self.word == NOP
    }

    /// Where control goes next, in a function at `start..end`.
    pub(crate) fn goes(&self, start: u64, end: u64) -> Goes {
        let is_inside = |to: u64| (start..end).contains(&to);
        match self.flow() {
            Flow::Maybe(to) if is_inside(to) => Goes::Maybe(to),
            Flow::To(to) if is_inside(to) => Goes::To(to),
            Flow::To(_) | Flow::LeaveBy | Flow::Out => Goes::Out,
            Flow::JumpBy => Goes::Table,
            _ => Goes::On,
        }
    }

    /// The callee, or target of a jump out of its function; `None` if it does neither. An empty name if that depends on a register.
    pub(crate) fn leaves_to(&self, symbols: &Symbols, start: u64, end: u64) -> Option<Option<Reached>> {
        match self.flow() {
            Flow::Call(to) => Some(Some(symbols.called(to))),
            Flow::Maybe(to) | Flow::To(to) if !(start..end).contains(&to) => Some(Some(symbols.called(to))),
            Flow::CallBy | Flow::LeaveBy => Some(None),
            _ => None,
        }
    }

    pub(crate) fn plain(&self) -> String {
        let bytes = self.word.to_le_bytes();
        let decoded = <ARMv8 as Arch>::Decoder::default().decode(&mut U8Reader::new(&bytes));
        decoded.map_or_else(|_| format!(".inst {:#010x}", self.word), |decoded| decoded.to_string())
    }

    /// The width of a vector instruction, bits; `None` for scalar ones, and for ones that only set or copy a register.
    pub(crate) fn vector_bits(&self) -> Option<u32> {
        const COPIES: [&str; 8] = ["movi", "mvni", "mov", "fmov", "dup", "ins", "umov", "smov"];
        let text = self.plain();
        if COPIES.contains(&text.split(' ').next().unwrap_or_default()) {
            return None;
        }
        words(&text).filter_map(|(word, _)| bits_of(word)).max()
    }

    /// The register that it increments or decrements by one.
    fn step(&self) -> Option<u32> {
        let is_of_number = self.word & 0x1f80_0000 == 0x1100_0000;
        let is_one = bits(self.word, 10, 12) == 1 && bits(self.word, 22, 1) == 0;
        let (rd, rn) = (bits(self.word, 0, 5), bits(self.word, 5, 5));
        (is_of_number && is_one && rd == rn && rd != ZERO).then_some(rd)
    }

    /// The register that it compares with this number.
    fn compares_with(&self, number: u32) -> Option<u32> {
        let is_comparison = self.word & 0x7fc0_001f == 0x7100_001f;
        (is_comparison && bits(self.word, 10, 12) == number).then(|| bits(self.word, 5, 5))
    }

    fn sets_flags(&self) -> bool {
        const ALL: [(u32, u32); 7] = [
            (0x3f80_0000, 0x3100_0000), // adds, subs, cmp with a number
            (0x3f00_0000, 0x2b00_0000), // with a register
            (0x7f80_0000, 0x7200_0000), // ands, tst with a number
            (0x7f00_0000, 0x6a00_0000), // with a register
            (0x3fe0_fc00, 0x3a00_0000), // adcs, sbcs
            (0x3fe0_0000, 0x3a40_0000), // ccmp
            (0xff20_fc07, 0x1e20_2000), // fcmp
        ];
        ALL.iter().any(|(mask, value)| self.word & mask == *value)
    }

    /// The register that a jump compares with zero.
    fn jumps_by_zero(&self) -> Option<u32> {
        (self.word & 0x7e00_0000 == 0x3400_0000).then(|| bits(self.word, 0, 5))
    }
}

/// Whether a block of these instructions ends with a comparison with 1 and a conditional jump.
pub(crate) fn compares_with_one(block: &[Instruction]) -> bool {
    let Some((last, before)) = block.split_last() else { return false };
    let compared = before.iter().rev().take(3).find(|one| one.sets_flags());
    last.is_conditional()
        && last.jumps_by_zero().is_none()
        && compared.is_some_and(|one| one.compares_with(1).is_some())
}

/// The indices of the instructions that count invocations, if they end with a conditional jump: the jump, a comparison with zero, and the
/// step by one. Empty if they count nothing.
pub(crate) fn counting(code: &[Instruction]) -> Vec<usize> {
    let Some((last, before)) = code.split_last().filter(|(last, _)| last.is_conditional()) else { return Vec::new() };
    let stepped = |before: &[Instruction], register| before.iter().rposition(|one| one.step() == Some(register));
    if let Some(register) = last.jumps_by_zero() {
        return stepped(before, register).map_or_else(Vec::new, |at| vec![at, before.len()]);
    }
    let Some(at) = before.iter().rposition(Instruction::sets_flags) else { return Vec::new() };
    if before[at].step().is_some() {
        return vec![at, before.len()];
    }
    let register = before[at].compares_with(0);
    let step = register.and_then(|register| stepped(&before[..at], register));
    step.map_or_else(Vec::new, |step| vec![step, at, before.len()])
}

/// The instruction as text; `target` is the label or function to which it goes.
pub(crate) fn text(one: &Instruction, symbols: &Symbols, target: Option<&str>) -> String {
    let plain = one.plain();
    let place = one.refers.and_then(|place| symbols.place(place));
    match target.or(place.as_deref()) {
        Some(name) => with_place(&plain, name),
        None if one.is_jump() || one.is_call() => with_place(&plain, &format!("{:#x}", one.target())),
        None => plain,
    }
}

/// The same without what differs between two builds.
pub(crate) fn normal(one: &Instruction, symbols: &Symbols, target: Option<&str>) -> String {
    let plain = one.plain();
    let place = || one.refers.map(|place| symbols.place(place).unwrap_or_else(|| "data".to_owned()));
    let text = match target.filter(|name| !is_label(name)).map(str::to_owned).or_else(place) {
        Some(name) => return by_kind(&with_place(&plain, "\0")).replace('\0', &name),
        None if one.is_jump() || one.is_call() => with_place(&plain, "label"),
        None => plain,
    };
    by_kind(&text)
}

/// The constant that an instruction refers to: a number or a text.
pub(crate) fn constant(one: &Instruction, symbols: &Symbols) -> String {
    let Some(bytes) = one.refers.and_then(|place| symbols.constant(place)) else { return String::new() };
    let is_number = is_load(one.word) || one.word & 0x3b00_0000 == 0x1800_0000;
    if !is_number {
        return super::text_at(bytes).unwrap_or_default();
    }
    let plain = one.plain();
    let register = words(&plain).map(|(word, _)| word).find(|word| kind(word).is_some()).unwrap_or_default();
    let size = match register.as_bytes().first() {
        Some(b'q') => 16,
        Some(b'd' | b'x') => 8,
        Some(b's' | b'w') => 4,
        _ => return String::new(),
    };
    let Some(bytes) = bytes.get(..size) else { return String::new() };
    match (register.as_bytes().first(), bytes) {
        (Some(b'd'), _) => bytes.try_into().map(|bytes| f64::from_le_bytes(bytes).to_string()),
        (Some(b's'), _) => bytes.try_into().map(|bytes| f32::from_le_bytes(bytes).to_string()),
        _ => Ok(format!("0x{}", bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>())),
    }
    .unwrap_or_default()
}

/// Replaces the distance of a jump, or the offset of a place, by its name.
fn with_place(plain: &str, name: &str) -> String {
    let relative = plain.rfind("$+").or_else(|| plain.rfind("$-"));
    if let Some(at) = relative {
        return format!("{}{name}", &plain[..at]);
    }
    match (plain.rfind(", #"), plain.strip_suffix(']')) {
        // `[x0, #8]`, and `add x0, x0, #8`.
        (Some(at), Some(_)) => format!("{}, {name}]", &plain[..at]),
        (Some(at), None) => format!("{}, {name}", &plain[..at]),
        (None, Some(inner)) => format!("{inner}, {name}]"),
        (None, None) => plain.to_owned(),
    }
}

/// Reduces registers to their kind, and drops offsets on the stack.
fn by_kind(text: &str) -> String {
    let mut found = String::new();
    for (word, between) in words(text) {
        found.push_str(kind(word).unwrap_or(word));
        found.push_str(between);
    }
    for stack in ["[sp", "[x29"] {
        let kept = if stack == "[sp" { "[sp" } else { "[x" };
        if let (true, Some(from)) = (text.contains(stack), found.find(kept)) {
            let to = found[from..].find(']').map_or(found.len(), |end| from + end + 1);
            found.replace_range(from..to, "[stack]");
        }
    }
    found
}

/// The words of a text, each with the separator after it.
fn words(text: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '#');
        let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
        let after = rest[end..].find(is_part).map_or(rest.len(), |at| end + at);
        let found = (&rest[..end], &rest[end..after]);
        rest = &rest[after..];
        Some(found)
    })
}

/// The kind of a register; `None` for other words.
fn kind(word: &str) -> Option<&'static str> {
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_digit());
    let (register, shape) = word.split_once('.').unwrap_or((word, ""));
    if !is_number(register.get(1..)?) {
        return ["xzr", "wzr"].into_iter().find(|zero| word == *zero);
    }
    Some(match (register.as_bytes()[0], shape) {
        (b'x', "") => "x",
        (b'w', "") => "w",
        (b'q', "") => "q",
        (b'd', "") => "d",
        (b's', "") => "s",
        (b'h', "") => "h",
        (b'b', "") => "b",
        (b'v', "16b") => "v.16b",
        (b'v', "8h") => "v.8h",
        (b'v', "4s") => "v.4s",
        (b'v', "2d") => "v.2d",
        (b'v', "8b") => "v.8b",
        (b'v', "4h") => "v.4h",
        (b'v', "2s") => "v.2s",
        (b'v', _) => "v",
        _ => return None,
    })
}

/// The bits of a vector register: `v0.4s`, or `q0`, whose elements are unknown.
fn bits_of(word: &str) -> Option<u32> {
    if kind(word) == Some("q") {
        return Some(128);
    }
    let shape = word.strip_prefix('v').and_then(|rest| rest.split_once('.')).map(|(_, shape)| shape)?;
    let digits = shape.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let each = match shape.trim_start_matches(|c: char| c.is_ascii_digit()) {
        "b" => 8,
        "h" => 16,
        "s" => 32,
        "d" => 64,
        _ => return None,
    };
    let bits = digits.parse::<u32>().ok()?.checked_mul(each)?;
    (bits >= 64).then_some(bits)
}

#[cfg(test)]
mod tests;
