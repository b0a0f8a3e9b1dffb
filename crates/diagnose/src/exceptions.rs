//! `exceptions`: how many exceptions an operation throws. Runtimes that count them say so themselves; for C++ a library stands in front of the
//! function that throws.

use crate::differences::of_body;
use crate::watched::{Shared, SHARED};
use crate::{Cost, Diagnoser, Entry, Findings, Missing, Need, Signal, Subject, Tools, Work};
use tare_model::{Artifact, Better, Lack, LaunchChange, Metric, Per};

pub(crate) const EXCEPTIONS: Entry = Entry {
    name: NAME,
    about: "exceptions that an operation throws, those that are caught included",
    cost: Cost::Pass,
    needs: &[
        Need::System("for C++, Linux with glibc, and the C++ runtime as a shared library"),
        Need::Tool("for C++, `cc`, `gcc` or `clang`, once for each machine"),
        Need::Language("C++, .NET, or a program that declares it"),
    ],
    metrics: &[],
    topic: "threads",
    make: || Box::new(Exceptions::default()),
};

const NAME: &str = "exceptions";
const VARIABLE: &str = "TARE_EXCEPTIONS";
const SOURCE: &str = include_str!("exceptions.c");
/// Where the library counts.
const THROWN: u64 = 8;

#[derive(Default)]
struct Exceptions {
    library: Option<String>,
    pass: Option<Pass>,
}

/// A pass under way.
struct Pass {
    shared: Shared,
    before: u64,
    /// What was thrown in each loop of each round.
    counts: Vec<[f64; 1]>,
}

impl Diagnoser for Exceptions {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        let missing = |reason: String| Missing { reason, is_fatal: false };
        if !cfg!(all(target_os = "linux", target_env = "gnu")) {
            return Err(missing("exceptions of C++ can only be counted on Linux with glibc".to_owned()));
        }
        let source = format!("{SHARED}{SOURCE}");
        self.library = Some(tools.c_library(NAME, &source).map_err(missing)?.display().to_string());
        Ok(())
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let child = program.child.as_ref()?;
        if program.declares(NAME) || self.library.is_some() && !child.compiles_late {
            return None;
        }
        let reason = match child.compiles_late {
            true => String::new(),
            false => "there is no C compiler for the library that counts them".to_owned(),
        };
        Some(Lack { reason, advice: String::new() })
    }

    fn work(&self) -> Work {
        Work::Differences
    }

    fn work_on(&self, program: &Artifact) -> Work {
        if program.declares(NAME) {
            Work::Diagnose
        } else {
            self.work()
        }
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        self.pass = None;
        let Some(library) = &self.library else { return Ok(LaunchChange::default()) };
        let shared = Shared::create(subject.folder.as_deref(), NAME, 64)?;
        let environment = [(VARIABLE.to_owned(), shared.path.display().to_string())].into();
        self.pass = Some(Pass { shared, before: 0, counts: Vec::new() });
        Ok(LaunchChange { preload: vec![library.clone()], environment, ..LaunchChange::default() })
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
            Signal::After { .. } => {
                pass.shared.want(false)?;
                let thrown = pass.thrown()?.saturating_sub(pass.before);
                pass.counts.push([thrown as f64]);
            }
            _ => {}
        }
        Ok(())
    }

    fn findings(&mut self) -> Result<Findings, String> {
        // A program that declares it has said it already.
        let Some(pass) = self.pass.as_ref().filter(|pass| !pass.counts.is_empty()) else {
            return Ok(Findings::default());
        };
        let metric =
            Metric { name: "thrown".to_owned(), better: Better::Lower, per: Per::Operation, ..Metric::default() };
        Ok(Findings { metrics: vec![(metric, of_body(&pass.counts, 0))], ..Findings::default() })
    }

    fn end(&mut self) {
        self.pass = None;
    }
}

impl Pass {
    fn thrown(&mut self) -> Result<u64, String> {
        Ok(self.shared.numbers(THROWN, 1)?.first().copied().unwrap_or_default())
    }
}

/// Why the library sees nothing.
fn works(says: u32) -> Result<(), String> {
    match says {
        1 => Ok(()),
        0 => Err("the program is linked statically, so that no library can count its exceptions".to_owned()),
        _ => Err("the program does not load the C++ runtime: it throws no C++ exceptions, or is linked with `-static-libstdc++`".to_owned()),
    }
}
