//! Bodies that are futures: their runner, and the loops that await them.

use proc_macro::{Span, TokenStream, TokenTree};

use crate::entries::Entries;
use crate::tokens::{is_ident, is_punct, mistake, quote, quote_at, Result};

/// The option `runner`, required if the function is `async` (at this place).
pub(crate) fn runner(entries: &mut Entries, is_async: Option<Span>) -> Result<Option<TokenStream>> {
    match (entries.value("runner")?, is_async) {
        (None, Some(span)) => mistake(
            span,
            "an async body needs something that waits for it: `runner = tokio::runtime::Runtime::new().unwrap()`, or anything \
            else with `block_on`, or a function such as `runner = futures::executor::block_on`",
        ),
        (runner, _) => Ok(runner),
    }
}

/// Installs the runner by a call on the vtable: an object with `block_on`, or a function.
pub(crate) fn waited_for(runner: &TokenStream) -> TokenStream {
    let trees: Vec<TokenTree> = runner.clone().into_iter().collect();
    let is_path = trees.iter().all(|tree| matches!(tree, TokenTree::Ident(_)) || is_punct(Some(tree), ':'));
    let last = trees.last().map(ToString::to_string).unwrap_or_default();
    // A path in lower case is a function; one in upper case is a static or constant.
    let is_function = is_path && last.starts_with(char::is_lowercase);
    let is_closure = is_punct(trees.first(), '|') || is_ident(trees.first(), "move");
    if is_function || is_closure {
        quote_at!(runner, { .waited_for_by(|| ::std::boxed::Box::new(|task| (#runner)(task))) }, runner)
    } else {
        quote_at!(runner, {
            .waited_for_by(|| {
                let runner = #runner;
                ::std::boxed::Box::new(move |task| runner.block_on(task))
            })
        }, runner)
    }
}

/// Two loops that await `call`: four at a time, and one at a time. Comparing them gives the cost of the loop itself.
pub(crate) fn loops(call: &TokenStream) -> [TokenStream; 2] {
    let one = quote!({ __tare::sink(#call.await); }, call);
    let awaited = |turns: TokenStream, rest: TokenStream| {
        quote!({
            __tare::block_on(async {
                #turns
                let mut left = #rest;
                while left != 0 {
                    #one
                    left = __tare::keep(left - 1);
                }
            })
        }, turns, rest, one)
    };
    let fours = quote!({
        let mut left = count / 4;
        while left != 0 {
            #one #one #one #one
            left = __tare::keep(left - 1);
        }
    }, one);
    [awaited(fours, quote!({ count % 4 })), awaited(TokenStream::new(), quote!({ count }))]
}

/// The constructor of a benchmark whose state `make` makes, and whose invocations await `call`.
pub(crate) fn awaiting(make: &TokenStream, call: &TokenStream) -> TokenStream {
    let [fours, ones] = loops(call);
    quote!({
        awaiting(
            #make,
            |state, count| #fours,
            |state, count| #ones,
            |state| __tare::block_on(async { __tare::look!(#call.await) }),
        )
    }, make, fours, ones, call)
}
