//! Facts about a language that do not need a build. The values are in its folder in `crates/build/src/languages`, next to the code that
//! builds it, but compiled here for crates that must not depend on `build`.

use crate::{Artifact, CodeName, Strategy};
use std::collections::BTreeMap;

#[path = "../../build/src/languages/c/facts.rs"]
mod c;
#[path = "../../build/src/languages/cpp/facts.rs"]
mod cpp;
#[path = "../../build/src/languages/cuda/facts.rs"]
mod cuda;
#[path = "../../build/src/languages/dotnet/facts.rs"]
mod dotnet;
#[path = "../../build/src/languages/go/facts.rs"]
mod go;
#[path = "../../build/src/languages/hip/facts.rs"]
mod hip;
#[path = "../../build/src/languages/java/facts.rs"]
mod java;
#[path = "../../build/src/languages/javascript/facts.rs"]
mod javascript;
#[path = "../../build/src/languages/python/facts.rs"]
mod python;
#[path = "../../build/src/languages/rust/facts.rs"]
mod rust;

#[derive(Debug)]
pub struct LanguageFacts {
    /// Its name in artifacts, jobs and children, in lower case.
    pub name: &'static str,
    pub title: &'static str,
    /// Other languages for which all of this holds: those of the same runtime.
    pub dialects: &'static [&'static str],
    /// Job settings that choose its compiler, interpreter or runtime, in display order.
    pub settings: &'static [ToolchainSetting],
    /// Compiler or runtime flags whose value is the next word.
    pub flags_with_word: &'static [&'static str],
    /// How a benchmark declares several operations per invocation.
    pub operations: &'static str,
    /// How to build a program with optimisation; empty: unknown.
    pub optimise: &'static str,
    /// Advice for a program that exits without an answer.
    pub main: &'static str,
    /// How to declare a benchmark; empty: unknown.
    pub declaring: &'static str,
    /// Its compiler does not allow control of the code layout.
    pub layout_is_given: bool,
    /// The runtime's message on stack overflow, with advice.
    pub overflow: Option<Crash>,
    /// Advice about crashes; the first match counts.
    pub crashes: &'static [Crash],
    /// Exit statuses of its runtime after a crash.
    pub crash_statuses: &'static [i32],
    /// Texts in those lines of a crash report that belong to the front end or runtime.
    pub own_frames: &'static [&'static str],
    /// Variables with which its front end tells a process its benchmark, rather than settings of the user.
    pub own_variables: &'static [&'static str],
    /// Advice for a program whose allocations are not counted; empty: there is none.
    pub counting: &'static str,
    /// Suffixes of front-end files whose functions are inlined into measuring loops, as opposed to the user's sources.
    pub loop_files: &'static [&'static str],
    /// A turn of a measuring loop has several copies of the body, and exits after the first if only one is wanted.
    pub loop_is_left: bool,
    /// A measuring loop is in a user's function, after other loops that set up its data.
    pub loop_is_last: bool,
    /// Its exceptions unwind the stack with the system C compiler's library.
    pub unwinds: bool,
    /// How to obtain the code that its runtime compiles; None: impossible.
    pub late_code: Option<LateCode>,
    /// How its runtime logs its activity; None: it cannot.
    pub late_events: Option<LateEvents>,
    /// Variables that make it name the functions of its interpreter, runtime or library, which do much of the work; None: its own samples
    /// name them.
    pub of_runtime: Option<&'static [(&'static str, &'static str)]>,
    /// Variables of a process that samples itself.
    pub sampled: &'static [(&'static str, &'static str)],
    /// Variables with runtime options: a diagnoser appends to the user's value.
    pub option_variables: &'static [&'static str],
    /// How to rebuild a program with the compiler's remarks on inlining and vectorisation; None: no compiler reports them.
    pub remarks: Option<RemarksOf>,
    /// Further variables of a process; the user's are kept. They must not change the compiled code.
    pub variables: fn(&Process) -> Vec<(String, String)>,
}

/// The commands that rebuild a program with compiler remarks, which the last one prints. Err: why this is impossible, for people.
pub type RemarksOf = fn(&Rebuild) -> Result<Vec<Vec<String>>, String>;

pub struct Rebuild<'a> {
    pub command: &'a [String],
    pub directory: &'a str,
    /// An empty folder for the result, which is discarded.
    pub folder: &'a str,
    pub read: &'a dyn Fn(&str) -> Option<String>,
}

/// A runtime that lists the machine code that it compiles.
#[derive(Debug)]
pub struct LateCode {
    /// Variables that make a process write the list to this file, given its benchmark's names.
    pub variables: fn(&str, &CodeName) -> Vec<(String, String)>,
    /// Why this runtime, named as by its child, cannot do so.
    pub lacks: fn(&str) -> Option<String>,
    /// The thread that receives requests also runs the body and reads its own CPU clock, so its instructions can be followed from outside.
    pub is_followed: bool,
}

/// A runtime that logs its activity.
#[derive(Debug)]
pub struct LateEvents {
    /// Variables that make a process log its compiler's inlining to this file.
    pub inlining: fn(&str) -> Vec<(String, String)>,
    /// The same for allocation sites.
    pub allocations: fn(&str) -> Vec<(String, String)>,
    /// Namespaces of the front end rather than the user.
    pub own: &'static [&'static str],
    /// Why this runtime, named as by its child, cannot do so.
    pub lacks: fn(&str) -> Option<String>,
}

