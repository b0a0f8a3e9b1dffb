//! Instruction counts for runtimes that compile while the benchmark runs. valgrind does not run such programs, so the thread of the body is
//! followed instruction by instruction (`ptrace`), from where it reads its clock before a loop to where it reads it after the loop, and a
//! simulated processor counts what it executes.

use super::callgrind::METRICS;
use crate::differences::Rounds;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{channel, Receiver};
use std::sync::Arc;
use std::time::Duration;
use tare_code::{Executed, Processor};
use tare_model::Loop;

/// The descriptor on which a child receives requests.
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), allow(dead_code))]
const LINK: i32 = 3;
/// Most instructions of a followed loop: a step takes some 20 microseconds.
#[cfg_attr(not(all(target_os = "linux", target_arch = "x86_64")), allow(dead_code))]
const LOOP_MAX: u64 = 250_000;
/// The same for a single invocation: the following loops take a multiple of it.
const ONCE_MAX: u64 = 100_000;
/// How long the thread may take to its end after the child has answered.
const PATIENCE: Duration = Duration::from_secs(2);

#[derive(Default)]
pub(super) struct Stepped {
    pid: u32,
    /// The simulated processor, between loops.
    processor: Option<Processor>,
    under_way: Option<UnderWay>,
    rounds: Rounds,
    loops: u64,
}

/// A loop that a separate thread follows.
struct UnderWay {
    is_over: Arc<AtomicBool>,
    ended: Receiver<Ended>,
}

/// The processor, with its counts before and after the loop, or why they are unknown.
type Ended = (Processor, Result<[Executed; 2], String>);

impl Stepped {
    pub(super) fn of(pid: u32) -> Stepped {
        Stepped { pid, ..Stepped::default() }
    }

    pub(super) fn rounds(&self) -> &Rounds {
        &self.rounds
    }

    /// Called before a loop runs. Returns once its thread is attached.
    pub(super) fn start(&mut self) -> Result<(), String> {
        let is_over = Arc::new(AtomicBool::new(false));
        let (pid, over) = (self.pid, Arc::clone(&is_over));
        let processor = self.processor.take().unwrap_or_default();
        let ((to, ended), (is_attached, attached)) = (channel(), channel());
        let work = move || {
            let _ = to.send(system::follow(pid, processor, &over, || drop(is_attached)));
        };
        let thread = std::thread::Builder::new().name("instructions".to_owned()).spawn(work);
        thread.map_err(|error| format!("no thread can be started: {error}"))?;
        // Disconnects once it is attached or has failed.
        let _: Result<(), _> = attached.recv();
        self.under_way = Some(UnderWay { is_over, ended });
        Ok(())
    }

    pub(super) fn stop(&mut self, which: Loop, operations: f64) -> Result<(), String> {
        let UnderWay { is_over, ended } = self.under_way.take().ok_or("its process did not start")?;
        is_over.store(true, Ordering::Relaxed);
        let (processor, executed) =
            ended.recv_timeout(PATIENCE).map_err(|_| "the thread that is followed does not stop".to_owned())?;
        self.processor = Some(processor);
        let [before, after] = executed?;
        // The first loop with the body.
        if which == Loop::Workload && self.loops == 2 && after.instructions - before.instructions > ONCE_MAX {
            return Err(too_long());
        }
        self.loops += 1;
        self.rounds.add_grown(&counts(&before), &counts(&after), operations);
        Ok(())
    }
}

fn too_long() -> String {
    format!("one invocation executes more than {ONCE_MAX} instructions, too many to follow each of them")
}

/// In the order of [`METRICS`].
fn counts(executed: &Executed) -> [u64; METRICS.len()] {
    [
        executed.instructions,
        executed.branches,
        executed.mispredicted,
        executed.indirect,
        executed.accesses,
        executed.first_misses,
        executed.last_misses,
    ]
}

#[cfg(all(target_os = "linux", target_arch = "x86_64"))]
mod system {
    use super::{too_long, Ended, Ordering, Processor, LINK, LOOP_MAX};
    use std::io;
    use std::sync::atomic::AtomicBool;
    use tare_code::{Executed, State};
    use tare_process::stepped::{reader, Registers, Stepped, SystemCall};

    /// Why code cannot be followed here.
    pub(in super::super) fn lacks() -> Option<&'static str> {
        None
    }

    /// Follows the thread of a process that waits for requests through the next requested loop.
    pub(super) fn follow(
        pid: u32,
        mut processor: Processor,
        is_over: &AtomicBool,
        is_attached: impl FnOnce(),
    ) -> Ended {
        let before = processor.executed();
        let attached = Stepped::attach(reader(pid, LINK).unwrap_or(pid));
        is_attached();
        let followed = attached.and_then(|mut thread| through(&mut thread, &mut processor, is_over));
        let after = processor.executed();
        let result = match followed {
            Ok(true) if after.instructions - before.instructions > LOOP_MAX => Err(too_long()),
            Ok(true) => Ok([before, after]),
            Ok(false) => Err("the thread that hears what to run is not the one that runs the body".to_owned()),
            Err(error) => Err(format!("its instructions cannot be followed: {error}")),
        };
        (processor, result)
    }

    /// From the clock reading before the loop to the one after it. `false` if the thread does not read the clock.
    fn through(thread: &mut Stepped, processor: &mut Processor, is_over: &AtomicBool) -> io::Result<bool> {
        let is_clock = |call: SystemCall| call.reads_own_clock();
        if !thread.run_to(is_clock, || is_over.load(Ordering::Relaxed))? {
            return Ok(false);
        }
        let first: Executed = processor.executed();
        let mut at = thread.registers()?;
        while !is_at_clock(thread, &at) && processor.executed().instructions - first.instructions <= LOOP_MAX {
            thread.step()?;
            let after = thread.registers()?;
            processor.execute(&state(&at), after.next, |address| thread.bytes(address).to_vec());
            at = after;
        }
        Ok(true)
    }

    /// Whether the thread is about to read its clock.
    fn is_at_clock(thread: &Stepped, at: &Registers) -> bool {
        const RAX: usize = 0;
        const RDI: usize = 7;
        let call = SystemCall { number: at.general[RAX], first: at.general[RDI] };
        call.reads_own_clock() && thread.bytes(at.next).starts_with(&[0x0f, 0x05])
    }

    fn state(registers: &Registers) -> State {
        State { next: registers.next, general: registers.general, segments: registers.segments }
    }
}

#[cfg(not(all(target_os = "linux", target_arch = "x86_64")))]
mod system {
    use super::{Ended, Processor};
    use std::sync::atomic::AtomicBool;

    pub(in super::super) fn lacks() -> Option<&'static str> {
        Some("code that is compiled while it runs can be followed on Linux on x86-64 alone")
    }

    pub(super) fn follow(_: u32, processor: Processor, _: &AtomicBool, _: impl FnOnce()) -> Ended {
        (processor, Err(lacks().unwrap_or_default().to_owned()))
    }
}

pub(super) use system::lacks;
