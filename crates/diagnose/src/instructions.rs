//! `instructions`: what the body executes, counted by valgrind's callgrind, which simulates a processor. The same program gives the same
//! number each time, however busy the machine is. The front end tells callgrind where a measuring loop begins and ends; everything around
//! the body cancels out in the difference between a loop and one of twice the length. Code that a runtime compiles is followed from
//! outside.

mod callgrind;
#[cfg(any(test, fuzzing))]
pub(crate) use callgrind::parse as counts;
mod stepped;

use crate::differences::{metric_of_operation, Rounds};
use crate::{runtime, Cost, Diagnoser, Entry, Findings, Missing, Need, Part, Pass, Signal, Subject, Tools, Work};
use callgrind::METRICS;
use std::path::PathBuf;
use stepped::Stepped;
use tare_model::{Artifact, Cache, Failure, Lack, LanguageFacts, LaunchChange, Loop, Metric, Remark};

pub(crate) const INSTRUCTIONS: Entry = Entry {
    name: NAME,
    about: "instructions, branches and cache misses of each operation, counted in a simulated processor",
    cost: Cost::Tool,
    needs: &[
        Need::System("Linux on x86-64 or AArch64"),
        Need::Tool("`valgrind`, for C, C++ and Rust"),
        Need::Language("C, C++, Rust or C#, or a front end with the capability `callgrind`"),
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
/// The capability of a child that tells callgrind where its loops begin and end, and the variable that requests it.
const CAPABILITY: &str = "callgrind";
const VARIABLE: &str = "TARE_CALLGRIND";
/// Callgrind counts each byte of a repeated move as an instruction, a branch and two accesses: the C library does without them.
const TUNABLES: &str = "GLIBC_TUNABLES";
const WITHOUT_REPETITION: &str =
    "glibc.cpu.x86_rep_movsb_threshold=0x7fffffff:glibc.cpu.x86_rep_stosb_threshold=0x7fffffff";
/// Default sizes of the simulated caches for code, for data, and of the last level, bytes: the same on every machine.
const CACHES: [u64; 3] = [32 << 10, 32 << 10, 8 << 20];

/// The capability of a child that reads the thread's clock before and after its loops: in between, its instructions are followed.
const READS_CLOCK: &str = "cpu";
/// For loops whose instructions are followed one by one: their time without that, ns, and the number of rounds.
const FOLLOWED_NS: f64 = 1_500.0;
const FOLLOWED_ROUNDS: u64 = 4;

#[derive(Default)]
struct Instructions {
    /// Why there is no valgrind.
    missing: Option<String>,
    /// The caches of this machine, if they are simulated.
    caches: Option<[u64; 3]>,
    pass: Option<Ongoing>,
}

enum Ongoing {
    Callgrind(Callgrind),
    Stepped(Box<Stepped>),
}

struct Callgrind {
    /// Where callgrind writes.
    folder: PathBuf,
    /// The last of its files that was read.
    last: u64,
    rounds: Rounds,
}

impl Diagnoser for Instructions {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        if !cfg!(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))) {
            let reason = "instructions can only be counted on Linux on x86-64 and AArch64".to_owned();
            return Err(Missing { reason, is_fatal: true });
        }
        self.caches = sizes(&tools.caches());
        let hint = |why| format!("{why}; it is needed to count instructions: `apt install valgrind`");
        self.missing = tools.program("valgrind").map_err(hint).err();
        // Code compiled at run time is followed without valgrind.
        let missing = |reason| Missing { reason, is_fatal: stepped::lacks().is_some() };
        self.missing.clone().map_or(Ok(()), |reason| Err(missing(reason)))
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let child = program.child.as_ref()?;
        let reason = match (child.can(CAPABILITY), child.compiles_late) {
            (true, _) => self.missing.clone(),
            _ if is_followed(program) && child.can(READS_CLOCK) => stepped::lacks().map(str::to_owned),
            (false, true) => {
                Some(format!("`{}` is compiled while it runs, and valgrind cannot run such programs", program.name))
            }
            (false, false) => {
                Some(format!("the front end of `{}` does not tell callgrind where its loops are", program.name))
            }
        };
        reason.map(|reason| Lack { reason, advice: String::new() })
    }

    fn pass(&self, program: &Artifact) -> Pass {
        let is_followed = is_followed(program);
        Pass {
            // If a measuring loop is unrolled, which depends on the number of invocations, so is the empty one; both then cost the same.
            invocations_max: 16_384,
            once: is_followed,
            is_exact: !is_followed,
            slows: is_followed.then_some((FOLLOWED_NS, FOLLOWED_ROUNDS)),
            ..Pass::of(Work::Differences)
        }
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        if subject.compiles_late && follows(LanguageFacts::of_any(&subject.language)) {
            self.pass = Some(Ongoing::Stepped(Box::default()));
            return Ok(LaunchChange::default());
        }
        let folder = subject.folder.clone().ok_or("there is no folder for the files of callgrind")?;
        let file = |name: &str| folder.join(name).display().to_string();
        let options = [
            "valgrind".to_owned(),
            "--tool=callgrind".to_owned(),
            format!("--log-file={}", file("log").replace('%', "%%")),
            format!("--callgrind-out-file={}", file("out").replace('%', "%%")),
            "--collect-atstart=yes".to_owned(),
            "--branch-sim=yes".to_owned(),
            "--cache-sim=yes".to_owned(),
            "--dump-line=no".to_owned(),
        ];
        let caches = ["I1", "D1", "LL"].into_iter().zip(self.caches.unwrap_or(CACHES)).filter_map(|(name, bytes)| {
            let [ways, line] = ways(bytes)?;
            Some(format!("--{name}={bytes},{ways},{line}"))
        });
        let wrapper = options.into_iter().chain(caches).collect();
        let tunables = std::env::var(TUNABLES).ok().into_iter().chain([WITHOUT_REPETITION.to_owned()]);
        let tunables = tunables.collect::<Vec<_>>().join(":");
        let environment = [(VARIABLE.to_owned(), "1".to_owned()), (TUNABLES.to_owned(), tunables)].into();
        self.pass = Some(Ongoing::Callgrind(Callgrind { folder, last: 0, rounds: Rounds::default() }));
        Ok(LaunchChange { wrapper, environment, ..LaunchChange::default() })
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        match (&mut self.pass, signal) {
            (Some(Ongoing::Stepped(pass)), Signal::Started { pid }) => **pass = Stepped::of(*pid),
            (Some(Ongoing::Stepped(pass)), Signal::Before { .. }) => pass.start()?,
            (Some(Ongoing::Stepped(pass)), Signal::After { part, operations, .. }) => {
                pass.stop(part.which, *operations)?
            }
            // Skips the files of loops before the first round.
            (Some(Ongoing::Callgrind(pass)), Signal::Before { part }) if part.iteration == 0 => {
                pass.last = callgrind::newest(&pass.folder);
            }
            (Some(Ongoing::Callgrind(pass)), Signal::After { part, operations, .. }) => pass.take(part, *operations)?,
            _ => {}
        }
        Ok(())
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let (rounds, from, text) = match self.pass.as_ref().ok_or("its pass has not begun")? {
            Ongoing::Callgrind(pass) => (&pass.rounds, 0, format!("callgrind simulated these counts, {}; they are those of all threads", processor(self.caches.unwrap_or(CACHES)))),
            // In the first round the simulated caches are empty.
            Ongoing::Stepped(pass) => (
                pass.rounds(),
                1,
                format!(
                    "each instruction of the thread that runs the body was followed, and these counts were simulated, {}; what the runtime \
                     always does beside the body is part of them, so that they may differ a little from process to process",
                    processor(CACHES)
                ),
            ),
        };
        if rounds.of_body(0).len() <= from {
            return Err("nothing was counted".to_owned());
        }
        let is_exact = matches!(self.pass, Some(Ongoing::Callgrind(_)));
        let metric = |(place, (name, _)): (usize, (&str, _))| {
            let metric = Metric { exact: is_exact, ..metric_of_operation(name, "") };
            let counts = match is_exact {
                true => rounds.median_of_body(place).into_iter().collect(),
                // Occasional work of the runtime is not part of the body.
                false => rounds.least_of_body(place, from).into_iter().collect(),
            };
            (metric, counts)
        };
        let metrics = METRICS.into_iter().enumerate().map(metric).collect();
        let remarks = vec![Remark { is_warning: false, text, advice: String::new() }];
        Ok(Findings { metrics, remarks, ..Findings::default() })
    }

    fn explain(&self, failure: &Failure) -> Option<String> {
        let Some(Ongoing::Callgrind(pass)) = &self.pass else { return None };
        callgrind::explain(&failure.cause, &std::fs::read_to_string(pass.folder.join("log")).unwrap_or_default())
    }

    fn end(&mut self) {
        self.pass = None;
    }
}

