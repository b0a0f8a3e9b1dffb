//! From the item to the same item and a registered description of its benchmarks; here for functions.

use proc_macro::{Delimiter, Span, TokenStream, TokenTree};

use crate::methods;
use crate::parse::{attributes, description, entries, keyword, signature, Attribute, Entry, Receiver, Signature};
use crate::plan::{arguments, group, path, picks, suggestion, tuple, wanted, Description, Plan, Values};
use crate::tokens::{
    as_group, code, grouped, is_ident, is_punct, mistake, names_place, plain, template, template_at, Mistake, Result,
};

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
        return mistake(entry.key.span(), format!("`{}` is no option of a metric{near}", entry.name));
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

/// A function without a fresh input: a body, or a set-up that returns one, as its type says.
const PLAIN: &str = "{
    use HOME::__private::{ByBody as _, ByClone as _, ByCopy as _, ByNeither as _, ByRefusal as _};
    let call = |__tare_choice: &HOME::__private::Choice| { PICKS PATH(ORDERED) };
    let set = |__tare_choice: &HOME::__private::Choice| { SEEN PICKS ::core::result::Result::Ok((TUPLE)) };
    let vtable = (&&&&&HOME::__private::Form::of(&call, &set)).form().vtable::<{ HOME::__private::BODYWAY }, _, _, _, _, _, _, _, _>(
        call,
        set,
        |state| HOME::__private::sink(CALL),
        |state| HOME::__private::sink_empty(|| CALL),
        |state| HOME::__private::look!(CALL),
        |body| HOME::__private::look!(HOME::__private::Body::call(body)),
        |_, state| HOME::__private::sink(PATH(FIELDS)),
        |_, state| HOME::__private::look!(PATH(FIELDS)),
    );
    vtable TEAM
}";

/// The loops for threads in step.
const TEAM: &str = ".on_threads({
    use HOME::__private::{ByCopies as _, ByNoCopies as _, ByNoSharing as _, BySharing as _};
    (&&&&HOME::__private::Teams::of(&call, &set)).team(|state| HOME::__private::sink(CALL))
})";

/// A function that says itself how long so many invocations took, and one that returns a closure that does.
const OWN: &str = "HOME::__private::Typed::own(
    |__tare_choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok((TUPLE)) },
    |state, __tare_invocations| CALL,
).erase()";
const OWN_CLOSURE: &str = "HOME::__private::Typed::own(
    |__tare_choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok(PATH(ORDERED)) },
    |body, invocations| body(invocations),
).erase()";

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

/// A function whose calls are futures.
const AWAITING: &str = "HOME::__private::Typed::awaiting(
    |__tare_choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok((TUPLE)) },
    |state, count| LOOPOF4,
    |state, count| LOOPOF1,
    |state| HOME::__private::block_on(async { HOME::__private::look!(CALL.await) }),
).erase()";

/// The same with a fresh input.
const AWAITING_FED: &str = "HOME::__private::Typed::awaiting_fed::<_, _, _, _, _, _, EAT>(
    |__tare_choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok((TUPLE)) },
    |state| { let (NAMES) = ::core::clone::Clone::clone(state); INPUT },
    |state, mut inputs, count| LOOPOF4,
    |state, mut inputs, count| LOOPOF1,
    |state, MUT input| HOME::__private::block_on(async { HOME::__private::look!(LOOK.await) }),
).erase()";

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
            "an async body needs what waits for it: `runner = tokio::runtime::Runtime::new().unwrap()`, or anything \
            else with `block_on`, or a function such as `runner = futures::executor::block_on`",
        ),
    }
}

/// The parameters in the order in which the function takes them.
fn ordered(signature: &Signature, parameters: &[Values]) -> TokenStream {
    let mut out = TokenStream::new();
    for argument in &signature.arguments {
        let Some(parameter) = parameters.iter().find(|one| one.name == argument.name) else { continue };
        out.extend([TokenTree::Ident(parameter.key.clone())]);
        out.extend(code(","));
    }
    out
}

/// What stands in `set` of a function that visibly returns a closure, for the case that the type is no body all the same.
const SEEN: &str = "if true {
    return ::core::result::Result::Err(::std::string::String::from(
        \"it returns a closure in a form that cannot be called: return `impl FnMut()`, `Box<dyn FnMut()>`, or a \
        `Result` or `Option` of one\"
    ));
}";

