//! A C# file as `dotnet run file.cs` takes it: directives that stand for a project, and what a project defines and imports by itself.

use std::collections::BTreeMap;
use std::path::Path;

/// What every project imports since .NET 6.
const USINGS: [&str; 7] = [
    "System",
    "System.Collections.Generic",
    "System.IO",
    "System.Linq",
    "System.Net.Http",
    "System.Threading",
    "System.Threading.Tasks",
];
/// Packages in whose place the front end is.
const OWN_PACKAGES: [&str; 2] = ["Tare", "BenchmarkDotNet"];
/// Properties that say nothing about how a file is compiled here, or say what is done anyway.
const HARMLESS: [&str; 8] = [
    "PublishAot",
    "PublishTrimmed",
    "IsPackable",
    "PackAsTool",
    "AllowUnsafeBlocks",
    "Optimize",
    "NoWarn",
    "TreatWarningsAsErrors",
];

/// Properties that the runtime reads, with its names for them.
const OF_RUNTIME: [(&str, &str); 8] = [
    ("TieredCompilation", "System.Runtime.TieredCompilation"),
    ("TieredCompilationQuickJit", "System.Runtime.TieredCompilation.QuickJit"),
    ("TieredCompilationQuickJitForLoops", "System.Runtime.TieredCompilation.QuickJitForLoops"),
    ("TieredPGO", "System.Runtime.TieredPGO"),
    ("ServerGarbageCollection", "System.GC.Server"),
    ("ConcurrentGarbageCollection", "System.GC.Concurrent"),
    ("RetainVMGarbageCollection", "System.GC.RetainVM"),
    ("InvariantGlobalization", "System.Globalization.Invariant"),
];
/// Versions of .NET Core, and of the standard.
const CORE: [&str; 7] = ["1.0", "1.1", "2.0", "2.1", "2.2", "3.0", "3.1"];
const STANDARD: [&str; 9] = ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "2.0", "2.1"];

/// What a file says of the project that it stands for.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FileProgram {
    /// It has such a line: then it was written with the imports of a project.
    pub(super) is_one: bool,
    /// It wants no imports but its own.
    no_usings: bool,
    /// Properties as flags of the compiler.
    pub(super) flags: Vec<String>,
    /// Properties that the runtime reads.
    pub(super) settings: BTreeMap<&'static str, bool>,
    /// Lines that have no effect here, by what they say.
    without_effect: BTreeMap<String, Vec<String>>,
}

impl FileProgram {
    /// Reads the lines before the code: `#:package Name@1.0`, `#:property Name=Value`, `#:project`, `#:sdk`, and `#!` in the first.
    pub(super) fn of(source: &str) -> FileProgram {
        let mut program = FileProgram::default();
        for line in source.lines().take(head(source)).filter(|line| is_directive(line)) {
            program.is_one = true;
            let Some(directive) = trimmed(line).strip_prefix("#:") else { continue };
            let kind = directive.split_whitespace().next().unwrap_or_default().to_owned();
            if !program.take(directive.trim()) {
                program.without_effect.entry(kind).or_default().push(format!("`{}`", trimmed(line).trim_end()));
            }
        }
        program
    }

    /// What the user must know of lines without effect.
    pub(super) fn warnings(&self, path: &Path) -> Vec<String> {
        let of = |(kind, lines): (&String, &Vec<String>)| {
            let (have, lines) = (if lines.len() > 1 { "have" } else { "has" }, lines.join(", "));
            let instead = match kind.as_str() {
                "property" => "how processes are started is a job: `--job NAME=VALUE`".to_owned(),
                _ => format!(
                    "a single file has no packages: `dotnet project convert {}` makes a project",
                    path.display()
                ),
            };
            format!("{lines} {have} no effect: {instead}")
        };
        self.without_effect.iter().map(of).collect()
    }

    /// Whether the imports of a project are added at the first attempt, or may be added at all.
    pub(super) fn usings(&self) -> (bool, bool) {
        (self.is_one && !self.no_usings, !self.no_usings)
    }

