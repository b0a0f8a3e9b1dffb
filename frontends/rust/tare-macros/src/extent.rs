//! What an invocation does beside taking time: how much it works through, whether it is measured, on how many threads.

use proc_macro::{Ident, Span, TokenStream, TokenTree};

use crate::description::picks;
use crate::plan::Values;
use crate::tokens::{code, is_ident, template, template_at};

/// What an invocation does beside taking time.
#[derive(Clone, Default)]
pub(crate) struct Extent {
    /// What it works through: names and amounts.
    pub(crate) rates: Vec<(TokenStream, TokenStream)>,
    pub(crate) ignore: TokenStream,
    pub(crate) skip_if: TokenStream,
    /// The numbers of threads that run the body in step, and where they are given.
    pub(crate) team: Option<(Span, TokenStream)>,
}

impl Extent {
    /// What is given here, and the rest from what holds for all.
    pub(crate) fn over(self, all: &Extent) -> Extent {
        let either = |own: TokenStream, all: &TokenStream| if own.is_empty() { all.clone() } else { own };
        Extent {
            rates: if self.rates.is_empty() { all.rates.clone() } else { self.rates },
            ignore: either(self.ignore, &all.ignore),
            skip_if: either(self.skip_if, &all.skip_if),
            team: self.team.or_else(|| all.team.clone()),
        }
    }

    /// The fields `rates` and `wanted`.
    pub(crate) fn functions(&self, home: &TokenStream, parameters: &[Values]) -> (TokenStream, TokenStream) {
        let none = || code("::core::option::Option::None");
        let mut list = TokenStream::new();
        for (name, amount) in &self.rates {
            let values = [("HOME", home.clone()), ("NAME", name.clone()), ("AMOUNT", amount.clone())];
            list.extend(match names_self(amount) {
                true => template("HOME::__private::Rate::new(NAME, ::core::option::Option::None),", &values),
                false => template_at(
                    amount,
                    "HOME::__private::Rate::new(NAME, ::core::option::Option::Some(
                        HOME::__private::Operations::amount(AMOUNT, NAME)?
                    )),",
                    &values,
                ),
            });
        }
        let picks = picks(home, parameters);
        let function = |text: &str, body: TokenStream| {
            let values = [("HOME", home.clone()), ("PICKS", picks.clone()), ("BODY", body)];
            template(text, &values)
        };
        let rates = match self.rates.is_empty() {
            true => none(),
            false => function(
                "::core::option::Option::Some(|choice: &HOME::__private::Choice| {
                    PICKS ::core::result::Result::Ok(::std::vec![BODY])
                })",
                list,
            ),
        };
        let mut steps = TokenStream::new();
        if !self.skip_if.is_empty() {
            let values = [("HOME", home.clone()), ("SKIP", self.skip_if.clone())];
            let text = "if SKIP { return HOME::__private::Wanted::LeftOut; }";
            steps.extend(template_at(&self.skip_if, text, &values));
        }
        if !self.ignore.is_empty() {
            let values = [("HOME", home.clone()), ("IGNORE", self.ignore.clone())];
            let text = "if let ::core::option::Option::Some(reason) = HOME::__private::Ignore::reason(IGNORE) {
                return HOME::__private::Wanted::Skipped(reason);
            }";
            steps.extend(template_at(&self.ignore, text, &values));
        }
        let wanted = match steps.is_empty() {
            true => none(),
            false => function(
                "::core::option::Option::Some(|choice: &HOME::__private::Choice| {
                    PICKS BODY HOME::__private::Wanted::Yes
                })",
                steps,
            ),
        };
        (rates, wanted)
    }

    /// The number of threads as a parameter.
    pub(crate) fn threads(&self) -> Option<Values> {
        let (span, values) = self.team.clone()?;
        Some(Values {
            name: "threads".to_owned(),
            key: Ident::new("threads", span),
            kind: code("u32"),
            values,
            row: false,
        })
    }
}

/// `self` means the instance.
pub(crate) fn names_self(tokens: &TokenStream) -> bool {
    tokens.clone().into_iter().any(|tree| match tree {
        TokenTree::Group(group) => names_self(&group.stream()),
        tree => is_ident(Some(&tree), "self"),
    })
}

/// A number without a type of its own is one of 64 bits, and not of 32.
pub(crate) fn wide(tokens: TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = tokens.clone().into_iter().collect();
    match trees.as_slice() {
        [TokenTree::Literal(number)] if number.to_string().chars().all(|c| c.is_ascii_digit() || c == '_') => {
            template("(NUMBER as u64)", &[("NUMBER", tokens)])
        }
        _ => tokens,
    }
}
