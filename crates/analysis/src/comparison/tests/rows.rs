//! Rows, reasons and findings for given sides.

use super::{case, defaults, evidence_of, exact, has, run_side, side};
use crate::comparison::compare_saved;
use crate::report::Design;
use crate::saved::{fact, Saved, SavedCase, SavedDesign, SavedFailure, SavedOptions, SavedSummary, SavedTime};
use crate::verdict::Verdict;
use crate::{Code, Decide, LoopCost, Means, Units, Value};
use tare_model::{Failure, FailureKind, Step};
use tare_stats::interval::{Estimate, Interval};
use tare_stats::rng::Rng;

fn with(name: &str, key: &str, times: &[f64]) -> Saved {
    side(name, vec![case(key, exact(times))])
}

#[test]
fn a_row_of_launches_has_all_that_such_data_can_say() {
    let comparison = compare_saved(
        &with("base", "a", &[100.0, 101.0, 99.0, 100.5]),
        &with("new", "a", &[130.0, 131.0, 129.0, 130.4]),
        &defaults(),
    );
    let row = &comparison.rows[0];
    assert_eq!((row.verdict, comparison.design), (Verdict::Slower, Design::SavedLaunches));
    assert!((row.ratio - 1.2995).abs() < 0.01 && row.p.expect("p") < 1e-6 && row.q.is_some());
    let interval = row.interval.expect("interval");
    // Two sessions with 3 % each: the interval is never narrower than they allow, however close the launches are.
    assert!(interval.lower < row.ratio * 0.92 && interval.upper > row.ratio * 1.08, "{interval:?}");
    assert_eq!((row.launches, row.looks, row.certified_margin), ([4, 4], 1, None));
    assert_eq!((row.remark.as_str(), &row.decide_with), ("", &None));
}

/// A side of processes, each in a separate session, at these dates.
fn sessions(name: &str, times: &[f64], dates: &[&str]) -> Saved {
    let file = |(i, ns): (usize, &f64)| {
        let mut part = side("part", vec![case("a", vec![vec![*ns, ns * 1.001, ns * 0.999, *ns]])]);
        part.machine.extend(dates.get(i).map(|date| (fact::DATE.to_owned(), (*date).to_owned())));
        part
    };
    Saved::merge(name, times.iter().enumerate().map(file).collect()).expect("a side")
}

#[test]
fn one_process_has_no_verdict_however_large_the_difference() {
    let base = side("base", vec![case("a", vec![vec![100.0, 101.0, 99.0, 100.0, 100.2]])]);
    let new = side("new", vec![case("a", vec![vec![1600.0, 1610.0, 1590.0, 1600.0]; 1])]);
    let comparison = compare_saved(&base, &new, &defaults());
    let row = &comparison.rows[0];
    assert_eq!((row.verdict, row.p, row.q, row.interval), (Verdict::Unclear, None, None, None));
    assert!((row.ratio - 16.0).abs() < 0.1 && row.minimum_effect.is_infinite());
    assert_eq!(row.remark, "one process per side, but a verdict needs 4 per side: processes of the same code differ");
    assert_eq!(row.decide_with, Some(Decide::Interleaved { sides: None, only: vec!["a".to_owned()] }));
    assert_eq!(comparison.design, Design::SavedIterations);
    assert!(evidence_of(&comparison, "few-launches").starts_with("1 of 1 comparisons have fewer than 4 processes"));
}

#[test]
fn three_processes_have_an_interval_and_no_verdict() {
    let (base, new) = (sessions("base", &[100.0, 101.0, 99.0], &[]), sessions("new", &[200.0, 202.0, 198.0], &[]));
    let row = &compare_saved(&base, &new, &defaults()).rows[0];
    assert_eq!((row.verdict, row.p, row.launches), (Verdict::Unclear, None, [3, 3]));
    assert!(
        row.interval.is_some_and(|i| (1.70..1.80).contains(&i.lower) && (2.25..2.35).contains(&i.upper)),
        "{row:?}"
    );
    assert_eq!(row.remark, "3 processes per side, but a verdict needs 4 per side: processes of the same code differ");
    // One process on each side says nothing about how processes differ; one and several do.
    let row = &compare_saved(&sessions("base", &[100.0], &[]), &new, &defaults()).rows[0];
    assert_eq!((row.verdict, row.launches), (Verdict::Unclear, [1, 3]));
    assert!(row.interval.is_some_and(|i| i.lower < 1.75 && i.upper > 2.28), "{row:?}");
}