    /// Whether the directive is followed, or need not be.
    fn take(&mut self, directive: &str) -> bool {
        let (kind, text) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
        let text = text.trim();
        match kind {
            "package" => {
                let name = text.split(['@', ' ']).next().unwrap_or_default();
                OWN_PACKAGES
                    .iter()
                    .any(|own| name == *own || name.strip_prefix(own).is_some_and(|r| r.starts_with('.')))
            }
            "sdk" => text.split('@').next() == Some("Microsoft.NET.Sdk"),
            "property" => self.take_property(text),
            _ => false,
        }
    }

    fn take_property(&mut self, text: &str) -> bool {
        let (name, value) = text.split_once(['=', ' ']).unwrap_or((text, ""));
        let (name, value) = (name.trim(), value.trim());
        match name {
            "LangVersion" => self.flags.push(format!("-langversion:{value}")),
            "Nullable" => self.flags.push(format!("-nullable:{value}")),
            "DefineConstants" => {
                let own = value.split([';', ',']).filter(|word| !word.is_empty() && !word.starts_with("$("));
                self.flags.extend(own.map(|word| format!("-define:{word}")));
            }
            "ImplicitUsings" => self.no_usings = matches!(value, "disable" | "false"),
            _ => {
                let known = OF_RUNTIME.iter().find(|(own, _)| *own == name);
                let setting = known.and_then(|(_, setting)| Some((*setting, value.to_ascii_lowercase().parse().ok()?)));
                self.settings.extend(setting);
                return setting.is_some() || HARMLESS.contains(&name);
            }
        }
        true
    }
}

/// The text for compilers that know no such lines, with the imports of a project where they are wanted. Messages, debug information and
/// the place of a benchmark name the file itself, line by line. None: the file is as it should be.
pub(super) fn prepared(source: &str, path: &Path, with_usings: bool) -> Option<String> {
    let head = head(source);
    let has_alias = source.lines().any(|line| trimmed(line).starts_with("extern alias "));
    let with_usings = with_usings && !has_alias;
    if !with_usings && !source.lines().take(head).any(is_directive) {
        return None;
    }
    let place = |line: usize| format!("#line {line} \"{}\"\n", path.display());
    let mut text = place(1);
    for line in source.lines().take(head) {
        text.push_str(if is_directive(line) { "" } else { line.trim_start_matches('\u{feff}') });
        text.push('\n');
    }
    if with_usings {
        // A global one must stand before all others.
        let is_global = source.lines().any(|line| trimmed(line).starts_with("global using "));
        let word = if is_global { "global using" } else { "using" };
        // One that stands in the file too is no more than a warning.
        text.push_str("#pragma warning disable CS0105, CS8019, CS8933\n");
        text.extend(USINGS.iter().map(|name| format!("{word} {name};")));
        text.push('\n');
        text.push_str("#pragma warning restore CS0105, CS8019, CS8933\n");
        text.push_str(&place(head + 1));
    }
    text.extend(source.lines().skip(head).flat_map(|line| [line.trim_start_matches('\u{feff}'), "\n"]));
    Some(text)
}

/// Symbols that a project for this framework defines in release.
pub(super) fn symbols(framework: &str) -> Vec<String> {
    let mut symbols = vec!["TRACE".to_owned(), "RELEASE".to_owned()];
    let mut add = |family: &str, version: &str, all: &[&str]| {
        let known = all.iter().position(|known| *known == version).map_or(all.len(), |at| at + 1);
        symbols.push(family.to_owned());
        symbols.extend((!version.is_empty()).then(|| format!("{family}{}", version.replace('.', "_"))));
        symbols.extend(all.iter().take(known).map(|v| format!("{family}{}_OR_GREATER", v.replace('.', "_"))));
    };
    if let Some(version) = framework.strip_prefix("netcoreapp") {
        add("NETCOREAPP", version, &CORE);
    } else if let Some(version) = framework.strip_prefix("netstandard") {
        add("NETSTANDARD", version, &STANDARD);
    } else if let Some(version) = framework.strip_prefix("net") {
        let newest: u32 = version.split('.').next().and_then(|major| major.parse().ok()).unwrap_or(5);
        let all: Vec<String> = (5..=newest).map(|major| format!("{major}.0")).collect();
        add("NET", version, &all.iter().map(String::as_str).collect::<Vec<_>>());
        add("NETCOREAPP", "", &CORE);
    }
    symbols
}

