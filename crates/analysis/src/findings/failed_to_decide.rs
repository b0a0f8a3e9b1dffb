//! `failed-to-decide`: a comparison is unclear; how many launches would decide it.

use super::{
    Number, Code, Context, Finding, How, Measured, Observation, Pairs, Search, Sentence, Severity, Unit, Units,
};
use crate::ratio::RatioReport;
use crate::report::ComparisonRow;
use crate::saved::more_processes;
use crate::verdict::{minimum_effect_for, Verdict};
use tare_stats::sequential::launches_needed;

/// More launches per side are not worth their time: thirty-two waves of four.
const LAUNCHES_MAX: f64 = 128.0;
/// At least this multiple of the launches made is requested.
const MORE: f64 = 1.5;

/// A wider margin, as a share, says too little to be shown.
const MARGIN_WORTH_SAYING: f64 = 0.25;

pub(super) const SEARCH: Search = Search::of_cases(find).and_of_saved(of_saved);

fn find(context: &Context, m: Measured) -> Option<Observation> {
    let can_be_longer = context.run.can_be_longer();
    let ratio = m.estimates.ratio.as_ref().filter(|r| r.verdict == Verdict::Unclear)?;
    // The launches made did not decide it, whatever the estimate predicts.
    let made = m.estimates.launches.len() as f64;
    let needed = needed(context, m.case).map(|n| n.max((made * MORE).round()));
    let each = if context.cases[m.case as usize].is_command() { "of each command" } else { "per side" };
    let (how, advice) = match needed {
        Some(n) if n <= LAUNCHES_MAX => (
            How::Launches(n.round() as u64),
            Sentence::new("about {launches} ")
                .number("launches", n.round(), Unit::Launches)
                .then(each.into())
                .then(" would decide it".into()),
        ),
        Some(_) if can_be_longer => (
            How::Longer,
            Sentence::new("run for longer, though even 128 launches ")
                .then(each.into())
                .then(" may not decide it".into()),
        ),
        None if can_be_longer => (How::Longer, "use more launches".into()),
        // No longer run is left: it takes a quieter machine, or a question that this one can answer.
        _ => return Some(undecidable(evidence(ratio), ratio.certified_margin)),
    };
    Some(
        Observation::note(evidence(ratio), advice)
            // Of several, the one that needs most is shown: its command decides them all.
            .weighing(needed.unwrap_or(f64::INFINITY))
            .again(how),
    )
}

fn undecidable(evidence: Sentence, margin: f64) -> Observation {
    let how = (margin < MARGIN_WORTH_SAYING).then(|| How::MinimumEffect(minimum_effect_for(margin)));
    let advice = match how {
        Some(_) => "use a quieter machine (`tare doctor`), or ask whether they are the same within more",
        None => "use a quieter machine: see `tare doctor`",
    };
    Observation::note(evidence, advice).weighing(f64::INFINITY).again(how)
}

fn evidence(ratio: &RatioReport) -> Sentence {
    let interval = Sentence::new("the ratio is between {lower} and {upper}")
        .number("lower", ratio.interval.lower, Unit::Ratio)
        .number("upper", ratio.interval.upper, Unit::Ratio);
    let interval = match (&ratio.reason, ratio.interval.contains(1.0)) {
        // Tare writes this text, except for the unit of a metric.
        (Some(reason), _) => interval.then(": {reason}".into()).text("reason", reason.to_string()),
        (None, true) => interval,
        (None, false) => interval.then(", but the 99 % interval, which decides, contains 1".into()),
    };
    match ratio.certified_margin {
        margin if margin < MARGIN_WORTH_SAYING => {
            interval.then("; the same within {margin}".into()).number("margin", margin, Unit::Share)
        }
        _ => interval,
    }
}

/// Looks of the longest plans.
const LONGEST: usize = 32;

/// Launches per side that decide the comparison if the estimate stays.
fn needed(context: &Context, case: u32) -> Option<f64> {
    let pair = context.pair(case)?;
    let (look, rule) = (pair.look(1.0)?, pair.rule);
    // The rule of a short run has few looks; the longest run is meant here.
    launches_needed(&look, &tare_stats::sequential::StopRule { max_looks: LONGEST, ..rule })
}

