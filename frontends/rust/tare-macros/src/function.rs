//! From a function with `#[tare::bench]` to its registered benchmarks.

mod body;

use proc_macro::{Delimiter, TokenStream, TokenTree};

use crate::calls::wanted;
use crate::description::Description;
use crate::expand::runner;
use crate::parse::{description, signature, Attribute, Entry, Receiver, Signature};
use crate::plan::{group, Plan};
use crate::tokens::{as_group, is_ident, is_punct, mistake, names_place, plain, Result};
use body::Body;

pub(crate) fn function(
    attributes: &[Attribute],
    trees: &[TokenTree],
    at: usize,
    entries: Vec<Entry>,
) -> Result<TokenStream> {
    let signature = signature(trees, at)?;
    let mut plan = Plan { entries };
    refuse(attributes, &signature)?;
    let says_its_time = plan.entries.iter().any(|entry| entry.name == "own_time");
    let has_input = plan.entries.iter().any(|entry| entry.name == "input");
    let seen = closure_in(&signature.returns)?;
    if let Some(seen) = &seen {
        seen.takes_what_it_may(says_its_time, has_input)?;
    }
    let closure = seen.as_ref().map(|seen| seen.after);
    plan.name_args(&signature);
    if let Some(second) = signature.arguments.iter().filter(|argument| argument.name == "args").nth(1) {
        return mistake(second.span, "give this parameter a name: two patterns cannot be distinguished");
    }
    let wanted = wanted(&signature);
    let combinations = plan.generics(&signature.generics)?;
    let input = plan.take("input");
    let parameters = plan.parameters(&wanted, input.is_some())?;
    let home = plan.home()?;
    let without: Vec<_> =
        signature.arguments.iter().filter(|argument| parameters.iter().all(|one| one.name != argument.name)).collect();
    let mut missing = without.iter().skip(usize::from(closure.is_none() && (has_input || says_its_time)));
    if let Some(argument) = missing.next() {
        let name = &argument.name;
        plan.finish(&wanted)?;
        return mistake(
            argument.span,
            format!(
                "`{name}` has no values: `#[tare::bench({name} = [...])]`, or `input = ...` for a fresh one each time"
            ),
        );
    }
    let runner = runner(&mut plan, signature.is_async.then(|| signature.name.span()))?;
    let own_time = plan.take("own_time");
    let extent = plan.extent()?;
    let name = plan.value("name", &format!("{:?}", plain(&signature.name)))?;
    let group = group(&mut plan, "::core::option::Option::None")?;
    let describe = plan.value("description", &format!("{:?}", description(attributes)))?;
    let (baseline, operations) = (plan.flag("baseline"), plan.operations()?);
    let (unit, threads) = (plan.value("unit", "\"op\"")?, plan.value("threads", "1")?);
    let categories = plan.value("categories", "[]")?;
    let manner = plan.manner()?;
    plan.finish(&wanted)?;

    let is_in_step = extent.team.is_some();
    let body = Body {
        home: &home,
        signature: &signature,
        parameters: &parameters,
        free: without.first().copied(),
        closure,
        takes: seen.as_ref().map_or(&[], |seen| &seen.takes),
        names_place: names_place(trees),
        own_time: own_time.as_ref(),
        input: input.as_ref(),
        runner: runner.as_ref(),
        is_in_step,
    };
    let vtable = body.vtable()?;
    let returns = !says_its_time && Signature::has_result(closure.unwrap_or(&signature.returns));
    let span = signature.name.span();
    let description = Description {
        home: &home,
        span,
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
        returns,
        parameters: &parameters,
        vtable,
    };
    Ok(description.register(0, &combinations))
}

/// Functions that cannot be benchmarks, whatever their options say.
fn refuse(attributes: &[Attribute], signature: &Signature) -> Result<()> {
    if signature.receiver != Receiver::None {
        let text = "a method: put `#[tare::bench]` before the `impl` block and `#[bench]` before the method";
        return mistake(signature.name.span(), text);
    }
    let panics = attributes.iter().filter_map(Attribute::name).find(|(name, _)| name.to_string() == "should_panic");
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

/// A closure that is visible in what a function returns.
struct Closure<'a> {
    /// Where it is named.
    at: &'a TokenTree,
    /// The types of its arguments.
    takes: Vec<TokenTree>,
    /// What stands after its arguments, from its own result on.
    after: &'a [TokenTree],
}

impl Closure<'_> {
    /// A body takes nothing or its input; one that says its time, the number of invocations.
    fn takes_what_it_may(&self, says_its_time: bool, has_input: bool) -> Result<()> {
        let last = self.takes.len().saturating_sub(1);
        let separators = self.takes.iter().take(last).scan(0, |depth, tree| {
            *depth += i32::from(is_punct(Some(tree), '<')) - i32::from(is_punct(Some(tree), '>'));
            Some(*depth == 0 && is_punct(Some(tree), ','))
        });
        let several = separators.filter(|is_separator| *is_separator).count() > 0;
        let text = match (has_input, self.takes.is_empty()) {
            _ if says_its_time => return Ok(()),
            (false, true) => return Ok(()),
            (true, false) if !several => return Ok(()),
            (false, false) => {
                "a body takes no arguments: let it capture what it needs, or add `input = ...` for a fresh one each time"
            }
            (true, true) => {
                "with `input = ...` the closure takes the input: return `impl FnMut(&mut T)`, or `impl FnMut(T)` to consume it"
            }
            (true, false) => "with `input = ...` the closure takes only the input: put several values into a tuple",
        };
        mistake(self.at.span(), text)
    }
}

/// The closure that is visible in what a function returns, which must be one that can be called many times.
fn closure_in(returns: &[TokenTree]) -> Result<Option<Closure<'_>>> {
    let mut found = None;
    for (at, tree) in returns.iter().enumerate() {
        if is_ident(Some(tree), "FnOnce") {
            let text = "a body runs many times: return `impl FnMut()` instead of `impl FnOnce()`";
            return mistake(returns[0].span(), text);
        }
        if found.is_none() && (is_ident(Some(tree), "FnMut") || is_ident(Some(tree), "Fn")) {
            let arguments = as_group(returns.get(at + 1), Delimiter::Parenthesis);
            let takes = arguments.map_or_else(Vec::new, |arguments| arguments.stream().into_iter().collect());
            let after = returns.get(at + 2..).unwrap_or_default();
            let after = if is_punct(after.first(), '-') { &after[2..] } else { &[] };
            found = Some(Closure { at: tree, takes, after });
        }
    }
    Ok(found)
}
