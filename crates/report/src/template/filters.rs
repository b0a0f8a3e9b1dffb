//! Filters for templates in addition to Jinja's: numbers as the screen shows them, and nanobench's statistics of a list.

use crate::{percent, significant, Glyphs};
use minijinja::{Environment, Value};

pub(super) fn add(environment: &mut Environment) {
    environment.add_filter("duration", duration);
    environment.add_filter("percent", |share: Option<f64>| share.map(percent).unwrap_or_default());
    environment.add_filter("digits", |value: Option<f64>, digits: Option<usize>| {
        value.map(|value| significant(value, digits.unwrap_or(4).clamp(1, 17))).unwrap_or_default()
    });
    environment.add_filter("quote", |text: String| Value::from_safe_string(quote(&text)));
    environment.add_filter("median", |values: Vec<f64>| median(&values));
    environment.add_filter("average", |values: Vec<f64>| average(&values));
    environment.add_filter("spread", |values: Vec<f64>| spread(&values));
}

fn duration(ns: Option<f64>) -> String {
    ns.map(|ns| crate::duration(ns, Glyphs::Unicode)).unwrap_or_default()
}

/// A field of CSV in quotes, whatever is in it; no spreadsheet takes it for a formula.
fn quote(text: &str) -> String {
    let field = crate::exporters::csv::quoted(text);
    match field.starts_with('"') {
        true => field,
        false => format!("\"{}\"", field.replace('"', "\"\"")),
    }
}

fn median(values: &[f64]) -> Option<f64> {
    tare_stats::location::median(values)
}

fn average(values: &[f64]) -> Option<f64> {
    tare_stats::location::mean(values)
}

/// The median of the distances from the median, as a share of it: what nanobench calls the error.
fn spread(values: &[f64]) -> Option<f64> {
    let centre = median(values)?;
    let away: Vec<f64> = values.iter().map(|value| ((value - centre) / centre).abs()).collect();
    median(&away)
}

#[cfg(test)]
mod tests {
    use super::spread;

    #[test]
    fn the_spread_is_a_share_of_the_median() {
        assert_eq!(spread(&[9.0, 10.0, 12.0]), Some(0.1));
        assert_eq!(spread(&[]), None);
    }
}
