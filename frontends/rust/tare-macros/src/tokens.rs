//! Working with tokens: errors at a place, splitting at commas, templates.

use std::iter::once;
use std::str::FromStr;

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// A mistake of the user, and where it is.
pub(crate) struct Mistake {
    span: Span,
    text: String,
}

pub(crate) type Result<T> = std::result::Result<T, Mistake>;

/// A mistake at `span`.
pub(crate) fn mistake<T>(span: Span, text: impl Into<String>) -> Result<T> {
    Err(Mistake { span, text: text.into() })
}

impl Mistake {
    /// `::core::compile_error! { "..." }`, all of it at the place of the mistake.
    pub(crate) fn into_tokens(self) -> TokenStream {
        let mut literal = Literal::string(&self.text);
        literal.set_span(self.span);
        let text = TokenStream::from(TokenTree::Literal(literal));
        let call = respan(code("::core::compile_error!"), self.span);
        let mut group = Group::new(Delimiter::Brace, text);
        group.set_span(self.span);
        call.into_iter().chain(once(TokenTree::Group(group))).collect()
    }
}

/// Whether code names something that works through its address: a lock, or an atomic number.
pub(crate) fn names_place(trees: &[TokenTree]) -> bool {
    trees.iter().enumerate().any(|(at, tree)| match tree {
        TokenTree::Group(group) => names_place(&group.stream().into_iter().collect::<Vec<_>>()),
        // What the user calls the function says nothing.
        TokenTree::Ident(_) if at > 0 && is_ident(trees.get(at - 1), "fn") => false,
        TokenTree::Ident(name) => is_of_place(&name.to_string()),
        _ => false,
    })
}

/// Types that begin with `Atomic`, and what atomic numbers and locks are called by.
fn is_of_place(name: &str) -> bool {
    let of_atomic = |what: &str| ["add", "sub", "and", "or", "xor", "nand", "max", "min", "update"].contains(&what);
    name.starts_with("Atomic")
        || name.strip_prefix("fetch_").is_some_and(of_atomic)
        || ["compare_exchange", "compare_exchange_weak", "Mutex", "RwLock", "lock", "try_lock"].contains(&name)
}

/// Code that is known to be well formed. Its variables are its own: the user's code, in the middle of it, neither sees them nor hides
/// them, whatever the user's functions are called.
pub(crate) fn code(text: &str) -> TokenStream {
    put(TokenStream::from_str(text).expect("the macro's own code is well formed"), Span::mixed_site())
}

/// A string literal.
pub(crate) fn string(text: &str) -> TokenStream {
    TokenTree::Literal(Literal::string(text)).into()
}

/// The same tokens at another place; names mean what they mean in the macro's own code.
pub(crate) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    put(tokens, span.resolved_at(Span::mixed_site()))
}

/// The same tokens with this very span: for `line!()`, which gives the line of the outermost macro.
pub(crate) fn put(tokens: TokenStream, span: Span) -> TokenStream {
    let at = |tree: TokenTree| match tree {
        TokenTree::Group(group) => {
            let mut moved = Group::new(group.delimiter(), put(group.stream(), span));
            moved.set_span(span);
            TokenTree::Group(moved)
        }
        mut tree => {
            tree.set_span(span);
            tree
        }
    };
    tokens.into_iter().map(at).collect()
}

/// `text` as code in which each identifier that is a key is replaced by its tokens.
pub(crate) fn template(text: &str, values: &[(&str, TokenStream)]) -> TokenStream {
    fill(code(text), values)
}

/// A template whose errors are shown at the place of `at`.
pub(crate) fn template_at(at: &TokenStream, text: &str, values: &[(&str, TokenStream)]) -> TokenStream {
    let span = at.clone().into_iter().next().map_or_else(Span::call_site, |tree| tree.span());
    fill(respan(code(text), span), values)
}

fn fill(tokens: TokenStream, values: &[(&str, TokenStream)]) -> TokenStream {
    let mut out = TokenStream::new();
    for tree in tokens {
        match tree {
            TokenTree::Group(group) => {
                let mut filled = Group::new(group.delimiter(), fill(group.stream(), values));
                filled.set_span(group.span());
                out.extend(once(TokenTree::Group(filled)));
            }
            TokenTree::Ident(ident) => {
                let name = ident.to_string();
                match values.iter().find(|(key, _)| *key == name) {
                    Some((_, tokens)) => out.extend(tokens.clone()),
                    None => out.extend(once(TokenTree::Ident(ident))),
                }
            }
            tree => out.extend(once(tree)),
        }
    }
    out
}

