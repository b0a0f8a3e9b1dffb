//! `profile`: where the time of a body goes. The kernel samples the process while iterations run; each stack is unwound from the part of it
//! in the sample, and named after the run while the process still lives.

#[cfg(any(test, fuzzing))]
pub(crate) mod fuzz;
mod harness;
mod names;
mod plain;
mod sampler;
mod source;
mod space;
mod symbols;
mod timer;
pub(crate) mod work;

pub(crate) use names::Names;
pub(crate) use space::{Space, Trace};

use crate::{
    runtime, told, Belongs, Cost, Diagnoser, Entry, File, Findings, Missing, Need, Pass, Signal, Subject, Tools, Work,
};
use names::map_of;
use sampler::{Losses, Sampler, Way};
use source::Source;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tare_code::Heat;
use tare_model::{Artifact, ChildFindings, Lack, LanguageFacts, LaunchChange, Maker, Remark, Stacks};
use timer::Timer;

pub(crate) const PROFILE: Entry = Entry {
    name: NAME,
    about: "where the time of the body goes: which functions it is spent in, as a table and as a flame graph",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux on x86-64 or AArch64, for programs that do not sample themselves"),
        Need::Right("`kernel.perf_event_paranoid` of 2 or less, or root; otherwise a C compiler and glibc, for a timer in the process"),
        Need::Language("C, C++, Rust and .NET for names of all functions; Go, Java, JavaScript (Node) and Python sample themselves"),
    ],
    metrics: &[],
    topic: "profile",
    make: || Box::new(Profile::default()),
};

pub(crate) const RUNTIME: Entry = Entry {
    name: OF_RUNTIME,
    about: "which functions of its interpreter, runtime or library the time of the body goes to, with none inlined, for `tare why`",
    needs: &[
        Need::System("Linux on x86-64 or AArch64"),
        Need::Right("`kernel.perf_event_paranoid` of 2 or less, or root; otherwise a C compiler and glibc, for a timer in the process"),
        Need::Language("JavaScript (Node), Python and .NET"),
    ],
    make: || Box::new(Profile { is_of_runtime: true, ..Profile::default() }),
    ..PROFILE
};

pub const NAME: &str = "profile";
const OF_RUNTIME: &str = "runtime";
const STACKS: &str = "profile.folded";
const ADDRESSES: &str = "profile.addresses";
/// How often the buffer is emptied: it holds the samples of at least 30 ms or so.
const EVERY: Duration = Duration::from_millis(8);
/// Fewer samples than this are hardly informative.
const FEW: u64 = 100;
/// Above this share of stacks without a root, a remark says so.
const CUT_SHARE: f64 = 0.02;
/// The same for samples in functions without a name.
const UNNAMED_SHARE: f64 = 0.1;

#[derive(Default)]
struct Profile {
    /// It samples the program's runtime, in addition to what the program reports.
    is_of_runtime: bool,
    /// Why programs that do not sample themselves cannot be sampled here.
    missing: Option<String>,
    /// The program samples itself.
    declares: bool,
    told: Option<ChildFindings>,
    way: Option<Way>,
    /// Samples per second of processor time.
    rate: u64,
    /// If the kernel takes no samples: the library with a timer, and why it is needed.
    timer: Option<(PathBuf, String)>,
    /// The timer's samples in the next process.
    waiting: Option<Timer>,
    pass: Option<Ongoing>,
    found: Option<Samples>,
}

struct Ongoing {
    pid: u32,
    shared: Arc<Mutex<Shared>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// The work of the thread that empties the buffers.
struct Shared {
    source: Source,
    space: Space,
}

impl Shared {
    fn drain(&mut self) {
        let Shared { source, space } = self;
        source.drain(|sample| space.take(sample));
    }
}

struct Samples {
    stacks: Stacks,
    /// The same with a mark after stacks that waited at an atomic instruction.
    marked: Stacks,
    /// By file, or method compiled by a runtime with its size; and address in it.
    addresses: BTreeMap<(String, u64, Option<u64>), u64>,
    cut: u64,
    others: u64,
    losses: Losses,
    lacks_demangler: bool,
}

impl Diagnoser for Profile {
    fn name(&self) -> &str {
        if self.is_of_runtime {
            OF_RUNTIME
        } else {
            NAME
        }
    }

