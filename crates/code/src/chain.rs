//! The longest dependency chain of a loop: the least number of cycles per turn, given that it waits for results of the turn before. For
//! loops of one block, in which each instruction runs in each turn.

use crate::decode::Decoded;
use iced_x86::{
    FlowControl, Instruction, InstructionInfoFactory, Mnemonic, OpAccess, OpKind, Register, UsedMemory, UsedRegister,
};
use std::collections::HashMap;

/// Number of turns to follow, after which anything not carried from turn to turn has faded.
const TURNS: u32 = 16;
/// Cycles from an address to the value read there, and from a write to a read of the same place.
const LOAD: u32 = 4;

/// Cycles of the chain per turn; `None` if unknown, for example for other processors and for loops with calls.
pub(crate) fn chain(block: &[Decoded]) -> Option<u32> {
    let code: Option<Vec<Instruction>> = block
        .iter()
        .map(|one| match one {
            Decoded::X86(one) => Some(*one),
            Decoded::Arm(_) => None,
        })
        .collect();
    let code = code?;
    if code.iter().any(|one| matches!(one.flow_control(), FlowControl::Call | FlowControl::IndirectCall)) {
        return None;
    }
    let factory = InstructionInfoFactory::new();
    let mut machine = Machine { registers: HashMap::new(), memory: HashMap::new(), factory };
    let mut ends = Vec::new();
    for _ in 0..TURNS {
        code.iter().for_each(|one| machine.execute(one));
        ends.push(machine.latest());
    }
    let half = TURNS as usize / 2;
    Some((ends.last()? - ends[half - 1]) / (TURNS / 2))
}

/// When the values in registers and memory are ready.
struct Machine {
    registers: HashMap<Register, u32>,
    memory: HashMap<(Register, Register, u32, u64), u32>,
    factory: InstructionInfoFactory,
}

impl Machine {
    fn execute(&mut self, one: &Instruction) {
        let info = self.factory.info(one);
        let (registers, memory) = (info.used_registers().to_vec(), info.used_memory().to_vec());
        let read: Vec<Register> = (0..one.op_count())
            .filter(|at| one.op_kind(*at) == OpKind::Register && reads(info.op_access(*at)))
            .map(|at| one.op_register(at).full_register())
            .collect();
        let ready = |of: Register| self.registers.get(&of.full_register()).copied().unwrap_or(0);
        let parts = || memory.iter().flat_map(|place| [place.base(), place.index()]);
        // A register that is only part of an address is no value.
        let is_value = |of: &&UsedRegister| {
            let register = of.register().full_register();
            reads(of.access()) && (read.contains(&register) || parts().all(|part| part.full_register() != register))
        };
        let values = registers.iter().filter(is_value).map(|of| ready(of.register())).max().unwrap_or(0);
        let addresses = parts().map(ready).max().unwrap_or(0);
        let mut start = values;
        for place in memory.iter().filter(|place| reads(place.access())) {
            let written = self.memory.get(&key(place)).copied().unwrap_or(0);
            start = start.max(addresses + LOAD).max(written + LOAD);
        }
        let end = start + latency(one);
        for of in registers.iter().filter(|of| writes(of.access())) {
            let register = of.register().full_register();
            // After its register changes, the same expression names another place.
            self.memory.retain(|(base, index, ..), _| *base != register && *index != register);
            self.registers.insert(register, end);
        }
        for place in memory.iter().filter(|place| writes(place.access())) {
            self.memory.insert(key(place), end);
        }
    }

    fn latest(&self) -> u32 {
        self.registers.values().chain(self.memory.values()).copied().max().unwrap_or(0)
    }
}

fn key(place: &UsedMemory) -> (Register, Register, u32, u64) {
    (place.base().full_register(), place.index().full_register(), place.scale(), place.displacement())
}

