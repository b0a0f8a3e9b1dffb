//! `core-shared`: others used the core, and the shown time or ratio includes that. Only the width of the core reveals it.

use super::own_threads::explain;
use super::{Code, Context, Finding, How, Means, Measured, Observation, Pairs, Search, Sentence, Severity, Unit};
use crate::core::CoreUse;
use crate::ratio::kept;
use crate::report::CoreReport;
use crate::saved::SavedCase;
use crate::visits::{AllWindows, CaseTimes, Quantity};

/// An invocation of at least this length is the likely reason for missing windows, ns.
const LONG_NS: f64 = 1e6;
/// Share of a time that sharing may add without a warning.
const CHEAP: f64 = 0.01;
/// Code counts as slower in shared windows from this factor on; below it the difference is noise.
const SLOWER_MIN: f64 = 1.005;

fn advice() -> Sentence {
    Sentence::new("run again, run for longer, or use another processor ({processor}, see {doctor})")
        .means("processor", Means::Processor)
        .means("doctor", Means::Doctor)
}

pub(super) const SEARCH: Search = Search::of_cases(of_case).and_of_saved(of_saved);

fn of_case(context: &Context, m: Measured) -> Option<Observation> {
    // Code that disturbs its own probe explains more than a neighbour who may not exist.
    let disturbs = m.times.all_windows_because == Some(AllWindows::SharesDiffer);
    let first = if disturbs { ratio(context, m) } else { None };
    first.or_else(|| shared_time(context, m)).or_else(|| ratio(context, m)).or_else(|| not_judged(context, m))
}

fn shared_time(context: &Context, measured: Measured) -> Option<Observation> {
    let core = measured.estimates.core.filter(CoreReport::is_shared_time)?;
    // Then `own-threads` or `own-processes` reports it, or the benchmark declares it: another processor would not help.
    if explain(measured.times, core.shared_share()) {
        return None;
    }
    let mut evidence = Sentence::new(match measured.estimates.quantity {
        Quantity::Wall => "others used the core {shared} of the time, and the time shown includes that",
        Quantity::Cpu => "others used the core {shared} of the time, and the CPU time shown includes that",
    })
    .number("shared", core.shared_share(), Unit::Share);
    // What a body waits for takes its own time, whoever uses the core: its visits show no cost of sharing.
    let slow_down = core.slow_down.filter(|_| measured.times.traits.computes);
    if let Some(slower) = slow_down.filter(|slower| *slower >= SLOWER_MIN) {
        let then = Sentence::new("; sharing makes this code take {slow-down} times as long");
        evidence = evidence.then(then.number("slow-down", slower, Unit::Times));
    }
    if let Some(why) = measured.times.all_windows_because {
        evidence = evidence.then(match why {
            AllWindows::OneSide => "; what it is compared with was rarely alone on the core".into(),
            AllWindows::FewWaves => "; too few waves have two launches of each case that were alone on the core".into(),
            AllWindows::SharesDiffer => "; cases that are compared kept different shares of their visits alone".into(),
        });
    }
    // Its own time is of all windows and the baseline's is not, so their ratio is a different one.
    let alike = measured.estimates.ratio.as_ref().is_none_or(|r| context.times[r.baseline as usize].core == core.times);
    if !alike {
        evidence = evidence.then("; the ratio uses all windows of both sides".into());
    }
    // If the cost is known to be small, a note is enough.
    let costs = slow_down.map(|slower| (slower - 1.0) * core.shared_share());
    let severity = if costs.is_some_and(|costs| costs < CHEAP) { Severity::Note } else { Severity::Warning };
    let weight = core.shared_share() * slow_down.unwrap_or(1.0);
    Some(Observation::new(severity, evidence, advice()).weighing(weight).again(How::Longer))
}