    fn prepare(&mut self, tools: &dyn Tools) -> Result<(), Missing> {
        match sampler::possible() {
            Ok(way) => self.way = Some(way),
            Err(reason) => match with_timer(tools, reason) {
                Ok(timer) => self.timer = Some(timer),
                Err(reason) => {
                    self.missing = Some(reason.clone());
                    return Err(Missing { reason, is_fatal: false });
                }
            },
        }
        Ok(())
    }

    fn lacks(&self, program: &Artifact) -> Option<Lack> {
        let is_in_runtime = LanguageFacts::of_any(&program.language).of_runtime.is_some();
        let reason = match self.missing.clone().filter(|_| !program.declares(self.name())) {
            _ if self.is_of_runtime && !is_in_runtime => "its code does not run in an interpreter".to_owned(),
            missing => missing?,
        };
        Some(Lack { reason, advice: String::new() })
    }

    fn pass(&self, program: &Artifact) -> Pass {
        let work = if program.declares(self.name()) { Work::DiagnoseSteady } else { Work::Steady };
        Pass { invocations_max: u64::MAX, ..Pass::of(work) }
    }

    fn begin(&mut self, subject: &Subject) -> Result<LaunchChange, String> {
        (self.pass, self.found, self.waiting, self.told) = (None, None, None, None);
        self.declares = subject.declares;
        self.rate = if subject.threads == 1 { sampler::RATE } else { sampler::RATE_OF_THREADS };
        if self.declares {
            let facts = LanguageFacts::of_any(&subject.language);
            let variables = facts.sampled.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            return Ok(runtime::change(facts, variables.collect()));
        }
        // .NET writes the names of what it compiles; other languages ignore the variable.
        let of_runtime = LanguageFacts::of_any(&subject.language).of_runtime.filter(|_| self.is_of_runtime);
        let variables = of_runtime.into_iter().flatten().chain(&[("DOTNET_PerfMapEnabled", "3")]);
        let environment = variables.map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let mut change = LaunchChange { environment, ..LaunchChange::default() };
        if let Some((library, _)) = &self.timer {
            let folder = subject.folder.as_deref().ok_or("there is no folder for the samples of the timer")?;
            let file = folder.join("samples");
            self.waiting = Some(Timer::at(&file)?);
            change.preload.push(library.display().to_string());
            change.environment.insert(timer::VARIABLE.to_owned(), file.display().to_string());
        }
        Ok(change)
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        match signal {
            _ if self.declares => {}
            Signal::Started { pid } => {
                let source = match self.waiting.take() {
                    Some(timer) => Source::Timer(timer),
                    None => {
                        let way = self.way.map_or_else(sampler::possible, Ok)?;
                        let way = Way { rate: self.rate, ..way };
                        self.way = Some(way);
                        Source::Kernel(Sampler::to(*pid, way)?)
                    }
                };
                self.pass = Some(Ongoing::of(*pid, source)?);
            }
            Signal::Before { .. } => self.shared(|shared| shared.source.enable())?,
            Signal::After { .. } => self.shared(|shared| {
                shared.drain();
                shared.source.disable()
            })?,
            Signal::Measured => self.found = self.pass.take().map(Ongoing::found),
            Signal::Opened { .. } | Signal::Ended => {}
        }
        Ok(())
    }

    fn told(&mut self, found: ChildFindings) {
        self.told = Some(found);
    }

