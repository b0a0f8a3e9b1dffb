//! The attribute `#[tare::bench]`. It is documented, with examples, in the crate `tare`.
//!
//! It is written without `syn` and `quote`: they would take several times longer to build than all the rest. What has
//! to be understood of the user's code is little: the names and types in a signature, the items of an `impl`.

mod calls;
mod description;
mod expand;
mod extent;
mod function;
mod manner;
mod methods;
mod metric;
mod parse;
mod plan;
mod suggest;
mod tokens;

use proc_macro::TokenStream;

/// Declares what is counted beside the time: see `tare::metric`.
#[proc_macro_attribute]
pub fn metric(options: TokenStream, item: TokenStream) -> TokenStream {
    metric::metric(options, item)
}

/// Declares a benchmark, or the benchmarks of a type: see `tare::bench`.
#[proc_macro_attribute]
pub fn bench(options: TokenStream, item: TokenStream) -> TokenStream {
    expand::bench(options, item)
}
