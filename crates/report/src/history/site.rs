//! The documents of a site: the index of a machine, the page of a benchmark.

use super::document::{
    chart_of, creeps, creeps_of, facts, failures, headline, not_shown, steps, steps_of, title, title_of, Target,
};
use super::tables::{table, values, PageOfRun};
use crate::document::{Content, Document, Entry, List};
use crate::{clean, Glyphs, Medium, Volume};
use tare_analysis::history::{History, Trend};

/// A link from a page to another of the site.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Link {
    pub text: String,
    pub about: String,
    /// The address, from this page.
    pub page: String,
}

/// Leads to other pages.
fn links(heading: &str, links: &[Link]) -> Content {
    let entry = |link: &Link| Entry {
        about: clean(&link.text),
        text: clean(&link.about),
        page: Some(link.page.clone()),
        ..Entry::default()
    };
    List::whole(heading, links.iter().map(entry).collect())
}

impl Document {
    /// All benchmarks of a machine, each with its page.
    pub(crate) fn index_of_site(
        history: &History,
        page_of: &dyn Fn(&Trend) -> String,
        others: &[(&str, Vec<Link>)],
    ) -> Document {
        let mut document = Document::default();
        let medium = Medium::page(Volume::Verbose, Glyphs::Unicode);
        let target = |trend: &Trend| Some(Target::Page(page_of(trend)));
        document.add([headline(history, None), Content::Facts(vec![title(history)])]);
        document.add([creeps(history, &medium, Some(&target)), steps(history, &medium, Some(&target))]);
        document.add([failures(history, &medium)]);
        document.add([Content::Table(table(history, Glyphs::Unicode, Some(&target), true))]);
        let others = others.iter().filter(|(_, others)| !others.is_empty());
        document.add(others.map(|(heading, others)| links(heading, others)));
        document.add(not_shown(history).filter(|_| history.older > 0).take(1));
        document
    }

    /// A benchmark of a machine: its chart, its changes and its values.
    pub(crate) fn benchmark_of_site(history: &History, trend: &Trend, page_of_run: PageOfRun, up: &[Link]) -> Document {
        let mut document = Document::default();
        let medium = Medium::page(Volume::Verbose, Glyphs::Unicode);
        let name = match trend.job.as_str() {
            "" => clean(&trend.name),
            job => clean(&format!("{}@{job}", trend.name)),
        };
        let alone = std::slice::from_ref(trend);
        document.add([Content::Headline { verdict: None, text: name }, Content::Facts(vec![title_of(history, trend)])]);
        document.add([links("pages", up)]);
        document.add([chart_of(history, trend, true), Content::Sheet(facts(trend))]);
        document.add([creeps_of(history, alone, &medium, None), steps_of(history, alone, &medium, None)]);
        let (table, _) = values(history, trend, usize::MAX, Glyphs::Unicode, Some(page_of_run));
        document.add([Content::Table(table)]);
        document
    }
}