#[test]
fn sessions_that_agree_need_less_than_one_session_and_those_that_differ_more() {
    let near = [100.0, 100.4, 99.6, 100.2, 99.8];
    let apart = [100.0, 106.0, 94.0, 103.0, 97.0];
    let effect = |base: &Saved, new: &Saved| compare_saved(base, new, &defaults()).rows[0].minimum_effect;
    let one_session = |name, times: &[f64]| with(name, "a", times);
    let of_one = effect(&one_session("base", &near), &one_session("new", &near));
    let agree = effect(&sessions("base", &near, &[]), &sessions("new", &near, &[]));
    let differ = effect(&sessions("base", &apart, &[]), &sessions("new", &apart, &[]));
    assert!((0.11..0.12).contains(&of_one), "{of_one}");
    assert!((agree - 0.05).abs() < 1e-9, "{agree}");
    assert!((0.20..0.35).contains(&differ), "{differ}");
    // If sessions alternate, changes over time affect both sides.
    let [even, odd] = [["01", "03", "05", "07", "09"], ["02", "04", "06", "08", "10"]];
    let in_turn = effect(&sessions("base", &apart, &even), &sessions("new", &apart, &odd));
    assert!(in_turn < 0.6 * differ, "{in_turn}");
    let late = ["11", "12", "13", "14", "15"];
    assert_eq!(effect(&sessions("base", &apart, &even), &sessions("new", &apart, &late)), differ);
    assert_eq!(effect(&sessions("base", &apart, &even), &sessions("new", &apart, &even)), differ, "no order");
}

#[test]
fn what_needs_a_larger_change_than_was_asked_for_says_so() {
    let (base, new) =
        (with("base", "a", &[100.0, 100.1, 99.9, 100.0]), with("new", "a", &[106.0, 106.1, 105.9, 106.0]));
    let comparison =
        compare_saved(&Saved { tool: "jmh".into(), ..base }, &Saved { tool: "jmh".into(), ..new }, &defaults());
    let row = &comparison.rows[0];
    assert!(row.minimum_effect > 0.115 && (row.asked_effect - 0.05).abs() < 1e-9, "{row:?}");
    assert_eq!(
        evidence_of(&comparison, "failed-to-decide"),
        "1 of 1 comparisons need a change of 12 % for a verdict, not 5 %: sessions and processes of the same code differ by that much"
    );
    let advice = &comparison.findings.iter().find(|f| f.code == Code::FailedToDecide).expect("it").advice.text;
    assert_eq!(
        advice.values["more"],
        Value::Means(Means::MoreProcesses { tools: ["jmh", "jmh"].map(str::to_owned), of: Units::Sessions, now: 0 })
    );
    // Anything at least as large gets a verdict.
    for (factor, verdict) in [(1.0 / 1.001, Verdict::Unclear), (1.001, Verdict::Slower)] {
        let times = [100.0, 100.1, 99.9, 100.0].map(|t| t * (1.0 + row.minimum_effect) * factor);
        let again =
            compare_saved(&with("base", "a", &[100.0, 100.1, 99.9, 100.0]), &with("new", "a", &times), &defaults());
        assert_eq!(again.rows[0].verdict, verdict, "{:?}", again.rows[0]);
    }
}

