//! Parses the tree that divan prints, with its table.
//!
//! Traps: numbers are truncated after four digits, not rounded; branches of the tree are drawn with the character that separates columns;
//! input sizes appear only as rates.

#[derive(Debug, Clone, PartialEq)]
pub(super) struct Row {
    /// Names from the crate on, as in the list.
    pub path: String,
    /// Number of threads, if it runs with several.
    pub threads: Option<String>,
    pub median_ns: f64,
    pub mean_ns: f64,
    pub iterations: f64,
    /// Amounts that an iteration processes, by the name of their counter.
    pub amounts: Vec<(&'static str, f64)>,
    /// Amounts that an iteration allocates, by name and unit of the quantity.
    pub memory: Vec<(&'static str, f64)>,
    /// Shortest and longest possible time of each column, s.
    times: [Range; 4],
}

type Range = (f64, f64);

const MEDIAN: usize = 2;
/// Titles of blocks of the allocation profiler, and the meaning of their two lines.
const BLOCKS: [(&str, [&str; 2]); 5] = [
    ("alloc:", ["allocations", "allocated_bytes B"]),
    ("max alloc:", ["max_allocations", "max_allocated_bytes B"]),
    ("dealloc:", ["deallocations", "deallocated_bytes B"]),
    ("grow:", ["grows", "grown_bytes B"]),
    ("shrink:", ["shrinks", "shrunk_bytes B"]),
];
/// Quantities that a benchmark has even if it allocates nothing.
pub(super) const ALLOCATED: [&str; 2] = BLOCKS[0].1;
/// Units of rates, with the name of what they count.
const RATES: [(&str, &str); 4] = [("B/s", "bytes"), ("char/s", "chars"), ("Hz", "counted_cycles"), ("item/s", "items")];

pub(super) fn rows(text: &str) -> Vec<Row> {
    let (mut rows, mut path): (Vec<Row>, Vec<&str>) = (Vec::new(), Vec::new());
    // Lines of the open block that are still to come.
    let mut block: &[&'static str] = &[];
    for line in text.lines() {
        if let Some((depth, rest)) = branch(line) {
            path.truncate(depth);
            block = &[];
            let cells: Vec<&str> = rest.split('│').map(str::trim).collect();
            let row = row(&cells);
            let name = row.as_ref().map_or(cells[0], |_| without_time(cells[0]));
            path.push(name);
            rows.extend(row.map(|row| placed(row, &path)));
        } else if let Some(head) = line.split('│').next().and_then(|head| head.trim_end().strip_suffix("fastest")) {
            path = vec![head.trim_end()];
        } else if let (Some(row), Some(cells)) = (rows.last_mut(), beside(line)) {
            if let Some((_, lines)) = BLOCKS.iter().find(|(head, _)| *head == cells[0]) {
                block = lines;
            } else if let Some((quantity, rest)) = block.split_first() {
                let value = number(cells[MEDIAN]).map(|((low, _), unit)| low * prefixed(unit).0);
                row.memory.extend(value.map(|value| (*quantity, value)));
                block = rest;
            } else {
                row.amounts.extend(amount(&cells, &row.times));
            }
        }
    }
    rows
}

fn placed(row: Row, path: &[&str]) -> Row {
    let is_number = |text: &&str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let threads = path.last().and_then(|last| last.strip_prefix("t=")).filter(is_number);
    let own = threads.map_or(path, |_| &path[..path.len() - 1]);
    Row { path: own.join("::"), threads: threads.map(str::to_owned), ..row }
}

/// Depth below the crate of a line with a name, and the text after its branch.
fn branch(line: &str) -> Option<(usize, &str)> {
    let at = line.find(|c| c != '│' && c != ' ')?;
    let rest = ["├─ ", "╰─ "].iter().find_map(|branch| line[at..].strip_prefix(branch))?;
    // Each level is three characters wide.
    Some((line[..at].chars().count() / 3 + 1, rest))
}

/// The cells of a line that continues the benchmark above it.
fn beside(line: &str) -> Option<Vec<&str>> {
    let rest = line.trim_start_matches(['│', ' ']);
    let cells: Vec<&str> = rest.split('│').map(str::trim).collect();
    (cells.len() == 6 && line.starts_with(['│', ' '])).then_some(cells)
}

/// The numbers of a benchmark: the time after its name, three more times, samples and iterations.
fn row(cells: &[&str]) -> Option<Row> {
    let [fastest, slowest, median, mean, _, iterations] = cells else { return None };
    let time = |cell: &str| {
        let (range, unit) = number(cell)?;
        let unit_s = seconds(unit)?;
        Some((range.0 * unit_s, range.1 * unit_s))
    };
    let times = [time(fastest)?, time(slowest)?, time(median)?, time(mean)?];
    Some(Row {
        path: String::new(),
        threads: None,
        median_ns: middle_ns(times[MEDIAN]),
        mean_ns: middle_ns(times[3]),
        iterations: iterations.replace(',', "").parse().ok().filter(|count| *count >= 1.0)?,
        amounts: Vec::new(),
        memory: Vec::new(),
        times,
    })
}

/// The middle of a range of possible times, ns.
fn middle_ns((low, high): Range) -> f64 {
    1e9 * (low + high) / 2.0
}

/// The name in a cell, without the time after it.
fn without_time(cell: &str) -> &str {
    cell.rsplitn(3, ' ').nth(2).unwrap_or_default().trim_end()
}

/// The amount that an iteration processes: a rate times the time of its column. It is the same in all columns, so it lies where their
/// ranges overlap.
fn amount(cells: &[&str], times: &[Range; 4]) -> Option<(&'static str, f64)> {
    let mut name = None;
    let mut all: Range = (0.0, f64::INFINITY);
    for (cell, time) in cells.iter().zip(times) {
        let (rate, unit) = number(cell)?;
        let (scale, rest) = prefixed(unit);
        name = Some(RATES.iter().find(|(unit, _)| *unit == rest)?.1);
        let here = (rate.0 * scale * time.0, rate.1 * scale * time.1);
        let both = (all.0.max(here.0), all.1.min(here.1));
        // If the samples have inputs of different sizes, the first column is as good as any.
        all = if both.0 <= both.1 { both } else { all };
    }
    Some((name?, roundest(all)))
}

/// The roundest number in a range, by powers of two or ten: sizes of inputs are usually round.
fn roundest((low, high): Range) -> f64 {
    let powers = (0..19).map(|e| 10_f64.powi(e)).chain((0..63).map(|e| 2_f64.powi(e)));
    let multiples = powers.map(|power| (power, (low / power).ceil() * power));
    let fitting = multiples.filter(|(_, multiple)| *multiple > 0.0 && *multiple <= high);
    fitting.max_by(|a, b| a.0.total_cmp(&b.0)).map_or((low + high) / 2.0, |(_, multiple)| multiple)
}

/// The range of the number at the end of a cell, and its unit: digits after the fourth were cut off.
fn number(cell: &str) -> Option<(Range, &str)> {
    let mut words = cell.split_whitespace().rev();
    let last = words.next()?;
    let (text, unit) = match last.ends_with(|c: char| c.is_ascii_digit()) {
        true => (last, ""),
        false => (words.next()?, last),
    };
    let value: f64 = text.parse().ok().filter(|value: &f64| value.is_finite() && *value >= 0.0)?;
    let digits = text.split('.').next().unwrap_or_default().len() as i32;
    Some(((value, value + 10_f64.powi((digits - 4).min(0))), unit))
}

fn seconds(unit: &str) -> Option<f64> {
    Some(match unit {
        "ps" => 1e-12,
        "ns" => 1e-9,
        "µs" | "μs" | "us" => 1e-6,
        "ms" => 1e-3,
        "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        _ => return None,
    })
}

/// The factor of a prefixed unit (`KB`, `MiB/s`, `Gitem/s`), and the unit without the prefix.
fn prefixed(unit: &str) -> (f64, &str) {
    let Some(power) = unit.chars().next().and_then(|prefix| "KMGTP".find(prefix)) else { return (1.0, unit) };
    let (rest, power) = (&unit[1..], power as i32 + 1);
    match rest.strip_prefix("iB") {
        Some(_) => (1024_f64.powi(power), &rest[1..]),
        None => (1000_f64.powi(power), rest),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of divan 0.1.21.
    const PRINTED: &str = "\
Timer precision: 20 ns
sizes            fastest       │ slowest       │ median        │ mean          │ samples │ iters
├─ parse                       │               │               │               │         │
│  ├─ 1024       2.048 µs      │ 4.096 µs      │ 2.133 µs      │ 2.2 µs        │ 100     │ 12800
│  │             500 MB/s      │ 250 MB/s      │ 480 MB/s      │ 465.4 MB/s    │         │
│  │             4.882 Mitem/s │ 2.441 Mitem/s │ 4.688 Mitem/s │ 4.545 Mitem/s │         │
│  │             max alloc:    │               │               │               │         │
│  │               1           │ 1             │ 1             │ 1             │         │
│  │               1.5 KB      │ 1.5 KB        │ 1.5 KB        │ 1.5 KB        │         │
│  │             alloc:        │               │               │               │         │
│  │               2           │ 2             │ 2             │ 2.01          │         │
│  │               2 KiB       │ 2 KiB         │ 2 KiB         │ 2.01 KiB      │         │
│  ╰─ two words  8.724 ns      │ 8.767 µs      │ 8.763 ns      │ 1.049 µs      │ 5       │ 1280
╰─ shared                      │               │               │               │         │
   ├─ t=1        10 ns         │ 11 ns         │ 10.5 ns       │ 10.5 ns       │ 100     │ 100
   ╰─ t=4        12 ns         │ 13 ns         │ 12.5 ns       │ 12.5 ns       │ 100     │ 100
";

    #[test]
    fn a_table_is_read() {
        let rows = rows(PRINTED);
        let names: Vec<(&str, Option<&str>)> = rows.iter().map(|r| (r.path.as_str(), r.threads.as_deref())).collect();
        let shared = "sizes::shared";
        assert_eq!(
            names,
            [("sizes::parse::1024", None), ("sizes::parse::two words", None), (shared, Some("1")), (shared, Some("4"))]
        );
        let first = &rows[0];
        // `2.133` is at least that, and less than `2.134`.
        assert!((first.median_ns - 2133.5).abs() < 1e-6 && (first.mean_ns - 2200.5).abs() < 1e-6);
        assert_eq!((first.iterations, &first.amounts[..]), (12800.0, &[("bytes", 1024.0), ("items", 10.0)][..]));
        let memory = [
            ("max_allocations", 1.0),
            ("max_allocated_bytes B", 1500.0),
            ("allocations", 2.0),
            ("allocated_bytes B", 2048.0),
        ];
        assert_eq!(first.memory, memory);
        assert!(rows[1].amounts.is_empty() && rows[1].memory.is_empty());
    }

    #[test]
    fn a_number_that_was_cut_off_is_a_range() {
        assert_eq!(
            number("x 12.5 ns").map(|(range, unit)| (range.0, (100.0 * range.1).round(), unit)),
            Some((12.5, 1251.0, "ns"))
        );
        assert_eq!(
            (number("x"), number("5"), number("  2 KB").map(|n| n.1)),
            (None, Some(((5.0, 5.001), "")), Some("KB"))
        );
        assert_eq!(
            (prefixed("KiB"), prefixed("Mitem/s"), prefixed("Hz")),
            ((1024.0, "B"), (1e6, "item/s"), (1.0, "Hz"))
        );
        assert_eq!(
            (roundest((65_490.0, 65_540.0)), roundest((99_950.0, 100_040.0)), roundest((0.2, 0.3))),
            (65_536.0, 100_000.0, 0.25)
        );
    }
}
