//! What callgrind writes: files `out.1`, `out.2`, ... with a line of event names and one of their totals, and a log.

use std::path::Path;

/// SIGILL.
const ILLEGAL: i32 = 4;

/// What was counted in a loop, in all.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Counts {
    pub executed: f64,
    pub branches: f64,
    pub mispredicted: f64,
    pub accesses: f64,
    pub l1_misses: f64,
    pub last_level_misses: f64,
}

impl Counts {
    /// Of the text of a file.
    ///
    /// # Errors
    /// It has no counts.
    pub(super) fn parse(text: &str) -> Result<Counts, String> {
        let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name));
        let (Some(events), Some(totals)) = (line("events:"), line("totals:").or(line("summary:"))) else {
            return Err("callgrind wrote a file without totals".to_owned());
        };
        // Zeros at the end are left out.
        let numbers: Vec<f64> = totals.split_whitespace().map_while(|word| word.parse().ok()).collect();
        let names: Vec<&str> = events.split_whitespace().collect();
        let sum = |wanted: &[&str]| {
            let places = wanted.iter().filter_map(|one| names.iter().position(|name| name == one));
            places.map(|place| numbers.get(place).copied().unwrap_or(0.0)).sum()
        };
        if !names.contains(&"Ir") {
            return Err("callgrind wrote a file without instructions".to_owned());
        }
        Ok(Counts {
            executed: sum(&["Ir"]),
            branches: sum(&["Bc", "Bi"]),
            mispredicted: sum(&["Bcm", "Bim"]),
            accesses: sum(&["Dr", "Dw"]),
            l1_misses: sum(&["I1mr", "D1mr", "D1mw"]),
            last_level_misses: sum(&["ILmr", "DLmr", "DLmw"]),
        })
    }

    /// What the body did in the first half of a round's longer loop: of empty loops and loops with the body, each once and twice as long.
    /// What is there once, such as reading the clock, is in both lengths.
    pub(super) fn of_body(empty: Counts, empty_twice: Counts, body: Counts, body_twice: Counts) -> Counts {
        let of = |get: fn(&Counts) -> f64| (get(&body_twice) - get(&body) - (get(&empty_twice) - get(&empty))).max(0.0);
        Counts {
            executed: of(|counts| counts.executed),
            branches: of(|counts| counts.branches),
            mispredicted: of(|counts| counts.mispredicted),
            accesses: of(|counts| counts.accesses),
            l1_misses: of(|counts| counts.l1_misses),
            last_level_misses: of(|counts| counts.last_level_misses),
        }
    }
}

/// The number of the newest file; 0: there is none.
pub(super) fn newest(folder: &Path) -> u64 {
    let names = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.file_name());
    let number = |name: std::ffi::OsString| name.to_str()?.strip_prefix("out.")?.parse().ok();
    names.filter_map(number).max().unwrap_or(0)
}

/// Why a process that valgrind ran was killed, where its log says it.
pub(super) fn explain(signal: i32, log: &str) -> Option<String> {
    let unknown = log.lines().find_map(|line| line.split_once("unhandled instruction bytes:").map(|(_, bytes)| bytes));
    let bytes = unknown.map(|bytes| format!(" ({})", bytes.trim())).unwrap_or_default();
    (signal == ILLEGAL && (unknown.is_some() || log.contains("SIGILL"))).then(|| {
        format!(
            "valgrind does not know an instruction of the program{bytes}, such as one of AVX-512: build it for an older \
             processor, such as with `-march=x86-64-v3` or `-C target-cpu=x86-64-v3`"
        )
    })
}