#[test]
fn wall_time_that_cpu_time_contradicts_has_no_verdict() {
    let both = |name: &str, wall: &[f64], cpu: &[f64]| {
        let cpu = SavedCase { quantity: "CPU time".into(), ..case("a", exact(cpu)) };
        side(name, vec![SavedCase { otherwise: Some(Box::new(cpu)), ..case("a", exact(wall)) }])
    };
    let base = both("base", &[300.0, 301.0, 299.0, 300.0], &[100.0, 101.0, 99.0, 100.0]);
    let verdict = |new: &Saved| {
        let row = compare_saved(&base, new, &defaults()).rows.remove(0);
        (row.verdict, row.remark)
    };
    let (word, why) = verdict(&both("new", &[120.0, 121.0, 119.0, 120.0], &[110.0, 111.0, 109.0, 110.0]));
    assert_eq!(word, Verdict::Unclear);
    assert!(why.starts_with("the ratio is 0.40 in wall time and 1.10 in CPU time"), "{why}");
    assert_eq!(verdict(&both("new", &[120.0; 4], &[41.0; 4])).0, Verdict::Faster);
    assert_eq!(verdict(&both("new", &[400.0; 4], &[135.0; 4])).0, Verdict::Slower);
    assert_eq!(verdict(&both("new", &[400.0; 4], &[100.0; 4])).0, Verdict::Unclear);
}

#[test]
fn summaries_are_compared_in_one_statistic() {
    let summary = |mean: f64, median: Option<f64>| {
        let summary = SavedSummary { mean_ns: Some(mean), median_ns: median, sd_ns: Some(1.0), values: Some(100) };
        SavedCase { design: SavedDesign::Summary(summary), ..case("a", Vec::new()) }
    };
    // The values have a tail: their mean is 30 % above their median.
    let mut values = vec![100.0; 9];
    values.push(400.0);
    let base = side("base", vec![case("a", vec![values])]);
    let by_mean = compare_saved(&base, &side("new", vec![summary(130.0, None)]), &defaults());
    assert!((by_mean.rows[0].ratio - 1.0).abs() < 1e-12);
    let by_median = compare_saved(&base, &side("new", vec![summary(130.0, Some(100.0))]), &defaults());
    assert!((by_median.rows[0].ratio - 1.0).abs() < 1e-12);
    assert_eq!(by_median.design, Design::SavedSummary);
}

#[test]
fn noise_in_ns_is_no_difference_however_large_its_share() {
    let base = with("base", "a", &[0.50, 0.51, 0.49, 0.50]);
    let new = with("new", "a", &[0.75, 0.76, 0.74, 0.75]);
    let row = &compare_saved(&base, &new, &defaults()).rows[0];
    assert_eq!(row.verdict, Verdict::Unclear);
    assert_eq!(row.remark, "the difference of 0.25 ns is below the noise of 0.3 ns");
    assert_eq!(row.decide_with, None, "there is nothing worth deciding");
    let row = &compare_saved(&base, &new, &SavedOptions { noise_ns: 0.1, ..defaults() }).rows[0];
    assert_eq!(row.verdict, Verdict::Slower);
}

#[test]
fn reasons_name_what_is_missing() {
    let base = with("base", "a", &[100.0, 100.1, 99.9, 100.0]);
    let remark = |new: &Saved, options: &SavedOptions| compare_saved(&base, new, options).rows[0].remark.clone();
    let near = with("new", "a", &[106.0, 106.1, 105.9, 106.0]);
    assert_eq!(
        remark(&near, &defaults()),
        "sessions of the same code may differ by this much: a verdict needs a change of 12 %"
    );
    let high = SavedOptions { threshold: 0.3, ..defaults() };
    let far = with("new", "a", &[125.0, 125.1, 124.9, 125.0]);
    assert_eq!(remark(&far, &high), "a real difference, but perhaps below the minimum effect of 30 %");
}

#[test]
fn many_comparisons_are_corrected() {
    let suite = |last: f64| {
        let times = |i| if i == 39 { [last, last * 1.001, last * 0.999, last] } else { [100.0, 100.1, 99.9, 100.0] };
        (0..40).map(|i| case(&format!("b{i}"), exact(&times(i)))).collect::<Vec<_>>()
    };
    let (base, new) = (side("base", suite(100.0)), side("new", suite(113.5)));
    let comparison = compare_saved(&base, &new, &defaults());
    let row = comparison.rows.last().expect("rows");
    assert_eq!(row.verdict, Verdict::Unclear);
    assert!(row.p.expect("p") < 0.01 && row.q.expect("q") > 0.05);
    assert!(row.remark.starts_with("no verdict after correction for 40 comparisons (q = 0."), "{}", row.remark);
}