/// Tokens in a group, so that they stay together.
pub(crate) fn grouped(delimiter: Delimiter, tokens: TokenStream) -> TokenStream {
    TokenTree::Group(Group::new(delimiter, tokens)).into()
}

pub(crate) fn is_punct(tree: Option<&TokenTree>, wanted: char) -> bool {
    matches!(tree, Some(TokenTree::Punct(punct)) if punct.as_char() == wanted)
}

pub(crate) fn is_ident(tree: Option<&TokenTree>, wanted: &str) -> bool {
    matches!(tree, Some(TokenTree::Ident(ident)) if ident.to_string() == wanted)
}

pub(crate) fn as_group(tree: Option<&TokenTree>, delimiter: Delimiter) -> Option<&Group> {
    match tree {
        Some(TokenTree::Group(group)) if group.delimiter() == delimiter => Some(group),
        _ => None,
    }
}

/// Follows `<` and `>` through a type; `->` and `=>` are not brackets.
#[derive(Default)]
pub(crate) struct Angles {
    depth: usize,
    arrow: bool,
}

impl Angles {
    /// The depth after this token.
    pub(crate) fn step(&mut self, tree: &TokenTree) -> usize {
        let punct = match tree {
            TokenTree::Punct(punct) => Some(punct),
            _ => None,
        };
        match punct.map(Punct::as_char) {
            Some('<') => self.depth += 1,
            Some('>') if !self.arrow => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
        self.arrow =
            punct.is_some_and(|punct| matches!(punct.as_char(), '-' | '=') && punct.spacing() == Spacing::Joint);
        self.depth
    }
}

/// Splits at the commas. In types those between `<` and `>` do not count; in expressions `<` is "less than".
pub(crate) fn split(tokens: TokenStream, types: bool) -> Vec<Vec<TokenTree>> {
    let mut parts = Vec::new();
    let mut part = Vec::new();
    let mut angles = Angles::default();
    for tree in tokens {
        let depth = if types { angles.step(&tree) } else { 0 };
        if depth == 0 && is_punct(Some(&tree), ',') {
            parts.push(std::mem::take(&mut part));
        } else {
            part.push(tree);
        }
    }
    if !part.is_empty() {
        parts.push(part);
    }
    parts
}

/// Tokens as people write them: `HashMap<u64, &'static str>`.
pub(crate) fn pretty(tokens: TokenStream) -> String {
    let mut text = String::new();
    let mut after_word = false;
    for tree in tokens {
        let word = matches!(tree, TokenTree::Ident(_) | TokenTree::Literal(_));
        if word && after_word {
            text.push(' ');
        }
        after_word = word;
        match tree {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                text.push_str(&pretty(group.stream()));
                text.push_str(close);
            }
            TokenTree::Punct(punct) => {
                text.push(punct.as_char());
                if matches!(punct.as_char(), ',' | ';') {
                    text.push(' ');
                }
            }
            tree => text.push_str(&tree.to_string()),
        }
    }
    text
}

/// The name without the `r#` of a raw identifier.
pub(crate) fn plain(ident: &Ident) -> String {
    let name = ident.to_string();
    name.strip_prefix("r#").map_or(name.clone(), str::to_owned)
}

/// The text of a string literal without escapes other than the common ones.
pub(crate) fn text_of(literal: &Literal) -> Option<String> {
    let source = literal.to_string();
    if let Some(raw) = source.strip_prefix('r') {
        let inner = raw.trim_matches('#');
        return inner.strip_prefix('"')?.strip_suffix('"').map(str::to_owned);
    }
    let inner = source.strip_prefix('"')?.strip_suffix('"')?;
    let mut text = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => match chars.next()? {
                'n' => text.push('\n'),
                't' => text.push('\t'),
                c => text.push(c),
            },
            c => text.push(c),
        }
    }
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_works_through_its_address_is_a_place() {
        for name in ["AtomicU64", "fetch_add", "fetch_update", "compare_exchange_weak", "lock", "Mutex"] {
            assert!(is_of_place(name), "{name}");
        }
        for name in ["fetch_url", "fetch_", "fetch_address", "compare_exchanges", "locked", "block"] {
            assert!(!is_of_place(name), "{name}");
        }
    }
}