/// Rows of saved data that need a larger change than was asked for.
fn of_saved(found: &Pairs) -> Vec<Finding> {
    let larger = |row: &&ComparisonRow| {
        let more = row.minimum_effect.is_finite() && row.minimum_effect > row.asked_effect * 1.001;
        row.verdict == Verdict::Unclear && row.metric.is_none() && more
    };
    let effects: Vec<f64> = found.rows.iter().filter(larger).map(|row| row.minimum_effect).collect();
    let Some(asked) = found.rows.first().map(|row| row.asked_effect).filter(|_| !effects.is_empty()) else {
        return Vec::new();
    };
    let (least, most) = effects.iter().fold((f64::INFINITY, 0.0), |(lo, hi), &e| (e.min(lo), e.max(hi)));
    let limit = |value: f64| Number { value, unit: Unit::Limit }.to_string();
    let range = if limit(least) == limit(most) { "{least}" } else { "{least} to {most}" };
    let evidence = Sentence::new("{count} of {rows} comparisons need a change of ")
        .then(range.into())
        .then(" for a verdict, not {asked}: sessions and processes of the same code differ by that much".into())
        .count("count", effects.len())
        .count("rows", found.rows.len())
        .number("least", least, Unit::Limit)
        .number("most", most, Unit::Limit)
        .number("asked", asked, Unit::Limit);
    vec![Finding::new(
        Code::FailedToDecide,
        Severity::Note,
        evidence,
        more_processes(found.base, found.new, Units::Sessions),
    )]
}

#[cfg(test)]
mod tests {
    use super::{Code, How};
    use crate::findings::common::{codes, log_ns, noisy_logs, twelve_launches, RunBuilder};
    use tare_model::{Policy, Effort};

    fn findings(luck: f64) -> Vec<crate::Finding> {
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
        assert_eq!(found[0].advice.again.as_ref().unwrap().only, ["g/"]);
    }

    #[test]
    fn an_unclear_comparison_names_what_decides_it() {
        let found = findings(0.0025);
        assert_eq!(codes(&found), ["failed-to-decide"]);
        assert!(found[0].case == Some(1) && found[0].cases.is_empty());
        assert_eq!(found[0].advice.again.as_ref().unwrap().only, ["g/a", "g/b"]);
        assert!(findings(0.0002).is_empty(), "that is decided: the same");
    }

    #[test]
    fn an_interval_without_1_says_why_there_is_no_verdict() {
        let mut builder = RunBuilder::new();
        builder.run.plan.policy = Policy::of(Effort::Quick);
        for (name, ns) in [("a", 100.0), ("b", 120.0)] {
            let case = builder.case("g", name, name == "a");
            for launch in 0..4 {
                builder.launch(case, launch / 2, &noisy_logs(log_ns(ns), 16, u64::from(100 * case + launch)));
            }
        }
        let found = crate::analyse(&builder.run()).findings;
        let undecided = found.iter().find(|of| of.code == Code::FailedToDecide).expect("unclear");
        let text = undecided.evidence.to_string();
        assert!(text.contains("no third wave confirms the difference"), "{text}");
    }

    #[test]
    fn what_a_long_run_did_not_decide_is_not_run_for_longer() {
        let mut builder = RunBuilder::new();
        builder.run.plan.policy = Policy::of(Effort::Long);
        for name in ["a", "b"] {
            let case = builder.case("g", name, name == "a");
            twelve_launches(&mut builder, case, 100.0, |_, n, _| 0.04 * (f64::from((n * 5) % 12) - 5.5));
        }
        let found = crate::analyse(&builder.run()).findings;
        let undecided = found.iter().find(|of| of.code == Code::FailedToDecide).expect("unclear");
        assert!(undecided.advice.text.to_string().contains("quieter machine"), "{undecided:?}");
        let how = undecided.advice.again.as_ref().map(|again| again.how);
        assert!(matches!(how, None | Some(How::MinimumEffect(_))), "{how:?}");
    }
}