#[test]
fn benchmarks_of_one_side_are_listed_and_failures_told() {
    let mut base = side("base", vec![case("both", exact(&[1.0; 4])), case("gone", exact(&[1.0; 4]))]);
    let new = side("new", vec![case("fresh", exact(&[1.0; 4])), case("both", exact(&[1.0; 4]))]);
    let cause = FailureKind::Exception { message: "boom".to_owned(), exception: None, place: None };
    let failure = Failure { cause, step: Step::Body, output: Vec::new() };
    base.failed.push(SavedFailure::new("broken", "broken", failure.clone()));
    let comparison = compare_saved(&base, &new, &defaults());
    assert_eq!(comparison.rows.iter().map(|r| r.key.as_str()).collect::<Vec<_>>(), ["both"]);
    assert_eq!((comparison.only_base, comparison.only_new), (vec!["gone".to_owned()], vec!["fresh".to_owned()]));
    assert_eq!((comparison.failed[0].key.as_str(), comparison.failed[0].side), ("broken", 0));
    // A failure on one side means that the benchmark exists there, so it is not unique to the other side.
    base.failed.push(SavedFailure::new("fresh", "fresh", failure));
    assert!(compare_saved(&base, &new, &defaults()).only_new.is_empty());
}

#[test]
fn sides_of_the_same_values_are_pointed_out() {
    let of = |ns: f64| with("side", "a", &[10.0, 10.1, 10.2, ns]);
    let same = compare_saved(&of(10.3), &of(10.3), &defaults());
    assert_eq!(evidence_of(&same, "same-data"), "both sides have the same 16 values: one is a copy of the other");
    assert!(!has(&compare_saved(&of(10.3), &of(10.4), &defaults()), "same-data"));
    // A rounding tool may well give the same value twice, or every time.
    for ns in [vec![vec![9.0]], vec![vec![9.0]; 8]] {
        let one = || side("one", vec![case("a", ns.clone())]);
        assert!(!has(&compare_saved(&one(), &one(), &defaults()), "same-data"));
    }
}

#[test]
fn one_kind_of_time_is_compared_where_it_is_asked_for() {
    let cpu = |ns: f64| SavedCase { quantity: "CPU time".into(), ..case("a", exact(&[ns; 4])) };
    let both = SavedCase { otherwise: Some(Box::new(cpu(5.0))), ..case("a", exact(&[10.0; 4])) };
    let held = side("held", vec![both, case("b", exact(&[10.0; 4]))]).in_time(SavedTime::Cpu);
    assert_eq!((held.cases[0].quantity.as_str(), held.cases[0].launches[0][0]), ("CPU time", 5.0));
    // A case without that time is not judged on the other one.
    assert_eq!((held.cases.len(), held.failed[0].key.as_str()), (1, "b"));
    assert!(held.has_time(SavedTime::Cpu) && !held.has_time(SavedTime::Wall));
}

#[test]
fn renames_join_what_changed_its_name() {
    let (base, new) = (with("base", "old name", &[10.0; 4]), with("new", "new name", &[10.1; 4]));
    let comparison = compare_saved(&base, &new, &defaults());
    assert!(comparison.rows.is_empty());
    assert_eq!(
        evidence_of(&comparison, "nothing-in-common"),
        "no benchmark has the same name on both sides: the base has `old name`, the new side has `new name`"
    );
    let renames = |to: &str| SavedOptions { renames: [("old name".to_owned(), to.to_owned())].into(), ..defaults() };
    let comparison = compare_saved(&base, &new, &renames("new name"));
    assert_eq!(
        (comparison.rows.len(), comparison.only_base.len(), has(&comparison, "nothing-in-common")),
        (1, 0, false)
    );
    let comparison = compare_saved(&base, &new, &renames("nonsense"));
    assert_eq!(evidence_of(&comparison, "rename-without-effect"), "`old name=nonsense`");
}

