//! Samples of a profile, mapped to the instructions and source lines at which they were taken.

mod methods;

use crate::values::{Block, Code, Function, Instruction};
use methods::{is_exact, Belongs, Methods};
use std::collections::{BTreeMap, BTreeSet};

/// The samples of each instruction. A sample has the address of the next instruction to run, so it counts for the one before.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Heat {
    /// All samples of the profile outside the kernel.
    pub total: u64,
    /// Samples of each function, in the order of the code.
    functions: Vec<u64>,
    /// Samples of shown instructions, by address and, for code that a runtime compiled, method.
    shown: BTreeMap<(String, u64), u64>,
    /// Samples of a function's other instructions, by their place.
    others: BTreeMap<(usize, Option<u32>), u64>,
    /// Samples in methods that the runtime compiled to other code in the profiled process.
    of_other_code: u64,
}

/// An instruction to which a sample can belong.
#[derive(Clone, Copy)]
enum Spot {
    Shown(u64),
    /// In a further copy of the body, with the address of the shown one.
    Copy(u64),
    Other(Option<u32>),
}

/// All instructions of a function by address, including hidden ones.
struct Order<'a> {
    blocks: &'a [Block],
    spots: BTreeMap<u64, Spot>,
    /// Filling instructions: samples at them count for what precedes.
    filling: BTreeSet<u64>,
    /// The block of each shown instruction.
    block_of: BTreeMap<u64, usize>,
}

impl Heat {
    /// The media type of a file with sample addresses: each line has a file, an address in it, and a count. Code that a runtime compiled is
    /// in no file; its lines have a method, an address in its code, the count, and the size of the code in bytes.
    pub const MEDIA_TYPE: &'static str = "text/x-sample-addresses";

    /// Whether samples can have addresses in this code. A runtime may list its code without them.
    pub fn fits(code: &Code) -> bool {
        code.functions.first().is_some_and(|body| body.address != 0 || is_compiled(body) && is_exact(body))
    }

    /// Maps the samples of such a file to the code of the same program.
    pub fn of(code: &Code, addresses: &str) -> Heat {
        let program = code.program.rsplit('/').next().unwrap_or_default().replace(char::is_whitespace, "?");
        let orders: Vec<Order> = code.functions.iter().map(Order::of).collect();
        let methods = Methods::of(code);
        let mut heat = Heat { functions: vec![0; orders.len()], ..Heat::default() };
        for Sample { module, address, count, bytes } in addresses.lines().filter_map(Sample::parse) {
            heat.total += count;
            let of_program = || orders.iter().zip(0..).find_map(|(order, at)| Some((at, order.before(address)?)));
            let found = match bytes.filter(|_| !methods.is_empty()).map(|bytes| methods.find(module, bytes)) {
                Some(Belongs::To(at)) => orders[at].before(address).map(|spot| (at, spot)),
                Some(Belongs::ToOtherCode) => {
                    heat.of_other_code += count;
                    None
                }
                Some(Belongs::Nowhere) => None,
                None => (module == program).then(of_program).flatten(),
            };
            let Some((function, spot)) = found else { continue };
            heat.functions[function] += count;
            match spot {
                Spot::Shown(address) | Spot::Copy(address) => {
                    let key = (code.functions[function].method.clone(), address);
                    *heat.shown.entry(key).or_default() += count;
                }
                Spot::Other(place) => *heat.others.entry((function, place)).or_default() += count,
            }
        }
        heat
    }

    /// Samples of a shown instruction, including those of its copies.
    pub(crate) fn at(&self, function: &Function, one: &Instruction) -> u64 {
        self.shown.get(&(function.method.clone(), one.address)).copied().unwrap_or(0)
    }

    pub(crate) fn in_function(&self, at: usize) -> u64 {
        self.functions.get(at).copied().unwrap_or(0)
    }

