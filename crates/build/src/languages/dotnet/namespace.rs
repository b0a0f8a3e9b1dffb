//! What a source of C#, F# or Visual Basic uses: Tare, or BenchmarkDotNet.

use crate::discover::without_comments;

/// A C# text with benchmarks of Tare, or with those of BenchmarkDotNet, which are built with the compatibility assembly.
pub(super) fn uses_tare(text: &str) -> bool {
    // `[Benchmark]`, `[<Benchmark>]` in F#, `<Benchmark>` in Visual Basic.
    if !["[Benchmark", "<Benchmark", "Benchmark("].iter().any(|word| text.contains(word)) {
        return false;
    }
    let text = without_comments(text);
    let is_ours = |name: &str| {
        ["Tare", "BenchmarkDotNet"]
            .iter()
            .any(|own| name.strip_prefix(own).is_some_and(|rest| rest.is_empty() || rest.starts_with([';', '.', ' '])))
    };
    text.lines().any(|line| {
        let line = line.trim_start();
        let line = line.strip_prefix("global ").map_or(line, str::trim_start);
        let imports = ["using ", "open ", "Imports "].iter().find_map(|word| line.strip_prefix(word));
        imports.map(str::trim).is_some_and(is_ours)
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
}
