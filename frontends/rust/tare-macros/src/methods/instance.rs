//! How an instance is made, its hooks, and what only the instance knows.

use std::iter::once;

use proc_macro::{Group, Ident, Span, TokenStream, TokenTree};

use super::role::{only, Method, Role};
use crate::extent::{names_self, Extent};
use crate::parse::Receiver;
use crate::plan::Values;
use crate::tokens::{code, is_ident, mistake, template, Result};

/// A constructor that takes the parameters.
pub(super) const MAKE: &str = "|choice: &HOME::__private::Choice| { PICKS MADE }";

/// The code that makes an instance, from the parameters as variables.
pub(super) fn made(
    home: &TokenStream,
    kind: &TokenStream,
    set_up: Option<&Method>,
    parameters: &[Values],
) -> Result<TokenStream> {
    let awaited = |method: &Method, call: &str| match method.signature.is_async {
        true => format!("HOME::__private::block_on({call})"),
        false => call.to_owned(),
    };
    let values = [("HOME", home.clone()), ("KIND", kind.clone())];
    let Some(method) = set_up.filter(|method| method.signature.receiver == Receiver::None) else {
        let mut out = template("let mut made = <KIND as ::core::default::Default>::default();", &values);
        for parameter in parameters {
            let name = TokenStream::from(TokenTree::Ident(parameter.key.clone()));
            out.extend(template("made.NAME = NAME;", &[("NAME", name)]));
        }
        if let Some(method) = set_up {
            let name = TokenStream::from(TokenTree::Ident(method.signature.name.clone()));
            let call = awaited(method, "<KIND>::NAME(&mut made)");
            let text = format!("HOME::__private::IntoOutcome::into_outcome({call})?;");
            out.extend(template(&text, &[("HOME", home.clone()), ("KIND", kind.clone()), ("NAME", name)]));
        }
        out.extend(code("::core::result::Result::Ok(made)"));
        return Ok(out);
    };
    let mut list = TokenStream::new();
    for argument in &method.signature.arguments {
        let Some(parameter) = parameters.iter().find(|one| one.name == argument.name) else {
            let name = &argument.name;
            let text = format!("`{name}` has no values: `#[tare::bench({name} = [...])]` before the `impl`");
            return mistake(argument.span, text);
        };
        list.extend(once(TokenTree::Ident(parameter.key.clone())));
        list.extend(code(","));
    }
    if method.signature.returns.is_empty() {
        let text = "a set-up without `self` makes the instance: `fn new() -> Self`; or let it take `&mut self`";
        return mistake(method.signature.name.span(), text);
    }
    let name = TokenStream::from(TokenTree::Ident(method.signature.name.clone()));
    let values = [("HOME", home.clone()), ("KIND", kind.clone()), ("NAME", name), ("LIST", list)];
    let call = awaited(method, "<KIND>::NAME(LIST)");
    Ok(template(&format!("HOME::__private::IntoInstance::<KIND, _>::into_instance({call})"), &values))
}

/// The hooks as calls on the typed vtable.
pub(super) fn hooks(home: &TokenStream, kind: &TokenStream, methods: &[Method]) -> Result<TokenStream> {
    let mut out = TokenStream::new();
    if only(methods, Role::SetUp)?.is_some() {
        out.extend(code(".set_up()"));
    }
    if let Some(method) = only(methods, Role::IterationOperations)? {
        let name = TokenTree::Ident(method.signature.name.clone()).into();
        let values = [("HOME", home.clone()), ("KIND", kind.clone()), ("NAME", name)];
        let text = ".iteration_operations(|state: &mut KIND| HOME::__private::Count::count(<KIND>::NAME(state)))";
        out.extend(template(text, &values));
    }
    for role in [Role::IterationSetUp, Role::IterationCleanUp, Role::CleanUp] {
        let Some(method) = only(methods, role)? else { continue };
        let by_value = method.signature.receiver == Receiver::Value;
        let setter = match role {
            Role::IterationSetUp => "iteration_set_up",
            Role::IterationCleanUp => "iteration_clean_up",
            _ if by_value => "last_clean_up",
            _ => "clean_up",
        };
        let values = [
            ("HOME", home.clone()),
            ("SETTER", code(setter)),
            ("STATE", if by_value { kind.clone() } else { template("&mut KIND", &[("KIND", kind.clone())]) }),
            ("KIND", kind.clone()),
            ("NAME", TokenTree::Ident(method.signature.name.clone()).into()),
        ];
        let call = match method.signature.is_async {
            true => "HOME::__private::block_on(<KIND>::NAME(state))",
            false => "<KIND>::NAME(state)",
        };
        let text = format!(".SETTER(|state: STATE| HOME::__private::IntoOutcome::into_outcome({call}))");
        out.extend(template(&text, &values));
    }
    Ok(out)
}

/// What only the instance knows of the work of an invocation: options that name `self`.
pub(super) fn amounts(
    home: &TokenStream,
    kind: &TokenStream,
    operations: &TokenStream,
    extent: &Extent,
) -> TokenStream {
    let rates: Vec<_> = extent.rates.iter().filter(|(_, amount)| names_self(amount)).collect();
    if rates.is_empty() && !names_self(operations) {
        return TokenStream::new();
    }
    let mut list = TokenStream::new();
    for (name, amount) in rates {
        let values = [("HOME", home.clone()), ("NAME", name.clone()), ("AMOUNT", instead_of_self(amount.clone()))];
        list.extend(template("(NAME, HOME::__private::Operations::amount(AMOUNT, NAME)?),", &values));
    }
    let counted = match names_self(operations) {
        true => "::core::option::Option::Some(HOME::__private::Operations::operations(OPERATIONS)?)",
        false => "::core::option::Option::None",
    };
    let values = [
        ("HOME", home.clone()),
        ("KIND", kind.clone()),
        ("LIST", list),
        ("OPERATIONS", instead_of_self(operations.clone())),
    ];
    let text = format!(
        ".amounts(|this: &KIND| ::core::result::Result::Ok(HOME::__private::Amounts {{
            operations: {counted},
            rates: ::std::vec![LIST],
        }}))"
    );
    template(&text, &values)
}

/// The same expression about a variable.
fn instead_of_self(tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|tree| match tree {
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), instead_of_self(group.stream()));
                inner.set_span(group.span());
                TokenTree::Group(inner)
            }
            tree if is_ident(Some(&tree), "self") => TokenTree::Ident(Ident::new("this", Span::mixed_site())),
            tree => tree,
        })
        .collect()
}
