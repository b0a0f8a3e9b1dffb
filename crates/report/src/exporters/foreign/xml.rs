//! The little of XML that is needed.

pub(super) use crate::chart::svg::escape;

/// The first line of a document.
pub(super) const HEAD: &str = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";

/// An element with text in it.
pub(super) fn element(name: &str, text: &str) -> String {
    format!("<{name}>{}</{name}>", escape(text))
}
