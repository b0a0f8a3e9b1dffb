//! Benchmarks and units in the text of a Go file.

const BUILT_IN: [&str; 4] = ["ns/op", "MB/s", "B/op", "allocs/op"];

/// Whether a text declares a benchmark: `func BenchmarkX(b *testing.B)`.
pub(super) fn has_benchmarks(text: &str) -> bool {
    text.lines().any(|line| {
        let name = line.strip_prefix("func Benchmark");
        name.is_some_and(|rest| rest.contains('(') && !rest.starts_with(|c: char| c.is_lowercase()))
    })
}

/// The literal units in calls `b.ReportMetric(value, "unit")`.
pub(super) fn units(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for call in text.split(".ReportMetric(").skip(1) {
        let Some(unit) = last_argument(call).and_then(literal).filter(|unit| !unit.is_empty()) else { continue };
        let is_new = !BUILT_IN.contains(&unit) && !found.iter().any(|known| known == unit);
        if is_new && !unit.contains(['\\', ' ']) {
            found.push(unit.to_owned());
        }
    }
    found
}

/// The last argument of a call; the text begins within its brackets and may span lines.
fn last_argument(text: &str) -> Option<&str> {
    let (mut depth, mut quote, mut escaped, mut last) = (0, None, false, 0..0);
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (Some(_), _) if escaped => escaped = false,
            (Some('"' | '\''), '\\') => escaped = true,
            (Some(own), _) => quote = quote.filter(|_| c != own),
            (None, '"' | '`' | '\'') => quote = Some(c),
            (None, '(' | '[' | '{') => depth += 1,
            (None, ')') if depth == 0 => {
                // A trailing comma is allowed when a call spans lines.
                let behind = text[last.end..at].trim().trim_start_matches(',').trim();
                return Some(if behind.is_empty() { text[last].trim_matches(',').trim() } else { behind });
            }
            (None, ')' | ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => last = last.end..at,
            _ => {}
        }
    }
    None
}

fn literal(argument: &str) -> Option<&str> {
    ['"', '`'].iter().find_map(|quote| argument.strip_prefix(*quote)?.strip_suffix(*quote))
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
        let lines =
            "b.ReportMetric(\n\t\tfloat64(n)/float64(b.N),\n\t\t\"cells/op\",\n\t)\nb.ReportMetric(3,\"foo/op\")\n";
        assert_eq!(units(lines), ["cells/op", "foo/op"]);
        assert_eq!(units("b.ReportMetric(g(\"a, b)\"), `x/op`); b.ReportMetric(1, unit(2, \"no\"))"), ["x/op"]);
        assert_eq!(units("{ b.ReportMetric(1, \"fibs/s\"); b.ReportMetric(0, \"ns/op\") }\n"), ["fibs/s"]);
    }
}