fn ratio(context: &Context, measured: Measured) -> Option<Observation> {
    let baseline = measured.estimates.ratio.as_ref()?.baseline;
    let group = context.group_of(measured.case, baseline)?;
    let base = &context.times[baseline as usize];
    let of_group = measured.times.all_windows_because;
    let why = of_group.or_else(|| context.pair(measured.case)?.all_windows)?;
    let uses =
        if of_group.is_some() { "the ratio and the times shown use all windows" } else { "the ratio uses all windows" };
    let kept = |times: &CaseTimes| kept(group, times).unwrap_or(0.0);
    let (evidence, advice) = match why {
        AllWindows::SharesDiffer => (
            Sentence::new(
                "{kept} of its visits were alone on the core, {kept-of-base} of the baseline's: the code itself disturbs the width \
                 probe, so ",
            )
            .then(uses.into())
            .number("kept", kept(measured.times), Unit::Share)
            .number("kept-of-base", kept(base), Unit::Share),
            "the ratio is valid but less certain: more waves narrow its interval".into(),
        ),
        AllWindows::FewWaves => (
            Sentence::new(uses)
                .then(": too few waves have two launches of each that were alone on the core".into()),
            advice(),
        ),
        AllWindows::OneSide => {
            let core = context.core.as_ref().filter(|core| core.is_shared())?;
            (
                Sentence::new(uses)
                    .then(": others used the core {shared} of the time, and too few windows of the baseline were alone".into())
                    .number("shared", core.shared_share(), Unit::Share),
                advice(),
            )
        }
    };
    Some(Observation::warning(evidence, advice).again(How::Longer))
}

/// The core was shared while other cases were measured; unknown for this one.
fn not_judged(context: &Context, measured: Measured) -> Option<Observation> {
    let core = context.core.as_ref().filter(|core| core.is_shared())?;
    let has_probe = context.child(measured.case)?.can("windows");
    // An unusable probe has another finding.
    let has_probe = has_probe && !context.has_unusable_probe(measured.case);
    if !has_probe || measured.times.core != CoreUse::NotJudged || measured.times.traits.idles {
        return None;
    }
    let invocation_ns = measured.estimates.wall_ns * measured.times.operations();
    let evidence = match invocation_ns {
        ns if ns >= LONG_NS => Sentence::new(
            "an invocation takes {invocation}, which is too long to detect sharing of the core",
        )
        .number("invocation", ns, Unit::Ns),
        _ => "sharing of the core could not be detected".into(),
    };
    let evidence = evidence.then(Sentence::new("; others used it {shared} of the time in the rest of the run")).number(
        "shared",
        core.shared_share(),
        Unit::Share,
    );
    let advice = "its time may include that: compare it only within one run";
    Some(Observation::note(evidence, advice).weighing(invocation_ns))
}

fn of_saved(found: &Pairs) -> Vec<Finding> {
    let is_shared = |pair: &&(&SavedCase, &SavedCase)| pair.0.is_shared() || pair.1.is_shared();
    let shared: Vec<_> = found.pairs.iter().filter(is_shared).collect();
    let is_given_up =
        |pair: &&(&SavedCase, &SavedCase)| found.all_windows.contains(pair.1.key.as_str()) && !is_shared(pair);
    let given_up: Vec<_> = found.pairs.iter().filter(is_given_up).collect();
    let names = |pairs: &[&(&SavedCase, &SavedCase)]| pairs.iter().map(|(_, new)| new.key.clone()).collect();
    let mut all = Vec::new();
    if !shared.is_empty() {
        let share = |case: &SavedCase| case.core.map_or(0.0, |core| core.shared_share());
        let evidence = Sentence::new(
            "others used the core up to {shared-of-base} of the time on the base and {shared-of-new} on the new side, so a verdict needs a larger change: {names}",
        )
        .number("shared-of-base", shared.iter().map(|(base, _)| share(base)).fold(0.0, f64::max), Unit::Share)
        .number("shared-of-new", shared.iter().map(|(_, new)| share(new)).fold(0.0, f64::max), Unit::Share)
        .names("names", names(&shared));
        let advice = "measure both sides again when no one else uses the core, or interleave them in one run";
        all.push(Finding::new(Code::CoreShared, Severity::Warning, evidence, advice));
    }
    if !given_up.is_empty() {
        let evidence = "all windows are compared, because one side has no times alone on the core: {names}";
        let evidence = Sentence::new(evidence).names("names", names(&given_up));
        let advice = "to compare times alone on the core, interleave both sides in one run";
        all.push(Finding::new(Code::CoreShared, Severity::Note, evidence, advice));
    }
    all
}

#[cfg(test)]
mod tests {
    use crate::findings::common::{codes, share, twelve_launches, RunBuilder};
    use crate::{Again, How};
    use crate::{Finding, Severity};

