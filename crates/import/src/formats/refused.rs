//! Forms that look like results but are not read, with alternatives.

use super::{Head, TooLittle};
use crate::error::Problem;

/// A test for JSON, its name, and what to use instead.
type Refused = (fn(&Head) -> bool, &'static str, &'static str);

/// Advice for results of tools whose files `tare run` can run.
const OF_ONE_PROCESS: &str =
    "it is of one process: run the file with `tare run`, or both revisions with `tare compare OLD NEW`";
const OF_GUNGRAUN: &str = "count instructions with Tare: `tare run --diagnose instructions`";
const OF_ASV: &str = "let Tare run the suite on both revisions: `tare compare OLD NEW`";
const OF_REPORT: &str = "a report of Tare, which has no measurements";
const OF_RUN: &str = "show or compare its source: the run (`tare runs`), or the result files";
const OF_FILE: &str = "let Tare run the file with the benchmarks: `tare run FILE`";

const ALL: [Refused; 12] = [
    (
        |head| head.has(&["layout", "benchmarks"]),
        "a result of mitata",
        "mitata sorts its samples and drops four: run the file with `tare run`",
    ),
    (
        |head| head.has(&["files"]) && ["\"groups\"", "\"benchmarks\""].iter().all(|w| head.text.contains(w)),
        "a result of vitest",
        OF_ONE_PROCESS,
    ),
    (
        |head| {
            let is_perf = head.has(&["benchmarks"]) && (head.has(&["version"]) || head.has(&["metadata"]));
            let is_old = head.text.contains("\"common_metadata\"") || head.begins("benchmarks", '{');
            is_perf && is_old && !head.has(&["context"])
        },
        "a result of perf before 1.0",
        "convert it: `python3 -m pyperf convert OLD.json -o NEW.json`",
    ),
    (
        |head| head.has(&["results"]) && (head.has(&["result_columns"]) || head.has(&["commit_hash"])),
        "a result of asv",
        OF_ASV,
    ),
    (
        |head| head.has(&["kind", "profiles"]) || head.has(&["kind", "callgrind_summary"]),
        "a summary of gungraun",
        OF_GUNGRAUN,
    ),
    (
        |head| head.has(&["format", "report"]),
        "a report of Tare",
        "use the run itself: its id, or the folder `.tare/runs/ID`",
    ),
    (|head| head.has(&["format", "comparison"]) || head.has(&["format", "history"]), OF_REPORT, OF_RUN),
    (
        |head| head.has(&["event", "schema"]),
        "the events of a run of Tare",
        "use the `run.json` next to it; if there is none, the run was interrupted: `tare run --resume ID`",
    ),
    (
        |head| head.has(&["reason", "measured_values"]),
        "a message of cargo-criterion",
        "run the benchmarks with `cargo bench`, and compare its folder `target/criterion`",
    ),
    (
        |head| {
            let of_part = ["sampling_mode", "median_abs_dev", "group_id"].iter().any(|key| head.has(&[key]));
            of_part || head.has(&["iters", "times"])
        },
        "a part of criterion's results",
        "use the folder `target/criterion`: the name is in another file",
    ),
    (
        |head| head.has(&["runtime", "benches"]),
        "a result of `deno bench`, which has no single measurements",
        "to port its benchmarks, see `tare help moving`",
    ),
    (|head| head.lists(&["Task name"]), "a table of tinybench, which is rounded", OF_ONE_PROCESS),
];

/// Why JSON with this beginning is not read.
pub(crate) fn refused(head: &Head) -> Option<Problem> {
    let (_, form, instead) = ALL.into_iter().find(|(is_json, ..)| is_json(head))?;
    Some(Problem::Unsupported { form, instead })
}

/// Tools' output that is not read.
pub(crate) const TOO_LITTLE: &[TooLittle] = &[
    (&["<?xml"], "XML", "use the tool's JSON: its XML leaves out or rounds single measurements"),
    (
        &["test ", " ... bench: "],
        "the text of libtest's benchmarks",
        "if criterion printed it, compare its folder `target/criterion`; to port benchmarks of libtest, see `tare help moving`",
    ),
    (
        &["fastest", "slowest", "median"],
        "divan's table, which is rounded",
        "it saves nothing else: let Tare run its programs: `tare run PROGRAM`, `tare compare OLD NEW`",
    ),
    (&["%] ·"], "the text of asv", OF_ASV),
    (&["95 % interval"], OF_REPORT, OF_RUN),
    (&["run,case,group,name,"], OF_REPORT, OF_RUN),
    (&["Instructions:", "|"], "the text of gungraun", OF_GUNGRAUN),
    (&["Estimated Cycles:"], "the text of iai", OF_GUNGRAUN),
    (&["avg (min … max)"], "mitata's table, which is rounded", OF_FILE),
    (&["name", "hz", "p75", "p99", "rme"], "vitest's table, which is rounded", OF_FILE),
    (&["Task name", "Latency"], "tinybench's table, which is rounded", OF_FILE),
    (
        &[" ops/sec ±", "sampled"],
        "the text of benchmark.js, which is rounded",
        "to port its benchmarks, see `tare help moving`",
    ),
];
