//! A reader of XML tags for results: names, attributes and order. A truncated text has the tags before its end.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tag<'a> {
    pub name: &'a str,
    /// Text after the name.
    attributes: &'a str,
    pub opens: bool,
    pub closes: bool,
    behind: &'a str,
}

impl Tag<'_> {
    pub fn attribute(&self, wanted: &str) -> Option<String> {
        let mut rest = self.attributes;
        while let Some((name, behind)) = rest.split_once('=') {
            let behind = behind.trim_start();
            let quote = behind.chars().next().filter(|c| ['"', '\''].contains(c))?;
            let (value, next) = behind[1..].split_once(quote)?;
            if name.trim() == wanted {
                return Some(decoded(value));
            }
            rest = next;
        }
        None
    }

    /// The text after it, trimmed.
    pub fn text(&self) -> String {
        decoded(self.behind.trim())
    }

    pub fn number(&self, wanted: &str) -> Option<f64> {
        self.attribute(wanted)?.trim().parse().ok()
    }
}

/// The tags of a text in order, without comments, instructions and declarations.
pub(crate) fn tags(text: &str) -> impl Iterator<Item = Tag<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || loop {
        rest = &rest[rest.find('<')? + 1..];
        for (begin, end) in [("!--", "-->"), ("![CDATA[", "]]>")] {
            if rest.starts_with(begin) {
                rest = &rest[rest.find(end)? + end.len()..];
            }
        }
        let end = end_of_tag(rest)?;
        let inner = &rest[..end];
        if inner.starts_with(['?', '!']) || inner.contains('<') {
            continue;
        }
        rest = &rest[end + 1..];
        let (inner, is_end) = inner.strip_prefix('/').map_or((inner, false), |inner| (inner, true));
        let (inner, is_empty) = inner.strip_suffix('/').map_or((inner, false), |inner| (inner, true));
        let (name, attributes) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        let behind = &rest[..rest.find('<').unwrap_or(rest.len())];
        return Some(Tag { name, attributes, opens: !is_end, closes: is_end || is_empty, behind });
    })
}

/// The place of the bracket that ends a tag, ignoring those within quotes.
fn end_of_tag(text: &str) -> Option<usize> {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (quote, c) {
            (None, '>') => return Some(at),
            (None, '"' | '\'') => quote = Some(c),
            (Some(open), c) if c == open => quote = None,
            _ => {}
        }
    }
    None
}

/// Decodes character references.
fn decoded(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text);
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let entity = rest.find(';').filter(|end| *end < 12).map(|end| &rest[1..end]);
        match entity.and_then(character) {
            Some(c) => {
                out.push(c);
                rest = &rest[entity.map_or(0, str::len) + 2..];
            }
            None => {
                out.push('&');
                rest = &rest[1..];
            }
        }
    }
    out + rest
}

fn character(entity: &str) -> Option<char> {
    let number = |text: &str, base| u32::from_str_radix(text, base).ok().and_then(char::from_u32);
    match entity {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => match entity.strip_prefix('#')? {
            hex if hex.starts_with('x') => number(&hex[1..], 16),
            decimal => number(decimal, 10),
        },
    }
}
