//! What is known of both sides beside their times, and what it means when it differs.

use super::Saved;
use tare_model::{Advice, Finding, Severity};

/// Names of the facts in [`Saved::machine`]. A fact that a tool does not record is not there.
pub mod fact {
    /// Model name of the processor.
    pub const CPU: &str = "cpu";
    /// Logical processors.
    pub const PROCESSORS: &str = "processors";
    /// Architecture.
    pub const ARCHITECTURE: &str = "architecture";
    /// Operating system.
    pub const OS: &str = "os";
    /// Kernel.
    pub const KERNEL: &str = "kernel";
    /// C library.
    pub const LIBC: &str = "libc";
    /// Frequency governor.
    pub const GOVERNOR: &str = "governor";
    /// Turbo: `on`, `off`.
    pub const TURBO: &str = "turbo";
    /// Address space layout randomisation.
    pub const ASLR: &str = "aslr";
    /// Transparent huge pages.
    pub const HUGE_PAGES: &str = "huge pages";
    /// Nominal frequency of the processor.
    pub const FREQUENCY: &str = "frequency";
    /// Compiler with version.
    pub const COMPILER: &str = "compiler";
    /// Flags of the compiler or of the runtime.
    pub const FLAGS: &str = "flags";
    /// Runtime or standard library with version.
    pub const RUNTIME: &str = "runtime";
    /// Built with optimisation: `yes`, `no`.
    pub const OPTIMISED: &str = "optimised";
    /// How it was run, where the tool has jobs.
    pub const JOB: &str = "job";
    /// Version of the tool.
    pub const TOOL_VERSION: &str = "tool version";
    /// How the library of the tool was built, where it says so.
    pub const TOOL_BUILD: &str = "tool build";
    /// The library that is linked into what is measured.
    pub const FRONT_END: &str = "front end";
    /// Version of the method.
    pub const METHOD: &str = "method";
    /// Settings that change what is measured: threads, mode, processors of the runtime.
    pub const SETTINGS: &str = "settings";
    /// The clock.
    pub const CLOCK: &str = "clock";
    /// Whether code layout was varied between launches: `varied`, `fixed`.
    pub const LAYOUT: &str = "layout";
    /// When it was measured.
    pub const DATE: &str = "date";
    /// Revision of the code.
    pub const REVISION: &str = "revision";
    /// The working copy had changes that were not committed: `yes`.
    pub const DIRTY: &str = "dirty";
}

/// Facts that mean the same when they differ.
struct Kind {
    code: &'static str,
    facts: &'static [&'static str],
    advice: &'static str,
}

const KINDS: [Kind; 6] = [
    Kind {
        code: "other-machine",
        facts: &[fact::CPU, fact::PROCESSORS, fact::ARCHITECTURE, fact::FREQUENCY],
        advice: "measure both sides on one machine: a ratio between machines is not one between programs",
    },
    Kind {
        code: "other-system",
        facts: &[fact::OS, fact::KERNEL, fact::LIBC, fact::GOVERNOR, fact::TURBO, fact::ASLR, fact::HUGE_PAGES],
        advice: "measure both sides under one system with the same settings, unless the system is what is compared",
    },
    Kind {
        code: "other-build",
        facts: &[fact::COMPILER, fact::FLAGS, fact::RUNTIME, fact::OPTIMISED, fact::JOB],
        advice: "build both sides alike, unless the build is what is compared",
    },
    Kind {
        code: "other-tool",
        facts: &[fact::TOOL_VERSION, fact::TOOL_BUILD, fact::FRONT_END, fact::SETTINGS],
        advice: "measure both sides with one version of the tool and the same settings: a new one alone has made \
                 thousands of false alarms",
    },
    Kind {
        code: "other-method",
        facts: &[fact::METHOD],
        advice: "measure both sides by one version of the method: its numbers are not those of another",
    },
    Kind {
        code: "other-clock",
        facts: &[fact::CLOCK],
        advice:
            "give both sides at one clock: runs of one machine share its profile, and `--wall` is for both or neither",
    },
];

/// What differs between both sides, and what cannot be known.
pub(super) fn differences(base: &Saved, new: &Saved) -> Vec<Finding> {
    let mut findings: Vec<Finding> = KINDS.iter().filter_map(|kind| difference(kind, base, new)).collect();
    if base.tool != new.tool {
        findings.push(finding(
            "other-tool",
            Severity::Warning,
            format!("the base was measured by {}, the new side by {}", base.tool, new.tool),
            "measure both sides with one tool: each takes another share of the loop and of the harness into the time",
        ));
    }
    let unknown: Vec<&str> =
        [base, new].into_iter().filter(|s| !s.machine.contains_key(fact::CPU)).map(|s| s.name.as_str()).collect();
    if !unknown.is_empty() {
        findings.push(finding(
            "unknown-machine",
            Severity::Note,
            match unknown[..] {
                [only] => format!("{only} does not say which processor it was measured on"),
                _ => format!("{} do not say which processor they were measured on", unknown.join(" and ")),
            },
            "make sure that both sides are of one machine: this data cannot show it",
        ));
    }
    findings
}

fn difference(kind: &Kind, base: &Saved, new: &Saved) -> Option<Finding> {
    let differing: Vec<String> = kind
        .facts
        .iter()
        .filter_map(|&name| {
            let (before, after) = (base.machine.get(name)?, new.machine.get(name)?);
            (before != after).then(|| format!("{name}: `{before}` and `{after}`"))
        })
        .collect();
    if differing.is_empty() {
        return None;
    }
    Some(finding(kind.code, Severity::Warning, differing.join("; "), kind.advice))
}

/// Whether both sides are known to be of one machine.
pub(super) fn same_machine(base: &Saved, new: &Saved) -> bool {
    [fact::CPU, fact::PROCESSORS, fact::ARCHITECTURE].iter().all(|&name| {
        let value = base.machine.get(name);
        value.is_some() && value == new.machine.get(name)
    })
}

/// A finding about the comparison as a whole.
pub(super) fn finding(code: &str, severity: Severity, evidence: String, advice: &str) -> Finding {
    Finding {
        code: code.to_owned(),
        severity,
        case: None,
        cases: Vec::new(),
        evidence,
        advice: Advice { text: advice.to_owned(), command: None },
    }
}

/// Names in one line: the first few, and how many more.
pub(super) fn some_of(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let first: Vec<String> = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect();
    match names.len().saturating_sub(SHOWN) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
