//! A site of a history: a folder of pages to publish. Page names are as stable as benchmark names, so that links last.

use crate::documents::history::document::Link;
use crate::documents::history::{creep_text, step_text};
use crate::elements::chart::svg::escape;
use crate::elements::document::Document;
use crate::exporters::{html_of_site, sha256_start};
use crate::words::label::short;
use crate::words::number::{duration, ratio, significant};
use crate::words::text::{clean, width, Glyphs};
use tare_analysis::history::{Basis, History, HistoryRun, Trend};
use tare_analysis::Verdict;

const NAME_MAX: usize = 60;

pub struct Site<'a> {
    /// A history for each machine of each project, that of the newest run first, and one for each branch. All have runs.
    pub histories: &'a [History],
    /// Whether the site has this run's page: [`page_of_run`].
    pub has_run: &'a dyn Fn(&HistoryRun) -> bool,
}

impl Site<'_> {
    /// Passes each file to `write`: its path within the site, and its content.
    /// Err: the first error of `write`.
    pub fn files<E>(&self, write: &mut dyn FnMut(&str, &str) -> Result<(), E>) -> Result<(), E> {
        let Some(newest) = self.histories.first() else { return Ok(()) };
        write("index.html", &self.index(newest, &format!("{}/", folder(newest)), "", "feed.xml"))?;
        write("feed.xml", &feed(self.histories))?;
        write("badge.svg", &badge_of_history(newest))?;
        for history in self.histories {
            let (folder, root) = (folder(history), root(history));
            let index = self.index(history, "", &root, &format!("{root}feed.xml"));
            write(&format!("{folder}/index.html"), &index)?;
            for trend in &history.trends {
                let name = file_of(trend);
                write(&format!("{folder}/{name}.html"), &self.benchmark(history, trend))?;
                write(&format!("{folder}/{name}.svg"), &badge_of_benchmark(history, trend))?;
            }
        }
        Ok(())
    }

    /// The index of a machine; `here` is the path from it to its benchmarks' pages, `root` that to the start of the site.
    fn index(&self, history: &History, here: &str, root: &str, feed: &str) -> String {
        let link = |text: String, other: &History| Link {
            text,
            about: tare_model::text::plural(other.runs.len(), "run"),
            page: format!("{root}{}/index.html", folder(other)),
        };
        let all = || self.histories.iter();
        let is_whole = |other: &&History| other.branch.is_none();
        let mut projects: Vec<&History> =
            all().filter(is_whole).filter(|other| other.project != history.project).collect();
        // Keeps the first machine of each project, the one with the newest run.
        projects.sort_by(|a, b| a.project.cmp(&b.project));
        projects.dedup_by(|next, kept| next.project == kept.project);
        let of_project = || all().filter(|other| other.project == history.project);
        let machines = of_project().filter(is_whole).filter(|other| other.machine != history.machine);
        let branches = of_project().filter(|other| other.machine == history.machine && other.branch != history.branch);
        let of_branch = |other: &History| other.branch.clone().unwrap_or_else(|| "all branches".to_owned());
        let others = [
            ("branches", branches.map(|other| link(of_branch(other), other)).collect()),
            ("machines", machines.map(|other| link(other.machine.label(), other)).collect()),
            ("projects", projects.into_iter().map(|other| link(project_of(other), other)).collect()),
        ];
        let document = Document::index_of_site(history, &|trend| format!("{here}{}.html", file_of(trend)), &others);
        html_of_site(&document, &format!("Benchmarks {}", place_of(history)), feed)
    }

    fn benchmark(&self, history: &History, trend: &Trend) -> String {
        let root = root(history);
        let page_of_run = |run: &HistoryRun| (self.has_run)(run).then(|| format!("{root}{}", page_of_run(run)));
        let up = [
            Link { text: "all benchmarks".to_owned(), about: place_of(history), page: "index.html".to_owned() },
            Link {
                text: "badge".to_owned(),
                about: "a picture of the newest value, for a README".to_owned(),
                page: format!("{}.svg", file_of(trend)),
            },
        ];
        let document = Document::benchmark_of_site(history, trend, &page_of_run, &up);
        let title = format!("{} {}", clean(&trend.name), place_of(history));
        html_of_site(&document, &title, &format!("{root}feed.xml"))
    }
}

/// The path of a run's page. Run ids are hexadecimal digits, and unique within a project.
pub fn page_of_run(run: &HistoryRun) -> String {
    match run.project.as_str() {
        "" => format!("runs/{}.html", slug(&run.run)),
        project => format!("{}/runs/{}.html", named(project, project), slug(&run.run)),
    }
}

/// The folder of a machine, within its project's folder if the project has a name; for a branch, a folder within the machine's.
fn folder(history: &History) -> String {
    let project = Some(&history.project).filter(|project| !project.is_empty()).map(|project| named(project, project));
    let machine = named(&history.machine.label(), &history.machine.label());
    let branch = history.branch.as_ref().map(|branch| format!("branch-{}", named(branch, branch)));
    project.into_iter().chain([machine]).chain(branch).collect::<Vec<_>>().join("/")
}

fn root(history: &History) -> String {
    "../".repeat(folder(history).split('/').count())
}

