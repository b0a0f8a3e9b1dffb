//! From a function with `#[tare::bench]` to its registered benchmarks.

use proc_macro::{Delimiter, TokenStream, TokenTree};

use crate::calls::{arguments, path, tuple, wanted};
use crate::description::{picks, Description};
use crate::expand::{loops, runner, waited_for, way};
use crate::parse::{description, signature, Attribute, Entry, Receiver, Signature};
use crate::plan::{group, Plan, Values};
use crate::tokens::{as_group, code, grouped, is_ident, is_punct, mistake, names_place, plain, template, Result};

pub(crate) fn function(
    attributes: &[Attribute],
    trees: &[TokenTree],
    at: usize,
    entries: Vec<Entry>,
) -> Result<TokenStream> {
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

/// A function with a fresh input.
const FED: &str = "HOME::__private::Typed::WAY(
    |__tare_choice: &HOME::__private::Choice| { PICKS ::core::result::Result::Ok((TUPLE)) },
    |state| { let (NAMES) = ::core::clone::Clone::clone(state); INPUT },
    |state, input| HOME::__private::sink(CALL),
    |state| HOME::__private::sink_empty(|| EMPTY),
    |state, MUT input| HOME::__private::look!(LOOK),
).erase()";