    /// Samples of a function outside shown instructions, by their place.
    pub(crate) fn of_others(&self, function: usize) -> impl Iterator<Item = (Option<u32>, u64)> + '_ {
        self.others.iter().filter(move |((of, _), _)| *of == function).map(|((_, place), count)| (*place, *count))
    }

    /// Most samples of one instruction.
    pub(crate) fn most(&self) -> u64 {
        self.shown.values().copied().max().unwrap_or(0)
    }

    /// Samples as a share of all: `12.3 %`.
    pub fn share(&self, samples: u64) -> String {
        format!("{:.1} %", 100.0 * samples as f64 / self.total.max(1) as f64)
    }

    /// Notes about the numbers, in sentences.
    pub fn about(&self) -> Vec<String> {
        let inside: u64 = self.functions.iter().sum();
        let other = match self.of_other_code {
            0 => None,
            n => Some(format!(
                "{n} samples ({}) are in these methods, but in other code: the runtime compiled it differently in the process that was \
                 profiled, or not yet as far as here",
                self.share(n)
            )),
        };
        let inside = format!("{inside} of {} samples ({}) are in this code", self.total, self.share(inside));
        let skid = "a sample is counted at the instruction before the one at which it was taken".to_owned();
        std::iter::once(inside).chain(other).chain([skid]).collect()
    }
}

/// Whether a runtime compiled it and names its method.
fn is_compiled(function: &Function) -> bool {
    !function.method.is_empty()
}

/// `FILE ADDRESS SAMPLES`, or `METHOD ADDRESS SAMPLES BYTES`.
struct Sample<'a> {
    module: &'a str,
    address: u64,
    count: u64,
    bytes: Option<u64>,
}

impl Sample<'_> {
    fn parse(line: &str) -> Option<Sample<'_>> {
        let mut words = line.split(' ');
        let (module, address) = (words.next()?, words.next()?.strip_prefix("0x")?);
        let (address, count) = (u64::from_str_radix(address, 16).ok()?, words.next()?.parse().ok()?);
        Some(Sample { module, address, count, bytes: words.next().and_then(|bytes| bytes.parse().ok()) })
    }
}

/// The last non-filling instruction of a block.
fn last(block: &Block) -> Option<&Instruction> {
    block.instructions.iter().rfind(|one| !one.is_filling())
}

