//! Which form a text has, by its content: files are renamed, redirected and downloaded, and most forms end in `.json`.

use crate::error::Problem;
use crate::formats::{catch2, tables};
use crate::json;
use crate::node::shortened;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    Run,
    GoText,
    GoJson,
    Json(&'static str),
    Catch2,
    /// A table of the tool with this name: CSV, or what people read.
    Table(&'static str),
}

/// What Catch2's XML has that a report of tests alone does not: a result, or a test case that says that it has some.
const CATCH2: [&str; 2] = ["<BenchmarkResults ", catch2::MARKED];
/// What to do with results of tools whose files `tare run` runs.
const OF_ONE_PROCESS: &str =
    "it is of one process: run the file with `tare run`, or both revisions with `tare compare OLD NEW`";
const KEYS_MAX: usize = 256;
/// Whose result an empty list is, where nothing else tells.
const EMPTY_RESULTS: &str = "nanobench or hyperfine";
/// How often the bytes of a text are looked at for a result that does not begin it.
const LOOKS: usize = 8;
const LOOKS_LEAST: usize = 1 << 20;
/// Beginnings of JSON that are looked at for one that does not end.
const STARTS_MAX: usize = 100;

pub(crate) fn sniff(text: &str) -> Result<(Form, usize), Problem> {
    let at = text.len() - text.trim_start().len();
    let start = &text[at..];
    let found = match start.as_bytes().first() {
        Some(b'{') => object(start),
        Some(b'[') if is_list(start) => list(start),
        Some(b'<') if is_catch2(start) => Ok(Form::Catch2),
        Some(b'<') => Err(unsupported("XML", "use the tool's JSON: its XML leaves out or rounds single measurements")),
        _ => {
            let first = start.lines().next().unwrap_or_default();
            Err(Problem::Unknown { found: format!("text that begins with `{}`", shortened(first)) })
        }
    };
    match found {
        Ok(form) => Ok((form, at)),
        Err(problem @ Problem::Unknown { .. }) => {
            within(text, at).ok_or_else(|| cut_off(text, at).or_else(|| too_little(text)).unwrap_or(problem))
        }
        Err(problem) => Err(problem),
    }
}

fn is_catch2(text: &str) -> bool {
    text.contains("<Catch") && CATCH2.iter().any(|sign| text.contains(sign))
}

/// A result in a text that does not begin with JSON of a known form: lines of `go test`, JSON behind lines of a log, or a part of
/// what another program wrote.
fn within(text: &str, at: usize) -> Option<(Form, usize)> {
    if text.lines().any(is_go_result) {
        return Some((Form::GoText, 0));
    }
    if let Some(at) = text.find("<?xml").filter(|at| is_catch2(&text[*at..])) {
        return Some((Form::Catch2, at));
    }
    if let Some(tool) = tables::tool_of(text) {
        return Some((Form::Table(tool), 0));
    }
    next(text, at).or_else(|| text.lines().any(is_go_end).then_some((Form::GoText, 0)))
}

/// The next JSON document of a known form from a place of a text on.
pub(crate) fn next(text: &str, from: usize) -> Option<(Form, usize)> {
    // Nested objects are looked through once for each level: hostile ones have many.
    let mut budget = text.len().saturating_mul(LOOKS).saturating_add(LOOKS_LEAST);
    let begins = text.get(from..)?.match_indices(['{', '[']).map(|(at, _)| from + at);
    for at in begins {
        let rest = &text[at..];
        let inner = rest[1..].trim_start();
        if !inner.starts_with(if rest.starts_with('{') { '"' } else { '{' }) {
            continue;
        }
        let (keys, read) = top_keys(if rest.starts_with('{') { rest } else { inner });
        budget = budget.checked_sub(read)?;
        let form = if rest.starts_with('{') { of_keys(rest, &keys) } else { of_list_keys(&keys) };
        if let Some(Ok(form)) = form {
            return Some((form, at));
        }
    }
    None
}

/// What is wrong with JSON that begins at a place of a text or behind it, and does not end: whatever it is.
pub(crate) fn cut_off(text: &str, from: usize) -> Option<Problem> {
    let mut at = from;
    for _ in 0..STARTS_MAX {
        at += text.get(at..)?.find(['{', '['])?;
        let rest = &text[at..];
        let is_start = match rest.starts_with('{') {
            true => ['"', '}'].iter().any(|c| rest[1..].trim_start().starts_with(*c)) || rest.len() == 1,
            false => is_list(rest),
        };
        at = match is_start.then(|| json::parse_at(text, at, "")) {
            Some(Ok((_, end))) => end,
            Some(Err(problem @ Problem::CutOff { .. })) => return Some(problem),
            Some(Err(_)) | None => at + 1,
        };
    }
    None
}

/// A list of JSON, not a word in brackets that begins a line of a log.
fn is_list(start: &str) -> bool {
    let inner = start[1..].trim_start();
    let is_value = |c: char| c.is_ascii_digit() || "{[]\"-".contains(c);
    inner.is_empty()
        || inner.starts_with(is_value)
        || ["true", "false", "null"].iter().any(|word| inner.starts_with(word))
}

fn object(text: &str) -> Result<Form, Problem> {
    let (keys, _) = top_keys(text);
    of_keys(text, &keys).unwrap_or_else(|| Err(Problem::Unknown { found: described("a JSON object", &keys) }))
}

/// The form of an object with these keys; None of an unknown one.
fn of_keys(text: &str, keys: &[String]) -> Option<Result<Form, Problem>> {
    let has = |key: &str| keys.iter().any(|k| k == key);
    let json = |tool| Some(Ok(Form::Json(tool)));
    let refuse = |form, instead| Some(Err(unsupported(form, instead)));
    if has("schema") && (has("plan") || has("launches")) {
        return Some(Ok(Form::Run));
    }
    if has("HostEnvironmentInfo") || has("Benchmarks") {
        return json("benchmarkdotnet");
    }
    if has("machine_info") && has("benchmarks") {
        return json("pytest-benchmark");
    }
    if has("layout") && has("benchmarks") {
        return refuse("a result of mitata", "mitata sorts its samples and drops four: run the file with `tare run`");
    }
    if has("files") && text.contains("\"groups\"") && text.contains("\"benchmarks\"") {
        return refuse("a result of vitest", OF_ONE_PROCESS);
    }
    if has("context") && has("benchmarks") {
        return json("google-benchmark");
    }
    if has("benchmarks") && (has("version") || has("metadata")) {
        if text.contains("\"common_metadata\"") || is_object(text, "\"benchmarks\"") {
            return refuse(
                "a result of perf before 1.0",
                "convert it: `python3 -m pyperf convert OLD.json -o NEW.json`",
            );
        }
        return json("pyperf");
    }
    if has("results") && (has("result_columns") || has("commit_hash")) {
        return refuse("a result of asv", "let Tare run the suite on both revisions: `tare compare OLD NEW`");
    }
    if has("kind") && (has("profiles") || has("callgrind_summary")) {
        return refuse("a summary of gungraun", OF_GUNGRAUN);
    }
    if has("results") {
        if !has("schema_version") && is_empty_list(text, "\"results\"") {
            return json(EMPTY_RESULTS);
        }
        // hyperfine 2 has measurements too.
        let nanobench = !has("schema_version")
            && ["\"measurements\"", "median(elapsed)", "medianAbsolutePercentError", "clockResolution"]
                .iter()
                .any(|w| text.contains(w));
        return json(if nanobench { "nanobench" } else { "hyperfine" });
    }
    if has("Action") && (has("Package") || has("Output") || has("ImportPath")) {
        return Some(Ok(Form::GoJson));
    }
    if has("format") && has("report") {
        return refuse("a report of Tare", "use the run itself: its id, or the folder `.tare/runs/ID`");
    }
    if has("format") && ["comparison", "history"].iter().any(|key| has(key)) {
        return refuse(
            "a report of Tare, which has no measurements",
            "show or compare its source: the run (`tare runs`), or the result files",
        );
    }
    if has("event") && has("schema") {
        return refuse(
            "the events of a run of Tare",
            "use the `run.json` next to it; if there is none, the run was interrupted: `tare run --resume ID`",
        );
    }
    if has("sampling_mode") || has("median_abs_dev") || has("group_id") || (has("iters") && has("times")) {
        return refuse(
            "a part of criterion's results",
            "use the folder `target/criterion`: the name is in another file",
        );
    }
    None
}

fn is_empty_list(text: &str, field: &str) -> bool {
    let inner = value_of(text, field).and_then(|value| value.strip_prefix('['));
    inner.is_some_and(|inner| inner.trim_start().starts_with(']'))
}

fn is_object(text: &str, field: &str) -> bool {
    value_of(text, field).is_some_and(|value| value.starts_with('{'))
}

/// The text from the first value of a field on.
fn value_of<'a>(text: &'a str, field: &str) -> Option<&'a str> {
    Some(text.split_once(field)?.1.trim_start().strip_prefix(':')?.trim_start())
}

