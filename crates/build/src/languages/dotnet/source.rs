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
/// The package in whose place the front end is; MSBuild and NuGet do not distinguish case in names.
const OWN_PACKAGE: &str = "tare";
/// Properties that say nothing about how a file is compiled here, or say what is done anyway.
const HARMLESS: [&str; 6] =
    ["PublishAot", "PublishTrimmed", "IsPackable", "PackAsTool", "NoWarn", "TreatWarningsAsErrors"];

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
/// Directives of the compiler that may stand before those of a project.
const BEFORE: [&str; 6] = ["define", "undef", "nullable", "pragma", "region", "endregion"];
/// Versions of .NET Core, and of the standard.
const CORE: [&str; 7] = ["1.0", "1.1", "2.0", "2.1", "2.2", "3.0", "3.1"];
const STANDARD: [&str; 9] = ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "2.0", "2.1"];

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Reason {
    NoProject,
    IsAJob,
    AlwaysOptimized,
    OnMono,
}

#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct FileProgram {
    /// It has such a line: then it was written with the imports of a project.
    pub(super) is_one: bool,
    no_usings: bool,
    /// Properties as flags of the compiler.
    pub(super) flags: Vec<String>,
    pub(super) settings: BTreeMap<&'static str, bool>,
    of_runtime: Vec<String>,
    without_effect: BTreeMap<Reason, Vec<String>>,
}

impl FileProgram {
    /// Reads the lines before the code: `#:package Name@1.0`, `#:property Name=Value`, `#:project`, `#:sdk`, and `#!` in the first.
    pub(super) fn of(source: &str) -> FileProgram {
        let mut program = FileProgram::default();
        let source = without_mark(source);
        for (line, _) in source.lines().zip(head(source)).filter(|(_, is_directive)| *is_directive) {
            program.is_one = true;
            let Some(directive) = line.trim_start().strip_prefix("#:") else { continue };
            let (settings, shown) = (program.settings.len(), format!("`{}`", line.trim()));
            match program.take(directive.trim()) {
                Some(reason) => program.without_effect.entry(reason).or_default().push(shown),
                None if program.settings.len() > settings => program.of_runtime.push(shown),
                None => {}
            }
        }
        program
    }

    /// What the user must know of lines without effect.
    pub(super) fn warnings(&self, path: &Path, is_mono: bool) -> Vec<String> {
        let of = |(reason, lines): (&Reason, &Vec<String>)| {
            let (have, lines) = (if lines.len() > 1 { "have" } else { "has" }, lines.join(", "));
            let instead = match reason {
                Reason::IsAJob => "use a job to set how processes are started: `--job NAME=VALUE`".to_owned(),
                Reason::AlwaysOptimized => "benchmarks are always built with optimization".to_owned(),
                Reason::OnMono => "Mono does not read settings of .NET".to_owned(),
                Reason::NoProject => format!(
                    "an SDK before .NET 10, and Mono, can only build a single file: `dotnet project convert {}` makes a project",
                    path.display()
                ),
            };
            format!("{lines} {have} no effect: {instead}")
        };
        let on_mono = (is_mono && !self.of_runtime.is_empty()).then_some((&Reason::OnMono, &self.of_runtime));
        self.without_effect.iter().chain(on_mono).map(of).collect()
    }

    /// It says what only a build of a project follows.
    pub(super) fn needs_project(&self) -> bool {
        [Reason::NoProject, Reason::IsAJob].iter().any(|reason| self.without_effect.contains_key(reason))
    }

    /// Whether the imports of a project are added at the first attempt, or may be added at all.
    pub(super) fn usings(&self) -> (bool, bool) {
        (self.is_one && !self.no_usings, !self.no_usings)
    }

