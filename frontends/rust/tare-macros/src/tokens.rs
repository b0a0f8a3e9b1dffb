//! Helpers for tokens: quoting, errors at a span, splitting at commas.

use std::iter::once;

use proc_macro::{Delimiter, Group, Ident, Literal, Punct, Spacing, Span, TokenStream, TokenTree};

/// Code in which `#name` stands for a value: `quote!({ let #name = #value; }, name, value = entry.tokens())`.
///
/// Variables are hygienic: user code spliced into it neither sees nor shadows them.
macro_rules! quote {
    ({ $($code:tt)* } $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::tokens::fill(
            $crate::tokens::code(stringify!($($code)*)),
            &[$((stringify!($name), $crate::tokens::quote!(@ $name $(= $value)?))),*],
        )
    };
    (@ $name:ident) => { $crate::tokens::Tokens::tokens(&$name) };
    (@ $name:ident = $value:expr) => { $crate::tokens::Tokens::tokens(&$value) };
}
/// The same, with errors reported at the first of the tokens `at`.
macro_rules! quote_at {
    ($at:expr, { $($code:tt)* } $(, $name:ident $(= $value:expr)?)* $(,)?) => {
        $crate::tokens::fill(
            $crate::tokens::respan($crate::tokens::code(stringify!($($code)*)), $crate::tokens::place(&$at)),
            &[$((stringify!($name), $crate::tokens::quote!(@ $name $(= $value)?))),*],
        )
    };
}
pub(crate) use {quote, quote_at};

/// A value that can replace a `#name`.
pub(crate) trait Tokens {
    fn tokens(&self) -> TokenStream;
}

impl Tokens for TokenStream {
    fn tokens(&self) -> TokenStream {
        self.clone()
    }
}
impl Tokens for TokenTree {
    fn tokens(&self) -> TokenStream {
        self.clone().into()
    }
}
impl Tokens for Ident {
    fn tokens(&self) -> TokenStream {
        TokenTree::Ident(self.clone()).into()
    }
}
impl Tokens for str {
    fn tokens(&self) -> TokenStream {
        TokenTree::Literal(Literal::string(self)).into()
    }
}
impl Tokens for String {
    fn tokens(&self) -> TokenStream {
        self[..].tokens()
    }
}
impl Tokens for bool {
    fn tokens(&self) -> TokenStream {
        code(if *self { "true" } else { "false" })
    }
}
impl Tokens for usize {
    fn tokens(&self) -> TokenStream {
        TokenTree::Literal(Literal::usize_unsuffixed(*self)).into()
    }
}
impl<T: Tokens> Tokens for [T] {
    fn tokens(&self) -> TokenStream {
        self.iter().flat_map(T::tokens).collect()
    }
}
impl<T: Tokens> Tokens for Vec<T> {
    fn tokens(&self) -> TokenStream {
        self[..].tokens()
    }
}
impl<T: Tokens + ?Sized> Tokens for &T {
    fn tokens(&self) -> TokenStream {
        (**self).tokens()
    }
}
impl<T: Tokens> Tokens for Option<T> {
    fn tokens(&self) -> TokenStream {
        self.as_ref().map(T::tokens).unwrap_or_default()
    }
}

/// Code that is known to be well formed.
pub(crate) fn code(text: &str) -> TokenStream {
    put(text.parse().expect("the macro's own code is well formed"), Span::mixed_site())
}

/// The place of the first of these tokens.
pub(crate) fn place(tokens: &impl Tokens) -> Span {
    tokens.tokens().into_iter().next().map_or_else(Span::call_site, |tree| tree.span())
}

/// The same tokens at another span; names keep the hygiene of the macro's own code.
pub(crate) fn respan(tokens: TokenStream, span: Span) -> TokenStream {
    put(tokens, span.resolved_at(Span::mixed_site()))
}

