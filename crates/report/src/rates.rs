//! Rates as people read them: a number of thousands, millions, ... a second.

use crate::number::{digits_for, relative_half_width};
use crate::table::Cell;
use crate::tabulate::estimates;
use crate::{clean, significant, Decimal, Role};
use tare_analysis::{CaseEstimates, RateReport, Report};

/// A step of a thousand: its size and its letter.
pub(crate) type Prefix = (f64, &'static str);

const PREFIXES: [Prefix; 5] = [(1.0, ""), (1e3, "k"), (1e6, "M"), (1e9, "G"), (1e12, "T")];

/// Rates of a block that are further apart than this have no prefix in common.
const APART: f64 = 1e3;

/// The names of the rates that some case has, in the order in which they are met.
pub(crate) fn rates(report: &Report) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for rate in estimates(report).flat_map(|e| &e.rates) {
        if !found.contains(&rate.name) {
            found.push(rate.name.clone());
        }
    }
    found
}

pub(crate) fn rate<'a>(estimates: &'a CaseEstimates, name: &str) -> Option<&'a RateReport> {
    estimates.rates.iter().find(|rate| rate.name == name)
}

fn prefix_of(value: f64) -> Prefix {
    // A value that rounds up to 1000 belongs to the next one.
    PREFIXES.into_iter().find(|(size, _)| value < 999.95 * size).unwrap_or(PREFIXES[PREFIXES.len() - 1])
}

/// The one prefix that suits all rates of a block; None if they are too far apart, where each gets its own.
pub(crate) fn prefix_of_block<'a>(rates: impl Iterator<Item = &'a RateReport>) -> Option<Prefix> {
    let (least, most) =
        rates.map(|rate| rate.per_second).fold((f64::INFINITY, 0.0_f64), |(lo, hi), v| (lo.min(v), hi.max(v)));
    (most < APART * least && most > 0.0).then(|| prefix_of(least))
}

/// ` B/s`, `/s`: what stands behind the prefix.
pub(crate) fn rate_suffix(unit: &str) -> String {
    format!("{unit}/s")
}

/// `3.21 G`: a number with its prefix, for a suffix.
pub(crate) fn rate_text(per_second: f64, digits: usize) -> String {
    let (size, letter) = prefix_of(per_second);
    format!("{} {letter}", significant(per_second / size, digits))
}

pub(crate) fn rate_cell(rate: &RateReport, prefix: Option<Prefix>) -> Cell {
    let (size, letter) = prefix.unwrap_or_else(|| prefix_of(rate.per_second));
    let digits = digits_for(relative_half_width(rate.per_second, rate.interval.as_ref()));
    let number = match rate.at_least {
        true => format!("> {}", significant(rate.per_second / size, 2)),
        false => significant(rate.per_second / size, digits),
    };
    Cell::number(Decimal::of(&number), Role::Plain, format!("{letter}{}", clean(&rate_suffix(&rate.unit))))
}

#[cfg(test)]
mod tests {
    use super::{prefix_of, rate_text};

    #[test]
    fn a_rate_has_one_to_three_digits_before_the_point() {
        assert_eq!(rate_text(3.2149e9, 3), "3.21 G");
        assert_eq!(rate_text(999.96e6, 4), "1.000 G");
        assert_eq!(rate_text(0.25, 3), "0.250 ");
        assert_eq!(prefix_of(5e15).1, "T");
    }
}
