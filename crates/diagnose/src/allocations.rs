//! `allocations`: who allocates. The counting library of `memory` records each allocating call stack with its count and bytes; names are
//! resolved while the process lives.

mod late;

use crate::differences::Rounds;
use crate::events;
use crate::memory;
use crate::profile::{Names, Space, Trace};
use crate::watched::Shared;
use crate::{Belongs, Cost, Diagnoser, Entry, File, Findings, Missing, Need, Pass, Signal, Subject, Tools, Work};
use late::Late;
use tare_model::{Artifact, Lack, LaunchChange, Maker, Remark, Stacks, Weight};

pub(crate) const ALLOCATIONS: Entry = Entry {
    name: NAME,
    about: "which functions allocate how much in each operation, as a table and as a flame graph, counted exactly",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux with glibc on x86-64 or AArch64, for programs that allocate with the C library"),
        Need::Tool("`cc`, `gcc` or `clang`, once for each machine"),
        Need::Language("C, C++, Rust; .NET 5 and later, sampled, on any system and without a compiler"),
    ],
    metrics: &[],
    topic: "memory",
    make: || Box::new(Allocations::default()),
};

const NAME: &str = "allocations";
/// The file with the allocating stacks, weighted by bytes.
const BYTES: &str = "allocated-bytes.folded";
/// Most invocations of an iteration: unwinding a stack takes microseconds.
const INVOCATIONS_MAX: u64 = 100;

/// Layout of the shared file, as in the library: 64-bit numbers; a site has its hash, blocks, bytes, depth and callers.
const USED: u64 = 8;
const LOST: u64 = 12;
const SITES: u64 = 16;
const DEPTH: usize = 120;
const SITE: usize = 4 + DEPTH;
const SITES_MAX: usize = 8192;
/// Number of counts per site.
const COUNTED: usize = 2;

#[derive(Default)]
struct Allocations {
    library: Option<String>,
    pass: Option<Ongoing>,
    /// A pass over a program whose runtime reports allocations.
    late: Option<Late>,
}

struct Ongoing {
    pid: u32,
    library: String,
    shared: Shared,
    /// Blocks and bytes of each site so far.
    before: Vec<u64>,
    rounds: Rounds,
    found: Option<Sites>,
}

#[derive(Debug, Default)]
struct Sites {
    blocks: Stacks,
    bytes: Stacks,
    /// Allocations of stacks for which there was no room.
    lost: u64,
}

impl Diagnoser for Allocations {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        // A runtime reports allocations in any case.
        self.library = Some(memory::library(tools).map_err(|reason| Missing { reason, is_fatal: false })?);
        Ok(())
    }

    fn listing(&self) -> LaunchChange {
        LaunchChange { preload: self.library.iter().cloned().collect(), ..LaunchChange::default() }
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        if let Some(lack) = events::lacks(program) {
            return lack;
        }
        let is_late = program.child.as_ref().is_some_and(|child| child.compiles_late);
        let reason = match (is_late, program.declares(memory::NAME)) {
            (false, true) if self.library.is_some() => return None,
            // The machine lacks something.
            (false, _) if self.library.is_none() => String::new(),
            (true, _) => format!("`{}` is compiled while it runs, so that its stacks have no names", program.name),
            (false, _) => {
                format!("`{}` does not allocate where it can be seen, as with `--diagnose memory`", program.name)
            }
        };
        Some(Lack { reason, advice: String::new() })
    }

    fn pass(&self, program: &Artifact) -> Pass {
        match events::are_told(program) {
            // Sampling takes some time.
            true => Pass { invocations_max: u64::MAX, ..Pass::of(Work::Steady) },
            false => Pass { once: true, invocations_max: INVOCATIONS_MAX, ..Pass::of(Work::Differences) },
        }
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        (self.pass, self.late) = (None, Late::of(subject)?);
        if let Some(late) = &self.late {
            return Ok(late.change());
        }
        let path = self.library.as_deref().ok_or("the library that counts them was not built")?;
        let (shared, change) = memory::LIBRARY.begin(path, subject, SITES + 8 * (SITES_MAX * SITE) as u64)?;
        let library = path.rsplit('/').next().unwrap_or_default().to_owned();
        let (before, rounds) = (Vec::new(), Rounds::default());
        self.pass = Some(Ongoing { pid: 0, library, shared, before, rounds, found: None });
        Ok(change)
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        if let Some(late) = &mut self.late {
            late.signal(signal);
        }
        let Some(pass) = &mut self.pass else { return Ok(()) };
        match signal {
            Signal::Started { pid } => pass.pid = *pid,
            Signal::Before { .. } => pass.start()?,
            Signal::After { operations, .. } => pass.stop(*operations)?,
            Signal::Measured => pass.found = Some(pass.named()?),
            _ => {}
        }
        Ok(())
    }

    fn findings(&mut self) -> Result<Findings, String> {
        if let Some(late) = &self.late {
            return late.findings();
        }
        let pass = self.pass.as_mut().ok_or("its pass has not begun")?;
        let found = pass.found.take().ok_or("its process did not come to its end")?;
        let operations = pass.rounds.operations() as u64;
        let file = |weight: Weight, name: &str, title: &str, stacks: &Stacks| {
            folded(stacks, (weight, operations), name, format!("{title}, counted in {operations} operations"))
        };
        let mut remarks = Vec::new();
        if found.lost > 0 {
            remarks.push(note(format!("{} allocations of rare stacks are left out: there are too many", found.lost)));
        }
        if found.blocks.is_empty() {
            let text = "it allocates nothing, or not through the C library";
            return Ok(Findings { remarks: vec![note(text.to_owned())], ..Findings::default() });
        }
        let files = vec![
            file(Weight::Bytes, BYTES, "allocated bytes", &found.bytes),
            file(Weight::Allocations, "allocations.folded", "allocations", &found.blocks),
        ];
        Ok(Findings { files, remarks, ..Findings::default() })
    }

    fn end(&mut self) {
        (self.pass, self.late) = (None, None);
    }
}

