//! The lines of a .NET compiler listing.

use super::{target, Raw};
use crate::flow::Goes as Flow;
use crate::values::{Goes, Instruction};
use std::collections::BTreeMap;

/// A line with a label or an instruction; `None` if it has neither.
pub(super) fn raw(line: &str) -> Option<Raw> {
    if let Some(label) = line.split(':').next().filter(|label| is_label(label)) {
        let digits = line.split_once("offset=").map(|(_, digits)| digits.trim().trim_start_matches("0x"));
        let offset = digits.and_then(|digits| u64::from_str_radix(digits.trim_end_matches('H'), 16).ok());
        return Some(Raw::Label(label.to_owned(), offset));
    }
    let rest = line.strip_prefix("  ")?.trim_start();
    let (code, note) = rest.split_once(" ; ").unwrap_or((rest, ""));
    let mut words = code.split_whitespace().peekable();
    let bytes = words.next_if(|word| word.len() % 2 == 0 && word.bytes().all(|byte| byte.is_ascii_hexdigit()));
    // `add` could also be bytes, but those are upper case.
    let bytes = bytes.filter(|bytes| !bytes.bytes().any(|byte| byte.is_ascii_lowercase()));
    let text = words.collect::<Vec<&str>>().join(" ");
    if let Some(gap) = text.strip_prefix("align [") {
        return Some(Raw::Gap(gap.split(' ').next()?.parse().unwrap_or(0)));
    }
    let is_code = text.starts_with(|c: char| c.is_ascii_lowercase());
    is_code.then(|| Raw::Instruction {
        bytes: bytes.unwrap_or_default().to_owned(),
        text,
        note: note.trim().to_owned(),
        frames: Vec::new(),
    })
}

/// `G_M000_IG04`.
fn is_label(word: &str) -> bool {
    word.strip_prefix("G_M").is_some_and(|rest| rest.contains("_IG") && !rest.contains(' '))
}

fn mnemonic(text: &str) -> &str {
    text.split(' ').next().unwrap_or_default()
}

fn operands(text: &str) -> &str {
    text.split_once(' ').map_or("", |(_, operands)| operands)
}

fn label_of(text: &str) -> Option<&str> {
    text.split([' ', ',']).find(|word| is_label(word))
}

pub(super) fn is_branch(text: &str) -> bool {
    mnemonic(text).starts_with('j') && mnemonic(text) != "jmp"
}

/// Where control goes after an instruction.
pub(super) fn goes(text: &str, labels: &BTreeMap<&str, u64>) -> Flow {
    let to = label_of(text).and_then(|label| labels.get(label)).copied();
    match (mnemonic(text), to) {
        ("jmp", Some(to)) => Flow::To(to),
        (name, Some(to)) if name.starts_with('j') => Flow::Maybe(to),
        ("jmp", None) if operands(text).starts_with('r') => Flow::Table,
        ("jmp" | "tail.jmp" | "rex.jmp" | "ret" | "int3", _) => Flow::Out,
        _ => Flow::On,
    }
}

/// Fills in label names, the target of the instruction, and its text without registers and addresses.
pub(super) fn finish(one: &mut Instruction, labels: &BTreeMap<&str, &String>) {
    if let Some((label, name)) = label_of(&one.text).and_then(|label| Some((label.to_owned(), labels.get(label)?))) {
        one.text = one.text.replace("SHORT ", "").replace(&label, name);
        // A jump table is read by its address.
        one.target = if mnemonic(&one.text).starts_with('j') { target(Goes::Jump, name) } else { None };
    } else if let Some((kind, name)) = called(&one.text) {
        one.target = target(kind, &name);
        if !name.is_empty() {
            one.text = format!("{} {name}", mnemonic(&one.text));
        }
    }
    one.normal = normal(&one.text);
}

/// The callee of an instruction; an empty name if only known at run time.
fn called(text: &str) -> Option<(Goes, String)> {
    let kind = match mnemonic(text) {
        "call" => Goes::Call,
        "tail.jmp" | "rex.jmp" => Goes::TailCall,
        "jmp" => Goes::TailCall,
        _ => return None,
    };
    let operand = operands(text);
    // `[rax+0x20]Shape:Area():int:this` is looked up in the object.
    let inner = bracketed(operand).unwrap_or(operand);
    let is_known = (inner.contains(':') || inner.starts_with("CORINFO")) && !inner.starts_with('[');
    Some((kind, if is_known { inner.to_owned() } else { String::new() }))
}

