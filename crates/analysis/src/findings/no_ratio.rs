//! `no-ratio`: a contestant or its baseline cannot be distinguished from zero. A ratio of two times of which one may be nothing says how
//! long the loop around them takes, or the start of the shell of commands, and has no verdict.

use super::facts::Context;
use super::Severity;
use super::{Observation, Search, Sentence, Unit};
use crate::estimate::NetTime;
use crate::report::Outcome;

pub(super) const SEARCH: Search = Search::of_run(find);

fn find(context: &Context) -> Vec<Observation> {
    let upper_ns = |case: u32| match &context.cases.get(case as usize)?.outcome {
        Outcome::Measured(estimates) => match estimates.time {
            NetTime::Below { upper_ns } => Some(upper_ns),
            NetTime::Resolved { .. } => None,
        },
        _ => None,
    };
    let mut found = Vec::new();
    for group in &context.run.plan.groups {
        let Some(baseline) = group.baseline else { continue };
        for case in group.contestants() {
            let Outcome::Measured(estimates) = &context.cases[case as usize].outcome else { continue };
            let evidence = match (upper_ns(case), upper_ns(baseline)) {
                _ if estimates.ratio.is_some() => continue,
                (Some(own), _) => Sentence::new("takes less than {upper} and cannot be distinguished from zero")
                    .number("upper", own, Unit::NsAtMost),
                (None, Some(base)) => {
                    Sentence::new("its baseline takes less than {upper-of-base} and cannot be distinguished from zero")
                        .number("upper-of-base", base, Unit::NsAtMost)
                }
                (None, None) => continue,
            };
            found.push(Observation {
                case: Some(case),
                severity: Severity::Note,
                evidence: evidence.then(": it has no ratio".into()),
                weight: 1.0,
                advice: advice(context.cases[case as usize].is_command()),
                ..Observation::default()
            });
        }
    }
    found
}

/// Around a body stands a loop, around a command a shell.
fn advice(is_command: bool) -> Sentence {
    match is_command {
        true => "give every command more work than the start of its shell, or run the commands without a shell".into(),
        false => "give every contestant work that takes longer than the loop around it".into(),
    }
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, twelve_launches, RunBuilder};
    use crate::gate::Gate;
    use crate::{Outcome, Verdict};
    use tare_model::{ExitCode, Stage};

    /// A pair in a loop whose empty turn takes 0.25 ns.
    fn pair(base_ns: f64, new_ns: f64, builds: bool) -> tare_model::Run {
        let mut builder = RunBuilder::new();
        for (name, ns) in [("a", base_ns), ("b", new_ns)] {
            let case = builder.case("g", name, name == "a");
            twelve_launches(&mut builder, case, ns, |_, _, _| 0.0);
        }
        let series = builder.series(Stage::Overhead, 1_000_000, vec![0.25e6; 7]);
        builder.run.launches.iter_mut().for_each(|l| l.series.push(series.clone()));
        if builds {
            builder.compared();
        }
        builder.run()
    }

    #[test]
    fn what_cannot_be_told_from_nothing_has_no_ratio() {
        for (base_ns, new_ns) in [(200.0, 0.26), (0.26, 200.0), (0.26, 0.26)] {
            let report = crate::analyse(&pair(base_ns, new_ns, false));
            let Outcome::Measured(estimates) = &report.cases[1].outcome else { panic!("measured") };
            assert!(estimates.ratio.is_none(), "{base_ns} and {new_ns}: {:?}", estimates.ratio);
            let note = report.findings.iter().find(|f| f.code.name() == "no-ratio").expect("it is said why");
            assert!(
                note.evidence.to_string().contains("takes less than 0.")
                    && note.evidence.to_string().ends_with("it has no ratio"),
                "{note:?}"
            );
        }
        let report = crate::analyse(&pair(200.0, 100.0, false));
        let Outcome::Measured(estimates) = &report.cases[1].outcome else { panic!("measured") };
        assert_eq!(estimates.ratio.as_ref().map(|r| r.verdict), Some(Verdict::Faster));
        assert!(!codes(&report.findings).contains(&"no-ratio"));
    }

    #[test]
    fn a_gate_does_not_pass_by_it() {
        let gate = Gate { rules: vec!["slower".parse().expect("a rule")], ..Gate::default() };
        let run = pair(0.26, 200.0, false);
        let judgement = crate::gate::judge_report(&crate::analyse(&run), &gate, |_, _| true);
        assert_eq!(judgement.exit_code(), ExitCode::GateUndecided);
        assert!(
            judgement.undecided[0].evidence.to_string().contains("cannot be distinguished from zero"),
            "{judgement:?}"
        );
        let run = pair(0.26, 200.0, true);
        let comparison = crate::compare_run(&run, &crate::analyse(&run));
        assert!(comparison.rows.is_empty(), "{:?}", comparison.rows);
        let why = comparison.why_not.get("g/b").expect("it is said why");
        assert!(why.contains("cannot be distinguished from zero"), "{why}");
        let judgement = crate::gate::judge_comparison(&comparison, None, &gate, |_, _| true);
        assert_eq!(judgement.exit_code(), ExitCode::GateUndecided);
    }
}