/// The file with the stacks that allocated this weight in this many operations.
fn folded(stacks: &Stacks, (weight, operations): (Weight, u64), name: &str, title: String) -> File {
    File {
        of: Belongs::Case,
        name: name.to_owned(),
        title,
        media_type: Stacks::media_type(weight, operations),
        maker: Maker::Tare,
        content: Ok(stacks.to_text().into_bytes()),
    }
}

fn note(text: String) -> Remark {
    Remark { is_warning: false, text, advice: String::new() }
}

impl Ongoing {
    fn start(&mut self) -> Result<(), String> {
        match self.shared.works()? {
            1 => self.shared.want(true),
            0 => {
                Err("the program is linked statically, so that no allocator can be put in front of its own".to_owned())
            }
            _ => Err("the program brings an allocator of its own, which no other can be put in front of".to_owned()),
        }
    }

    fn stop(&mut self, operations: f64) -> Result<(), String> {
        self.shared.want(false)?;
        let mut now = Vec::new();
        for site in 0..self.used()? {
            now.extend(self.shared.numbers(SITES + 8 * (site * SITE + 1) as u64, COUNTED)?);
        }
        self.rounds.add_grown(&self.before, &now, operations);
        self.before = now;
        Ok(())
    }

    fn used(&mut self) -> Result<usize, String> {
        Ok((self.shared.number(USED)? as usize).min(SITES_MAX))
    }

    /// Names the stacks of the body's allocations.
    fn named(&mut self) -> Result<Sites, String> {
        let used = self.used()?;
        let mut space = Space::of(self.pid);
        space.look();
        let mut sites: Vec<(Trace, [u64; COUNTED])> = Vec::new();
        for site in 0..used {
            let counted = [0, 1].map(|at| self.rounds.of_body(COUNTED * site + at).iter().sum::<f64>().round() as u64);
            if counted[0] == 0 {
                continue;
            }
            let numbers = self.shared.numbers(SITES + 8 * (site * SITE) as u64, SITE)?;
            let depth = (numbers[3] as usize).min(DEPTH);
            // A return address comes after its call.
            let callers = numbers[4..4 + depth].iter().map(|address| address.saturating_sub(1)).collect();
            let trace = Trace { addresses: callers, in_kernel: false, is_cut: depth == DEPTH };
            space.add(trace.clone(), counted[0]);
            sites.push((trace, counted));
        }
        let mut found = Sites { lost: u64::from(self.shared.number(LOST)?), ..Sites::default() };
        let mut names = Names::of(self.pid, &space);
        for (mut trace, [blocks, bytes]) in sites {
            // Skips the library's own frames.
            let is_own = |address: &u64| names.module(space.place(*address)) == Some(self.library.as_str());
            let own = trace.addresses.iter().take_while(|address| is_own(address)).count();
            trace.addresses.drain(..own);
            let stack = who(names.stack(&trace));
            found.blocks.add(stack.clone(), blocks);
            found.bytes.add(stack, bytes);
        }
        Ok(found)
    }
}

/// Drops allocating functions from the end of a stack, so that the last frame is the one that wants the memory.
fn who(mut stack: Vec<String>) -> Vec<String> {
    while stack.len() > 1 && stack.last().is_some_and(|name| is_allocator(name)) {
        stack.pop();
    }
    stack
}

/// Functions of C++ and Rust that allocate on behalf of their callers.
fn is_allocator(name: &str) -> bool {
    const PREFIXES: [&str; 13] = [
        "operator new",
        "std::allocator",
        "std::__new_allocator",
        "__gnu_cxx::new_allocator",
        "std::_Vector_base",
        "__rust_alloc",
        "__rust_realloc",
        "__rdl_",
        "__rustc::__r",
        "alloc::alloc::",
        "alloc::raw_vec::",
        "alloc::boxed::Box",
        "std::sys::alloc::",
    ];
    let own = name.trim_end_matches(Stacks::INLINED).trim_start_matches('<');
    PREFIXES.iter().any(|prefix| own.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_frame_is_who_wants_the_memory() {
        let who = |stack: &str| who(stack.split(';').map(str::to_owned).collect()).join(";");
        let cases = [
            ("body;fill(int);operator new(unsigned long)", "body;fill(int)"),
            (
                "f;std::vector<int>::_M_realloc_insert;std::__new_allocator<int>::allocate(unsigned long)_[i];operator new(unsigned long)",
                "f;std::vector<int>::_M_realloc_insert",
            ),
            ("two::f;alloc::alloc::exchange_malloc_[i];__rust_alloc", "two::f"),
            ("two::f;<alloc::raw_vec::RawVec<T> as x>::grow;__rdl_alloc", "two::f"),
            // At least one frame stays.
            ("operator new(unsigned long)", "operator new(unsigned long)"),
        ];
        for (stack, own) in cases {
            assert_eq!(who(stack), own);
        }
    }
}
