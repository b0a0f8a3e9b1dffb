//! .NET: single C# files, projects of C#, F# and Visual Basic, and built assemblies. `dotnet` finds the SDK and runs what was built.

mod adapter;
mod ahead;
mod file;
mod first;
mod front_end;
mod hints;
mod msbuild;
mod namespace;
mod project;
pub mod runtime;
mod sdk;
mod source;
mod tool;

use super::{Lack, Source};
use crate::projects::ProjectTool;
use crate::toolchain::context::BuildContext;

/// C#, whose files are built by themselves too.
pub(crate) const LANGUAGE: Source = Source {
    name: "c#",
    suffixes: &["cs"],
    interpreters: &["dotnet"],
    programs: &["dll"],
    settings: &["fs", "vb", "csproj", "fsproj", "vbproj", "props", "targets", "sln"],
    sign: "files with `using Tare;`",
    // What is written for BenchmarkDotNet is built with the compatibility assembly.
    uses_tare: namespace::uses_tare,
    build: file::build_file,
    shelves: &["dotnet"],
    hints: hints::HINTS,
    first: &[first::FIRST],
    ..OF_RUNTIME
};

const FSHARP: Source = Source { name: "f#", ..OF_RUNTIME };

const VISUAL_BASIC: Source = Source { name: "vb", ..OF_RUNTIME };

const OF_RUNTIME: Source = Source {
    project: Some(ProjectTool(&tool::DOTNET)),
    lack: || (!sdk::is_installed()).then_some(LACK),
    runs_by: Some(TOOLCHAIN),
    command: runtime::of_command,
    is_in_front: msbuild::is_in_front,
    ..Source::NONE
};

const TOOLCHAIN: &str = "dotnet";

const LACK: Lack =
    Lack { needs: ".NET", program: "dotnet", instead: "install it: https://dotnet.microsoft.com/download" };

/// Flags for what is compiled to machine code when it runs. What cannot be said to it is not passed over in silence.
fn flags(context: &BuildContext) -> Vec<String> {
    let job = &context.options.job;
    context.warn_of_native_settings();
    job.flags.clone()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use tare_model::{Artifact, ChildFacts, LanguageFacts, Process, Strategy};

    fn variables(
        artifact: &Artifact,
        strategy: Strategy,
        wanted: &BTreeMap<&String, &String>,
        is_inherited: impl Fn(&str) -> bool,
    ) -> Vec<(String, String)> {
        LanguageFacts::all_variables(&Process { artifact, strategy, wanted, seed: 0, is_inherited: &is_inherited })
    }

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
