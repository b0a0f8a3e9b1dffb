//! What an ELF file says of its code: where it is loaded, its functions, its sections.

const HEADER: usize = 64;
const SEGMENT: usize = 56;
const SECTION: usize = 64;
const SYMBOL: usize = 24;
const LOAD: u32 = 1;
const EXECUTABLE: u64 = 1;
const SYMBOLS: u32 = 2;
const DYNAMIC_SYMBOLS: u32 = 11;
const NO_BITS: u32 = 8;
const COMPRESSED: u64 = 0x800;

/// A file of 64 bits, little-endian.
pub(super) struct Elf<'d> {
    data: &'d [u8],
    sections: Vec<Section<'d>>,
    /// Offset in the file, address and size of what is loaded as code. Two segments may share a page of the file, which is then mapped at
    /// two addresses.
    segments: Vec<[u64; 3]>,
}

/// A section with its place in the memory of the program.
#[derive(Clone, Copy)]
pub(super) struct Section<'d> {
    name: &'d [u8],
    kind: u32,
    flags: u64,
    pub(super) address: u64,
    offset: usize,
    pub(super) size: usize,
    link: usize,
}

/// A function with its name as it is in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Function<'d> {
    pub(super) address: u64,
    /// 0 where the file does not say it.
    pub(super) size: u64,
    pub(super) name: &'d str,
}

impl<'d> Elf<'d> {
    /// None for anything else.
    pub(super) fn read(data: &'d [u8]) -> Option<Elf<'d>> {
        let header = data.get(..HEADER)?;
        if !header.starts_with(b"\x7fELF\x02\x01\x01") {
            return None;
        }
        let table = |at: usize, count: usize, size: usize| -> Option<&'d [u8]> {
            let start = usize::try_from(number(header, at, 8)?).ok()?;
            data.get(start..start.checked_add(usize::try_from(number(header, count, 2)?).ok()?.checked_mul(size)?)?)
        };
        let segments = table(32, 56, SEGMENT)?.chunks_exact(SEGMENT);
        let segments = segments.filter(|entry| number(entry, 0, 4) == Some(u64::from(LOAD)));
        let segments = segments.filter(|entry| number(entry, 4, 4).is_some_and(|flags| flags & EXECUTABLE != 0));
        let segments =
            segments.filter_map(|entry| Some([number(entry, 8, 8)?, number(entry, 16, 8)?, number(entry, 32, 8)?]));
        // A file without sections can still be unwound by its frame pointers.
        let entries: Vec<&[u8]> = table(40, 60, SECTION).unwrap_or_default().chunks_exact(SECTION).collect();
        let mut sections: Vec<Section> = entries.iter().filter_map(|entry| section(entry)).collect();
        let names = usize::try_from(number(header, 62, 2)?).ok()?;
        let names = sections.get(names).and_then(|section| bytes(data, section)).unwrap_or_default();
        for (section, entry) in sections.iter_mut().zip(&entries) {
            section.name = text_at(names, number(entry, 0, 4)? as usize);
        }
        Some(Elf { data, sections, segments: segments.collect() })
    }

    /// The address that code at a place in the file is loaded at, as the file has it.
    pub(super) fn address_of(&self, offset: u64) -> Option<u64> {
        let holds = |[start, _, size]: &&[u64; 3]| (*start..start.saturating_add(*size)).contains(&offset);
        // What is mapped begins with a whole page, which may be before the segment.
        let page = |[start, ..]: &&[u64; 3]| (start & !0xfff..=*start).contains(&offset);
        let [start, address, _] = self.segments.iter().find(holds).or_else(|| self.segments.iter().find(page))?;
        Some(address.wrapping_add(offset).wrapping_sub(*start))
    }

