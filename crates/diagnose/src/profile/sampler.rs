//! Samples of a process and its threads, taken by the kernel at a fixed rate of processor time.

/// Samples per second of processor time: a prime, so that periodic work in the body is not always hit at the same place. Each takes about
/// 20 µs in a virtual machine, which the interrupt leaves.
pub(super) const RATE: u64 = 997;
/// The same for bodies that may start threads each time: a thread that ends before a sample is due has none.
pub(super) const RATE_OF_THREADS: u64 = 9973;

/// What is counted until the next sample.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Event {
    Cycles,
    /// The processor time of the thread, by the system's clock.
    Clock,
}

impl Event {
    pub(super) fn text(self) -> &'static str {
        match self {
            Event::Cycles => "cycles of the core",
            Event::Clock => "the processor clock of the system",
        }
    }
}

/// A sample as the kernel took it.
pub(super) struct Sample<'a> {
    pub pid: u32,
    /// Instruction, stack and frame pointers in user code, and the link register if there is one.
    pub registers: Registers,
    /// The stack, from the stack pointer on.
    pub stack: &'a [u8],
    pub in_kernel: bool,
}

/// The registers for unwinding a stack.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Registers {
    pub ip: u64,
    pub sp: u64,
    pub fp: u64,
    /// Only on AArch64.
    pub lr: u64,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Losses {
    /// Samples for which the buffer had no room.
    pub lost: u64,
    /// How often the kernel stopped sampling because it took too much time.
    pub throttled: u64,
}

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
pub(super) use linux::{possible, Sampler, Way};

#[cfg(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64")))]
mod linux {
    use super::{Event, Losses, Registers, Sample, RATE};
    use perf_event::data::Record;
    use perf_event::{events, Builder, SampleFlag};
    use std::io;

    const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";
    /// Bytes of the stack in a sample. A deeper one is cut off at its root.
    const STACK: u32 = 16 << 10;
    /// Buffer sizes per processor to try, bytes: without privileges the kernel grants at most the smaller one.
    const BUFFERS: [usize; 2] = [2 << 20, 512 << 10];

    /// Instruction, stack and frame pointer, as numbered in the kernel's `perf_regs.h`.
    #[cfg(target_arch = "x86_64")]
    const REGISTERS: u64 = 1 << 6 | 1 << 7 | 1 << 8;
    /// Frame pointer, link register, stack pointer and instruction pointer.
    #[cfg(target_arch = "aarch64")]
    const REGISTERS: u64 = 1 << 29 | 1 << 30 | 1 << 31 | 1 << 32;

    /// In the order of their numbers.
    #[cfg(target_arch = "x86_64")]
    fn registers(all: &[u64]) -> Option<Registers> {
        let [fp, sp, ip] = *all else { return None };
        Some(Registers { ip, sp, fp, lr: 0 })
    }

    #[cfg(target_arch = "aarch64")]
    fn registers(all: &[u64]) -> Option<Registers> {
        let [fp, lr, sp, ip] = *all else { return None };
        Some(Registers { ip, sp, fp, lr })
    }