/// `of parser, branch main, on AMD EPYC 7763`.
fn place_of(history: &History) -> String {
    let project = (!history.project.is_empty()).then(|| format!("of {}", history.project));
    let branch = history.branch.as_ref().map(|branch| format!("branch {branch}"));
    let machine = format!("on {}", history.machine.label());
    clean(&project.into_iter().chain(branch).chain([machine]).collect::<Vec<_>>().join(", "))
}

fn project_of(history: &History) -> String {
    if history.project.is_empty() {
        "without a name".to_owned()
    } else {
        history.project.clone()
    }
}

/// The name of a benchmark's page and badge, without extension.
fn file_of(trend: &Trend) -> String {
    named(&trend.name, &format!("{}\n{}", trend.key, trend.job))
}

/// A recognisable, unique file name.
fn named(name: &str, unique: &str) -> String {
    format!("{}-{}", slug(name), sha256_start(unique))
}

/// Lower-case letters and digits of a name, with `-` in place of other characters.
fn slug(name: &str) -> String {
    let mut slug = String::new();
    for letter in name.chars().take(NAME_MAX) {
        match letter.to_ascii_lowercase() {
            letter if letter.is_ascii_alphanumeric() => slug.push(letter),
            _ if slug.ends_with('-') || slug.is_empty() => {}
            _ => slug.push('-'),
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// Runs in which a step counts as recent, as for a gate.
const RECENT_RUNS: usize = tare_analysis::gate::RECENT_RUNS;
/// Width of a letter, and of the space beside a text, in px.
const LETTER: usize = 7;
const BESIDE: usize = 12;

fn badge_of_history(history: &History) -> String {
    let recent: Vec<Verdict> = history.trends.iter().filter_map(|trend| recent(history, trend)).collect();
    let count = |verdict| recent.iter().filter(|other| **other == verdict).count();
    let (slower, faster) = (count(Verdict::Slower), count(Verdict::Faster));
    match (slower, faster) {
        (0, 0) => badge("benchmarks", "no recent step", None),
        (0, faster) => badge("benchmarks", &format!("{faster} faster"), Some(Verdict::Faster)),
        (slower, 0) => badge("benchmarks", &format!("{slower} slower"), Some(Verdict::Slower)),
        (slower, faster) => badge("benchmarks", &format!("{slower} slower, {faster} faster"), Some(Verdict::Slower)),
    }
}

fn badge_of_benchmark(history: &History, trend: &Trend) -> String {
    let used = trend.points.iter().rev().filter(|point| point.left_out.is_none());
    let value = used.filter_map(|point| Some((trend.value(point)?, trend.interval(point)))).next();
    let text = match (value, &trend.basis) {
        (None, _) => "no value".to_owned(),
        (Some((value, _)), Basis::Time) => duration(value, Glyphs::Unicode),
        (Some((value, Some(interval))), Basis::Ratio { base }) => {
            format!("{} of {}", ratio(value, &interval), short(&clean(base)))
        }
        (Some((value, None)), Basis::Ratio { .. }) => format!("ratio {}", significant(value, 3)),
    };
    badge(&short(&clean(&trend.name)), &text, recent(history, trend))
}

fn recent(history: &History, trend: &Trend) -> Option<Verdict> {
    let step = trend.steps.iter().rev().find(|step| step.confirmed && !step.accepted);
    let step = step.filter(|step| history.runs_since(trend, step) <= RECENT_RUNS).map(|step| step.verdict);
    trend.creep.filter(|creep| !creep.accepted).map(|creep| creep.verdict).or(step)
}

fn badge(label: &str, text: &str, verdict: Option<Verdict>) -> String {
    let colour = match verdict {
        Some(Verdict::Slower) => "#b3261e",
        Some(Verdict::Faster) => "#1b7f3b",
        _ => "#4b5563",
    };
    let room = |text: &str| width(text) * LETTER + BESIDE;
    let (left, right) = (room(label), room(text));
    let all = left + right;
    let (label, text) = (escape(label), escape(text));
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{all}\" height=\"20\" role=\"img\" aria-label=\"{label}: {text}\">\n\
         <title>{label}: {text}</title>\n\
         <rect width=\"{left}\" height=\"20\" fill=\"#24292f\"/><rect x=\"{left}\" width=\"{right}\" height=\"20\" fill=\"{colour}\"/>\n\
         <g fill=\"#ffffff\" font-family=\"Verdana,DejaVu Sans,sans-serif\" font-size=\"11\" text-anchor=\"middle\">\n\
         <text x=\"{}\" y=\"14\">{label}</text><text x=\"{}\" y=\"14\">{text}</text>\n</g>\n</svg>\n",
        left / 2,
        left + right / 2
    )
}

const ENTRIES_MAX: usize = 100;

struct Change {
    created: String,
    title: String,
    text: String,
    page: String,
    /// Its identity: a step keeps its id when runs are added.
    id: String,
}

fn feed(histories: &[History]) -> String {
    // Changes within a branch are only on its own pages.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_safe_and_different() {
        assert_eq!(slug("parse/json[n=10]"), "parse-json-n-10");
        assert_eq!(slug("../../etc/passwd"), "etc-passwd");
        assert_eq!(slug("größe"), "gr-e");
        assert_eq!(named("a/b", "a/b").len(), "a-b-".len() + 8);
        assert_ne!(named("a/b", "a/b"), named("a-b", "a-b"));
        assert!(!named("\u{202e}/", "x").contains('/'));
    }
}
