//! `instructions`: what the body executes, counted by valgrind's callgrind, which simulates a processor. The same program gives the same
//! number each time, however busy the machine is. The front end tells callgrind where a measuring loop begins and ends; what surrounds the
//! body cancels out in the differences of a loop and one of twice the length.

mod callgrind;

use crate::differences::{metric_of_operation, Rounds};
use crate::{Cost, Diagnoser, Entry, Findings, Missing, Need, Part, Signal, Subject, Tools, Work};
use callgrind::METRICS;
use std::path::PathBuf;
use tare_model::{Artifact, Failure, Lack, LaunchChange, Loop, Metric, Remark};

pub(crate) const INSTRUCTIONS: Entry = Entry {
    name: NAME,
    about: "instructions, branches and cache misses of each operation, counted in a simulated processor",
    cost: Cost::Tool,
    needs: &[
        Need::System("Linux on x86-64 or AArch64"),
        Need::Tool("`valgrind`"),
        Need::Language("C, C++, Rust, or a front end with the capability `callgrind`"),
    ],
    metrics: &[
        Metric::INSTRUCTIONS,
        "instructions/branches",
        "instructions/mispredicted",
        "instructions/indirect_branches",
        "instructions/memory_accesses",
        "instructions/l1_misses",
        "instructions/last_level_misses",
    ],
    topic: "instructions",
    make: || Box::new(Instructions::default()),
};

const NAME: &str = "instructions";
/// The capability of a child that tells callgrind where its loops begin and end, and the variable that asks for it.
const CAPABILITY: &str = "callgrind";
const VARIABLE: &str = "TARE_CALLGRIND";
/// The caches that are simulated, in bytes, ways and bytes of a line: the same on every machine.
const CACHES: [&str; 3] = ["--I1=32768,8,64", "--D1=32768,8,64", "--LL=8388608,16,64"];
const CACHES_TEXT: &str = "caches of 32 KiB for code and for data, and one of 8 MiB behind them";

#[derive(Default)]
struct Instructions {
    pass: Option<Pass>,
}

/// A pass under way.
struct Pass {
    /// Where callgrind writes.
    folder: PathBuf,
    /// The last of its files that was read.
    last: u64,
    /// What it counted.
    rounds: Rounds,
}

impl Diagnoser for Instructions {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        let missing = |reason: String| Missing { reason, is_fatal: true };
        if !cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) {
            return Err(missing("instructions can only be counted on Linux on x86-64 and AArch64".to_owned()));
        }
        let hint = |why| format!("{why}; it is needed to count instructions: `apt install valgrind`");
        tools.program("valgrind").map_err(hint).map_err(missing)
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let child = program.child.as_ref()?;
        if child.can(CAPABILITY) {
            return None;
        }
        let reason = match child.compiles_late {
            true => format!("`{}` is compiled while it runs, and valgrind cannot run such programs", program.name),
            false => format!("the front end of `{}` does not tell callgrind where its loops are", program.name),
        };
        Some(Lack { reason, advice: String::new() })
    }

    fn work(&self) -> Work {
        Work::Differences
    }

    fn is_exact(&self) -> bool {
        true
    }

    /// Where a measuring loop is copied, which depends on the number of invocations, the empty one is copied too: both cost the same then.
    fn invocations_max(&self, _: &Artifact) -> u64 {
        16_384
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        let folder = subject.folder.clone().ok_or("there is no folder for the files of callgrind")?;
        let file = |name: &str| folder.join(name).display().to_string();
        let options = [
            "valgrind".to_owned(),
            "--tool=callgrind".to_owned(),
            format!("--log-file={}", file("log").replace('%', "%%")),
            format!("--callgrind-out-file={}", file("out").replace('%', "%%")),
            "--collect-atstart=no".to_owned(),
            "--branch-sim=yes".to_owned(),
            "--cache-sim=yes".to_owned(),
            "--dump-line=no".to_owned(),
        ];
        let wrapper = options.into_iter().chain(CACHES.map(str::to_owned)).collect();
        let environment = [(VARIABLE.to_owned(), "1".to_owned())].into();
        self.pass = Some(Pass { folder, last: 0, rounds: Rounds::default() });
        Ok(LaunchChange { wrapper, environment, ..LaunchChange::default() })
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        let Some(pass) = &mut self.pass else { return Ok(()) };
        match signal {
            // The files of loops that came before the first round.
            Signal::Before { part } if part.iteration == 0 => pass.last = callgrind::newest(&pass.folder),
            Signal::After { part, operations } => pass.take(part, *operations)?,
            _ => {}
        }
        Ok(())
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let pass = self.pass.as_ref().ok_or("its pass has not begun")?;
        if pass.rounds.is_empty() {
            return Err("callgrind counted nothing".to_owned());
        }
        let metric = |(place, (name, _)): (usize, (&str, _))| {
            let metric = Metric { exact: true, ..metric_of_operation(name, "") };
            (metric, pass.rounds.of_body(place))
        };
        let metrics = METRICS.into_iter().enumerate().map(metric).collect();
        let text = format!(
            "callgrind simulated these counts, with a branch predictor of two levels, {CACHES_TEXT}; they are those of the thread \
             that runs the body"
        );
        let remarks = vec![Remark { is_warning: false, text, advice: String::new() }];
        Ok(Findings { metrics, remarks, ..Findings::default() })
    }

    fn explain(&self, failure: &Failure) -> Option<String> {
        let folder = &self.pass.as_ref()?.folder;
        callgrind::explain(&failure.cause, &std::fs::read_to_string(folder.join("log")).unwrap_or_default())
    }

    fn end(&mut self) {
        self.pass = None;
    }
}

impl Pass {
    /// Reads what callgrind has written of a loop that has ended.
    fn take(&mut self, part: &Part, operations: f64) -> Result<(), String> {
        let newest = callgrind::newest(&self.folder);
        if newest != self.last + 1 {
            let which = if part.which == Loop::Overhead { "the empty loop" } else { "the body" };
            let written = newest.saturating_sub(self.last);
            return Err(format!("callgrind wrote {written} counts of {which} instead of one"));
        }
        self.last = newest;
        let path = self.folder.join(format!("out.{newest}"));
        let text =
            std::fs::read_to_string(&path).map_err(|error| format!("cannot read `{}`: {error}", path.display()))?;
        self.rounds.add(callgrind::parse(&text)?.to_vec(), operations);
        // Each has a list of functions, which can be long.
        let _ = std::fs::remove_file(path);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
