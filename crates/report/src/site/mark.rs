//! What a page was made of: a page that was made of the same values need not be made again.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use tare_analysis::history::{History, HistoryRun, Trend};
use tare_stats::interval::Interval;

/// Counts the forms of a page: where what is said of a value changes, all pages are made again.
const FORM: u32 = 1;

/// A line of the head of a page about a benchmark. It depends on all that is said there, and on nothing else: a run without
/// this benchmark changes nothing.
pub(super) fn of_benchmark(history: &History, trend: &Trend, has_page: &dyn Fn(&HistoryRun) -> bool) -> String {
    // Without a key: the same values give the same number.
    let mut hash = DefaultHasher::new();
    (FORM, env!("CARGO_PKG_VERSION"), &history.project, &history.branch, history.machine.label()).hash(&mut hash);
    (&trend.key, &trend.name, &trend.job, &trend.earlier, trend.renamed_at).hash(&mut hash);
    (&history.compare_url, &history.commit_url).hash(&mut hash);
    // They are few, and are all there is of them.
    let found = (&trend.basis, &trend.steps, &trend.levels, &trend.creep, &trend.accepted);
    let mut text = String::new();
    let _ = write!(text, "{found:?}");
    text.hash(&mut hash);
    let number = |number: Option<f64>| number.map(f64::to_bits);
    let ends = |interval: Option<Interval>| interval.map(|ends| (ends.lower.to_bits(), ends.upper.to_bits()));
    for point in &trend.points {
        (number(point.time_ns), ends(point.time_interval), number(point.ratio), ends(point.ratio_interval))
            .hash(&mut hash);
        (&point.base, &point.compiler, point.left_out.map(|why| why as u8)).hash(&mut hash);
        if let Some(run) = history.runs.get(point.run) {
            (&run.run, &run.created, &run.revision, &run.branch, run.dirty, has_page(run)).hash(&mut hash);
        }
        history.names_of(point.run).for_each(|name| name.hash(&mut hash));
    }
    for step in &trend.steps {
        let run = |at: usize| trend.points.get(at).map(|point| point.run);
        let of = |one: &&tare_analysis::history::CommitsBetween| {
            (Some(one.before), Some(one.after)) == (run(step.before), run(step.after))
        };
        if let Some(between) = history.commits.iter().find(of) {
            between.count.hash(&mut hash);
            between.newest.iter().for_each(|commit| (&commit.revision, &commit.title).hash(&mut hash));
        }
    }
    format!("<meta name=\"tare-of\" content=\"{:016x}\">\n", hash.finish())
}
