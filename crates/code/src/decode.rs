//! What the instructions of a function do and how they are written, for each supported processor.

mod arm;
pub(crate) mod x86;

use crate::elf::AARCH64;
use crate::flow::{Edges, Goes};
use crate::symbols::{Reached, Symbols};
use iced_x86::FlowControl;

pub(crate) use arm::slot_of_stub as slot_of_arm_stub;

#[derive(Clone, Copy)]
pub(crate) enum Decoded {
    X86(iced_x86::Instruction),
    Arm(arm::Instruction),
}

/// The consecutive instructions from an address on, for this processor.
pub(crate) fn decode(machine: u16, bytes: &[u8], address: u64) -> Vec<Decoded> {
    match machine {
        AARCH64 => arm::decode(bytes, address).into_iter().map(Decoded::Arm).collect(),
        _ => x86::decode(bytes, address).into_iter().map(Decoded::X86).collect(),
    }
}

impl Decoded {
    pub(crate) fn ip(&self) -> u64 {
        match self {
            Decoded::X86(one) => one.ip(),
            Decoded::Arm(one) => one.address,
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Decoded::X86(one) => one.len(),
            Decoded::Arm(_) => arm::SIZE,
        }
    }

    pub(crate) fn is_call(&self) -> bool {
        match self {
            Decoded::X86(one) => matches!(one.flow_control(), FlowControl::Call | FlowControl::IndirectCall),
            Decoded::Arm(one) => one.is_call(),
        }
    }

    /// A jump to an address in the instruction.
    pub(crate) fn is_jump(&self) -> bool {
        match self {
            Decoded::X86(one) => {
                matches!(one.flow_control(), FlowControl::ConditionalBranch | FlowControl::UnconditionalBranch)
            }
            Decoded::Arm(one) => one.is_jump(),
        }
    }

    pub(crate) fn is_conditional(&self) -> bool {
        match self {
            Decoded::X86(one) => one.flow_control() == FlowControl::ConditionalBranch,
            Decoded::Arm(one) => one.is_conditional(),
        }
    }

    /// Target of a jump or call if the instruction has it, else 0.
    pub(crate) fn target(&self) -> u64 {
        match self {
            Decoded::X86(one) => one.near_branch_target(),
            Decoded::Arm(one) => one.target(),
        }
    }

    /// Whether it only fills a gap.
    pub(crate) fn is_padding(&self) -> bool {
        match self {
            Decoded::X86(one) => x86::is_padding(one),
            Decoded::Arm(one) => one.is_padding(),
        }
    }

    /// Where control goes next, in a function at `start..end`.
    pub(crate) fn goes(&self, start: u64, end: u64) -> Goes {
        match self {
            Decoded::X86(one) => x86::goes(one, start, end),
            Decoded::Arm(one) => one.goes(start, end),
        }
    }

    /// The callee, or target of a jump out of its function; `None` if it does neither. An empty name if that depends on a register or
    /// memory.
    pub(crate) fn leaves_to(
        &self,
        symbols: &Symbols,
        held: &x86::Held,
        start: u64,
        end: u64,
    ) -> Option<Option<Reached>> {
        match self {
            Decoded::X86(one) => x86::leaves_to(one, symbols, held, start, end),
            Decoded::Arm(one) => one.leaves_to(symbols, start, end),
        }
    }

    /// The width of a vector instruction, bits; `None` for others.
    pub(crate) fn vector_bits(&self) -> Option<u32> {
        match self {
            Decoded::X86(one) => x86::vector_bits(one),
            Decoded::Arm(one) => one.vector_bits(),
        }
    }
}

/// What calls through registers reach.
pub(crate) fn held(code: &[Decoded], edges: &Edges, symbols: &Symbols) -> x86::Held {
    by_processor(code, |code| x86::Held::of(code, edges, symbols), |_| x86::Held::default())
}

/// Whether a block of these instructions ends with a comparison with 1 and a conditional jump.
pub(crate) fn compares_with_one(block: &[Decoded]) -> bool {
    by_processor(block, x86::compares_with_one, arm::compares_with_one)
}

/// The indices of the instructions that count invocations, if these end with a conditional jump; else empty.
pub(crate) fn counting(code: &[Decoded]) -> Vec<usize> {
    by_processor(code, x86::counting, arm::counting)
}

fn by_processor<T>(
    code: &[Decoded],
    x86: impl Fn(&[iced_x86::Instruction]) -> T,
    arm: impl Fn(&[arm::Instruction]) -> T,
) -> T {
    let (mut of_x86, mut of_arm) = (Vec::new(), Vec::new());
    for one in code {
        match one {
            Decoded::X86(one) => of_x86.push(*one),
            Decoded::Arm(one) => of_arm.push(*one),
        }
    }
    if of_arm.is_empty() {
        x86(&of_x86)
    } else {
        arm(&of_arm)
    }
}

pub(crate) struct Writer<'a> {
    symbols: &'a Symbols<'a>,
    x86: x86::Writer<'a>,
}

impl<'a> Writer<'a> {
    pub(crate) fn new(symbols: &'a Symbols<'a>) -> Writer<'a> {
        Writer { symbols, x86: x86::Writer::new(symbols) }
    }

    /// The instruction as text; `target` is the label or function to which it goes.
    pub(crate) fn text(&self, one: &Decoded, target: Option<&str>) -> String {
        match one {
            Decoded::X86(one) => self.x86.text(one, target),
            Decoded::Arm(one) => arm::text(one, self.symbols, target),
        }
    }

    /// The same without what differs between two builds.
    pub(crate) fn normal(&self, one: &Decoded, target: Option<&str>) -> String {
        match one {
            Decoded::X86(one) => self.x86.normal(one, target),
            Decoded::Arm(one) => arm::normal(one, self.symbols, target),
        }
    }

    /// The constant that an instruction refers to: a number or a text.
    pub(crate) fn constant(&self, one: &Decoded) -> String {
        match one {
            Decoded::X86(one) => self.x86.constant(one),
            Decoded::Arm(one) => arm::constant(one, self.symbols),
        }
    }
}

/// Whether this is the name of a block for jumps within a function.
pub(crate) fn is_label(name: &str) -> bool {
    name.strip_prefix('L').is_some_and(|number| !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()))
}

/// The beginning of a zero-terminated text.
fn text_at(bytes: &[u8]) -> Option<String> {
    const SHOWN: usize = 40;
    let end = bytes.iter().take(4 * SHOWN).position(|byte| *byte == 0)?;
    let text =
        bytes.get(..end).filter(|text| text.len() >= 3 && text.iter().all(|byte| matches!(byte, b' '..=b'~')))?;
    let text: String = text.iter().map(|byte| char::from(*byte)).collect();
    Some(match text.len() > SHOWN {
        true => format!("\"{}…\"", &text[..SHOWN]),
        false => format!("\"{text}\""),
    })
}
