//! The search of the site: a page with a script and the texts of all pages, so that it also works from a disk. No other page has a script:
//! their search field is a form that leads here.

use super::output;
use super::page::{relative, Page};
use serde_json::{json, Value};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The page, and what it loads.
pub const PAGE: &str = "search.html";
pub const TEXTS: &str = "search-texts.js";
pub const SCRIPT: &str = "search.js";
/// The script that searches and shows results.
pub const SCRIPT_TEXT: &str = include_str!("search.js");

/// A part of a page: a heading and the text up to the next one.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Part {
    /// Anchor of the heading; empty: the beginning of the page.
    pub place: String,
    /// The heading.
    pub title: String,
    /// The text below it.
    pub text: String,
}

/// The search field in the head of each page.
pub fn field(from: &Path) -> String {
    let action = relative(from, Path::new(PAGE));
    format!(
        "<form role=\"search\" action=\"{action}\"><input type=\"search\" name=\"q\" placeholder=\"Search\" \
         aria-label=\"Search\"></form>"
    )
}

/// The texts of all pages as a script, since a page on a disk may load scripts but not data.
pub fn texts(pages: &BTreeMap<PathBuf, Page>) -> String {
    let of = |(path, page): (&PathBuf, &Page)| -> Value {
        let parts: Vec<Value> =
            page.parts().into_iter().map(|part| json!([part.place, part.title, part.text])).collect();
        json!([page.title(), output(path).to_string_lossy().replace('\\', "/"), parts])
    };
    let all: Vec<Value> = pages.iter().map(of).collect();
    // `</script>` in a text is harmless in a separate file.
    format!("const pages = {};\n", Value::Array(all))
}

/// The search page.
pub fn page() -> String {
    let field = field(Path::new(PAGE));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>Search - Tare</title>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<link rel=\"stylesheet\" href=\"site.css\">\n\
         </head>\n<body class=\"alone\">\n<header><a href=\"index.html\">Tare</a>{field}</header>\n<main>\n<h1>Search</h1>\n\
         <noscript><p>The search needs JavaScript. <a href=\"docs/index.html\">All pages</a> are listed.</p></noscript>\n\
         <p id=\"said\" role=\"status\"></p>\n<ol id=\"found\"></ol>\n</main>\n\
         <script src=\"{TEXTS}\"></script>\n<script src=\"{SCRIPT}\"></script>\n</body>\n</html>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_searched_by_its_parts() {
        let page = Page::parse("# Title\n\nFirst *words*.\n\n## The `part`\n\n```console\n$ tare run\n```\n\n| a | b |\n|---|---|\n| c | d |\n");
        let parts = page.parts();
        let shown: Vec<_> =
            parts.iter().map(|part| (part.place.as_str(), part.title.as_str(), part.text.as_str())).collect();
        assert_eq!(shown, [("title", "Title", "First words."), ("the-part", "The part", "$ tare run a b c d")]);
        let pages = BTreeMap::from([(PathBuf::from("docs/a.md"), page)]);
        let script = texts(&pages);
        assert!(
            script.starts_with("const pages = [[\"Title\",\"docs/a.html\",[[\"title\",\"Title\",\"First words.\"]"),
            "{script}"
        );
        assert!(field(Path::new("docs/guides/a.html")).contains("action=\"../../search.html\""));
    }

    #[test]
    fn the_script_finds_all_words_and_shows_titles_first() {
        let has_node =
            std::process::Command::new("node").arg("--version").output().is_ok_and(|done| done.status.success());
        if !has_node {
            return eprintln!("skipped: the search of the site: node is not installed");
        }
        let pages = "const pages = [['Noise', 'n.html', [['noise', 'Noise', 'other work on the core'], ['more', 'More', 'a shared Core costs <time>']]],\
                     ['The core', 'c.html', [['the-core', 'The core', 'as others say']]]];\n";
        let check = "console.log(JSON.stringify(['core', 'CORE shared', 'core absent', ' ', 'sha'].map((words) => \
                     find(pages, words).map((hit) => hit.href))));\n\
                     console.log(marked('a shared Core costs <time>', ['core']));\n";
        let done = std::process::Command::new("node")
            .args(["-e", &format!("{pages}{SCRIPT_TEXT}{check}")])
            .output()
            .expect("node");
        let out = String::from_utf8_lossy(&done.stdout).into_owned();
        let wanted =
            "[[\"c.html#the-core\",\"n.html#noise\",\"n.html#more\"],[\"n.html#more\"],[],[],[\"n.html#more\"]]\n\
                      a shared <mark>Core</mark> costs &lt;time&gt;\n";
        assert_eq!(out, wanted, "{}", String::from_utf8_lossy(&done.stderr));
    }
}
