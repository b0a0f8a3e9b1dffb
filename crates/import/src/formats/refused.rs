//! Forms that look like results and are not read, with what to do instead.

use super::{Head, TooLittle};
use crate::error::Problem;

struct Refused {
    is_json: fn(&Head) -> bool,
    form: &'static str,
    instead: &'static str,
}

/// What to do with results of tools whose files `tare run` runs.
const OF_ONE_PROCESS: &str =
    "it is of one process: run the file with `tare run`, or both revisions with `tare compare OLD NEW`";
const OF_GUNGRAUN: &str = "count instructions with Tare: `tare run --diagnose instructions`";
const OF_FILE: &str = "let Tare run the file with the benchmarks: `tare run FILE`";

const ALL: [Refused; 10] = [
    Refused {
        is_json: |head| head.has(&["layout", "benchmarks"]),
        form: "a result of mitata",
        instead: "mitata sorts its samples and drops four: run the file with `tare run`",
    },
    Refused {
        is_json: |head| head.has(&["files"]) && ["\"groups\"", "\"benchmarks\""].iter().all(|w| head.text.contains(w)),
        form: "a result of vitest",
        instead: OF_ONE_PROCESS,
    },
    Refused {
        is_json: |head| {
            let is_perf = head.has(&["benchmarks"]) && (head.has(&["version"]) || head.has(&["metadata"]));
            let is_old = head.text.contains("\"common_metadata\"") || head.begins("benchmarks", '{');
            is_perf && is_old && !head.has(&["context"])
        },
        form: "a result of perf before 1.0",
        instead: "convert it: `python3 -m pyperf convert OLD.json -o NEW.json`",
    },
    Refused {
        is_json: |head| head.has(&["results"]) && (head.has(&["result_columns"]) || head.has(&["commit_hash"])),
        form: "a result of asv",
        instead: "let Tare run the suite on both revisions: `tare compare OLD NEW`",
    },
    Refused {
        is_json: |head| head.has(&["kind", "profiles"]) || head.has(&["kind", "callgrind_summary"]),
        form: "a summary of gungraun",
        instead: OF_GUNGRAUN,
    },
    Refused {
        is_json: |head| head.has(&["format", "report"]),
        form: "a report of Tare",
        instead: "use the run itself: its id, or the folder `.tare/runs/ID`",
    },
    Refused {
        is_json: |head| head.has(&["format", "comparison"]) || head.has(&["format", "history"]),
        form: "a report of Tare, which has no measurements",
        instead: "show or compare its source: the run (`tare runs`), or the result files",
    },
    Refused {
        is_json: |head| head.has(&["event", "schema"]),
        form: "the events of a run of Tare",
        instead: "use the `run.json` next to it; if there is none, the run was interrupted: `tare run --resume ID`",
    },
    Refused {
        is_json: |head| {
            let of_part = ["sampling_mode", "median_abs_dev", "group_id"].iter().any(|key| head.has(&[key]));
            of_part || head.has(&["iters", "times"])
        },
        form: "a part of criterion's results",
        instead: "use the folder `target/criterion`: the name is in another file",
    },
    Refused {
        is_json: |head| head.lists(&["Task name"]),
        form: "a table of tinybench, which is rounded",
        instead: OF_ONE_PROCESS,
    },
];

/// Why JSON that begins so is not read.
pub(crate) fn refused(head: &Head) -> Option<Problem> {
    let refused = ALL.iter().find(|refused| (refused.is_json)(head))?;
    Some(Problem::Unsupported { form: refused.form, instead: refused.instead })
}

/// What tools print of which nothing is read.
pub(crate) const TOO_LITTLE: &[TooLittle] = &[
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
    (&["Instructions:", "|"], "the text of gungraun", OF_GUNGRAUN),
    (&["avg (min … max)"], "mitata's table, which is rounded", OF_FILE),
    (&["name", "hz", "p75", "p99", "rme"], "vitest's table, which is rounded", OF_FILE),
    (&["Task name", "Latency"], "tinybench's table, which is rounded", OF_FILE),
    (
        &[" ops/sec ±", "sampled"],
        "the text of benchmark.js, which is rounded",
        "to port its benchmarks, see `tare help moving`",
    ),
];
