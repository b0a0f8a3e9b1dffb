//! From a function with `#[tare::bench]` to its registered benchmarks.

mod body;

use proc_macro::{Delimiter, TokenStream, TokenTree};

use crate::description::Description;
use crate::entries::Entries;
use crate::futures::runner;
use crate::options::Values;
use crate::parse::{description, is_result, signature, Argument, Attribute, Receiver, Signature};
use crate::tokens::{as_group, is_ident, is_punct, mistake, plain, split, Commas, Result};
use crate::way::names_place;
use body::Body;

/// The benchmarks of the function whose `fn` is at `at`.
pub(crate) fn register(
    attributes: &[Attribute],
    trees: &[TokenTree],
    at: usize,
    mut entries: Entries,
) -> Result<TokenStream> {
    let signature = signature(trees, at);
    refuse(attributes, &signature)?;
    let (own_time, has_input) = (entries.has("own_time"), entries.has("input"));
    let closure = closure_in(&signature.returns)?;
    if let Some(closure) = &closure {
        closure.takes_what_it_may(own_time, has_input)?;
    }
    entries.name_args(&signature);
    if let Some(second) = signature.arguments.iter().filter(|argument| argument.name == "args").nth(1) {
        return mistake(second.span, "give this parameter a name: two patterns cannot be distinguished");
    }
    let wanted = signature.wanted();
    let combinations = entries.generics(&signature.generics)?;
    let input = entries.take("input");
    let parameters = entries.parameters(&wanted, input.is_some())?;
    let has_free = closure.is_none() && (has_input || own_time);
    let free = free(&entries, &signature, &parameters, has_free)?;
    let home = entries.home()?;
    let runner = runner(&mut entries, signature.is_async.then(|| signature.name.span()))?;
    let own_time = entries.take("own_time");
    let mut settings = entries.settings()?;
    entries.finish(&wanted)?;
    settings.bench.or_set("name", plain(&signature.name));
    settings.bench.or_set("description", description(attributes));
    let returned = closure.as_ref().map_or(&signature.returns[..], |closure| closure.returns);
    settings.bench.or_set("returns", own_time.is_none() && is_result(returned));
    let body = Body {
        signature: &signature,
        parameters: &parameters,
        free,
        closure: closure.as_ref(),
        names_place: names_place(trees),
        own_time: own_time.as_ref(),
        input: input.as_ref(),
        runner: runner.as_ref(),
        is_in_step: settings.extent.team.is_some(),
    };
    let (span, vtable) = (signature.name.span(), body.vtable()?);
    let description = Description { home: &home, span, settings, parameters: &parameters, vtable };
    Ok(description.register(0, &combinations))
}

/// The parameter of the function without values; an error unless `is_allowed`.
fn free<'a>(
    entries: &Entries,
    signature: &'a Signature,
    parameters: &[Values],
    is_allowed: bool,
) -> Result<Option<&'a Argument>> {
    let has_values = |argument: &Argument| parameters.iter().any(|one| one.name == argument.name);
    let mut without = signature.arguments.iter().filter(|argument| !has_values(argument));
    let free = if is_allowed { without.next() } else { None };
    let Some(Argument { name, span, .. }) = without.next() else { return Ok(free) };
    // Its name may be misspelt.
    entries.misspelt(&signature.wanted())?;
    let text =
        format!("`{name}` has no values: `#[tare::bench({name} = [...])]`, or `input = ...` for a fresh one each time");
    mistake(*span, text)
}

/// Rejects functions that can never be benchmarks, regardless of the options.
fn refuse(attributes: &[Attribute], signature: &Signature) -> Result<()> {
    if signature.receiver != Receiver::None {
        let text = "a method: put `#[tare::bench]` before the `impl` block and `#[bench]` before the method";
        return mistake(signature.name.span(), text);
    }
    let panics = attributes.iter().find(|attribute| attribute.is("should_panic")).and_then(Attribute::name);
    if let Some((name, _)) = panics {
        let text = "a body that panics cannot be measured: catch the panic in it, with `std::panic::catch_unwind`";
        return mistake(name.span(), text);
    }
    let foreign = signature.arguments.iter().find(|argument| {
        argument.kind.iter().any(|tree| is_ident(Some(tree), "Bencher") || is_ident(Some(tree), "Criterion"))
    });
    if let Some(argument) = foreign {
        let name = plain(&signature.name);
        let text = format!(
            "Tare passes no bencher to the function: return the closure to measure: `fn {name}() -> impl FnMut()`; \
            a fresh input for each call is `input = ...`"
        );
        return mistake(argument.span, text);
    }
    Ok(())
}

/// A closure that is visible in a return type.
struct Closure<'a> {
    /// Its `Fn` or `FnMut`.
    at: &'a TokenTree,
    takes: Vec<Vec<TokenTree>>,
    /// Its return type, and everything after it.
    returns: &'a [TokenTree],
}

impl Closure<'_> {
    /// A body takes nothing or its input; with `own_time`, the number of invocations.
    fn takes_what_it_may(&self, own_time: bool, has_input: bool) -> Result<()> {
        let text = match (has_input, self.takes.len()) {
            _ if own_time => return Ok(()),
            (false, 0) | (true, 1) => return Ok(()),
            (false, _) => {
                "a body takes no arguments: let it capture what it needs, or add `input = ...` for a fresh one each time"
            }
            (true, 0) => {
                "with `input = ...` the closure takes the input: return `impl FnMut(&mut T)`, or `impl FnMut(T)` to consume it"
            }
            (true, _) => "with `input = ...` the closure takes only the input: put several values into a tuple",
        };
        mistake(self.at.span(), text)
    }
}

/// The closure that is visible in a return type; an error if it cannot be called repeatedly.
fn closure_in(returns: &[TokenTree]) -> Result<Option<Closure<'_>>> {
    let mut found = None;
    for (at, tree) in returns.iter().enumerate() {
        if is_ident(Some(tree), "FnOnce") {
            let text = "a body runs many times: return `impl FnMut()` instead of `impl FnOnce()`";
            return mistake(returns[0].span(), text);
        }
        if found.is_none() && (is_ident(Some(tree), "FnMut") || is_ident(Some(tree), "Fn")) {
            let arguments = as_group(returns.get(at + 1), Delimiter::Parenthesis);
            let takes = arguments.map_or_else(Vec::new, |arguments| split(arguments.stream(), Commas::OfTypes));
            let after = returns.get(at + 2..).unwrap_or_default();
            let returns = if is_punct(after.first(), '-') { &after[2..] } else { &[] };
            found = Some(Closure { at: tree, takes, returns });
        }
    }
    Ok(found)
}