/// Lines before the first of code: blank ones, comments, directives, symbols.
fn head(source: &str) -> usize {
    let mut in_comment = false;
    let is_head = |line: &&str| {
        let line = trimmed(line);
        if in_comment || line.starts_with("/*") {
            in_comment = !line.contains("*/");
            // Code behind the end of a comment is code.
            return in_comment || line.trim_end().ends_with("*/");
        }
        line.is_empty() || ["//", "#:", "#!", "#define", "#undef"].iter().any(|begin| line.starts_with(begin))
    };
    source.lines().take_while(is_head).count()
}

fn is_directive(line: &str) -> bool {
    ["#:", "#!"].iter().any(|begin| trimmed(line).starts_with(begin))
}

fn trimmed(line: &str) -> &str {
    line.trim_start_matches('\u{feff}').trim_start()
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "#!/usr/bin/env dotnet\n#:package BenchmarkDotNet@0.15.8\n#:package Newtonsoft.Json@13.*\n\
                        #:property LangVersion=preview\n#:property ServerGarbageCollection=true\n#:property X=1\n// text\nclass C { }\n";

    #[test]
    fn a_file_that_stands_for_a_project() {
        let program = FileProgram::of(FILE);
        assert!(program.is_one);
        assert_eq!(program.flags, ["-langversion:preview"]);
        assert_eq!(program.settings.into_iter().collect::<Vec<_>>(), [("System.GC.Server", true)]);
        assert_eq!(FileProgram::of(FILE).usings(), (true, true));
        let warnings = FileProgram::of(FILE).warnings(Path::new("a.cs"));
        assert_eq!(
            warnings[0],
            "`#:package Newtonsoft.Json@13.*` has no effect: a single file has no packages: `dotnet project convert a.cs` makes a project"
        );
        assert_eq!(
            warnings[1],
            "`#:property X=1` has no effect: how processes are started is a job: `--job NAME=VALUE`"
        );
        assert_eq!(FileProgram::of("#:property ImplicitUsings=disable\n").usings(), (false, false));
        assert_eq!(FileProgram::of("// a\nclass C { string s = @\"\n#:package no\n\"; }\n"), FileProgram::default());
    }

    #[test]
    fn lines_keep_their_numbers() {
        let path = Path::new("/a/b.cs");
        let text = prepared(FILE, path, false).expect("it has directives");
        assert!(text.starts_with("#line 1 \"/a/b.cs\"\n\n\n\n\n\n\n// text\nclass C { }\n"), "{text}");
        let text = prepared("#define X\n#if X\nusing A;\n#endif\n", path, true).expect("it gets imports");
        assert!(text.starts_with("#line 1 \"/a/b.cs\"\n#define X\n#pragma"), "{text}");
        assert!(text.contains("using System;using System.Collections.Generic;"), "{text}");
        assert!(text.ends_with("#line 2 \"/a/b.cs\"\n#if X\nusing A;\n#endif\n"), "{text}");
        assert!(prepared("global using A;\n", path, true).is_some_and(|text| text.contains("global using System;")));
        assert_eq!(prepared("extern alias a;\n", path, true), None);
        assert_eq!(prepared("class C { }\n", path, false), None);
        let commented = "/* a\n   b */\n#:package Tare\nusing A;\n";
        assert!(prepared(commented, path, false).is_some_and(|text| !text.contains("#:")));
    }

    #[test]
    fn symbols_are_those_of_a_project() {
        let has = |framework: &str, symbol: &str| symbols(framework).iter().any(|known| known == symbol);
        for symbol in
            ["NET", "NET10_0", "NET5_0_OR_GREATER", "NET10_0_OR_GREATER", "NETCOREAPP3_1_OR_GREATER", "RELEASE"]
        {
            assert!(has("net10.0", symbol), "{symbol}");
        }
        assert!(!has("net8.0", "NET9_0_OR_GREATER") && !has("net8.0", "NETCOREAPP3_1") && !has("net8.0", "DEBUG"));
        assert!(has("netcoreapp3.1", "NETCOREAPP3_1") && has("netcoreapp3.1", "NETCOREAPP2_1_OR_GREATER"));
        assert!(!has("netcoreapp3.1", "NET5_0_OR_GREATER") && !has("netcoreapp3.1", "NET"));
        assert!(has("netstandard2.1", "NETSTANDARD2_0_OR_GREATER") && !has("netstandard2.1", "NETCOREAPP"));
    }
}