    /// Follows the directive. None: it is followed, or need not be.
    fn take(&mut self, directive: &str) -> Option<Reason> {
        let (kind, text) = directive.split_once(char::is_whitespace).unwrap_or((directive, ""));
        let text = text.trim();
        let name = text.split(['@', ' ']).next().unwrap_or_default().to_ascii_lowercase();
        let is_own = match kind {
            "package" => name == OWN_PACKAGE,
            "sdk" => name == "microsoft.net.sdk",
            "property" => return self.take_property(text),
            _ => false,
        };
        (!is_own).then_some(Reason::NoProject)
    }

    fn take_property(&mut self, text: &str) -> Option<Reason> {
        // Early previews of .NET 10 had a space between them.
        let (name, value) = text.split_once('=').or_else(|| text.split_once(' ')).unwrap_or((text, ""));
        let (name, value) = (name.trim(), value.trim());
        let word = value.to_ascii_lowercase();
        match name.to_ascii_lowercase().as_str() {
            "langversion" => self.flags.push(format!("-langversion:{value}")),
            "nullable" => self.flags.push(format!("-nullable:{word}")),
            "defineconstants" => {
                let own = value.split([';', ',']).filter(|word| !word.is_empty() && !word.starts_with("$("));
                self.flags.extend(own.map(|word| format!("-define:{word}")));
            }
            "implicitusings" => self.no_usings = matches!(word.as_str(), "disable" | "false"),
            "allowunsafeblocks" => self.flags.push(format!("-unsafe{}", if word == "true" { '+' } else { '-' })),
            "optimize" => return (word != "true").then_some(Reason::AlwaysOptimized),
            _ => {
                let known = OF_RUNTIME.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
                let setting = known.and_then(|(_, setting)| Some((*setting, word.parse().ok()?)));
                self.settings.extend(setting);
                let is_followed = setting.is_some() || HARMLESS.iter().any(|own| own.eq_ignore_ascii_case(name));
                return (!is_followed).then_some(Reason::IsAJob);
            }
        }
        None
    }
}

/// The text for compilers that know no such lines, with the imports of a project where they are wanted. Messages, debug information and
/// the place of a benchmark name the file itself, line by line; what follows the head is copied as it is, byte by byte. None: the file is as
/// it should be.
pub(super) fn prepared(source: &str, path: &Path, with_usings: bool) -> Option<String> {
    let source = without_mark(source);
    let head = head(source);
    let has_alias = source.lines().any(|line| line.trim_start().starts_with("extern alias "));
    let with_usings = with_usings && !has_alias;
    // The name stands between quotes, in one line, and nothing protects a character in it.
    let breaks = ['"', '\n', '\r', '\u{85}', '\u{2028}', '\u{2029}'];
    let own = path.display().to_string();
    let name = own.replace(breaks, "_");
    if !with_usings && !head.contains(&true) && name == own {
        return None;
    }
    let place = |line: usize| format!("#line {line} \"{name}\"\n");
    let mut text = place(1);
    let mut lines = source.split_inclusive('\n');
    for (is_directive, line) in head.iter().zip(lines.by_ref()) {
        text.push_str(if *is_directive { "" } else { line.trim_end_matches('\n') });
        text.push('\n');
    }
    if with_usings {
        // A global one must stand before all others.
        let is_global = source.lines().any(|line| line.trim_start().starts_with("global using "));
        let word = if is_global { "global using" } else { "using" };
        // One that stands in the file too is no more than a warning.
        text.push_str("#pragma warning disable CS0105, CS8019, CS8933\n");
        text.extend(USINGS.iter().map(|name| format!("{word} {name};")));
        text.push('\n');
        text.push_str("#pragma warning restore CS0105, CS8019, CS8933\n");
        text.push_str(&place(head.len() + 1));
    }
    text.extend(lines);
    Some(text)
}

pub(super) fn has_main(source: &str) -> bool {
    source.match_indices("Main").any(|(at, name)| {
        let before = source[..at].chars().next_back();
        let after = source[at + name.len()..].trim_start().chars().next();
        before.is_some_and(char::is_whitespace) && after == Some('(')
    })
}

/// From a text to the bytes of its file.
pub(super) type ToBytes = fn(&str) -> Vec<u8>;

