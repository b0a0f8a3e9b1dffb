//! What a process of .NET is started with beside what the user wants. Nothing of it changes the code that is compiled.

use std::collections::BTreeMap;
use tare_model::{Artifact, Strategy};

/// Prefixes of the runtime's variables: of .NET 6 and later, and of all earlier ones.
const PREFIXES: [&str; 2] = ["DOTNET_", "COMPlus_"];
/// Each with what it does. The C# front end does not show them as settings: see `Runtime.cs`.
const VARIABLES: [(&str, &str); 2] = [
    // With one processor the runtime waits 1 s in place of 100 ms before it compiles anything again, and longer while new methods are
    // called: a body would be measured as it was compiled at first.
    ("TC_DelaySingleProcMultiplier", "1"),
    // A port for debuggers and profilers: two threads, and three files in the folder for temporary files, which stay when a process is
    // ended from outside.
    ("EnableDiagnostics", "0"),
];

/// Calls are counted when nothing new was called for so many ms in place of 100: a body has its last code 0.3 s earlier. Only where the
/// runtime says what it compiles, and not where first calls count. It is shown as a setting: the user may want another one.
const SOON: (&str, &str) = ("TC_CallCountingDelayMs", "8");

/// The variables of a process; none where it is not of .NET. `wanted`: those of its job; what the user has set stays as it is.
pub(super) fn variables(
    artifact: &Artifact,
    strategy: Strategy,
    wanted: &BTreeMap<&String, &String>,
    is_inherited: impl Fn(&str) -> bool,
) -> Vec<(String, String)> {
    let compiles_by_clock = artifact.child.as_ref().is_some_and(|child| child.compiles_by_clock);
    if artifact.toolchain != "dotnet" && !compiles_by_clock {
        return Vec::new();
    }
    let is_set = |name: &String| wanted.contains_key(name) || is_inherited(name);
    let names = |name: &str| PREFIXES.map(|prefix| format!("{prefix}{name}"));
    // Before it has said what it is, it only lists.
    let is_counted = artifact.child.as_ref().is_none_or(|child| child.can("compilations"));
    let soon = (is_counted && !strategy.keeps_all()).then_some(&SOON);
    let own = VARIABLES.iter().chain(soon).filter(|(name, _)| !names(name).iter().any(is_set));
    let own = own.flat_map(|(name, value)| names(name).map(|name| (name, (*value).to_owned())));
    // .NET 5 and earlier know settings by their old name alone, and pass over the new one in silence.
    let old = |(name, value): (&&String, &&String)| {
        let rest = name.strip_prefix(PREFIXES[0]).filter(|rest| rest.contains(|c: char| c.is_ascii_lowercase()))?;
        Some((format!("{}{rest}", PREFIXES[1]), (*value).clone()))
    };
    let old = wanted.iter().filter_map(old).filter(|(name, _)| !is_set(name));
    own.chain(old).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::ChildFacts;

    #[test]
    fn programs_of_dotnet_have_them_and_the_user_wins() {
        let of = |artifact: &Artifact, own: &str| {
            let all = variables(artifact, Strategy::Throughput, &BTreeMap::new(), |name| name == own);
            all.into_iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        let built =
            Artifact { toolchain: "dotnet".to_owned(), child: Some(ChildFacts::default()), ..Artifact::default() };
        let delay = ["DOTNET_TC_DelaySingleProcMultiplier=1", "COMPlus_TC_DelaySingleProcMultiplier=1"];
        assert_eq!(of(&built, "COMPlus_EnableDiagnostics"), delay);
        assert_eq!(of(&built, "").len(), 4);
        let child = ChildFacts { compiles_by_clock: true, ..ChildFacts::default() };
        let named = Artifact { toolchain: "command".to_owned(), child: Some(child), ..Artifact::default() };
        assert_eq!(of(&named, "DOTNET_EnableDiagnostics"), delay);
        assert!(of(&Artifact { child: None, ..named }, "").is_empty());
    }

    #[test]
    fn an_old_runtime_gets_a_setting_under_its_old_name() {
        let built =
            Artifact { toolchain: "dotnet".to_owned(), child: Some(ChildFacts::default()), ..Artifact::default() };
        let of = |wanted: &[(&str, &str)]| {
            let wanted: Vec<(String, String)> =
                wanted.iter().map(|(n, v)| ((*n).to_owned(), (*v).to_owned())).collect();
            let all = variables(
                &built,
                Strategy::Throughput,
                &wanted.iter().map(|(name, value)| (name, value)).collect(),
                |_| false,
            );
            all.into_iter().skip(4).map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>()
        };
        assert_eq!(of(&[("DOTNET_gcServer", "1"), ("DOTNET_NOLOGO", "1"), ("X", "1")]), ["COMPlus_gcServer=1"]);
        assert!(of(&[("DOTNET_gcServer", "1"), ("COMPlus_gcServer", "0")]).is_empty());
    }

    #[test]
    fn calls_are_counted_soon_where_the_runtime_says_what_it_compiles() {
        let of = |capabilities: Option<&[&str]>, strategy: Strategy, own: &str| {
            let facts = |names: &[&str]| ChildFacts {
                capabilities: names.iter().map(|name| (*name).to_owned()).collect(),
                ..ChildFacts::default()
            };
            let artifact =
                Artifact { toolchain: "dotnet".to_owned(), child: capabilities.map(facts), ..Artifact::default() };
            let all = variables(&artifact, strategy, &BTreeMap::new(), |name| name == own);
            all.into_iter().filter(|(name, _)| name.contains("CallCounting")).collect::<Vec<_>>()
        };
        let soon = ["DOTNET_TC_CallCountingDelayMs", "COMPlus_TC_CallCountingDelayMs"];
        let soon = soon.map(|name| (name.to_owned(), "8".to_owned())).to_vec();
        let counted: Option<&[&str]> = Some(&["compilations"]);
        assert_eq!(of(counted, Strategy::Throughput, ""), soon);
        assert_eq!(of(None, Strategy::Throughput, ""), soon, "it lists, and says its settings");
        assert_eq!(of(Some(&[]), Strategy::Throughput, ""), [], "a runtime that does not say so: by the clock");
        assert_eq!(of(counted, Strategy::ColdStart, ""), []);
        assert_eq!(of(counted, Strategy::Throughput, "COMPlus_TC_CallCountingDelayMs"), [], "the user's own stays");
    }
}
