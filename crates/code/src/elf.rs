//! The functions in an ELF program: names, addresses, machine code.

use object::elf::{self, FileHeader64, ProgramHeader64, SectionHeader64, Sym64};
use object::read::elf::{FileHeader, ProgramHeader, Rela, SectionHeader, SectionTable, Sym, SymbolTable};
use object::read::SymbolIndex;
use object::LittleEndian;
use std::ops::Range;

/// Loaded segments begin with a whole page.
const PAGE: u64 = 4096;
/// The supported processors.
pub const X86_64: u16 = elf::EM_X86_64;
pub const AARCH64: u16 = elf::EM_AARCH64;

type Header = FileHeader64<LittleEndian>;
type Section = SectionHeader64<LittleEndian>;
type Segment = ProgramHeader64<LittleEndian>;
type Symbols<'d> = SymbolTable<'d, Header>;

const LE: LittleEndian = LittleEndian;

/// A 64-bit, little-endian program or library. Its sections may be missing.
pub struct Elf<'d> {
    data: &'d [u8],
    pub machine: u16,
    segments: &'d [Segment],
    sections: SectionTable<'d, Header>,
}

/// A function of the symbol table, or a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Function<'d> {
    pub name: &'d str,
    pub address: u64,
    /// Its size, in bytes.
    pub size: u64,
}

/// A place that the loader fills in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation<'d> {
    pub place: u64,
    /// The symbol whose address it becomes; if empty, it becomes `addend` in this program.
    pub symbol: &'d str,
    pub addend: u64,
}

impl<'d> Elf<'d> {
    /// `None` for anything else.
    pub fn read(data: &'d [u8]) -> Option<Elf<'d>> {
        let header = Header::parse(data).ok()?;
        header.endian().ok()?;
        let sections = header.section_headers(LE, data).unwrap_or_default();
        let names = header.section_strings(LE, data, sections).unwrap_or_default();
        let segments = header.program_headers(LE, data).unwrap_or_default();
        Some(Elf { data, machine: header.e_machine(LE), segments, sections: SectionTable::new(sections, names) })
    }

    /// The content of a section; `None` if it does not exist or is compressed.
    pub fn section(&self, name: &str) -> Option<&'d [u8]> {
        self.data.get(self.section_in_file(name)?)
    }

    /// The range of a section in the file; `None` if it does not exist or is compressed.
    pub fn section_in_file(&self, name: &str) -> Option<Range<usize>> {
        let section = self.named(name)?;
        let (offset, size) = section.file_range(LE)?;
        let place = usize::try_from(offset).ok()?..usize::try_from(offset.checked_add(size)?).ok()?;
        let is_there = !is(section, elf::SHF_COMPRESSED) && self.data.get(place.clone()).is_some();
        is_there.then_some(place)
    }

