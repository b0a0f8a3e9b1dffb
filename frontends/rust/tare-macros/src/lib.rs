//! The attribute `#[tare::bench]`. It is documented, with examples, in the crate `tare`.
//!
//! Written without `syn` and `quote`, for the reasons in `docs/decisions/0006-dependencies.md`. Little of the user's code
//! has to be understood: the names and types in a signature, and the items of an `impl`.

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

/// Declares a metric: see `tare::metric`.
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
    // A return type may contain `impl`, and the type of an `impl` may contain `fn`: the first keyword decides.
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

/// The function with its registration. A mistake becomes an error at its place, and the item is kept.
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

/// Adds `#[inline]` unless the function has its own, because the loops that call it may be in another codegen unit.
fn with_inline(attributes: &[Attribute], trees: &[TokenTree]) -> TokenStream {
    let own = attributes.iter().any(|attribute| attribute.is("inline"));
    let inline = (!own).then(|| quote!({ #[inline] }));
    quote!({ #inline #attributes #trees }, inline, attributes, trees)
}
