//! The description of a registered benchmark.

use proc_macro::{Span, TokenStream};

use crate::options::{Filled, Settings, Values};
use crate::tokens::{is_ident, is_punct, list, pretty, put, quote, quote_at, Commas, Tokens};

/// Everything that a registered benchmark needs except its generic parameters.
pub(crate) struct Description<'a> {
    pub(crate) home: &'a TokenStream,
    pub(crate) span: Span,
    pub(crate) settings: Settings,
    pub(crate) parameters: &'a [Values],
    pub(crate) vtable: TokenStream,
}

/// Whether the function takes this parameter by reference; its values may then be references or the referents.
fn is_lent(kind: &TokenStream) -> bool {
    let mut trees = kind.clone().into_iter();
    let reference = is_punct(trees.next().as_ref(), '&');
    let mut rest = trees.skip_while(|tree| is_punct(Some(tree), '\''));
    reference && !rest.any(|tree| is_ident(Some(&tree), "mut"))
}

/// `let n: usize = choice.pick::<usize, _>(0, || [10, 100], ...);` for each parameter.
pub(crate) fn picks(parameters: &[Values]) -> TokenStream {
    let pick = |(number, parameter): (usize, &Values)| {
        let Values { key, kind, values, .. } = parameter;
        if is_lent(kind) {
            quote_at!(values, {
                let #key: #kind = __tare::lend!(
                    choice.pick(#number, || #values, |it| __tare::show!(it), |text, reader| __tare::read!(text, reader))
                );
            }, key, kind, number, values)
        } else {
            quote_at!(values, {
                let #key: #kind = choice.pick::<#kind, _>(
                    #number, || #values, |it| __tare::show!(it), |text, reader| __tare::read!(text, reader)
                );
            }, key, kind, number, values)
        }
    };
    parameters.iter().enumerate().flat_map(pick).collect()
}

/// The registration of a parameter. Values are named by their source text: `"add", "mul",` for `[add, mul]`.
fn parameter(parameter: &Values) -> TokenStream {
    let Values { name, kind, values, row, .. } = parameter;
    let items = list(&values.clone().into_iter().collect::<Vec<_>>(), Commas::OfExpressions).unwrap_or_default();
    let written = items.iter().flat_map(|item| {
        // `add as fn(u64) -> u64` is called `add`.
        let end = item.iter().position(|tree| is_ident(Some(tree), "as")).unwrap_or(item.len());
        quote!({ #text, }, text = pretty(item[..end].tokens()))
    });
    let kind = if is_lent(kind) { quote!({ _ }) } else { kind.clone() };
    quote_at!(values, {
        __tare::Parameter {
            name: #name,
            row: #row,
            values: |given| {
                let values = __tare::chosen::<#kind>(#values, given, |text, reader| __tare::read!(text, reader))?;
                let written: &[&str] = if given.is_empty() { &[#written] } else { &[] };
                ::core::result::Result::Ok(__tare::texts::<#kind>(values, |value| __tare::show!(value), written))
            },
        },
    }, name, row, kind, values, written = written.collect::<TokenStream>())
}

impl Description<'_> {
    /// Registers one benchmark per combination of the generic parameters, after the `first` ones of the same declaration.
    pub(crate) fn register(&self, first: usize, combinations: &[Vec<Filled>]) -> TokenStream {
        let numbered = combinations.iter().enumerate();
        numbered.flat_map(|(number, generics)| self.register_one(first + number, generics)).collect()
    }

    fn register_one(&self, order: usize, filled: &[Filled]) -> TokenStream {
        let Settings { bench, manner, extent } = &self.settings;
        let aliases: TokenStream = filled.iter().flat_map(|one| one.alias.clone()).collect();
        let generic = |one: &Filled| quote!({ (#name, #text), }, name = one.name, text = one.text);
        let generics: TokenStream = filled.iter().flat_map(generic).collect();
        let threads = extent.threads();
        let line = put(quote!({ ::core::line!() }), self.span);
        let parameters: TokenStream = self.parameters.iter().chain(&threads).flat_map(parameter).collect();
        quote!({
            #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, missing_docs)]
            const _: () = {
                use #home::__private as __tare;
                #aliases
                __tare::register!(__tare::BENCHES, __tare::Bench, __tare::Bench {
                    #bench
                    #extent
                    module: ::core::module_path!(),
                    file: ::core::file!(),
                    line: #line,
                    order: #order,
                    generics: &[#generics],
                    parameters: &[#parameters],
                    manner: __tare::Manner { #manner ..__tare::Manner::PLAIN },
                    program: ::core::option_env!("CARGO_BIN_NAME").is_some(),
                    vtable: || #vtable,
                    ..__tare::Bench::EMPTY
                });
            };
        },
            home = self.home, aliases, bench, extent = extent.fields(self.parameters), line, order, generics,
            parameters, manner, vtable = self.vtable)
    }
}