/// The same tokens with exactly this span, for `line!()`, which gives the line of the outermost macro.
pub(crate) fn put(tokens: TokenStream, span: Span) -> TokenStream {
    change(tokens, &mut |mut tree| {
        tree.set_span(span);
        tree
    })
}

/// Maps each token, including those in groups.
pub(crate) fn change(tokens: TokenStream, each: &mut dyn FnMut(TokenTree) -> TokenTree) -> TokenStream {
    let mut one = |tree: TokenTree| {
        let tree = match tree {
            TokenTree::Group(group) => regroup(&group, change(group.stream(), each)),
            tree => tree,
        };
        each(tree)
    };
    tokens.into_iter().map(&mut one).collect()
}

/// A group with other content.
pub(crate) fn regroup(group: &Group, content: TokenStream) -> TokenTree {
    let mut other = Group::new(group.delimiter(), content);
    other.set_span(group.span());
    TokenTree::Group(other)
}

/// All tokens, with the content of each group after it.
pub(crate) fn flat(tokens: TokenStream) -> Vec<TokenTree> {
    let inner = |tree: &TokenTree| match tree {
        TokenTree::Group(group) => flat(group.stream()),
        _ => Vec::new(),
    };
    tokens.into_iter().flat_map(|tree| once(tree.clone()).chain(inner(&tree))).collect()
}

/// The code with `#name` replaced by the value of the name.
pub(crate) fn fill(code: TokenStream, values: &[(&str, TokenStream)]) -> TokenStream {
    let mut out = TokenStream::new();
    let mut trees = code.into_iter().peekable();
    while let Some(tree) = trees.next() {
        let value = match (is_punct(Some(&tree), '#'), trees.peek()) {
            (true, Some(TokenTree::Ident(name))) => {
                let name = name.to_string();
                values.iter().find(|(known, _)| *known == name)
            }
            _ => None,
        };
        match (value, tree) {
            (Some((_, value)), _) => {
                trees.next();
                out.extend(value.clone());
            }
            (None, TokenTree::Group(group)) => out.extend(once(regroup(&group, fill(group.stream(), values)))),
            (None, tree) => out.extend(once(tree)),
        }
    }
    out
}

/// A mistake in the user's code, and its place.
pub(crate) struct Mistake {
    span: Span,
    text: String,
}

pub(crate) type Result<T> = std::result::Result<T, Mistake>;

pub(crate) fn mistake<T>(span: Span, text: impl Into<String>) -> Result<T> {
    Err(Mistake { span, text: text.into() })
}

impl Mistake {
    /// The item with an error at the place of the mistake.
    pub(crate) fn after(self, mut item: TokenStream) -> TokenStream {
        item.extend(put(
            quote!(
                {
                    ::core::compile_error! { #text }
                },
                text = self.text
            ),
            self.span,
        ));
        item
    }
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

/// The items of `[A, B]`, if there is nothing else.
pub(crate) fn list(trees: &[TokenTree], kind: Commas) -> Option<Vec<Vec<TokenTree>>> {
    as_group(trees.first(), Delimiter::Bracket).filter(|_| trees.len() == 1).map(|list| split(list.stream(), kind))
}

/// Tracks the depth of `<` and `>` in a type; `->` and `=>` are not brackets.
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

/// What the commas separate: types, where those within `<` and `>` don't count, or expressions, where `<` is "less than".
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Commas {
    OfTypes,
    OfExpressions,
}

pub(crate) fn split(tokens: TokenStream, kind: Commas) -> Vec<Vec<TokenTree>> {
    let mut parts = Vec::new();
    let mut part = Vec::new();
    let mut angles = Angles::default();
    for tree in tokens {
        let depth = if kind == Commas::OfTypes { angles.step(&tree) } else { 0 };
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

/// Tokens with conventional spacing: `HashMap<u64, &'static str>`.
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
                text.push_str(&format!("{open}{}{close}", pretty(group.stream())));
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
    ident.to_string().trim_start_matches("r#").to_owned()
}
