//! From a function with `#[tare::metric]` to the same function and a registered metric.

use proc_macro::{Span, TokenStream, TokenTree};

use crate::expand::{with_error, with_inline};
use crate::parse::{attributes, entries, keyword, signature, Receiver};
use crate::plan::Plan;
use crate::suggest::suggestion;
use crate::tokens::{code, mistake, plain, template, Result};

/// Expands `#[tare::metric]`: the function stays, and is registered.
pub(crate) fn metric(options: TokenStream, item: TokenStream) -> TokenStream {
    let all: Vec<TokenTree> = item.clone().into_iter().collect();
    let mut trees = all.as_slice();
    let attributes = attributes(&mut trees);
    match metric_of(options, trees) {
        Ok(tokens) => {
            let mut out = with_inline(&attributes, trees);
            out.extend(tokens);
            out
        }
        Err(error) => with_error(item, error),
    }
}

fn metric_of(options: TokenStream, trees: &[TokenTree]) -> Result<TokenStream> {
    let Some(at) = keyword(trees, "fn") else {
        let span = trees.first().map_or_else(Span::call_site, TokenTree::span);
        return mistake(span, "`#[tare::metric]` goes before a function");
    };
    let signature = signature(trees, at)?;
    let takes_something = signature.receiver != Receiver::None || !signature.arguments.is_empty();
    if takes_something || !signature.generics.is_empty() {
        return mistake(signature.name.span(), "a metric is a function without parameters that returns a number");
    }
    let mut plan = Plan { entries: entries(options)? };
    let home = plan.home()?;
    let name = plan.value("name", &format!("{:?}", plain(&signature.name)))?;
    let unit = plan.value("unit", "\"\"")?;
    let (mut better, mut per) = ("\"\"", "false");
    for (option, text) in [("lower_is_better", "\"lower\""), ("higher_is_better", "\"higher\"")] {
        if plan.take(option).is_some() {
            better = text;
        }
    }
    if plan.take("per_iteration").is_some() {
        per = "true";
    }
    if let Some(entry) = plan.entries.iter().find(|entry| !entry.used) {
        let words = ["name", "unit", "lower_is_better", "higher_is_better", "per_iteration", "crate"];
        let near = suggestion(&entry.name, words.into_iter());
        return mistake(entry.key.span(), format!("`{}` is not an option of a metric{near}", entry.name));
    }
    let values = [
        ("HOME", home),
        ("NAME", name),
        ("UNIT", unit),
        ("BETTER", code(better)),
        ("PER", code(per)),
        ("FUNCTION", TokenTree::Ident(signature.name.clone()).into()),
    ];
    Ok(template(METRIC, &values))
}

/// A metric: its name, the function, and what the options say of it.
const METRIC: &str = "
    #[allow(unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction, missing_docs)]
    const _: () = {
        HOME::__private::register!(HOME::__private::METRICS, HOME::__private::Metric, HOME::__private::Metric {
            name: NAME,
            unit: UNIT,
            better: BETTER,
            per_iteration: PER,
            read: || HOME::__private::Count::count(FUNCTION()),
        });
    };
";
