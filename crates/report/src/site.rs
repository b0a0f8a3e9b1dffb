//! A site of a history: a folder of pages to publish as it is. Values in, files out; the names of pages stay the same as long as those of
//! benchmarks do, so that links to them last.

mod badge;
mod feed;

use crate::exporters::{html_of_site, sha256_start};
use crate::history::site::Link;
use crate::{clean, Document};
use tare_analysis::history::{History, Trend};

/// Letters of a name in the name of a file.
const NAME_MAX: usize = 60;

/// What a site is made of.
pub struct Site<'a> {
    /// A history for each machine, that of the newest run first; each has runs.
    pub machines: &'a [History],
    /// Whether the site has a page of this run: `runs/ID.html`.
    pub has_run: &'a dyn Fn(&str) -> bool,
}

impl Site<'_> {
    /// Gives each file to `write`: its path within the site, and its content.
    ///
    /// # Errors
    /// The first that `write` gives.
    pub fn files<E>(&self, write: &mut dyn FnMut(&str, &str) -> Result<(), E>) -> Result<(), E> {
        let Some(newest) = self.machines.first() else { return Ok(()) };
        write("index.html", &self.index(newest, &format!("{}/", folder(newest)), "", "feed.xml"))?;
        write("feed.xml", &feed::feed(self.machines))?;
        write("badge.svg", &badge::of_history(newest))?;
        for history in self.machines {
            let folder = folder(history);
            write(&format!("{folder}/index.html"), &self.index(history, "", "../", "../feed.xml"))?;
            for trend in &history.trends {
                let name = file_of(trend);
                write(&format!("{folder}/{name}.html"), &self.benchmark(history, trend))?;
                write(&format!("{folder}/{name}.svg"), &badge::of_benchmark(history, trend))?;
            }
        }
        Ok(())
    }

    /// The index of a machine; `here` leads from it to the pages of its benchmarks, `root` to the start of the site.
    fn index(&self, history: &History, here: &str, root: &str, feed: &str) -> String {
        let others = self.machines.iter().filter(|other| other.machine != history.machine);
        let link = |other: &History| Link {
            text: other.machine.label(),
            about: tare_text::plural(other.runs.len(), "run"),
            page: format!("{root}{}/index.html", folder(other)),
        };
        let others: Vec<Link> = others.map(link).collect();
        let document = Document::index_of_site(history, &|trend| format!("{here}{}.html", file_of(trend)), &others);
        html_of_site(&document, &format!("Benchmarks on {}", clean(&history.machine.label())), feed)
    }

    fn benchmark(&self, history: &History, trend: &Trend) -> String {
        let page_of_run = |run: &str| (self.has_run)(run).then(|| format!("../{}", page_of_run(run)));
        let up = [
            Link {
                text: "all benchmarks".to_owned(),
                about: format!("on {}", history.machine.label()),
                page: "index.html".to_owned(),
            },
            Link {
                text: "badge".to_owned(),
                about: "a picture of the newest value, for a README".to_owned(),
                page: format!("{}.svg", file_of(trend)),
            },
        ];
        let document = Document::benchmark_of_site(history, trend, &page_of_run, &up);
        html_of_site(
            &document,
            &format!("{} on {}", clean(&trend.name), clean(&history.machine.label())),
            "../feed.xml",
        )
    }
}

/// The page of a run, from the start of the site. Ids of runs are hexadecimal digits.
pub fn page_of_run(run: &str) -> String {
    format!("runs/{}.html", slug(run))
}

/// The folder of a machine.
fn folder(history: &History) -> String {
    named(&history.machine.label(), &history.machine.label())
}

/// The page and the badge of a benchmark, without the extension.
fn file_of(trend: &Trend) -> String {
    named(&trend.name, &format!("{}\n{}", trend.key, trend.job))
}

/// A name of a file that people recognise, and that only this has.
fn named(name: &str, unique: &str) -> String {
    format!("{}-{}", slug(name), sha256_start(unique))
}

/// Small letters and digits of a name, with `-` for what is between them.
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