    fn named(&self, name: &str) -> Option<&'d Section> {
        Some(self.sections.section_by_name(LE, name.as_bytes())?.1)
    }

    /// A symbol table; empty if missing or damaged.
    fn table(&self, kind: u32) -> Symbols<'d> {
        self.sections.symbols(LE, self.data, kind).unwrap_or_default()
    }

    /// The names that it defines or needs, without versions. Weak references are not included.
    pub fn names(&self) -> impl Iterator<Item = &'d str> + '_ {
        let of_table = |table: Symbols<'d>| {
            let must_be = table.iter().filter(|symbol| !(symbol.is_weak() && symbol.is_undefined(LE)));
            must_be.map(move |symbol| {
                let name = name(&table, symbol);
                name.split('@').next().unwrap_or(name)
            })
        };
        [elf::SHT_SYMTAB, elf::SHT_DYNSYM].into_iter().map(|kind| self.table(kind)).flat_map(of_table)
    }

    /// The functions of its symbol table; empty if it was stripped.
    pub fn functions(&self) -> Vec<Function<'d>> {
        self.defined(elf::SHT_SYMTAB, |kind| kind == elf::STT_FUNC)
            .into_iter()
            .filter(|function| function.size > 0)
            .collect()
    }

    /// The functions that it exports, which remain after stripping.
    pub fn dynamic_functions(&self) -> Vec<Function<'d>> {
        self.defined(elf::SHT_DYNSYM, |kind| matches!(kind, elf::STT_FUNC | elf::STT_GNU_IFUNC))
    }

    /// The functions of both tables by address, one per address. The size is 0 if the file does not have it.
    pub fn functions_in_order(&self) -> Vec<Function<'d>> {
        let mut functions = self.defined(elf::SHT_SYMTAB, |kind| matches!(kind, elf::STT_FUNC | elf::STT_GNU_IFUNC));
        functions.extend(self.dynamic_functions());
        functions.retain(|function| !function.name.is_empty());
        functions.sort_unstable_by_key(|function| (function.address, std::cmp::Reverse(function.size), function.name));
        functions.dedup_by_key(|function| function.address);
        functions
    }

    pub fn variables(&self) -> Vec<Function<'d>> {
        let mut all = self.defined(elf::SHT_SYMTAB, |kind| kind == elf::STT_OBJECT);
        all.extend(self.defined(elf::SHT_DYNSYM, |kind| kind == elf::STT_OBJECT));
        all
    }

    fn defined(&self, table: u32, is_wanted: impl Fn(u8) -> bool) -> Vec<Function<'d>> {
        let table = self.table(table);
        let here = table.iter().filter(|symbol| is_wanted(symbol.st_type()) && !symbol.is_undefined(LE));
        let function = |symbol: &Sym64<LittleEndian>| Function {
            name: name(&table, symbol),
            address: symbol.st_value(LE),
            size: symbol.st_size(LE),
        };
        here.map(function).collect()
    }

    pub fn relocations(&self) -> Vec<Relocation<'d>> {
        let mut all = Vec::new();
        for section in self.sections.iter() {
            let Ok(Some((entries, symbols))) = section.rela(LE, self.data) else { continue };
            let symbols = self.sections.symbol_table_by_index(LE, self.data, symbols).unwrap_or_default();
            all.extend(entries.iter().filter_map(|entry| {
                let symbol = match entry.r_sym(LE, false) {
                    0 => "",
                    index => name(&symbols, symbols.symbol(SymbolIndex(index as usize)).ok()?),
                };
                Some(Relocation { place: entry.r_offset(LE), symbol, addend: entry.r_addend(LE) as u64 })
            }));
        }
        all
    }

    /// The virtual address of code at an offset in the file. Two segments may share a page of the file, which is then loaded at two
    /// addresses.
    pub fn address_of(&self, offset: u64) -> Option<u64> {
        let mut code = self.loaded().filter(|segment| segment.p_flags(LE) & elf::PF_X != 0);
        let holds = |segment: &&Segment| {
            offset.checked_sub(segment.p_offset(LE)).is_some_and(|beyond| beyond < segment.p_filesz(LE))
        };
        let is_in_page = |segment: &&Segment| {
            let start = segment.p_offset(LE);
            (start & !(PAGE - 1)..=start).contains(&offset)
        };
        let segment = code.clone().find(holds).or_else(|| code.find(is_in_page))?;
        Some(segment.p_vaddr(LE).wrapping_add(offset).wrapping_sub(segment.p_offset(LE)))
    }

    /// The parts of the file that are in memory when the program runs.
    fn loaded(&self) -> impl Iterator<Item = &'d Segment> + Clone {
        self.segments.iter().filter(|segment| segment.p_type(LE) == elf::PT_LOAD)
    }

    /// Whether the program has a fixed load address.
    pub fn is_fixed(&self) -> bool {
        self.loaded().map(|segment| segment.p_vaddr(LE)).min().is_some_and(|first| first != 0)
    }

    /// The address range of a section in memory.
    pub fn place_of(&self, name: &str) -> Option<Range<u64>> {
        Some(place(self.named(name)?))
    }

    /// The section at an address, and its bytes from there on, empty if they are not in the file; `None` outside all sections.
    pub fn from(&self, address: u64) -> Option<Content<'d>> {
        let section =
            self.sections.iter().find(|section| section.sh_addr(LE) != 0 && place(section).contains(&address))?;
        Some(Content {
            section: self.sections.section_name(LE, section).map(text).unwrap_or_default(),
            is_code: is(section, elf::SHF_EXECINSTR),
            can_change: is(section, elf::SHF_WRITE),
            bytes: self.bytes_from(section, address).unwrap_or_default(),
        })
    }

    pub fn code(&self, function: &Function) -> Option<&'d [u8]> {
        let holds = |section: &&Section| is(section, elf::SHF_EXECINSTR) && place(section).contains(&function.address);
        let section = self.sections.iter().find(holds)?;
        self.bytes_from(section, function.address)?.get(..usize::try_from(function.size).ok()?)
    }

    fn bytes_from(&self, section: &Section, address: u64) -> Option<&'d [u8]> {
        let start = usize::try_from(address.checked_sub(section.sh_addr(LE))?).ok()?;
        section.data(LE, self.data).ok()?.get(start..)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Content<'d> {
    pub section: &'d str,
    pub is_code: bool,
    /// The program may write there.
    pub can_change: bool,
    /// Its bytes, to the end of the section.
    pub bytes: &'d [u8],
}

