//! How a function is called: its path, and its parameters with their types.

use std::iter::once;

use proc_macro::{Group, Ident, TokenStream, TokenTree};

use crate::parse::Signature;
use crate::plan::Values;
use crate::tokens::{code, is_punct, respan, template};

/// A type without the names of lifetimes, which are those of the function: `&'_ str` for `&'a str`.
fn anonymous(kind: TokenStream) -> TokenStream {
    let mut after_mark = false;
    let one = |tree: TokenTree| {
        let named = std::mem::replace(&mut after_mark, is_punct(Some(&tree), '\''));
        match tree {
            TokenTree::Ident(name) if named && name.to_string() != "static" => Ident::new("_", name.span()).into(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), anonymous(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            tree => tree,
        }
    };
    kind.into_iter().map(one).collect()
}

/// The parameters of a function with their types.
pub(crate) fn wanted(arguments: &Signature) -> Vec<(String, TokenStream)> {
    arguments
        .arguments
        .iter()
        .map(|argument| (argument.name.clone(), anonymous(argument.kind.iter().cloned().collect())))
        .collect()
}

/// The names of the parameters, as expressions: `n, text,`.
pub(crate) fn tuple(parameters: &[Values]) -> TokenStream {
    let mut out = TokenStream::new();
    for parameter in parameters {
        out.extend(once(TokenTree::Ident(parameter.key.clone())));
        out.extend(code(","));
    }
    out
}

/// A body that takes its parameters by copy: for each parameter of the function `copy(&state.0)`, or the input.
pub(crate) fn arguments(
    home: &TokenStream,
    signature: &Signature,
    parameters: &[Values],
    input: Option<&TokenStream>,
) -> TokenStream {
    let mut out = TokenStream::new();
    for argument in &signature.arguments {
        match parameters.iter().position(|parameter| parameter.name == argument.name) {
            Some(number) => {
                let span = argument.kind.first().map_or(argument.span, TokenTree::span);
                let values = [("HOME", home.clone()), ("NUMBER", code(&number.to_string()))];
                let text = match input {
                    Some(_) => "HOME::__private::copy(&state.NUMBER)",
                    None => "HOME::__private::parameter!(state.NUMBER)",
                };
                out.extend(respan(template(text, &values), span));
            }
            None => out.extend(input.cloned().unwrap_or_default()),
        }
        out.extend(code(","));
    }
    out
}

/// The function's path with its generic parameters filled in.
pub(crate) fn path(signature: &Signature) -> TokenStream {
    let mut out = TokenStream::from(TokenTree::Ident(signature.name.clone()));
    if !signature.generics.is_empty() {
        out.extend(code("::<"));
        for generic in &signature.generics {
            out.extend(once(TokenTree::Ident(generic.name.clone())));
            out.extend(code(","));
        }
        out.extend(code(">"));
    }
    out
}