    fn findings(&mut self) -> Result<Findings, String> {
        if let Some(found) = self.told.take() {
            return by_program(found);
        }
        let found = self.found.take().ok_or("its process did not start")?;
        let total = found.stacks.total();
        if total == 0 {
            let more = match self.timer {
                Some(_) => ", or it is linked statically, which leaves no place for a timer",
                None => "",
            };
            return Err(format!(
                "no sample was taken: the body did not use the processor, or in threads that end at once{more}"
            ));
        }
        let title = match self.way {
            Some(way) => format!("{total} samples, {} a second, by {}", way.rate, way.event.text()),
            None => format!("{total} samples by a timer in the process"),
        };
        let addresses: String = found
            .addresses
            .iter()
            .map(|((module, address, size), count)| {
                let size = size.map(|size| format!(" {size}")).unwrap_or_default();
                format!("{module} {address:#x} {count}{size}\n")
            })
            .collect();
        let file = |name: &str, title: String, media_type: &str, text: String| File {
            of: Belongs::Case,
            name: name.to_owned(),
            title,
            media_type: media_type.to_owned(),
            maker: Maker::Tare,
            content: Ok(text.into_bytes()),
        };
        let files = vec![
            file(STACKS, title, Stacks::MEDIA_TYPE, found.stacks.to_text()),
            file(ADDRESSES, "file, address, samples".to_owned(), Heat::MEDIA_TYPE, addresses),
        ];
        if self.is_of_runtime {
            return Ok(Findings { counts: work::facts(&work::of_runtime(&found.marked)), ..Findings::default() });
        }
        let counts = work::facts(&found.marked);
        Ok(Findings { files, counts, remarks: self.remarks(&found, total), ..Findings::default() })
    }

    fn end(&mut self) {
        (self.pass, self.found) = (None, None);
    }
}

impl Profile {
    fn shared(&self, does: impl FnOnce(&mut Shared) -> Result<(), String>) -> Result<(), String> {
        let pass = self.pass.as_ref().ok_or("its process did not start")?;
        does(&mut lock(&pass.shared))
    }

