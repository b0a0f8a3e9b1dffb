//! The amounts an invocation processes, whether it is skipped, and how many threads run it.

use proc_macro::{Ident, Span, TokenStream, TokenTree};

use crate::description::picks;
use crate::options::{Fields, Values};
use crate::tokens::{change, flat, is_ident, quote, quote_at};

/// The rates, skip condition and threads of a benchmark.
#[derive(Clone)]
pub(crate) struct Extent {
    pub(crate) operations: Option<TokenStream>,
    pub(crate) rates: Vec<(TokenStream, TokenStream)>,
    pub(crate) ignore: Option<TokenStream>,
    pub(crate) skip_if: Option<TokenStream>,
    /// The numbers of threads that run the body in lockstep, and where they are declared.
    pub(crate) team: Option<(Span, TokenStream)>,
}

impl Extent {
    /// These settings, with `all` as the fallback.
    pub(crate) fn over(self, all: &Extent) -> Extent {
        let either = |own: Option<TokenStream>, all: &Option<TokenStream>| own.or_else(|| all.clone());
        Extent {
            operations: either(self.operations, &all.operations),
            rates: if self.rates.is_empty() { all.rates.clone() } else { self.rates },
            ignore: either(self.ignore, &all.ignore),
            skip_if: either(self.skip_if, &all.skip_if),
            team: self.team.or_else(|| all.team.clone()),
        }
    }

    /// The fields that compute it from the parameters of a case.
    pub(crate) fn fields(&self, parameters: &[Values]) -> Fields {
        let picks = picks(parameters);
        let mut fields = Fields::default();
        fields.or_set("team", self.team.is_some());
        if let Some(operations) = self.operations.as_ref().filter(|operations| !names_self(operations)) {
            let count =
                quote_at!(operations, { #picks __tare::Operations::operations(#operations) }, picks, operations);
            fields.or_set("operations", quote!({ |choice: &__tare::Choice| { #count } }, count));
        }
        if !self.rates.is_empty() {
            let rate = |(name, amount): &(TokenStream, TokenStream)| match names_self(amount) {
                true => quote!({ __tare::Rate::new(#name, ::core::option::Option::None), }, name),
                false => quote_at!(amount, {
                    __tare::Rate::new(#name, ::core::option::Option::Some(__tare::Operations::amount(#amount, #name)?)),
                }, name, amount),
            };
            let rates: TokenStream = self.rates.iter().flat_map(rate).collect();
            fields.or_set(
                "rates",
                quote!({
                ::core::option::Option::Some(|choice: &__tare::Choice| {
                    #picks
                    ::core::result::Result::Ok(::std::vec![#rates])
                })
            }, picks, rates),
            );
        }
        let skip = self
            .skip_if
            .as_ref()
            .map(|skip_if| quote_at!(skip_if, { if #skip_if { return __tare::by_condition(); } }, skip_if));
        let ignore = self.ignore.as_ref().map(|ignore| {
            quote_at!(ignore, {
                if let reason @ ::core::option::Option::Some(_) = __tare::Ignore::reason(#ignore) {
                    return reason;
                }
            }, ignore)
        });
        if skip.is_some() || ignore.is_some() {
            fields.or_set(
                "skipped",
                quote!({
                ::core::option::Option::Some(|choice: &__tare::Choice| {
                    #picks #skip #ignore ::core::option::Option::None
                })
            }, picks, skip, ignore),
            );
        }
        fields
    }

    /// The amounts that depend on the instance (their options name `self`), as a call on its vtable.
    pub(crate) fn amounts(&self) -> Option<TokenStream> {
        let operations = self.operations.as_ref().filter(|operations| names_self(operations));
        let rates: Vec<_> = self.rates.iter().filter(|(_, amount)| names_self(amount)).collect();
        if rates.is_empty() && operations.is_none() {
            return None;
        }
        let rate = |(name, amount): &(TokenStream, TokenStream)| {
            let amount = instead_of_self(amount);
            quote!({ (#name, __tare::Operations::amount(#amount, #name)?), }, name, amount)
        };
        let rates: TokenStream = rates.into_iter().flat_map(rate).collect();
        let operations = match operations.map(instead_of_self) {
            Some(operations) => {
                quote!({ ::core::option::Option::Some(__tare::Operations::operations(#operations)?) }, operations)
            }
            None => quote!({ ::core::option::Option::None }),
        };
        Some(quote!({
            .amounts(|this| ::core::result::Result::Ok(__tare::Amounts {
                operations: #operations,
                rates: ::std::vec![#rates],
            }))
        }, operations, rates))
    }

    /// The number of threads as a parameter.
    pub(crate) fn threads(&self) -> Option<Values> {
        let (span, values) = self.team.clone()?;
        let key = Ident::new("threads", span);
        Some(Values { name: key.to_string(), key, kind: quote!({ u32 }), values, row: false })
    }
}

/// Whether these tokens name `self`, which means the instance.
fn names_self(tokens: &TokenStream) -> bool {
    flat(tokens.clone()).iter().any(|tree| is_ident(Some(tree), "self"))
}

/// The expression with `self` replaced by `this`.
fn instead_of_self(tokens: &TokenStream) -> TokenStream {
    change(tokens.clone(), &mut |tree| match is_ident(Some(&tree), "self") {
        true => TokenTree::Ident(Ident::new("this", Span::mixed_site())),
        false => tree,
    })
}

/// Makes an untyped integer literal a `u64` instead of the default `i32`.
pub(crate) fn wide(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    match trees.as_slice() {
        [TokenTree::Literal(number)] if number.to_string().chars().all(|c| c.is_ascii_digit() || c == '_') => {
            quote!({ (#tokens as u64) }, tokens)
        }
        _ => tokens,
    }
}
