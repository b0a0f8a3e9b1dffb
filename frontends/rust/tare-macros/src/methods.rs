//! The same for an `impl` block, whose methods are set-ups and benchmarks.

mod role;

use std::iter::once;

use proc_macro::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};

use crate::calls::wanted;
use crate::description::{picks, Description};
use crate::expand::{loops, runner, waited_for, way, with_error, with_inline};
use crate::extent::{names_self, Extent};
use crate::parse::{attributes, block, items, Attribute, Entry, Generic, Receiver, Signature};
use crate::plan::{group, Plan, Values};
use crate::tokens::{code, is_ident, is_punct, mistake, plain, pretty, string, template, Result};
use role::{only, role, Method, Role, ROLES};

pub(crate) fn expand(outer: &[Attribute], trees: &[TokenTree], at: usize, entries: Vec<Entry>) -> TokenStream {
    let mut out = TokenStream::new();
    for attribute in outer {
        out.extend([attribute.pound.clone(), TokenTree::Group(attribute.group.clone())]);
    }
    let block = match block(trees, at) {
        Ok(block) => block,
        Err(error) => {
            out.extend(trees.iter().cloned());
            return with_error(out, error);
        }
    };
    let mut body = TokenStream::new();
    let mut methods = Vec::new();
    let mut problem = None;
    for item in items(&block.body) {
        let mut rest = item.as_slice();
        let attributes = attributes(&mut rest);
        match role(&attributes, rest) {
            Ok(None) => body.extend(item),
            Ok(Some(method)) => {
                let is_ours = |one: &Attribute| {
                    one.name().is_some_and(|(name, _)| ROLES.iter().any(|(word, _)| name.to_string() == *word))
                };
                let kept: Vec<Attribute> = attributes.into_iter().filter(|one| !is_ours(one)).collect();
                body.extend(if method.role == Role::Bench {
                    with_inline(&kept, rest)
                } else {
                    kept.iter()
                        .flat_map(|one| [one.pound.clone(), TokenTree::Group(one.group.clone())])
                        .chain(rest.iter().cloned())
                        .collect()
                });
                methods.push(method);
            }
            Err(error) => {
                problem = problem.or(Some(error));
                let kept = attributes.iter().filter(|one| one.doc().is_some());
                body.extend(kept.flat_map(|one| [one.pound.clone(), TokenTree::Group(one.group.clone())]));
                body.extend(rest.iter().cloned());
            }
        }
    }
    out.extend(block.head.iter().cloned());
    let mut group = Group::new(Delimiter::Brace, body);
    group.set_span(block.body.span());
    out.extend(once(TokenTree::Group(group)));
    let result = match problem {
        Some(error) => Err(error),
        None => register_impl(&block.kind, &block.generics, &methods, &entries),
    };
    match result {
        Ok(tokens) => out.extend(tokens),
        Err(error) => return with_error(out, error),
    }
    out
}

/// A constructor that takes the parameters.
const MAKE: &str = "|__tare_choice: &HOME::__private::Choice| { PICKS MADE }";

