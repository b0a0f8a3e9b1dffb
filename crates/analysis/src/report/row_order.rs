//! The order of the rows in the table, which does not affect the order of measuring.

use crate::estimate::NetTime;
use crate::report::{CaseReport, Report};
use std::cmp::Ordering;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RowOrder {
    #[default]
    Declared,
    Fastest,
    Slowest,
    Name,
}

impl Report {
    /// Sorts the rows of each group. Those without a time come last, in their old order.
    pub fn in_order(mut self, order: RowOrder) -> Report {
        let cases = &self.cases;
        for group in &mut self.groups {
            group.cases.sort_by(|a, b| match (cases.get(*a as usize), cases.get(*b as usize)) {
                (Some(a), Some(b)) => compare(order, a, b),
                _ => Ordering::Equal,
            });
        }
        self
    }
}

fn compare(order: RowOrder, a: &CaseReport, b: &CaseReport) -> Ordering {
    let by_time = |turn: fn(Ordering) -> Ordering| match (time_ns(a), time_ns(b)) {
        (Some(a), Some(b)) => turn(a.total_cmp(&b)),
        (a, b) => b.is_some().cmp(&a.is_some()),
    };
    match order {
        RowOrder::Declared => Ordering::Equal,
        RowOrder::Fastest => by_time(|ordering| ordering),
        RowOrder::Slowest => by_time(Ordering::reverse),
        // Numbers by value, so that n=9 comes before n=10.
        RowOrder::Name => natural(&a.selector()).cmp(&natural(&b.selector())),
    }
}

fn time_ns(case: &CaseReport) -> Option<f64> {
    Some(match case.estimates()?.time {
        NetTime::Resolved { value_ns, .. } => value_ns,
        NetTime::Below { upper_ns } => upper_ns,
    })
}

/// A name in parts that compare naturally: digits as a number, anything else as text.
fn natural(name: &str) -> Vec<(u128, String)> {
    let mut parts = Vec::new();
    let mut rest = name;
    while !rest.is_empty() {
        let digits = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (number, behind) = rest.split_at(digits);
        let words = behind.find(|c: char| c.is_ascii_digit()).unwrap_or(behind.len());
        let (text, more) = behind.split_at(words);
        parts.push((number.parse().unwrap_or(0), text.to_owned()));
        rest = more;
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::common::{twelve_launches, RunBuilder};

    #[test]
    fn rows_stand_in_the_order_that_was_asked_for() {
        let mut builder = RunBuilder::new();
        for (name, ns) in [("b10", 300.0), ("b9", 100.0), ("a", 200.0)] {
            let case = builder.case("g", name, false);
            twelve_launches(&mut builder, case, ns, |_, _, _| 0.0);
        }
        builder.case("g", "failed", false);
        let run = builder.run();
        let rows = |order| crate::analyse(&run).in_order(order).groups[0].cases.clone();
        assert_eq!(rows(RowOrder::Declared), [0, 1, 2, 3]);
        assert_eq!(rows(RowOrder::Fastest), [1, 2, 0, 3]);
        assert_eq!(rows(RowOrder::Slowest), [0, 2, 1, 3]);
        assert_eq!(rows(RowOrder::Name), [2, 1, 0, 3]);
    }
}
