//! Instructions that take long by themselves, or wait for a cache line of another core: samples gather at them.

use crate::decode::{decode, Decoded};
use iced_x86::{Mnemonic, OpKind, Register};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slow {
    Atomic,
    Division,
}

/// What a sample at an address of a function waited for, from the bytes of the function before and after it, for this processor. This is
/// the instruction there, the one before it, or one shortly before that on which it may have depended. A load between them takes long itself,
/// unless it waits for what a division finds.
pub fn slow(machine: u16, before: &[u8], after: &[u8]) -> Option<Slow> {
    const LONGEST: usize = 15;
    const SHORTLY: usize = 4;
    let before = decode(machine, before, 0);
    let next = decode(machine, &after[..after.len().min(LONGEST)], 0).into_iter().next();
    if before.last().is_some_and(is_atomic) {
        return Some(Slow::Atomic);
    }
    let shortly = before
        .iter()
        .rev()
        .take(SHORTLY)
        .take_while(|one| (!is_load(one) || reads_by_quotient(one)) && !one.is_call() && !one.is_jump());
    shortly.chain(&next).any(divides).then_some(Slow::Division)
}

fn divides(one: &Decoded) -> bool {
    match one {
        Decoded::X86(one) => crate::values::divides(&format!("{:?}", one.mnemonic()).to_lowercase()),
        Decoded::Arm(one) => crate::values::divides(&one.plain()),
    }
}

fn is_load(one: &Decoded) -> bool {
    match one {
        Decoded::X86(one) => {
            let is_address = matches!(one.mnemonic(), Mnemonic::Lea | Mnemonic::Nop);
            !is_address
                && (1..one.op_count()).any(|at| one.op_kind(at) == OpKind::Memory)
                && !divides(&Decoded::X86(*one))
        }
        Decoded::Arm(one) => one.plain().starts_with("ld"),
    }
}

/// Its address has the quotient or the remainder in it, if a division is before it.
fn reads_by_quotient(one: &Decoded) -> bool {
    let Decoded::X86(one) = one else { return false };
    let of = [one.memory_base(), one.memory_index()].map(|register| register.full_register());
    of.iter().any(|register| [Register::RAX, Register::RDX].contains(register))
}

fn is_atomic(one: &Decoded) -> bool {
    match one {
        Decoded::X86(one) => {
            let is_exchange = one.mnemonic() == Mnemonic::Xchg && (0..2).any(|at| one.op_kind(at) == OpKind::Memory);
            one.has_lock_prefix() || is_exchange
        }
        Decoded::Arm(one) => crate::values::is_atomic(&one.plain()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::elf::X86_64;

    #[test]
    fn samples_gather_behind_atomic_instructions_and_at_divisions() {
        let of = |before: &[u8], after: &[u8]| slow(X86_64, before, after);
        // lock add qword [rdi], 1; xchg eax, [rdi]; xchg rax, rbx; add qword [rdi], 1
        let atomic = [0x90, 0xf0, 0x48, 0x83, 0x07, 0x01];
        assert_eq!((of(&atomic, &[]), of(&[0x87, 0x07], &[])), (Some(Slow::Atomic), Some(Slow::Atomic)));
        assert_eq!((of(&[0x48, 0x93], &[]), of(&[0x48, 0x83, 0x07, 0x01], &[]), of(&[], &[])), (None, None, None));
        assert_eq!(of(&[0x90], &atomic[1..]), None);
        // div rcx; divsd xmm0, xmm1
        let (div, divsd) = ([0x48, 0xf7, 0xf1], [0xf2, 0x0f, 0x5e, 0xc1]);
        assert_eq!((of(&div, &[0x90]), of(&[0x90], &divsd)), (Some(Slow::Division), Some(Slow::Division)));
        // Followed by mov r10, rdx or mov eax, [rdi]: the load may be what takes long.
        assert_eq!(of(&[&div[..], &[0x49, 0x89, 0xd2]].concat(), &[0x90]), Some(Slow::Division));
        assert_eq!(of(&[&div[..], &[0x8b, 0x07]].concat(), &[0x90]), None);
        // mov eax, [rdi+rdx*8] waits for the remainder.
        assert_eq!(of(&[&div[..], &[0x8b, 0x04, 0xd7]].concat(), &[0x90]), Some(Slow::Division));
    }
}
