//! `profile`: where the time of a body goes. The kernel takes samples of the process while iterations run; each stack is unwound from the
//! part of it that the sample holds, and named when the run is over and the process still lives.

mod harness;
mod sampler;
mod space;
mod symbols;

use crate::{Belongs, Cost, Diagnoser, Entry, File, Findings, Missing, Need, Signal, Subject, Tools, Work};
use harness::Frame;
use sampler::{Losses, Sampler, Way};
use space::{Place, Space, Trace};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use symbols::{Compiled, Readable, Symbols};
use tare_code::Heat;
use tare_model::{Artifact, Lack, LaunchChange, Maker, Remark, Stacks};

pub(crate) const PROFILE: Entry = Entry {
    name: NAME,
    about: "where the time of the body goes: which functions it is spent in, as a table and as a flame graph",
    cost: Cost::Pass,
    needs: &[
        Need::System("Linux on x86-64 or AArch64"),
        Need::Right("`kernel.perf_event_paranoid` of 2 or less, or root"),
        Need::Language("C, C++, Rust and .NET for names of all functions"),
    ],
    metrics: &[],
    topic: "profile",
    make: || Box::new(Profile::default()),
};

const NAME: &str = "profile";
/// The names of its files.
const STACKS: &str = "profile.folded";
const ADDRESSES: &str = "profile.addresses";
/// How often the buffer is emptied: it holds the samples of about 30 ms at least.
const EVERY: Duration = Duration::from_millis(8);
/// A larger file with the names of compiled code is not read, bytes.
const MAP_MAX: u64 = 256 << 20;
/// Fewer samples than this say little.
const FEW: u64 = 100;
/// Above this share of stacks without a root a remark says it.
const CUT_SHARE: f64 = 0.02;

#[derive(Default)]
struct Profile {
    way: Option<Way>,
    pass: Option<Pass>,
    found: Option<Found>,
}

/// A pass under way.
struct Pass {
    pid: u32,
    shared: Arc<Mutex<Shared>>,
    over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What the thread that empties the buffers works on.
struct Shared {
    sampler: Sampler,
    space: Space,
}

impl Shared {
    fn drain(&mut self) {
        let Shared { sampler, space } = self;
        sampler.drain(|sample| space.take(sample));
    }
}

/// What a pass has found.
struct Found {
    stacks: Stacks,
    /// Module, address in it, samples.
    addresses: BTreeMap<(String, u64), u64>,
    cut: u64,
    others: u64,
    losses: Losses,
    lacks_demangler: bool,
}

impl Diagnoser for Profile {
    fn name(&self) -> &str {
        NAME
    }

    fn prepare(&mut self, _: &dyn Tools) -> Result<(), Missing> {
        let missing = |reason| Missing { reason, is_fatal: true };
        self.way = Some(sampler::possible().map_err(missing)?);
        Ok(())
    }

    fn lacks(&self, _: &Artifact) -> Option<Lack> {
        None
    }

    fn work(&self) -> Work {
        Work::Steady
    }

    fn invocations_max(&self) -> u64 {
        u64::MAX
    }

    fn begin(&mut self, _: &Subject) -> Result<LaunchChange, String> {
        (self.pass, self.found) = (None, None);
        // .NET writes the names of what it compiles; programs of other languages do not read it.
        let environment = [("DOTNET_PerfMapEnabled".to_owned(), "3".to_owned())].into();
        Ok(LaunchChange { environment, ..LaunchChange::default() })
    }

    fn signal(&mut self, signal: &Signal) -> Result<(), String> {
        match signal {
            Signal::Started { pid } => {
                let way = self.way.map_or_else(sampler::possible, Ok)?;
                self.way = Some(way);
                self.pass = Some(Pass::of(*pid, way)?);
            }
            Signal::Before { .. } => self.shared(|shared| shared.sampler.enable())?,
            Signal::After { .. } => self.shared(|shared| {
                shared.drain();
                shared.sampler.disable()
            })?,
            Signal::Measured => self.found = self.pass.take().map(Pass::found),
            Signal::Opened { .. } | Signal::Ended => {}
        }
        Ok(())
    }