/// The text between a leading bracket and the matching one at the end; names of generic methods contain brackets.
fn bracketed(operand: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let end = operand.strip_prefix('[')?.char_indices().find(|(_, c)| {
        match c {
            '[' => depth += 1,
            ']' if depth == 0 => return true,
            ']' => depth -= 1,
            _ => {}
        }
        false
    })?;
    (end.0 + 2 == operand.len()).then(|| &operand[1..=end.0])
}

/// Reduces registers to their kind, and drops stack offsets and addresses of this process.
fn normal(text: &str) -> String {
    if let Some((kind, name)) = called(text).filter(|(_, name)| !name.is_empty()) {
        return format!("{} {name}", if kind == Goes::Call { "call" } else { "jmp" });
    }
    let mut found = String::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(inside) = ["[rbp", "[rsp"].iter().find_map(|stack| rest.strip_prefix(stack)) {
            found.push_str("[stack]");
            rest = inside.split_once(']').map_or("", |(_, rest)| rest);
            continue;
        }
        let end = rest.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
        match end {
            0 => {
                let first = rest.chars().next().map_or(1, char::len_utf8);
                found.push_str(&rest[..first]);
                rest = &rest[first..];
            }
            _ => {
                found.push_str(word(&rest[..end]));
                rest = &rest[end..];
            }
        }
    }
    found
}

/// Numbers with more digits are addresses of this process.
const DIGITS_MAX: usize = 10;

fn word(word: &str) -> &str {
    let is_address = word.len() > DIGITS_MAX && word.starts_with("0x") || word == "0xD1FFAB1E";
    match register(word) {
        _ if is_address => "address",
        Some((kind, _)) => kind,
        None if word
            .strip_prefix('L')
            .is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit())) =>
        {
            "label"
        }
        None => word,
    }
}

/// The kind of a register, and its bits.
fn register(word: &str) -> Option<(&'static str, u32)> {
    const OLD: [&str; 8] = ["ax", "bx", "cx", "dx", "si", "di", "bp", "sp"];
    const BYTES: [&str; 12] = ["al", "bl", "cl", "dl", "ah", "bh", "ch", "dh", "sil", "dil", "bpl", "spl"];
    let is_number = |text: &str| text.parse::<u32>().is_ok_and(|number| number < 32);
    for (prefix, bits) in [("xmm", 128), ("ymm", 256), ("zmm", 512)] {
        if word.strip_prefix(prefix).is_some_and(is_number) {
            return Some((["xmm", "ymm", "zmm"][bits as usize / 256], bits));
        }
    }
    let numbered =
        word.strip_prefix('r').map(|rest| rest.trim_end_matches(['d', 'w', 'b'])).filter(|rest| is_number(rest));
    if let Some(number) = numbered {
        return Some(match &word[1 + number.len()..] {
            "d" => ("r32", 32),
            "w" => ("r16", 16),
            "b" => ("r8", 8),
            _ => ("r64", 64),
        });
    }
    match word {
        _ if word.strip_prefix('r').is_some_and(|rest| OLD.contains(&rest)) => Some(("r64", 64)),
        _ if word.strip_prefix('e').is_some_and(|rest| OLD.contains(&rest)) => Some(("r32", 32)),
        _ if OLD.contains(&word) => Some(("r16", 16)),
        _ if BYTES.contains(&word) => Some(("r8", 8)),
        _ => None,
    }
}

/// The width of a vector instruction, bits; 0 for others, and for ones that only zero or copy a register.
pub(super) fn vector_bits(text: &str) -> u32 {
    let (name, operands) = (mnemonic(text), operands(text));
    let all: Vec<&str> = operands.split([',', ' ']).map(str::trim).filter(|word| !word.is_empty()).collect();
    let widest = all.iter().filter_map(|word| register(word)).map(|(_, bits)| bits).max().unwrap_or(0);
    let is_scalar = ["ss", "sd", "sh"].iter().any(|end| name.ends_with(end))
        || name.contains("si2")
        || name.contains("2si")
        || ["movd", "movq", "vmovd", "vmovq"].contains(&name)
        || name.starts_with("vz");
    let is_zero = name.contains("xor") && all.len() >= 2 && all[all.len() - 1] == all[all.len() - 2];
    let is_copy = name.contains("mov") && all.iter().all(|word| register(word).is_some());
    if widest < 128 || is_scalar || is_zero || is_copy {
        0
    } else {
        widest
    }
}
