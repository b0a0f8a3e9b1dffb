//! The events, by their usual names and by the kernel's.

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(target_os = "linux")]
mod linux;

#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::{possible, Attached};
#[cfg(target_os = "linux")]
pub(crate) use linux::{possible, Attached};

use tare_model::Metric;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// The name of its metric.
    pub name: String,
    pub label: String,
    kind: EventSource,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum EventSource {
    /// Counted by the processor, in user code.
    Processor(Processor),
    Software(Software),
    /// Counted by another unit of the machine, given by the names of the unit and the event in `/sys/bus/event_source`.
    Unit(String, String),
    /// A point that the kernel passes: its system and its name.
    Tracepoint(String, String),
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Processor {
    Cycles,
    ReferenceCycles,
    BusCycles,
    Instructions,
    Branches,
    Mispredictions,
    CacheReferences,
    CacheMisses,
    FrontendStalls,
    BackendStalls,
    /// A cache, and whether to count its misses.
    Cache(Cache, bool),
    /// One of the kernel's list for this processor.
    Named(String),
    /// The number in the processor's manual.
    Raw(u64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Cache {
    FirstData,
    FirstCode,
    Last,
    DataPages,
    CodePages,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Software {
    PageFaults,
    MinorFaults,
    MajorFaults,
    Switches,
    Migrations,
    TaskClock,
    AlignmentFaults,
    EmulationFaults,
}

/// The default events. Those of the processor form one group, small enough to be counted at the same time on common processors.
const USUAL: [&str; 7] =
    ["cycles", "instructions", "branches", "mispredicted", "page_faults", "context_switches", "migrations"];

/// Names with the same meaning on every machine.
fn known(name: &str) -> Option<EventSource> {
    use Processor as P;
    use Software as S;
    let processor = match name {
        "cycles" | "cpu-cycles" => P::Cycles,
        "ref-cycles" => P::ReferenceCycles,
        "bus-cycles" => P::BusCycles,
        "instructions" => P::Instructions,
        "branches" | "branch-instructions" => P::Branches,
        "mispredicted" | "branch-misses" => P::Mispredictions,
        "cache-references" => P::CacheReferences,
        "cache-misses" => P::CacheMisses,
        "stalled-cycles-frontend" => P::FrontendStalls,
        "stalled-cycles-backend" => P::BackendStalls,
        "L1-dcache-loads" => P::Cache(Cache::FirstData, false),
        "L1-dcache-load-misses" => P::Cache(Cache::FirstData, true),
        "L1-icache-load-misses" => P::Cache(Cache::FirstCode, true),
        "LLC-loads" => P::Cache(Cache::Last, false),
        "LLC-load-misses" => P::Cache(Cache::Last, true),
        "dTLB-loads" => P::Cache(Cache::DataPages, false),
        "dTLB-load-misses" => P::Cache(Cache::DataPages, true),
        "iTLB-load-misses" => P::Cache(Cache::CodePages, true),
        _ => {
            let software = match name {
                "page_faults" | "page-faults" | "faults" => S::PageFaults,
                "minor-faults" => S::MinorFaults,
                "major-faults" => S::MajorFaults,
                "context_switches" | "context-switches" => S::Switches,
                "migrations" | "cpu-migrations" => S::Migrations,
                "task-clock" => S::TaskClock,
                "alignment-faults" => S::AlignmentFaults,
                "emulation-faults" => S::EmulationFaults,
                _ => return None,
            };
            return Some(EventSource::Software(software));
        }
    };
    Some(EventSource::Processor(processor))
}

/// The events of these names, or the default ones if there are none. The error is the first unknown name.
pub(crate) fn chosen(names: &[String]) -> Result<Vec<Event>, String> {
    let usual = USUAL.iter().map(|name| (*name).to_owned());
    let names: Vec<String> = if names.is_empty() { usual.collect() } else { names.to_vec() };
    let mut events: Vec<Event> = Vec::new();
    for name in &names {
        let event = event(name.trim())?;
        if events.iter().all(|known| known.name != event.name) {
            events.push(event);
        }
    }
    Ok(events)
}

fn event(label: &str) -> Result<Event, String> {
    let kind = known(label).map_or_else(|| other(label), Ok)?;
    Ok(Event { name: metric_name(label), label: label.to_owned(), kind })
}

/// By a number, by the names of a unit and its event, or by the name of a point in the kernel.
fn other(label: &str) -> Result<EventSource, String> {
    if let Some(number) = label.strip_prefix('r').and_then(|digits| u64::from_str_radix(digits, 16).ok()) {
        return Ok(EventSource::Processor(Processor::Raw(number)));
    }
    let is_word = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_.".contains(&b))
            && !text.starts_with('.')
    };
    if let Some((unit, event)) = label.trim_end_matches('/').split_once('/').filter(|(a, b)| is_word(a) && is_word(b)) {
        return match unit {
            "cpu" => Ok(EventSource::Processor(Processor::Named(event.to_owned()))),
            unit => Ok(EventSource::Unit(unit.to_owned(), event.to_owned())),
        };
    }
    if let Some((system, point)) = label.split_once(':').filter(|(a, b)| is_word(a) && is_word(b)) {
        return Ok(EventSource::Tracepoint(system.to_owned(), point.to_owned()));
    }
    let is_listed =
        is_word(label) && std::path::Path::new("/sys/bus/event_source/devices/cpu/events").join(label).exists();
    match is_listed {
        true => Ok(EventSource::Processor(Processor::Named(label.to_owned()))),
        false => Err(format!(
            "`{label}` is not an event that this system knows: use names such as cycles, branch-misses, page-faults, a number such as \
             r01c2, UNIT/EVENT of /sys/bus/event_source/devices, or SYSTEM:POINT of the kernel's tracepoints"
        )),
    }
}

/// The name of the metric, usable as a column.
fn metric_name(label: &str) -> String {
    /// Longest name of a metric, characters.
    const LONGEST: usize = 40;
    let plain = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
    let mut name: String = label.trim_matches('/').chars().map(plain).collect();
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        name.insert(0, 'e');
    }
    name.truncate(LONGEST);
    debug_assert!(Metric::is_name(&name));
    name
}

impl Event {
    fn is_of_processor(&self) -> bool {
        matches!(self.kind, EventSource::Processor(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_have_the_names_of_the_kernel_numbers_and_ours() {
        let of = |name: &str| chosen(&[name.to_owned()]).map(|events| events[0].clone());
        let kind = |name: &str| of(name).unwrap_or_else(|why| panic!("{why}")).kind;
        assert_eq!(kind("branch-misses"), kind("mispredicted"));
        assert_eq!(kind("r01c2"), EventSource::Processor(Processor::Raw(0x1c2)));
        assert_eq!(kind("msr/tsc/"), EventSource::Unit("msr".to_owned(), "tsc".to_owned()));
        assert_eq!(kind("sched:sched_switch"), EventSource::Tracepoint("sched".to_owned(), "sched_switch".to_owned()));
        assert_eq!(kind("cpu/mem-loads/"), EventSource::Processor(Processor::Named("mem-loads".to_owned())));
        assert_eq!(of("LLC-load-misses").map(|event| event.name).as_deref(), Ok("llc_load_misses"));
        for wrong in ["", "nothing", "../x", "a/../b", "msr/", "x y", "r"] {
            assert!(of(wrong).is_err_and(|why| why.contains("is not an event")), "{wrong}");
        }
        // Each once, and the default ones if none is chosen.
        assert_eq!(chosen(&["cycles".to_owned(), "cycles".to_owned()]).map(|events| events.len()), Ok(1));
        let usual = chosen(&[]).expect("they are known");
        assert!(usual.len() == USUAL.len() && usual.iter().all(|event| Metric::is_name(&event.name)));
    }
}
