//! How programs are built and run.

use crate::{Policy, Strategy, ToolchainSetting};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A way to build and run a benchmark. It is sparse: what it does not set keeps its default.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Job {
    /// Unique within the run; empty for the only job of a run that declares none.
    pub id: String,
    /// Compilers by language (`c`, `c++`), with leading arguments; for `c#` the version of the runtime.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub toolchain: BTreeMap<String, String>,
    /// Extra compiler flags, appended last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub flags: Vec<String>,
    /// The processor that native code is compiled for, as its compiler calls it: `native`, `x86-64-v3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target_cpu: Option<String>,
    /// The linker of native code: `lld`, `mold`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub linker: Option<String>,
    /// Profile of Cargo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
    /// The allocator that programs get from the loader: `glibc`, `jemalloc`, or a path.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub allocator: Option<String>,
    /// Its library, which is loaded before all others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub preload: Option<String>,
    /// Huge pages for what programs allocate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub huge_pages: Option<HugePages>,
    /// Environment variables of a launch.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub environment: BTreeMap<String, String>,
    /// A program with its arguments that runs the built one: an interpreter, a virtual machine, a wrapper.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runtime: Vec<String>,
    /// Arguments of a launch, after those that the program has anyway.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Working directory of a launch instead of the program's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// The processors that a launch may use; empty: the same as the host.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub processors: Vec<u32>,
    /// Priority of a launch, -20 (first) to 19 (last).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nice: Option<i32>,
    /// How its benchmarks are measured instead of what they declare.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub strategy: Option<Strategy>,
    /// Rules of measuring that override the plan's.
    #[serde(default, skip_serializing_if = "PolicyOverlay::is_empty")]
    pub policy: PolicyOverlay,
}

/// What a job does about huge pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum HugePages {
    /// The allocator of glibc asks for transparent ones.
    On,
    /// The allocator of glibc takes them from the pool that the system keeps.
    Reserved,
    /// The process gets no transparent ones.
    Off,
}

impl HugePages {
    pub const ALL: [HugePages; 3] = [HugePages::On, HugePages::Reserved, HugePages::Off];

    pub fn name(self) -> &'static str {
        match self {
            HugePages::On => "on",
            HugePages::Reserved => "reserved",
            HugePages::Off => "off",
        }
    }

    /// The glibc setting (`GLIBC_TUNABLES`) for this, if any.
    pub fn tunable(self) -> Option<&'static str> {
        match self {
            HugePages::On => Some("glibc.malloc.hugetlb=1"),
            HugePages::Reserved => Some("glibc.malloc.hugetlb=2"),
            HugePages::Off => None,
        }
    }
}

/// A setting of a job as text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Setting {
    /// Its name in `tare.toml`.
    pub name: String,
    pub value: String,
}

impl Setting {
    /// The settings that apply to all languages, in display order.
    const OF_ALL: [&'static str; 16] = [
        "flags",
        "target-cpu",
        "linker",
        "profile",
        "allocator",
        "huge-pages",
        "env",
        "args",
        "wrapper",
        "dir",
        "cpus",
        "nice",
        "strategy",
        "invocations",
        "warm-up",
        "visit",
    ];

    /// The names of all settings in display order: those that choose compilers and runtimes first.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ToolchainSetting::all().map(|setting| setting.name).chain(Setting::OF_ALL)
    }
}

impl Job {
    /// The settings of the job, in display order.
    pub fn settings(&self) -> Vec<Setting> {
        let mut all = Vec::new();
        let mut put = |name: &str, value: String| {
            if !value.is_empty() {
                all.push(Setting { name: name.to_owned(), value });
            }
        };
        for setting in ToolchainSetting::all() {
            put(setting.name, (setting.shown)(&self.toolchain).unwrap_or_default());
        }
        put("flags", self.flags.join(" "));
        let texts = [
            ("target-cpu", &self.target_cpu),
            ("linker", &self.linker),
            ("profile", &self.profile),
            ("allocator", &self.allocator),
        ];
        texts.into_iter().for_each(|(name, value)| put(name, value.clone().unwrap_or_default()));
        put("huge-pages", self.huge_pages.map_or("", HugePages::name).to_owned());
        let variables: Vec<String> = self.environment.iter().map(|(name, value)| format!("{name}={value}")).collect();
        put("env", variables.join(" "));
        put("args", self.arguments.join(" "));
        put("wrapper", self.runtime.join(" "));
        put("dir", self.directory.clone().unwrap_or_default());
        put("cpus", ranges(&self.processors));
        put("nice", self.nice.map(|nice| nice.to_string()).unwrap_or_default());
        put("strategy", self.strategy.map_or("", Strategy::title).replace(' ', "-"));
        put("invocations", self.policy.invocations.map(|n| n.to_string()).unwrap_or_default());
        let ms = |ns: Option<f64>| ns.map(|ns| format!("{}ms", ns / 1e6)).unwrap_or_default();
        put("warm-up", ms(self.policy.warmup_ns));
        put("visit", ms(self.policy.visit_ns));
        all
    }

    /// Whether both jobs build the same program.
    pub fn builds_like(&self, other: &Job) -> bool {
        let of = |job: &Job| {
            let Job { toolchain, flags, target_cpu, linker, profile, .. } = job.clone();
            (toolchain, flags, target_cpu, linker, profile)
        };
        of(self) == of(other)
    }
}

/// `0-2,5`.
fn ranges(numbers: &[u32]) -> String {
    let mut parts: Vec<(u32, u32)> = Vec::new();
    for &number in numbers {
        match parts.last_mut() {
            Some((_, last)) if number == last.saturating_add(1) => *last = number,
            _ => parts.push((number, number)),
        }
    }
    let part = |(first, last): &(u32, u32)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    parts.iter().map(part).collect::<Vec<_>>().join(",")
}

/// The rules of a [`Policy`] that may differ between cases which are measured together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct PolicyOverlay {
    /// See [`Policy::invocations`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invocations: Option<u64>,
    /// See [`Policy::warmup_ns`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub warmup_ns: Option<f64>,
    /// See [`Policy::visit_ns`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub visit_ns: Option<f64>,
    /// See [`Policy::memory_randomization`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_randomization: Option<bool>,
}

impl PolicyOverlay {
    pub fn is_empty(&self) -> bool {
        *self == PolicyOverlay::default()
    }

    pub fn over(&self, policy: &Policy) -> Policy {
        Policy {
            invocations: self.invocations.or(policy.invocations),
            warmup_ns: self.warmup_ns.or(policy.warmup_ns),
            visit_ns: self.visit_ns.unwrap_or(policy.visit_ns),
            memory_randomization: self.memory_randomization.unwrap_or(policy.memory_randomization),
            ..*policy
        }
    }
}
