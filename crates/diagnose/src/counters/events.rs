//! The events, and how they are attached to a process.

/// An event that is counted.
#[derive(Debug, Clone, Copy)]
pub(super) struct Event {
    /// The name of its metric.
    pub name: &'static str,
    kind: Kind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// The processor counts it, in user code.
    Hardware(Hardware),
    /// The kernel counts it.
    Software(Software),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Hardware {
    Cycles,
    Instructions,
    Branches,
    Mispredictions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Software {
    PageFaults,
    Switches,
    Migrations,
}

/// All of them. Those of the processor are one group, which is small enough to be counted at the same time on common processors.
pub(super) const ALL: [Event; 7] = [
    Event { name: "cycles", kind: Kind::Hardware(Hardware::Cycles) },
    Event { name: "instructions", kind: Kind::Hardware(Hardware::Instructions) },
    Event { name: "branches", kind: Kind::Hardware(Hardware::Branches) },
    Event { name: "mispredicted", kind: Kind::Hardware(Hardware::Mispredictions) },
    Event { name: "page_faults", kind: Kind::Software(Software::PageFaults) },
    Event { name: "context_switches", kind: Kind::Software(Software::Switches) },
    Event { name: "migrations", kind: Kind::Software(Software::Migrations) },
];

#[cfg(target_os = "linux")]
pub(super) use linux::{possible, Attached};

#[cfg(target_os = "linux")]
mod linux {
    use super::{Event, Hardware, Kind, Software, ALL};
    use perf_event::{events, Builder, Counter};
    use std::io;

    const PARANOID: &str = "/proc/sys/kernel/perf_event_paranoid";

    /// What can be counted here, and what not, with the reason: each is tried on this process.
    pub(in super::super) fn possible() -> (Vec<Event>, Vec<(&'static str, String)>) {
        let (mut possible, mut missing) = (Vec::new(), Vec::new());
        for event in ALL {
            match builder(event).observe_self().build() {
                Ok(_) => possible.push(event),
                Err(error) => missing.push((event.name, reason(event, &error))),
            }
        }
        (possible, missing)
    }

    /// Counters of a process and of all threads and processes that it starts from now on.
    pub(in super::super) struct Attached {
        counters: Vec<(Event, Counter)>,
    }

    impl Attached {
        /// Attaches all events but those that are missing.
        ///
        /// # Errors
        /// Why one cannot be attached.
        pub(in super::super) fn to(pid: u32, missing: &[(&'static str, String)]) -> Result<Attached, String> {
            let mut counters: Vec<(Event, Counter)> = Vec::new();
            for event in ALL.into_iter().filter(|event| missing.iter().all(|(name, _)| *name != event.name)) {
                let is_hardware = |event: &Event| matches!(event.kind, Kind::Hardware(_));
                let leader = counters.first_mut().filter(|(first, _)| is_hardware(first) && is_hardware(&event));
                let mut builder = builder(event);
                builder.observe_pid(pid as i32).inherit(true);
                let built = match leader {
                    Some((_, leader)) => builder.build_with_group(leader),
                    // The group is counted always or not at all, and never for a part of the time.
                    None => builder.pinned(is_hardware(&event)).build(),
                };
                let counter =
                    built.map_err(|error| format!("cannot count `{}`: {}", event.name, reason(event, &error)))?;
                counters.push((event, counter));
            }
            Ok(Attached { counters })
        }

        pub(in super::super) fn events(&self) -> impl Iterator<Item = &Event> {
            self.counters.iter().map(|(event, _)| event)
        }

        pub(in super::super) fn enable(&mut self) -> Result<(), String> {
            self.each(Counter::enable)
        }

        pub(in super::super) fn disable(&mut self) -> Result<(), String> {
            self.each(Counter::disable)
        }

        fn each(&mut self, does: fn(&mut Counter) -> io::Result<()>) -> Result<(), String> {
            let failed = self.counters.iter_mut().find_map(|(event, counter)| Some((event, does(counter).err()?)));
            failed.map_or(Ok(()), |(event, error)| Err(format!("cannot count `{}`: {error}", event.name)))
        }

        /// What each has counted so far.
        ///
        /// # Errors
        /// The processor cannot count all of them at the same time.
        pub(in super::super) fn read(&mut self) -> Result<Vec<u64>, String> {
            let read = |(event, counter): &mut (Event, Counter)| match counter.read_full() {
                // An event that is counted for a part of the time only would have to be estimated.
                Ok(data) if data.time_running() < data.time_enabled() && matches!(event.kind, Kind::Hardware(_)) => {
                    Err(busy(event.name))
                }
                Ok(data) => Ok(data.count()),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Err(busy(event.name)),
                Err(error) => Err(format!("cannot read `{}`: {error}", event.name)),
            };
            self.counters.iter_mut().map(read).collect()
        }
    }

    fn busy(name: &str) -> String {
        format!("the processor has no counter left for `{name}`: another program such as `perf`, or the NMI watchdog, uses it")
    }

    fn builder<'a>(event: Event) -> Builder<'a> {
        let mut builder = match event.kind {
            Kind::Hardware(Hardware::Cycles) => Builder::new(events::Hardware::CPU_CYCLES),
            Kind::Hardware(Hardware::Instructions) => Builder::new(events::Hardware::INSTRUCTIONS),
            Kind::Hardware(Hardware::Branches) => Builder::new(events::Hardware::BRANCH_INSTRUCTIONS),
            Kind::Hardware(Hardware::Mispredictions) => Builder::new(events::Hardware::BRANCH_MISSES),
            Kind::Software(Software::PageFaults) => Builder::new(events::Software::PAGE_FAULTS),
            Kind::Software(Software::Switches) => Builder::new(events::Software::CONTEXT_SWITCHES),
            Kind::Software(Software::Migrations) => Builder::new(events::Software::CPU_MIGRATIONS),
        };
        builder.exclude_hv(true).exclude_kernel(true);
        // Switches and migrations happen in the kernel alone.
        if matches!(event.kind, Kind::Software(Software::Switches | Software::Migrations)) {
            builder.include_kernel();
        }
        builder
    }

    /// Why an event cannot be counted, and what to do.
    fn reason(event: Event, error: &io::Error) -> String {
        let is_hardware = matches!(event.kind, Kind::Hardware(_));
        match error.kind() {
            io::ErrorKind::NotFound if is_hardware => {
                "this machine exposes no hardware counters, like many virtual machines (ENOENT)".to_owned()
            }
            io::ErrorKind::Unsupported if is_hardware => {
                "the processor has no such counter, or the virtual machine hides it (EOPNOTSUPP)".to_owned()
            }
            io::ErrorKind::PermissionDenied => {
                let level = std::fs::read_to_string(PARANOID).unwrap_or_default();
                let wanted = if is_hardware { 2 } else { 1 };
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
}

#[cfg(not(target_os = "linux"))]
pub(super) use elsewhere::{possible, Attached};

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use super::{Event, ALL};

    const WHY: &str = "events can only be counted on Linux";

    pub(in super::super) fn possible() -> (Vec<Event>, Vec<(&'static str, String)>) {
        (Vec::new(), ALL.iter().map(|event| (event.name, WHY.to_owned())).collect())
    }

    /// Nothing can be attached.
    pub(in super::super) struct Attached;

    impl Attached {
        pub(in super::super) fn to(_: u32, _: &[(&'static str, String)]) -> Result<Attached, String> {
            Err(WHY.to_owned())
        }

        pub(in super::super) fn events(&self) -> impl Iterator<Item = &Event> {
            std::iter::empty()
        }

        pub(in super::super) fn enable(&mut self) -> Result<(), String> {
            Err(WHY.to_owned())
        }

        pub(in super::super) fn disable(&mut self) -> Result<(), String> {
            Err(WHY.to_owned())
        }

        pub(in super::super) fn read(&mut self) -> Result<Vec<u64>, String> {
            Err(WHY.to_owned())
        }
    }
}
