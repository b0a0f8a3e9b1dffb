//! `syscalls`: the system calls of the body. A library in the benchmark's process starts a process that traces it while iterations run.
//! This needs no privileges and works for any dynamically linked program.

use crate::differences::{metric_of_operation, Rounds};
use crate::watched::{Library, Shared};
use crate::{Belongs, Cost, Diagnoser, Entry, File, Findings, Missing, Need, Pass, Signal, Subject, Tools, Work};
use std::time::{Duration, Instant};
use tare_model::{Artifact, LaunchChange, Maker};

pub(crate) const SYSCALLS: Entry = Entry {
    name: NAME,
    about: "system calls of each operation, by their names, and how often it waits for a lock",
    cost: Cost::Tool,
    needs: &[
        Need::System("Linux 5.3 or later, for programs that are linked dynamically"),
        Need::Tool("`cc`, `gcc` or `clang`, once for each machine"),
        Need::Right("to trace a process of the same user (ptrace)"),
    ],
    metrics: &[],
    topic: "threads",
    make: || Box::new(SystemCalls::default()),
};

const NAME: &str = "syscalls";
const LIBRARY: Library = Library { name: NAME, variable: "TARE_SYSTEM_CALLS", source: include_str!("syscalls.c") };

/// Layout of the shared file, as in the library.
const TRACES: u64 = 8;
const ERROR: u64 = 12;
const TRACER: u64 = 16;
const WAITS: u64 = 24;
const NUMBERS: usize = 1024;
const NAMES: u64 = WAITS + 8 * (1 + NUMBERS as u64);
const NAME_BYTES: usize = 24;
const BYTES: u64 = NAMES + (NUMBERS * NAME_BYTES) as u64;

/// How long attaching or detaching the tracer may take.
const PATIENCE: Duration = Duration::from_secs(5);
const STEP: Duration = Duration::from_micros(100);
/// An alternative way to count them.
const NEAREST: &str = "as root, `--counters raw_syscalls:sys_enter` counts them without it";

#[derive(Default)]
struct SystemCalls {
    library: Option<String>,
    pass: Option<Counting>,
}

struct Counting {
    shared: Shared,
    before: Vec<u64>,
    /// Waits, then the calls by number.
    rounds: Rounds,
}

impl Diagnoser for SystemCalls {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        let missing = |reason: String| Missing { reason, is_fatal: true };
        if !cfg!(target_os = "linux") {
            return Err(missing("system calls can only be counted on Linux".to_owned()));
        }
        self.library = Some(LIBRARY.build(tools).map_err(missing)?);
        Ok(())
    }

    fn pass(&self, _: &Artifact) -> Pass {
        Pass::of(Work::Differences)
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        let library = self.library.as_ref().ok_or("the library that counts them was not built")?;
        let (shared, change) = LIBRARY.begin(library, subject, BYTES)?;
        self.pass = Some(Counting { shared, before: Vec::new(), rounds: Rounds::default() });
        Ok(change)
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        let Some(pass) = &mut self.pass else { return Ok(()) };
        match signal {
            Signal::Before { .. } => pass.start()?,
            Signal::After { operations, .. } => pass.stop(*operations)?,
            // The tracer is gone before the program is asked to end, which may leave no process behind.
            Signal::Measured => pass.leave()?,
            _ => {}
        }
        Ok(())
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let pass = self.pass.as_mut().ok_or("its pass has not begun")?;
        let rounds: Vec<Vec<f64>> = (0..=NUMBERS).map(|place| pass.rounds.of_body(place)).collect();
        let made = (0..rounds[0].len()).map(|round| rounds[1..].iter().map(|of| of[round]).sum()).collect();
        let metrics =
            vec![(metric_of_operation("made", ""), made), (metric_of_operation("futex_waits", ""), rounds[0].clone())];
        let mut by_name: Vec<(f64, String)> = Vec::new();
        for (number, of) in rounds[1..].iter().enumerate() {
            let calls: f64 = of.iter().sum();
            if calls > 0.0 {
                by_name.push((calls / pass.rounds.operations(), pass.name(number)?));
            }
        }
        by_name.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let text: String = by_name.iter().map(|(each, name)| format!("{each:>12.4}  {name}\n")).collect();
        let file = File {
            of: Belongs::Case,
            name: "system-calls.txt".to_owned(),
            title: "system calls of an operation".to_owned(),
            media_type: "text/plain".to_owned(),
            maker: Maker::Tare,
            content: Ok(text.into_bytes()),
        };
        let files = if by_name.is_empty() { Vec::new() } else { vec![file] };
        Ok(Findings { metrics, files, ..Findings::default() })
    }

    fn end(&mut self) {
        self.pass = None;
    }
}

impl Counting {
    fn start(&mut self) -> Result<(), String> {
        if self.shared.works()? == 0 {
            return Err(format!(
                "the program is linked statically, so that no library can be loaded into it; {NEAREST}"
            ));
        }
        self.shared.want(true)?;
        self.until(1)?;
        self.before = self.shared.numbers(WAITS, 1 + NUMBERS)?;
        Ok(())
    }

    fn stop(&mut self, operations: f64) -> Result<(), String> {
        self.shared.want(false)?;
        self.until(0)?;
        let after = self.shared.numbers(WAITS, 1 + NUMBERS)?;
        self.rounds.add_grown(&self.before, &after, operations);
        Ok(())
    }

    /// Waits until the tracer has ended.
    fn leave(&mut self) -> Result<(), String> {
        self.shared.is_over()?;
        let tracer = self.shared.numbers(TRACER, 1)?[0];
        let started = Instant::now();
        // It is gone, or waits for its parent to notice.
        let has_ended = || match std::fs::read_to_string(format!("/proc/{tracer}/stat")) {
            Ok(text) => text.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z')),
            Err(_) => true,
        };
        while !has_ended() && started.elapsed() < PATIENCE {
            std::thread::sleep(STEP);
        }
        Ok(())
    }

    /// Waits until the process is traced (1), or no longer traced (0).
    fn until(&mut self, wanted: u32) -> Result<(), String> {
        let started = Instant::now();
        while self.shared.number(TRACES)? != wanted {
            match self.shared.number(ERROR)? {
                0 if started.elapsed() > PATIENCE => {
                    return Err("its process could not be traced within 5 s".to_owned());
                }
                0 => std::thread::sleep(STEP),
                error => {
                    let error = std::io::Error::from_raw_os_error(error as i32);
                    return Err(format!(
                        "the system does not allow to trace the program ({error}): in a container `--cap-add SYS_PTRACE` allows it; {NEAREST}"
                    ));
                }
            }
        }
        Ok(())
    }

    /// The name of a system call, or its number.
    fn name(&mut self, number: usize) -> Result<String, String> {
        let bytes = self.shared.bytes(NAMES + (number * NAME_BYTES) as u64, NAME_BYTES)?;
        let name: String = bytes.iter().take_while(|byte| **byte != 0).map(|byte| char::from(*byte)).collect();
        Ok(if name.is_empty() { format!("system call {number}") } else { name })
    }
}