/// A function with a fresh input.
const FED: &str = "HOME::__private::Typed::WAY(
    |__tare_choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok((TUPLE)) },
    |state| { let (NAMES) = ::core::clone::Clone::clone(state); INPUT },
    |state, input| HOME::__private::sink(CALL),
    |state| HOME::__private::sink_empty(|| EMPTY),
    |state, MUT input| HOME::__private::look!(LOOK),
).erase()";

/// A closure that is visible in what a function returns: it must be one that can be called many times, without arguments.
fn closure_in(returns: &[TokenTree], may_take_arguments: bool) -> Result<Option<&[TokenTree]>> {
    let mut flat = None;
    for (at, tree) in returns.iter().enumerate() {
        if is_ident(Some(tree), "FnOnce") {
            let text = "a body runs many times: return `impl FnMut()` instead of `impl FnOnce()`";
            return mistake(returns[0].span(), text);
        }
        if flat.is_none() && (is_ident(Some(tree), "FnMut") || is_ident(Some(tree), "Fn")) {
            let arguments = as_group(returns.get(at + 1), Delimiter::Parenthesis);
            if !may_take_arguments && arguments.is_some_and(|arguments| !arguments.stream().is_empty()) {
                let text = "a body takes no arguments: let it capture what it needs, or use `input = ...`";
                return mistake(tree.span(), text);
            }
            let after = returns.get(at + 2..).unwrap_or_default();
            flat = Some(if is_punct(after.first(), '-') { &after[2..] } else { &[] });
        }
    }
    Ok(flat)
}

fn function(attributes: &[Attribute], trees: &[TokenTree], at: usize, entries: Vec<Entry>) -> Result<TokenStream> {
    let signature = signature(trees, at)?;
    let mut plan = Plan { entries };
    if signature.receiver != Receiver::None {
        let text = "a method: put `#[tare::bench]` before the `impl` block and `#[bench]` before the method";
        return mistake(signature.name.span(), text);
    }
    let says_its_time = plan.entries.iter().any(|entry| entry.name == "own_time");
    let closure = closure_in(&signature.returns, says_its_time)?;
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
    plan.name_args(&signature);
    if let Some(second) = signature.arguments.iter().filter(|argument| argument.name == "args").nth(1) {
        return mistake(second.span, "give this parameter a name: two patterns cannot be told apart");
    }
    let wanted = wanted(&signature);
    let combinations = plan.generics(&signature.generics)?;
    let input = plan.take("input");
    let parameters = plan.parameters(&wanted, input.is_some())?;
    let home = plan.home()?;
    let without: Vec<_> =
        signature.arguments.iter().filter(|argument| parameters.iter().all(|one| one.name != argument.name)).collect();
    let mut missing = without.iter().skip(usize::from(input.is_some() || says_its_time && closure.is_none()));
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
    let describe = plan.value("describe", &format!("{:?}", description(attributes)))?;
    let (baseline, operations) = (plan.flag("baseline"), plan.operations()?);
    let (unit, threads) = (plan.value("unit", "\"op\"")?, plan.value("threads", "1")?);
    let categories = plan.value("categories", "[]")?;
    let manner = plan.manner()?;
    plan.finish(&wanted)?;

    let mut values = vec![("HOME", home.clone()), ("PICKS", picks(&home, &parameters)), ("PATH", path(&signature))];
    let conflict = [
        (own_time.is_some() && input.is_some(), "`own_time` and `input`"),
        (own_time.is_some() && runner.is_some(), "`own_time` and `runner`"),
        (own_time.is_some() && extent.team.is_some(), "`own_time` and a list of `threads`"),
        (input.is_some() && extent.team.is_some(), "`input` and a list of `threads`"),
        (runner.is_some() && extent.team.is_some(), "`runner` and a list of `threads`"),
    ];
    if let Some((_, both)) = conflict.into_iter().find(|(holds, _)| *holds) {
        return mistake(signature.name.span(), format!("{both} cannot be used together"));
    }
    if let (Some(_), true) = (&runner, closure.is_some()) {
        let text = "with `runner` the function itself is the body: `async fn`; what is set up once goes into an `impl`";
        return mistake(signature.name.span(), text);
    }
    let mut vtable = if let Some(entry) = own_time {
        values.push(("TUPLE", tuple(&parameters)));
        if closure.is_some() {
            values.push(("ORDERED", ordered(&signature, &parameters)));
            template(OWN_CLOSURE, &values)
        } else if without.is_empty() {
            let text = "with `own_time` one parameter has no values: the number of invocations, a `u64`";
            return mistake(entry.key.span(), text);
        } else {
            let arguments = arguments(&home, &signature, &parameters, Some(&code("__tare_invocations")));
            let call: TokenStream =
                path(&signature).into_iter().chain(grouped(Delimiter::Parenthesis, arguments)).collect();
            values.push(("CALL", call));
            template(OWN, &values)
        }
    } else if let Some(input) = input {
        let Some(argument) = without.first() else {
            return mistake(input.key.span(), "`input` needs a parameter of the function that has no values");
        };
        if closure.is_some() {
            return mistake(input.key.span(), "`input` is for a function that is a body; this one returns its body");
        }
        let lent = is_punct(argument.kind.first(), '&');
        fed(&mut values, &signature, &parameters, &input, (lent, runner.is_some()), &home)
    } else {
        let mut fields = TokenStream::new();
        for argument in &signature.arguments {
            let Some(number) = parameters.iter().position(|one| one.name == argument.name) else { continue };
            fields.extend(code(&format!("state.{number},")));
        }
        values.push(("ORDERED", ordered(&signature, &parameters)));
        values.push(("FIELDS", fields));
        values.push(("SEEN", if closure.is_some() { code(SEEN) } else { TokenStream::new() }));
        values.push(("BODYWAY", way(&signature.returns, closure, names_place(trees))));
        let arguments = arguments(&home, &signature, &parameters, None);
        let call: TokenStream =
            path(&signature).into_iter().chain(grouped(Delimiter::Parenthesis, arguments)).collect();
        values.push(("TUPLE", tuple(&parameters)));
        values.push(("CALL", call));
        loops(&mut values);
        values.push(("TEAM", if extent.team.is_some() { template(TEAM, &values) } else { TokenStream::new() }));
        template(if runner.is_some() { AWAITING } else { PLAIN }, &values)
    };
    if let Some(runner) = &runner {
        vtable.extend(waited_for(&home, runner));
    }
    let returns = !says_its_time && Signature::has_result(closure.unwrap_or(&signature.returns));
    let mut out = TokenStream::new();
    for (order, generics) in combinations.iter().enumerate() {
        let description = Description {
            home: &home,
            span: signature.name.span(),
            order,
            group: group.clone(),
            name: name.clone(),
            baseline: baseline.clone(),
            operations: operations.clone(),
            unit: unit.clone(),
            categories: categories.clone(),
            describe: describe.clone(),
            threads: threads.clone(),
            manner: manner.clone(),
            extent: extent.clone(),
            returns,
            generics,
            parameters: &parameters,
            vtable: vtable.clone(),
        };
        out.extend(description.register());
    }
    Ok(out)
}

