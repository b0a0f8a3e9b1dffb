//! Numbers for people: with a unit, at most four significant digits, and never a bare 0 for a measurement.

use crate::words::text::Glyphs;
use tare_stats::interval::Interval;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TimeUnit {
    Ns,
    Us,
    Ms,
    S,
}

impl TimeUnit {
    const ALL: [TimeUnit; 4] = [TimeUnit::Ns, TimeUnit::Us, TimeUnit::Ms, TimeUnit::S];

    pub fn ns(self) -> f64 {
        [1.0, 1e3, 1e6, 1e9][self as usize]
    }

    pub fn symbol(self, glyphs: Glyphs) -> &'static str {
        let micro = if glyphs == Glyphs::Ascii { "us" } else { "µs" };
        ["ns", micro, "ms", "s"][self as usize]
    }

    /// The unit in which one time has one to three digits before the point.
    pub fn of(ns: f64) -> TimeUnit {
        // A value that rounds up to 1000 belongs to the next unit.
        let fits = |unit: &&TimeUnit| ns.abs() < 999.95 * unit.ns();
        TimeUnit::ALL.iter().find(fits).copied().unwrap_or(TimeUnit::S)
    }

    /// The best common unit for the times of a block; None if none shows all of them between 0.1 and 9,999, so each needs its own.
    pub fn of_block(times_ns: &[f64]) -> Option<TimeUnit> {
        let usable = || times_ns.iter().copied().filter(|t| t.is_finite() && *t > 0.0);
        // There is no unit below the first or above the last.
        let is_readable = |unit: &TimeUnit| {
            let shown = |t: f64| t / unit.ns();
            usable().all(|t| (*unit == TimeUnit::Ns || shown(t) >= 0.1) && (*unit == TimeUnit::S || shown(t) < 9_999.5))
        };
        // Digits outside 1 to 999 over the block; ties favour the smaller unit.
        let cost = |unit: TimeUnit| -> f64 {
            // A value that rounds up to 1000 belongs to the next unit, where it is 1.
            let misfit = |t: f64| {
                let shown = t / unit.ns();
                (0.99995 / shown).log10().max((shown / 999.95).log10()).max(0.0).ceil()
            };
            usable().map(misfit).sum()
        };
        let better = |best: TimeUnit, unit: TimeUnit| if cost(unit) < cost(best) { unit } else { best };
        TimeUnit::ALL.into_iter().filter(is_readable).reduce(better)
    }
}

/// A number split at the decimal point, to align a column.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Decimal {
    pub whole: String,
    /// The point and following digits; may be empty.
    pub fraction: String,
}

impl Decimal {
    pub fn of(text: &str) -> Decimal {
        let at = text.find('.').unwrap_or(text.len());
        Decimal { whole: text[..at].to_owned(), fraction: text[at..].to_owned() }
    }

    pub fn joined(&self) -> String {
        format!("{}{}", self.whole, self.fraction)
    }
}

/// A number with this many significant digits, without an exponent.
pub fn significant(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return if value == 0.0 { "0".to_owned() } else { value.to_string() };
    }
    let digits = digits.max(1);
    // The exponent after rounding: 9.9996 with four digits is 10.00, not 9.9996 or 10.000.
    let scientific = format!("{:.*e}", digits - 1, value);
    let exponent: i32 = scientific.split('e').nth(1).and_then(|e| e.parse().ok()).unwrap_or(0);
    let decimals = digits as i32 - 1 - exponent;
    if decimals >= 0 {
        return format!("{value:.*}", decimals as usize);
    }
    let step = 10f64.powi(-decimals);
    format!("{:.0}", (value / step).round() * step)
}

/// A time in its unit: at most four digits, and three decimals unless that leaves fewer than two digits.
pub(crate) fn time_digits(value: f64, digits: usize) -> String {
    let text = significant(value, digits);
    let decimals = text.split('.').nth(1).map_or(0, str::len);
    let finest = significant(value, digits.min(2));
    let needed = finest.split('.').nth(1).map_or(0, str::len);
    if decimals > needed.max(3) {
        format!("{value:.*}", needed.max(3))
    } else {
        text
    }
}

/// Digits for a value with this relative half-width: four, or fewer if the last would be noise.
pub(crate) fn digits_for(half_width: Option<f64>) -> usize {
    match half_width {
        Some(share) if share >= 0.5 => 2,
        Some(share) if share >= 0.05 => 3,
        _ => 4,
    }
}

/// The larger distance from a value to an end of its interval, relative to the value.
pub(crate) fn relative_half_width(value: f64, interval: Option<&Interval>) -> Option<f64> {
    let interval = interval?;
    let share = (value - interval.lower).max(interval.upper - value) / value.abs();
    share.is_finite().then_some(share)
}

