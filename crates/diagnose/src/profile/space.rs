//! The memory of a process: the files of its code, and its stacks.

use super::sampler::Sample;
use framehop::{ExplicitModuleSectionInfo, FrameAddress, Module as Unwound, Unwinder};
use std::collections::{BTreeMap, HashMap};
use std::ops::{Deref, Range};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tare_code::elf::Elf;

#[cfg(target_arch = "aarch64")]
use framehop::aarch64::{CacheAarch64 as Cache, UnwindRegsAarch64, UnwinderAarch64 as Native};
#[cfg(not(target_arch = "aarch64"))]
use framehop::x86_64::{CacheX86_64 as Cache, UnwindRegsX86_64, UnwinderX86_64 as Native};

/// Larger files are not read.
const SIZE_MAX: u64 = 512 << 20;
const DEPTH_MAX: usize = 512;

/// A part of the memory with code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Mapping {
    pub range: Range<u64>,
    /// Its offset in the file.
    offset: u64,
    /// Its file, or a name in brackets; empty for memory without a file.
    name: String,
}

/// The code in `/proc/PID/maps`.
pub(super) fn mappings(text: &str) -> Vec<Mapping> {
    let mapping = |line: &str| {
        let mut words = line.splitn(6, ' ');
        let (first, last) = words.next()?.split_once('-')?;
        let is_code = words.next()?.as_bytes().get(2) == Some(&b'x');
        let offset = u64::from_str_radix(words.next()?, 16).ok()?;
        let name = words.nth(2).unwrap_or_default().trim_start().to_owned();
        let range = u64::from_str_radix(first, 16).ok()?..u64::from_str_radix(last, 16).ok()?;
        (is_code && !range.is_empty()).then_some(Mapping { range, offset, name })
    };
    text.lines().filter_map(mapping).collect()
}

/// The content of a file, or a part of it.
#[derive(Clone, Default)]
struct Bytes {
    all: Arc<Vec<u8>>,
    part: Range<usize>,
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        self.all.get(self.part.clone()).unwrap_or_default()
    }
}

/// A file with code of the process.
pub(super) struct Module {
    /// Its path, or its name in brackets.
    pub name: String,
    pub content: Arc<Vec<u8>>,
}

/// The place of an address of the process.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct ModuleAddress {
    /// Index of the module; `None` for code without a file.
    pub module: Option<usize>,
    /// The address as counted in the module's file, or in the process without a module.
    pub address: u64,
}

/// A part of the memory with its module.
struct MappedPart {
    mapping: Mapping,
    module: Option<usize>,
    /// The address in the process that corresponds to 0 in the file.
    base: u64,
}

/// A stack as addresses, from the leaf to the root.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct Trace {
    /// The interrupted leaf, then the calls of its callers.
    pub addresses: Vec<u64>,
    /// The leaf is in the kernel.
    pub in_kernel: bool,
    /// The root was not reached.
    pub is_cut: bool,
}

pub(crate) struct Space {
    pid: u32,
    parts: BTreeMap<u64, MappedPart>,
    modules: Vec<Module>,
    by_name: HashMap<String, Option<usize>>,
    unwinder: Native<Bytes>,
    cache: Cache,
    /// Of the process, and of its forked copies.
    traces: [HashMap<Trace, u64>; 2],
    /// Which other processes are forked copies.
    copies: HashMap<u32, bool>,
    /// Samples of processes that run another program.
    others: u64,
}

impl Space {
    pub(crate) fn of(pid: u32) -> Space {
        Space {
            pid,
            parts: BTreeMap::new(),
            modules: Vec::new(),
            by_name: HashMap::new(),
            unwinder: Native::new(),
            cache: Cache::new(),
            traces: [HashMap::new(), HashMap::new()],
            copies: HashMap::new(),
            others: 0,
        }
    }

    pub(super) fn take(&mut self, sample: &Sample) {
        let is_own = sample.pid == self.pid;
        if !is_own && !self.is_copy(sample.pid) {
            self.others += 1;
            return;
        }
        if self.part(sample.registers.ip).is_none() {
            self.look();
        }
        let trace = self.unwound(sample);
        *self.traces[usize::from(!is_own)].entry(trace).or_default() += 1;
    }

    /// A forked process has the same memory layout as this one.
    fn is_copy(&mut self, pid: u32) -> bool {
        let first =
            |pid: u32| Some(std::fs::read_to_string(format!("/proc/{pid}/maps")).ok()?.lines().next()?.to_owned());
        let own = self.pid;
        *self.copies.entry(pid).or_insert_with(|| first(pid).is_some_and(|line| Some(line) == first(own)))
    }

    /// Index of the traces that count: those of the copies if the process mostly waits for them, else its own.
    fn measured(&self) -> usize {
        let [own, copies] = &self.traces;
        usize::from(copies.values().sum::<u64>() > own.values().sum::<u64>())
    }

    /// Counts a stack that is already unwound.
    pub(crate) fn add(&mut self, trace: Trace, count: u64) {
        *self.traces[0].entry(trace).or_default() += count;
    }

    /// Each stack, with its count.
    pub(super) fn traces(&self) -> impl Iterator<Item = (&Trace, u64)> {
        self.traces[self.measured()].iter().map(|(trace, count)| (trace, *count))
    }

    /// Samples of processes other than those of the stacks.
    pub(super) fn others(&self) -> u64 {
        self.others + self.traces[1 - self.measured()].values().sum::<u64>()
    }

    pub(super) fn modules(&self) -> &[Module] {
        &self.modules
    }

    pub(crate) fn place(&self, address: u64) -> ModuleAddress {
        match self.part(address) {
            Some(MappedPart { module: Some(module), base, .. }) => {
                ModuleAddress { module: Some(*module), address: address.wrapping_sub(*base) }
            }
            _ => ModuleAddress { module: None, address },
        }
    }