#[test]
fn another_unit_or_kind_of_time_has_no_ratio() {
    let base = with("base", "a", &[10.0; 4]);
    let mut new = with("new", "a", &[10.0; 4]);
    new.cases[0].unit = "word".to_owned();
    let comparison = compare_saved(&base, &new, &defaults());
    assert!(comparison.rows.is_empty());
    assert_eq!(evidence_of(&comparison, "not-compared"), "not compared, because the units differ: `a (op / word)`");
    new.cases[0].unit = "op".to_owned();
    new.cases[0].quantity = "CPU time".to_owned();
    assert!(has(&compare_saved(&base, &new, &defaults()), "not-compared"));
    new.cases[0].quantity = "wall time".to_owned();
    let mut base = base;
    (base.cases[0].operations, new.cases[0].operations) = (Some(1.0), Some(8.0));
    let comparison = compare_saved(&base, &new, &defaults());
    assert!(has(&comparison, "other-operations") && comparison.rows.len() == 1);
    let cost = |turn| {
        let interval = Interval { lower: 0.1, upper: 0.1 };
        let beside_body = Estimate { value: 0.1, interval, confidence: 0.95 };
        Some(LoopCost { turn, empty_ns: 0.1, beside_body, doubt_ns: 0.1 })
    };
    new.cases[0].operations = Some(1.0);
    (base.cases[0].loop_cost, new.cases[0].loop_cost) = (cost(1), cost(8));
    let said = evidence_of(&compare_saved(&base, &new, &defaults()), "other-operations");
    assert_eq!(said, "invocations per turn of the loop differ: `a`");
}

#[test]
fn what_differs_is_told_with_both_values() {
    let facts = |pairs: &[(&str, &str)]| pairs.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    let mut base = with("base", "a", &[10.0; 4]);
    let mut new = with("new", "a", &[10.0; 4]);
    base.machine = facts(&[
        (fact::CPU, "One"),
        (fact::GOVERNOR, "performance"),
        (fact::COMPILER, "gcc 12"),
        (fact::FLAGS, "-O2"),
        (fact::TOOL_VERSION, "1.7"),
        (fact::METHOD, "waves-1"),
        (fact::CLOCK, "reference, 4.000 GHz"),
        (fact::DATE, "1"),
    ]);
    new.machine = facts(&[
        (fact::CPU, "Two"),
        (fact::GOVERNOR, "powersave"),
        (fact::COMPILER, "gcc 13"),
        (fact::FLAGS, "-O2"),
        (fact::TOOL_VERSION, "1.8"),
        (fact::METHOD, "waves-2"),
        (fact::CLOCK, "reference, 3.800 GHz"),
        (fact::DATE, "2"),
    ]);
    let comparison = compare_saved(&base, &new, &defaults());
    assert_eq!(evidence_of(&comparison, "other-machine"), "cpu: `One` and `Two`");
    assert_eq!(evidence_of(&comparison, "other-system"), "governor: `performance` and `powersave`");
    assert_eq!(evidence_of(&comparison, "other-build"), "compiler: `gcc 12` and `gcc 13`");
    let of_tool = "tool version: `1.7` and `1.8`; method: `waves-1` and `waves-2`";
    assert_eq!(evidence_of(&comparison, "other-tool"), of_tool);
    assert_eq!(evidence_of(&comparison, "other-clock"), "clock: `reference, 4.000 GHz` and `reference, 3.800 GHz`");
    let of_machine = comparison.findings.iter().filter(|f| f.code == Code::OtherMachine);
    assert_eq!(of_machine.count(), 1, "both say which they are");
    let nothing_known = compare_saved(&with("base", "a", &[1.0; 4]), &with("new", "a", &[1.0; 4]), &defaults());
    assert_eq!(
        evidence_of(&nothing_known, "other-machine"),
        "base and new do not say which processor they were measured on"
    );
}

