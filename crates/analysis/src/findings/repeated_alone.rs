//! `repeated-alone`: a case failed beside other processes, which may have occupied what its set-up needs, and was measured alone.

use super::{Context, Measured, Observation, Search, Sentence, Severity};
use tare_model::CaseGroup;

pub(super) const SEARCH: Search = Search::of_cases(of_case);

const SHOWN: usize = 100;

fn of_case(context: &Context, m: Measured) -> Option<Observation> {
    let alone = context.run.results.get(m.case as usize)?.repeated.as_ref()?;
    // Processes that are not alive together are not compared.
    let is_compared = |group: &&CaseGroup| group.baseline.is_some() && group.cases.len() > 1;
    let groups = context.run.plan.groups.iter().filter(is_compared).filter(|group| group.cases.contains(&m.case));
    let is_base: Vec<bool> = groups.map(|group| group.baseline == Some(m.case)).collect();
    let lacks = match (is_base.contains(&false), m.estimates.ratio.is_some()) {
        _ if is_base.is_empty() => "",
        (true, false) => ": it has no ratio",
        _ => ": ratios use only the waves before that",
    };
    let severity = if is_base.is_empty() { Severity::Note } else { Severity::Warning };
    let evidence = Sentence::new("failed beside other processes ({failure}) and was measured again alone")
        .text("failure", shown(alone.failure.cause.text()))
        .then(lacks.into());
    Some(Observation::new(severity, evidence, "let each process have its own port, file or lock"))
}

fn shown(failure: String) -> String {
    match failure.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &failure[..end]),
        None => failure,
    }
}

#[cfg(test)]
mod tests {
    use super::SHOWN;
    use crate::findings::common::{twelve_launches, RunBuilder};
    use crate::{Outcome, Report, Severity};
    use tare_model::{CaseGroup, Failure, FailureKind, Repetition, Step};

    /// Two cases; one was measured again, alone, from this wave on.
    fn report(with_baseline: bool, alone: u32, from: u32, cause: FailureKind) -> Report {
        let mut builder = RunBuilder::new();
        for name in ["a", "b"] {
            let case = builder.case("g", name, with_baseline && name == "a");
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        }
        let mut run = builder.run();
        let group = run.plan.groups.len() as u32;
        run.plan.groups.push(CaseGroup { cases: vec![alone], ..CaseGroup::default() });
        for launch in run.launches.iter_mut().filter(|l| l.case == alone && l.wave >= from) {
            (launch.group, launch.wave) = (group, launch.wave - from);
        }
        let failure = Failure { cause, step: Step::SetUp, output: Vec::new() };
        run.results[alone as usize].repeated = Some(Repetition { failure, group });
        run.validate().expect("a whole run");
        crate::analyse(&run)
    }

    fn findings(with_baseline: bool, alone: u32, from: u32) -> Vec<(Option<u32>, Severity, String)> {
        let report = report(with_baseline, alone, from, FailureKind::EarlyExit { status: 98 });
        let own = report.findings.into_iter().filter(|f| f.code.name() == "repeated-alone");
        own.map(|f| (f.case, f.severity, f.evidence.to_string())).collect()
    }

    #[test]
    fn waves_of_both_groups_are_counted_and_a_long_failure_is_cut() {
        let text = "ü".repeat(SHOWN);
        for (message, expected) in [(text.clone(), format!("({text})")), (format!("{text}!"), format!("({text}…)"))] {
            let found = report(true, 1, 1, FailureKind::Failed { message });
            let Outcome::Measured(estimates) = &found.cases[1].outcome else { panic!("measured") };
            assert_eq!(estimates.waves, 3, "one of the group, and two alone");
            let own = found.findings.iter().find(|f| f.code.name() == "repeated-alone").expect("the finding");
            assert!(own.evidence.to_string().contains(&expected), "{}", own.evidence);
        }
    }

    #[test]
    fn what_is_lost_by_it_is_said() {
        let text = "failed beside other processes (exited unexpectedly with status 98) and was measured again alone";
        assert_eq!(findings(false, 1, 0), [(Some(1), Severity::Note, text.to_owned())]);
        for (alone, from, lacks) in [
            (1, 0, "it has no ratio"),
            (0, 0, "ratios use only the waves before that"),
            (1, 1, "ratios use only the waves before that"),
            (0, 1, "ratios use only the waves before that"),
        ] {
            let expected = (Some(alone), Severity::Warning, format!("{text}: {lacks}"));
            assert_eq!(findings(true, alone, from), [expected], "{alone} {from}");
        }
    }
}
