//! Atomic instructions: a core that waits for a cache line which another one has waits at them.

use crate::decode::{decode, Decoded};
use iced_x86::{Instruction, Mnemonic, OpKind};

/// Whether the last instruction of these bytes, the beginning of a function for this processor, is atomic: a sample behind it is of what it waited
/// for.
pub fn ends_with_atomic(machine: u16, bytes: &[u8]) -> bool {
    decode(machine, bytes, 0).last().is_some_and(|one| match one {
        Decoded::X86(one) => is_atomic(one),
        Decoded::Arm(one) => crate::values::is_atomic(&one.plain()),
    })
}

fn is_atomic(one: &Instruction) -> bool {
    let is_exchange = one.mnemonic() == Mnemonic::Xchg && (0..2).any(|at| one.op_kind(at) == OpKind::Memory);
    one.has_lock_prefix() || is_exchange
}

#[cfg(test)]
mod tests {
    use super::ends_with_atomic;
    use crate::elf::X86_64;

    #[test]
    fn an_atomic_instruction_is_known_by_its_prefix_or_exchanges_with_memory() {
        // lock add qword [rdi], 1; xchg eax, [rdi]; xchg rax, rbx; add qword [rdi], 1
        assert!(ends_with_atomic(X86_64, &[0x90, 0xf0, 0x48, 0x83, 0x07, 0x01]));
        assert!(ends_with_atomic(X86_64, &[0x87, 0x07]));
        assert!(!ends_with_atomic(X86_64, &[0x48, 0x93]) && !ends_with_atomic(X86_64, &[0x48, 0x83, 0x07, 0x01]));
        assert!(!ends_with_atomic(X86_64, &[]));
    }
}
