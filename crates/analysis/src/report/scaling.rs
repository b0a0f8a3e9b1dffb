//! How the time grows with a parameter: the order that fits the launches best, for benchmarks with enough sizes.

use crate::estimate::NetTime;
use crate::report::CaseReport;
use serde::Serialize;
use std::collections::BTreeMap;
use tare_stats::complexity::{fit_complexity, Fit};

/// Fewest sizes to name an order: fewer fit several orders.
const SIZES_MIN: usize = 4;
/// Smallest ratio of the greatest size to the smallest.
const RANGE_MIN: f64 = 8.0;
/// Largest unexplained part of a fit that is named.
pub const UNEXPLAINED_MAX: f64 = 0.15;
/// Another order fits as well if its unexplained part is at most this multiple of the best one's.
const AS_GOOD_TIMES: f64 = 3.0;
/// A constant is included if it reduces the unexplained part to at most this share.
const CONSTANT_EXPLAINS: f64 = 0.5;

/// A smaller unexplained part counts as none.
const NOTHING_LEFT: f64 = 0.003;

/// How the time of a benchmark grows with one of its parameters.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ScalingReport {
    pub parameter: String,
    /// Indices of the cases, smallest size first; their other parameters are all the same.
    pub cases: Vec<u32>,
    /// The order that fits best; among equally good ones the slowest growth: `O(n log n)`.
    pub order: &'static str,
    /// Other orders that fit as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub or: Vec<&'static str>,
    /// Time per unit of the order's function, ns; logarithms have base 2.
    pub coefficient_ns: f64,
    /// Constant time, whatever the size, ns.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constant_ns: Option<f64>,
    /// Normalised root mean square of the residuals: 0.02 is 2 %.
    pub unexplained: f64,
}

pub type Sized = (f64, f64);

/// The order of growth, if the launches show one; among equally good ones the slowest.
pub fn fit(launches: &[Sized]) -> Option<Fit> {
    fits(launches).into_iter().next()
}

/// The orders that fit equally well, slowest growth first; empty if even the best leaves too much unexplained.
fn fits(launches: &[Sized]) -> Vec<Fit> {
    let (sizes, costs): (Vec<f64>, Vec<f64>) = launches.iter().copied().unzip();
    let Some(found) = fit_complexity(&sizes, &costs, None) else { return Vec::new() };
    let with_constant = |plain: &Fit| {
        let same = found.with_constant.iter().find(|fit| fit.complexity == plain.complexity);
        same.filter(|fit| fit.constant.is_some_and(|c| c > 0.0) && fit.rms <= CONSTANT_EXPLAINS * plain.rms)
    };
    let each = found.through_origin.iter().map(|plain| *with_constant(plain).unwrap_or(plain));
    let mut fits: Vec<Fit> = each.filter(|fit| fit.coefficient > 0.0).collect();
    let best = fits.iter().map(|fit| fit.rms).fold(f64::INFINITY, f64::min);
    fits.retain(|fit| fit.rms <= (AS_GOOD_TIMES * best).max(NOTHING_LEFT));
    fits.sort_by_key(|fit| fit.complexity);
    if fits.iter().any(|fit| fit.rms > UNEXPLAINED_MAX) {
        return Vec::new();
    }
    fits
}

/// The size of a case by a parameter, with the times of its launches; `None` if the parameter or the time is not a number.
pub fn sized(case: &CaseReport, parameter: &str) -> Option<(f64, Vec<Sized>)> {
    let own = case.parameters.iter().find(|p| p.name == parameter)?;
    let size: f64 = own.value.trim().parse().ok().filter(|size: &f64| size.is_finite() && *size > 0.0)?;
    let estimates = case.estimates()?;
    let NetTime::Resolved { value_ns, .. } = estimates.time else { return None };
    // The loop has the same share in all launches.
    let net = value_ns / estimates.centre_ns;
    Some((size, estimates.launches.iter().map(|launch| (size, launch.raw_ns * net)).collect()))
}

#[derive(Default)]
struct Line {
    cases: Vec<(f64, u32)>,
    launches: Vec<Sized>,
}

/// How the times of all benchmarks grow, in the order of their first cases.
pub(crate) fn scalings(cases: &[CaseReport]) -> Vec<ScalingReport> {
    let mut lines: BTreeMap<(u32, String), Line> = BTreeMap::new();
    let mut firsts: BTreeMap<String, u32> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.side.is_empty()) {
        for parameter in &case.parameters {
            let Some((size, launches)) = sized(case, &parameter.name) else { continue };
            let others = case.parameters.iter().filter(|p| p.name != parameter.name);
            let others: Vec<String> = others.map(|p| format!("{}={}", p.name, p.canonical())).collect();
            let (program, job) = (case.program, &case.job);
            let key = format!("{:?}", (&case.group, &case.name, program, job, others, &parameter.name));
            let first = *firsts.entry(key).or_insert(case.case);
            let line = lines.entry((first, parameter.name.clone())).or_default();
            line.cases.push((size, case.case));
            line.launches.extend(launches);
        }
    }
    lines.into_iter().filter_map(|((_, parameter), line)| scaling(parameter, line)).collect()
}

