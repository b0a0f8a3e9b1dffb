//! The feed of steps, in Atom (RFC 4287).

use super::{file_of, folder};
use crate::chart::svg::escape;
use crate::exporters::sha256_start;
use crate::history::{creep_text, step_text};
use tare_analysis::history::{History, Trend};

const ENTRIES_MAX: usize = 100;

struct Change {
    created: String,
    title: String,
    text: String,
    page: String,
    /// What it is: the same step keeps its id when runs are added.
    id: String,
}

/// The newest confirmed steps and the creeps of all machines.
pub(super) fn feed(histories: &[History]) -> String {
    // What a branch alone shows is in the pages of it.
    let whole = || histories.iter().filter(|history| history.branch.is_none() || histories.len() == 1);
    let changes = whole().flat_map(|history| history.trends.iter().flat_map(|trend| of_trend(history, trend)));
    let mut changes: Vec<Change> = changes.collect();
    changes.sort_by(|a, b| b.created.cmp(&a.created));
    changes.truncate(ENTRIES_MAX);
    let newest = whole().filter_map(|history| history.runs.last()).map(|run| run.created.as_str()).max();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<feed xmlns=\"http://www.w3.org/2005/Atom\">\n\
         <title>Benchmarks that changed</title>\n<id>urn:tare:feed</id>\n<updated>{}</updated>\n\
         <author><name>Tare</name></author>\n<link href=\"index.html\"/>\n",
        escape(newest.unwrap_or_default())
    );
    for change in changes {
        text.push_str(&format!(
            "<entry>\n<title>{}</title>\n<id>urn:tare:change:{}</id>\n<updated>{}</updated>\n<link href=\"{}\"/>\n\
             <summary>{}</summary>\n</entry>\n",
            escape(&change.title),
            change.id,
            escape(&change.created),
            escape(&change.page),
            escape(&change.text)
        ));
    }
    text + "</feed>\n"
}

fn of_trend(history: &History, trend: &Trend) -> Vec<Change> {
    let change = |at: usize, word: &str, text: String| {
        let run = history.runs.get(trend.points.get(at)?.run)?;
        let project = if history.project.is_empty() { String::new() } else { format!("{}\n", history.project) };
        let unique = format!("{project}{}\n{}\n{}\n{word}\n{}", history.machine.label(), trend.key, trend.job, run.run);
        Some(Change {
            created: run.created.clone(),
            title: format!("{}: {word}", trend.name),
            text,
            page: format!("{}/{}.html", folder(history), file_of(trend)),
            id: sha256_start(&unique) + &sha256_start(&format!("{unique}\n")),
        })
    };
    let steps = trend.steps.iter().filter(|step| step.confirmed && !step.accepted);
    let steps = steps.filter_map(|step| change(step.after, step.verdict.word(), step_text(history, trend, step)));
    let creep = trend
        .creep
        .iter()
        .filter(|creep| !creep.accepted)
        .filter_map(|creep| change(creep.first, "creep", creep_text(history, trend, creep)));
    steps.chain(creep).collect()
}
