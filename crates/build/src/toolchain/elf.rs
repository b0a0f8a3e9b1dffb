//! What an ELF program says of its functions: names, places, machine code.

use std::fs;
use std::path::Path;
use tare_model::Artifact;

/// Reading larger programs would delay the start of a run.
const SIZE_MAX: u64 = 256 << 20;
const HEADER: usize = 64;
const SECTION: usize = 64;
const SYMBOL: usize = 24;
const SYMBOLS: u32 = 2;
/// Those that the loader needs: they stay when a program is stripped.
const DYNAMIC_SYMBOLS: u32 = 11;
const NO_BITS: u32 = 8;
const EXECUTABLE: u64 = 4;
const COMPRESSED: u64 = 0x800;
const FUNCTION: u8 = 2;
const WEAK: u8 = 2;

/// The file of a program; None if it cannot be read, or is too large.
pub(super) fn content(artifact: &Artifact) -> Option<Vec<u8>> {
    let path = artifact.command.first().map(Path::new).filter(|path| path.is_absolute())?;
    let is_read = fs::metadata(path).is_ok_and(|facts| facts.is_file() && facts.len() <= SIZE_MAX);
    is_read.then(|| fs::read(path).ok())?
}

/// A program of 64 bits, little-endian, whose sections have names.
pub(super) struct Elf<'d> {
    data: &'d [u8],
    pub(super) machine: u16,
    sections: Vec<Section<'d>>,
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

/// A function of the symbol table.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Function<'d> {
    pub(super) name: &'d str,
    pub(super) address: u64,
    pub(super) size: u64,
}

impl<'d> Elf<'d> {
    /// None for anything else.
    pub(super) fn read(data: &'d [u8]) -> Option<Elf<'d>> {
        let header = data.get(..HEADER)?;
        if !header.starts_with(b"\x7fELF\x02\x01\x01") {
            return None;
        }
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
        let names = bytes(data, &sections.get(names)?.1)?;
        let sections = sections.into_iter().map(|(name, section)| Section { name: text_at(names, name), ..section });
        Some(Elf { data, machine: u16_at(header, 18)?, sections: sections.collect() })
    }

    /// The content of a section; None where there is no such section, or it is compressed.
    pub(super) fn section(&self, name: &str) -> Option<&'d [u8]> {
        let section = self.sections.iter().find(|section| section.name == name)?;
        bytes(self.data, section).filter(|_| section.flags & COMPRESSED == 0)
    }

    /// The entries of a symbol table and its strings.
    fn table(&self, kind: u32) -> Option<(&'d [u8], &'d [u8])> {
        let table = self.sections.iter().find(|section| section.kind == kind)?;
        Some((bytes(self.data, table)?, bytes(self.data, self.sections.get(table.link)?)?))
    }

    /// The names that it has or needs, without versions. What is used only if it is there (a weak reference) is not among them.
    pub(super) fn names(&self) -> impl Iterator<Item = &'d str> + '_ {
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
    pub(super) fn functions(&self) -> Vec<Function<'d>> {
        let Some((entries, strings)) = self.table(SYMBOLS) else { return Vec::new() };
        let function = |entry: &[u8]| -> Option<Function<'d>> {
            let is_here = u16_at(entry, 6)? != 0;
            let (name, address, size) = (u32_at(entry, 0)? as usize, u64_at(entry, 8)?, u64_at(entry, 16)?);
            (entry[4] & 0xf == FUNCTION && is_here && size > 0).then(|| Function {
                name: text_at(strings, name),
                address,
                size,
            })
        };
        entries.chunks_exact(SYMBOL).filter_map(function).collect()
    }

    /// The machine code of a function.
    pub(super) fn code(&self, function: &Function) -> Option<&'d [u8]> {
        let holds = |section: &&Section| {
            let end = section.address.saturating_add(section.size as u64);
            section.flags & EXECUTABLE != 0 && (section.address..end).contains(&function.address)
        };
        let section = self.sections.iter().find(holds)?;
        let start = usize::try_from(function.address - section.address).ok()?;
        bytes(self.data, section)?.get(start..start.checked_add(usize::try_from(function.size).ok()?)?)
    }
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
    let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
    std::str::from_utf8(&rest[..end]).unwrap_or_default()
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
