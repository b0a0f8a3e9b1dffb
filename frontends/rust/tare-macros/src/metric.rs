//! From a function with `#[tare::metric]` to a registered metric.

use proc_macro::{TokenStream, TokenTree};

use crate::entries::Entries;
use crate::parse::{keyword, signature, Receiver};
use crate::suggest::suggestion;
use crate::tokens::{mistake, place, plain, quote, Result, Tokens};

pub(crate) fn metric(mut entries: Entries, trees: &[TokenTree]) -> Result<TokenStream> {
    let Some(at) = keyword(trees, "fn") else {
        return mistake(place(&trees), "`#[tare::metric]` goes before a function");
    };
    let signature = signature(trees, at);
    let takes_something = signature.receiver != Receiver::None || !signature.arguments.is_empty();
    if takes_something || !signature.generics.is_empty() {
        return mistake(signature.name.span(), "a metric is a function without parameters that returns a number");
    }
    let home = entries.home()?;
    let name = entries.value("name")?.unwrap_or_else(|| plain(&signature.name).tokens());
    let unit = entries.value("unit")?.unwrap_or_else(|| "".tokens());
    let mut better = "";
    for (option, word) in [("lower_is_better", "lower"), ("higher_is_better", "higher")] {
        better = if entries.take(option).is_some() { word } else { better };
    }
    let per_iteration = entries.take("per_iteration").is_some();
    if let Some(entry) = entries.unused().next() {
        let words = ["name", "unit", "lower_is_better", "higher_is_better", "per_iteration", "crate"];
        let near = suggestion(&entry.name, words.into_iter());
        return mistake(entry.key.span(), format!("`{}` is not an option of a metric{near}", entry.name));
    }
    Ok(quote!({
        #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, missing_docs)]
        const _: () = {
            use #home::__private as __tare;
            __tare::register!(__tare::METRICS, __tare::Metric, __tare::Metric {
                name: #name,
                unit: #unit,
                better: #better,
                per_iteration: #per_iteration,
                read: || #function() as f64,
            });
        };
    }, home, name, unit, better, per_iteration, function = signature.name))
}
