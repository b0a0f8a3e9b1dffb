//! Source lines and inlined frames of addresses, from DWARF.

use crate::elf::Elf;
use crate::names::{harmless, readable};
use crate::values::{Frame, Place};
use addr2line::{Context, LookupContinuation, LookupResult, SplitDwarfLoad};
use gimli::{Dwarf, DwarfFileType, EndianReader, LittleEndian, Reader as _, SectionId};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns the content of a file, by its path.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Option<Vec<u8>>;

type Bytes = EndianReader<LittleEndian, Arc<[u8]>>;

/// Deeper inlining is cut.
const FRAMES_MAX: usize = 24;

pub(crate) struct Lines<'a> {
    context: Context<Bytes>,
    read_file: ReadFile<'a>,
    program: String,
    /// Missing files of split debug information.
    missing: RefCell<BTreeSet<String>>,
}

impl<'a> Lines<'a> {
    /// The debug information of the program at this path. The error says why there are no lines, for people.
    pub(crate) fn new(elf: &Elf, program: &str, read_file: ReadFile<'a>) -> Result<Lines<'a>, String> {
        if elf.place_of(".debug_info").is_none() {
            return Err("the program has no debug information; build with `-g`".to_owned());
        }
        if elf.section(".debug_info").is_none() {
            return Err("the debug information of the program is compressed; build with `-gz=none`".to_owned());
        }
        let load = |id: SectionId| -> Result<Bytes, gimli::Error> { Ok(bytes(elf.section(id.name()))) };
        let context = Dwarf::load(load).and_then(Context::from_dwarf);
        let context = context.map_err(|error| format!("the debug information of the program is damaged: {error}"))?;
        let program = program.to_owned();
        Ok(Lines { context, read_file, program, missing: RefCell::default() })
    }

    pub(crate) fn place(&self, address: u64) -> Option<Place> {
        // `addr2line` adds one to the address.
        let mut lookup = (address < u64::MAX).then(|| self.context.find_frames(address))?;
        let frames = loop {
            match lookup {
                LookupResult::Output(frames) => break frames,
                LookupResult::Load { load, continuation } => lookup = continuation.resume(self.split(&load)),
            }
        };
        let (mut frames, mut place) = (frames.ok()?, Place::default());
        while let Ok(Some(frame)) = frames.next() {
            let function = frame.function.as_ref().and_then(|name| Some(readable(&name.raw_name().ok()?)));
            let (file, line) = frame.location.map_or((None, None), |at| (at.file, at.line));
            let file = file.map(harmless).unwrap_or_default();
            place.frames.push(Frame { function: function.unwrap_or_default(), file, line: line.unwrap_or(0) });
            if place.frames.len() == FRAMES_MAX {
                break;
            }
        }
        (!place.frames.is_empty()).then_some(place)
    }

    /// Files that were not found.
    pub(crate) fn missing(&self) -> Vec<String> {
        self.missing.borrow().iter().cloned().collect()
    }

    /// Debug information in a separate file, beside the program or where the compiler left it.
    fn split(&self, load: &SplitDwarfLoad<Bytes>) -> Option<Arc<Dwarf<Bytes>>> {
        let text = |bytes: &Option<Bytes>| -> Option<String> {
            Some(String::from_utf8_lossy(&bytes.as_ref()?.to_slice().ok()?).into_owned())
        };
        let (folder, path) = (text(&load.comp_dir).unwrap_or_default(), text(&load.path)?);
        let full = if path.starts_with('/') { path.clone() } else { format!("{folder}/{path}") };
        if let Some(found) = (self.read_file)(&full).and_then(|content| of_object(&content, &load.parent)) {
            return Some(found);
        }
        let package = (self.read_file)(&format!("{}.dwp", self.program));
        if let Some(found) = package.and_then(|content| of_package(&content, load)) {
            return Some(found);
        }
        self.missing.borrow_mut().insert(harmless(&full));
        None
    }
}

fn bytes(section: Option<&[u8]>) -> Bytes {
    EndianReader::new(Arc::from(section.unwrap_or_default()), LittleEndian)
}

fn of_object(content: &[u8], parent: &Dwarf<Bytes>) -> Option<Arc<Dwarf<Bytes>>> {
    let elf = Elf::read(content)?;
    let load =
        |id: SectionId| -> Result<Bytes, gimli::Error> { Ok(bytes(id.dwo_name().and_then(|name| elf.section(name)))) };
    let mut dwarf = Dwarf::load(load).ok()?;
    dwarf.file_type = DwarfFileType::Dwo;
    dwarf.make_dwo(parent);
    Some(Arc::new(dwarf))
}

fn of_package(content: &[u8], load: &SplitDwarfLoad<Bytes>) -> Option<Arc<Dwarf<Bytes>>> {
    let elf = Elf::read(content)?;
    let section =
        |id: SectionId| -> Result<Bytes, gimli::Error> { Ok(bytes(id.dwo_name().and_then(|name| elf.section(name)))) };
    let package = gimli::DwarfPackage::load(section, bytes(None)).ok()?;
    Some(Arc::new(package.find_cu(load.dwo_id, &load.parent).ok()??))
}
