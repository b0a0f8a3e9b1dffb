//! The little of XML that is needed.

pub(super) use crate::chart::svg::escape;

pub(super) const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";

pub(super) fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", escape(text))
}
