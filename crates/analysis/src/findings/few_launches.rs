//! `few-launches`: with fewer than four launches nothing is known of how they differ, so there is no interval.

use super::facts::Context;
use super::{text, Found, Rerun};
use crate::report::CoreUse;
use tare_model::Severity;

/// Launches from which an interval is told (method 7.1).
const LAUNCHES_MIN: usize = 4;

pub(super) fn find(context: &Context) -> Vec<Found> {
    context
        .measured()
        .filter(|m| m.estimates.launches.len() < LAUNCHES_MIN)
        .map(|m| {
            let usable = m.estimates.launches.len();
            let made = context.run.launches.iter().filter(|l| l.case == m.case).count();
            let lost = if made > usable { format!(" of {made}") } else { String::new() };
            let why = match m.times.core {
                CoreUse::Alone if made > usable => ", the others had too few windows alone on the core",
                _ => "",
            };
            Found {
                case: Some(m.case),
                severity: Severity::Warning,
                evidence: format!("{}{lost} can be used{why}: no interval is told below 4", text::launches(usable)),
                weight: 1.0 / (usable.max(1) as f64),
                advice: "launches may differ from each other: make more".to_owned(),
                rerun: Rerun::spending("--launches 12"),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, log_ns, noisy_logs, RunBuilder};

    fn findings(count: u64) -> Vec<tare_model::Finding> {
        let mut builder = RunBuilder::new();
        let case = builder.case("g", "a", false);
        for n in 0..count {
            builder.launch(case, 0, &noisy_logs(log_ns(100.0), 24, n));
        }
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn three_launches_are_few_and_four_are_not() {
        let found = findings(3);
        assert_eq!(codes(&found), ["few-launches"]);
        let command = "tare run bench.cpp --filter 'g/a' --launches 12";
        assert_eq!(found[0].advice.command.as_deref(), Some(command));
        assert!(findings(4).is_empty());
    }
}
