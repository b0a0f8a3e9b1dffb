//! All diagnosers of the host.

use crate::{
    allocations, code, counters, denormals, exceptions, inlining, instructions, memory, profile, remarks, syscalls,
    threads, Diagnoser,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cost {
    /// Nothing: it is read from launches that are made anyway.
    Nothing,
    /// Compiling the program again.
    Compilation,
    /// A process of its own for each pass.
    Pass,
    /// A process of its own for each pass, under a tool that slows it.
    Tool,
}

impl Cost {
    pub fn text(self) -> &'static str {
        match self {
            Cost::Nothing => "nothing",
            Cost::Compilation => "one more compilation",
            Cost::Pass => "a separate pass",
            Cost::Tool => "a run under a tool",
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Need {
    /// A kind of system.
    System(&'static str),
    /// A program on the `PATH`.
    Tool(&'static str),
    Right(&'static str),
    /// Programs in one of these languages.
    Language(&'static str),
}

impl Need {
    pub fn text(self) -> &'static str {
        match self {
            Need::System(text) | Need::Tool(text) | Need::Right(text) | Need::Language(text) => text,
        }
    }
}

pub struct Entry {
    /// The name by which it is requested.
    pub name: &'static str,
    pub about: &'static str,
    /// What a pass costs.
    pub cost: Cost,
    pub needs: &'static [Need],
    /// Metrics that it gives. A limit on one of them requests it.
    pub metrics: &'static [&'static str],
    /// The topic of `tare help` that explains it.
    pub topic: &'static str,
    pub make: fn() -> Box<dyn Diagnoser>,
}

pub const ALL: &[Entry] = &[
    allocations::ALLOCATIONS,
    code::CODE,
    counters::COUNTERS,
    denormals::DENORMALS,
    exceptions::EXCEPTIONS,
    inlining::INLINING,
    instructions::INSTRUCTIONS,
    memory::MEMORY,
    profile::PROFILE,
    remarks::REMARKS,
    profile::RUNTIME,
    syscalls::SYSCALLS,
    threads::THREADS,
];

pub fn entry(name: &str) -> Option<&'static Entry> {
    ALL.iter().find(|entry| entry.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_has_a_name_of_its_own_and_says_what_it_does() {
        let names: std::collections::BTreeSet<&str> = ALL.iter().map(|entry| entry.name).collect();
        assert_eq!(names.len(), ALL.len());
        for entry in ALL {
            assert!(tare_model::Metric::is_name(entry.name), "{}", entry.name);
            let made = (entry.make)();
            assert_eq!(made.name(), entry.name);
            let starts_none = matches!(entry.cost, Cost::Nothing | Cost::Compilation);
            assert_eq!(
                made.pass(&tare_model::Artifact::default()).work == crate::Work::Nothing,
                starts_none,
                "{}",
                entry.name
            );
            assert!(!entry.about.is_empty() && !entry.topic.is_empty() && !entry.needs.is_empty(), "{}", entry.name);
        }
    }
}