    /// How samples can be taken here, as tried on this process.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in super::super) struct Way {
        pub event: Event,
        /// Whether time in the kernel is sampled too.
        pub with_kernel: bool,
        /// Samples per second of processor time.
        pub rate: u64,
    }

    /// The best way to take samples here. The error says why there is none, and what to do.
    pub(in super::super) fn possible() -> Result<Way, String> {
        let ways = [Event::Cycles, Event::Clock]
            .into_iter()
            .flat_map(|event| [true, false].into_iter().map(move |with_kernel| Way { event, with_kernel, rate: RATE }));
        let mut last = None;
        for way in ways {
            match builder(way).observe_self().build() {
                Ok(_) => return Ok(way),
                Err(error) => last = Some(error),
            }
        }
        Err(last.map_or_else(String::new, |error| reason(&error)))
    }

    fn builder<'a>(way: Way) -> Builder<'a> {
        let mut builder = match way.event {
            Event::Cycles => Builder::new(events::Hardware::CPU_CYCLES),
            Event::Clock => Builder::new(events::Software::CPU_CLOCK),
        };
        builder.exclude_hv(true).exclude_kernel(!way.with_kernel).sample_frequency(way.rate);
        builder.sample(SampleFlag::IP).sample(SampleFlag::TID);
        builder.sample(SampleFlag::REGS_USER).sample(SampleFlag::STACK_USER);
        builder.sample_regs_user(REGISTERS).sample_stack_user(STACK);
        builder
    }

    fn reason(error: &io::Error) -> String {
        match error.raw_os_error() {
            Some(code @ (1 | 13)) => {
                let level = std::fs::read_to_string(PARANOID).unwrap_or_default();
                match level.trim().parse::<i32>() {
                    Ok(level) if level > 2 => format!(
                        "`kernel.perf_event_paranoid` is {level} (EACCES): `sudo sysctl kernel.perf_event_paranoid=2` allows it"
                    ),
                    _ if code == 1 => {
                        "the system does not allow it, as in a container (EPERM): `docker run --cap-add PERFMON` allows it".to_owned()
                    }
                    _ => "the system does not allow it (EACCES): run as root, or with the right CAP_PERFMON".to_owned(),
                }
            }
            Some(2) => "this kernel has no clock to sample by (ENOENT)".to_owned(),
            Some(38) => "this kernel was built without performance events (ENOSYS)".to_owned(),
            _ => error.to_string(),
        }
    }

    /// Samples of a process and all threads that it starts from now on, with one buffer per processor.
    pub(in super::super) struct Sampler {
        samplers: Vec<perf_event::Sampler>,
        pub(in super::super) losses: Losses,
    }

    impl Sampler {
        /// Attaches to a process. Sampling starts when it is enabled.
        pub(in super::super) fn to(pid: u32, way: Way) -> Result<Sampler, String> {
            let mut failed = String::new();
            for bytes in BUFFERS {
                match attached(pid, way, bytes) {
                    Ok(samplers) => return Ok(Sampler { samplers, losses: Losses::default() }),
                    Err(error) => failed = reason(&error),
                }
            }
            Err(format!("the process cannot be sampled: {failed}"))
        }

        pub(in super::super) fn enable(&mut self) -> Result<(), String> {
            self.each(perf_event::Counter::enable)
        }

        pub(in super::super) fn disable(&mut self) -> Result<(), String> {
            self.each(perf_event::Counter::disable)
        }

        fn each(&mut self, does: fn(&mut perf_event::Counter) -> io::Result<()>) -> Result<(), String> {
            let mut all = self.samplers.iter_mut().map(|sampler| does(sampler.as_counter_mut()));
            all.find_map(Result::err).map_or(Ok(()), |error| Err(format!("the process cannot be sampled: {error}")))
        }

        /// Passes on the samples since the last call.
        pub(in super::super) fn drain(&mut self, mut take: impl FnMut(&Sample)) {
            for sampler in &mut self.samplers {
                while let Some(raw) = sampler.next_record() {
                    // The lowest bits hold the processor mode.
                    let in_kernel = raw.misc() & 7 == 1;
                    match raw.parse_record() {
                        Ok(Record::Sample(sample)) => {
                            let user = sample.regs_user().and_then(|user| registers(&user.regs));
                            if let (Some(registers), Some(pid)) = (user, sample.pid()) {
                                let stack = sample.stack_user().unwrap_or_default();
                                take(&Sample { pid, registers, stack, in_kernel });
                            }
                        }
                        Ok(Record::Lost(lost)) => self.losses.lost += lost.lost,
                        Ok(Record::Throttle(_)) => self.losses.throttled += 1,
                        _ => {}
                    }
                }
            }
        }
    }

    /// One event per processor: only such an event follows threads and has a buffer.
    fn attached(pid: u32, way: Way, bytes: usize) -> io::Result<Vec<perf_event::Sampler>> {
        let attach = |processor| {
            let mut builder = builder(way);
            builder.observe_pid(pid as i32).one_cpu(processor).inherit(true);
            builder.build()?.sampled(bytes)
        };
        processors().into_iter().map(attach).collect()
    }

    /// The online processors: `0-3,6`.
    fn processors() -> Vec<usize> {
        let text = std::fs::read_to_string("/sys/devices/system/cpu/online").unwrap_or_default();
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            Some(first.parse::<usize>().ok()?..=last.parse::<usize>().ok()?)
        };
        let all: Vec<usize> = text.trim().split(',').filter_map(range).flatten().collect();
        if all.is_empty() {
            (0..std::thread::available_parallelism().map_or(1, Into::into)).collect()
        } else {
            all
        }
    }
}

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub(super) use elsewhere::{possible, Sampler, Way};

#[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
mod elsewhere {
    use super::{Event, Losses, Sample};

    const WHY: &str = "processes can only be sampled on Linux on x86-64 and AArch64";

    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in super::super) struct Way {
        pub event: Event,
        pub with_kernel: bool,
        pub rate: u64,
    }

    pub(in super::super) fn possible() -> Result<Way, String> {
        Err(WHY.to_owned())
    }

    pub(in super::super) struct Sampler {
        pub(in super::super) losses: Losses,
    }

    impl Sampler {
        pub(in super::super) fn to(_: u32, _: Way) -> Result<Sampler, String> {
            Err(WHY.to_owned())
        }

        pub(in super::super) fn enable(&mut self) -> Result<(), String> {
            Err(WHY.to_owned())
        }

        pub(in super::super) fn disable(&mut self) -> Result<(), String> {
            Err(WHY.to_owned())
        }

        pub(in super::super) fn drain(&mut self, _: impl FnMut(&Sample)) {}
    }
}
