//! Facts about both sides other than their times, and the consequences if they differ.

use super::Saved;
use crate::finding::{Code, Finding, Sentence, Severity};

/// Names of the facts in [`Saved::machine`]. Facts that a tool does not record are missing.
pub mod fact {
    pub const CPU: &str = "cpu";
    pub const GPU: &str = "gpu";
    pub const PROCESSORS: &str = "processors";
    pub const ARCHITECTURE: &str = "architecture";
    pub const OS: &str = "os";
    pub const KERNEL: &str = "kernel";
    pub const LIBC: &str = "libc";
    pub const GOVERNOR: &str = "governor";
    /// Turbo: `on`, `off`.
    pub const TURBO: &str = "turbo";
    pub const ASLR: &str = "aslr";
    pub const HUGE_PAGES: &str = "huge pages";
    pub const FREQUENCY: &str = "frequency";
    pub const COMPILER: &str = "compiler";
    pub const FLAGS: &str = "flags";
    /// Runtime or standard library with version.
    pub const RUNTIME: &str = "runtime";
    /// Built with optimisation: `yes`, `no`.
    pub const OPTIMISED: &str = "optimised";
    /// How it was run, if the tool has jobs.
    pub const JOB: &str = "job";
    /// What measured, if different from the tool of the format.
    pub const TOOL: &str = "tool";
    pub const TOOL_VERSION: &str = "tool version";
    /// Name of the measured program, if the tool reports it.
    pub const PROGRAM: &str = "program";
    /// How the tool's library was built, if reported.
    pub const TOOL_BUILD: &str = "tool build";
    /// The library linked into the measured program.
    pub const FRONT_END: &str = "front end";
    pub const METHOD: &str = "method";
    pub const CLOCK: &str = "clock";
    /// Whether one code layout may favour a program: `fixed`, or `varied` between launches, as for interpreted code.
    pub const LAYOUT: &str = "layout";
    pub const DATE: &str = "date";
    pub const REVISION: &str = "revision";
    /// Whether the working copy had uncommitted changes: `yes`.
    pub const DIRTY: &str = "dirty";
}

/// The finding if both sides are known to differ in some of these facts.
pub(crate) fn differing(
    code: Code,
    facts: &[&str],
    advice: impl Into<Sentence>,
    base: &Saved,
    new: &Saved,
) -> Option<Finding> {
    let differing = facts.iter().filter_map(|&name| {
        let (before, after) = (base.machine.get(name)?, new.machine.get(name)?);
        (!is_one(before, after)).then_some((name, before, after))
    });
    let mut evidence = Sentence::default();
    for (name, before, after) in differing {
        let start = if evidence.pattern.is_empty() { name.to_owned() } else { format!("; {name}") };
        let (of_base, of_new) = (format!("{name} of base"), format!("{name} of new"));
        let pattern = format!("{start}: `{{{of_base}}}` and `{{{of_new}}}`");
        evidence = evidence.then(Sentence::new(&pattern).text(&of_base, before).text(&of_new, after));
    }
    (!evidence.pattern.is_empty()).then(|| Finding::new(code, Severity::Warning, evidence, advice))
}

/// Whether two tools may mean the same by these texts: additions in brackets in one of them do not count, nor do trademark signs.
fn is_one(before: &str, after: &str) -> bool {
    let begins = |long: &str, short: &str| {
        long.strip_prefix(short).is_some_and(|rest| rest.is_empty() || rest.starts_with(" ("))
    };
    let [before, after] = [before, after].map(|text| text.replace("(R)", "").replace("(TM)", ""));
    begins(&before, &after) || begins(&after, &before)
}

/// Whether both sides are known to be from one machine.
pub(crate) fn same_machine(base: &Saved, new: &Saved) -> bool {
    [fact::CPU, fact::PROCESSORS, fact::ARCHITECTURE]
        .iter()
        .all(|&name| base.machine.get(name).zip(new.machine.get(name)).is_some_and(|(base, new)| is_one(base, new)))
}

#[cfg(test)]
mod tests {
    use super::is_one;

    #[test]
    fn tools_call_one_thing_by_several_names() {
        for (one, other) in [
            (".NET 10.0.12 (10.0.12, 10.0.1226.42308)", ".NET 10.0.12"),
            ("AMD EPYC", "AMD EPYC (family 26, model 2)"),
            ("Intel Xeon Platinum 8488C", "Intel(R) Xeon(R) Platinum 8488C"),
        ] {
            assert!(is_one(one, other) && is_one(other, one), "{one}, {other}");
        }
        for (one, other) in [(".NET 10.0.12", ".NET 10.0.1"), ("a (1)", "a (2)"), ("x86_64", "x86")] {
            assert!(!is_one(one, other) && !is_one(other, one), "{one}, {other}");
        }
    }
}
