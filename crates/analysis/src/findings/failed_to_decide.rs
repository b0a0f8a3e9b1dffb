//! `failed-to-decide`: a comparison is unclear; how many launches decide it.

use super::facts::Context;
use super::{text, Found, Rerun};
use crate::ratio;
use crate::report::{RatioReport, Verdict};
use tare_model::Severity;
use tare_stats::sequential::launches_needed;

/// Launches a side beyond which more are hardly worth their time: sixteen waves of four.
const LAUNCHES_MAX: f64 = 64.0;

pub(super) fn find(context: &Context) -> Vec<Found> {
    context
        .measured()
        .filter_map(|m| {
            let ratio = m.estimates.ratio.as_ref().filter(|r| r.verdict == Verdict::Unclear)?;
            let needed = needed(context, m.case, ratio);
            let (flags, advice) = match needed {
                Some(n) if n <= LAUNCHES_MAX => {
                    (format!("--launches {n:.0}"), format!("about {n:.0} launches a side decide it"))
                }
                Some(_) => ("--long".to_owned(), "64 launches a side may not decide it: too close to call".to_owned()),
                None => ("--long".to_owned(), "take more launches".to_owned()),
            };
            let mut rerun = Rerun::spending(flags);
            if let Some(rerun) = rerun.as_mut() {
                rerun.with_baseline = true;
            }
            Some(Found {
                case: Some(m.case),
                severity: Severity::Note,
                evidence: evidence(ratio),
                // Of several the one that needs most is shown: its command decides them all.
                weight: needed.unwrap_or(f64::INFINITY),
                advice,
                rerun,
            })
        })
        .collect()
}

fn evidence(ratio: &RatioReport) -> String {
    let within = if ratio.certified_margin.is_finite() && ratio.certified_margin < 1.0 {
        format!("; the same within {}", text::percent(ratio.certified_margin))
    } else {
        String::new()
    };
    format!("the ratio is {:.3} to {:.3}{within}", ratio.interval.lower, ratio.interval.upper)
}

/// Looks of the longest plans.
const LONGEST: usize = 16;

/// Launches a side that decide the comparison if the estimate stays.
fn needed(context: &Context, case: u32, ratio: &RatioReport) -> Option<f64> {
    let times = |case: u32| &context.times[case as usize];
    let groups = context.run.plan.groups.iter().enumerate();
    let mut of_case = groups.filter(|(_, g)| g.cases.contains(&case) && g.baseline == Some(ratio.baseline));
    let (group, _) = of_case.next()?;
    let pair = ratio::pair(context.run, group as u32, times(ratio.baseline), times(case))?;
    let (look, rule) = (pair.look(1.0)?, pair.rule);
    // The rule of a short run has few looks; it is the longest run that is asked about.
    launches_needed(&look, &tare_stats::sequential::Rule { max_looks: LONGEST, ..rule })
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};

    fn findings(luck: f64) -> Vec<tare_model::Finding> {
        let mut builder = RunBuilder::new();
        for name in ["a", "b"] {
            let case = builder.case("g", name, name == "a");
            twelve_launches(&mut builder, case, 100.0, |_, n, _| luck * (f64::from((n * 5) % 12) - 5.5));
        }
        crate::analyse(&builder.run()).findings
    }

    #[test]
    fn several_unclear_comparisons_have_one_command() {
        let mut builder = RunBuilder::new();
        for name in ["a", "b", "c"] {
            let case = builder.case("g", name, name == "a");
            twelve_launches(&mut builder, case, 100.0, |_, n, _| 0.0025 * (f64::from((n * 5) % 12) - 5.5));
        }
        let found = crate::analyse(&builder.run()).findings;
        assert_eq!(codes(&found), ["failed-to-decide"]);
        assert_eq!((found[0].case, &found[0].cases[..]), (None, &[1, 2][..]));
        let command = found[0].advice.command.as_deref().unwrap();
        assert!(command.starts_with("tare run bench.cpp --filter 'g/' --"), "{command}");
    }

    #[test]
    fn an_unclear_comparison_names_what_decides_it() {
        let found = findings(0.0025);
        assert_eq!(codes(&found), ["failed-to-decide"]);
        assert!(found[0].case == Some(1) && found[0].cases.is_empty());
        let command = found[0].advice.command.as_deref().unwrap();
        let start = "tare run bench.cpp --filter 'g/a' --filter 'g/b' --";
        assert!(command.starts_with(start), "{command}");
        assert!(findings(0.0002).is_empty(), "that is decided: the same");
    }
}
