//! x86-64: what the instructions of a function do and how they are written.

use super::{is_label, text_at};
use crate::flow::{Edges, Goes};
use crate::symbols::{Reached, Symbols};
use iced_x86::{
    Decoder, DecoderOptions, FlowControl, Formatter, Instruction, InstructionInfoFactory, InstructionInfoOptions,
    IntelFormatter, MemorySize, Mnemonic, OpAccess, OpKind, Register, SymbolResolver, SymbolResult,
};
use std::collections::{HashMap, HashSet};

/// The consecutive instructions from an address on.
pub(crate) fn decode(bytes: &[u8], address: u64) -> Vec<Instruction> {
    Decoder::with_ip(64, bytes, address, DecoderOptions::NONE).into_iter().collect()
}

/// Where control goes after an instruction of a function at `start..end`.
pub(crate) fn goes(instruction: &Instruction, start: u64, end: u64) -> Goes {
    let target = instruction.near_branch_target();
    let is_inside = (start..end).contains(&target);
    match instruction.flow_control() {
        FlowControl::ConditionalBranch | FlowControl::XbeginXabortXend if is_inside => Goes::Maybe(target),
        FlowControl::UnconditionalBranch if is_inside => Goes::To(target),
        FlowControl::UnconditionalBranch | FlowControl::Return | FlowControl::Exception => Goes::Out,
        // Through a slot of the loader to another function, or by a table to a part of this one.
        FlowControl::IndirectBranch if instruction.is_ip_rel_memory_operand() => Goes::Out,
        FlowControl::IndirectBranch => Goes::Table,
        _ if instruction.is_invalid() => Goes::Out,
        _ => Goes::On,
    }
}

/// The target of a jump within a function at `start..end`.
pub(crate) fn within(instruction: &Instruction, start: u64, end: u64) -> Option<u64> {
    match goes(instruction, start, end) {
        Goes::Maybe(target) | Goes::To(target) => Some(target),
        _ => None,
    }
}

/// What calls through registers reach, by the address of the call: compilers load the address of a callee before the loop.
#[derive(Default)]
pub(crate) struct Held(HashMap<u64, Reached>);

impl Held {
    /// Considers registers that calls preserve, if a single instruction can have set them.
    pub(crate) fn of(code: &[Instruction], edges: &Edges, symbols: &Symbols) -> Held {
        const KEPT: [Register; 6] =
            [Register::RBX, Register::RBP, Register::R12, Register::R13, Register::R14, Register::R15];
        let mut held = HashMap::new();
        for (block, range) in edges.blocks.iter().enumerate() {
            for at in range.clone().filter(|at| calls_register(&code[*at])) {
                let register = code[at].op0_register();
                let by = KEPT.contains(&register).then(|| setting(code, edges, register, block, at)).flatten();
                if let Some(reached) = by.and_then(|by| function_read(&code[by], symbols)) {
                    held.insert(code[at].ip(), reached);
                }
            }
        }
        Held(held)
    }
}

/// The only instruction that can have set a register before another one; `None` if there are several, or it is set before the function.
fn setting(code: &[Instruction], edges: &Edges, register: Register, block: usize, before: usize) -> Option<usize> {
    let mut factory = InstructionInfoFactory::new();
    let mut sets = |one: &Instruction| {
        let info = factory.info_options(one, InstructionInfoOptions::NO_MEMORY_USAGE);
        let is_write = |access| {
            matches!(access, OpAccess::Write | OpAccess::ReadWrite | OpAccess::CondWrite | OpAccess::ReadCondWrite)
        };
        info.used_registers().iter().any(|used| is_write(used.access()) && used.register().full_register() == register)
    };
    let (mut found, mut seen) = (None, HashSet::new());
    let mut open = Vec::new();
    open.push(edges.blocks[block].start..before);
    while let Some(part) = open.pop() {
        let start = part.start;
        if let Some(at) = part.rev().find(|at| sets(&code[*at])) {
            if found.is_some_and(|found| found != at) {
                return None;
            }
            found = Some(at);
            continue;
        }
        let into = edges.blocks.iter().position(|of| of.start == start)?;
        if into == 0 {
            return None;
        }
        for (from, _) in edges.next.iter().enumerate().filter(|(_, next)| next.contains(&into)) {
            if seen.insert(from) {
                open.push(edges.blocks[from].clone());
            }
        }
    }
    found
}