/// A time in its own unit, with as many digits as its interval justifies.
pub(crate) fn time(ns: f64, interval: Option<&Interval>, glyphs: Glyphs) -> String {
    let unit = TimeUnit::of(ns);
    let digits = digits_for(relative_half_width(ns, interval));
    format!("{} {}", time_digits(ns / unit.ns(), digits), unit.symbol(glyphs))
}

/// A duration in its own unit: `1.284 µs`.
pub fn duration(ns: f64, glyphs: Glyphs) -> String {
    let unit = TimeUnit::of(ns);
    format!("{} {}", significant(ns / unit.ns(), 4), unit.symbol(glyphs))
}

/// A share chosen by a user: 0.01 is `1 %`.
pub fn percent_set(share: f64) -> String {
    format!("{} %", count(share * 100.0))
}

/// A share known only to about 1 %: 0.584 is `58 %`, 0.034 is `3.4 %`.
pub(crate) fn percent_whole(share: f64) -> String {
    match share * 100.0 {
        percent if percent < 9.95 => self::percent(share),
        percent => format!("{percent:.0} %"),
    }
}

/// A share as percent with one decimal: 0.004 is `0.4 %`. Values that round to zero are `< 0.1 %`.
pub fn percent(share: f64) -> String {
    let percent = share * 100.0;
    if percent == 0.0 {
        "0 %".to_owned()
    } else if percent.abs() < 0.05 {
        "< 0.1 %".to_owned()
    } else {
        format!("{} %", percent_digits(percent))
    }
}

fn percent_digits(percent: f64) -> String {
    if percent.abs() < 99.95 {
        format!("{percent:.1}")
    } else {
        significant(percent, 3)
    }
}

/// An interval relative to its value: `±0.3 %`, or `−1.2 +3.4 %` if one side is at least a quarter longer.
pub fn half_width(value: f64, interval: &Interval, glyphs: Glyphs) -> String {
    let below = (value - interval.lower) / value.abs() * 100.0;
    let above = (interval.upper - value) / value.abs() * 100.0;
    if !below.is_finite() || !above.is_finite() {
        return "unbounded".to_owned();
    }
    let longer = below.max(above);
    if longer < 0.05 {
        return format!("{}<0.1 %", glyphs.of("±"));
    }
    let (low, high) = (percent_digits(below), percent_digits(above));
    if below.min(above) >= 0.8 * longer || low == high {
        return format!("{}{} %", glyphs.of("±"), percent_digits(longer));
    }
    format!("{}{low} +{high} %", glyphs.of("−"))
}

/// A ratio of costs: three decimals below 10, four digits above, fewer if the interval is wide.
pub fn ratio(value: f64, interval: &Interval) -> String {
    let wide = relative_half_width(value, Some(interval)).is_none_or(|share| share >= 0.05);
    let digits = if wide { 3 } else { 4 };
    // Below 1 the leading 0 is extra, so one digit less keeps the same absolute precision.
    if value < 1.0 {
        significant(value, digits - 1)
    } else {
        significant(value, digits)
    }
}

/// An interval of ratios: `[1.251, 1.261]`.
pub(crate) fn ratio_interval(interval: &Interval) -> String {
    let end = |x: f64| if x.is_finite() { significant(x, if x < 1.0 { 3 } else { 4 }) } else { "inf".to_owned() };
    format!("[{}, {}]", end(interval.lower), end(interval.upper))
}

/// Smaller values are shown with a power of ten, to avoid counting zeros.
pub(crate) const PLAIN_MIN: f64 = 1e-4;
/// From here on the same.
const PLAIN_MAX: f64 = 1e15;

