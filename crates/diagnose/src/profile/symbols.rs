//! Names of addresses: from debug information including inlined functions, from the symbol table, from the runtime that compiled the code,
//! or at least the place of the function.

use super::harness;
use super::space::{Module, ModuleAddress};
use addr2line::Context;
use gimli::{BaseAddresses, Dwarf, EhFrame, EndianSlice, LittleEndian, UnwindSection};
use std::collections::{BTreeMap, HashMap};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use tare_code::elf::{Elf, Function};
use tare_code::{slow, Slow};

type Slice<'d> = EndianSlice<'d, LittleEndian>;

/// Programs that demangle C++ names; the first available one is used.
const DEMANGLERS: [&str; 2] = ["c++filt", "llvm-cxxfilt"];

/// A function at an address, by its name in the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamedFunction {
    pub name: String,
    /// It is inlined into the one before it.
    pub is_inlined: bool,
    /// Its source file belongs to a front end.
    pub is_tare: bool,
}

impl NamedFunction {
    fn plain(name: String) -> NamedFunction {
        NamedFunction { name, is_inlined: false, is_tare: false }
    }
}

pub(super) struct Symbols<'m> {
    modules: Vec<SymbolFile<'m>>,
    compiled: Compiled,
    found: HashMap<ModuleAddress, Vec<NamedFunction>>,
}

/// A file and its symbols.
struct SymbolFile<'m> {
    name: String,
    elf: Option<Elf<'m>>,
    functions: Vec<Function<'m>>,
    lines: Option<Context<Slice<'m>>>,
}

impl<'m> Symbols<'m> {
    pub(super) fn of(modules: &'m [Module], compiled: Compiled) -> Symbols<'m> {
        let modules = modules.iter().map(SymbolFile::of).collect();
        Symbols { modules, compiled, found: HashMap::new() }
    }

    /// The functions at an address, outermost first, including inlined ones.
    pub(super) fn at(&mut self, place: ModuleAddress) -> &[NamedFunction] {
        let (modules, compiled) = (&self.modules, &self.compiled);
        self.found.entry(place).or_insert_with(|| match place.module.and_then(|module| modules.get(module)) {
            Some(module) => module.at(place.address),
            None => {
                vec![NamedFunction::plain(compiled.at(place.address).map_or("[unknown code]", |of| of.name).to_owned())]
            }
        })
    }

    /// The method at an address outside of files.
    pub(super) fn compiled(&self, address: u64) -> Option<Method<'_>> {
        self.compiled.at(address)
    }

    /// What a sample at an address of a module waited for.
    pub(super) fn waited_for(&self, module: usize, address: u64) -> Option<Slow> {
        let module = self.modules.get(module)?;
        let (elf, start) = (module.elf.as_ref()?, module.function(address)?.address);
        let (before, after) = elf.from(start)?.bytes.split_at_checked(usize::try_from(address - start).ok()?)?;
        slow(elf.machine, before, after)
    }

    pub(super) fn module(&self, at: usize) -> &str {
        self.modules.get(at).map_or("", |module| module.name.as_str())
    }
}

impl<'m> SymbolFile<'m> {
    fn of(module: &'m Module) -> SymbolFile<'m> {
        let elf = Elf::read(&module.content);
        let functions = elf.as_ref().map(Elf::functions_in_order).unwrap_or_default();
        let lines = elf.as_ref().filter(|elf| elf.section(".debug_info").is_some()).and_then(|elf| {
            let load = |id: gimli::SectionId| -> Result<Slice<'m>, gimli::Error> {
                Ok(EndianSlice::new(elf.section(id.name()).unwrap_or_default(), LittleEndian))
            };
            Context::from_dwarf(Dwarf::load(load).ok()?).ok()
        });
        let name = module.name.trim_end_matches(" (deleted)").rsplit('/').next().unwrap_or_default().to_owned();
        SymbolFile { name, elf, functions, lines }
    }

    fn at(&self, address: u64) -> Vec<NamedFunction> {
        let inlined = self.by_lines(address);
        if !inlined.is_empty() {
            return inlined;
        }
        let name = self.function(address).map(|function| function.name.to_owned());
        vec![NamedFunction::plain(name.unwrap_or_else(|| self.place(address)))]
    }

    /// The functions in debug information. The outermost takes its name from the symbol table, as debug information may have only a part of
    /// it.
    fn by_lines(&self, address: u64) -> Vec<NamedFunction> {
        // `addr2line` adds one to the address.
        let Some(lines) = self.lines.as_ref().filter(|_| address < u64::MAX) else { return Vec::new() };
        let Ok(mut frames) = lines.find_frames(address).skip_all_loads() else { return Vec::new() };
        let mut names = Vec::new();
        while let Ok(Some(frame)) = frames.next() {
            let Some(name) = frame.function.as_ref().and_then(|function| function.raw_name().ok()) else { break };
            let is_tare = frame.location.and_then(|location| location.file).is_some_and(harness::is_file);
            names.push(NamedFunction { name: name.into_owned(), is_inlined: true, is_tare });
        }
        names.reverse();
        if let Some(first) = names.first_mut() {
            first.is_inlined = false;
            if let Some(function) = self.function(address) {
                function.name.clone_into(&mut first.name);
            }
        }
        names
    }

