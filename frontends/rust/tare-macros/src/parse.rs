//! Parses what is needed of the annotated item: the names and types in a signature, and the items of an `impl`.

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::tokens::{as_group, code, is_ident, is_punct, mistake, plain, split, Angles, Commas, Result, Tokens};

/// Attributes only get items that the compiler has parsed.
const PARSED: &str = "the item has the form of a function or an `impl`";

pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) span: Span,
    pub(crate) kind: Vec<TokenTree>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Receiver {
    None,
    Reference,
    /// `&mut self`.
    Changing,
    Value,
}

/// A generic type or constant; lifetimes are left out.
pub(crate) struct Generic {
    pub(crate) name: Ident,
    /// The type, if it is a constant.
    pub(crate) constant: Option<Vec<TokenTree>>,
}

/// The part of a function before its braces.
pub(crate) struct Signature {
    pub(crate) name: Ident,
    pub(crate) is_async: bool,
    pub(crate) generics: Vec<Generic>,
    pub(crate) receiver: Receiver,
    pub(crate) arguments: Vec<Argument>,
    /// Empty for none.
    pub(crate) returns: Vec<TokenTree>,
}

/// An attribute in front of an item: `#[path(options)]`.
pub(crate) struct Attribute {
    pound: TokenTree,
    group: Group,
}

impl Tokens for Attribute {
    fn tokens(&self) -> TokenStream {
        [self.pound.clone(), TokenTree::Group(self.group.clone())].into_iter().collect()
    }
}

impl Attribute {
    /// The last segment of its path, and the tokens in the parentheses after it.
    pub(crate) fn name(&self) -> Option<(Ident, TokenStream)> {
        let mut last = None;
        for tree in self.group.stream() {
            match tree {
                TokenTree::Ident(ident) => last = Some((ident, TokenStream::new())),
                TokenTree::Punct(punct) if punct.as_char() == ':' => {}
                TokenTree::Group(group) => return last.map(|(ident, _)| (ident, group.stream())),
                _ => return last,
            }
        }
        last
    }

    pub(crate) fn is(&self, wanted: &str) -> bool {
        self.name().is_some_and(|(name, _)| name.to_string() == wanted)
    }

    /// The literal of a doc comment, unless it is empty.
    pub(crate) fn doc(&self) -> Option<TokenStream> {
        let trees: Vec<TokenTree> = self.group.stream().into_iter().collect();
        let literal = trees.get(2).filter(|_| is_ident(trees.first(), "doc"))?.to_string();
        let (start, end) = (literal.find('"')? + 1, literal.rfind('"')?);
        // `/** ... */` may begin with a line break.
        let text = literal.get(start..end)?.trim().trim_start_matches("\\n").trim();
        (!text.is_empty()).then(|| code(&format!("{}{text}{}", &literal[..start], &literal[end..])))
    }
}

/// Splits the attributes off the beginning of `trees`.
pub(crate) fn attributes(trees: &mut &[TokenTree]) -> Vec<Attribute> {
    let mut all = Vec::new();
    while is_punct(trees.first(), '#') {
        let Some(group) = as_group(trees.get(1), Delimiter::Bracket) else { break };
        all.push(Attribute { pound: trees[0].clone(), group: group.clone() });
        *trees = &trees[2..];
    }
    all
}

/// The first line of the documentation, as a literal.
pub(crate) fn description(attributes: &[Attribute]) -> TokenStream {
    attributes.iter().find_map(Attribute::doc).unwrap_or_else(|| "".tokens())
}

/// Whether this is a type other than `()` and `!`.
pub(crate) fn is_result(returns: &[TokenTree]) -> bool {
    let unit = as_group(returns.first(), Delimiter::Parenthesis).is_some_and(|unit| unit.stream().is_empty());
    !(returns.is_empty() || (unit && returns.len() == 1) || is_punct(returns.first(), '!'))
}

/// The generic parameters after `<`, and the number of token trees including both brackets.
fn generics(trees: &[TokenTree]) -> (Vec<Generic>, usize) {
    if !is_punct(trees.first(), '<') {
        return (Vec::new(), 0);
    }
    let mut angles = Angles::default();
    let end = trees.iter().position(|tree| angles.step(tree) == 0).expect(PARSED);
    let mut all = Vec::new();
    for part in split(trees[1..end].tokens(), Commas::OfTypes) {
        let mut part = part.as_slice();
        attributes(&mut part);
        if is_punct(part.first(), '\'') {
            continue;
        }
        let constant = is_ident(part.first(), "const");
        let (name, rest) = match part.get(usize::from(constant)) {
            Some(TokenTree::Ident(name)) => (name.clone(), &part[usize::from(constant) + 1..]),
            _ => continue,
        };
        let constant = constant.then(|| {
            let end = rest.iter().position(|tree| is_punct(Some(tree), '=')).unwrap_or(rest.len());
            rest[1.min(end)..end].to_vec()
        });
        all.push(Generic { name, constant });
    }
    (all, end + 1)
}

