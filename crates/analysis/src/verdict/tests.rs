//! Each verdict and each reason, from evidence of any kind.

use super::{
    judge_all, judge_alone, Evidence, Minimum, NoiseSource, Objection, Reason, Remedy, Ruling, Student, Uncertainty,
    Verdict,
};
use crate::finding::{Decide, How};
use tare_stats::sequential::{looks_with, Design, Wave};

/// Evidence that does not grow; its intervals reach about 2.6, 2.0 and 1.6 errors.
fn closed(estimate: f64, error: f64) -> Evidence {
    let student = Student { error, df: 1e6, bound: 0.0, of: NoiseSource::Sessions };
    Evidence {
        estimate,
        uncertainty: Some(Uncertainty::Student(student)),
        p: Some(student.p(estimate)),
        may_be_same: true,
        looks: 1,
        objection: None,
        difference_ns: None,
    }
}

/// The same estimate from interleaved waves.
fn open(estimate: f64, jitter: f64) -> Evidence {
    let side = |shift: f64| vec![shift - jitter, shift + jitter, shift - jitter, shift + jitter];
    let waves = vec![Wave { a: side(0.0), b: side(estimate), ..Wave::default() }; 3];
    let looks = looks_with(&waves, Design { processes_per_side: 4, looks: 8 }, 1.0);
    crate::ratio::evidence(looks.last().expect("a look"))
}

fn rule() -> Minimum {
    Minimum { effect_log: 0.05, noise_ns: 0.3 }
}

fn alone(evidence: &Evidence) -> Ruling {
    judge_alone(evidence, &rule())
}

#[test]
fn evidence_of_either_kind_gets_the_same_verdicts() {
    let kinds: [fn(f64, f64) -> Evidence; 2] = [closed, open];
    for of in kinds {
        let verdict = |estimate, error| alone(&of(estimate, error)).verdict;
        assert_eq!(verdict(0.2, 0.01), Verdict::Slower);
        assert_eq!(verdict(-0.2, 0.01), Verdict::Faster);
        assert_eq!(verdict(0.0, 0.01), Verdict::Same);
        assert_eq!(verdict(0.2, 0.3), Verdict::Unclear);
        let small = |is_certain| Some(Reason::BelowMinimum { minimum: 0.05_f64.exp_m1(), is_certain });
        assert_eq!(alone(&of(0.03, 0.002)).reason, small(true));
        assert_eq!(alone(&of(0.045, 0.008)).reason, small(false));
    }
}

#[test]
fn data_that_cannot_grow_says_what_a_verdict_takes_and_waves_can_go_on() {
    let ruling = alone(&closed(0.1, 0.1));
    let Some(Reason::WithinNoise { of: NoiseSource::Sessions, needed }) = ruling.reason else { panic!("{ruling:?}") };
    assert!(needed == ruling.minimum_effect && needed > 0.25, "{ruling:?}");
    let ruling = alone(&open(0.1, 0.3));
    assert_eq!((ruling.reason, ruling.minimum_effect), (None, 0.05_f64.exp_m1()));
}

#[test]
fn comparisons_that_are_given_together_are_corrected() {
    let one = closed(0.2, 0.07);
    assert_eq!(alone(&one).verdict, Verdict::Slower);
    let suite = |others: usize| {
        let all: Vec<(Evidence, Minimum)> =
            std::iter::once(one.clone()).chain(vec![closed(0.0, 0.01); others]).map(|e| (e, rule())).collect();
        judge_all(&all).remove(0)
    };
    assert_eq!((suite(3).verdict, suite(3).is_corrected), (Verdict::Slower, false));
    let ruling = suite(30);
    assert!(matches!(ruling.reason, Some(Reason::Corrected { comparisons: 31, q }) if q > 0.05), "{ruling:?}");
    assert!(ruling.minimum_effect > suite(3).minimum_effect);
}

#[test]
fn an_objection_bars_what_it_speaks_against() {
    let with =
        |objection: Objection, estimate: f64| alone(&Evidence { objection: Some(objection), ..closed(estimate, 0.01) });
    let few = || Objection::FewProcesses { processes: [1, 1], needed: 4 };
    let unknown = || Objection::UnknownDirection { unit: "hits".to_owned() };
    let cpu = || Objection::CpuContradicts { wall: 2.0, cpu: 1.0 };
    for (objection, of_same, gets_verdict) in [
        (few(), Verdict::Unclear, false),
        (Objection::SometimesZero, Verdict::Unclear, false),
        (unknown(), Verdict::Same, false),
        (cpu(), Verdict::Same, true),
        (Objection::WavesDisagree, Verdict::Same, true),
        (Objection::Unconfirmed, Verdict::Same, true),
    ] {
        let ruling = with(objection.clone(), 0.2);
        assert_eq!((ruling.verdict, ruling.reason), (Verdict::Unclear, Some(Reason::Objection(objection.clone()))));
        assert_eq!(ruling.minimum_effect.is_finite(), gets_verdict, "{objection:?}");
        assert_eq!(with(objection, 0.0).verdict, of_same);
    }
}

#[test]
fn what_is_not_known_is_not_said() {
    assert_eq!(alone(&Evidence { may_be_same: false, ..closed(0.0, 0.01) }).verdict, Verdict::Unclear);
    assert_eq!(alone(&Evidence { uncertainty: None, ..closed(0.2, 0.01) }).verdict, Verdict::Unclear);
    assert_eq!(alone(&closed(f64::NAN, 0.01)).verdict, Verdict::Unclear);
    assert_eq!(alone(&closed(0.2, f64::NAN)).verdict, Verdict::Unclear);
}

#[test]
fn an_unclear_comparison_has_a_remedy_unless_it_does_not_matter() {
    let again = |is_cut_short, can_be_longer, margin| {
        let remedy = Remedy::Again { only: vec!["a".to_owned()], is_cut_short, can_be_longer, margin };
        match remedy.of(Verdict::Unclear, None) {
            Some(Decide::Again(again)) => again.how,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(again(true, true, 0.012), How::InFull);
    assert_eq!(again(false, true, 0.012), How::Longer);
    assert_eq!(again(false, false, f64::INFINITY), How::Longer);
    assert_eq!(again(false, false, 0.012), How::MinimumEffect(0.015));
    let interleave = || Remedy::Interleave { sides: None, only: Vec::new() };
    assert_eq!(interleave().of(Verdict::Same, None), None);
    let small = alone(&Evidence { difference_ns: Some(-0.25), ..closed(-0.2, 0.01) });
    let reason = small.reason.expect("a reason");
    assert_eq!(reason.to_string(), "the difference of 0.25 ns is below the noise of 0.3 ns");
    assert_eq!(interleave().of(small.verdict, Some(&reason)), None);
    assert!(interleave().of(Verdict::Unclear, None).is_some());
}

#[test]
fn a_real_difference_that_is_called_the_same_names_what_it_is_below() {
    let of = |lower, upper| Some(tare_stats::interval::Interval { lower, upper });
    assert_eq!(Verdict::Same.small_difference(of(1.036, 1.054), 0.06), Some(0.06));
    assert_eq!(Verdict::Same.small_difference(of(0.95, 0.97), 0.06), Some(0.06));
    assert_eq!(Verdict::Same.small_difference(of(0.99, 1.01), 0.06), None, "no change is possible");
    assert_eq!(Verdict::Same.small_difference(None, 0.06), None);
    assert_eq!(Verdict::Slower.small_difference(of(1.036, 1.054), 0.01), None);
}