/// The function whose address an instruction loads into a register.
fn function_read(one: &Instruction, symbols: &Symbols) -> Option<Reached> {
    let place = one.is_ip_rel_memory_operand().then(|| one.ip_rel_memory_address())?;
    match one.mnemonic() {
        Mnemonic::Mov => symbols.in_slot(place),
        Mnemonic::Lea if symbols.function(place).is_some_and(|(start, ..)| start == place) => {
            Some(symbols.called(place))
        }
        _ => None,
    }
}

/// A call through a register.
fn calls_register(instruction: &Instruction) -> bool {
    instruction.flow_control() == FlowControl::IndirectCall && instruction.op0_kind() == OpKind::Register
}

/// The callee, or target of a jump out of its function; `None` if it does neither. An empty name if that depends on a register or memory.
pub(crate) fn leaves_to(
    instruction: &Instruction,
    symbols: &Symbols,
    held: &Held,
    start: u64,
    end: u64,
) -> Option<Option<Reached>> {
    let is_call = matches!(instruction.flow_control(), FlowControl::Call | FlowControl::IndirectCall);
    let is_jump = matches!(
        instruction.flow_control(),
        FlowControl::UnconditionalBranch | FlowControl::ConditionalBranch | FlowControl::IndirectBranch
    );
    if !is_call && !is_jump {
        return None;
    }
    if matches!(instruction.op0_kind(), OpKind::NearBranch64) {
        let target = instruction.near_branch_target();
        let is_inside = !is_call && (start..end).contains(&target);
        return (!is_inside).then(|| Some(symbols.called(target)));
    }
    if instruction.is_ip_rel_memory_operand() {
        return Some(symbols.in_slot(instruction.ip_rel_memory_address()));
    }
    is_call.then(|| held.0.get(&instruction.ip()).cloned())
}

/// Whether a block of these instructions ends with a comparison with 1 and a conditional jump.
pub(crate) fn compares_with_one(block: &[Instruction]) -> bool {
    let Some((last, before)) = block.split_last() else { return false };
    let is_comparison =
        |i: &&Instruction| matches!(i.mnemonic(), Mnemonic::Cmp | Mnemonic::Test | Mnemonic::Sub | Mnemonic::Dec);
    let compared = before.iter().rev().take(3).find(is_comparison);
    last.flow_control() == FlowControl::ConditionalBranch
        && compared.is_some_and(|i| i.mnemonic() == Mnemonic::Cmp && is_immediate(i, 1) && i.immediate(1) == 1)
}

/// The indices of the instructions that count invocations, if they end with a conditional jump: the jump, a comparison with zero, and the
/// step by one. Empty if they count nothing.
pub(crate) fn counting(code: &[Instruction]) -> Vec<usize> {
    let Some((last, before)) = code.split_last() else { return Vec::new() };
    if last.flow_control() != FlowControl::ConditionalBranch {
        return Vec::new();
    }
    let keeps_flags = |i: &Instruction| i.rflags_modified() == 0 && i.flow_control() == FlowControl::Next;
    let Some(at) = before.iter().rposition(|i| !keeps_flags(i)) else { return Vec::new() };
    let flags = &before[at];
    if step(flags).is_some() {
        return vec![at, before.len()];
    }
    let register = flags.op0_register();
    let is_comparison = flags.op0_kind() == OpKind::Register
        && match flags.mnemonic() {
            Mnemonic::Test => register == flags.op1_register(),
            Mnemonic::Cmp => is_immediate(flags, 1) && flags.immediate(1) == 0,
            _ => false,
        };
    let stepped = before[..at].iter().rposition(|i| step(i) == Some(register)).filter(|_| is_comparison);
    stepped.map_or_else(Vec::new, |stepped| vec![stepped, at, before.len()])
}

/// The register that an instruction increments or decrements by one.
fn step(i: &Instruction) -> Option<Register> {
    let one = || is_immediate(i, 1) && matches!(i.immediate(1) as i64, 1 | -1);
    let is_step = match i.mnemonic() {
        Mnemonic::Dec => true,
        Mnemonic::Sub | Mnemonic::Add => one(),
        Mnemonic::Lea => i.memory_displacement64() as i64 == -1 && i.memory_index() == Register::None,
        _ => false,
    };
    (is_step && i.op0_kind() == OpKind::Register).then(|| i.op0_register())
}

fn is_immediate(instruction: &Instruction, operand: u32) -> bool {
    instruction.op_count() > operand
        && matches!(
            instruction.op_kind(operand),
            OpKind::Immediate8
                | OpKind::Immediate16
                | OpKind::Immediate32
                | OpKind::Immediate64
                | OpKind::Immediate8to16
                | OpKind::Immediate8to32
                | OpKind::Immediate8to64
                | OpKind::Immediate32to64
        )
}

