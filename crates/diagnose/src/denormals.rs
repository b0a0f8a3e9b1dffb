//! `denormals`: an experiment. The benchmark runs in a process in which the processor takes denormal numbers for zero: what it takes less time then
//! is what they cost.

use crate::differences::{metric_of_operation, Rounds};
use crate::watched::{Shared, SHARED};
use crate::{Cost, Diagnoser, Entry, Findings, Missing, Need, Signal, Subject, Tools, Work};
use tare_model::{Artifact, Lack, LaunchChange};

pub(crate) const DENORMALS: Entry = Entry {
    name: NAME,
    about: "an experiment: the time of each operation where denormal numbers are taken for zero",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux with glibc on x86-64 or AArch64, for programs that are linked dynamically"),
        Need::Tool("`cc`, `gcc` or `clang`, once for each machine"),
        Need::Language("not a runtime that compiles while the benchmark runs: it sets the processor's mode itself"),
    ],
    metrics: &[],
    topic: "explaining",
    make: || Box::new(Denormals::default()),
};

const NAME: &str = "denormals";
const VARIABLE: &str = "TARE_DENORMALS";
const SOURCE: &str = include_str!("denormals.c");

#[derive(Default)]
struct Denormals {
    library: Option<String>,
    pass: Option<Pass>,
}

/// A pass under way.
struct Pass {
    shared: Shared,
    rounds: Rounds,
}

impl Diagnoser for Denormals {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        let missing = |reason: String| Missing { reason, is_fatal: true };
        if !crate::memory::has_glibc() || !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
            return Err(missing(
                "denormal numbers can only be flushed on Linux with glibc on x86-64 and AArch64".to_owned(),
            ));
        }
        let library = tools.c_library(NAME, &format!("{SHARED}{SOURCE}")).map_err(missing)?;
        self.library = Some(library.display().to_string());
        Ok(())
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let child = program.child.as_ref()?;
        let reason = "its runtime sets the processor's mode for denormal numbers itself".to_owned();
        child.compiles_late.then(|| Lack { reason, advice: String::new() })
    }

    fn work(&self) -> Work {
        Work::Differences
    }

    fn sees_all_at_once(&self, _: &Artifact) -> bool {
        true
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        let library = self.library.clone().ok_or("the library that flushes them was not built")?;
        let shared = Shared::create(subject.folder.as_deref(), NAME, 64)?;
        let environment = [(VARIABLE.to_owned(), shared.path.display().to_string())].into();
        self.pass = Some(Pass { shared, rounds: Rounds::default() });
        Ok(LaunchChange { preload: vec![library], environment, ..LaunchChange::default() })
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        let Some(pass) = &mut self.pass else { return Ok(()) };
        match signal {
            Signal::Before { part } if part.iteration == 0 && pass.shared.works()? != 1 => {
                Err("the program is linked statically, so that no library can be loaded into it".to_owned())
            }
            Signal::After { operations, took, .. } => {
                pass.rounds.add(vec![took.cpu_ns.unwrap_or(took.elapsed_ns)], *operations);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let pass = self.pass.as_ref().ok_or("its pass has not begun")?;
        // Others on the machine only add to a time.
        let least = pass.rounds.least_of_body(0, 0).ok_or("nothing was measured")?;
        Ok(Findings { metrics: vec![(metric_of_operation("flushed", "ns"), vec![least])], ..Findings::default() })
    }

    fn end(&mut self) {
        self.pass = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Part, Took, ROUND};

    #[test]
    fn the_time_of_the_body_is_the_least_of_its_rounds() {
        let folder = tempfile::tempdir().expect("a folder");
        let shared = Shared::create(Some(folder.path()), NAME, 64).expect("a file");
        let mut denormals = Denormals { library: None, pass: Some(Pass { shared, rounds: Rounds::default() }) };
        let part =
            |iteration: usize| Part { iteration: iteration as u64, which: ROUND[iteration % 4].0, invocations: 10 };
        // The library was not loaded.
        let why = denormals.signal(&Signal::Before { part: part(0) }).expect_err("it does not work");
        assert!(why.contains("linked statically"), "{why}");
        for (at, elapsed_ns) in [1.0, 2.0, 101.0, 202.0, 1.0, 2.0, 900.0, 950.0].into_iter().enumerate() {
            let took = Took { elapsed_ns, ..Took::default() };
            denormals.signal(&Signal::After { part: part(at), operations: 10.0, took }).expect("taken");
        }
        let found = denormals.findings().expect("findings");
        assert_eq!((found.metrics[0].0.name.as_str(), &found.metrics[0].1), ("flushed", &vec![100.0]));
    }
}
