//! What an ELF program says of its functions: names, places, machine code.

use std::ffi::CStr;
use std::ops::Range;

const HEADER: usize = 64;
const SECTION: usize = 64;
const SYMBOL: usize = 24;
const SYMBOLS: u32 = 2;
/// Those that the loader needs: they stay when a program is stripped.
const DYNAMIC_SYMBOLS: u32 = 11;
const NO_BITS: u32 = 8;
const WRITABLE: u64 = 1;
const EXECUTABLE: u64 = 4;
const COMPRESSED: u64 = 0x800;
const SEGMENT: usize = 56;
const LOADED: u32 = 1;
const EXECUTABLE_SEGMENT: u32 = 1;
/// What is loaded begins with a whole page.
const PAGE: u64 = 4096;
const RELOCATION: usize = 24;
const RELOCATIONS: u32 = 4;
const OBJECT: u8 = 1;
const FUNCTION: u8 = 2;
/// A function that is chosen when the program starts.
const CHOSEN: u8 = 10;
const WEAK: u8 = 2;
/// The processors that code is read of.
pub const X86_64: u16 = 62;
/// The other one.
pub const AARCH64: u16 = 183;

/// A program or library of 64 bits, little-endian. Its sections may be missing.
pub struct Elf<'d> {
    data: &'d [u8],
    pub machine: u16,
    segments: Vec<Segment>,
    sections: Vec<Section<'d>>,
}

/// A part of the file that is in memory when the program runs.
#[derive(Clone, Copy)]
struct Segment {
    is_code: bool,
    offset: u64,
    address: u64,
    bytes: u64,
}

#[derive(Clone, Copy)]
struct Section<'d> {
    name: &'d str,
    kind: u32,
    flags: u64,
    address: u64,
    offset: usize,
    size: usize,
    link: usize,
}

/// A function of the symbol table, or a variable.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Function<'d> {
    pub name: &'d str,
    /// Where it begins.
    pub address: u64,
    /// Its bytes.
    pub size: u64,
}

/// A place that the loader fills in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Relocation<'d> {
    pub place: u64,
    /// The symbol whose address it becomes; empty: it becomes `addend` in this program.
    pub symbol: &'d str,
    pub addend: u64,
}

impl<'d> Elf<'d> {
    /// None for anything else.
    pub fn read(data: &'d [u8]) -> Option<Elf<'d>> {
        let header = data.get(..HEADER)?;
        if !header.starts_with(b"\x7fELF\x02\x01\x01") {
            return None;
        }
        let sections = sections(data, header).unwrap_or_default();
        let segments = segments(data, header).unwrap_or_default();
        Some(Elf { data, machine: u16_at(header, 18)?, segments, sections })
    }

    /// The content of a section; None where there is no such section, or it is compressed.
    pub fn section(&self, name: &str) -> Option<&'d [u8]> {
        self.data.get(self.section_in_file(name)?)
    }

    /// Where the content of a section is in the file; None where there is no such section, or it is compressed.
    pub fn section_in_file(&self, name: &str) -> Option<Range<usize>> {
        let section = self.sections.iter().find(|section| section.name == name)?;
        let place = section.offset..section.offset.checked_add(section.size)?;
        let is_there = section.flags & COMPRESSED == 0 && bytes(self.data, section).is_some();
        is_there.then_some(place)
    }

    /// The entries of a symbol table and its strings.
    fn table(&self, kind: u32) -> Option<(&'d [u8], &'d [u8])> {
        let table = self.sections.iter().find(|section| section.kind == kind)?;
        Some((bytes(self.data, table)?, bytes(self.data, self.sections.get(table.link)?)?))
    }

    /// The names that it has or needs, without versions. What is used only if it is there (a weak reference) is not among them.
    pub fn names(&self) -> impl Iterator<Item = &'d str> + '_ {
        let of_table = |(entries, strings): (&'d [u8], &'d [u8])| {
            entries.chunks_exact(SYMBOL).filter_map(move |entry| {
                let is_maybe = entry[4] >> 4 == WEAK && u16_at(entry, 6)? == 0;
                let name = text_at(strings, u32_at(entry, 0)? as usize);
                (!is_maybe).then(|| name.split('@').next().unwrap_or(name))
            })
        };
        [SYMBOLS, DYNAMIC_SYMBOLS].into_iter().filter_map(|kind| self.table(kind)).flat_map(of_table)
    }

