//! From the item to the same item and a registered description of its benchmarks; with what functions and methods share.

use proc_macro::{Span, TokenStream, TokenTree};

use crate::function::function;
use crate::methods;
use crate::parse::{attributes, entries, keyword, Attribute};
use crate::plan::Plan;
use crate::tokens::{code, is_ident, is_punct, mistake, template, template_at, Mistake, Result};

/// Expands the attribute; a mistake becomes an error at its place, and the item stays.
pub(crate) fn bench(options: TokenStream, item: TokenStream) -> TokenStream {
    let all: Vec<TokenTree> = item.clone().into_iter().collect();
    let mut trees = all.as_slice();
    let attributes = attributes(&mut trees);
    let entries = match entries(options) {
        Ok(entries) => entries,
        Err(error) => return with_error(item, error),
    };
    // `impl` may stand in what a function returns, and `fn` in the type of an `impl`: the first one counts.
    let (block, function_at) = (keyword(trees, "impl"), keyword(trees, "fn"));
    if let Some(at) = block.filter(|&at| function_at.map_or(true, |other| at < other)) {
        return methods::expand(&attributes, trees, at, entries);
    }
    match function_at {
        Some(at) => match function(&attributes, trees, at, entries) {
            Ok(tokens) => {
                let mut out = with_inline(&attributes, trees);
                out.extend(tokens);
                out
            }
            Err(error) => with_error(item, error),
        },
        None => {
            let span = trees.first().map_or_else(Span::call_site, TokenTree::span);
            let text = "`#[tare::bench]` goes before a function or an `impl` block";
            match mistake::<()>(span, text) {
                Err(error) => with_error(item, error),
                Ok(()) => item,
            }
        }
    }
}

pub(crate) fn with_error(mut item: TokenStream, error: Mistake) -> TokenStream {
    item.extend(error.into_tokens());
    item
}

/// The function, `#[inline]` unless it says something of its own: it is called from loops that may be compiled elsewhere.
pub(crate) fn with_inline(attributes: &[Attribute], trees: &[TokenTree]) -> TokenStream {
    let own = attributes.iter().any(|attribute| attribute.name().is_some_and(|(name, _)| name.to_string() == "inline"));
    let mut out = if own { TokenStream::new() } else { code("#[inline]") };
    for attribute in attributes {
        out.extend([attribute.pound.clone(), TokenTree::Group(attribute.group.clone())]);
    }
    out.extend(trees.iter().cloned());
    out
}

/// How the state is hidden from the optimiser: see `tare`'s `loops.rs`.
pub(crate) fn way(returns: &[TokenTree], closure: Option<&[TokenTree]>, names_place: bool) -> TokenStream {
    if names_place {
        return code("PLACE");
    }
    let number = |kind: Option<&TokenTree>| is_ident(kind, "f64") || is_ident(kind, "f32");
    // A boxed closure is a pair of pointers, whatever it returns.
    let boxed = returns.iter().any(|tree| is_ident(Some(tree), "dyn"));
    let float = match closure {
        Some(closure) => number(closure.first()) && !boxed,
        None => returns.len() == 1 && number(returns.first()),
    };
    code(if float { "FLOATS" } else { "WORDS" })
}

/// Awaits CALL in a loop of four, and one at a time. The cost of such a loop beside a body is found from the two.
pub(crate) const FOURS: &str = "HOME::__private::block_on(async {
    let mut left = count / 4;
    while left != 0 {
        HOME::__private::sink(CALL.await);
        HOME::__private::sink(CALL.await);
        HOME::__private::sink(CALL.await);
        HOME::__private::sink(CALL.await);
        left = HOME::keep(left - 1);
    }
    let mut left = count % 4;
    while left != 0 {
        HOME::__private::sink(CALL.await);
        left = HOME::keep(left - 1);
    }
})";
pub(crate) const ONES: &str = "HOME::__private::block_on(async {
    let mut left = count;
    while left != 0 {
        HOME::__private::sink(CALL.await);
        left = HOME::keep(left - 1);
    }
})";

/// What waits for futures: an object with `block_on`, or a function.
pub(crate) fn waited_for(home: &TokenStream, runner: &TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = runner.clone().into_iter().collect();
    let is_path = trees.iter().all(|tree| matches!(tree, TokenTree::Ident(_)) || is_punct(Some(tree), ':'));
    let last = trees.last().map(ToString::to_string).unwrap_or_default();
    // A path in lower case is a function; one in upper case is a static or constant.
    let is_function = is_path && last.starts_with(|c: char| c.is_lowercase());
    let is_closure = is_punct(trees.first(), '|') || is_ident(trees.first(), "move");
    let text = if is_function || is_closure {
        ".waited_for_by(|| ::std::boxed::Box::new(|task| (RUNNER)(task)))"
    } else {
        ".waited_for_by(|| { let runner = RUNNER; ::std::boxed::Box::new(move |task| runner.block_on(task)) })"
    };
    template_at(runner, text, &[("HOME", home.clone()), ("RUNNER", runner.clone())])
}

/// `runner = ...`, which a function that is `async` at this place must have.
pub(crate) fn runner(plan: &mut Plan, is_async: Option<Span>) -> Result<Option<TokenStream>> {
    let runner = plan.value("runner", "")?;
    match (runner.is_empty(), is_async) {
        (false, _) => Ok(Some(runner)),
        (true, None) => Ok(None),
        (true, Some(span)) => mistake(
            span,
            "an async body needs something that waits for it: `runner = tokio::runtime::Runtime::new().unwrap()`, or anything \
            else with `block_on`, or a function such as `runner = futures::executor::block_on`",
        ),
    }
}

/// The loops that await CALL.
pub(crate) fn loops(values: &mut Vec<(&str, TokenStream)>) {
    let (fours, ones) = (template(FOURS, values), template(ONES, values));
    values.push(("LOOPOF4", fours));
    values.push(("LOOPOF1", ones));
}
