//! Cases are joined by fields: stem, job, settings.

use super::{case, exact, run_side, side};
use crate::comparison::compare_saved;
use crate::saved::{Saved, SavedCase, SavedOptions};

/// A side with these benchmarks under these jobs.
fn of_jobs(name: &str, cases: &[(&str, &str, f64)]) -> Saved {
    let of = |(stem, job, ns): &(&str, &str, f64)| SavedCase {
        job: (*job).to_owned(),
        distinction: format!("@{job}"),
        ..case(stem, exact(&[*ns, ns * 1.001, ns * 0.999, ns * 1.002]))
    };
    let mut side = side(name, cases.iter().map(of).collect());
    assert!(side.tell_apart().is_empty());
    side
}

fn pairs(base: &Saved, new: &Saved) -> (Vec<(String, f64)>, Vec<String>, Vec<String>) {
    let comparison = compare_saved(base, new, &SavedOptions::default());
    let rows = comparison.rows.iter().map(|row| (row.key.clone(), (10.0 * row.ratio).round() / 10.0)).collect();
    (rows, comparison.only_base, comparison.only_new)
}

#[test]
fn a_job_that_two_sides_share_is_compared_and_the_other_is_listed() {
    let one = of_jobs("one", &[("sum", "8", 40.0)]);
    let two = of_jobs("two", &[("sum", "8", 52.0), ("sum", "9", 30.0)]);
    assert_eq!(pairs(&one, &two), (vec![("sum@8".to_owned(), 1.3)], vec![], vec!["sum@9".to_owned()]));
    assert_eq!(pairs(&two, &one), (vec![("sum".to_owned(), 0.8)], vec!["sum@9".to_owned()], vec![]));
    // One job each: two runtimes are compared.
    let other = of_jobs("other", &[("sum", "9", 20.0)]);
    assert_eq!(pairs(&one, &other).0, [("sum".to_owned(), 0.5)]);
    // A benchmark under one job of a side does not match another job.
    let partly = of_jobs("partly", &[("sum", "8", 40.0), ("sum", "9", 40.0), ("pay", "9", 7.0)]);
    let pay = of_jobs("pay", &[("sum", "8", 40.0), ("pay", "8", 9.0)]);
    assert_eq!(
        pairs(&pay, &partly),
        (vec![("sum@8".to_owned(), 1.0)], vec!["pay@8".to_owned()], vec!["sum@9".to_owned(), "pay@9".to_owned()])
    );
}

#[test]
fn files_of_two_jobs_in_one_folder_are_not_pooled() {
    let parts = vec![of_jobs("a", &[("sum", "8", 40.0)]), of_jobs("b", &[("sum", "9", 30.0), ("pay", "9", 1.0)])];
    let merged = Saved::merge("folder", parts).expect("a side");
    let keys: Vec<&str> = merged.cases.iter().map(|case| case.key.as_str()).collect();
    assert_eq!(keys, ["sum@8", "sum@9", "pay"]);
    let chosen = merged.of_job("9").expect("a job");
    assert_eq!(chosen.cases.iter().map(|case| case.key.as_str()).collect::<Vec<_>>(), ["sum", "pay"]);
}

#[test]
fn equal_names_are_numbered_and_joined_by_their_number() {
    let numbered = |factor: f64| {
        let cases = [10.0, 90.0].map(|ns| case("read", exact(&[ns * factor, ns * factor * 1.001])));
        let mut side = side("x", cases.to_vec());
        assert_eq!(side.tell_apart(), ["read"]);
        side
    };
    let (rows, ..) = pairs(&numbered(1.0), &numbered(2.0));
    assert_eq!(rows, [("read".to_owned(), 2.0), ("read#2".to_owned(), 2.0)]);
    // A second call changes nothing.
    let mut again = numbered(1.0);
    assert!(again.tell_apart().is_empty());
    assert_eq!(again.cases[1].key, "read#2");
}

#[test]
fn a_run_and_a_file_of_another_tool_meet_by_the_name_of_the_code() {
    let of_run = |key: &str, stem: &str, code: &str| SavedCase {
        key: key.to_owned(),
        stem: stem.to_owned(),
        code_name: code.to_owned(),
        ..case(key, vec![vec![10.0, 11.0]])
    };
    let run = run_side("run", vec![of_run("Work/a title", "Work/a title", "My.Work.Same()"), of_run("W/b", "W/b", "")]);
    let file = side("file", vec![case("My.Work.Same()", vec![vec![10.0, 11.0]]), case("W/b", vec![vec![10.0, 11.0]])]);
    for (base, new) in [(&run, &file), (&file, &run)] {
        let comparison = compare_saved(base, new, &SavedOptions::default());
        assert_eq!((comparison.rows.len(), comparison.only_base.len(), comparison.only_new.len()), (2, 0, 0));
        assert!(comparison.findings.iter().all(|f| f.code.name() != "rename-without-effect"));
    }
    // What both allocate is one metric, whatever its tool calls it.
    let with = |mut side: Saved, quantity: &str| {
        let metric = SavedCase { quantity: quantity.to_owned(), ..case("", vec![vec![8.0], vec![8.0]]) };
        side.cases[0].metrics = vec![metric];
        side
    };
    let (run, file) = (with(run, "allocated_bytes B/op"), with(file, "B/op"));
    let comparison = compare_saved(&file, &run, &SavedOptions::default());
    assert_eq!(comparison.rows.iter().filter(|row| row.metric.is_some()).count(), 1);
    assert!(comparison.findings.iter().all(|f| f.code.name() != "not-compared"), "{:?}", comparison.findings);
    // With several jobs, the job is part of the identity.
    let jobs = |key: &str, job: &str| SavedCase {
        job: job.to_owned(),
        distinction: format!("@{job}"),
        ..of_run(&format!("{key}@{job}"), key, "My.Work.Same()")
    };
    let run = run_side("run", vec![jobs("Work/a title", "old"), jobs("Work/a title", "new")]);
    let file = side("file", vec![jobs("My.Work.Same()", "old"), jobs("My.Work.Same()", "new")]);
    let comparison = compare_saved(&file, &run, &SavedOptions::default());
    assert_eq!((comparison.rows.len(), comparison.only_base.len()), (2, 0), "{:?}", comparison.only_base);
}