/// The text of a file for [`prepared`], and the same way back to bytes: a text that is not UTF-8 is taken byte by byte, as its head is of
/// letters that most encodings share. None: of no such encoding.
pub(super) fn text_of(bytes: &[u8]) -> Option<(String, ToBytes)> {
    let by_byte = |text: &str| text.chars().map(|c| u8::try_from(u32::from(c)).unwrap_or(b'_')).collect();
    match std::str::from_utf8(bytes) {
        Ok(text) => Some((text.to_owned(), |text| text.as_bytes().to_vec())),
        // UTF-16 and UTF-32 begin with a mark, or have zeros.
        Err(_) if bytes.contains(&0) || bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) => None,
        Err(_) => Some((bytes.iter().map(|byte| char::from(*byte)).collect(), by_byte)),
    }
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

/// Lines before the first of code, and which of them are directives of a project: the others are blank, comments, and what the compiler
/// allows before a directive.
fn head(source: &str) -> Vec<bool> {
    let mut head = Vec::new();
    // A comment in whose last line code begins is none of the head.
    let mut closed = 0;
    let mut in_comment = false;
    for line in source.lines() {
        let mut rest = line.trim_start();
        let is_directive = !in_comment && ["#:", "#!"].iter().any(|begin| rest.starts_with(begin));
        let is_other = !in_comment && rest.strip_prefix('#').is_some_and(|rest| BEFORE.contains(&first_word(rest)));
        while in_comment || rest.starts_with("/*") {
            let comment = if in_comment { rest } else { &rest[2..] };
            let end = comment.split_once("*/");
            in_comment = end.is_none();
            rest = end.map_or("", |(_, rest)| rest.trim_start());
            if in_comment {
                break;
            }
        }
        if !(is_directive || is_other || rest.is_empty() || rest.starts_with("//")) {
            break;
        }
        head.push(is_directive);
        closed = if in_comment { closed } else { head.len() };
    }
    head.truncate(closed);
    head
}