/// Ways and line size in bytes of a cache, so that the number of sets is a power of two.
fn ways(bytes: u64) -> Option<[u64; 2]> {
    const LINE: u64 = 64;
    const WAYS: u64 = 8;
    let lines = bytes / LINE;
    let sets = 1 << (lines / WAYS).checked_ilog2()?;
    (lines % sets == 0 && bytes % LINE == 0).then_some([lines / sets, LINE])
}

/// The caches of a machine, if they can be simulated.
fn sizes(caches: &[Cache]) -> Option<[u64; 3]> {
    let first = |kind: &str| caches.iter().find(|cache| cache.level == 1 && cache.kind == kind);
    let last = caches.iter().filter(|cache| cache.level > 1).max_by_key(|cache| cache.level)?;
    let all = [first("instruction")?, first("data")?, last].map(|cache| cache.size_bytes);
    all.iter().all(|bytes| ways(*bytes).is_some()).then_some(all)
}

fn processor([code, data, last]: [u64; 3]) -> String {
    format!(
        "with a branch predictor of two levels, caches of {} KiB for code and of {} KiB for data, and one of {} MiB behind them",
        code >> 10,
        data >> 10,
        last >> 20
    )
}

/// Whether it is compiled at run time, in a language whose instructions can be followed one by one.
fn is_followed(program: &Artifact) -> bool {
    runtime::facts(program).is_some_and(follows)
}

fn follows(language: &LanguageFacts) -> bool {
    language.late_code.as_ref().is_some_and(|late| late.is_followed)
}

impl Callgrind {
    /// Reads what callgrind has written for a finished loop.
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
        // Each includes a list of functions, which can be long.
        let _ = std::fs::remove_file(path);
        Ok(())
    }
}

#[cfg(test)]
mod tests;