/// How to recognise a crash, with advice.
#[derive(Debug)]
pub struct Crash {
    /// The signal; None: any.
    pub signal: Option<i32>,
    pub printed: &'static str,
    pub hint: &'static str,
}

/// The languages that a setting affects, each with its compiler or runtime.
pub type Chosen = Vec<(&'static str, String)>;

/// A job setting that chooses a compiler, an interpreter or a runtime.
#[derive(Debug)]
pub struct ToolchainSetting {
    /// Its name in `tare.toml`.
    pub name: &'static str,
    /// Parses a value. Err: why it is invalid.
    pub read: fn(&str) -> Result<Chosen, String>,
    pub shown: fn(&BTreeMap<String, String>) -> Option<String>,
    /// Whether a value identifies the setting, so that its name may be omitted.
    pub is_value: fn(&str) -> bool,
    /// Another accepted name of a value.
    pub also: fn(&str) -> Option<String>,
}

pub struct Process<'a> {
    pub artifact: &'a Artifact,
    pub strategy: Strategy,
    pub wanted: &'a BTreeMap<&'a String, &'a String>,
    /// Random, but the same for both sides of a comparison; 0: none.
    pub seed: u64,
    /// Whether the host has a variable that the process will inherit.
    pub is_inherited: &'a dyn Fn(&str) -> bool,
}

impl LanguageFacts {
    /// All languages that Tare builds, in the display order of settings.
    pub const ALL: &'static [&'static LanguageFacts] = &[
        &rust::FACTS,
        &cpp::FACTS,
        &c::FACTS,
        &cuda::FACTS,
        &hip::FACTS,
        &dotnet::FACTS,
        &go::FACTS,
        &java::FACTS,
        &javascript::FACTS,
        &python::FACTS,
    ];

    pub const UNKNOWN: LanguageFacts = LanguageFacts {
        name: "",
        title: "",
        dialects: &[],
        settings: &[],
        flags_with_word: &[],
        operations: "`operations`",
        optimise: "",
        main: "does it use a Tare front end?",
        declaring: "",
        layout_is_given: false,
        overflow: None,
        crashes: &[],
        crash_statuses: &[],
        own_frames: &[],
        own_variables: &[],
        counting: "",
        loop_files: &[],
        loop_is_left: false,
        loop_is_last: false,
        unwinds: false,
        late_code: None,
        late_events: None,
        of_runtime: None,
        sampled: &[],
        option_variables: &[],
        remarks: None,
        variables: |_| Vec::new(),
    };

    /// Looks up a language by its name in artifacts and children.
    pub fn of(language: &str) -> Option<&'static LanguageFacts> {
        Self::ALL.iter().copied().find(|facts| facts.name == language || facts.dialects.contains(&language))
    }

    /// The same, with defaults for an unknown language.
    pub fn of_any(language: &str) -> &'static LanguageFacts {
        Self::of(language).unwrap_or(&Self::UNKNOWN)
    }

    /// A crash report without lines of the front end or runtime, nor their locations.
    pub fn without_own_frames(&self, report: &[String]) -> Vec<String> {
        let mut is_left_out = false;
        let is_users = |line: &&String| {
            let is_place = line.starts_with(char::is_whitespace);
            let is_own = line.trim().is_empty() || self.own_frames.iter().any(|frame| line.contains(frame));
            is_left_out = is_own || (is_left_out && is_place);
            !is_left_out
        };
        match self.own_frames.is_empty() {
            true => report.to_vec(),
            false => report.iter().filter(is_users).cloned().collect(),
        }
    }

    pub fn all_variables(process: &Process) -> Vec<(String, String)> {
        Self::ALL.iter().flat_map(|facts| (facts.variables)(process)).collect()
    }
}

impl Crash {
    /// Advice on stack overflow for languages that do not say how to enlarge the stack.
    pub const OVERFLOW: &'static str = "look for endless recursion, or run the body in a thread with a larger stack";

    pub const fn any(hint: &'static str) -> Crash {
        Crash { signal: None, printed: "", hint }
    }

    /// A crash recognised by its output.
    pub const fn printing(printed: &'static str, hint: &'static str) -> Crash {
        Crash { signal: None, printed, hint }
    }

    pub fn fits(&self, signal: i32, output: &[String]) -> bool {
        self.signal.is_none_or(|own| own == signal)
            && (self.printed.is_empty() || output.iter().any(|line| line.contains(self.printed)))
    }
}

impl ToolchainSetting {
    /// A setting of one language whose value is used and shown unchanged.
    pub const fn new(
        name: &'static str,
        read: fn(&str) -> Result<Chosen, String>,
        shown: fn(&BTreeMap<String, String>) -> Option<String>,
    ) -> ToolchainSetting {
        ToolchainSetting { name, read, shown, is_value: |_| false, also: |_| None }
    }

    /// The settings of all languages, in display order.
    pub fn all() -> impl Iterator<Item = &'static ToolchainSetting> {
        LanguageFacts::ALL.iter().flat_map(|facts| facts.settings)
    }

    pub fn named(name: &str) -> Option<&'static ToolchainSetting> {
        Self::all().find(|setting| setting.name == name)
    }
}