fn first_word(text: &str) -> &str {
    text.trim_start().split(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default()
}

/// The text without the mark of its encoding.
fn without_mark(source: &str) -> &str {
    source.strip_prefix('\u{feff}').unwrap_or(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "#!/usr/bin/env dotnet\n#:package Tare@0.1\n#:package Newtonsoft.Json@13.*\n\
                        #:property LangVersion=preview\n#:property ServerGarbageCollection=true\n#:property X=1\n// text\nclass C { }\n";

    #[test]
    fn a_file_that_stands_for_a_project() {
        let program = FileProgram::of(FILE);
        assert!(program.is_one);
        assert_eq!(program.flags, ["-langversion:preview"]);
        assert_eq!(program.settings.into_iter().collect::<Vec<_>>(), [("System.GC.Server", true)]);
        assert_eq!(FileProgram::of(FILE).usings(), (true, true));
        let warnings = FileProgram::of(FILE).warnings(Path::new("a.cs"), false);
        assert_eq!(
            warnings[0],
            "`#:package Newtonsoft.Json@13.*` has no effect: an SDK before .NET 10, and Mono, can only build a single file: `dotnet project convert a.cs` makes a project"
        );
        assert_eq!(
            warnings[1],
            "`#:property X=1` has no effect: use a job to set how processes are started: `--job NAME=VALUE`"
        );
        assert_eq!(FileProgram::of("#:property ImplicitUsings=disable\n").usings(), (false, false));
        assert_eq!(FileProgram::of("// a\nclass C { string s = @\"\n#:package no\n\"; }\n"), FileProgram::default());
    }

    #[test]
    fn what_needs_a_project_is_known() {
        for line in [
            "#:package X@1",
            "#:package BenchmarkDotNet@0.15.8",
            "#:project a/b.csproj",
            "#:include b.cs",
            "#:sdk X",
            "#:property X=1",
        ] {
            assert!(FileProgram::of(line).needs_project(), "{line}");
        }
        let own = "#:package Tare\n#:property Nullable=enable\n#:property Optimize=false\n";
        assert!(!FileProgram::of(own).needs_project());
        assert!(has_main("class P { static void Main () { } }") && has_main("static async Task Main(string[] a)"));
        assert!(!has_main("var form = new X.Main(); class Main { } MyMain();"));
    }

    #[test]
    fn properties_are_read_as_msbuild_reads_them() {
        let of = |lines: &str| FileProgram::of(lines);
        assert_eq!(of("#:property implicitusings=Disable\n").usings(), (false, false));
        assert_eq!(
            of("#:property AllowUnsafeBlocks=False\n#:property nullable=Enable\n").flags,
            ["-unsafe-", "-nullable:enable"]
        );
        assert_eq!(
            of("#:property AllowUnsafeBlocks = true\n#:property Nullable enable\n").flags,
            ["-unsafe+", "-nullable:enable"]
        );
        let lines =
            "#:property optimize=false\n#:package tare@0.15\n#:property TieredPGO=false\n#:property isPackable=x\n";
        let warnings = |is_mono| of(lines).warnings(Path::new("a.cs"), is_mono);
        let optimized = "`#:property optimize=false` has no effect: benchmarks are always built with optimization";
        let on_mono = "`#:property TieredPGO=false` has no effect: Mono does not read settings of .NET";
        assert_eq!(
            (warnings(false), warnings(true)),
            (vec![optimized.to_owned()], vec![optimized.to_owned(), on_mono.to_owned()])
        );
    }

    #[test]
    fn the_head_ends_where_code_begins() {
        assert_eq!(head("/*\n#:property A=1\n*/\n#:sdk x\nusing A;\n"), [false, false, false, true]);
        let commented = "/*\n#:property ServerGarbageCollection=true\n*/\nclass C { }\n";
        assert_eq!(FileProgram::of(commented), FileProgram::default());
        assert_eq!(prepared(commented, Path::new("/a/b.cs"), false), None);
        assert_eq!(
            head("#nullable enable\n# pragma warning disable\n#region a\n#endregion\n#:sdk x\n#if X\n").len(),
            5
        );
        // `/*/` begins a comment and does not end it; imports do not go into one.
        assert_eq!(head("// a\n/*/\n#:sdk x\n*/ using A;\n"), [false]);
        assert_eq!(head("/* a */ /* b\n*/ // c\n/**/ using A;\n"), [false, false]);
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
        assert!(prepared("class C { }\n", Path::new("a\"b.cs"), false).is_some());
        let commented = "/* a\n   b */\n#:package Tare\nusing A;\n";
        assert!(prepared(commented, path, false).is_some_and(|text| !text.contains("#:")));
        let bytes = "\u{feff}#:sdk Microsoft.NET.Sdk\r\n// a\r\nclass C { string s = @\"\r\n\u{feff}\"; }";
        let text = prepared(bytes, Path::new("/a/\"b\n.cs"), false).expect("it has a directive");
        assert_eq!(text, "#line 1 \"/a/_b_.cs\"\n\n// a\r\nclass C { string s = @\"\r\n\u{feff}\"; }");
    }

    #[test]
    fn a_text_of_another_encoding_keeps_its_bytes() {
        let bytes = b"#:package Tare\n// caf\xe9\nclass C { }\n";
        let (text, to_bytes) = text_of(bytes).expect("of an encoding like ASCII");
        assert_eq!(to_bytes(&text), bytes);
        let text = prepared(&text, Path::new("/a/\u{4e2d}.cs"), false).expect("it has a directive");
        assert_eq!(to_bytes(&text), b"#line 1 \"/a/_.cs\"\n\n// caf\xe9\nclass C { }\n");
        let (text, to_bytes) = text_of("// \u{4e2d}\n".as_bytes()).expect("UTF-8");
        assert_eq!((text.as_str(), to_bytes(&text)), ("// \u{4e2d}\n", "// \u{4e2d}\n".as_bytes().to_vec()));
        assert!(text_of(&[0xFF, 0xFE, b'/', 0, b'/', 0, 0xE9, 0]).is_none());
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