fn list(text: &str) -> Result<Form, Problem> {
    let inner = text[1..].trim_start();
    // An empty list is what JMH writes when nothing matched.
    if inner.starts_with(']') {
        return Ok(Form::Json("jmh"));
    }
    let (keys, _) = if inner.starts_with('{') { top_keys(inner) } else { (Vec::new(), 0) };
    of_list_keys(&keys).unwrap_or_else(|| Err(Problem::Unknown { found: described("a JSON list", &keys) }))
}

/// The form of a list whose first element has these keys; None of an unknown one.
fn of_list_keys(keys: &[String]) -> Option<Result<Form, Problem>> {
    let has = |key: &str| keys.iter().any(|k| k == key);
    if has("jmhVersion") || (has("benchmark") && has("primaryMetric")) {
        return Some(Ok(Form::Json("jmh")));
    }
    if has("name") && (has("median(elapsed)") || has("medianAbsolutePercentError(elapsed)") || has("clockResolution")) {
        return Some(Ok(Form::Json("nanobench")));
    }
    if has("Task name") {
        return Some(Err(unsupported("a table of tinybench, which is rounded", OF_ONE_PROCESS)));
    }
    None
}

/// What tools print or save that holds too little to be read: words of one line that tell it, what it is called, what to give instead.
const TOO_LITTLE: [(&[&str], &str, &str); 25] = [
    (&["Benchmark,Mode"], "JMH's CSV, which has no single iterations", OF_JMH),
    (&["Benchmark\",\"Mode\""], "JMH's CSV, which has no single iterations", OF_JMH),
    (&["# JMH version"], "JMH's text, which is rounded", OF_JMH),
    (&["Benchmark", "Mode", "Score", "Units"], "JMH's table, which is rounded", OF_JMH),
    (&["name,iterations,real_time"], "Google Benchmark's CSV", OF_GOOGLE),
    (&["Benchmark", "Time", "CPU", "Iterations"], "Google Benchmark's table, which is rounded", OF_GOOGLE),
    (&["command,mean,stddev"], "hyperfine's CSV, which has no single times", OF_HYPERFINE),
    (&["Time (mean ± σ):"], "hyperfine's text, which has no single times", OF_HYPERFINE),
    (&["| Command |", "Mean"], "hyperfine's table, which has no single times", OF_HYPERFINE),
    (&["title\";\"name\""], "nanobench's CSV, which has no single epochs", "render `ankerl::nanobench::templates::json()`"),
    (&["Method,Job,"], "BenchmarkDotNet's CSV, whose values are rounded", OF_DOTNET),
    (&["Method;Job;"], "BenchmarkDotNet's CSV, whose values are rounded", OF_DOTNET),
    (&["| Method", "Mean"], "BenchmarkDotNet's table, whose values are rounded", OF_DOTNET),
    (
        &["test ", " ... bench: "],
        "the text of libtest's benchmarks",
        "if criterion printed it, compare its folder `target/criterion`; to port benchmarks of libtest, see `tare help moving`",
    ),
    (&["time:   ["], "criterion's text, which is rounded", "compare its folder `target/criterion`"),
    (&["benchmark name", "est run time"], "Catch2's table, which is rounded", "run the program with `--reporter xml --out FILE`"),
    (&["fastest", "slowest", "median"], "divan's table, which is rounded", OF_PROGRAM),
    (&["Name (time in "], "pytest-benchmark's table, which is rounded", "run pytest with `--benchmark-json=FILE`"),
    (&["Mean +- std dev:"], "pyperf's text, which is rounded", "run the script with `-o FILE`"),
    (&["sec/op", "vs base"], "a table of benchstat", "use the files that benchstat read: the text of `go test -bench`"),
    (&["Instructions:", "|"], "the text of gungraun", OF_GUNGRAUN),
    (&["avg (min … max)"], "mitata's table, which is rounded", OF_FILE),
    (&["name", "hz", "p75", "p99", "rme"], "vitest's table, which is rounded", OF_FILE),
    (&["Task name", "Latency"], "tinybench's table, which is rounded", OF_FILE),
    (&[" ops/sec ±", "sampled"], "the text of benchmark.js, which is rounded", "to port its benchmarks, see `tare help moving`"),
];
const OF_JMH: &str = "run JMH with `-rf json -rff FILE`";
const OF_GOOGLE: &str = "run the program with `--benchmark_out=FILE --benchmark_out_format=json`";
const OF_HYPERFINE: &str = "run hyperfine with `--export-json FILE`";
const OF_DOTNET: &str = "add `[JsonExporterAttribute.Full]` or `--exporters json`";
const OF_GUNGRAUN: &str = "count instructions with Tare: `tare run --diagnose instructions`";
const OF_PROGRAM: &str = "it saves nothing else: let Tare run its programs: `tare run PROGRAM`, `tare compare OLD NEW`";
const OF_FILE: &str = "let Tare run the file with the benchmarks: `tare run FILE`";