impl Order<'_> {
    fn of(function: &Function) -> Order<'_> {
        let mut order = Order {
            blocks: &function.blocks,
            spots: function.others.iter().map(|other| (other.address, Spot::Other(other.place))).collect(),
            filling: BTreeSet::new(),
            block_of: BTreeMap::new(),
        };
        for (block, at) in function.blocks.iter().zip(0..) {
            for one in &block.instructions {
                order.block_of.insert(one.address, at);
                if one.is_filling() {
                    order.filling.insert(one.address);
                    continue;
                }
                order.spots.insert(one.address, Spot::Shown(one.address));
                order.spots.extend(one.copies.iter().map(|copy| (*copy, Spot::Copy(one.address))));
            }
        }
        order
    }

    /// What ran before an address; `None` if that is in another function.
    fn before(&self, address: u64) -> Option<Spot> {
        let spot = self.spots.get(&address).copied();
        if spot.is_none() && !self.filling.contains(&address) {
            return None;
        }
        let round = match spot {
            Some(Spot::Shown(shown)) => self.back_to(shown, true),
            // A copy of the body is preceded by another copy.
            Some(Spot::Copy(shown)) => self.back_to(shown, false),
            _ => None,
        };
        let above = self.spots.range(..address).next_back();
        let above = above.filter(|(before, _)| self.falls_through(**before, address)).map(|(_, spot)| *spot);
        round.or(above).or_else(|| self.jump_to(address)).or(spot)
    }

    /// The loop's jump back to an instruction.
    fn back_to(&self, address: u64, with_measuring: bool) -> Option<Spot> {
        let block = *self.block_of.get(&address)?;
        if self.blocks[block].instructions.first()?.address != address {
            return None;
        }
        let goes_back = |from: &&Block| from.next.contains(&(block as u32));
        let jumps = self.blocks[block..].iter().rev().filter(goes_back).filter_map(last);
        let jump = jumps.into_iter().find(|jump| with_measuring || !jump.is_of_loop)?;
        Some(Spot::Shown(jump.address))
    }

    /// Whether an instruction may be followed by the next one; unknown for hidden ones.
    fn falls_through(&self, before: u64, address: u64) -> bool {
        let (Some(from), Some(to)) = (self.block_of.get(&before), self.block_of.get(&address)) else { return true };
        from == to || self.blocks[*from].next.contains(&(*to as u32))
    }

    /// The last jump to an instruction that is only reached by jumps.
    fn jump_to(&self, address: u64) -> Option<Spot> {
        let block = *self.block_of.get(&address)? as u32;
        let jump = self.blocks.iter().rev().filter(|from| from.next.contains(&block)).find_map(last)?;
        Some(Spot::Shown(jump.address))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::values::Other;

    fn block(next: &[u32], addresses: &[u64]) -> Block {
        let one = |address: &u64| Instruction { address: *address, normal: "add".to_owned(), ..Instruction::default() };
        Block { next: next.to_vec(), instructions: addresses.iter().map(one).collect(), ..Block::default() }
    }

    /// A body with a loop (0x20 to 0x22), a part that is only jumped to (0x30), and a copy of the body at 0x40.
    fn code() -> Code {
        let mut blocks = vec![
            block(&[1, 3], &[0x10, 0x11]),
            block(&[1, 2], &[0x20, 0x21, 0x22]),
            block(&[0], &[0x28]),
            block(&[0], &[0x30]),
        ];
        blocks[2].instructions[0].is_of_loop = true;
        blocks[3].instructions[0].is_of_loop = true;
        for (block, shift) in blocks.iter_mut().zip([0x30, 0x30, 0, 0]) {
            for one in block.instructions.iter_mut().filter(|_| shift > 0) {
                one.copies.push(one.address + shift);
            }
        }
        let others = vec![Other { address: 0x8, place: None }, Other { address: 0x60, place: None }];
        let functions = vec![Function { blocks, others, ..Function::default() }];
        Code { program: "/a b/my program".to_owned(), functions, ..Code::default() }
    }

    #[test]
    fn a_sample_counts_for_what_was_executed_before_it() {
        let at = |address: u64| {
            let heat = Heat::of(&code(), &format!("my?program {address:#x} 7\nlibc.so.6 0x20 3\nbroken\n"));
            assert_eq!(heat.total, 10);
            assert_eq!(heat.functions[0] + 3, if heat.shown.is_empty() && heat.others.is_empty() { 3 } else { 10 });
            heat.shown.into_iter().next().map(|((_, address), count)| (address, count))
        };
        // Within a block, and at the start of a loop, where the jump back counts.
        for (taken, counted) in [(0x11, 0x10), (0x20, 0x22), (0x21, 0x20), (0x28, 0x22)] {
            assert_eq!(at(taken), Some((counted, 7)), "{taken:#x}");
        }
        // A sample at the start of the body counts for the jump of the measuring loop; one at a part that is jumped to, for that jump.
        assert_eq!((at(0x10), at(0x30)), (Some((0x30, 7)), Some((0x11, 7))));
        // In a copy, samples count for the shown instruction, and at its start for what precedes the copy.
        for (taken, counted) in [(0x41, 0x10), (0x50, 0x22), (0x51, 0x20), (0x40, 0x30), (0x60, 0x22)] {
            assert_eq!(at(taken), Some((counted, 7)), "{taken:#x}");
        }
        assert_eq!((at(0x12), at(0x100)), (None, None));
    }

    #[test]
    fn shares_are_of_all_samples_that_are_not_in_the_kernel() {
        let heat = Heat::of(&code(), "my?program 0x11 20\nmy?program 0x8 5\nother 0x11 75\n");
        assert_eq!((heat.share(20), heat.most()), ("20.0 %".to_owned(), 20));
        assert_eq!(heat.about()[0], "25 of 100 samples (25.0 %) are in this code");
        assert_eq!(heat.of_others(0).collect::<Vec<_>>(), [(None, 5)]);
        assert_eq!(Heat::of(&Code::default(), "").share(0), "0.0 %");
    }
}
