//! A page of the site: Markdown to HTML, with anchors at headings, and links that stay within the site.

use super::search::{self, Part};
use super::{output, target_of};
use pulldown_cmark::{html, CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A page.
#[derive(Debug)]
pub struct Page {
    events: Vec<Event<'static>>,
    places: BTreeSet<String>,
    title: String,
}

/// A section of the contents.
#[derive(Debug)]
pub struct Section {
    /// Its heading.
    pub title: String,
    /// Its pages.
    pub entries: Vec<Entry>,
}

/// A page in the contents.
#[derive(Debug)]
pub struct Entry {
    /// Its path in the repository.
    pub path: PathBuf,
    /// Its title.
    pub title: String,
}

impl Page {
    /// Parses a page from Markdown.
    pub fn parse(text: &str) -> Page {
        let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
        let mut events: Vec<Event<'static>> = Parser::new_ext(text, options).map(Event::into_static).collect();
        let mut page = Page { events: Vec::new(), places: BTreeSet::new(), title: String::new() };
        for at in 0..events.len() {
            let Event::Start(Tag::Heading { level, .. }) = &events[at] else { continue };
            let (level, words) = (*level, text_of(&events[at..], |end| matches!(end, TagEnd::Heading(_))));
            let place = page.new_place(&words);
            if let Event::Start(Tag::Heading { id, .. }) = &mut events[at] {
                *id = Some(CowStr::from(place));
            }
            if level == HeadingLevel::H1 && page.title.is_empty() {
                page.title = words;
            }
        }
        page.events = events;
        page
    }

    /// The anchor of a heading as on GitHub; duplicates get a number.
    fn new_place(&mut self, words: &str) -> String {
        let kept = |c: char| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        };
        let stem: String = words.to_lowercase().chars().filter_map(kept).collect();
        let numbers = std::iter::once(stem.clone()).chain((1..).map(|n| format!("{stem}-{n}")));
        let free = numbers.take(1000).find(|place| !self.places.contains(place)).unwrap_or(stem);
        self.places.insert(free.clone());
        free
    }

    /// Whether it has a heading with this anchor.
    pub fn has_place(&self, place: &str) -> bool {
        self.places.contains(place)
    }

    /// Its title.
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Its parts, for the search; text before the first heading belongs to the first part.
    pub fn parts(&self) -> Vec<Part> {
        let mut parts = vec![Part::default()];
        let mut in_heading = false;
        for event in &self.events {
            let part = parts.len() - 1;
            match event {
                Event::Start(Tag::Heading { id, .. }) => {
                    let place = id.as_ref().map(ToString::to_string).unwrap_or_default();
                    parts.push(Part { place, ..Part::default() });
                    in_heading = true;
                }
                Event::End(TagEnd::Heading(_)) => in_heading = false,
                Event::Text(words) | Event::Code(words) if in_heading => parts[part].title.push_str(words),
                Event::Text(words) | Event::Code(words) => parts[part].text.push_str(words),
                Event::SoftBreak | Event::HardBreak => parts[part].text.push(' '),
                Event::End(TagEnd::Paragraph | TagEnd::Item | TagEnd::TableCell | TagEnd::CodeBlock) => {
                    parts[part].text.push(' ');
                }
                _ => {}
            }
        }
        for part in &mut parts {
            part.text = part.text.split_whitespace().collect::<Vec<_>>().join(" ");
        }
        parts.retain(|part| !part.title.is_empty() || !part.text.is_empty());
        parts
    }

    /// Targets of its links and pictures, as written.
    pub fn links(&self) -> impl Iterator<Item = &str> {
        self.events.iter().filter_map(|event| match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.as_ref()),
            _ => None,
        })
    }

    /// Its second-level headings, each with the pages that its section links to.
    pub fn sections(&self, path: &Path) -> Vec<Section> {
        let mut sections: Vec<Section> = Vec::new();
        for (at, event) in self.events.iter().enumerate() {
            match event {
                Event::Start(Tag::Heading { level: HeadingLevel::H2, .. }) => {
                    let title = text_of(&self.events[at..], |end| matches!(end, TagEnd::Heading(_)));
                    sections.push(Section { title, entries: Vec::new() });
                }
                Event::Start(Tag::Link { dest_url, .. }) => {
                    let title = text_of(&self.events[at..], |end| matches!(end, TagEnd::Link));
                    let target = target_of(path, dest_url).map(|(target, _)| target);
                    if let (Some(section), Some(target)) = (sections.last_mut(), target) {
                        let is_page = target.extension().is_some_and(|ending| ending == "md");
                        let path = if is_page { target } else { target.join("README.md") };
                        section.entries.push(Entry { path, title: capital(&title) });
                    }
                }
                _ => {}
            }
        }
        sections
    }

    /// The page as HTML. `known`: whether a path of the repository is a page of the site.
    pub fn html(
        &self,
        path: &Path,
        sections: &[Section],
        [before, after]: [Option<&Entry>; 2],
        known: &dyn Fn(&Path) -> bool,
    ) -> String {
        let own = output(path);
        let to = |target: &Path| relative(&own, &output(target));
        let led = self.events.iter().cloned().map(|event| match event {
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let dest_url = CowStr::from(within(path, &dest_url, known));
                Event::Start(Tag::Link { link_type, dest_url, title, id })
            }
            other => other,
        });
        let mut body = String::new();
        html::push_html(&mut body, led);
        // Scrollable tables must be reachable by keyboard.
        let body =
            body.replace("<table>", "<div class=\"wide\" tabindex=\"0\"><table>").replace("</table>", "</table></div>");
        let body = body.replace("<pre>", "<pre tabindex=\"0\">");
        let mut contents = String::new();
        for section in sections {
            contents.push_str(&format!("<h2>{}</h2>\n<ul>\n", escaped(&section.title)));
            for entry in &section.entries {
                let here = if entry.path == path { " aria-current=\"page\"" } else { "" };
                let (href, title) = (to(&entry.path), escaped(&entry.title));
                contents.push_str(&format!("<li><a href=\"{href}\"{here}>{title}</a></li>\n"));
            }
            contents.push_str("</ul>\n");
        }
        let turn = |entry: Option<&Entry>, word: &str| {
            entry.map_or_else(String::new, |entry| {
                format!("<a rel=\"{word}\" href=\"{}\">{}</a>", to(&entry.path), escaped(&entry.title))
            })
        };
        let start = to(Path::new(super::START));
        let title = match self.title.as_str() {
            "" | "Tare" => "Tare".to_owned(),
            title => format!("{} - Tare", escaped(title)),
        };
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>{title}</title>\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"stylesheet\" href=\"{style}\">\n\
             </head>\n<body>\n<header><a href=\"{start}\">Tare</a>{field}<a class=\"to\" href=\"#contents\">Contents</a></header>\n<details class=\"contents\" id=\"contents\" open>\n\
             <summary>Contents</summary>\n<nav aria-label=\"Contents\">\n{contents}</nav>\n</details>\n<main>\n{body}\
             <footer>{before}{after}</footer>\n</main>\n</body>\n</html>\n",
            field = search::field(&own),
            style = relative(&own, Path::new("site.css")),
            before = turn(before, "prev"),
            after = turn(after, "next"),
        )
    }
}