fn too_little(text: &str) -> Option<Problem> {
    let is_of = |words: &[&str]| text.lines().any(|line| words.iter().all(|word| line.contains(word)));
    TOO_LITTLE.iter().find(|(words, ..)| is_of(words)).map(|(_, form, instead)| unsupported(form, instead))
}

/// A line with a result of Go, of a benchmark that runs, or of the header.
fn is_go_result(line: &str) -> bool {
    let line = line.trim_end();
    ["goos: ", "pkg: "].iter().any(|start| line.starts_with(start)) || super::formats::go::is_result(line)
}

/// A line that `go test` ends with: of a package, or of all.
fn is_go_end(line: &str) -> bool {
    ["ok  \t", "FAIL\t", "?   \t", "--- FAIL: ", "--- SKIP: "].iter().any(|start| line.starts_with(start))
        || ["PASS", "FAIL"].contains(&line.trim_end())
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

/// The keys of the object that a text begins with, without reading what is in it: broken and truncated texts
/// have keys too. With it, the bytes that were read.
fn top_keys(text: &str) -> (Vec<String>, usize) {
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
    (keys, at)
}

fn end_of_string(bytes: &[u8], mut at: usize) -> usize {
    while at < bytes.len() && bytes[at] != b'"' {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    at.min(bytes.len())
}
