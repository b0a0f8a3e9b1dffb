//! What is to be known of a language without building anything of it. The values stand in its folder in `crates/build/src/languages`, beside
//! what builds it. They are compiled here, so that crates which must not depend on `build` have them too.

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

/// What is to be known of a language.
#[derive(Debug)]
pub struct LanguageFacts {
    /// The word that artifacts, jobs and children use, in small letters.
    pub name: &'static str,
    /// As people write it.
    pub title: &'static str,
    /// Other languages of which all of this holds: those of the same runtime.
    pub dialects: &'static [&'static str],
    /// The settings of a job that choose its compiler, interpreter or runtime, in the order in which they are shown.
    pub settings: &'static [ToolchainSetting],
    /// Flags of its compiler or runtime that take the next word.
    pub flags_with_word: &'static [&'static str],
    /// How a benchmark declares that an invocation does several operations.
    pub operations: &'static str,
    /// How a program is built for speed; empty: nothing is known.
    pub optimise: &'static str,
    /// What to do about a program that ends without an answer.
    pub main: &'static str,
    /// How a benchmark is declared; empty: nothing is known.
    pub declaring: &'static str,
    /// The layout of its code is made by a compiler that gives no say in it.
    pub layout_is_given: bool,
    /// What its runtime prints when the stack has no more room, and what to do.
    pub overflow: Option<Crash>,
    /// What to do about a crash; the first that fits.
    pub crashes: &'static [Crash],
    /// The exit statuses with which its runtime ends a program that crashed.
    pub crash_statuses: &'static [i32],
    /// What is in lines of a crash report that are not about the user's code: frames of the front end and of the runtime.
    pub own_frames: &'static [&'static str],
    /// Variables by which its front end tells a process which benchmark it is for: no settings of the user.
    pub own_variables: &'static [&'static str],
    /// What to do about a program whose allocations are not counted; empty: nothing can be done.
    pub counting: &'static str,
    /// How the files of its front end end whose functions are inlined into measuring loops: they are not sources of the user.
    pub loop_files: &'static [&'static str],
    /// Each turn of a measuring loop has several copies of the body, and is left behind the first where only one is wanted.
    pub loop_is_left: bool,
    /// A measuring loop is in a function of the user, behind other loops that set up what it works on.
    pub loop_is_last: bool,
    /// Its exceptions unwind the stack by the library of the system's C compiler.
    pub unwinds: bool,
    /// How the code that its runtime compiles is had from it; None: it cannot be had.
    pub late_code: Option<LateCode>,
    /// How its runtime tells what it does while a program runs; None: it does not.
    pub late_events: Option<LateEvents>,
    /// Variables of a process in which the functions of its interpreter, runtime or library have names, which do much of the work of its code;
    /// None: its own samples have them.
    pub of_runtime: Option<&'static [(&'static str, &'static str)]>,
    /// Variables of a process that takes samples of itself.
    pub sampled: &'static [(&'static str, &'static str)],
    /// Variables with options of its runtime: what a diagnoser adds stands behind what the user has there.
    pub option_variables: &'static [&'static str],
    /// How a program is built once more while the compiler says what it inlines and which loops it vectorises; None: no compiler says it.
    pub remarks: Option<RemarksOf>,
    /// Variables of a process beside those that the user wants, which stay as they are. They must not change the code that is compiled.
    pub variables: fn(&Process) -> Vec<(String, String)>,
}

/// The commands that build a program once more while the compiler makes its remarks, the last of which makes them. Err: why there are none,
/// for people.
pub type RemarksOf = fn(&Rebuild) -> Result<Vec<Vec<String>>, String>;

/// A program that is built once more.
pub struct Rebuild<'a> {
    pub command: &'a [String],
    /// The folder of its project.
    pub directory: &'a str,
    /// An empty folder for the result, which is thrown away.
    pub folder: &'a str,
    /// The text of a file.
    pub read: &'a dyn Fn(&str) -> Option<String>,
}

/// A runtime that lists the machine code that it compiles.
#[derive(Debug)]
pub struct LateCode {
    /// Variables of a process that writes the list to this file. Its benchmark is the one of these names.
    pub variables: fn(&str, &CodeName) -> Vec<(String, String)>,
    /// Why a runtime cannot, by the name that its child gives.
    pub lacks: fn(&str) -> Option<String>,
    /// The thread that hears of requests runs the body, and asks the system for its clock: its instructions can be followed from outside.
    pub is_followed: bool,
}