/// A count, possibly fractional: `2`, `2.5`, `12300`, `7.7e-7`.
pub fn count(value: f64) -> String {
    if value != 0.0 && !(PLAIN_MIN..PLAIN_MAX).contains(&value.abs()) && value.is_finite() {
        return format!("{value:.1e}").replace(".0e", "e");
    }
    let text = significant(value, 4);
    if !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

const BYTE_UNITS: [(&str, f64); 4] = [("GiB", 1073741824.0), ("MiB", 1048576.0), ("KiB", 1024.0), ("B", 1.0)];

pub(crate) fn byte_unit(value: f64) -> (&'static str, f64) {
    BYTE_UNITS.iter().find(|(_, size)| value.abs() >= 0.9995 * size).copied().unwrap_or(("B", 1.0))
}

/// The largest unit that the smallest value fills, if it is still readable for the largest.
pub(crate) fn byte_unit_of_block(values: impl Iterator<Item = f64>) -> Option<(&'static str, f64)> {
    let (least, most) =
        values.filter(|v| *v >= 1.0).fold((f64::INFINITY, 0.0_f64), |(lo, hi), v| (lo.min(v), hi.max(v)));
    let unit = byte_unit(if most < 10_000.0 { 0.0 } else { least });
    (most < 10_000.0 * unit.1).then_some(unit)
}

/// Bytes: `48 B`, `1.5 KiB`.
pub fn bytes(value: f64) -> String {
    let (symbol, size) = byte_unit(value);
    let text = if size > 1.0 { significant(value / size, 3) } else { count(value) };
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text} {symbol}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval(lower: f64, upper: f64) -> Interval {
        Interval { lower, upper }
    }

    #[test]
    fn four_digits_also_where_rounding_adds_one() {
        assert_eq!(significant(1.28437, 4), "1.284");
        assert_eq!(significant(9.9996, 4), "10.00");
        assert_eq!(significant(41698.0, 4), "41700");
        assert_eq!(significant(0.00012344, 4), "0.0001234");
        assert_eq!(significant(-0.5, 2), "-0.50");
    }

    #[test]
    fn a_block_has_one_unit_unless_it_would_be_unreadable() {
        assert_eq!(TimeUnit::of_block(&[1284.0, 1022.0, 41_700.0]), Some(TimeUnit::Us));
        assert_eq!(TimeUnit::of_block(&[850.0, 1200.0]), Some(TimeUnit::Ns));
        assert_eq!(TimeUnit::of_block(&[0.25, 1.2]), Some(TimeUnit::Ns));
        assert_eq!(TimeUnit::of_block(&[2.5e6, 3.0e8]), Some(TimeUnit::Ms));
        assert_eq!(TimeUnit::of_block(&[1.0, 2e6]), None);
        assert_eq!(TimeUnit::of_block(&[50e3, 37.3e6]), None, "neither 37300 µs nor 0.05 ms");
        assert_eq!(TimeUnit::of_block(&[850e3, 37.3e6]), Some(TimeUnit::Ms));
        assert_eq!(TimeUnit::of_block(&[0.03, 1.2]), Some(TimeUnit::Ns));
        assert_eq!(TimeUnit::of_block(&[]), Some(TimeUnit::Ns));
        assert_eq!(TimeUnit::of(999.96), TimeUnit::Us);
        assert_eq!(TimeUnit::of_block(&[999_999.99]), Some(TimeUnit::Ms), "1.000 ms");
        assert_eq!(TimeUnit::of_block(&[999_800.0]), Some(TimeUnit::Us));
        assert_eq!(duration(3.2e12, Glyphs::Unicode), "3200 s");
    }

    #[test]
    fn intervals_are_never_a_bare_zero() {
        let g = Glyphs::Unicode;
        assert_eq!(half_width(1000.0, &interval(997.0, 1003.0), g), "±0.3 %");
        assert_eq!(half_width(1000.0, &interval(999.9, 1000.1), g), "±<0.1 %");
        assert_eq!(half_width(1000.0, &interval(988.0, 1034.0), g), "−1.2 +3.4 %");
        assert_eq!(half_width(1000.0, &interval(f64::NEG_INFINITY, 1034.0), g), "unbounded");
        assert_eq!(half_width(1000.0, &interval(-400.0, 2400.0), Glyphs::Ascii), "+-140 %");
        assert_eq!(percent(0.0001), "< 0.1 %");
    }

    #[test]
    fn ratios_have_three_or_four_digits() {
        assert_eq!(ratio(1.25612, &interval(1.25, 1.262)), "1.256");
        assert_eq!(ratio(0.79571, &interval(0.793, 0.798)), "0.796");
        assert_eq!(ratio(32.478, &interval(32.1, 32.9)), "32.48");
        assert_eq!(ratio(1.0321, &interval(0.9, 1.2)), "1.03");
        assert_eq!(ratio_interval(&interval(0.9701, 1.0619)), "[0.970, 1.062]");
    }

    #[test]
    fn counts_and_bytes() {
        assert_eq!(
            (count(2.0), count(2.5), count(0.0), count(123_456.0)),
            ("2".into(), "2.5".into(), "0".into(), "123500".into())
        );
        assert_eq!((count(0.000_234_5), count(0.000_000_766_4)), ("0.0002345".into(), "7.7e-7".into()));
        assert_eq!((count(1e300), count(f64::INFINITY)), ("1e300".into(), "inf".into()));
        assert_eq!((count(-0.000_05), count(f64::MIN_POSITIVE)), ("-5e-5".into(), "2.2e-308".into()));
        assert_eq!((bytes(48.0), bytes(1536.0), bytes(1048576.0)), ("48 B".into(), "1.5 KiB".into(), "1 MiB".into()));
    }
}
