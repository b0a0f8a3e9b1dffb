//! What the text of a Go file tells.

/// Units that `testing` gives itself.
const BUILT_IN: [&str; 4] = ["ns/op", "MB/s", "B/op", "allocs/op"];

/// Whether a text declares a benchmark: `func BenchmarkX(b *testing.B)`.
pub(super) fn has_benchmarks(text: &str) -> bool {
    text.lines().any(|line| {
        let name = line.strip_prefix("func Benchmark");
        name.is_some_and(|rest| rest.contains('(') && !rest.starts_with(|c: char| c.is_lowercase()))
    })
}

/// The units that a text reports with `b.ReportMetric(value, "unit")`, as far as they are literals.
pub(super) fn units(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for call in text.split(".ReportMetric(").skip(1) {
        let end = call.find('\n').unwrap_or(call.len());
        let unit = call[..end].rsplit_once(", \"").and_then(|(_, rest)| Some(rest.split_once('"')?.0));
        let Some(unit) = unit.filter(|unit| !unit.is_empty() && !BUILT_IN.contains(unit)) else { continue };
        if !unit.contains(['\\', ' ']) && !found.iter().any(|known| known == unit) {
            found.push(unit.to_owned());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_benchmark_is_a_function_whose_name_says_so() {
        assert!(has_benchmarks("package p\n\nfunc BenchmarkSort(b *testing.B) {\n"));
        assert!(
            has_benchmarks("func Benchmark_sort(b *testing.B) {\n") && has_benchmarks("func Benchmark(b *testing.B) {")
        );
        assert!(!has_benchmarks("func Benchmarks(b *testing.B) {\n") && !has_benchmarks("// func BenchmarkX(b\n"));
    }

    #[test]
    fn units_of_metrics_are_read_from_the_text() {
        let text = "b.ReportMetric(float64(n)/float64(b.N), \"cells/op\")\nb.ReportMetric(f(1, 2), \"cells/op\")\n\
                    b.ReportMetric(0, \"ns/op\")\nb.ReportMetric(x, unit)\n\tb.ReportMetric(1, \"hit%\")\n";
        assert_eq!(units(text), ["cells/op", "hit%"]);
        assert_eq!(units("{ b.ReportMetric(1, \"fibs/s\"); b.ReportMetric(0, \"ns/op\") }\n"), ["fibs/s"]);
    }
}