/// A link of a page, rewritten for the site.
fn within(page: &Path, link: &str, known: &dyn Fn(&Path) -> bool) -> String {
    let Some((target, place)) = target_of(page, link) else { return link.to_owned() };
    let folder = target.join("README.md");
    let place = place.map(|place| format!("#{place}")).unwrap_or_default();
    if target == page && link.starts_with('#') {
        return place;
    }
    let target = if known(&target) {
        output(&target)
    } else if known(&folder) {
        output(&folder)
    } else {
        target
    };
    format!("{}{place}", relative(&output(page), &target))
}

/// The relative path from one file of the site to another.
pub(super) fn relative(from: &Path, to: &Path) -> String {
    let (from, to): (Vec<_>, Vec<_>) =
        (from.parent().unwrap_or(Path::new("")).components().collect(), to.components().collect());
    let common = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
    let up = std::iter::repeat_n("..".to_owned(), from.len() - common);
    let down = to[common..].iter().map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
}

/// The text up to the end of the element that the first event starts.
fn text_of(events: &[Event], is_end: impl Fn(&TagEnd) -> bool) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::End(end) if is_end(end) => break,
            Event::Text(words) | Event::Code(words) => text.push_str(words),
            _ => {}
        }
    }
    text
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str =
        "# The `title`\n\n## One & two\n\n| | |\n|---|---|\n| [a guide](guides/a.md) | x |\n\n## One & two\n\n\
                        [here](#one--two), [there](https://example.org), ![p](images/p.svg) <b>\n";

    #[test]
    fn headings_are_places_as_on_github() {
        let page = Page::parse(TEXT);
        assert_eq!(page.title, "The title");
        assert!(page.has_place("one--two") && page.has_place("one--two-1") && page.has_place("the-title"));
        assert_eq!(
            page.links().collect::<Vec<_>>(),
            ["guides/a.md", "#one--two", "https://example.org", "images/p.svg"]
        );
        let sections = page.sections(Path::new("docs/README.md"));
        assert_eq!((sections[0].title.as_str(), sections[0].entries[0].title.as_str()), ("One & two", "A guide"));
        assert_eq!(sections[0].entries[0].path, Path::new("docs/guides/a.md"));
    }

    #[test]
    fn links_lead_within_the_site() {
        let page = Page::parse(TEXT);
        let path = Path::new("docs/README.md");
        let html = page.html(path, &page.sections(path), [None, None], &|target| target.ends_with("a.md"));
        for part in [
            "<h2 id=\"one--two\">One &amp; two</h2>",
            "<a href=\"guides/a.html\">a guide</a>",
            "<a href=\"#one--two\">here</a>",
            "<img src=\"images/p.svg\"",
            "<title>The title - Tare</title>",
            "href=\"../site.css\"",
            "<form role=\"search\" action=\"../search.html\">",
            "</form><a class=\"to\" href=\"#contents\">Contents</a></header>",
        ] {
            assert!(html.contains(part), "{part}\n{html}");
        }
        assert_eq!(relative(Path::new("a/b/c.html"), Path::new("a/d.html")), "../d.html");
    }
}
