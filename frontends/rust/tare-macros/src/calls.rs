//! How a function is called: its path, and its parameters with their types.

use std::mem::replace;

use proc_macro::{Ident, TokenStream, TokenTree};

use crate::options::Values;
use crate::parse::Signature;
use crate::tokens::{change, is_punct, place, quote, respan, Tokens};

/// Replaces named lifetimes by `'_`, because they are only in scope in the function: `&'a str` becomes `&'_ str`.
fn anonymous(kind: TokenStream) -> TokenStream {
    let mut after_mark = false;
    change(kind, &mut |tree| match (replace(&mut after_mark, is_punct(Some(&tree), '\'')), tree) {
        (true, TokenTree::Ident(name)) if name.to_string() != "static" => Ident::new("_", name.span()).into(),
        (_, tree) => tree,
    })
}

/// The names of the parameters, as expressions: `n, text,`.
pub(crate) fn names<'a>(parameters: impl IntoIterator<Item = &'a Values>) -> TokenStream {
    parameters.into_iter().flat_map(|parameter| quote!({ #key, }, key = parameter.key)).collect()
}

impl Signature {
    pub(crate) fn wanted(&self) -> Vec<(String, TokenStream)> {
        self.arguments.iter().map(|argument| (argument.name.clone(), anonymous(argument.kind.tokens()))).collect()
    }

    /// The parameters in the order in which the function takes them, with their places in the state.
    pub(crate) fn ordered<'a>(&'a self, parameters: &'a [Values]) -> impl Iterator<Item = (usize, &'a Values)> {
        let of = |name: &'a str| parameters.iter().enumerate().find(move |(_, one)| one.name == name);
        self.arguments.iter().filter_map(move |argument| of(&argument.name))
    }

    /// A call that takes its parameters from the state by copy, and the one without values from `input`.
    pub(crate) fn call(&self, parameters: &[Values], input: Option<&TokenStream>) -> TokenStream {
        let argument = |argument: &crate::parse::Argument| {
            let number = parameters.iter().position(|parameter| parameter.name == argument.name);
            let value = match (number, input) {
                (Some(number), Some(_)) => quote!({ __tare::copy(&state.#number) }, number),
                (Some(number), None) => quote!({ __tare::parameter!(state.#number) }, number),
                (None, input) => return quote!({ #input, }, input),
            };
            let span = argument.kind.first().map_or(argument.span, |_| place(&argument.kind));
            quote!({ #value, }, value = respan(value, span))
        };
        let arguments: TokenStream = self.arguments.iter().flat_map(argument).collect();
        quote!({ #path(#arguments) }, path = self.path(), arguments)
    }

    /// The function's path with its generic parameters filled in.
    pub(crate) fn path(&self) -> TokenStream {
        let names: TokenStream = self.generics.iter().flat_map(|one| quote!({ #name, }, name = one.name)).collect();
        let generics = (!names.is_empty()).then(|| quote!({ ::<#names> }, names));
        quote!({ #name #generics }, name = self.name, generics)
    }
}