    /// The functions of its symbol table: none when it was stripped.
    pub fn functions(&self) -> Vec<Function<'d>> {
        self.defined(SYMBOLS, |kind| kind == FUNCTION).into_iter().filter(|function| function.size > 0).collect()
    }

    /// The functions that it gives to other programs, which stay when it is stripped.
    pub fn dynamic_functions(&self) -> Vec<Function<'d>> {
        self.defined(DYNAMIC_SYMBOLS, |kind| matches!(kind, FUNCTION | CHOSEN))
    }

    /// The functions of both tables in the order of their addresses, one at each. The size is 0 where the file does not have it.
    pub fn functions_in_order(&self) -> Vec<Function<'d>> {
        let mut functions = self.defined(SYMBOLS, |kind| matches!(kind, FUNCTION | CHOSEN));
        functions.extend(self.dynamic_functions());
        functions.retain(|function| !function.name.is_empty());
        functions.sort_unstable_by_key(|function| (function.address, std::cmp::Reverse(function.size), function.name));
        functions.dedup_by_key(|function| function.address);
        functions
    }

    /// Its variables.
    pub fn variables(&self) -> Vec<Function<'d>> {
        let mut all = self.defined(SYMBOLS, |kind| kind == OBJECT);
        all.extend(self.defined(DYNAMIC_SYMBOLS, |kind| kind == OBJECT));
        all
    }

    fn defined(&self, table: u32, is_wanted: impl Fn(u8) -> bool) -> Vec<Function<'d>> {
        let Some((entries, strings)) = self.table(table) else { return Vec::new() };
        let function = |entry: &[u8]| -> Option<Function<'d>> {
            let is_here = u16_at(entry, 6)? != 0;
            let (name, address, size) = (u32_at(entry, 0)? as usize, u64_at(entry, 8)?, u64_at(entry, 16)?);
            (is_wanted(entry[4] & 0xf) && is_here).then(|| Function { name: text_at(strings, name), address, size })
        };
        entries.chunks_exact(SYMBOL).filter_map(function).collect()
    }

    /// What the loader fills in.
    pub fn relocations(&self) -> Vec<Relocation<'d>> {
        let mut all = Vec::new();
        for section in self.sections.iter().filter(|section| section.kind == RELOCATIONS) {
            let symbols = self
                .sections
                .get(section.link)
                .and_then(|table| Some((bytes(self.data, table)?, bytes(self.data, self.sections.get(table.link)?)?)));
            let name = |index: u64| {
                let (entries, strings) = symbols?;
                let entry = entries.get(usize::try_from(index).ok()?.checked_mul(SYMBOL)?..)?;
                Some(text_at(strings, u32_at(entry, 0)? as usize))
            };
            let entries = bytes(self.data, section).unwrap_or_default();
            all.extend(entries.chunks_exact(RELOCATION).filter_map(|entry| {
                let symbol = match u64_at(entry, 8)? >> 32 {
                    0 => "",
                    index => name(index)?,
                };
                Some(Relocation { place: u64_at(entry, 0)?, symbol, addend: u64_at(entry, 16)? })
            }));
        }
        all
    }

    /// The address, as the file counts it, of code at a place in the file. Two segments may share a page of the file, which is then loaded at
    /// two addresses.
    pub fn address_of(&self, offset: u64) -> Option<u64> {
        let mut code = self.segments.iter().filter(|segment| segment.is_code);
        let holds = |segment: &&Segment| offset >= segment.offset && offset - segment.offset < segment.bytes;
        let is_in_page = |segment: &&Segment| (segment.offset & !(PAGE - 1)..=segment.offset).contains(&offset);
        let segment = code.clone().find(holds).or_else(|| code.find(is_in_page))?;
        Some(segment.address.wrapping_add(offset).wrapping_sub(segment.offset))
    }

    /// Whether the program always lies at the same addresses.
    pub fn is_fixed(&self) -> bool {
        self.segments.iter().map(|segment| segment.address).min().is_some_and(|first| first != 0)
    }

    /// Where a section is in memory.
    pub fn place_of(&self, name: &str) -> Option<Range<u64>> {
        let section = self.sections.iter().find(|section| section.name == name)?;
        Some(section.address..section.address.saturating_add(section.size as u64))
    }

    /// The section of an address, whether it is machine code, and its bytes from there on; of one that is not in the file none.
    pub fn from(&self, address: u64) -> Option<Content<'d>> {
        let holds = |section: &&Section| {
            let end = section.address.saturating_add(section.size as u64);
            section.address != 0 && (section.address..end).contains(&address)
        };
        let section = self.sections.iter().find(holds)?;
        let start = usize::try_from(address - section.address).ok()?;
        let bytes = bytes(self.data, section).and_then(|bytes| bytes.get(start..)).unwrap_or_default();
        let (is_code, can_change) = (section.flags & EXECUTABLE != 0, section.flags & WRITABLE != 0);
        Some(Content { section: section.name, is_code, can_change, bytes })
    }

    /// The machine code of a function.
    pub fn code(&self, function: &Function) -> Option<&'d [u8]> {
        let holds = |section: &&Section| {
            let end = section.address.saturating_add(section.size as u64);
            section.flags & EXECUTABLE != 0 && (section.address..end).contains(&function.address)
        };
        let section = self.sections.iter().find(holds)?;
        let start = usize::try_from(function.address - section.address).ok()?;
        bytes(self.data, section)?.get(start..start.checked_add(usize::try_from(function.size).ok()?)?)
    }
}

