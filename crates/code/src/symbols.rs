//! Which function is at an address, and the name of a place in memory.

use crate::decode::slot_of_arm_stub;
use crate::elf::{Elf, Function, AARCH64};
use crate::names::readable;
use gimli::{BaseAddresses, EhFrame, EndianSlice, LittleEndian, UnwindSection};
use iced_x86::{Code as Op, Decoder, DecoderOptions, OpKind};
use std::collections::{BTreeMap, HashMap};

pub(crate) struct Symbols<'d> {
    elf: &'d Elf<'d>,
    /// End and symbol by start address; the symbol is empty if only the unwinder's table knows the function.
    functions: BTreeMap<u64, (u64, &'d str)>,
    variables: BTreeMap<u64, (u64, &'d str)>,
    /// What the loader writes where: the name of an import, or the address of a function here.
    filled: HashMap<u64, Filled<'d>>,
}

#[derive(Clone, Copy)]
enum Filled<'d> {
    Import(&'d str),
    Here(u64),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Reached {
    /// A function of this program.
    Here(u64),
    /// One in another file, by name.
    Import(String),
}

impl<'d> Symbols<'d> {
    pub(crate) fn new(elf: &'d Elf<'d>) -> Symbols<'d> {
        let mut functions: BTreeMap<u64, (u64, &str)> = BTreeMap::new();
        for function in elf.functions().into_iter().chain(elf.dynamic_functions()) {
            let of_place = functions.entry(function.address).or_insert((end(&function), function.name));
            // Of several names for one place, the alphabetically first, so that two builds agree.
            if function.name < of_place.1 {
                *of_place = (of_place.0.max(end(&function)), function.name);
            }
        }
        for (start, end) in frames(elf) {
            let is_known = functions.range(..=start).next_back().is_some_and(|(_, (known, _))| start < *known);
            let of_place = functions.entry(start).or_insert((end, ""));
            if !is_known || of_place.0 <= start {
                of_place.0 = of_place.0.max(end);
            }
        }
        let variables = elf.variables().into_iter().map(|of| (of.address, (end(&of), of.name))).collect();
        let filled = elf.relocations().into_iter().map(|of| {
            let with = if of.symbol.is_empty() { Filled::Here(of.addend) } else { Filled::Import(of.symbol) };
            (of.place, with)
        });
        Symbols { elf, functions, variables, filled: filled.collect() }
    }

    /// The function that contains an address: its start, its end, and its symbol, which may be empty.
    pub(crate) fn function(&self, address: u64) -> Option<(u64, u64, &'d str)> {
        let (start, (end, name)) = self.functions.range(..=address).next_back()?;
        (address < *end).then_some((*start, *end, *name))
    }

    /// The name of a function, or its address if it has no symbol.
    pub(crate) fn name(&self, address: u64) -> String {
        match self.function(address) {
            Some((start, _, symbol)) if start == address && !symbol.is_empty() => readable(symbol),
            Some((start, _, symbol)) if !symbol.is_empty() => format!("{}+{:#x}", readable(symbol), address - start),
            _ => format!("function at {address:#x}"),
        }
    }

    /// Whether the functions of the program have names.
    pub(crate) fn have_names(&self) -> bool {
        self.functions.values().any(|(_, name)| !name.is_empty())
    }

    /// What a call to an address reaches: for a stub, the function to which it jumps.
    pub(crate) fn called(&self, address: u64) -> Reached {
        let is_named = self.functions.get(&address).is_some_and(|(_, name)| !name.is_empty());
        let slot = (!is_named).then(|| self.slot_of_stub(address)).flatten();
        slot.and_then(|slot| self.in_slot(slot)).unwrap_or(Reached::Here(address))
    }

    /// What the loader writes at an address.
    pub(crate) fn in_slot(&self, slot: u64) -> Option<Reached> {
        Some(match *self.filled.get(&slot)? {
            Filled::Here(address) => Reached::Here(address),
            Filled::Import(symbol) => match self.functions.iter().find(|(_, (_, name))| *name == symbol) {
                // It is defined here as well, and in most programs nothing replaces it.
                Some((address, _)) => Reached::Here(*address),
                None => Reached::Import(readable(symbol)),
            },
        })
    }

    /// The slot through which a stub of the procedure linkage table jumps.
    fn slot_of_stub(&self, address: u64) -> Option<u64> {
        const STUB: usize = 16;
        let code = self.elf.from(address).filter(|found| found.is_code && found.section.starts_with(".plt"))?.bytes;
        if self.elf.machine == AARCH64 {
            return slot_of_arm_stub(code, address);
        }
        let mut decoder = Decoder::with_ip(64, code.get(..STUB)?, address, DecoderOptions::NONE);
        let jump = decoder.iter().take(3).find(|i| i.code() == Op::Jmp_rm64 && i.op0_kind() == OpKind::Memory)?;
        jump.is_ip_rel_memory_operand().then(|| jump.ip_rel_memory_address())
    }

    /// The name of a place in memory: a variable, a function, or the section.
    pub(crate) fn place(&self, address: u64) -> Option<String> {
        if let Some((start, (end, name))) = self.variables.range(..=address).next_back() {
            if !name.is_empty() && (address < *end || address == *start) {
                let offset = address - start;
                let name = readable(name);
                return Some(if offset == 0 { name } else { format!("{name}+{offset:#x}") });
            }
        }
        match self.in_slot(address) {
            Some(Reached::Import(name)) => return Some(format!("address of {name}")),
            Some(Reached::Here(of)) if self.function(of).is_some_and(|(start, ..)| start == of) => {
                return Some(format!("address of {}", self.name(of)));
            }
            _ => {}
        }
        let found = self.elf.from(address)?;
        if found.is_code {
            return Some(self.name(address));
        }
        Some(readable(found.section))
    }

    /// The first bytes of a place that never changes.
    pub(crate) fn constant(&self, address: u64) -> Option<&'d [u8]> {
        let found = self.elf.from(address)?;
        (!found.can_change && !found.is_code).then_some(found.bytes)
    }

    pub(crate) fn elf(&self) -> &'d Elf<'d> {
        self.elf
    }
}

fn end(of: &Function) -> u64 {
    of.address.saturating_add(of.size)
}

/// The functions that the unwinder knows, which remain after stripping.
fn frames(elf: &Elf) -> Vec<(u64, u64)> {
    let (Some(content), Some(place)) = (elf.section(".eh_frame"), elf.place_of(".eh_frame")) else { return Vec::new() };
    let text = elf.place_of(".text").unwrap_or_default();
    let bases = BaseAddresses::default().set_eh_frame(place.start).set_text(text.start);
    let table = EhFrame::<EndianSlice<LittleEndian>>::new(content, LittleEndian);
    let mut entries = table.entries(&bases);
    let mut found = Vec::new();
    // Entries read before an error stay.
    while let Ok(Some(entry)) = entries.next() {
        if let gimli::CieOrFde::Fde(part) = entry {
            if let Ok(fde) = part.parse(EhFrame::cie_from_offset) {
                found.push((fde.initial_address(), fde.initial_address().saturating_add(fde.len())));
            }
        }
    }
    found
}
