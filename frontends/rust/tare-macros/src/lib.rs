//! The attribute `#[tare::bench]`. It is documented, with examples, in the crate `tare`.
//!
//! It is written without `syn` and `quote`: `docs/decisions/0006-dependencies.md` says why. What has to be understood
//! of the user's code is little: the names and types in a signature, the items of an `impl`.

mod calls;
mod description;
mod entries;
mod extent;
mod function;
mod futures;
mod methods;
mod metric;
mod options;
mod parse;
mod suggest;
mod tokens;
mod way;

use proc_macro::{TokenStream, TokenTree};

use entries::Entries;
use parse::{attributes, keyword, Attribute};
use tokens::{mistake, place, quote};

/// Declares what is counted beside the time: see `tare::metric`.
#[proc_macro_attribute]
pub fn metric(options: TokenStream, item: TokenStream) -> TokenStream {
    function_and(&item, |_, trees| metric::metric(Entries::read(options)?, trees))
}

/// Declares a benchmark, or the benchmarks of a type: see `tare::bench`.
#[proc_macro_attribute]
pub fn bench(options: TokenStream, item: TokenStream) -> TokenStream {
    let entries = match Entries::read(options) {
        Ok(entries) => entries,
        Err(error) => return error.after(item),
    };
    let all: Vec<TokenTree> = item.clone().into_iter().collect();
    let mut trees = all.as_slice();
    let outer = attributes(&mut trees);
    // `impl` may stand in what a function returns, and `fn` in the type of an `impl`: the first one counts.
    match (keyword(trees, "impl"), keyword(trees, "fn")) {
        (Some(block), function) if function.map_or(true, |function| block < function) => {
            methods::expand(&outer, trees, block, entries)
        }
        (_, Some(at)) => function_and(&item, |attributes, trees| function::register(attributes, trees, at, entries)),
        (_, None) => function_and(&item, |_, trees| {
            mistake(place(&trees), "`#[tare::bench]` goes before a function or an `impl` block")
        }),
    }
}

/// The function, and what is registered of it; a mistake becomes an error at its place, and the item stays.
fn function_and(
    item: &TokenStream,
    register: impl FnOnce(&[Attribute], &[TokenTree]) -> tokens::Result<TokenStream>,
) -> TokenStream {
    let all: Vec<TokenTree> = item.clone().into_iter().collect();
    let mut trees = all.as_slice();
    let attributes = attributes(&mut trees);
    match register(&attributes, trees) {
        Ok(registered) => quote!({ #function #registered }, function = with_inline(&attributes, trees), registered),
        Err(error) => error.after(item.clone()),
    }
}

/// The function, `#[inline]` unless it says something itself: it is called from loops that may be compiled elsewhere.
fn with_inline(attributes: &[Attribute], trees: &[TokenTree]) -> TokenStream {
    let own = attributes.iter().any(|attribute| attribute.is("inline"));
    let inline = (!own).then(|| quote!({ #[inline] }));
    quote!({ #inline #attributes #trees }, inline, attributes, trees)
}