/// The loops that await CALL.
pub(crate) fn loops(values: &mut Vec<(&str, TokenStream)>) {
    let (fours, ones) = (template(FOURS, values), template(ONES, values));
    values.push(("LOOPOF4", fours));
    values.push(("LOOPOF1", ones));
}

/// The vtable of a function with a fresh input.
fn fed(
    values: &mut Vec<(&str, TokenStream)>,
    signature: &Signature,
    parameters: &[Values],
    input: &Entry,
    (lent, awaited): (bool, bool),
    home: &TokenStream,
) -> TokenStream {
    let call = |what: &str| -> TokenStream {
        let arguments = arguments(home, signature, parameters, Some(&template(what, &[("HOME", home.clone())])));
        path(signature).into_iter().chain(grouped(Delimiter::Parenthesis, arguments)).collect()
    };
    values.push(("TUPLE", tuple(parameters)));
    values.push(("NAMES", tuple(parameters)));
    values.push(("INPUT", input.tokens()));
    values.push(("WAY", code(if lent { "lending" } else { "eating" })));
    values.push(("EMPTY", call("HOME::__private::never()")));
    values.push(("LOOK", call(if lent { "&mut input" } else { "input" })));
    values.push(("MUT", code(if lent { "mut" } else { "" })));
    if !awaited {
        values.push(("CALL", call("input")));
        return template(FED, values);
    }
    values.push(("EAT", code(if lent { "false" } else { "true" })));
    values.push(("CALL", call(if lent { "inputs.lend()" } else { "inputs.eat()" })));
    loops(values);
    template(AWAITING_FED, values)
}