    /// A case whose core is shared in the first `in_ten` of ten visits, which then take 1.7 times as long.
    fn run(in_ten: usize, cases: &[&str]) -> RunBuilder {
        let mut builder = RunBuilder::new().with_windows();
        for name in cases {
            let case = builder.case("g", name, false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        }
        for launch in &mut builder.run.launches {
            share(launch, 1.7, |visit, _| visit % 10 < in_ten);
        }
        builder
    }

    fn findings(in_ten: usize, cases: &[&str]) -> Vec<Finding> {
        crate::analyse(&run(in_ten, cases).run()).findings
    }

    #[test]
    fn a_neighbour_who_leaves_enough_is_no_finding() {
        for in_ten in [0, 3, 7] {
            assert!(findings(in_ten, &["a"]).is_empty(), "{in_ten}: {:?}", findings(in_ten, &["a"]));
        }
    }

    #[test]
    fn a_neighbour_who_leaves_nothing_is_named_and_nobody_else_is_blamed() {
        let mut builder = run(10, &["a"]);
        for launch in &mut builder.run.launches {
            let longer = if launch.id % 3 == 0 { 1.3 } else { 1.0 };
            launch.series[0].columns.elapsed_ns.iter_mut().for_each(|ns| *ns *= longer);
            launch.series[0].columns.cpu_ns.iter_mut().for_each(|ns| *ns *= longer);
            launch.series[0].columns.window_ns.iter_mut().for_each(|ns| *ns *= longer);
        }
        let found = crate::analyse(&builder.run()).findings;
        assert_eq!(codes(&found), ["core-shared"], "two clusters of launches are the neighbour's: {found:?}");
        assert_eq!(
            found[0].evidence.to_string(),
            "others used the core 100 % of the time, and the time shown includes that"
        );
        assert_eq!(found[0].advice.again, Some(Again::only(How::Longer, ["g/a"])));
    }

    #[test]
    fn it_is_told_by_how_much_the_code_is_slower_where_that_is_known() {
        let mut builder = run(10, &["a"]);
        // Two of twelve launches were without the neighbour for half of the time.
        for launch in builder.run.launches.iter_mut().take(2) {
            let columns = &mut launch.series[0].columns;
            let (windows, readings) = (columns.windows() * 12, (columns.windows() + 1) * 12);
            columns.window_ns[..windows].iter_mut().for_each(|ns| *ns /= 1.7);
            columns.width_ns[..readings].iter_mut().for_each(|ns| *ns /= 2.0);
            columns.elapsed_ns[..12].iter_mut().for_each(|ns| *ns /= 1.7);
            columns.cpu_ns[..12].iter_mut().for_each(|ns| *ns /= 1.7);
        }
        let report = crate::analyse(&builder.run());
        let evidence = &report.findings[0].evidence;
        assert_eq!(
            evidence.to_string(),
            "others used the core 92 % of the time, and the time shown includes that; sharing makes this code take 1.70 times as long"
        );
        let crate::Outcome::Measured(estimates) = &report.cases[0].outcome else { panic!("measured") };
        let core = estimates.core.expect("judged");
        let (alone, shared) = (core.alone_ns.expect("known"), core.shared_ns.expect("known"));
        assert!((alone - 100.0).abs() < 1.0 && (shared - 170.0).abs() < 1.0, "{core:?}");
    }

    #[test]
    fn what_sharing_costs_little_is_a_note_and_a_body_that_waits_is_not_judged() {
        let shared = || {
            let mut builder = RunBuilder::new().with_windows();
            let case = builder.case("g", "a", false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            for launch in &mut builder.run.launches {
                let in_ten = if launch.id < 2 { 5 } else { 10 };
                share(launch, 1.002, |visit, _| visit % 10 < in_ten);
            }
            builder
        };
        let found = crate::analyse(&shared().run()).findings;
        assert_eq!((codes(&found), found[0].severity), (vec!["core-shared"], Severity::Note), "{found:?}");
        let mut waits = shared();
        waits.run.plan.cases[0].benchmark.waits = true;
        for launch in &mut waits.run.launches {
            launch.series[0].columns.cpu_ns.iter_mut().for_each(|ns| *ns *= 0.1);
        }
        let report = crate::analyse(&waits.run());
        assert!(codes(&report.findings).is_empty(), "{:?}", report.findings);
        let crate::Outcome::Measured(estimates) = &report.cases[0].outcome else { panic!("measured") };
        assert!(estimates.core.is_none(), "{:?}", estimates.core);
    }

    #[test]
    fn what_sharing_costs_a_body_that_waits_is_not_told() {
        let told = |waits: bool| {
            let mut builder = RunBuilder::new().with_windows();
            let case = builder.case("g", "a", false);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
            for launch in &mut builder.run.launches {
                let in_ten = if launch.id < 2 { 5 } else { 10 };
                share(launch, 1.7, |visit, _| visit % 10 < in_ten);
            }
            builder.run.plan.cases[case as usize].benchmark.waits = waits;
            let found = crate::analyse(&builder.run()).findings;
            assert_eq!(codes(&found), ["core-shared"], "{found:?}");
            found[0].evidence.to_string().contains("times as long")
        };
        assert_eq!([false, true].map(told), [true, false]);
    }

    #[test]
    fn many_cases_have_one_line() {
        let found = findings(10, &["a", "b", "c", "d", "e"]);
        assert_eq!(codes(&found), ["core-shared"]);
        assert_eq!(found[0].cases, [0, 1, 2, 3, 4]);
    }

    #[test]
    fn code_that_disturbs_its_own_probe_has_a_ratio_of_all_windows() {
        let mut builder = RunBuilder::new().with_windows();
        for (name, baseline) in [("a", true), ("b", false)] {
            let case = builder.case("g", name, baseline);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        }
        for launch in &mut builder.run.launches {
            let in_ten = if launch.case == 1 { 7 } else { 2 };
            // Its readings are wide without a neighbour: the time stays.
            share(launch, 1.0, |visit, _| visit % 10 < in_ten);
        }
        let report = crate::analyse(&builder.run());
        let found: Vec<&Finding> = report.findings.iter().filter(|f| f.code.name() == "core-shared").collect();
        let of_contestant = found.iter().find(|f| f.case == Some(1)).expect("told");
        assert_eq!(
            of_contestant.evidence.to_string(),
            "25 % of its visits were alone on the core, 75 % of the baseline's: the code itself disturbs the width probe, so the \
             ratio and the times shown use all windows"
        );
    }

    #[test]
    fn sides_that_were_never_alone_together_have_a_ratio_of_all_windows() {
        let mut builder = RunBuilder::new().with_windows();
        for (name, baseline) in [("a", true), ("b", false)] {
            let case = builder.case("g", name, baseline);
            twelve_launches(&mut builder, case, 100.0, |_, _, _| 0.0);
        }
        for launch in &mut builder.run.launches {
            // Half of the launches of each: all of one wave, and one of each other wave.
            let is_alone = launch.wave == launch.case || launch.id % 4 == 0;
            share(launch, 1.7, |_, _| !is_alone);
        }
        let report = crate::analyse(&builder.run());
        let crate::Outcome::Measured(estimates) = &report.cases[1].outcome else { panic!("measured") };
        assert!(estimates.ratio.is_some(), "{:?}", report.findings);
        let found: Vec<&Finding> = report.findings.iter().filter(|f| f.code.name() == "core-shared").collect();
        assert_eq!(found.iter().map(|f| f.case).collect::<Vec<_>>(), [Some(0), Some(1)], "{:?}", report.findings);
        let evidence = found[1].evidence.to_string();
        assert!(
            evidence.ends_with("too few waves have two launches of each case that were alone on the core"),
            "{evidence}"
        );
    }

    #[test]
    fn an_invocation_that_is_too_long_is_a_note_when_the_core_was_shared() {
        let long = |in_ten: usize| {
            let mut builder = run(in_ten, &["a"]);
            let case = builder.case("h", "long", false);
            twelve_launches(&mut builder, case, 4e6, |_, _, _| 0.0);
            crate::analyse(&builder.run()).findings
        };
        let found = long(5);
        assert_eq!(codes(&found), ["core-shared"]);
        assert_eq!((found[0].severity, found[0].case), (Severity::Note, Some(1)));
        assert!(found[0].evidence.to_string().starts_with("an invocation takes 4.0"), "{}", found[0].evidence);
        assert!(long(0).is_empty());
    }
}
