//! HTML: a self-contained page that is complete without scripts and runs only its own.

use super::{exporter, Exporter, Needs, NoResult, Render};
use crate::elements::chart::svg::{escape, page_colours, CHART_CSS};
use crate::elements::document::{Content, Document, Part};
use crate::words::text::Role;
use hmac_sha256::Hash;

mod content;
mod table;

pub(super) const HTML: Exporter = exporter(
    ["html", ".html", "a page with charts, to open in a browser"],
    Needs::Nothing,
    Render::Text(|shown| html(&shown.page(), &shown.subject.title())),
    render_failure,
);

const PAGE_CSS: &str = include_str!("page.css");
const PAGE_JS: &str = include_str!("page.js");

pub fn html(document: &Document, title: &str) -> String {
    page_of(document, title, "")
}

/// The same as a page of a site; `feed` is the address of its feed.
pub(crate) fn html_of_site(document: &Document, title: &str, feed: &str) -> String {
    let feed = format!("<link rel=\"alternate\" type=\"application/atom+xml\" href=\"{}\">\n", escape(feed));
    page_of(document, title, &feed)
}

fn page_of(document: &Document, title: &str, head: &str) -> String {
    let mut body = String::new();
    let is_head = |part: &Part| part.contents.iter().any(|content| matches!(content, Content::Headline { .. }));
    let (first, rest): (Vec<&Part>, Vec<&Part>) = document.parts.iter().partition(|part| is_head(part));
    let (cases, rest): (Vec<&Part>, Vec<&Part>) = rest.into_iter().partition(|part| part.anchor.is_some());
    let (folded, open): (Vec<&Part>, Vec<&Part>) = rest.into_iter().partition(|part| part.folded.is_some());
    body.push_str("<header>\n");
    first.iter().for_each(|part| content::part(part, &mut body));
    body.push_str("</header>\n<main id=\"results\">\n");
    open.iter().for_each(|part| content::part(part, &mut body));
    if !cases.is_empty() {
        body.push_str("<section class=\"details\" id=\"details\">\n<h2>Details</h2>\n");
        cases.iter().for_each(|part| content::part(part, &mut body));
        body.push_str("</section>\n");
    }
    folded.iter().for_each(|part| content::part(part, &mut body));
    body.push_str("</main>\n");
    let tables = document.parts.iter().flat_map(|part| &part.contents).filter_map(|content| match content {
        Content::Table(found) => Some(table::style(found)),
        _ => None,
    });
    page(title, head, &body, &tables.collect::<String>())
}

/// `head`: further head elements; `more`: styles that depend on the content.
fn page(title: &str, head: &str, body: &str, more: &str) -> String {
    let style = format!("{}{CHART_CSS}{PAGE_CSS}{more}", page_colours());
    let policy = format!(
        "default-src 'none'; img-src data:; style-src 'sha256-{}'; script-src 'sha256-{}'; base-uri 'none'; form-action 'none'",
        sha256_base64(style.as_bytes()),
        sha256_base64(PAGE_JS.as_bytes())
    );
    let title = escape(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<meta name=\"color-scheme\" content=\"light dark\">\n\
         <link rel=\"icon\" href=\"data:,\">\n{head}<title>{title}</title>\n<style>{style}</style>\n</head>\n<body>\n\
         <a class=\"skip\" href=\"#results\">Skip to the results</a>\n{body}\
         <footer><p>made by <b>Tare</b>; this page loads nothing and sends nothing</p></footer>\n<script>{PAGE_JS}</script>\n</body>\n</html>\n"
    )
}

fn render_failure(failure: &NoResult) -> String {
    let body = format!(
        "<header>\n<h1 class=\"verdict\"><b class=\"r-error\">ERROR</b> nothing was measured</h1>\n</header>\n\
         <main id=\"results\">\n<section>\n<pre>{}</pre>\n</section>\n</main>\n",
        content::lines(&failure.text)
    );
    page("Tare: nothing was measured", "", &body, "")
}

fn role(role: Role) -> Option<&'static str> {
    match role {
        Role::Plain | Role::Heading => None,
        Role::Value => Some("r-value"),
        Role::Quiet => Some("r-quiet"),
        Role::Good => Some("r-faster"),
        Role::Bad => Some("r-slower"),
        Role::Warning => Some("r-unclear"),
        Role::Error => Some("r-error"),
        Role::Hint | Role::Command => Some("r-command"),
    }
}

pub(super) fn sha256_base64(bytes: &[u8]) -> String {
    base64(&Hash::hash(bytes))
}

/// The first 8 hexadecimal digits of the hash of a text.
pub(crate) fn sha256_start(text: &str) -> String {
    Hash::hash(text.as_bytes()).iter().take(4).map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = three.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for at in 0..4 {
            let digit = DIGITS[(word >> (18 - 6 * at)) as usize & 63];
            text.push(if at <= three.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_what_the_page_holds() {
        let text = page("<b>", "", "", ".x{}");
        let between = |from: &str, to: &str| {
            let rest = text.split_once(from).expect(from).1;
            rest.split_once(to).expect(to).0
        };
        let style = sha256_base64(between("<style>", "</style>").as_bytes());
        let script = sha256_base64(between("<script>", "</script>").as_bytes());
        assert!(text.contains(&format!("style-src 'sha256-{style}'; script-src 'sha256-{script}'")));
        assert!(text.contains("<title>&lt;b&gt;</title>"));
        // These would end the elements or load something.
        for part in [PAGE_JS, PAGE_CSS, CHART_CSS] {
            assert!(!part.contains("</") && !part.contains("http") && !part.contains("url("));
        }
    }

    /// The test vectors of FIPS 180-4, and of RFC 4648 for base64.
    #[test]
    fn known_hashes() {
        assert_eq!(sha256_base64(b""), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
        assert_eq!(sha256_base64(b"abc"), "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(sha256_base64(long), "JI1qYdIGOLjlwCaTDD5gOaM85Flk/yFn9uzt1BnbBsE=");
        let texts = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }
}
