//! Pictures of a run: what stands in them.

use crate::compared;
use crate::exporters::{shown, shown_of, small_run, text};
use tare_analysis::analyse;
use tare_model::{Parameter, Run};
use tare_report::{ComparisonSubject, Exporter};

/// The small run for two sizes, which do not fit on one axis.
fn of_two_sizes() -> Run {
    let mut run = small_run();
    let (plan, cases) = (run.plan.clone(), run.plan.cases.len() as u32);
    run.plan.cases.extend(plan.cases);
    run.plan.groups.extend(plan.groups);
    for group in run.plan.groups.iter_mut().skip(1) {
        group.cases.iter_mut().chain(&mut group.baseline).for_each(|case| *case += cases);
    }
    run.results.extend(run.results.clone());
    for (at, case) in run.plan.cases.iter_mut().enumerate() {
        let n = if at < cases as usize { "1" } else { "20" };
        case.benchmark.parameters = vec![Parameter::new("n", n)];
        case.key = format!("{}[n={n}]", case.key);
    }
    let more = run.launches.clone();
    run.launches.extend(more);
    for (id, launch) in run.launches.iter_mut().enumerate() {
        if launch.id as usize != id {
            (launch.id, launch.case, launch.group) = (id as u32, launch.case + cases, 1);
            let columns = launch.series.iter_mut().map(|series| &mut series.columns);
            columns.flat_map(|c| c.elapsed_ns.iter_mut().chain(&mut c.cpu_ns)).for_each(|ns| *ns *= 20.0);
        }
    }
    run.validate().expect("a whole run");
    run
}

#[test]
fn a_chart_of_one_case_is_called_as_the_case() {
    let run = of_two_sizes();
    let report = analyse(&run);
    let svg = text(Exporter::of_name("mean").expect("it is there"), &shown(&run, &report));
    for case in &report.cases {
        let title = format!(">{}</text>", case.selector());
        assert!(case.selector().ends_with(']') && svg.contains(&title), "{title}: {svg}");
    }
}

#[test]
fn times_of_saved_results_are_bars_too() {
    let comparison = compared::everything();
    let times = comparison.rows.iter().filter(|row| row.metric.is_none());
    let bars: usize = times.map(|row| usize::from(row.base_ns.is_some()) + usize::from(row.new_ns.is_some())).sum();
    let shown = shown_of(Box::new(ComparisonSubject::saved(comparison)));
    let svg = text(Exporter::of_name("bars").expect("it is there"), &shown);
    assert_eq!((svg.matches("class=\"box ").count(), svg.contains("nothing to draw")), (bars, false), "{svg}");
    assert!(bars > 4);
}