    fn findings(&mut self) -> Result<Findings, String> {
        let found = self.found.take().ok_or("its process did not start")?;
        let total = found.stacks.total();
        if total == 0 {
            return Err("no sample was taken: the body did not use the processor".to_owned());
        }
        let event = self.way.map_or("", |way| way.event.text());
        let title = format!("{total} samples, {} a second, by {event}", sampler::RATE);
        let addresses: String = found
            .addresses
            .iter()
            .map(|((module, address), count)| format!("{module} {address:#x} {count}\n"))
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
        Ok(Findings { files, remarks: self.remarks(&found, total), metrics: Vec::new(), ..Findings::default() })
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

    /// What makes the profile less than it seems to be.
    fn remarks(&self, found: &Found, total: u64) -> Vec<Remark> {
        let note = |text: String, advice: &str| Remark { is_warning: false, text, advice: advice.to_owned() };
        let mut remarks = Vec::new();
        if total < FEW {
            let text = format!("it has only {total} samples, so that shares are rough");
            remarks.push(note(text, "let it run for longer: `tare profile TARGET CASE --for 10s`"));
        }
        if found.cut as f64 > CUT_SHARE * total as f64 {
            let text = format!("{} of {total} stacks are not known up to their root: `{}`", found.cut, harness::CUT);
            remarks.push(note(text, "compile with unwind tables, or with `-fno-omit-frame-pointer`"));
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

impl Pass {
    fn of(pid: u32, way: Way) -> Result<Pass, String> {
        let shared = Arc::new(Mutex::new(Shared { sampler: Sampler::to(pid, way)?, space: Space::of(pid) }));
        let over = Arc::new(AtomicBool::new(false));
        let (mine, is_over) = (Arc::clone(&shared), Arc::clone(&over));
        let thread = std::thread::Builder::new().name("profile".to_owned()).spawn(move || {
            while !is_over.load(Ordering::Relaxed) {
                std::thread::sleep(EVERY);
                lock(&mine).drain();
            }
        });
        let thread = Some(thread.map_err(|error| format!("no thread can be started: {error}"))?);
        Ok(Pass { pid, shared, over, thread })
    }

    /// Names all stacks, while the process lives.
    fn found(self) -> Found {
        let mut shared = lock(&self.shared);
        shared.drain();
        let Shared { sampler, space } = &*shared;
        let map = map_of(self.pid);
        // Anyone may put something else there.
        let is_map = std::fs::symlink_metadata(&map).is_ok_and(|facts| facts.is_file() && facts.len() <= MAP_MAX);
        let text = is_map.then(|| std::fs::read(&map).ok()).flatten().unwrap_or_default();
        let compiled = Compiled::parse(&String::from_utf8_lossy(&text));
        let mut symbols = Symbols::of(space.modules(), compiled);
        let readable = {
            let places: Vec<Place> =
                space.traces().flat_map(|(trace, _)| &trace.addresses).map(|address| space.place(*address)).collect();
            let names: Vec<String> = places
                .into_iter()
                .flat_map(|place| symbols.at(place).iter().map(|named| named.name.clone()).collect::<Vec<_>>())
                .collect();
            Readable::of(names.iter().map(String::as_str))
        };
        let mut found = Found {
            stacks: Stacks::default(),
            addresses: BTreeMap::new(),
            cut: 0,
            others: space.others,
            losses: sampler.losses,
            lacks_demangler: readable.lacks_demangler,
        };
        for (trace, count) in space.traces() {
            found.cut += if trace.is_cut { count } else { 0 };
            found.stacks.add(named(trace, space, &mut symbols, &readable), count);
            if let Some(leaf) = trace.addresses.first().filter(|_| !trace.in_kernel) {
                let place = space.place(*leaf);
                let module =
                    place.module.map_or("[no file]", |module| symbols.module(module)).replace(char::is_whitespace, "?");
                *found.addresses.entry((module, place.address)).or_default() += count;
            }
        }
        found
    }
}

impl Drop for Pass {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
        self.thread.take().map(JoinHandle::join);
        // A runtime leaves it behind.
        let _ = std::fs::remove_file(map_of(self.pid));
    }
}

/// Where a runtime writes the names of what it compiles.
fn map_of(pid: u32) -> PathBuf {
    std::env::temp_dir().join(format!("perf-{pid}.map"))
}

/// A stack from the body to its leaf.
fn named(trace: &Trace, space: &Space, symbols: &mut Symbols, readable: &Readable) -> Vec<String> {
    let mut frames: Vec<Frame> = Vec::new();
    for address in trace.addresses.iter().rev() {
        let place = space.place(*address);
        for named in symbols.at(place) {
            let inlined = if named.is_inlined { Stacks::INLINED } else { "" };
            frames.push(Frame::of(format!("{}{inlined}", readable.name(&named.name)), named.is_tare, place.module));
        }
    }
    // Its number is that of no file.
    frames.extend(trace.in_kernel.then(|| Frame::of("[kernel]".to_owned(), false, Some(usize::MAX))));
    harness::trimmed(frames, trace.is_cut)
}

fn lock(shared: &Mutex<Shared>) -> MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
