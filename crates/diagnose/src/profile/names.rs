//! The names in all stacks of a process, while it lives.

use super::harness::{self, Frame};
use super::space::{ModuleAddress, Space, Trace};
use super::symbols::{Compiled, Method, Readable, Symbols};
use std::path::{Path, PathBuf};
use tare_model::Stacks;

/// Larger files with the names of compiled code are not read, bytes.
const MAP_MAX: u64 = 256 << 20;

pub(crate) struct Names<'s> {
    space: &'s Space,
    symbols: Symbols<'s>,
    readable: Readable,
}

impl<'s> Names<'s> {
    /// For everything in the traces of a process.
    pub(crate) fn of(pid: u32, space: &'s Space) -> Names<'s> {
        let map = map_of(pid);
        // Anyone may put something else there.
        let is_map = std::fs::symlink_metadata(&map).is_ok_and(|facts| facts.is_file() && facts.len() <= MAP_MAX);
        let text = is_map.then(|| std::fs::read(&map).ok()).flatten().unwrap_or_default();
        let mut symbols = Symbols::of(space.modules(), Compiled::parse(&String::from_utf8_lossy(&text)));
        let places: Vec<ModuleAddress> =
            space.traces().flat_map(|(trace, _)| &trace.addresses).map(|address| space.place(*address)).collect();
        let names: Vec<String> = places
            .into_iter()
            .flat_map(|place| symbols.at(place).iter().map(|named| named.name.clone()).collect::<Vec<_>>())
            .collect();
        let readable = Readable::of(names.iter().map(String::as_str));
        Names { space, symbols, readable }
    }

    /// Whether C++ names stay mangled.
    pub(crate) fn lacks_demangler(&self) -> bool {
        self.readable.lacks_demangler
    }

    /// The file name of the module at a place.
    pub(crate) fn module(&self, place: ModuleAddress) -> Option<&str> {
        place.module.map(|module| self.symbols.module(module))
    }

    /// The method at a place outside of files, as compiled by its runtime.
    pub(crate) fn compiled(&self, place: ModuleAddress) -> Option<Method<'_>> {
        if place.module.is_some() {
            return None;
        }
        self.symbols.compiled(place.address)
    }

    /// What a sample at a place waited for.
    pub(super) fn waited_for(&self, place: ModuleAddress) -> Option<tare_code::Slow> {
        self.symbols.waited_for(place.module?, place.address)
    }

    /// A stack from the body to its leaf.
    pub(crate) fn stack(&mut self, trace: &Trace) -> Vec<String> {
        let mut frames: Vec<Frame> = Vec::new();
        for address in trace.addresses.iter().rev() {
            let place = self.space.place(*address);
            for named in self.symbols.at(place) {
                let inlined = if named.is_inlined { Stacks::INLINED } else { "" };
                let name = format!("{}{inlined}", self.readable.name(&named.name));
                frames.push(Frame::of(name, named.is_tare, place.module));
            }
        }
        // A number that no file has.
        frames.extend(trace.in_kernel.then(|| Frame::of("[kernel]".to_owned(), false, Some(usize::MAX))));
        harness::trimmed(frames, trace.is_cut)
    }
}

/// Where a runtime writes the names of compiled code: in the folder in which `perf` looks, or (old .NET) where `TMPDIR` says.
pub(super) fn map_of(pid: u32) -> PathBuf {
    let name = format!("perf-{pid}.map");
    let usual = Path::new("/tmp").join(&name);
    if usual.symlink_metadata().is_ok() {
        usual
    } else {
        std::env::temp_dir().join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_compiled_code_are_where_perf_looks_whatever_tmpdir_says() {
        let own = std::process::id();
        let usual = PathBuf::from(format!("/tmp/perf-{own}.map"));
        std::fs::write(&usual, "").expect("a file in /tmp");
        let found = map_of(own);
        std::fs::remove_file(&usual).expect("it is there");
        assert_eq!(found, usual);
        assert_eq!(map_of(own).parent(), Some(&*std::env::temp_dir()));
    }
}
