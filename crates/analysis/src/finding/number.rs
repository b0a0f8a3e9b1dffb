//! Numbers with units, and their formatting: at most four digits.

use serde::Serialize;
use std::fmt;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    Ns,
    /// Nanoseconds as an upper bound of a time.
    NsAtMost,
    Seconds,
    /// A share of a whole, or a change as a share: 0.01 is 1 %.
    Share,
    /// A requested share, which may be a round number.
    Limit,
    Ratio,
    Times,
    Bytes,
    Gigahertz,
    Cycles,
    Launches,
    /// A count of things named next to the number.
    Count,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Number {
    pub value: f64,
    pub unit: Unit,
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value;
        match self.unit {
            Unit::Ns => f.write_str(&ns(value)),
            Unit::NsAtMost => {
                let (scaled, unit) = in_unit(value);
                write!(f, "{} {unit}", at_most(scaled))
            }
            Unit::Seconds => write!(f, "{value} s"),
            Unit::Share => f.write_str(&percent(value)),
            Unit::Limit => f.write_str(&percent(value).replace(".0 %", " %")),
            // Three decimals for a ratio near 1, significant digits for others.
            Unit::Ratio if !(0.1..100.0).contains(&value) => f.write_str(&digits(value)),
            Unit::Ratio => write!(f, "{value:.3}"),
            Unit::Times => write!(f, "{value:.2}"),
            Unit::Bytes => f.write_str(&bytes(value)),
            Unit::Gigahertz => write!(f, "{value:.2} GHz"),
            Unit::Cycles => write!(f, "{value:.2} cycles"),
            Unit::Launches => write!(f, "{value:.0} {}", if value == 1.0 { "launch" } else { "launches" }),
            Unit::Count => write!(f, "{value:.0}"),
        }
    }
}

fn ns(value: f64) -> String {
    let (scaled, unit) = in_unit(value);
    format!("{} {unit}", digits(scaled))
}

fn in_unit(ns: f64) -> (f64, &'static str) {
    match ns.abs() {
        v if v < 1e3 => (ns, "ns"),
        v if v < 1e6 => (ns / 1e3, "\u{b5}s"),
        v if v < 1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    }
}

/// An upper bound in two significant digits, rounded up so that it stays one.
pub fn at_most(bound: f64) -> String {
    if bound <= 0.0 || !bound.is_finite() {
        return bound.to_string();
    }
    let mut decimals = 1 - bound.log10().floor() as i32;
    // A bound of exactly 0.030 must not become 0.031 because of its last bit.
    let mut steps = (bound * 10f64.powi(decimals) * (1.0 - 1e-12)).ceil();
    if steps >= 100.0 {
        (decimals, steps) = (decimals - 1, 10.0);
    }
    format!("{:.*}", decimals.max(0) as usize, steps * 10f64.powi(-decimals))
}

/// Four significant digits, at most three decimals below 10; smaller numbers keep two digits, as no measurement is a bare 0.
fn digits(value: f64) -> String {
    match value.abs() {
        v if v >= 999.95 => format!("{value:.0}"),
        v if v >= 99.995 => format!("{value:.1}"),
        v if v >= 9.9995 => format!("{value:.2}"),
        v if v >= 0.0005 || v == 0.0 => format!("{value:.3}"),
        v => format!("{value:.0$}", (1.0 - v.log10().floor()).min(12.0) as usize),
    }
}

fn percent(share: f64) -> String {
    let value = 100.0 * share;
    match value.abs() {
        v if v >= 9.95 => format!("{value:.0} %"),
        v if v >= 0.095 => format!("{value:.1} %"),
        _ => format!("{value:.2} %"),
    }
}

fn bytes(value: f64) -> String {
    match value.abs() {
        v if v >= 1048576.0 => format!("{:.1} MiB", value / 1048576.0),
        v if v >= 1024.0 => format!("{:.1} KiB", value / 1024.0),
        _ => format!("{value:.0} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_four_digits_at_most() {
        let shown: Vec<String> = [0.1234, 86.12, 123.45, 999.99, 1.5e6].map(ns).to_vec();
        assert_eq!(shown, ["0.123 ns", "86.12 ns", "123.5 ns", "1000 ns", "1.500 ms"]);
        assert_eq!([0.3456, 0.0123, 0.0004].map(percent), ["35 %", "1.2 %", "0.04 %"]);
        assert_eq!([512.0, 2048.0, 6.5e6].map(bytes), ["512 bytes", "2.0 KiB", "6.2 MiB"]);
    }

    #[test]
    fn a_small_time_is_no_bare_zero() {
        let texts = [12_345.6, 1.0, 0.0321, 0.00049, 1.04e-7].map(ns);
        assert_eq!(texts, ["12.35 \u{b5}s", "1.000 ns", "0.032 ns", "0.00049 ns", "0.00000010 ns"]);
    }

    #[test]
    fn a_bound_is_rounded_up() {
        let shown = [0.029498, 0.030, 0.0301, 0.0995, 0.00997, 1.0, 9.91, 12.0, 12.1, 123.0, 0.21].map(at_most);
        assert_eq!(shown, ["0.030", "0.030", "0.031", "0.10", "0.010", "1.0", "10", "12", "13", "130", "0.21"]);
        assert_eq!(Number { value: 0.029498, unit: Unit::NsAtMost }.to_string(), "0.030 ns");
        assert_eq!(Number { value: 2.91e6, unit: Unit::NsAtMost }.to_string(), "3.0 ms");
    }

    #[test]
    fn what_was_asked_for_is_written_as_it_was_asked() {
        let of = |unit| Number { value: 0.02, unit }.to_string();
        assert_eq!((of(Unit::Share), of(Unit::Limit)), ("2.0 %".to_owned(), "2 %".to_owned()));
    }
}
