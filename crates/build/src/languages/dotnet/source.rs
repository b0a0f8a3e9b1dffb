//! What a text of C# says of how it is built, and what a project defines and imports by itself.

use crate::discover::without_comments;

/// What every project imports since .NET 6.
pub(super) const USINGS: &str = "global using System; global using System.Collections.Generic; global using System.IO; \
    global using System.Linq; global using System.Net.Http; global using System.Threading; global using System.Threading.Tasks;\n";
/// Versions of .NET Core, and of the standard.
const CORE: [&str; 7] = ["1.0", "1.1", "2.0", "2.1", "2.2", "3.0", "3.1"];
const STANDARD: [&str; 9] = ["1.0", "1.1", "1.2", "1.3", "1.4", "1.5", "1.6", "2.0", "2.1"];

/// Whether the text has lines that stand for a project (`#:package`, `#:property`, `#!`), which the SDK reads.
pub(super) fn stands_for_project(source: &str) -> bool {
    let code = without_comments(source);
    let mut lines = code.lines().map(|line| line.trim_start_matches(['\u{feff}', ' ', '\t']));
    lines.any(|line| line.starts_with("#:") || line.starts_with("#!"))
}

pub(super) fn has_main(source: &str) -> bool {
    source.match_indices("Main").any(|(at, name)| {
        let before = source[..at].chars().next_back();
        let after = source[at + name.len()..].trim_start().chars().next();
        before.is_some_and(char::is_whitespace) && after == Some('(')
    })
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_project_are_for_the_sdk() {
        for text in ["\u{feff}#!/usr/bin/env dotnet\n", "// a\n#:package X@1\nclass C { }\n", "/* a */ #:sdk X\n"] {
            assert!(stands_for_project(text), "{text}");
        }
        for text in ["#define X\nclass C { }\n", "/*\n#:property A=1\n*/\nclass C { }\n", "// #:package X\n"] {
            assert!(!stands_for_project(text), "{text}");
        }
    }

    #[test]
    fn a_main_is_a_method() {
        assert!(has_main("class P { static void Main () { } }") && has_main("static async Task Main(string[] a)"));
        assert!(!has_main("var form = new X.Main(); class Main { } MyMain();"));
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
