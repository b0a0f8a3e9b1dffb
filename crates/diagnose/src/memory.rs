//! `memory`: what an invocation allocates. A counting library is put in front of the C library's allocator; the front end in the child
//! finds it, reports that in `hello`, and reads its counters around each iteration.

use crate::watched::Library;
use crate::{Cost, Diagnoser, Entry, Missing, Need, Pass, Tools, Work};
use tare_model::{Artifact, Lack, LanguageFacts, LaunchChange, Metric};

pub(crate) const MEMORY: Entry = Entry {
    name: NAME,
    about: "allocations, bytes and the peak of each operation, counted exactly",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux with glibc, for programs that do not count their own allocations"),
        Need::Tool("`cc`, `gcc` or `clang`, once for each machine"),
        Need::Language("C, C++, Rust, or a program that declares it"),
    ],
    metrics: &[Metric::ALLOCATIONS, Metric::ALLOCATED_BYTES],
    topic: "memory",
    make: || Box::new(Memory::default()),
};

/// A program that declares this name allocates where the library can see it.
pub(crate) const NAME: &str = "memory";
/// `allocations` shares a file with it, for the allocating stacks.
pub(crate) const LIBRARY: Library =
    Library { name: NAME, variable: "TARE_ALLOCATIONS", source: include_str!("memory.c") };

/// The allocator in front of the C library's.
pub(crate) fn library(tools: &dyn Tools) -> Result<String, String> {
    if !has_glibc() {
        return Err("an allocator can be loaded before a program only on Linux with glibc".to_owned());
    }
    LIBRARY.build(tools)
}

#[derive(Default)]
struct Memory {
    library: Option<String>,
}

impl Diagnoser for Memory {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        self.library = Some(library(tools).map_err(|reason| Missing { reason, is_fatal: false })?);
        Ok(())
    }

    fn listing(&self) -> LaunchChange {
        LaunchChange { preload: self.library.iter().cloned().collect(), ..LaunchChange::default() }
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let language = program.child.as_ref().map_or("", |child| child.language.as_str());
        let advice = LanguageFacts::of_any(language).counting.to_owned();
        let counted = |metric: &str| metric == Metric::ALLOCATED_BYTES;
        let counts = program.child.as_ref().is_some_and(|child| child.metrics.iter().any(|m| counted(&m.name)));
        let reason = if counts {
            "what it allocates is counted with the times, as `bytes/op`, unless every iteration collects garbage"
        } else {
            ""
        };
        (!program.declares(NAME)).then(|| Lack { reason: reason.to_owned(), advice })
    }

    fn pass(&self, _: &Artifact) -> Pass {
        Pass::of(Work::Diagnose)
    }
}

/// Whether programs on this machine use glibc. A static host, built for musl, also runs on machines with glibc.
pub(crate) fn has_glibc() -> bool {
    const LOADERS: [&str; 2] = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];
    let has_loader = || LOADERS.iter().any(|path| std::path::Path::new(path).exists());
    cfg!(target_os = "linux") && (cfg!(target_env = "gnu") || has_loader())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;
    use tare_model::{ChildFacts, Diagnoser as Facts};

    struct NoCompiler;

    impl Tools for NoCompiler {
        fn c_library(&self, _: &str, _: &str) -> Result<PathBuf, String> {
            Err("there is no C compiler (`cc`) to build it with".to_owned())
        }

        fn program(&self, _: &str) -> Result<(), String> {
            Ok(())
        }
    }

    #[test]
    fn a_missing_compiler_is_named_and_a_program_that_counts_by_itself_is_still_looked_at() {
        let mut memory = Memory::default();
        let missing = memory.prepare(&NoCompiler).expect_err("no compiler");
        assert!(!missing.is_fatal && !missing.reason.is_empty());
        assert!(memory.listing().is_empty());
        let child = |language: &str, names: &[&str]| {
            let named = |name: &&str| Facts { name: (*name).to_owned(), ..Facts::default() };
            let diagnosers = names.iter().map(named).collect();
            Artifact {
                child: Some(ChildFacts { language: language.to_owned(), diagnosers, ..ChildFacts::default() }),
                ..Artifact::default()
            }
        };
        assert_eq!(memory.lacks(&child("python", &["memory"])), None);
        let lack = memory.lacks(&child("rust", &[])).expect("it counts nothing");
        assert!(lack.advice.contains("`tare::allocator!(mimalloc::MiMalloc);` instead of"), "{}", lack.advice);
        assert_eq!(memory.lacks(&child("c", &[])).expect("it counts nothing").advice, "");
    }
}