fn is(section: &Section, flag: u32) -> bool {
    section.sh_flags(LE) & u64::from(flag) != 0
}

fn place(section: &Section) -> Range<u64> {
    section.sh_addr(LE)..section.sh_addr(LE).saturating_add(section.sh_size(LE))
}

fn name<'d>(table: &Symbols<'d>, symbol: &Sym64<LittleEndian>) -> &'d str {
    table.symbol_name(LE, symbol).map(text).unwrap_or_default()
}

/// Empty when it is damaged.
fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use object::{U32, U64};

    #[test]
    fn what_is_cut_or_damaged_is_not_read_beyond_its_end() {
        let mut data = vec![0; 4096];
        data[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        for (at, value) in [(32, 64_u64), (40, 64)] {
            data[at..at + 8].copy_from_slice(&value.to_le_bytes());
        }
        for (at, bytes) in [(54, 56_u16), (58, 64)] {
            data[at..at + 2].copy_from_slice(&bytes.to_le_bytes());
        }
        for count in [0_u16, 1, 9, u16::MAX] {
            data[56..58].copy_from_slice(&count.to_le_bytes());
            data[60..62].copy_from_slice(&count.to_le_bytes());
            for fill in [0, 0x7f, 0xff] {
                data[64..].fill(fill);
                for end in [0, 7, 63, 64, 200, 4096] {
                    let Some(elf) = Elf::read(&data[..end]) else { continue };
                    assert!(elf.functions_in_order().is_empty() && elf.functions().is_empty());
                    assert!(elf.section("").is_none_or(|content| content.len() <= end));
                    elf.address_of(1);
                    elf.from(1);
                }
            }
        }
    }

    #[test]
    fn code_is_found_in_the_page_that_it_shares_with_what_is_before_it() {
        let segment = |flags, offset, address| Segment {
            p_type: U32::new(LE, elf::PT_LOAD),
            p_flags: U32::new(LE, flags),
            p_offset: U64::new(LE, offset),
            p_vaddr: U64::new(LE, address),
            p_paddr: U64::default(),
            p_filesz: U64::new(LE, 0x800),
            p_memsz: U64::default(),
            p_align: U64::default(),
        };
        let segments = &[segment(elf::PF_R, 0, 0), segment(elf::PF_X, 0x1800, 0x2800)];
        let elf = Elf { data: &[], machine: X86_64, segments, sections: SectionTable::default() };
        assert_eq!(elf.address_of(0x1900), Some(0x2900));
        // As listed among the loaded segments.
        assert_eq!(elf.address_of(0x1000), Some(0x2000));
        assert_eq!((elf.address_of(0x10), elf.address_of(0x2000)), (None, None));
    }
}
