//! Callgrind's output: files `out.1`, `out.2`, ... with a line of event names and one of their totals, and a log.

use std::path::Path;
use tare_model::FailureKind;

/// SIGILL.
const ILLEGAL: i32 = 4;

/// The metrics, each with the callgrind events whose sum it is.
pub(crate) const METRICS: [(&str, &[&str]); 7] = [
    ("executed", &["Ir"]),
    ("branches", &["Bc", "Bi"]),
    ("mispredicted", &["Bcm", "Bim"]),
    ("indirect_branches", &["Bi"]),
    ("memory_accesses", &["Dr", "Dw"]),
    ("l1_misses", &["I1mr", "D1mr", "D1mw"]),
    ("last_level_misses", &["ILmr", "DLmr", "DLmw"]),
];

/// The values of [`METRICS`] in a loop.
pub(crate) type Counts = [f64; METRICS.len()];

/// The counts in the text of a file.
pub(crate) fn parse(text: &str) -> Result<Counts, String> {
    let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
    let (Some(events), Some(totals)) = (line("events:"), line("totals:").or(line("summary:"))) else {
        return Err("callgrind wrote a file without totals".to_owned());
    };
    let names: Vec<&str> = events.split_whitespace().collect();
    if !names.contains(&"Ir") {
        return Err("callgrind wrote a file without instructions".to_owned());
    }
    // Trailing zeros are left out.
    let totals: Vec<f64> = totals.split_whitespace().map_while(|word| word.parse().ok()).collect();
    let total = |event: &&str| totals.get(names.iter().position(|name| name == event)?).copied();
    Ok(METRICS.map(|(_, events)| events.iter().filter_map(total).sum()))
}

/// The number of the newest file; 0 if there is none.
pub(super) fn newest(folder: &Path) -> u64 {
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let number = |name: std::ffi::OsString| name.to_str()?.strip_prefix("out.")?.parse().ok();
    names.filter_map(number).max().unwrap_or(0)
}

/// Why a process under valgrind ended, if its log says so.
pub(super) fn explain(ended: &FailureKind, log: &str) -> Option<String> {
    if log.contains("debuginfo reader") {
        let text = "valgrind cannot read the debug information of the program, which is newer: build it with older one, such as with \
                    `--flags=-gdwarf-4`, or use valgrind 3.20 or later";
        return Some(text.to_owned());
    }
    let FailureKind::Signal { signal: ILLEGAL, .. } = ended else { return None };
    let unknown = log.lines().find_map(|line| line.split_once("unhandled instruction bytes:").map(|(_, bytes)| bytes));
    let bytes = unknown.map(|bytes| format!(" ({})", bytes.trim())).unwrap_or_default();
    (unknown.is_some() || log.contains("SIGILL")).then(|| {
        format!(
            "valgrind does not know an instruction of the program{bytes}, such as one of AVX-512: build it for an older \
             processor, such as with `-march=x86-64-v3` or `-C target-cpu=x86-64-v3`"
        )
    })
}
