//! Which form a text has, by its content: files are renamed, redirected and downloaded, and most forms end in `.json`.

use crate::error::Problem;
use crate::node::shortened;

/// The form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The document of a run of Tare.
    Run,
    /// The text of `go test -bench`.
    GoText,
    /// The events of `go test -json`.
    GoJson,
    /// JSON of the tool with this name.
    Json(&'static str),
}

/// Keys at the top that are looked at.
const KEYS_MAX: usize = 256;

pub(crate) fn sniff(text: &str) -> Result<Form, Problem> {
    let start = text.trim_start();
    match start.as_bytes().first() {
        Some(b'{') => object(start),
        Some(b'[') => list(start),
        Some(b'<') => Err(unsupported("XML", "use the tool's JSON: its XML leaves out or rounds single measurements")),
        _ => other(text),
    }
}

fn object(text: &str) -> Result<Form, Problem> {
    let keys = top_keys(text);
    let has = |key: &str| keys.iter().any(|k| k == key);
    if has("schema") && (has("plan") || has("launches")) {
        return Ok(Form::Run);
    }
    if has("HostEnvironmentInfo") || has("Benchmarks") {
        return Ok(Form::Json("benchmarkdotnet"));
    }
    if has("machine_info") && has("benchmarks") {
        return Ok(Form::Json("pytest-benchmark"));
    }
    if has("layout") && has("benchmarks") {
        return Err(unsupported(
            "a result of mitata",
            "mitata sorts its samples and drops four: run the file with `tare run`",
        ));
    }
    if has("context") && has("benchmarks") {
        return Ok(Form::Json("google-benchmark"));
    }
    if has("benchmarks") && (has("version") || has("metadata")) {
        return Ok(Form::Json("pyperf"));
    }
    if has("results") {
        // hyperfine 2 has measurements too.
        let nanobench = !has("schema_version")
            && ["\"measurements\"", "medianAbsolutePercentError", "clockResolution"].iter().any(|w| text.contains(w));
        return Ok(Form::Json(if nanobench { "nanobench" } else { "hyperfine" }));
    }
    if has("Action") && (has("Package") || has("Output") || has("ImportPath")) {
        return Ok(Form::GoJson);
    }
    if has("format") && has("report") {
        return Err(unsupported("a report of Tare", "use the run itself: its id, or the folder `.tare/runs/ID`"));
    }
    if has("event") {
        return Err(unsupported(
            "the events of a run of Tare",
            "use `run.json` beside it; without one the run was cut off: `tare run --resume ID`",
        ));
    }
    if has("sampling_mode") || has("median_abs_dev") || has("group_id") || (has("iters") && has("times")) {
        return Err(unsupported(
            "a part of criterion's results",
            "use the folder `target/criterion`: the name is in another file",
        ));
    }
    Err(Problem::Unknown { found: described("a JSON object", &keys) })
}

fn list(text: &str) -> Result<Form, Problem> {
    let keys = match text[1..].trim_start() {
        inner if inner.starts_with('{') => top_keys(inner),
        _ => Vec::new(),
    };
    let has = |key: &str| keys.iter().any(|k| k == key);
    // An empty list is what JMH writes when nothing matched.
    if has("jmhVersion") || (has("benchmark") && has("primaryMetric")) || text[1..].trim_start().starts_with(']') {
        return Ok(Form::Json("jmh"));
    }
    if has("HostEnvironmentInfo") {
        return Err(unsupported("a list of BenchmarkDotNet results", "save each of its elements as a file"));
    }
    Err(Problem::Unknown { found: described("a JSON list", &keys) })
}

fn other(text: &str) -> Result<Form, Problem> {
    let first = text.trim_start().lines().next().unwrap_or_default().trim_start_matches('"');
    let csv = |form, instead| Err(unsupported(form, instead));
    if first.starts_with("Benchmark\",\"Mode\"") || first.starts_with("Benchmark,Mode") {
        return csv("JMH's CSV, which has no single iterations", "run JMH with `-rf json -rff FILE`");
    }
    if first.starts_with("name,iterations,real_time") {
        return csv(
            "Google Benchmark's CSV",
            "run the program with `--benchmark_out=FILE --benchmark_out_format=json`",
        );
    }
    if first.starts_with("command,mean,stddev") {
        return csv("hyperfine's CSV, which has no single times", "run hyperfine with `--export-json FILE`");
    }
    if first.starts_with("title\";\"name\"") {
        return csv("nanobench's CSV, which has no single epochs", "render `ankerl::nanobench::templates::json()`");
    }
    if first.starts_with("Method,Job,") || first.starts_with("Method;Job;") {
        return csv(
            "BenchmarkDotNet's CSV, whose values are rounded",
            "add `[JsonExporterAttribute.Full]` or `--exporters json`",
        );
    }
    if text.lines().any(is_go_line) {
        return Ok(Form::GoText);
    }
    Err(Problem::Unknown { found: format!("text that begins with `{}`", shortened(first)) })
}

/// A line with a result, of a benchmark that runs, or of the header.
fn is_go_line(line: &str) -> bool {
    let line = line.trim_end();
    line.starts_with("goos: ")
        || line.starts_with("pkg: ")
        || (line.starts_with("Benchmark") && (line.contains("ns/op") || line.contains("sec/op")))
}

fn unsupported(form: &'static str, instead: &'static str) -> Problem {
    Problem::Unsupported { form, instead }
}

fn described(what: &str, keys: &[String]) -> String {
    let shown: Vec<String> = keys.iter().take(6).map(|k| format!("`{}`", shortened(k))).collect();
    match shown.is_empty() {
        true => format!("{what} without keys"),
        false => format!("{what} with {}", shown.join(", ")),
    }
}

/// The keys of the object that a text begins with, without reading what is in it: broken and truncated texts have keys too.
fn top_keys(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let (mut keys, mut depth, mut at) = (Vec::new(), 0usize, 0);
    while at < bytes.len() && keys.len() < KEYS_MAX {
        match bytes[at] {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    break;
                }
            }
            b'"' => {
                let begin = at + 1;
                at = end_of_string(bytes, begin);
                let is_key =
                    bytes[(at + 1).min(bytes.len())..].iter().find(|b| !b.is_ascii_whitespace()) == Some(&b':');
                if depth == 1 && is_key {
                    keys.extend(text.get(begin..at).map(str::to_owned));
                }
            }
            _ => {}
        }
        at += 1;
    }
    keys
}

/// The place of the quote that closes a string, or the end.
fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}