#[derive(Debug, Clone, Copy)]
pub struct Content<'d> {
    /// The name of its section.
    pub section: &'d str,
    /// It is machine code.
    pub is_code: bool,
    /// The program may write there.
    pub can_change: bool,
    /// What is there, to the end of the section.
    pub bytes: &'d [u8],
}

fn sections<'d>(data: &'d [u8], header: &[u8]) -> Option<Vec<Section<'d>>> {
    let at = usize::try_from(u64_at(header, 40)?).ok()?;
    let (count, names) = (usize::from(u16_at(header, 60)?), usize::from(u16_at(header, 62)?));
    let table = data.get(at..at.checked_add(count * SECTION)?)?;
    let mut sections: Vec<(usize, Section)> = Vec::with_capacity(count);
    for entry in table.chunks_exact(SECTION) {
        let section = Section {
            name: "",
            kind: u32_at(entry, 4)?,
            flags: u64_at(entry, 8)?,
            address: u64_at(entry, 16)?,
            offset: usize::try_from(u64_at(entry, 24)?).ok()?,
            size: usize::try_from(u64_at(entry, 32)?).ok()?,
            link: u32_at(entry, 40)? as usize,
        };
        sections.push((u32_at(entry, 0)? as usize, section));
    }
    let names = sections.get(names).and_then(|(_, section)| bytes(data, section)).unwrap_or_default();
    let named = |(name, section)| Section { name: text_at(names, name), ..section };
    Some(sections.into_iter().map(named).collect())
}

fn segments(data: &[u8], header: &[u8]) -> Option<Vec<Segment>> {
    let (at, count) = (usize::try_from(u64_at(header, 32)?).ok()?, usize::from(u16_at(header, 56)?));
    let table = data.get(at..at.checked_add(count * SEGMENT)?)?;
    let segment = |entry: &[u8]| {
        let is_code = u32_at(entry, 4)? & EXECUTABLE_SEGMENT != 0;
        let (offset, address, bytes) = (u64_at(entry, 8)?, u64_at(entry, 16)?, u64_at(entry, 32)?);
        (u32_at(entry, 0)? == LOADED).then_some(Segment { is_code, offset, address, bytes })
    };
    Some(table.chunks_exact(SEGMENT).filter_map(segment).collect())
}

fn bytes<'d>(data: &'d [u8], section: &Section) -> Option<&'d [u8]> {
    match section.kind {
        NO_BITS => None,
        _ => data.get(section.offset..section.offset.checked_add(section.size)?),
    }
}

/// A text that ends with a zero; empty when it is damaged.
fn text_at(strings: &[u8], at: usize) -> &str {
    let rest = strings.get(at..).unwrap_or_default();
    let text = CStr::from_bytes_until_nul(rest).map_or(rest, CStr::to_bytes);
    std::str::from_utf8(text).unwrap_or_default()
}

fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_le_bytes(data.get(at..at + 2)?.try_into().ok()?))
}

fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(data.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(data: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(data.get(at..at + 8)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cut_or_damaged_is_not_read_beyond_its_end() {
        let mut data = vec![0; 4096];
        data[..7].copy_from_slice(b"\x7fELF\x02\x01\x01");
        for (at, value) in [(32, 64_u64), (40, 64)] {
            data[at..at + 8].copy_from_slice(&value.to_le_bytes());
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
        let segment = |is_code, offset, address| Segment { is_code, offset, address, bytes: 0x800 };
        let segments = vec![segment(false, 0, 0), segment(true, 0x1800, 0x2800)];
        let elf = Elf { data: &[], machine: X86_64, segments, sections: Vec::new() };
        assert_eq!(elf.address_of(0x1900), Some(0x2900));
        // As a list of what is loaded has it.
        assert_eq!(elf.address_of(0x1000), Some(0x2000));
        assert_eq!((elf.address_of(0x10), elf.address_of(0x2000)), (None, None));
    }
}