fn reads(access: OpAccess) -> bool {
    matches!(access, OpAccess::Read | OpAccess::CondRead | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

fn writes(access: OpAccess) -> bool {
    matches!(access, OpAccess::Write | OpAccess::CondWrite | OpAccess::ReadWrite | OpAccess::ReadCondWrite)
}

/// Cycles from the operands of an instruction to its result: the minimum over the processors of Intel since Skylake and AMD since Zen 2, in
/// the tables of uops.info.
fn latency(one: &Instruction) -> u32 {
    if matches!(one.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch) {
        return 0;
    }
    let is_register = |at: u32| one.op_kind(at) == OpKind::Register;
    let name = format!("{:?}", one.mnemonic()).to_lowercase();
    let name = name.strip_prefix('v').unwrap_or(&name);
    let ends = |ends: &[&str]| ends.iter().any(|end| name.ends_with(end));
    let is_of_floats = ends(&["ss", "sd", "ps", "pd"]);
    match name {
        // A register move only renames.
        _ if name.starts_with("mov") => {
            u32::from(one.op_count() == 2 && !(is_register(0) && is_register(1)) && !reads_memory(one))
        }
        _ if name.starts_with("fmadd") || name.starts_with("fmsub") || name.starts_with("fnm") => 4,
        _ if is_of_floats && (name.starts_with("add") || name.starts_with("sub")) => 2,
        _ if is_of_floats && name.starts_with("mul") => 3,
        _ if is_of_floats && name.starts_with("div") => 10,
        _ if is_of_floats && name.starts_with("sqrt") => 12,
        _ if is_of_floats && name.starts_with("cvt") => 3,
        "imul" | "mul" | "mulx" | "popcnt" | "lzcnt" | "tzcnt" | "bsf" | "bsr" | "crc32" => 3,
        "div" | "idiv" => 10,
        _ if name.starts_with("pmul") => 3,
        _ => u32::from(one.mnemonic() != Mnemonic::Nop),
    }
}

fn reads_memory(one: &Instruction) -> bool {
    one.op_count() == 2 && one.op_kind(1) == OpKind::Memory
}

#[cfg(test)]
mod tests {
    use super::chain;
    use crate::decode::decode;
    use crate::elf::X86_64;

    fn of(bytes: &[u8]) -> Option<u32> {
        chain(&decode(X86_64, bytes, 0x1000))
    }

    #[test]
    fn additions_to_one_number_wait_for_each_other_and_to_two_do_not() {
        // addsd xmm0, [rdi]; addsd xmm0, [rdi+8]; add rdi, 16
        let one = [0xf2, 0x0f, 0x58, 0x07, 0xf2, 0x0f, 0x58, 0x47, 0x08, 0x48, 0x83, 0xc7, 0x10];
        assert_eq!(of(&one), Some(4));
        // The second one goes to xmm1.
        let two = [0xf2, 0x0f, 0x58, 0x07, 0xf2, 0x0f, 0x58, 0x4f, 0x08, 0x48, 0x83, 0xc7, 0x10];
        assert_eq!(of(&two), Some(2));
    }

    #[test]
    fn a_walk_along_pointers_waits_for_each() {
        // mov rdi, [rdi]
        assert_eq!(of(&[0x48, 0x8b, 0x3f]), Some(4));
        // mov rax, [rdi]; add rdi, 8
        assert_eq!(of(&[0x48, 0x8b, 0x07, 0x48, 0x83, 0xc7, 0x08]), Some(1));
    }

    #[test]
    fn a_number_that_is_kept_in_memory_is_read_again() {
        // add qword [rsp+8], rax
        assert_eq!(of(&[0x48, 0x01, 0x44, 0x24, 0x08]), Some(5));
        // xor eax, eax starts a new chain: xor eax, eax; add eax, ecx
        assert_eq!(of(&[0x31, 0xc0, 0x01, 0xc8]), Some(0));
        // call rax
        assert_eq!(of(&[0xff, 0xd0]), None);
    }
}
