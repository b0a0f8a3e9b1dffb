//! Events, attached to a process by the kernel (`perf_event_open`).

use super::{Cache, Event, EventSource, Processor, Software};
use perf_event::events::{self, CacheId, CacheOp, CacheResult, Dynamic, Raw, Tracepoint};
use perf_event::{Builder, Counter};
use std::io;

const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

/// The events that can be counted here, and the others with the reason: each is tried on this process.
pub(crate) fn possible(events: Vec<Event>) -> (Vec<Event>, Vec<(String, String)>) {
    let (mut possible, mut missing) = (Vec::new(), Vec::new());
    for event in events {
        match builder(&event).and_then(|mut builder| builder.observe_self().build()) {
            Ok(_) => possible.push(event),
            Err(error) => missing.push((event.label.clone(), reason(&event, &error))),
        }
    }
    (possible, missing)
}

/// Counters for a process and all threads and processes that it starts from now on.
pub(crate) struct Attached {
    counters: Vec<(Event, Counter)>,
}

impl Attached {
    pub(crate) fn to(pid: u32, events: &[Event]) -> Result<Attached, String> {
        let mut counters: Vec<(Event, Counter)> = Vec::new();
        for event in events {
            let leader = counters.iter_mut().find(|(first, _)| first.is_of_processor() && event.is_of_processor());
            let built = builder(event).and_then(|mut builder| {
                builder.observe_pid(pid as i32).inherit(true);
                match leader {
                    Some((_, leader)) => builder.build_with_group(leader),
                    // The group is counted always or not at all, never part of the time.
                    None => builder.pinned(event.is_of_processor()).build(),
                }
            });
            let counter =
                built.map_err(|error| format!("cannot count `{}`: {}", event.label, reason(event, &error)))?;
            counters.push((event.clone(), counter));
        }
        Ok(Attached { counters })
    }

    pub(crate) fn enable(&mut self) -> Result<(), String> {
        self.each(Counter::enable)
    }

    pub(crate) fn disable(&mut self) -> Result<(), String> {
        self.each(Counter::disable)
    }

    fn each(&mut self, does: fn(&mut Counter) -> io::Result<()>) -> Result<(), String> {
        let failed = self.counters.iter_mut().find_map(|(event, counter)| Some((event, does(counter).err()?)));
        failed.map_or(Ok(()), |(event, error)| Err(format!("cannot count `{}`: {error}", event.label)))
    }

    /// The counts so far. Fails if the processor cannot count all of them at the same time.
    pub(crate) fn read(&mut self) -> Result<Vec<u64>, String> {
        let read = |(event, counter): &mut (Event, Counter)| match counter.read_full() {
            // A count over part of the time would have to be extrapolated.
            Ok(data) if data.time_running() < data.time_enabled() && event.is_of_processor() => Err(busy(&event.label)),
            Ok(data) => Ok(data.count()),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(busy(&event.label)),
            Err(error) => Err(format!("cannot read `{}`: {error}", event.label)),
        };
        self.counters.iter_mut().map(read).collect()
    }
}

fn busy(label: &str) -> String {
    format!(
        "the processor has no counter left for `{label}`: another program such as `perf`, or the NMI watchdog, uses it, or fewer events \
         must be chosen: `--counters EVENT,EVENT`"
    )
}