/// The code that makes an instance, from the parameters as variables.
fn made(home: &TokenStream, kind: &TokenStream, set_up: Option<&Method>, parameters: &[Values]) -> Result<TokenStream> {
    let awaited = |method: &Method, call: &str| match method.signature.is_async {
        true => format!("HOME::__private::block_on({call})"),
        false => call.to_owned(),
    };
    let values = [("HOME", home.clone()), ("KIND", kind.clone())];
    let Some(method) = set_up.filter(|method| method.signature.receiver == Receiver::None) else {
        let mut out = template("let mut __tare_made = <KIND as ::core::default::Default>::default();", &values);
        for parameter in parameters {
            let name = TokenStream::from(TokenTree::Ident(parameter.key.clone()));
            out.extend(template("__tare_made.NAME = NAME;", &[("NAME", name)]));
        }
        if let Some(method) = set_up {
            let name = TokenStream::from(TokenTree::Ident(method.signature.name.clone()));
            let call = awaited(method, "__tare_made.NAME()");
            let text = format!("HOME::__private::IntoOutcome::into_outcome({call})?;");
            out.extend(template(&text, &[("HOME", home.clone()), ("NAME", name)]));
        }
        out.extend(code("::core::result::Result::Ok(__tare_made)"));
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
fn hooks(home: &TokenStream, kind: &TokenStream, methods: &[Method]) -> Result<TokenStream> {
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

const METHOD: &str = "HOME::__private::Typed::<KIND>::new::<_, _, _, _, { HOME::__private::BODYWAY }>(
    MAKE,
    |state: &mut KIND| HOME::__private::sink(<KIND>::NAME(STATE)),
    |state: &mut KIND| HOME::__private::sink_empty(|| <KIND>::NAME(STATE)),
    |state: &mut KIND| HOME::__private::look!(<KIND>::NAME(STATE)),
)HOOKS.erase()";

/// A method that says itself how long so many invocations took.
const OWN_METHOD: &str = "HOME::__private::Typed::<KIND>::own(
    MAKE,
    |state: &mut KIND, invocations| <KIND>::NAME(TIMED),
)HOOKS.erase()";

/// A method whose calls are futures.
const AWAITING_METHOD: &str = "HOME::__private::Typed::<KIND>::awaiting(
    MAKE,
    |state: &mut KIND, count| LOOPOF4,
    |state: &mut KIND, count| LOOPOF1,
    |state: &mut KIND| HOME::__private::block_on(async { HOME::__private::look!(CALL.await) }),
)HOOKS.erase()";

/// What only the instance knows of the work of an invocation: options that name `self`.
fn amounts(home: &TokenStream, kind: &TokenStream, operations: &TokenStream, extent: &Extent) -> TokenStream {
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
        ".amounts(|__tare_self: &KIND| ::core::result::Result::Ok(HOME::__private::Amounts {{
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
            tree if is_ident(Some(&tree), "self") => TokenTree::Ident(Ident::new("__tare_self", Span::call_site())),
            tree => tree,
        })
        .collect()
}

/// The name of a type without its generic parameters: the default group.
fn type_name(kind: &[TokenTree]) -> String {
    let end = kind.iter().position(|tree| is_punct(Some(tree), '<')).unwrap_or(kind.len());
    match kind[..end].last() {
        Some(TokenTree::Ident(name)) => plain(name),
        _ => pretty(kind.iter().cloned().collect()),
    }
}