    /// Reasons why the profile is less than it seems.
    fn remarks(&self, found: &Samples, total: u64) -> Vec<Remark> {
        let mut remarks: Vec<Remark> = few(total).into_iter().collect();
        if let Some((_, reason)) = &self.timer {
            let text = format!(
                "a timer in the process took the samples, at most one for each tick of the system: the kernel takes none, since {reason}"
            );
            remarks.push(note(text, ""));
        }
        if found.cut as f64 > CUT_SHARE * total as f64 {
            let text = format!("{} of {total} stacks are not known up to their root: `{}`", found.cut, harness::CUT);
            remarks.push(note(text, "compile with unwind tables, or with `-fno-omit-frame-pointer`"));
        }
        if let Some(program) = unnamed(&found.stacks) {
            let text = format!("functions of `{program}` have no names, as it was stripped");
            let advice = match program.contains(".so") {
                true => "install its debug symbols",
                false => "build it with its symbols: without `strip = true` (Cargo) and `-s` (compilers, linkers)",
            };
            remarks.push(note(text, advice));
        }
        if found.losses != Losses::default() {
            let Losses { lost, throttled } = found.losses;
            remarks
                .push(note(format!("{lost} samples were lost, and the kernel paused sampling {throttled} times"), ""));
        }
        if found.others > 0 {
            remarks.push(note(format!("{} samples of processes that it started are left out", found.others), ""));
        }
        if found.lacks_demangler {
            let text = "names of C++ stay as the linker has them: there is no `c++filt`".to_owned();
            remarks.push(note(text, "install it: `apt install binutils`"));
        }
        if self.way.is_some_and(|way| !way.with_kernel) {
            let text =
                "time in the kernel is not sampled, which needs `kernel.perf_event_paranoid` of 1 or less".to_owned();
            remarks.push(note(text, ""));
        }
        remarks
    }
}

/// A file most of whose sampled code has no names, if that is much of the profile.
fn unnamed(stacks: &Stacks) -> Option<String> {
    let mut of_files: BTreeMap<&str, u64> = BTreeMap::new();
    for (frames, count) in stacks.iter() {
        let place = frames.last().and_then(|leaf| leaf.rsplit_once("+0x"));
        place.into_iter().for_each(|(file, _)| *of_files.entry(file).or_default() += count);
    }
    let is_much = |count: u64| count as f64 > UNNAMED_SHARE * stacks.total() as f64;
    of_files.into_iter().find(|(_, count)| is_much(*count)).map(|(file, _)| file.to_owned())
}

fn note(text: String, advice: &str) -> Remark {
    Remark { is_warning: false, text, advice: advice.to_owned() }
}

/// A remark that there are few samples.
fn few(total: u64) -> Option<Remark> {
    let text = format!("it has only {total} samples, so that shares are rough");
    (total < FEW).then(|| note(text, "let it run for longer: `tare profile TARGET CASE --for 10s`"))
}

/// The findings of a program that samples itself.
fn by_program(mut found: ChildFindings) -> Result<Findings, String> {
    let total = found.stacks.total();
    if total == 0 {
        return Err(
            "the program took no sample: the body did not use the processor, or was where its runtime takes none"
                .to_owned(),
        );
    }
    found.remarks.extend(few(total));
    let mut counts = work::facts(&found.stacks);
    let told = told::findings(NAME, found);
    counts.extend(told.counts);
    Ok(Findings { counts, ..told })
}

impl Ongoing {
    fn of(pid: u32, source: Source) -> Result<Ongoing, String> {
        let shared = Arc::new(Mutex::new(Shared { source, space: Space::of(pid) }));
        let over = Arc::new(AtomicBool::new(false));
        let (mine, is_over) = (Arc::clone(&shared), Arc::clone(&over));
        let thread = std::thread::Builder::new().name("profile".to_owned()).spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                std::thread::sleep(EVERY);
                lock(&mine).drain();
            }
        });
        let thread = Some(thread.map_err(|error| format!("no thread can be started: {error}"))?);
        Ok(Ongoing { pid, shared, over, thread })
    }

    /// Names all stacks while the process lives.
    fn found(self) -> Samples {
        let mut shared = lock(&self.shared);
        shared.drain();
        let Shared { source, space } = &*shared;
        let mut names = Names::of(self.pid, space);
        let mut found = Samples {
            stacks: Stacks::default(),
            marked: Stacks::default(),
            addresses: BTreeMap::new(),
            cut: 0,
            others: space.others(),
            losses: source.losses(),
            lacks_demangler: names.lacks_demangler(),
        };
        for (trace, count) in space.traces() {
            found.cut += if trace.is_cut { count } else { 0 };
            let mut stack = names.stack(trace);
            found.stacks.add(stack.clone(), count);
            let leaf = trace.addresses.first().filter(|_| !trace.in_kernel);
            let waited_for = leaf.and_then(|leaf| names.waited_for(space.place(*leaf)));
            stack.extend(waited_for.map(|slow| work::mark(slow).to_owned()));
            found.marked.add(stack, count);
            if let Some(leaf) = trace.addresses.first().filter(|_| !trace.in_kernel) {
                let place = space.place(*leaf);
                let (module, address, size) = match names.compiled(place) {
                    Some(method) => (method.name, place.address - method.start, Some(method.size)),
                    None => (names.module(place).unwrap_or("[no file]"), place.address, None),
                };
                let module = module.replace(char::is_whitespace, "?");
                *found.addresses.entry((module, address, size)).or_default() += count;
            }
        }
        found
    }
}

impl Drop for Ongoing {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        self.thread.take().map(JoinHandle::join);
        // The runtime leaves this file behind.
        let _ = std::fs::remove_file(map_of(self.pid));
    }
}

/// The library with a timer, and why it is needed; the error says why that does not work either.
fn with_timer(tools: &dyn Tools, reason: String) -> Result<(PathBuf, String), String> {
    if !crate::memory::has_glibc() || !cfg!(any(target_arch = "x86_64", target_arch = "aarch64")) {
        return Err(reason);
    }
    match tools.c_library(timer::NAME, timer::SOURCE) {
        Ok(library) => Ok((library, reason)),
        Err(why) => Err(format!("{reason}; a timer in the process would do too, but {why}")),
    }
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
