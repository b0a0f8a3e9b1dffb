//! What a source of C#, F# or Visual Basic uses: Tare, or BenchmarkDotNet.

use crate::discover::without_comments;

const LIBRARY: &str = "BenchmarkDotNet";

/// A text with benchmarks of Tare, or with those of BenchmarkDotNet, which are built with the compatibility assembly.
pub(super) fn uses_tare(text: &str) -> bool {
    // `[Benchmark]`, `[<Benchmark>]` in F#, `<Benchmark>` in Visual Basic, `[BenchmarkDotNet.Attributes.Benchmark]`.
    let has_attribute = ["[Benchmark", "<Benchmark", "Benchmark(", ".Benchmark"].iter().any(|word| text.contains(word));
    has_attribute && {
        let code = without_comments(text);
        ["Tare", LIBRARY].iter().any(|name| names(&code, name))
    }
}

/// Whether a file is written for BenchmarkDotNet, in whatever place it says so.
pub(super) fn uses_benchmarkdotnet(source: &str) -> bool {
    source.to_ascii_lowercase().contains("#:package benchmarkdotnet") || names(&without_comments(source), LIBRARY)
}

fn names(code: &str, namespace: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '"';
    code.match_indices(namespace).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        let after = code[at + namespace.len()..].chars().next();
        !before.is_some_and(|c| is_part(c) || c == '.') && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn namespaces_of_benchmarks_count() {
        assert!(uses_tare("using Tare;\nclass C { [Benchmark] public void F() {} }\n"));
        assert!(uses_tare("  using BenchmarkDotNet.Attributes;\n [Benchmark(Baseline = true)]\n"));
        assert!(uses_tare("global using Tare;\n[Benchmark]\n"));
        assert!(!uses_tare("// using Tare;\n[Benchmark]\n"));
        assert!(!uses_tare("using Target;\n[Benchmark]\n"));
        assert!(!uses_tare("using Tare;\nclass C {}\n"));
    }

    #[test]
    fn a_namespace_counts_wherever_it_stands() {
        for source in [
            "using System; using BenchmarkDotNet.Attributes; class A { [Benchmark] int One() => 1; }",
            "namespace N { using BenchmarkDotNet.Attributes; class A { [Benchmark] int One() => 1; } }",
            "/* c */ using static BenchmarkDotNet.X; class A { [Benchmark] int One() => 1; }",
            "class A { [BenchmarkDotNet.Attributes.Benchmark] int One() => 1; }",
            "class A { [global::BenchmarkDotNet.Attributes.Benchmark] int One() => 1; }",
            "#:package benchmarkdotnet@0.15.8\nclass A { [Benchmark] int One() => 1; }",
        ] {
            assert!(uses_benchmarkdotnet(source), "{source}");
        }
        for source in [
            "using Tare; // as in BenchmarkDotNet\n",
            "using Tare; /* using BenchmarkDotNet.Attributes; */",
            "using Tare; class A { string s = \"BenchmarkDotNet\"; }",
            "using Tare; class MyBenchmarkDotNet { }",
        ] {
            assert!(!uses_benchmarkdotnet(source), "{source}");
        }
    }
}