fn register_impl(
    kind: &[TokenTree],
    generics: &[Generic],
    methods: &[Method],
    entries: &[Entry],
) -> Result<TokenStream> {
    let tokens: TokenStream = kind.iter().cloned().collect();
    let mut plan = Plan { entries: entries.to_vec() };
    for word in ["name", "input", "baseline"] {
        if let Some(entry) = plan.take(word) {
            return mistake(
                entry.key.span(),
                format!("`{word}` belongs to one benchmark: `#[bench({word} ...)]` before a method"),
            );
        }
    }
    let set_up = only(methods, Role::SetUp)?;
    let constructor = set_up.filter(|method| method.signature.receiver == Receiver::None);
    let wanted = constructor.map(|method| wanted(&method.signature)).unwrap_or_default();
    let combinations = plan.generics(generics)?;
    // Without a constructor the parameters are fields, whose types are not known here.
    let parameters = plan.parameters(&wanted, constructor.is_none())?;
    let home = plan.home()?;
    let steps = methods.iter().find(|method| method.role != Role::Bench && method.signature.is_async);
    let runner_of_all = runner(&mut plan, steps.map(|method| method.signature.name.span()))?;
    let made = made(&home, &tokens, set_up, &parameters)?;
    let values = [("HOME", home.clone()), ("PICKS", picks(&home, &parameters)), ("MADE", made)];
    let make = template(MAKE, &values);
    let hooks = hooks(&home, &tokens, methods)?;
    let default = template("::core::option::Option::Some(NAME)", &[("NAME", string(&type_name(kind)))]).to_string();
    let group_of_all = group(&mut plan, &default)?;
    let (operations, unit) = (plan.operations()?, plan.value("unit", "\"op\"")?);
    let extent_of_all = plan.extent()?;
    let (categories, threads) = (plan.value("categories", "[]")?, plan.value("threads", "1")?);
    let describe = plan.value("describe", "")?;
    let manner_of_all = plan.manner()?;
    plan.finish(&wanted)?;
    let benches: Vec<&Method> = methods.iter().filter(|method| method.role == Role::Bench).collect();
    if benches.is_empty() {
        let span = kind.first().map_or_else(Span::call_site, TokenTree::span);
        return mistake(span, "nothing to measure: put `#[bench]` before a method");
    }
    let mut out = TokenStream::new();
    for (place, method) in benches.into_iter().enumerate() {
        let signature = &method.signature;
        let mut own = Plan { entries: crate::parse::entries(method.options.clone())? };
        let described = if describe.is_empty() { string(&method.description) } else { describe.clone() };
        let name = own.value("name", &format!("{:?}", plain(&signature.name)))?;
        let group_of_one = own.value("group", "")?;
        let group = if group_of_one.is_empty() {
            group_of_all.clone()
        } else {
            template("::core::option::Option::Some(GROUP)", &[("GROUP", group_of_one)])
        };
        let either = |own: TokenStream, all: &TokenStream| if own.is_empty() { all.clone() } else { own };
        let baseline = own.flag("baseline");
        let operations = either(own.operations()?, &operations);
        let unit = either(own.value("unit", "")?, &unit);
        let extent = own.extent()?.over(&extent_of_all);
        let categories = either(own.value("categories", "")?, &categories);
        let threads = either(own.value("threads", "")?, &threads);
        let describe = either(own.value("describe", "")?, &described);
        let manner = own.manner()?.over(&manner_of_all);
        let span = signature.is_async.then(|| signature.name.span()).filter(|_| runner_of_all.is_none());
        let runner = runner(&mut own, span)?.or_else(|| runner_of_all.clone());
        let own_time = own.take("own_time");
        own.finish(&[])?;
        let state = if signature.receiver == Receiver::None { "" } else { "state" };
        let mut values = vec![
            ("HOME", home.clone()),
            ("KIND", tokens.clone()),
            ("NAME", TokenTree::Ident(signature.name.clone()).into()),
            ("STATE", code(state)),
            ("TIMED", code(if state.is_empty() { "invocations" } else { "state, invocations" })),
            ("BODYWAY", way(&signature.returns, None, method.names_place)),
            ("MAKE", make.clone()),
        ];
        values.push(("CALL", template("<KIND>::NAME(STATE)", &values)));
        let mut hooks = hooks.clone();
        hooks.extend(amounts(&home, &tokens, &operations, &extent));
        if let Some((span, _)) = &extent.team {
            if own_time.is_some() || signature.is_async {
                return mistake(*span, "a list of `threads` cannot be used with `own_time` or an async method");
            }
            if signature.receiver == Receiver::Changing {
                let text = "threads share the instance: with a list of `threads` a method takes `&self`";
                return mistake(signature.name.span(), text);
            }
            hooks.extend(template(".shared_by_threads(|state: &KIND| HOME::__private::sink(CALL))", &values));
        }
        values.push(("HOOKS", hooks));
        let mut vtable = if own_time.is_some() {
            template(OWN_METHOD, &values)
        } else if signature.is_async {
            loops(&mut values);
            template(AWAITING_METHOD, &values)
        } else {
            template(METHOD, &values)
        };
        if let Some(runner) = &runner {
            vtable.extend(waited_for(&home, runner));
        }
        let description = Description {
            home: &home,
            span: signature.name.span(),
            group,
            name,
            baseline,
            operations,
            unit,
            categories,
            describe,
            threads,
            manner,
            extent,
            returns: own_time.is_none() && Signature::has_result(&signature.returns),
            parameters: &parameters,
            vtable,
        };
        out.extend(description.register(place * combinations.len(), &combinations));
    }
    Ok(out)
}