    fn function(&self, address: u64) -> Option<&Function<'m>> {
        let after = self.functions.partition_point(|function| function.address <= address);
        let function = self.functions.get(after.checked_sub(1)?)?;
        (function.size == 0 || address - function.address < function.size).then_some(function)
    }

    /// Where the function begins, from the unwinding information, which survives stripping.
    fn place(&self, address: u64) -> String {
        let start = self.elf.as_ref().and_then(|elf| {
            let frames = EhFrame::new(elf.section(".eh_frame")?, LittleEndian);
            let text = elf.place_of(".text").map_or(0, |text| text.start);
            let bases = BaseAddresses::default().set_eh_frame(elf.place_of(".eh_frame")?.start).set_text(text);
            Some(frames.fde_for_address(&bases, address, EhFrame::cie_from_offset).ok()?.initial_address())
        });
        match start {
            Some(start) => format!("{}+{start:#x}", self.name),
            None if self.name.starts_with('[') => self.name.clone(),
            None => format!("[{}]", self.name),
        }
    }
}

/// Code that a runtime compiled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Method<'c> {
    pub name: &'c str,
    pub start: u64,
    /// Its size, bytes.
    pub size: u64,
}

/// The code that a runtime compiled, from the file `perf-PID.map` that it writes on request.
#[derive(Debug, Default)]
pub(super) struct Compiled {
    by_start: BTreeMap<u64, (u64, String)>,
}

impl Compiled {
    /// `START SIZE name`, hexadecimal. Later compilations count.
    pub(super) fn parse(text: &str) -> Compiled {
        let one = |line: &str| {
            let mut words = line.splitn(3, ' ');
            let start = u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok()?;
            let size = u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok()?;
            Some((start, (start.checked_add(size)?, words.next()?.trim().to_owned())))
        };
        Compiled { by_start: text.lines().filter_map(one).collect() }
    }

    fn at(&self, address: u64) -> Option<Method<'_>> {
        let (start, (end, name)) = self.by_start.range(..=address).next_back()?;
        (address < *end).then_some(Method { name, start: *start, size: end - start })
    }
}

/// Demangled names.
#[derive(Debug, Default)]
pub(super) struct Readable {
    by_mangled: HashMap<String, String>,
    /// C++ names stay mangled, as no program here can read them.
    pub lacks_demangler: bool,
}

impl Readable {
    /// Reads all at once.
    pub(super) fn of<'n>(names: impl Iterator<Item = &'n str>) -> Readable {
        let mut readable = Readable::default();
        let mut of_cpp: Vec<&str> = Vec::new();
        for name in names {
            match rustc_demangle::try_demangle(name) {
                Ok(read) => {
                    readable.by_mangled.insert(name.to_owned(), format!("{read:#}"));
                }
                Err(_) if name.starts_with("_Z") => of_cpp.push(name),
                Err(_) => {}
            }
        }
        of_cpp.sort_unstable();
        of_cpp.dedup();
        if of_cpp.is_empty() {
            return readable;
        }
        match DEMANGLERS.iter().find_map(|program| demangled(program, &of_cpp)) {
            Some(read) => readable.by_mangled.extend(of_cpp.into_iter().map(str::to_owned).zip(read)),
            None => readable.lacks_demangler = true,
        }
        readable
    }

    pub(super) fn name<'n>(&'n self, name: &'n str) -> &'n str {
        self.by_mangled.get(name).map_or(name, String::as_str)
    }
}

/// The names as a program demangles them, one per line; `None` if it is missing or fails.
fn demangled(program: &str, names: &[&str]) -> Option<Vec<String>> {
    let mut command = Command::new(program);
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()?;
    let (mut to, mut from) = (child.stdin.take()?, child.stdout.take()?);
    let lines = names.join("\n") + "\n";
    // It writes replies before it has read all input.
    let writer = std::thread::spawn(move || to.write_all(lines.as_bytes()));
    let mut text = String::new();
    let is_read = from.read_to_string(&mut text).is_ok();
    let is_written = writer.join().is_ok_and(|written| written.is_ok());
    let is_done = child.wait().is_ok_and(|status| status.success());
    let read: Vec<String> = text.lines().map(str::to_owned).collect();
    (is_read && is_written && is_done && read.len() == names.len()).then_some(read)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_code_of_a_runtime_has_the_address() {
        let text = "7f00 20 int32 [app] Bench::Heavy(int32)[Tier0]\n0x8000 10 stub\n7f00 10 new\nbroken\nzz 1 x\n";
        let compiled = Compiled::parse(text);
        let name = |address| compiled.at(address).map(|method| method.name);
        assert_eq!((name(0x7f0f), name(0x7f10), name(0x800f)), (Some("new"), None, Some("stub")));
        assert_eq!((name(0), name(u64::MAX)), (None, None));
        assert_eq!(compiled.at(0x7f0f), Some(Method { name: "new", start: 0x7f00, size: 0x10 }));
    }

    #[test]
    fn names_of_rust_are_read_here() {
        let names = ["_ZN3two5heavy17h0123456789abcdefE", "_RNvCs1234_7mycrate3foo", "plain", "_start"];
        let readable = Readable::of(names.into_iter());
        assert_eq!(names.map(|name| readable.name(name)), ["two::heavy", "mycrate::foo", "plain", "_start"]);
        assert!(!readable.lacks_demangler);
        assert_eq!(demangled("no-such-demangler", &["_Z1fv"]), None);
    }
}
