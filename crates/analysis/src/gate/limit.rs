//! What a benchmark may cost: `time = "250 ns"`, `ratio = "2 x baseline"`, `allocations = 0`.

use std::fmt;
use tare_model::Metric;

/// Upper limits of the benchmarks that a pattern fits.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limit {
    /// Pattern over `group/name[n=10]`, as `--filter` has it.
    pub pattern: String,
    /// Time of an operation, ns.
    pub time_ns: Option<f64>,
    /// new / base of the cost.
    pub ratio: Option<f64>,
    /// Allocations an operation.
    pub allocations: Option<f64>,
    /// Bytes allocated an operation.
    pub bytes: Option<f64>,
}

/// A limit that cannot be understood, with what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitError(String);

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LimitError {}

impl Limit {
    /// Whether it is about what a benchmark costs by itself.
    pub(super) fn is_of_cost(&self) -> bool {
        self.time_ns.is_some() || self.allocations.is_some() || self.bytes.is_some()
    }

    /// The metrics that it is about.
    pub fn metrics(&self) -> Vec<&'static str> {
        let allocations = self.allocations.map(|_| Metric::ALLOCATIONS);
        allocations.into_iter().chain(self.bytes.map(|_| Metric::ALLOCATED_BYTES)).collect()
    }

    /// ns of `250 ns`, `1.5 µs`, `20ms`, `3 s`.
    ///
    /// # Errors
    /// Without a number or a unit of time.
    pub fn time_of(text: &str) -> Result<f64, LimitError> {
        let (number, unit) = split(text)?;
        let ns = match unit {
            "ns" => 1.0,
            "us" | "µs" | "μs" => 1e3,
            "ms" => 1e6,
            "s" => 1e9,
            "" => return Err(LimitError(format!("a time needs a unit: \"{} ns\"", text.trim()))),
            other => return Err(LimitError(format!("`{other}` is not a unit of time: use ns, us, ms or s"))),
        };
        Ok(number * ns)
    }

    /// The factor of `2 x baseline`, `1.5 x`, `1.05`.
    ///
    /// # Errors
    /// Without a number, or with other words behind it.
    pub fn ratio_of(text: &str) -> Result<f64, LimitError> {
        let (number, rest) = split(text)?;
        let words: Vec<&str> = rest.split_whitespace().collect();
        match words.as_slice() {
            [] | ["x" | "×" | "*"] | ["x" | "×" | "*", "baseline" | "base"] | ["baseline" | "base"] => Ok(number),
            _ => Err(LimitError(format!("`{}` is not a ratio: write \"2 x baseline\"", text.trim()))),
        }
    }
}

fn split(text: &str) -> Result<(f64, &str), LimitError> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number: f64 = text[..end].parse().map_err(|_| LimitError(format!("`{text}` does not start with a number")))?;
    if number > 0.0 && number.is_finite() {
        Ok((number, text[end..].trim()))
    } else {
        Err(LimitError(format!("`{text}` must be greater than 0")))
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.pattern)
    }
}