    /// A section.
    pub(super) fn section(&self, name: &str) -> Option<Section<'d>> {
        self.sections.iter().find(|section| section.name == name.as_bytes()).copied()
    }

    /// The place of its content in the file; None where there is none, or it is compressed.
    pub(super) fn place(&self, name: &str) -> Option<std::ops::Range<usize>> {
        let section =
            self.section(name).filter(|section| section.flags & COMPRESSED == 0 && section.kind != NO_BITS)?;
        let place = section.offset..section.offset.checked_add(section.size)?;
        self.data.get(place.clone()).map(|_| place)
    }

    /// Its content.
    pub(super) fn content(&self, name: &str) -> &'d [u8] {
        self.place(name).and_then(|place| self.data.get(place)).unwrap_or_default()
    }

    /// Its functions in the order of their addresses: with the symbols that only the loader needs where it was stripped.
    pub(super) fn functions(&self) -> Vec<Function<'d>> {
        let table = |kind: u32| {
            let table = self.sections.iter().find(|section| section.kind == kind)?;
            Some((bytes(self.data, table)?, bytes(self.data, self.sections.get(table.link)?)?))
        };
        let mut functions = Vec::new();
        for (entries, strings) in [SYMBOLS, DYNAMIC_SYMBOLS].into_iter().filter_map(table) {
            functions.extend(entries.chunks_exact(SYMBOL).filter_map(|entry| function(entry, strings)));
        }
        functions.sort_unstable();
        functions.dedup_by_key(|function| function.address);
        functions
    }
}

fn section<'d>(entry: &[u8]) -> Option<Section<'d>> {
    Some(Section {
        name: b"",
        kind: number(entry, 4, 4)? as u32,
        flags: number(entry, 8, 8)?,
        address: number(entry, 16, 8)?,
        offset: usize::try_from(number(entry, 24, 8)?).ok()?,
        size: usize::try_from(number(entry, 32, 8)?).ok()?,
        link: number(entry, 40, 4)? as usize,
    })
}

fn function<'d>(entry: &[u8], strings: &'d [u8]) -> Option<Function<'d>> {
    /// A function, and one that is chosen when the program starts.
    const CODE: [u8; 2] = [2, 10];
    let is_here = number(entry, 6, 2)? != 0;
    let name = std::str::from_utf8(text_at(strings, number(entry, 0, 4)? as usize)).ok()?;
    let is_code = CODE.contains(&(entry.get(4)? & 0xf));
    (is_code && is_here && !name.is_empty()).then_some(Function {
        address: number(entry, 8, 8)?,
        size: number(entry, 16, 8)?,
        name,
    })
}

fn bytes<'d>(data: &'d [u8], section: &Section) -> Option<&'d [u8]> {
    data.get(section.offset..section.offset.checked_add(section.size)?).filter(|_| section.kind != NO_BITS)
}

/// A text that ends with a zero; empty when it is damaged.
fn text_at(strings: &[u8], at: usize) -> &[u8] {
    let rest = strings.get(at..).unwrap_or_default();
    &rest[..rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len())]
}

/// A number of so many bytes.
fn number(data: &[u8], at: usize, size: usize) -> Option<u64> {
    let bytes = data.get(at..at.checked_add(size)?)?;
    Some(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// This test is a program of its own.
    #[cfg(target_os = "linux")]
    #[test]
    fn a_program_has_its_functions_where_they_are_loaded() {
        let data = std::fs::read(std::env::current_exe().expect("a program")).expect("it can be read");
        let elf = Elf::read(&data).expect("ELF");
        let functions = elf.functions();
        assert!(functions.iter().any(|function| function.name == "main"), "{} functions", functions.len());
        assert!(functions.windows(2).all(|pair| pair[0].address < pair[1].address));
        let text = elf.section(".text").expect("code");
        let place = elf.place(".text").expect("its place");
        assert_eq!(elf.address_of(place.start as u64), Some(text.address));
        assert!(elf.content(".no_such").is_empty() && !elf.content(".eh_frame").is_empty());
    }

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
                    if let Some(elf) = Elf::read(&data[..end]) {
                        assert!(elf.functions().is_empty() && elf.content("").len() <= end);
                        elf.address_of(1);
                    }
                }
            }
        }
    }
}
