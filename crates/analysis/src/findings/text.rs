//! Numbers in evidence: with unit, four digits at most.

/// A time in its natural unit.
pub(super) fn ns(value: f64) -> String {
    let (scaled, unit) = match value.abs() {
        v if v < 1e3 => (value, "ns"),
        v if v < 1e6 => (value / 1e3, "\u{b5}s"),
        v if v < 1e9 => (value / 1e6, "ms"),
        _ => (value / 1e9, "s"),
    };
    format!("{} {unit}", digits(scaled))
}

/// Four significant digits, three decimals below 10; what is smaller keeps two digits, as nothing measured is a bare 0.
fn digits(value: f64) -> String {
    match value.abs() {
        v if v >= 999.95 => format!("{value:.0}"),
        v if v >= 99.995 => format!("{value:.1}"),
        v if v >= 9.9995 => format!("{value:.2}"),
        v if v >= 0.0005 || v == 0.0 => format!("{value:.3}"),
        v => format!("{value:.0$}", (1.0 - v.log10().floor()).min(12.0) as usize),
    }
}

/// A share as a percentage.
pub(super) fn percent(share: f64) -> String {
    let value = 100.0 * share;
    match value.abs() {
        v if v >= 9.95 => format!("{value:.0} %"),
        v if v >= 0.095 => format!("{value:.1} %"),
        _ => format!("{value:.2} %"),
    }
}

/// A change on the log scale as a percentage.
pub(super) fn log_percent(log: f64) -> String {
    percent(log.abs().exp_m1())
}

/// Memory in its natural unit.
pub(super) fn bytes(value: f64) -> String {
    match value.abs() {
        v if v >= 1048576.0 => format!("{:.1} MiB", value / 1048576.0),
        v if v >= 1024.0 => format!("{:.1} KiB", value / 1024.0),
        _ => format!("{value:.0} bytes"),
    }
}

/// `1 launch`, `3 launches`.
pub(super) fn launches(count: usize) -> String {
    format!("{count} {}", if count == 1 { "launch" } else { "launches" })
}

/// At most `limit` characters of a text, on one line.
pub(super) fn cut(text: &str, limit: usize) -> String {
    let line: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    if line.chars().count() <= limit {
        return line;
    }
    line.chars().take(limit.saturating_sub(1)).chain(['\u{2026}']).collect()
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
        assert_eq!(cut("a\nbcdef", 4), "a b\u{2026}");
    }

    #[test]
    fn a_small_time_is_no_bare_zero() {
        let texts = [12_345.6, 1.0, 0.0321, 0.00049, 1.04e-7].map(ns);
        assert_eq!(texts, ["12.35 \u{b5}s", "1.000 ns", "0.032 ns", "0.00049 ns", "0.00000010 ns"]);
    }
}
