//! `exceptions`: exceptions or panics per operation. Runtimes that count them report that themselves; for C++ and Rust, a library
//! intercepts the function that unwinds the stack.

use crate::differences::{metric_of_operation, Rounds};
use crate::watched::{Library, Shared};
use crate::{Cost, Diagnoser, Entry, Findings, Missing, Need, Pass, Signal, Subject, Tools, Work};
use tare_model::{Artifact, Lack, LanguageFacts, LaunchChange};

pub(crate) const EXCEPTIONS: Entry = Entry {
    name: NAME,
    about: "exceptions that an operation throws and panics of Rust, those that are caught included",
    cost: Cost::Pass,
    needs: &[
        Need::System("for C++ and Rust, Linux with glibc, and `libgcc_s` as a shared library"),
        Need::Tool("for C++ and Rust, `cc`, `gcc` or `clang`, once for each machine"),
        Need::Language("C++, Rust, .NET, Java with the Flight Recorder, Python, or a program that declares it"),
    ],
    metrics: &[],
    topic: "threads",
    make: || Box::new(Exceptions::default()),
};

const NAME: &str = "exceptions";
const LIBRARY: Library = Library { name: NAME, variable: "TARE_EXCEPTIONS", source: include_str!("exceptions.c") };
/// Offset of the library's counter.
const THROWN: u64 = 8;

#[derive(Default)]
struct Exceptions {
    library: Option<String>,
    pass: Option<Counting>,
}

struct Counting {
    shared: Shared,
    before: u64,
    rounds: Rounds,
}

impl Diagnoser for Exceptions {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        let missing = |reason: String| Missing { reason, is_fatal: false };
        if !crate::memory::has_glibc() {
            return Err(missing(
                "exceptions of C++ and panics of Rust can only be counted on Linux with glibc".to_owned(),
            ));
        }
        self.library = Some(LIBRARY.build(tools).map_err(missing)?);
        Ok(())
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let child = program.child.as_ref()?;
        let unwinds = LanguageFacts::of_any(&child.language).unwinds;
        if program.declares(NAME) || self.library.is_some() && unwinds {
            return None;
        }
        let reason = match unwinds {
            true => "there is no C compiler for the library that counts them".to_owned(),
            false => "neither its front end nor its runtime counts them".to_owned(),
        };
        Some(Lack { reason, advice: String::new() })
    }

    fn pass(&self, program: &Artifact) -> Pass {
        Pass::of(if program.declares(NAME) { Work::Diagnose } else { Work::Differences })
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        self.pass = None;
        let Some(library) = &self.library else { return Ok(LaunchChange::default()) };
        let (shared, change) = LIBRARY.begin(library, subject, 64)?;
        self.pass = Some(Counting { shared, before: 0, rounds: Rounds::default() });
        Ok(change)
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        let Some(pass) = &mut self.pass else { return Ok(()) };
        match signal {
            Signal::Before { part } => {
                if part.iteration == 0 {
                    works(pass.shared.works()?)?;
                }
                pass.before = pass.thrown()?;
                pass.shared.want(true)?;
            }
            Signal::After { operations, .. } => {
                pass.shared.want(false)?;
                let thrown = pass.thrown()?;
                pass.rounds.add_grown(&[pass.before], &[thrown], *operations);
            }
            _ => {}
        }
        Ok(())
    }

    fn findings(&mut self) -> Result<Findings, String> {
        // A program that declares it has already reported it.
        let Some(pass) = self.pass.as_ref().filter(|pass| !pass.rounds.is_empty()) else {
            return Ok(Findings::default());
        };
        let metrics = vec![(metric_of_operation("thrown", ""), pass.rounds.of_body(0))];
        Ok(Findings { metrics, ..Findings::default() })
    }

    fn end(&mut self) {
        self.pass = None;
    }
}

impl Counting {
    fn thrown(&mut self) -> Result<u64, String> {
        Ok(self.shared.numbers(THROWN, 1)?.first().copied().unwrap_or_default())
    }
}

/// Why the library sees nothing.
fn works(says: u32) -> Result<(), String> {
    match says {
        1 => Ok(()),
        0 => Err("the program is linked statically, so that no library can count its exceptions".to_owned()),
        _ => {
            Err("the program does not load `libgcc_s`: it throws nothing, or is linked with `-static-libgcc`"
                .to_owned())
        }
    }
}
