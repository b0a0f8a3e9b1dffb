//! A benchmark's throughput: its declared amounts per second.

use super::net::NetTime;
use serde::Serialize;
use tare_model::{Benchmark, Strategy};
use tare_stats::interval::Interval;

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RateReport {
    pub name: String,
    #[serde(skip_serializing_if = "String::is_empty")]
    pub unit: String,
    #[serde(serialize_with = "tare_model::serialize_amount")]
    pub per_invocation: f64,
    pub per_second: f64,
    pub interval: Option<Interval>,
    /// The time cannot be distinguished from nothing, so the rate is a lower bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub at_least: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub per_second_and_thread: Option<f64>,
}

/// The rates of a benchmark for this time per operation, with `operations` per invocation, in the order of their declaration.
pub(crate) fn rates(benchmark: &Benchmark, operations: f64, time: &NetTime) -> Vec<RateReport> {
    let rates = benchmark.rates.iter().filter(|rate| rate.per_invocation > 0.0);
    // The harness counts its iterations, and an amount applies to each.
    let operations = if benchmark.strategy == Strategy::Process { 1.0 } else { operations };
    let report = |rate: &tare_model::Rate| {
        let per_second = |ns: f64| rate.per_invocation / operations / ns * 1e9;
        let (ns, interval, at_least) = match time {
            NetTime::Resolved { value_ns, interval } => (*value_ns, *interval, false),
            NetTime::Below { upper_ns } => (*upper_ns, None, true),
        };
        let interval = interval.map(|i| Interval { lower: per_second(i.upper), upper: per_second(i.lower) });
        let threads = (benchmark.threads > 1).then_some(f64::from(benchmark.threads));
        RateReport {
            name: rate.name.clone(),
            unit: rate.unit.clone(),
            per_invocation: rate.per_invocation,
            per_second: per_second(ns),
            interval,
            at_least,
            per_second_and_thread: threads.map(|threads| per_second(ns) / threads),
        }
    };
    rates.map(report).filter(|rate| rate.per_second.is_finite()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tare_model::Rate;

    #[test]
    fn a_rate_is_of_all_that_an_invocation_works_through() {
        let rate = |name: &str, per_invocation| Rate { name: name.into(), unit: String::new(), per_invocation };
        let rates_of = vec![rate("bytes", 4096.0), rate("lines", 8.0), rate("none", 0.0), rate("runs", 0.25)];
        let benchmark = Benchmark { operations: 4, threads: 2, rates: rates_of, ..Benchmark::default() };
        let interval = Some(Interval { lower: 200.0, upper: 400.0 });
        // 256 ns per operation, 1024 per invocation.
        let found = rates(&benchmark, 4.0, &NetTime::Resolved { value_ns: 256.0, interval });
        let values: Vec<(&str, f64)> = found.iter().map(|r| (r.name.as_str(), r.per_second)).collect();
        assert_eq!(values, [("bytes", 4e9), ("lines", 7_812_500.0), ("runs", 244_140.625)]);
        assert_eq!(found[0].interval, Some(Interval { lower: 2.56e9, upper: 5.12e9 }));
        assert_eq!(found[0].per_second_and_thread, Some(2e9));
        let below = rates(&benchmark, 4.0, &NetTime::Below { upper_ns: 0.5 });
        assert!(below[0].at_least && below[0].per_second == 2048e9 && below[0].interval.is_none());
    }
}