fn scaling(parameter: String, mut line: Line) -> Option<ScalingReport> {
    line.cases.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    let (least, most) = (line.cases.first()?.0, line.cases.last()?.0);
    let mut sizes: Vec<f64> = line.cases.iter().map(|(size, _)| *size).collect();
    sizes.dedup();
    if sizes.len() < SIZES_MIN || most < RANGE_MIN * least {
        return None;
    }
    let fits = fits(&line.launches);
    let first = fits.first()?;
    Some(ScalingReport {
        parameter,
        cases: line.cases.iter().map(|(_, case)| *case).collect(),
        order: first.complexity.notation(),
        or: fits[1..].iter().map(|fit| fit.complexity.notation()).collect(),
        coefficient_ns: first.coefficient,
        constant_ns: first.constant,
        unexplained: first.rms,
    })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{twelve_launches, RunBuilder};
    use tare_model::Parameter;

    /// A benchmark over sizes with times `ns`, beside one with another parameter.
    fn report(sizes: &[f64], ns: impl Fn(f64) -> f64) -> Vec<super::ScalingReport> {
        let mut builder = RunBuilder::new();
        for name in ["a", "b"] {
            for &size in sizes {
                let case = builder.case("g", name, false);
                let kind = Parameter::new("kind", "text");
                builder.run.plan.cases[case as usize].benchmark.parameters =
                    vec![Parameter::new("n", size.to_string()), kind];
                let time = if name == "a" { ns(size) } else { 7.0 };
                twelve_launches(&mut builder, case, time, |_, _, _| 0.0);
            }
        }
        crate::analyse(&builder.run()).scaling
    }

    #[test]
    fn the_order_of_each_benchmark_is_found() {
        let found = report(&[10.0, 100.0, 1000.0, 10_000.0], |n| 2.0 * n * n.log2());
        assert_eq!(found.len(), 2, "{found:?}");
        assert_eq!((found[0].order, found[1].order), ("O(n log n)", "O(1)"));
        assert_eq!((found[0].parameter.as_str(), found[0].cases.as_slice()), ("n", &[0, 1, 2, 3][..]));
        assert!((found[0].coefficient_ns / 2.0 - 1.0).abs() < 0.02 && found[0].unexplained < 0.02, "{:?}", found[0]);
        assert!((found[1].coefficient_ns / 7.0 - 1.0).abs() < 0.02, "{:?}", found[1]);
    }

    #[test]
    fn a_linear_scan_is_never_given_a_logarithm() {
        // Each cache that the data exceeds makes an element more expensive: figures from a scan of 32-bit numbers.
        fn step(n: f64) -> usize {
            [8e3, 2e5, 8e6].iter().filter(|&&end| n > end).count()
        }
        let orders = |ns: fn(f64) -> f64| {
            let found = report(&[16.0, 256.0, 4096.0, 65_536.0, 1_048_576.0, 16_777_216.0], ns);
            found.into_iter().filter(|growth| growth.cases[0] == 0).map(|growth| (growth.order, growth.or)).next()
        };
        let linear = Some(("O(n)", Vec::new()));
        assert_eq!(orders(|n| 0.3 * n), linear);
        assert_eq!(orders(|n| 4.0 + 0.3 * n), linear, "with what a call costs");
        let through_caches = |n: f64| n * [0.10, 0.12, 0.16, 0.22][step(n)];
        assert_eq!(orders(|n| 3.0 + n * [0.10, 0.105, 0.11, 0.125][step(n)]), linear);
        let found = report(&[16.0, 256.0, 4096.0, 65_536.0, 1_048_576.0, 16_777_216.0], through_caches);
        assert!(found.iter().all(|growth| growth.cases[0] != 0 || growth.order == "O(n)"), "{found:?}");
    }

    #[test]
    fn sizes_that_cannot_tell_name_no_order() {
        assert!(report(&[10.0, 100.0, 1000.0], |n| n).is_empty());
        assert!(report(&[10.0, 11.0, 12.0, 13.0], |n| n).is_empty());
        // No order at all.
        assert!(report(&[10.0, 100.0, 1000.0, 10_000.0], |n| if n == 100.0 { 9e5 } else { n }).len() == 1);
        // Too few and too similar sizes to distinguish a logarithm from a constant and a line.
        let found = report(&[64.0, 128.0, 256.0, 512.0], |n| n * (1.0 + 0.02 * n.log2()));
        assert_eq!((found[0].order, &found[0].or[..]), ("O(n)", &["O(n log n)"][..]), "{found:?}");
    }
}
