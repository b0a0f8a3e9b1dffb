//! An object file of pads: linked in, they move the code behind them.

/// Prefix of the numbered sections of pads. Functions of C have no dot in their names.
const SECTION: &str = ".text.tare.pad";
/// Prefix of a code section before the name of its symbol.
const PREFIX: &str = ".text.";
const SYMBOL_SIZE: u64 = 24;
/// The ELF identification at the start of a program, which tells its machine.
const IDENTITY: usize = 16;

/// Name of a pad's section. Pad 0 goes before all code, each other one before a part of it.
pub(super) fn section(number: usize) -> String {
    format!("{SECTION}{number}")
}

pub(super) fn symbol(number: usize) -> String {
    section(number).split_off(PREFIX.len())
}

pub(super) fn is_pad(section: &str) -> bool {
    section.starts_with(SECTION)
}

/// A relocatable object for the machine of `program`, with pads of `size` bytes that linkers keep: one before all code, and `parts` that
/// begin at multiples of `step`. None unless the program is 64-bit little-endian ELF.
pub(super) fn object(program: &[u8], size: u16, parts: usize, step: usize) -> Option<Vec<u8>> {
    const HEADER: u64 = 64;
    const RETAINED_CODE: u64 = 0x20_0006; // SHF_GNU_RETAIN, SHF_EXECINSTR, SHF_ALLOC
    let is_elf64_little = program.starts_with(b"\x7fELF\x02\x01\x01");
    let (machine, flags) = (program.get(18..20)?, program.get(48..52)?);
    if !is_elf64_little {
        return None;
    }
    let pads = 1 + parts;
    let section_count = u16::try_from(pads + 4).ok().filter(|count| *count < 0xff00)?;
    let (mut names, mut pad_names) =
        (String::from("\0.shstrtab\0.symtab\0.note.GNU-stack\0"), Vec::with_capacity(pads));
    for number in 0..pads {
        pad_names.push(names.len() as u32);
        names += &section(number);
        names.push('\0');
    }
    let place = |number: usize| HEADER + number as u64 * u64::from(size);
    let names_at = place(pads);
    let symbols_at = (names_at + names.len() as u64).next_multiple_of(8);
    let symbols_size = (1 + pads as u64) * SYMBOL_SIZE;
    let sections_at = symbols_at + symbols_size;
    let mut file = Vec::new();
    file.extend(b"\x7fELF\x02\x01\x01\x03"); // 3: GNU, whose linkers know what to retain
    file.resize(IDENTITY, 0);
    file.extend(1_u16.to_le_bytes()); // relocatable
    file.extend(machine);
    file.extend(1_u32.to_le_bytes());
    file.extend([0; 16]); // no entry, no segments
    file.extend(sections_at.to_le_bytes());
    file.extend(flags);
    for half in [HEADER as u16, 0, 0, 64, section_count, section_count - 3] {
        file.extend(half.to_le_bytes());
    }
    file.resize(names_at as usize, 0);
    file.extend(names.as_bytes());
    // Symbol 0 is null. The others are global and hidden; each marks the beginning of the section of its number.
    file.resize((symbols_at + SYMBOL_SIZE) as usize, 0);
    for (number, name) in (1_u16..).zip(&pad_names) {
        file.extend((name + PREFIX.len() as u32).to_le_bytes());
        file.extend([0x10, 2]);
        file.extend(number.to_le_bytes());
        file.extend([0; 16]);
    }
    file.resize(sections_at as usize + 64, 0);
    // Name, type, flags, offset, size, section of its names, first non-local symbol, alignment, entry size.
    let pad = |(number, name): (usize, &u32)| {
        let align = if number == 0 { 16 } else { step as u64 };
        (*name, 1, RETAINED_CODE, place(number), u64::from(size), [0, 0], align, 0)
    };
    let names_section = u32::from(section_count) - 3;
    let tables = [
        (1, 3, 0, names_at, names.len() as u64, [0, 0], 1, 0),
        (11, 2, 0, symbols_at, symbols_size, [names_section, 1], 8, SYMBOL_SIZE),
        // Without this section, a linker may make the program's stack executable.
        (19, 1, 0, names_at, 0, [0, 0], 1, 0),
    ];
    for (name, kind, flags, place, size, links, align, entry) in pad_names.iter().enumerate().map(pad).chain(tables) {
        file.extend([name, kind].into_iter().flat_map(u32::to_le_bytes));
        file.extend([flags, 0, place, size].into_iter().flat_map(u64::to_le_bytes));
        file.extend(links.into_iter().flat_map(u32::to_le_bytes));
        file.extend([align, entry].into_iter().flat_map(u64::to_le_bytes));
    }
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_for_machines_that_it_knows() {
        assert!(object(b"#!/bin/sh\n", 16, 0, 8192).is_none());
        let mut program = b"\x7fELF\x02\x01\x01".to_vec();
        program.resize(64, 7);
        let object = object(&program, 32, 2, 8192).unwrap();
        assert_eq!(object.len() % 8, 0);
        assert_eq!(&object[18..20], &[7, 7]);
        program[4] = 1;
        assert!(super::object(&program, 32, 2, 8192).is_none());
    }
}