/// The width of a vector instruction, bits; `None` for scalar ones, and for ones that only zero or copy a register.
pub(crate) fn vector_bits(instruction: &Instruction) -> Option<u32> {
    let widths =
        (0..instruction.op_count()).filter(|at| instruction.op_kind(*at) == OpKind::Register).map(
            |at| match instruction.op_register(at) {
                register if register.is_zmm() => 512,
                register if register.is_ymm() => 256,
                register if register.is_xmm() => 128,
                _ => 0,
            },
        );
    let widest = widths.max().filter(|bits| *bits > 0)?;
    let name = format!("{:?}", instruction.mnemonic());
    let is_scalar = ["ss", "sd", "sh"].iter().any(|end| name.ends_with(end))
        || name.contains("si2")
        || name.contains("2si")
        || matches!(instruction.mnemonic(), Mnemonic::Movd | Mnemonic::Movq | Mnemonic::Vmovd | Mnemonic::Vmovq)
        || name.starts_with("Vz");
    let registers: Vec<Register> = (0..instruction.op_count()).map(|at| instruction.op_register(at)).collect();
    let is_register = |at: u32| instruction.op_kind(at) == OpKind::Register;
    let is_zero = name.to_lowercase().contains("xor")
        && registers.len() >= 2
        && registers.ends_with(&[registers[registers.len() - 2]]);
    let is_copy =
        name.to_lowercase().contains("mov") && instruction.op_count() == 2 && is_register(0) && is_register(1);
    (!is_scalar && !is_zero && !is_copy).then_some(widest)
}

pub(crate) struct Writer<'a> {
    symbols: &'a Symbols<'a>,
}

/// Names for addresses that appear in an instruction.
struct Names(HashMap<u64, String>);

impl SymbolResolver for Names {
    fn symbol(&mut self, _: &Instruction, _: u32, _: Option<u32>, address: u64, _: u32) -> Option<SymbolResult<'_>> {
        self.0.get(&address).map(|name| SymbolResult::with_string(address, name.clone()))
    }
}

/// The text of code outside any file; `target` is the label to which it jumps.
pub(crate) fn plain(instruction: &Instruction, target: Option<&str>) -> String {
    written(instruction, target.map(|name| (instruction.near_branch_target(), name.to_owned())).into_iter().collect())
}

/// Intel syntax, with names in place of these addresses.
fn written(instruction: &Instruction, names: HashMap<u64, String>) -> String {
    let mut text = String::new();
    let mut formatter = IntelFormatter::with_options(Some(Box::new(Names(names))), None);
    let options = formatter.options_mut();
    options.set_hex_prefix("0x");
    options.set_hex_suffix("");
    options.set_uppercase_hex(false);
    options.set_space_after_operand_separator(true);
    options.set_branch_leading_zeros(false);
    options.set_small_hex_numbers_in_decimal(true);
    options.set_rip_relative_addresses(true);
    options.set_show_branch_size(false);
    let immediate = (0..instruction.op_count()).find(|at| is_immediate(instruction, *at));
    let is_small = immediate.is_some_and(|at| (-0x1_0000..0).contains(&(instruction.immediate(at) as i64)));
    options.set_signed_immediate_operands(is_small);
    formatter.format(instruction, &mut text);
    text
}

