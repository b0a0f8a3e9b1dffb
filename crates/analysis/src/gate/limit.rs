//! Limits of a benchmark's cost: `time = "250 ns"`, `ratio = "2 x baseline"`, `allocations = 0`.

use std::fmt;
use tare_model::Metric;

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Limit {
    /// Pattern over `group/name[n=10]`, as `--filter` has it.
    pub pattern: String,
    pub time_ns: Option<f64>,
    pub ratio: Option<f64>,
    pub allocations: Option<f64>,
    pub bytes: Option<f64>,
    pub counts: Vec<CountLimit>,
}

#[derive(Debug, Clone, PartialEq)]
pub struct CountLimit {
    pub word: String,
    pub metric: String,
    pub most: f64,
}

impl CountLimit {
    /// A limit of the count named by a word.
    pub fn new(word: &str, most: f64) -> CountLimit {
        let metric = match word {
            "instructions" => Metric::INSTRUCTIONS,
            other => other,
        };
        CountLimit { word: word.to_owned(), metric: metric.to_owned(), most }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LimitError(String);

impl fmt::Display for LimitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for LimitError {}

impl Limit {
    /// Whether it concerns the cost of a benchmark by itself.
    pub(super) fn is_of_cost(&self) -> bool {
        self.time_ns.is_some() || self.allocations.is_some() || self.bytes.is_some() || !self.counts.is_empty()
    }

    pub fn metrics(&self) -> Vec<&str> {
        let allocations = self.allocations.map(|_| Metric::ALLOCATIONS);
        let counts = self.counts.iter().map(|count| count.metric.as_str());
        allocations.into_iter().chain(self.bytes.map(|_| Metric::ALLOCATED_BYTES)).chain(counts).collect()
    }

    /// `instructions <= 1200`, and `sort/*: time <= 250 ns` for benchmarks that fit a pattern.
    pub fn parse(text: &str) -> Result<Limit, LimitError> {
        const HOW: &str = "write 'instructions <= 1200', or 'sort/*: instructions <= 1200' for some benchmarks";
        let (rule, value) = text.split_once("<=").ok_or_else(|| LimitError(HOW.to_owned()))?;
        let (pattern, word) = rule.rsplit_once(": ").unwrap_or(("*", rule));
        let (pattern, word, value) = (pattern.trim().to_owned(), word.trim(), value.trim());
        let of_all = Limit { pattern, ..Limit::default() };
        let number = || match value.parse::<f64>() {
            Ok(number) if number >= 0.0 && number.is_finite() => Ok(number),
            _ => Err(LimitError(format!("`{value}` is not a number of at least 0"))),
        };
        Ok(match word {
            "time" => Limit { time_ns: Some(Limit::time_of(value)?), ..of_all },
            "ratio" => Limit { ratio: Some(Limit::ratio_of(value)?), ..of_all },
            "allocations" => Limit { allocations: Some(number()?), ..of_all },
            "bytes" => Limit { bytes: Some(number()?), ..of_all },
            "instructions" => Limit { counts: vec![CountLimit::new(word, number()?)], ..of_all },
            other => match other.strip_prefix("instructions/").is_some_and(Metric::is_name) {
                true => Limit { counts: vec![CountLimit::new(other, number()?)], ..of_all },
                false => {
                    let known = "time, ratio, allocations, bytes, instructions, or one of its columns such as instructions/branches";
                    return Err(LimitError(format!("`{other}` has no limit: use {known}")));
                }
            },
        })
    }

    /// ns of `250 ns`, `1.5 µs`, `20ms`, `3 s`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_the_command_line_names_a_cost_and_benchmarks() {
        let of = |text: &str| Limit::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
        let limit = of("instructions <= 1200");
        assert_eq!((limit.pattern.as_str(), limit.metrics()), ("*", vec![Metric::INSTRUCTIONS]));
        assert_eq!(limit.counts[0].most, 1200.0);
        let limit = of("a::b/sort: *: time<=250 ns");
        assert_eq!((limit.pattern.as_str(), limit.time_ns), ("a::b/sort: *", Some(250.0)));
        assert_eq!(of("instructions/branches <= 3").metrics(), ["instructions/branches"]);
        assert_eq!((of("allocations <= 0").allocations, of("ratio <= 2 x").ratio), (Some(0.0), Some(2.0)));
        for wrong in
            ["", "instructions", "instructions <= x", "instructions <= -1", "speed <= 3", "instructions/A <= 1"]
        {
            assert!(Limit::parse(wrong).is_err(), "{wrong}");
        }
    }
}