fn builder<'a>(event: &Event) -> io::Result<Builder<'a>> {
    use events::{Hardware as H, Software as S};
    let processor = |processor: &Processor| -> io::Result<Builder<'a>> {
        let cache = |which, result| events::Cache { which, operation: CacheOp::READ, result };
        Ok(match processor {
            Processor::Cycles => Builder::new(H::CPU_CYCLES),
            Processor::ReferenceCycles => Builder::new(H::REF_CPU_CYCLES),
            Processor::BusCycles => Builder::new(H::BUS_CYCLES),
            Processor::Instructions => Builder::new(H::INSTRUCTIONS),
            Processor::Branches => Builder::new(H::BRANCH_INSTRUCTIONS),
            Processor::Mispredictions => Builder::new(H::BRANCH_MISSES),
            Processor::CacheReferences => Builder::new(H::CACHE_REFERENCES),
            Processor::CacheMisses => Builder::new(H::CACHE_MISSES),
            Processor::FrontendStalls => Builder::new(H::STALLED_CYCLES_FRONTEND),
            Processor::BackendStalls => Builder::new(H::STALLED_CYCLES_BACKEND),
            Processor::Cache(which, misses) => {
                let which = match which {
                    Cache::FirstData => CacheId::L1D,
                    Cache::FirstCode => CacheId::L1I,
                    Cache::Last => CacheId::LL,
                    Cache::DataPages => CacheId::DTLB,
                    Cache::CodePages => CacheId::ITLB,
                };
                Builder::new(cache(which, if *misses { CacheResult::MISS } else { CacheResult::ACCESS }))
            }
            Processor::Named(name) => Builder::new(named("cpu", name)?),
            Processor::Raw(number) => Builder::new(Raw::new(*number)),
        })
    };
    let mut builder = match &event.kind {
        EventSource::Processor(of) => processor(of)?,
        EventSource::Software(Software::PageFaults) => Builder::new(S::PAGE_FAULTS),
        EventSource::Software(Software::MinorFaults) => Builder::new(S::PAGE_FAULTS_MIN),
        EventSource::Software(Software::MajorFaults) => Builder::new(S::PAGE_FAULTS_MAJ),
        EventSource::Software(Software::Switches) => Builder::new(S::CONTEXT_SWITCHES),
        EventSource::Software(Software::Migrations) => Builder::new(S::CPU_MIGRATIONS),
        EventSource::Software(Software::TaskClock) => Builder::new(S::TASK_CLOCK),
        EventSource::Software(Software::AlignmentFaults) => Builder::new(S::ALIGNMENT_FAULTS),
        EventSource::Software(Software::EmulationFaults) => Builder::new(S::EMULATION_FAULTS),
        EventSource::Unit(unit, name) => Builder::new(named(unit, name)?),
        EventSource::Tracepoint(system, point) => Builder::new(Tracepoint::with_name(format!("{system}/{point}"))?),
    };
    builder.exclude_hv(true).exclude_kernel(true);
    match event.kind {
        // They only happen in the kernel.
        EventSource::Software(Software::Switches | Software::Migrations) | EventSource::Tracepoint(..) => {
            _ = builder.include_kernel()
        }
        // Other units cannot tell who caused an event.
        EventSource::Unit(..) => _ = builder.include_kernel().include_hv(),
        _ => {}
    }
    Ok(builder)
}

/// An event of the kernel's list.
fn named(unit: &str, name: &str) -> io::Result<Dynamic> {
    let built = Dynamic::builder(unit)?.event(name)?.build();
    built.map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))
}

/// Why an event cannot be counted, and what to do.
fn reason(event: &Event, error: &io::Error) -> String {
    let is_numbered = matches!(
        event.kind,
        EventSource::Processor(Processor::Named(_)) | EventSource::Unit(..) | EventSource::Tracepoint(..)
    );
    match error.kind() {
        io::ErrorKind::NotFound if is_numbered => match &event.kind {
            EventSource::Tracepoint(..) => {
                "the kernel has no such tracepoint, or `/sys/kernel/tracing` cannot be read".to_owned()
            }
            EventSource::Unit(unit, _) => format!("`/sys/bus/event_source/devices/{unit}/events` does not have it"),
            _ => "`/sys/bus/event_source/devices/cpu/events` does not have it".to_owned(),
        },
        io::ErrorKind::NotFound if event.is_of_processor() => {
            "this machine exposes no hardware counters, like many virtual machines (ENOENT)".to_owned()
        }
        io::ErrorKind::Unsupported if event.is_of_processor() => {
            "the processor has no such counter, or the virtual machine hides it (EOPNOTSUPP)".to_owned()
        }
        io::ErrorKind::InvalidInput if event.is_of_processor() => {
            "the processor cannot count it beside the others (EINVAL): choose fewer events".to_owned()
        }
        io::ErrorKind::PermissionDenied => {
            let level = std::fs::read_to_string(PARANOID).unwrap_or_default();
            let wanted = match event.kind {
                EventSource::Processor(_) => 2,
                EventSource::Unit(..) | EventSource::Tracepoint(..) => 0,
                EventSource::Software(_) => 1,
            };
            match level.trim().parse::<i32>() {
                Ok(level) if level > wanted => format!(
                    "`kernel.perf_event_paranoid` is {level} (EACCES): `sudo sysctl kernel.perf_event_paranoid={wanted}` allows it"
                ),
                _ => "the system does not allow it, as in a container (EPERM): `docker run --cap-add PERFMON` allows it".to_owned(),
            }
        }
        _ => error.to_string(),
    }
}
