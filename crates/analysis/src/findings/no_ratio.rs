//! `no-ratio`: a contestant or its baseline cannot be distinguished from zero, so the ratio would be one of loops.

use super::{Context, Measured, Observation, Search, Sentence, Unit};
use crate::estimate::NetTime;
use tare_model::CaseGroup;

pub(super) const SEARCH: Search = Search::of_cases(of_case);

fn of_case(context: &Context, m: Measured) -> Option<Observation> {
    let upper_ns = |case: u32| match context.cases.get(case as usize)?.estimates()?.time {
        NetTime::Below { upper_ns } => Some(upper_ns),
        NetTime::Resolved { .. } => None,
    };
    if m.estimates.ratio.is_some() {
        return None;
    }
    let is_contestant = |group: &&CaseGroup| group.contestants().any(|case| case == m.case);
    let baseline = context.run.plan.groups.iter().find(is_contestant)?.baseline?;
    let evidence = match upper_ns(m.case) {
        Some(own) => Sentence::new("takes less than {upper} and cannot be distinguished from zero").number(
            "upper",
            own,
            Unit::NsAtMost,
        ),
        None => Sentence::new("its baseline takes less than {upper-of-base} and cannot be distinguished from zero")
            .number("upper-of-base", upper_ns(baseline)?, Unit::NsAtMost),
    };
    // A body is inside a loop, a command inside a shell.
    let advice = match context.cases[m.case as usize].is_command() {
        true => "give every command more work than the start of its shell, or run the commands without a shell",
        false => "give every contestant work that takes longer than the loop around it",
    };
    Some(Observation::note(evidence.then(": it has no ratio".into()), advice))
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