#[test]
fn same_needs_one_machine_one_method_and_one_clock() {
    let times = [100.0, 100.2, 99.8, 100.1];
    let runs = || (run_side("base", vec![case("a", exact(&times))]), run_side("new", vec![case("a", exact(&times))]));
    let word = |base: &Saved, new: &Saved| compare_saved(base, new, &defaults()).rows[0].verdict;
    let (base, new) = runs();
    assert_eq!(word(&base, &new), Verdict::Same);
    let margin = compare_saved(&base, &new, &defaults()).rows[0].certified_margin.expect("a margin");
    assert!((0.02..0.03).contains(&margin), "{margin}");
    for (name, value) in [(fact::CPU, "Other"), (fact::PROCESSORS, "64"), (fact::METHOD, "waves-0")] {
        let (base, mut new) = runs();
        new.machine.insert(name.to_owned(), value.to_owned());
        assert_eq!(word(&base, &new), Verdict::Unclear, "{name}");
    }
    let (base, mut new) = runs();
    new.cases[0].reference_cycle_ns = Some(0.26);
    assert_eq!(word(&base, &new), Verdict::Unclear);
    new.cases[0].reference_cycle_ns = None;
    assert_eq!(word(&base, &new), Verdict::Unclear);
}

#[test]
fn a_lower_threshold_says_what_it_takes_all_the_same() {
    let (base, new) = (with("base", "a", &[10.0; 4]), with("new", "a", &[10.0; 4]));
    let low = SavedOptions { threshold: 0.02, ..defaults() };
    let evidence = compare_saved(&base, &new, &low);
    assert!(evidence_of(&evidence, "failed-to-decide").contains("need a change of 12 % for a verdict, not 2 %"));
    let high = SavedOptions { threshold: 0.2, ..defaults() };
    assert!(!has(&compare_saved(&base, &new, &high), "failed-to-decide"));
}

#[test]
fn modes_and_allocations_stand_beside_the_word() {
    let mut rng = Rng::new(5);
    let one: Vec<f64> = (0..40).map(|_| 100.0 + rng.normal()).collect();
    let two: Vec<f64> = (0..40).map(|i| 100.0 + if i % 2 == 0 { 0.0 } else { 30.0 } + rng.normal()).collect();
    let base = side("base", vec![case("a", vec![one.clone()]), case("b", vec![one.clone()])]);
    let mut new = side("new", vec![case("a", vec![two]), case("b", vec![one.iter().map(|ns| ns * 1.0001).collect()])]);
    new.cases[1].allocated_bytes = Some(512.0);
    let mut base = base;
    base.cases[1].allocated_bytes = Some(128.0);
    let rows = compare_saved(&base, &new, &defaults()).rows;
    assert_eq!((rows[0].several_modes, rows[1].several_modes), (true, false));
    assert!(rows[1].remark.ends_with("; allocates 512 B per operation, the base 128 B"), "{}", rows[1].remark);
}

#[test]
fn revisions_make_the_command() {
    let (mut base, mut new) = (with("base", "a", &[10.0; 4]), with("new", "a", &[10.5; 4]));
    base.machine.insert(fact::REVISION.to_owned(), "0123456789abcdef".to_owned());
    new.machine.insert(fact::REVISION.to_owned(), "fedcba9876543210".to_owned());
    let row = &compare_saved(&base, &new, &defaults()).rows[0];
    let sides = Some(["0123456789ab", "fedcba987654"].map(str::to_owned));
    assert_eq!(row.decide_with, Some(Decide::Interleaved { sides, only: vec!["a".to_owned()] }));
}

#[test]
fn absurd_values_and_options_do_no_harm() {
    let absurd = [f64::NAN, f64::INFINITY, 0.0, -1.0, 1e308, 1e-308];
    let times: Vec<Vec<f64>> = absurd.iter().map(|&v| vec![v]).collect();
    let base = side("base", vec![case("a", times.clone()), case("b", Vec::new()), case("c", vec![vec![f64::NAN]])]);
    let new = side("new", vec![case("a", exact(&[1.0; 4])), case("b", times), case("c", exact(&[1.0; 4]))]);
    for value in absurd {
        let options = SavedOptions { threshold: value, noise_ns: value, ..defaults() };
        let comparison = compare_saved(&base, &new, &options);
        assert!(has(&comparison, "not-compared"));
        assert_eq!(comparison.rows.len(), 1);
    }
}