impl<'a> Writer<'a> {
    pub(crate) fn new(symbols: &'a Symbols<'a>) -> Writer<'a> {
        Writer { symbols }
    }

    /// The instruction as text; `target` is the label or function to which it goes.
    pub(crate) fn text(&self, instruction: &Instruction, target: Option<&str>) -> String {
        let mut names = HashMap::new();
        // Through a slot that the loader fills: only its target matters.
        if let Some(target) = target.filter(|_| instruction.is_ip_rel_memory_operand() || calls_register(instruction)) {
            return format!("{} {target}", format!("{:?}", instruction.mnemonic()).to_lowercase());
        }
        if let Some(target) = target.filter(|_| instruction.op0_kind() == OpKind::NearBranch64) {
            names.insert(instruction.near_branch_target(), target.to_owned());
        } else if instruction.is_ip_rel_memory_operand() {
            let address = instruction.ip_rel_memory_address();
            names.extend(self.symbols.place(address).map(|name| (address, name)));
        } else {
            names.extend(self.fixed(instruction));
        }
        written(instruction, names)
    }

    /// Addresses in the instructions of a program with a fixed load address.
    fn fixed(&self, instruction: &Instruction) -> Option<(u64, String)> {
        if !self.symbols.elf().is_fixed() {
            return None;
        }
        let immediate = (0..instruction.op_count()).find(|at| is_immediate(instruction, *at));
        let address = match immediate {
            Some(at) => instruction.immediate(at),
            None => instruction.memory_displacement64(),
        };
        (address >= 0x1_0000).then(|| Some((address, self.symbols.place(address)?)))?
    }

    /// The same without what differs between two builds.
    pub(crate) fn normal(&self, instruction: &Instruction, target: Option<&str>) -> String {
        let mut text = format!("{:?}", instruction.mnemonic()).to_lowercase();
        if let Some(target) = target.filter(|_| instruction.is_ip_rel_memory_operand() || calls_register(instruction)) {
            return format!("{text} {target}");
        }
        for at in 0..instruction.op_count() {
            text.push_str(if at == 0 { " " } else { ", " });
            match instruction.op_kind(at) {
                OpKind::Register => text.push_str(kind(instruction.op_register(at))),
                OpKind::Memory => text.push_str(&self.normal_memory(instruction)),
                OpKind::NearBranch16 | OpKind::NearBranch32 | OpKind::NearBranch64 => {
                    text.push_str(target.filter(|name| !is_label(name)).unwrap_or("label"));
                }
                _ if is_immediate(instruction, at) => match self.fixed(instruction) {
                    Some((_, name)) => text.push_str(&name),
                    None => text.push_str(&format!("{:#x}", instruction.immediate(at))),
                },
                other => text.push_str(&format!("{other:?}").to_lowercase()),
            }
        }
        text
    }

    fn normal_memory(&self, instruction: &Instruction) -> String {
        if instruction.is_ip_rel_memory_operand() {
            let place = self.symbols.place(instruction.ip_rel_memory_address());
            return format!("[{}]", place.unwrap_or_else(|| "data".to_owned()));
        }
        match instruction.memory_base() {
            Register::RSP | Register::RBP => "[stack]".to_owned(),
            base => {
                let base = if base == Register::None { "" } else { "r" };
                let index = match instruction.memory_index() {
                    Register::None => String::new(),
                    _ => format!("+r*{}", instruction.memory_index_scale()),
                };
                let offset = match self.fixed(instruction) {
                    Some((_, name)) => format!("+{name}"),
                    None if instruction.memory_displacement64() == 0 => String::new(),
                    None => format!("{:+}", instruction.memory_displacement64() as i64),
                };
                format!("[{base}{index}{offset}]")
            }
        }
    }

    /// The constant that an instruction refers to: a number or a text.
    pub(crate) fn constant(&self, instruction: &Instruction) -> String {
        if !instruction.is_ip_rel_memory_operand() {
            return String::new();
        }
        let Some(bytes) = self.symbols.constant(instruction.ip_rel_memory_address()) else { return String::new() };
        if instruction.mnemonic() == Mnemonic::Lea {
            return text_at(bytes).unwrap_or_default();
        }
        let size = instruction.memory_size();
        let Some(bytes) = bytes.get(..size.size()).filter(|bytes| !bytes.is_empty()) else { return String::new() };
        match (size, bytes) {
            (MemorySize::Float64, _) => bytes.try_into().map(|bytes| f64::from_le_bytes(bytes).to_string()),
            (MemorySize::Float32, _) => bytes.try_into().map(|bytes| f32::from_le_bytes(bytes).to_string()),
            _ => Ok(format!("0x{}", bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>())),
        }
        .unwrap_or_default()
    }
}

fn kind(register: Register) -> &'static str {
    match register {
        register if register.is_gpr64() => "r64",
        register if register.is_gpr32() => "r32",
        register if register.is_gpr16() => "r16",
        register if register.is_gpr8() => "r8",
        register if register.is_xmm() => "xmm",
        register if register.is_ymm() => "ymm",
        register if register.is_zmm() => "zmm",
        register if register.is_k() => "k",
        register if register.is_st() => "st",
        _ => "register",
    }
}

pub(crate) fn is_padding(instruction: &Instruction) -> bool {
    matches!(instruction.mnemonic(), Mnemonic::Nop | Mnemonic::Int3)
        || instruction.mnemonic() == Mnemonic::Xchg && instruction.op0_register() == instruction.op1_register()
}
