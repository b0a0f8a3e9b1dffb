//! Parses an SVG file into elements with attributes, and texts.

#[derive(Debug, Clone, PartialEq)]
pub enum Piece<'a> {
    Start { name: &'a str, attributes: Vec<(&'a str, String)>, closed: bool },
    End,
    Text(String),
}

pub fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('<') {
        if !before.trim().is_empty() {
            pieces.push(Piece::Text(unescaped(before)));
        }
        let Some((tag, after)) = after.split_once('>') else { break };
        rest = after;
        if tag.starts_with('/') {
            pieces.push(Piece::End);
        } else if !tag.starts_with(['?', '!']) {
            let (tag, closed) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
            let (name, attributes) = tag.split_once(char::is_whitespace).unwrap_or((tag, ""));
            pieces.push(Piece::Start { name, attributes: of_tag(attributes), closed });
        }
    }
    pieces
}

fn of_tag(text: &str) -> Vec<(&str, String)> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((name, after)) = rest.split_once("=\"") {
        let Some((value, after)) = after.split_once('"') else { break };
        found.push((name.trim(), unescaped(value)));
        rest = after;
    }
    found
}

fn unescaped(text: &str) -> String {
    // The ampersand is last, so that its result is not decoded again.
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .into_iter()
        .fold(text.to_owned(), |text, (from, to)| text.replace(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_attributes_and_texts() {
        let found = pieces("<a b=\"1 &lt; 2\" c=\"&amp;lt;\">x &amp; y<d/></a>\n<e");
        let attributes = vec![("b", "1 < 2".to_owned()), ("c", "&lt;".to_owned())];
        assert_eq!(
            found,
            [
                Piece::Start { name: "a", attributes, closed: false },
                Piece::Text("x & y".to_owned()),
                Piece::Start { name: "d", attributes: Vec::new(), closed: true },
                Piece::End
            ]
        );
    }
}
