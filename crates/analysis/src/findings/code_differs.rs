//! `code-differs`: launches allocate other bytes than most. Bytes are counted exactly, so these launches did something else. They count in the
//! time like the others: leaving them out would make the interval narrower than what processes differ by.

use super::{Context, How, Measured, Observation, Search, Sentence, Severity, Unit};
use crate::report::of_most;
use tare_model::Metric;
use tare_stats::location::mean;

/// Smallest difference (log) of their times of which the finding warns.
const EFFECT_MIN: f64 = 0.02;

pub(super) const SEARCH: Search = Search::of_cases(of_case);

fn of_case(_: &Context, measured: Measured) -> Option<Observation> {
    let metric = measured.estimates.metrics.iter().find(|m| m.metric.name == Metric::ALLOCATED_BYTES)?;
    let bytes = &metric.launches;
    let launches = &measured.times.launches;
    // A mean of visits that differ is not a whole number: there nothing is exact.
    if bytes.len() != launches.len() || bytes.iter().any(|bytes| bytes.fract() != 0.0) {
        return None;
    }
    let most = of_most(bytes)?;
    let is_other = |bytes: &f64| *bytes != most;
    let log = |is_meant: &dyn Fn(&f64) -> bool| {
        let logs = launches.iter().zip(bytes).filter(|(_, bytes)| is_meant(bytes)).map(|(launch, _)| launch.value);
        mean(&logs.collect::<Vec<f64>>())
    };
    let (other, usual) = (log(&is_other)?, log(&|bytes| !is_other(bytes))?);
    let others: Vec<f64> = bytes.iter().copied().filter(is_other).collect();
    let ends = [others.iter().copied().min_by(f64::total_cmp)?, others.iter().copied().max_by(f64::total_cmp)?];
    // Exact bytes are whole, and rounded to four digits they would be equal.
    let allocated = match ends[0] == ends[1] {
        true => Sentence::new("{least} B").count("least", ends[0] as usize),
        false => Sentence::new("{least} to {greatest} B")
            .count("least", ends[0] as usize)
            .count("greatest", ends[1] as usize),
    };
    let evidence = Sentence::new("{count} of {launches} allocate ")
        .count("count", others.len())
        .number("launches", bytes.len() as f64, Unit::Launches)
        .then(allocated)
        .then(
            Sentence::new(" per operation and take {slow}, the others {most} B and {fast}")
                .number("slow", measured.shown_ns(other), Unit::Ns)
                .count("most", most as usize)
                .number("fast", measured.shown_ns(usual), Unit::Ns),
        );
    let advice = "the runtime gave some processes different code, or their data differs: the time is the mean of all of them, and more launches show \
                 how often it happens";
    let severity = if (other - usual).abs() >= EFFECT_MIN { Severity::Warning } else { Severity::Note };
    Some(
        Observation::new(severity, evidence, advice)
            .weighing(others.len() as f64 / bytes.len() as f64)
            .again(How::Longer),
    )
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::{Outcome, Report};
    use tare_model::{Better, Metric, Per};

    /// Twelve launches of 390 ns, of which some take longer and allocate as many bytes as `bytes` says.
    fn report(bytes: impl Fn(u32, usize) -> f64) -> Report {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        twelve_launches(&mut builder, case, 390.0, |_, _, _| 0.0);
        let metric = Metric {
            name: Metric::ALLOCATED_BYTES.to_owned(),
            unit: "B".to_owned(),
            better: Better::Lower,
            per: Per::Operation,
            exact: false,
        };
        builder.run.artifacts[0].child.as_mut().expect("a child").metrics = vec![metric];
        for (number, launch) in builder.run.launches.iter_mut().enumerate() {
            let series = &mut launch.series[0];
            let visits = series.columns.elapsed_ns.len();
            let values = (0..visits).map(|visit| bytes(number as u32, visit) * series.operations(visit, 1));
            let values: Vec<f64> = values.collect();
            series.columns.metrics.insert(Metric::ALLOCATED_BYTES.to_owned(), values);
        }
        crate::analyse(&builder.run())
    }

    fn shown(report: &Report) -> f64 {
        let Outcome::Measured(estimates) = &report.cases[0].outcome else { panic!("measured") };
        estimates.metric(Metric::ALLOCATED_BYTES).expect("bytes")
    }

    #[test]
    fn launches_of_other_bytes_are_named_and_the_bytes_are_those_of_most() {
        let of_tiers = report(|launch, _| if launch < 2 { 8264.0 } else { 8216.0 });
        assert_eq!((shown(&of_tiers), codes(&of_tiers.findings)), (8216.0, vec!["code-differs"]));
        let evidence = of_tiers.findings[0].evidence.to_string();
        assert!(evidence.starts_with("2 of 12 launches allocate 8264 B per operation and take "), "{evidence}");
        assert!(evidence.contains("the others 8216 B and "), "{evidence}");
    }

    #[test]
    fn what_is_not_exact_is_a_mean_and_no_finding() {
        // A list that grows now and then, and data that each process draws.
        let grows = report(|_, visit| if visit % 2 == 0 { 100.25 } else { 100.75 });
        assert_eq!((shown(&grows), codes(&grows.findings)), (100.5, vec![]));
        let drawn = report(|launch, _| 8000.0 + 8.0 * f64::from(launch));
        assert!((8000.0..8088.0).contains(&shown(&drawn)) && shown(&drawn).fract() != 0.0, "a mean");
        assert!(codes(&drawn.findings).is_empty());
        // A visit in which the runtime did something of its own.
        let disturbed = report(|launch, visit| if launch == 3 && visit == 5 { 9000.0 } else { 8216.0 });
        assert_eq!((shown(&disturbed), codes(&disturbed.findings)), (8216.0, vec![]));
    }
}