/// A runtime that writes down what it does.
#[derive(Debug)]
pub struct LateEvents {
    /// Variables of a process that writes what its compiler inlines to this file.
    pub inlining: fn(&str) -> Vec<(String, String)>,
    /// The same of who allocates.
    pub allocations: fn(&str) -> Vec<(String, String)>,
    /// Namespaces of the front end, whose code is not the user's.
    pub own: &'static [&'static str],
    /// Why a runtime cannot, by the name that its child gives.
    pub lacks: fn(&str) -> Option<String>,
}

/// How a crash is recognised, and what to do about it.
#[derive(Debug)]
pub struct Crash {
    /// The signal; None: any.
    pub signal: Option<i32>,
    pub printed: &'static str,
    pub hint: &'static str,
}

/// What a setting chooses: languages, each with what it is built by or runs on.
pub type Chosen = Vec<(&'static str, String)>;

/// A setting of a job that chooses a compiler, an interpreter or a runtime.
#[derive(Debug)]
pub struct ToolchainSetting {
    /// What `tare.toml` calls it.
    pub name: &'static str,
    /// What it chooses. Err: why it cannot be.
    pub read: fn(&str) -> Result<Chosen, String>,
    pub shown: fn(&BTreeMap<String, String>) -> Option<String>,
    /// A value that stands for the whole setting, without its name.
    pub is_value: fn(&str) -> bool,
    /// Another name that people give a value.
    pub also: fn(&str) -> Option<String>,
}

/// A process that is about to start.
pub struct Process<'a> {
    pub artifact: &'a Artifact,
    /// How its benchmark is measured.
    pub strategy: Strategy,
    /// The variables that it is wanted to have.
    pub wanted: &'a BTreeMap<&'a String, &'a String>,
    /// What was drawn for it, alike for both sides of a comparison; 0: nothing.
    pub seed: u64,
    /// Whether the host has a variable, which it will inherit.
    pub is_inherited: &'a dyn Fn(&str) -> bool,
}

impl LanguageFacts {
    /// All languages that Tare builds, in the order in which settings of jobs are shown.
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

    /// A language of which nothing is known.
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

    /// Those of a language, by the word of its artifacts and children.
    pub fn of(language: &str) -> Option<&'static LanguageFacts> {
        Self::ALL.iter().copied().find(|facts| facts.name == language || facts.dialects.contains(&language))
    }

    /// The same; of an unknown language those that hold for all.
    pub fn of_any(language: &str) -> &'static LanguageFacts {
        Self::of(language).unwrap_or(&Self::UNKNOWN)
    }

    /// The report of a crash without lines that are not about the user's code, and without where these are.
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

    /// The variables that a process is started with, whatever its language.
    pub fn all_variables(process: &Process) -> Vec<(String, String)> {
        Self::ALL.iter().flat_map(|facts| (facts.variables)(process)).collect()
    }
}

impl Crash {
    /// What to do where the stack has no more room, in a language that does not say how to get a larger one.
    pub const OVERFLOW: &'static str = "look for endless recursion, or run the body in a thread with a larger stack";

    pub const fn any(hint: &'static str) -> Crash {
        Crash { signal: None, printed: "", hint }
    }

    /// Where this was printed.
    pub const fn printing(printed: &'static str, hint: &'static str) -> Crash {
        Crash { signal: None, printed, hint }
    }

    /// Whether a crash by this signal, which printed these lines, is one.
    pub fn fits(&self, signal: i32, output: &[String]) -> bool {
        self.signal.is_none_or(|own| own == signal)
            && (self.printed.is_empty() || output.iter().any(|line| line.contains(self.printed)))
    }
}

impl ToolchainSetting {
    /// A setting of one language that is read and shown as it stands.
    pub const fn new(
        name: &'static str,
        read: fn(&str) -> Result<Chosen, String>,
        shown: fn(&BTreeMap<String, String>) -> Option<String>,
    ) -> ToolchainSetting {
        ToolchainSetting { name, read, shown, is_value: |_| false, also: |_| None }
    }

    /// Those of all languages, in the order in which they are shown.
    pub fn all() -> impl Iterator<Item = &'static ToolchainSetting> {
        LanguageFacts::ALL.iter().flat_map(|facts| facts.settings)
    }

    /// The one of this name.
    pub fn named(name: &str) -> Option<&'static ToolchainSetting> {
        Self::all().find(|setting| setting.name == name)
    }
}