    fn part(&self, address: u64) -> Option<&MappedPart> {
        let (_, part) = self.parts.range(..=address).next_back()?;
        part.mapping.range.contains(&address).then_some(part)
    }

    /// Updates the code of the process, which must be alive.
    pub(crate) fn look(&mut self) {
        let text = std::fs::read_to_string(format!("/proc/{}/maps", self.pid)).unwrap_or_default();
        for mapping in mappings(&text) {
            if self.parts.get(&mapping.range.start).is_none_or(|known| known.mapping != mapping) {
                self.map(mapping);
            }
        }
    }

    fn map(&mut self, mapping: Mapping) {
        let module = self.module(&mapping);
        let content = module.and_then(|module| self.modules.get(module)).map(|module| Arc::clone(&module.content));
        let elf = content.as_ref().and_then(|content| Elf::read(content));
        let address = elf.as_ref().and_then(|elf| elf.address_of(mapping.offset));
        let base = mapping.range.start.wrapping_sub(address.unwrap_or(mapping.offset));
        self.unwinder.remove_module(mapping.range.start);
        if let (Some(elf), Some(content)) = (elf, &content) {
            let info = sections(&elf, content);
            self.unwinder.add_module(Unwound::new(mapping.name.clone(), mapping.range.clone(), base, info));
        }
        self.parts.insert(mapping.range.start, MappedPart { mapping, module, base });
    }

    /// The file of a part of the memory, read once.
    fn module(&mut self, mapping: &Mapping) -> Option<usize> {
        let name = &mapping.name;
        // Code compiled by a runtime has no file, or one that no longer has a name.
        if name.is_empty() || name.starts_with("/memfd:") || name.starts_with("[heap") || name.starts_with("[anon") {
            return None;
        }
        if let Some(known) = self.by_name.get(name) {
            return *known;
        }
        let content = if name.starts_with('[') { self.memory(&mapping.range) } else { file(Path::new(name)) };
        self.modules.push(Module { name: name.clone(), content: Arc::new(content.unwrap_or_default()) });
        let at = Some(self.modules.len() - 1);
        self.by_name.insert(name.clone(), at);
        at
    }

    /// What the kernel maps into every process exists only in memory.
    fn memory(&self, range: &Range<u64>) -> Option<Vec<u8>> {
        use std::io::{Read, Seek, SeekFrom};
        let mut memory = std::fs::File::open(format!("/proc/{}/mem", self.pid)).ok()?;
        memory.seek(SeekFrom::Start(range.start)).ok()?;
        let mut content = Vec::new();
        memory.take(range.end - range.start).read_to_end(&mut content).ok()?;
        Some(content)
    }

    fn unwound(&mut self, sample: &Sample) -> Trace {
        let mut trace = Trace { addresses: Vec::new(), in_kernel: sample.in_kernel, is_cut: true };
        let sp = sample.registers.sp;
        let mut read = |address: u64| {
            let at = usize::try_from(address.checked_sub(sp).ok_or(())?).map_err(|_| ())?;
            let word = sample.stack.get(at..at.checked_add(8).ok_or(())?).ok_or(())?;
            Ok(u64::from_le_bytes(word.try_into().map_err(|_| ())?))
        };
        let registers = registers(sample);
        let mut frames = self.unwinder.iter_frames(sample.registers.ip, registers, &mut self.cache, &mut read);
        while trace.addresses.len() < DEPTH_MAX {
            match frames.next() {
                // A return address comes after its call.
                Ok(Some(frame @ FrameAddress::ReturnAddress(_))) => trace.addresses.push(frame.address_for_lookup()),
                Ok(Some(FrameAddress::InstructionPointer(address))) => trace.addresses.push(address),
                Ok(None) => {
                    trace.is_cut = false;
                    break;
                }
                Err(_) => break,
            }
        }
        trace
    }
}

#[cfg(target_arch = "aarch64")]
fn registers(sample: &Sample) -> UnwindRegsAarch64 {
    UnwindRegsAarch64::new(sample.registers.lr, sample.registers.sp, sample.registers.fp)
}

#[cfg(not(target_arch = "aarch64"))]
fn registers(sample: &Sample) -> UnwindRegsX86_64 {
    UnwindRegsX86_64::new(sample.registers.ip, sample.registers.sp, sample.registers.fp)
}

/// Reads a file, unless it is larger than any program.
fn file(path: &Path) -> Option<Vec<u8>> {
    let path = PathBuf::from(path.to_str()?.trim_end_matches(" (deleted)"));
    let is_read = std::fs::metadata(&path).is_ok_and(|facts| facts.is_file() && facts.len() <= SIZE_MAX);
    is_read.then(|| std::fs::read(path).ok())?
}

/// The unwinding information in a file.
fn sections(elf: &Elf, content: &Arc<Vec<u8>>) -> ExplicitModuleSectionInfo<Bytes> {
    let bytes = |name: &str| elf.section_in_file(name).map(|part| Bytes { all: Arc::clone(content), part });
    ExplicitModuleSectionInfo {
        base_svma: 0,
        text_svma: elf.place_of(".text"),
        text: bytes(".text"),
        got_svma: elf.place_of(".got"),
        eh_frame_svma: elf.place_of(".eh_frame"),
        eh_frame: bytes(".eh_frame"),
        eh_frame_hdr_svma: elf.place_of(".eh_frame_hdr"),
        eh_frame_hdr: bytes(".eh_frame_hdr"),
        debug_frame: bytes(".debug_frame"),
        ..ExplicitModuleSectionInfo::default()
    }
}
