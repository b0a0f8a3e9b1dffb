//! An object file of nothing but a pad: linked in, it moves the code behind it.

/// Name of the pad's section.
pub(super) const SECTION: &str = ".text.tare_pad";
/// The symbol at its beginning.
pub(super) const SYMBOL: &str = "tare_pad";
/// Bytes of a symbol.
const SYMBOL_SIZE: u64 = 24;
/// Bytes of the head of a program that say which machine it is for.
const IDENTITY: usize = 16;

/// A relocatable object for the machine of `program`, with `size` bytes of padding that no linker drops. None for machines
/// that are not of 64 bits and little-endian, and for what is no program.
pub(super) fn object(program: &[u8], size: u16) -> Option<Vec<u8>> {
    const HEADER: u64 = 64;
    const RETAINED_CODE: u64 = 0x20_0006; // SHF_GNU_RETAIN, SHF_EXECINSTR, SHF_ALLOC
    let is_elf64_little = program.starts_with(b"\x7fELF\x02\x01\x01");
    let (machine, flags) = (program.get(18..20)?, program.get(48..52)?);
    if !is_elf64_little {
        return None;
    }
    let names = format!("\0{SECTION}\0.shstrtab\0.symtab\0{SYMBOL}\0");
    let name_at = |name: &str| names.find(&format!("\0{name}\0")).map_or(0, |at| at as u32 + 1);
    let names_at = HEADER + u64::from(size);
    let symbols_at = (names_at + names.len() as u64).next_multiple_of(8);
    let sections_at = symbols_at + 2 * SYMBOL_SIZE;
    let mut file = Vec::new();
    file.extend(b"\x7fELF\x02\x01\x01\x03"); // 3: GNU, whose linkers know what to retain
    file.resize(IDENTITY, 0);
    file.extend(1_u16.to_le_bytes()); // relocatable
    file.extend(machine);
    file.extend(1_u32.to_le_bytes());
    file.extend([0; 16]); // no entry, no segments
    file.extend(sections_at.to_le_bytes());
    file.extend(flags);
    for half in [HEADER as u16, 0, 0, 64, 4, 2] {
        file.extend(half.to_le_bytes());
    }
    file.resize(names_at as usize, 0);
    file.extend(names.as_bytes());
    // The first symbol is none. The second is global and hidden, and the beginning of section 1.
    file.resize((symbols_at + SYMBOL_SIZE) as usize, 0);
    file.extend(name_at(SYMBOL).to_le_bytes());
    file.extend([0x10, 2, 1, 0]);
    file.resize(sections_at as usize, 0);
    file.extend([0; 64]);
    // Name, type, flags, place, size, the section of its names, the first symbol that is not local, alignment, size of an entry.
    let sections = [
        (SECTION, 1, RETAINED_CODE, HEADER, u64::from(size), [0, 0], 16, 0),
        (".shstrtab", 3, 0, names_at, names.len() as u64, [0, 0], 1, 0),
        (".symtab", 2, 0, symbols_at, 2 * SYMBOL_SIZE, [2, 1], 8, SYMBOL_SIZE),
    ];
    for (name, kind, flags, place, size, links, align, entry) in sections {
        file.extend([name_at(name), kind].into_iter().flat_map(u32::to_le_bytes));
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
        assert!(object(b"#!/bin/sh\n", 16).is_none());
        let mut program = b"\x7fELF\x02\x01\x01".to_vec();
        program.resize(64, 7);
        let object = object(&program, 32).unwrap();
        assert_eq!(object.len() % 8, 0);
        assert_eq!(&object[18..20], &[7, 7]);
        program[4] = 1;
        assert!(super::object(&program, 32).is_none());
    }
}
