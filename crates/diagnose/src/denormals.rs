//! `denormals`: an experiment. In every other round the processor treats denormal numbers as zero; the time that a process saves is their
//! cost.

use crate::differences::{metric_of_operation, Rounds, ROUND};
use crate::watched::{Library, Shared};
use crate::{Cost, Diagnoser, Entry, Findings, Missing, Need, Pass, Signal, Subject, Tools, Work};
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
const LIBRARY: Library = Library { name: NAME, variable: "TARE_DENORMALS", source: include_str!("denormals.c") };

#[derive(Default)]
struct Denormals {
    library: Option<String>,
    pass: Option<Counting>,
}

struct Counting {
    shared: Shared,
    /// With denormals, and with denormals as zero.
    rounds: [Rounds; 2],
}

/// Whether denormal numbers are treated as zero in this iteration.
fn flushes(iteration: u64) -> bool {
    (iteration / ROUND.len() as u64) % 2 == 1
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
        self.library = Some(LIBRARY.build(tools).map_err(missing)?);
        Ok(())
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let child = program.child.as_ref()?;
        let reason = "its runtime sets the processor's mode for denormal numbers itself".to_owned();
        child.compiles_late.then(|| Lack { reason, advice: String::new() })
    }

    fn pass(&self, _: &Artifact) -> Pass {
        Pass { once: true, ..Pass::of(Work::Differences) }
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        let library = self.library.as_ref().ok_or("the library that flushes them was not built")?;
        let (shared, change) = LIBRARY.begin(library, subject, 64)?;
        self.pass = Some(Counting { shared, rounds: Default::default() });
        Ok(change)
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        let Some(pass) = &mut self.pass else { return Ok(()) };
        match signal {
            Signal::Before { part } => pass.shared.want(flushes(part.iteration)),
            Signal::After { part, operations, took } => {
                let rounds = &mut pass.rounds[usize::from(flushes(part.iteration))];
                rounds.add(vec![took.cpu_ns.unwrap_or(took.elapsed_ns)], *operations);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let pass = self.pass.as_mut().ok_or("its pass has not begun")?;
        if pass.shared.works()? != 1 {
            return Err("the program is linked statically, or reads the clock without the C library".to_owned());
        }
        // Others on the machine only add to a time, and may not make one without denormals look short.
        let [kept, flushed] = [pass.rounds[0].least_of_body(0, 0), pass.rounds[1].at_most_of_body(0)]
            .map(|ns| ns.ok_or("one round was measured, and it takes two"));
        let [kept, flushed] = [kept?, flushed?];
        let metrics = [("kept", kept), ("flushed", flushed)];
        let metrics = metrics.map(|(name, ns)| (metric_of_operation(name, "ns"), vec![ns])).to_vec();
        Ok(Findings { metrics, ..Findings::default() })
    }

    fn end(&mut self) {
        self.pass = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Part, Took};

    #[test]
    fn the_same_process_runs_with_them_and_without() {
        let folder = tempfile::tempdir().expect("a folder");
        let shared = Shared::create(Some(folder.path()), NAME, 64).expect("a file");
        let path = shared.path.clone();
        let mut denormals = Denormals { library: None, pass: Some(Counting { shared, rounds: Default::default() }) };
        let part = |at: usize| Part { iteration: at as u64, which: ROUND[at % 4].0, invocations: 10 };
        let rounds = [[1.0, 2.0, 301.0, 602.0], [1.0, 2.0, 101.0, 202.0]];
        for (at, elapsed_ns) in
            [rounds[0], rounds[1], rounds[0].map(|ns| 3.0 * ns), rounds[1]].concat().into_iter().enumerate()
        {
            denormals.signal(&Signal::Before { part: part(at) }).expect("wanted");
            assert_eq!(std::fs::read(&path).expect("a file")[0], u8::from(at / 4 % 2 == 1));
            let took = Took { elapsed_ns, ..Took::default() };
            denormals.signal(&Signal::After { part: part(at), operations: 10.0, took }).expect("taken");
        }
        let why = denormals.findings().expect_err("the library has not answered");
        assert!(why.contains("linked statically"), "{why}");
        let answered = [1_u32, 1].map(u32::to_ne_bytes).concat();
        std::fs::write(&path, [answered, vec![0; 56]].concat()).expect("written");
        let found = denormals.findings().expect("findings").metrics;
        let found: Vec<(&str, f64)> = found.iter().map(|(metric, values)| (metric.name.as_str(), values[0])).collect();
        assert_eq!(found, [("kept", 300.0), ("flushed", 100.0)]);
    }
}