fn argument(mut part: &[TokenTree], receiver: &mut Receiver) -> Option<Argument> {
    attributes(&mut part);
    let colon = part.iter().position(|tree| is_punct(Some(tree), ':'));
    let (pattern, kind) = match colon {
        Some(at) => (&part[..at], &part[at + 1..]),
        None => (part, &[][..]),
    };
    if is_ident(pattern.last(), "self") {
        let reference = is_punct(pattern.first(), '&') || is_punct(kind.first(), '&');
        let is_changed = pattern.iter().chain(kind).any(|tree| is_ident(Some(tree), "mut"));
        *receiver = match (reference, is_changed) {
            (true, true) => Receiver::Changing,
            (true, false) => Receiver::Reference,
            (false, _) => Receiver::Value,
        };
        return None;
    }
    let (name, span) = match pattern {
        [TokenTree::Ident(name)] => (plain(name), name.span()),
        [TokenTree::Ident(word), TokenTree::Ident(name)] if word.to_string() == "mut" => (plain(name), name.span()),
        // A pattern has no name of its own: `(a, b): (u32, u32)`.
        _ => ("args".to_owned(), pattern.first().map_or_else(Span::call_site, TokenTree::span)),
    };
    Some(Argument { name, span, kind: kind.to_vec() })
}

/// The signature of the function whose `fn` is at `at`.
pub(crate) fn signature(trees: &[TokenTree], at: usize) -> Signature {
    let is_async = trees[..at].iter().any(|tree| is_ident(Some(tree), "async"));
    let [TokenTree::Ident(name), rest @ ..] = &trees[at + 1..] else { panic!("{PARSED}") };
    let (generics, length) = generics(rest);
    let list = as_group(rest.get(length), Delimiter::Parenthesis).expect(PARSED);
    let mut receiver = Receiver::None;
    let parts = split(list.stream(), Commas::OfTypes);
    let arguments = parts.iter().filter_map(|part| argument(part, &mut receiver)).collect();
    let ends = |tree: &TokenTree| is_ident(Some(tree), "where") || as_group(Some(tree), Delimiter::Brace).is_some();
    let returns = match &rest[length + 1..] {
        [minus, _, rest @ ..] if is_punct(Some(minus), '-') => rest.split(ends).next().unwrap_or_default().to_vec(),
        _ => Vec::new(),
    };
    Signature { name: name.clone(), is_async, generics, receiver, arguments, returns }
}

/// The position of the keyword that starts the item, before anything that could contain another one.
pub(crate) fn keyword(trees: &[TokenTree], wanted: &str) -> Option<usize> {
    let end = trees.iter().position(|tree| {
        as_group(Some(tree), Delimiter::Brace).is_some() || is_punct(Some(tree), ';') || is_punct(Some(tree), '=')
    });
    trees[..end.unwrap_or(trees.len())].iter().position(|tree| is_ident(Some(tree), wanted))
}

/// An `impl` block, taken apart.
pub(crate) struct Block {
    pub(crate) generics: Vec<Generic>,
    pub(crate) kind: Vec<TokenTree>,
    /// Everything before the braces.
    pub(crate) head: Vec<TokenTree>,
    pub(crate) body: Group,
}

/// Takes an `impl` apart whose keyword is at `at`.
pub(crate) fn block(trees: &[TokenTree], at: usize) -> Result<Block> {
    let (generics, length) = generics(&trees[at + 1..]);
    let start = at + 1 + length;
    let of_group = |tree: &TokenTree| as_group(Some(tree), Delimiter::Brace).cloned();
    let brace = trees.iter().skip(start).position(|tree| of_group(tree).is_some()).expect(PARSED) + start;
    let kind = trees[start..brace].split(|tree| is_ident(Some(tree), "where")).next().unwrap_or_default();
    if let Some(word) = kind.iter().find(|tree| is_ident(Some(tree), "for")) {
        return mistake(word.span(), "`#[tare::bench]` goes before an `impl` of a type's own methods, not of a trait");
    }
    let body = of_group(&trees[brace]).expect(PARSED);
    Ok(Block { generics, kind: kind.to_vec(), head: trees[..brace].to_vec(), body })
}

/// The items of a block: each ends with a semicolon or with braces that are not a value.
pub(crate) fn items(body: &Group) -> Vec<Vec<TokenTree>> {
    let mut all = Vec::new();
    let mut item: Vec<TokenTree> = Vec::new();
    for tree in body.stream() {
        let mut rest = item.as_slice();
        attributes(&mut rest);
        let is_brace = as_group(Some(&tree), Delimiter::Brace).is_some();
        let is_value = rest.iter().any(|tree| is_punct(Some(tree), '=')) && keyword(rest, "fn").is_none();
        let ends = is_punct(Some(&tree), ';') || is_brace && !is_value;
        item.push(tree);
        if ends {
            all.push(std::mem::take(&mut item));
        }
    }
    all.extend((!item.is_empty()).then_some(item));
    all
}
